# Circles between folders, folders of more than 20 files and banned words in comments are found by Tests/Lint/structure.

STRICT := --scratch-path .build/strict

.PHONY: lint
lint: deps lint-format lint-imports lint-structure lint-strict ## format, imports, folders, comments, and a build where warnings are errors

.PHONY: lint-format
lint-format:
	@$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests
	echo "format: as committed"

# Foundation costs every command its start-up time; a test that sleeps is slow, or flaky, or both. The benchmarks may: they
# pace what they measure beside.
.PHONY: lint-imports
lint-imports:
	@offending() { ! grep -rnE --include='*.swift' $${4:-} "$$2" $$3 || { echo "$$1" >&2; exit 1; }; }
	offending "error: no file imports Foundation" '^[^/"]*\bimport +([a-z]+ +)?Foundation' 'Package.swift Sources Tests'
	offending "error: tests wait for conditions, they do not sleep" '^[^/"]*\b((u|nano)?sleep\(|Task\.sleep)' 'Tests' --exclude-dir=Bench
	echo "imports: no Foundation; tests: no sleeping"

.PHONY: lint-structure
lint-structure:
	@Tests/Lint/structure

.PHONY: lint-strict
lint-strict: deps
	@PODCLI_STRICT=1 $(SWIFT) build $(RULES) $(STRICT) --build-tests
	echo "strict build: no warnings, no import beyond Package.swift"
