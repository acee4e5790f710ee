##@ Proof

# Each sanitizer has a scratch folder of its own, since every file is compiled differently. Tests/Sanitizers lists what the
# reports leave out, and why. Reports go into files: a program that plays has no standard error, and one that a signal ends
# has that signal's status. The thread sanitizer would make each program wait a second at its end.
SANITIZERS := address thread

.PHONY: sanitize
sanitize: deps test-deps $(addprefix sanitize-,$(SANITIZERS)) ## run every test under the address and thread sanitizers

.PHONY: $(addprefix sanitize-,$(SANITIZERS))
$(addprefix sanitize-,$(SANITIZERS)): sanitize-%:
	@scratch=.build/$*-sanitizer
	$(SWIFT) build $(RULES) -debug-info-format dwarf --scratch-path $$scratch --sanitize $* --build-tests
	reports=$(CURDIR)/$$scratch/reports
	rm -rf $$reports && mkdir $$reports
	export ASAN_OPTIONS=detect_leaks=0:log_path=$$reports/report:suppressions=$(CURDIR)/Tests/Sanitizers/address
	TSAN_OPTIONS=exitcode=66:atexit_sleep_ms=200:log_path=$$reports/report:suppressions=$(CURDIR)/Tests/Sanitizers/thread
	export TSAN_OPTIONS=$$TSAN_OPTIONS:external_symbolizer_path=$$(command -v llvm-symbolizer)
	$(WIDTH) PODCLI_TEST_PATIENCE=10 "$$($(SWIFT) build --scratch-path $$scratch --show-bin-path)/podcliPackageTests.xctest" \
	  --testing-library swift-testing $(if $(FILTER),--filter '$(FILTER)') 2>&1 | $(if $(V),cat,$(FAILURES_AND_END)) || failed=1
	for report in $$reports/*; do
	  test ! -e $$report || { cat $$report; failed=1; }
	done
	test -z "$${failed:-}"

COVERAGE := .build/coverage
.PHONY: cover
cover: deps test-deps ## report each target's line coverage, and the functions that no test runs
	@$(SWIFT) build $(RULES) --scratch-path $(COVERAGE) --build-tests -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping -Xswiftc -DCOVERAGE
	products=$$($(SWIFT) build --scratch-path $(COVERAGE) --show-bin-path)
	rm -rf $(COVERAGE)/profiles && mkdir -p $(COVERAGE)/profiles
	LLVM_PROFILE_FILE=$(CURDIR)/$(COVERAGE)/profiles/%8m.profraw $(WIDTH) PODCLI_TEST_PATIENCE=4 \
	  "$$products/podcliPackageTests.xctest" --testing-library swift-testing 2>&1 | $(FAILURES_AND_END)
	Tests/Coverage/report "$$products" $(COVERAGE)

.PHONY: prove-alignment
prove-alignment: deps test-deps ## find moments of a long show in renditions with other adverts and encodings (MINUTES=20)
	@$(SWIFT) build $(RULES) --build-tests
	PODCLI_PROVE_ALIGNMENT=1 PODCLI_TEST_PATIENCE=10 MINUTES=$(or $(MINUTES),20) $(WIDTH) \
	  $(SWIFT) test --skip-build --disable-xctest --filter AlignmentProof

.PHONY: prove-repeats
prove-repeats: deps test-deps ## find what ten long episodes of a podcast share, and nothing else (MINUTES=60)
	@$(SWIFT) build $(RULES) --build-tests
	PODCLI_PROVE_REPEATS=1 PODCLI_TEST_PATIENCE=10 MINUTES=$(or $(MINUTES),60) $(WIDTH) \
	  $(SWIFT) test --skip-build --disable-xctest --filter RepeatProof

.PHONY: prove-resume
prove-resume: release test-deps ## resume a long MP3 of unlike frames whose bytes are gone, heard where it ended (MINUTES=180)
	@$(SWIFT) build $(RULES) --build-tests
	PODCLI_PROVE_RESUME=$(CURDIR)/.build/release/podcli MINUTES=$(or $(MINUTES),180) $(WIDTH) \
	  $(SWIFT) test --skip-build --disable-xctest --filter ResumeProof

PEERS := "$$($(SWIFT) build --show-bin-path)"

.PHONY: peers
peers: deps ## let gpo, newsboat and AntennaPod's rules read the export, move in from gpo and newsboat, sync with a server (installed)
	@for product in podcli podcli-feedserver; do $(SWIFT) build $(RULES) --product $$product; done
	Tests/Peers/subscriptions.sh $(PEERS)
	Tests/Peers/libraries.sh $(PEERS)
	Tests/Peers/servers.sh $(PEERS)

.PHONY: trace
trace: deps ## list by strace which files and addresses a refresh touches
	@for product in podcli podcli-feedserver; do $(SWIFT) build $(RULES) --product $$product; done
	Tests/Peers/trace.sh $(PEERS)

DOCS := $(CURDIR)/.build/docs
.PHONY: docs
docs: deps ## build the documentation of the engines and journeys: .build/docs/*.doccarchive
	@symbols=$(DOCS)/build/symbols
	mkdir -p $$symbols
	for target in Podcatcher ScreenKit; do
	  $(SWIFT) build $(RULES) --scratch-path $(DOCS)/build --target $$target \
	    $(addprefix -Xswiftc ,-emit-symbol-graph -emit-symbol-graph-dir) -Xswiftc $$symbols \
	    $(addprefix -Xswiftc ,-symbol-graph-minimum-access-level package)
	done
	for room in FeedKit PodcastStore Playback Transfer Podcatcher ScreenKit; do
	  mkdir -p $(DOCS)/$$room
	  cp $$symbols/$$room.symbols.json $(DOCS)/$$room/
	  docc convert Sources/$$room/$$room.docc --additional-symbol-graph-dir $(DOCS)/$$room \
	    --fallback-display-name $$room --fallback-bundle-identifier podcli.$$room --warnings-as-errors \
	    --output-path $(DOCS)/$$room.doccarchive
	  echo "docs: .build/docs/$$room.doccarchive"
	done
