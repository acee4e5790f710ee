# podcli: everything a human or a CI machine needs. `make` alone lists it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.NOTPARALLEL:
.DEFAULT_GOAL := help

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# What `make bench` measures, and with which options; empty for everything.
BENCH ?=
# How often `make faults` ends a playing podcli, or for how long: SECONDS=60.
KILLS ?= 200

# Debian's names. The -dev packages bring the libraries that podcli runs with.
BUILD_PACKAGES := libmpv-dev libcurl4-openssl-dev libxml2-dev libsqlite3-dev pkgconf
# The shells load the completions, groff sets the manual page, ffmpeg makes the media that the tests play, and
# nghttpx speaks TLS and HTTP/2 before the tests' own server, with certificates by openssl, and pulseaudio is the sound
# server that dies and comes back.
TEST_PACKAGES := zsh fish ffmpeg groff-base nghttp2-proxy openssl pulseaudio

# More at once only starve each other: Swift's pool has a thread a core, and tests wait for real programs.
WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4

# A target that imports what it does not list in Package.swift breaks every build.
RULES := --explicit-target-dependency-import-check error
# The C++ runtime is linked in, too: looking up its five thousand symbols takes longer than a whole command.
STATIC_LIBS := .build/static-libs
RELEASE := -c release --static-swift-stdlib -Xlinker -s -Xlinker --gc-sections \
	-Xlinker -L$(STATIC_LIBS) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
STRICT := --scratch-path .build/strict

##@ Everyday

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " }
	/^##@ / { printf "\n%s\n", substr($$0, 5) }
	/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: deps ## build podcli for development
	@$(SWIFT) build $(RULES) --product podcli

.PHONY: demo
demo: deps ## subscribe to the bundled podcast, play it, stop it, resume it
	@$(SWIFT) build $(RULES) --product podcli
	$(SWIFT) build $(RULES) --product podcli-demo
	"$$($(SWIFT) build --show-bin-path)/podcli-demo"

.PHONY: test
test: deps test-deps ## run every test (V=1 names each as it passes)
	@$(SWIFT) build $(RULES) --build-tests
	$(WIDTH) $(SWIFT) test --skip-build --disable-xctest 2>&1 | $(if $(V),cat,$(FAILURES_AND_END))

# What started and what passed is left out; what fails, what is printed and the closing line stay.
FAILURES_AND_END := sed -u -E '/Test run with/b; /Planning build|Test run started|^↳ (Testing Library|Target Platform)/d; \
  /^[^[:alnum:]]*(◇|✔) *(Test|Suite) .*(started\.|passed after .*)$$/d; /^◇ Test case/,/started\.$$/d'

.PHONY: readme
readme: build ## write the commands' table into README.md
	@podcli="$$($(SWIFT) build --show-bin-path)/podcli"
	table=$$("$$podcli" help --table)
	awk -v table="$$table" '/^<!-- end/ { skip = 0 } !skip { print } /^<!-- made by/ { print table; skip = 1 }' \
	  README.md > README.md.new
	mv README.md.new README.md

##@ Before a commit

.PHONY: check
check: lint test ## all that must hold: lint, then test

.PHONY: lint
lint: deps format-lint import-lint strict ## format, import rules, and a build where warnings are errors

.PHONY: format
format: ## bring the sources into the committed format
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

.PHONY: format-lint
format-lint:
	@$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests
	echo "format: as committed"

# Foundation costs every command its start-up time; a sleeping test is slow, or flaky, or both.
.PHONY: import-lint
import-lint:
	@offending() { ! grep -rnE --include='*.swift' "$$2" $$3 || { echo "$$1" >&2; exit 1; }; }
	offending "error: no file imports Foundation" '^[^/"]*\bimport +([a-z]+ +)?Foundation' 'Package.swift Sources Tests'
	offending "error: tests wait for conditions, they do not sleep" '^[^/"]*\b((u|nano)?sleep\(|Task\.sleep)' 'Tests'
	echo "imports: no Foundation; tests: no sleeping"

.PHONY: strict
strict:
	@PODCLI_STRICT=1 $(SWIFT) build $(RULES) $(STRICT) --build-tests
	echo "strict build: no warnings, no import beyond Package.swift"

##@ Release

.PHONY: release
release: deps ## build the optimised, stripped podcli: .build/release/podcli
	@mkdir -p $(STATIC_LIBS)
	runtime=$$(clang -print-file-name=libstdc++.a)
	test ! -e "$$runtime" || ln -sf "$$runtime" $(STATIC_LIBS)/
	$(SWIFT) build $(RULES) $(RELEASE) --product podcli
	ls -lL .build/release/podcli | awk '{ printf "%s: %.1f MB\n", $$NF, $$5 / 1e6 }'

