##@ Benchmarks

# The part of the benchmarks that `make bench` runs, and its options; empty for all of them.
BENCH ?=
# The folder of the records, and the products that make one.
BENCHES := .build/bench
BENCH_PRODUCTS := podcli-feedserver podcli-baseline podcli-measure podcli-bench
# The two records that `make bench-compare` sets side by side.
A ?=
B ?=

.PHONY: bench
bench: release bench-build ## run the benchmarks and keep the figures: .build/bench (BENCH="part and options")
	@mkdir -p $(BENCHES)
	.build/release/podcli-bench --into $(BENCHES) $(BENCH)

.PHONY: bench-build
bench-build: deps static-libs
	@for product in $(BENCH_PRODUCTS); do
	  $(RELEASE_BUILD) --product $$product
	done

.PHONY: bench-compare
bench-compare: bench-build ## set two runs of the benchmarks side by side (A=… B=…)
	@test -n "$(A)" -a -n "$(B)" || { echo "bench-compare: A=one.json B=another.json, of those in $(BENCHES)" >&2; exit 2; }
	.build/release/podcli-bench compare $(A) $(B)

.PHONY: bench-table
bench-table: bench-build ## write the latest figures into Tests/Bench/RESULTS.md
	@.build/release/podcli-bench table $(BENCHES)/latest.json > Tests/Bench/RESULTS.md.new
	mv Tests/Bench/RESULTS.md.new Tests/Bench/RESULTS.md

# The figures of a brief run are kept, compared and tabulated like those of a full run.
.PHONY: brief-bench
brief-bench: deps
	@for product in podcli $(BENCH_PRODUCTS); do $(SWIFT) build $(RULES) --product $$product; done
	bench="$$($(SWIFT) build --show-bin-path)/podcli-bench"
	brief=$(BENCHES)/brief
	rm -rf $$brief && mkdir -p $$brief
	"$$bench" --brief --into $$brief > $$brief/output 2>&1 || { cat $$brief/output; exit 1; }
	"$$bench" compare $$brief/latest.json $$brief/latest.json > $$brief/comparison
	"$$bench" table $$brief/latest.json > $$brief/table
	echo "bench: $$(grep -c '"runs"' $$brief/latest.json) figures, kept and compared"
