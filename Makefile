# podcli's build. `make` alone lists the targets; each .mk file stands beside what it builds.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.NOTPARALLEL:
.DEFAULT_GOAL := help

SWIFT ?= swift
# For the debugger, and for line numbers in a crash: DEBUG_INFO=dwarf. It takes a sixth of the time of a build.
DEBUG_INFO ?= none
# An import that Package.swift does not list for the target is an error in every build.
RULES := --explicit-target-dependency-import-check error -debug-info-format $(DEBUG_INFO)

# The tests wait for real programs, some of which play sound in real time: three at once keep two cores busy, and each of
# them still has its time.
WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=3
# Filters a test run's output down to the failures, what the tests print and the closing line.
FAILURES_AND_END := sed -u -E '/Test run with/b; /Planning build|Test run started|^↳ (Testing Library|Target Platform)/d; \
  /^[^[:alnum:]]*(◇|✔) *(Test|Suite) .*(started\.|passed after .*)$$/d; /^◇ Test case/,/started\.$$/d'

##@ Everyday

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " }
	/^##@ / { printf "\n%s\n", substr($$0, 5) }
	/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: deps ## build podcli for development
	@$(SWIFT) build $(RULES) --product podcli

.PHONY: demo
demo: build ## subscribe to the bundled podcast, play it, stop it, resume it
	@$(SWIFT) build $(RULES) --product podcli-demo
	"$$($(SWIFT) build --show-bin-path)/podcli-demo"

.PHONY: test
test: deps test-deps ## run every test (V=1 names each as it passes)
	@$(SWIFT) build $(RULES) --build-tests
	$(WIDTH) $(SWIFT) test --skip-build --disable-xctest 2>&1 | $(if $(V),cat,$(FAILURES_AND_END))

.PHONY: readme
readme: build ## write the table of commands into README.md
	@table=$$("$$($(SWIFT) build --show-bin-path)/podcli" help --table)
	TABLE=$$table awk '/^<!-- end/ { skip = 0 } !skip { print } /^<!-- made by .make readme`/ { print ENVIRON["TABLE"]; skip = 1 }' \
	  README.md > README.md.new
	mv README.md.new README.md

SCREENS := Tests/podcliTests/Fixtures/Screens
.PHONY: picture
picture: ## draw the README's pictures: Sources/Packaging/screen.svg from golden screens, journey.svg from a recorded session
	@Sources/Packaging/picture 'podcli in a terminal: the playlist, a search, the queue and the status' $(SCREENS) \
	  playlist 'playlist --all' search 'search lighthouse' queue queue status status > Sources/Packaging/screen.svg
	for frame in $(SCREENS)/Journey/*.txt; do echo '=== frame'; cat $$frame; done | LC_ALL=C awk -v seconds=2 \
	  -v title='the screen of podcli: subscribe, triage, play, leave, come back, find a sentence, queue' \
	  -f Sources/Packaging/picture.awk > Sources/Packaging/journey.svg

.PHONY: record
record: deps test-deps ## record the session of the README's picture anew, in a real terminal; then make picture
	@$(SWIFT) build $(RULES) --build-tests
	PODCLI_DRAW_SCREENS=1 $(SWIFT) test --skip-build --disable-xctest --filter JourneyTests

.PHONY: clean
clean: ## remove everything that was built
	@rm -rf .build

##@ Before a commit

.PHONY: check
check: lint test brief ## every condition of a commit: lint, tests, and a short run of each proof

# Each proof does as little as shows that it still works, with what `make test` has built. The figures are judged by
# `make bench`; sanitizers and coverage are builds of their own and run by hand.
.PHONY: brief
brief: test-deps dist brief-bench brief-faults brief-fuzz docs ## a short run of the benchmarks, faults, fuzzer, documentation and packing

.PHONY: format
format: ## bring the sources into the committed format
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

include Tests/Lint/lint.mk
include Tests/Bench/bench.mk
include Tests/proof.mk
include Tests/Fuzz/fuzz.mk
include Tests/Storm/faults.mk
include Sources/Packaging/package.mk
include Sources/Packaging/dependencies.mk