.PHONY: bench
bench: release ## build and run the benchmarks (BENCH="what and how")
	@test -d Sources/podcli-bench || { echo "bench: there are no benchmarks in Sources/podcli-bench" >&2; exit 1; }
	for product in podcli podcli-feedserver podcli-baseline podcli-bench; do
	  $(SWIFT) build $(RULES) $(RELEASE) --product $$product
	done
	.build/release/podcli-bench $(BENCH)

.PHONY: faults
faults: release test-deps ## kill podcli while it plays and writes, and cut the power (KILLS=200 or SECONDS=60)
	@$(SWIFT) build $(RULES) $(RELEASE) --product podcli-storm
	.build/release/podcli-storm play $(if $(filter file default undefined,$(origin SECONDS)),$(KILLS),$(SECONDS)s)
	.build/release/podcli-storm kill
	.build/release/podcli-storm power

SHARE := $(DESTDIR)$(PREFIX)/share
INSTALLED := $(DESTDIR)$(PREFIX)/bin/podcli $(SHARE)/man/man1/podcli.1 \
	$(SHARE)/bash-completion/completions/podcli $(SHARE)/zsh/site-functions/_podcli \
	$(SHARE)/fish/vendor_completions.d/podcli.fish

# Under sudo only what is already built is installed: building would leave root's files behind.
.PHONY: install
install: $(if $(SUDO_UID),,release) ## install podcli, its manual page and completions (PREFIX=/usr/local, DESTDIR=)
	@podcli=.build/release/podcli
	test -x $$podcli || { echo "install: run 'make release' first, as yourself" >&2; exit 1; }
	put() { mkdir -p .build/install && "$${@:3}" > .build/install/file && install -D -m "$$1" .build/install/file "$$2"; }
	set -- $(foreach file,$(INSTALLED),'$(file)')
	put 755 "$$1" cat $$podcli
	put 644 "$$2" $$podcli help --man
	put 644 "$$3" $$podcli completions bash
	put 644 "$$4" $$podcli completions zsh
	put 644 "$$5" $$podcli completions fish
	printf 'installed %s\n' "$$@"

.PHONY: uninstall
uninstall: ## remove what install installed
	@rm -f $(foreach file,$(INSTALLED),'$(file)')

.PHONY: clean
clean: ## remove everything that was built
	@rm -rf .build

##@ This machine

.PHONY: deps
deps: ## install the Debian packages that building and running need
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.2 or newer is needed: https://www.swift.org/install/linux/" >&2; exit 1; }
	$(call install_missing,$(BUILD_PACKAGES),pkg-config --exists mpv libcurl libxml-2.0 sqlite3)

.PHONY: test-deps
test-deps: ## install the Debian packages that only the tests need
	@$(call install_missing,$(TEST_PACKAGES),type -P zsh fish ffmpeg groff nghttpx openssl pulseaudio)

# $(1): packages. $(2): a command that succeeds where a system without apt-get has the same by other names.
# Nothing to do is quick and silent. Otherwise apt-get, as root or by sudo; who has neither reads what to type.
define install_missing
if ! type -P dpkg-query apt-get >/dev/null; then
  $(2) >/dev/null 2>&1 && exit 0
  echo "Missing are some of these, in Debian's words: $(1)" >&2
  echo "  Fedora  dnf install mpv-libs-devel libcurl-devel libxml2-devel sqlite-devel pkgconf zsh fish ffmpeg-free groff" >&2
  echo "  Arch    pacman -S mpv curl libxml2 sqlite pkgconf zsh fish ffmpeg groff" >&2
  exit 1
fi
missing=()
for package in $(1); do
  status=$$(dpkg-query --show --showformat='$${db:Status-Status}' $$package 2>/dev/null || true)
  [ "$$status" = installed ] || missing+=("$$package")
done
[ "$${#missing[@]}" -gt 0 ] || exit 0

as_root=()
[ "$$(id -u)" -eq 0 ] || as_root=(sudo)
[ "$$(id -u)" -eq 0 ] || [ -t 2 ] || as_root=(sudo -n)
by_hand() { printf '%s As root, type:\n  apt-get update && apt-get install %s\n' "$$1" "$${missing[*]}" >&2; exit 1; }
[ "$${#as_root[@]}" -eq 0 ] || type -P sudo >/dev/null || by_hand "Packages are missing, and sudo too."

echo "installing $${missing[*]}"
"$${as_root[@]}" apt-get update -qq || by_hand "The list of packages cannot be updated."
"$${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends \
  -o Dpkg::Use-Pty=0 "$${missing[@]}" </dev/null >/dev/null || by_hand "The packages cannot be installed."
endef
