# The targets that `make fuzz` runs (empty for all), and the seconds that each gets. Given on the command line of
# `make faults`, SECONDS is instead how long each of its storms runs.
TARGETS ?=
SECONDS ?= 60

FUZZ := .build/fuzz
# Both sanitizers in one option: the compiler heeds only the last `-sanitize=`, and SwiftPM passes one for each
# `--sanitize`, in no certain order. Two options would lose either libFuzzer's counters or the address checks.
FUZZED := -c release -debug-info-format dwarf --scratch-path $(FUZZ) --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address

.PHONY: fuzz
fuzz: deps ## feed every reader broken input, for SECONDS=60 each (TARGETS="feed dates")
	@PODCLI_FUZZ=1 $(SWIFT) build $(RULES) $(FUZZED) --product podcli-fuzz
	Tests/Fuzz/fuzz.sh $(FUZZ) $(SECONDS) $(TARGETS)

.PHONY: brief-fuzz
brief-fuzz: SECONDS := 2
brief-fuzz: fuzz
