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
# Where records lie, and what it takes to make one.
BENCHES := .build/bench
BENCH_PRODUCTS := podcli-feedserver podcli-baseline podcli-measure podcli-bench
# What `make bench-compare` sets side by side.
A ?=
B ?=
# How often `make faults` ends a playing podcli.
KILLS ?= 200

# What `make fuzz` feeds with broken input (empty for everything), and for how many seconds each; given to
# `make faults`, how long each of its storms may take instead of how often it strikes.
TARGETS ?=
SECONDS ?= 60

# Debian's names. The -dev packages bring the libraries that podcli runs with.
BUILD_PACKAGES := libmpv-dev libcurl4-openssl-dev libxml2-dev libsqlite3-dev zlib1g-dev pkgconf
FEDORA_BUILD_PACKAGES := mpv-libs-devel libcurl-devel libxml2-devel sqlite-devel zlib-devel pkgconf-pkg-config
ARCH_BUILD_PACKAGES := mpv curl libxml2 sqlite zlib pkgconf
# The shells load the completions, groff sets the manual page, ffmpeg makes the media that the tests play, nghttpx
# speaks TLS and HTTP/2 before the tests' own server, with certificates by openssl, the examples pipe into jq, tmux is a
# terminal whose screen can be read, and pulseaudio is the sound server that dies and comes back.
TEST_PACKAGES := zsh fish ffmpeg groff-base nghttp2-proxy openssl jq tmux pulseaudio
FEDORA_TEST_PACKAGES := zsh fish ffmpeg-free groff nghttp2 openssl jq tmux pulseaudio
ARCH_TEST_PACKAGES := zsh fish ffmpeg groff nghttp2 openssl jq tmux pulseaudio

# More at once only starve each other: Swift's pool has a thread a core, and tests wait for real programs, some of
# which play sound in real time.
WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2

# A target that imports what it does not list in Package.swift breaks every build.
RULES := --explicit-target-dependency-import-check error
# The C++ runtime, SQLite and zlib are linked in, too, where their archives are: the loader takes longer over the thousands of
# symbols of the shared ones than podcli over a whole command. Relocations are packed, and podcli offers no symbols,
# for the same reason.
STATIC_LIBS := $(CURDIR)/.build/static-libs
RELEASE := -c release --static-swift-stdlib --pkg-config-path $(STATIC_LIBS) \
	-Xlinker -s -Xlinker --gc-sections -Xswiftc -use-ld=lld \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
	-Xlinker -L$(STATIC_LIBS) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
STRICT := --scratch-path .build/strict

##@ Everyday

.PHONY: help
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " }
	/^##@ / { printf "\n%s\n", substr($$0, 5) }
	/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

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

PEERS := "$$($(SWIFT) build --show-bin-path)"

.PHONY: peers
peers: deps ## let gpo, newsboat and AntennaPod's rules read what is exported (they must be installed)
	@for product in podcli podcli-feedserver; do $(SWIFT) build $(RULES) --product $$product; done
	Tests/Peers/subscriptions.sh $(PEERS)

.PHONY: trace
trace: deps ## see by strace which files and addresses a refresh touches
	@for product in podcli podcli-feedserver; do $(SWIFT) build $(RULES) --product $$product; done
	Tests/Peers/trace.sh $(PEERS)

.PHONY: readme
readme: build ## write the commands' table into README.md
	@podcli="$$($(SWIFT) build --show-bin-path)/podcli"
	table=$$("$$podcli" help --table)
	$(call into_readme,readme)

# Puts $$table where README.md says that `make $(1)` makes it.
define into_readme
TABLE=$$table awk '/^<!-- end/ { skip = 0 } !skip { print } /^<!-- made by .make $(1)`/ { print ENVIRON["TABLE"]; skip = 1 }' \
  README.md > README.md.new
mv README.md.new README.md
endef

##@ Before a commit

.PHONY: check
check: lint test brief ## all that must hold: lint, tests, and a short run of each proof

# So that none of them rots: each does as little as shows that it works, with what `make test` has built. What the
# figures say is left to `make bench`; sanitizers and coverage are the tests once more, in builds of their own.
.PHONY: brief
brief: test-deps dist brief-bench brief-faults brief-fuzz brief-docs ## a short run of the benchmarks, faults, fuzzer, documentation and packing

# What was measured is kept, compared and drawn like that of a long run.
.PHONY: brief-bench
brief-bench: deps
	@for product in podcli $(BENCH_PRODUCTS); do $(SWIFT) build $(RULES) --product $$product; done
	bench="$$($(SWIFT) build --show-bin-path)/podcli-bench"
	rm -rf .build/bench/brief && mkdir -p .build/bench/brief
	"$$bench" --brief --into .build/bench/brief > .build/bench/brief/output 2>&1 || { cat .build/bench/brief/output; exit 1; }
	"$$bench" compare .build/bench/brief/latest.json .build/bench/brief/latest.json > .build/bench/brief/comparison
	"$$bench" table .build/bench/brief/latest.json > .build/bench/brief/table
	echo "bench: $$(grep -c '"runs"' .build/bench/brief/latest.json) figures, kept and compared"

.PHONY: brief-faults
brief-faults: deps
	@for product in podcli podcli-storm; do $(SWIFT) build $(RULES) --product $$product; done
	storm="$$($(SWIFT) build --show-bin-path)/podcli-storm"
	for storm_of in 'play 3' 'kill 10' 'refresh 3' 'migrate 3' 'download 2' 'power 10' 'servers behaves'; do
	  "$$storm" $$storm_of
	done

.PHONY: brief-fuzz
brief-fuzz: SECONDS := 2
brief-fuzz: fuzz

.PHONY: brief-docs
brief-docs: docs

.PHONY: lint
lint: deps format-lint import-lint strict ## format, import rules, and a build where warnings are errors

FUZZ := .build/fuzz
# In one option: of several `-sanitize=` the compiler heeds the last, and SwiftPM gives one for each `--sanitize`, in any
# order. Then either the counters are missing, without which libFuzzer only guesses, or the address sanitizer's checks.
FUZZED := -c release --scratch-path $(FUZZ) --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address

.PHONY: fuzz
fuzz: deps ## feed every reader broken input, for SECONDS=60 each (TARGETS="feed dates")
	@PODCLI_FUZZ=1 $(SWIFT) build $(RULES) $(FUZZED) --product podcli-fuzz
	Tests/Fuzz/fuzz.sh $(FUZZ) $(SECONDS) $(TARGETS)

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
release: deps static-libs ## build the optimised, stripped podcli: .build/release/podcli
	@$(SWIFT) build $(RULES) $(RELEASE) --product podcli
	ls -lL .build/release/podcli | awk '{ printf "%s: %.1f MB\n", $$NF, $$5 / 1e6 }'

.PHONY: static-libs
static-libs:
	@mkdir -p $(STATIC_LIBS)
	for archive in libstdc++.a libsqlite3.a libz.a; do
	  path=$$(clang -print-file-name=$$archive)
	  test ! -e "$$path" || ln -sf "$$path" $(STATIC_LIBS)/
	done
	printf '%s\n' 'Name: sqlite3' 'Description: SQLite' 'Version: 3' 'Libs: -L$(STATIC_LIBS) -lsqlite3 -lm' \
	  > $(STATIC_LIBS)/sqlite3.pc


.PHONY: bench
bench: release bench-build ## run the benchmarks and keep what they measured: .build/bench (BENCH="what and how")
	@mkdir -p $(BENCHES)
	.build/release/podcli-bench --into $(BENCHES) $(BENCH)

.PHONY: bench-build
bench-build: deps static-libs
	@for product in $(BENCH_PRODUCTS); do
	  $(SWIFT) build $(RULES) $(RELEASE) --product $$product
	done

.PHONY: bench-compare
bench-compare: bench-build ## set two runs of the benchmarks side by side (A=… B=…)
	@test -n "$(A)" -a -n "$(B)" || { echo "bench-compare: A=one.json B=another.json, of those in $(BENCHES)" >&2; exit 2; }
	.build/release/podcli-bench compare $(A) $(B)

.PHONY: bench-table
bench-table: bench-build ## write the latest figures of the benchmarks into README.md
	@table=$$(.build/release/podcli-bench table $(BENCHES)/latest.json)
	$(call into_readme,bench-table)

##@ Proof

.PHONY: faults
faults: release test-deps ## kill podcli while it plays, fetches and writes, and cut the power (KILLS=200, or SECONDS=60 each)
	@$(SWIFT) build $(RULES) $(RELEASE) --product podcli-storm
	for storm in 'play $(KILLS)' kill refresh migrate download power servers; do
	  .build/release/podcli-storm $(if $(filter command,$(firstword $(origin SECONDS))),$${storm%% *} $(SECONDS)s,$$storm)
	done

# Each has a build of its own, since everything is compiled differently.
SANITIZERS := address thread
.PHONY: sanitize
sanitize: deps test-deps $(addprefix sanitize-,$(SANITIZERS)) ## run every test under the address and thread sanitizers

# What is left out of the reports, and why, stands in Tests/Sanitizers.
.PHONY: $(addprefix sanitize-,$(SANITIZERS))
$(addprefix sanitize-,$(SANITIZERS)): sanitize-%:
	@scratch=.build/$*-sanitizer
	$(SWIFT) build $(RULES) --scratch-path $$scratch --sanitize $* --build-tests
	export ASAN_OPTIONS=detect_leaks=0:suppressions=$(CURDIR)/Tests/Sanitizers/address
	export TSAN_OPTIONS=exitcode=66:suppressions=$(CURDIR)/Tests/Sanitizers/thread:external_symbolizer_path=$$(command -v llvm-symbolizer)
	$(WIDTH) PODCLI_TEST_PATIENCE=10 "$$($(SWIFT) build --scratch-path $$scratch --show-bin-path)/podcliPackageTests.xctest" \
	  --testing-library swift-testing 2>&1 | $(if $(V),cat,$(FAILURES_AND_END))

COVERAGE := .build/coverage
.PHONY: cover
cover: deps test-deps ## tell what share of each target the tests run, and which functions they do not
	@$(SWIFT) build $(RULES) --scratch-path $(COVERAGE) --build-tests -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
	products=$$($(SWIFT) build --scratch-path $(COVERAGE) --show-bin-path)
	rm -rf $(COVERAGE)/profiles && mkdir -p $(COVERAGE)/profiles
	LLVM_PROFILE_FILE=$(CURDIR)/$(COVERAGE)/profiles/%8m.profraw $(WIDTH) PODCLI_TEST_PATIENCE=4 \
	  "$$products/podcliPackageTests.xctest" --testing-library swift-testing 2>&1 | $(FAILURES_AND_END)
	Tests/Coverage/report "$$products" $(COVERAGE)

.PHONY: docs
docs: deps ## build the documentation of the engines and journeys: .build/docs/*.doccarchive
	@symbols=$(CURDIR)/.build/docs/build/symbols
	mkdir -p $$symbols
	$(SWIFT) build $(RULES) --scratch-path .build/docs/build --target Podcatcher \
	  $(addprefix -Xswiftc ,-emit-symbol-graph -emit-symbol-graph-dir) -Xswiftc $$symbols \
	  $(addprefix -Xswiftc ,-symbol-graph-minimum-access-level package)
	for room in FeedKit PodcastStore Playback Transfer Podcatcher; do
	  mkdir -p .build/docs/$$room
	  cp $$symbols/$$room.symbols.json .build/docs/$$room/
	  docc convert Sources/$$room/$$room.docc --additional-symbol-graph-dir .build/docs/$$room \
	    --fallback-display-name $$room --fallback-bundle-identifier podcli.$$room --warnings-as-errors \
	    --output-path .build/docs/$$room.doccarchive
	  echo "docs: .build/docs/$$room.doccarchive"
	done

##@ Packages

VERSION = $(shell sed -nE 's/.*version: "([^"]*)".*/\1/p' Sources/podcli/CommandList.swift)

.PHONY: dist
dist: ## pack the committed sources: .build/podcli-VERSION.tar.gz
	@mkdir -p .build
	git archive --prefix=podcli-$(VERSION)/ HEAD | gzip -9n > .build/podcli-$(VERSION).tar.gz
	ls -l .build/podcli-$(VERSION).tar.gz | awk '{ printf "%s: %.1f MB\n", $$NF, $$5 / 1e6 }'

DEB := .build/deb
.PHONY: deb
deb: deb-deps $(if $(SUDO_UID),,release) ## make a Debian package: .build/podcli_VERSION_ARCHITECTURE.deb
	@rm -rf $(DEB) && mkdir -p $(DEB)/debian $(DEB)/root/DEBIAN $(DEB)/root/usr/share/doc/podcli
	$(MAKE) --no-print-directory -o release install DESTDIR=$(CURDIR)/$(DEB)/root PREFIX=/usr > /dev/null
	gzip -9n $(DEB)/root/usr/share/man/man1/podcli.1
	# Debian's place for what zsh finds by itself.
	mv $(DEB)/root/usr/share/zsh/site-functions $(DEB)/root/usr/share/zsh/vendor-completions
	install -m 644 README.md $(DEB)/root/usr/share/doc/podcli/README.md
	printf 'Source: podcli\nPackage: podcli\nArchitecture: any\n' > $(DEB)/debian/control
	linked=$$(cd $(DEB) && dpkg-shlibdeps -O root/usr/bin/podcli 2>/dev/null | sed 's/^shlibs:Depends=//')
	{
	  printf 'Package: podcli\nVersion: %s\nArchitecture: %s\n' "$(VERSION)" "$$(dpkg --print-architecture)"
	  printf 'Maintainer: %s\nSection: sound\nPriority: optional\n' \
	    "$${DEBFULLNAME:-$$(id -un)} <$${DEBEMAIL:-$$(id -un)@$$(hostname)}>"
	  printf 'Installed-Size: %s\n' "$$(du -sk $(DEB)/root/usr | cut -f1)"
	  # The last three are opened when a command first needs them, so no tool finds them.
	  printf 'Depends: %s, libmpv2, libcurl4, libxml2\nRecommends: ca-certificates\nSuggests: libnotify-bin\n' "$$linked"
	  printf 'Description: podcast player for the command line\n'
	  printf ' Follows podcasts, plays and downloads episodes, and keeps your place: saved every\n'
	  printf ' second, and once more when you stop. Every list speaks JSON, every verb can be scripted.\n'
	} > $(DEB)/root/DEBIAN/control
	(cd $(DEB)/root && find usr -type f -exec md5sum {} +) > $(DEB)/root/DEBIAN/md5sums
	dpkg-deb --root-owner-group --build $(DEB)/root .build > /dev/null
	dpkg-deb --info .build/podcli_$(VERSION)_$$(dpkg --print-architecture).deb | sed -n 's/^ \(Package\|Version\|Depends\)/\1/p'

.PHONY: deb-check
deb-check: deb ## install the package in an empty Debian root and play the demo there (as root; wants debootstrap)
	@$(SWIFT) build $(RULES) $(RELEASE) --product podcli-demo
	Tests/Packages/clean-root.sh .build/podcli_$(VERSION)_$$(dpkg --print-architecture).deb .build/release/podcli-demo

SHARE := $(DESTDIR)$(PREFIX)/share
INSTALLED = $(DESTDIR)$(PREFIX)/bin/podcli $(SHARE)/man/man1/podcli.1 \
	$(SHARE)/bash-completion/completions/podcli $(SHARE)/zsh/site-functions/_podcli \
	$(SHARE)/fish/vendor_completions.d/podcli.fish \
	$(UNITS)/podcli-refresh.service $(UNITS)/podcli-refresh.timer

# New episodes are there in the morning, for whoever switches the timer on. A network that is away is no fault.
UNITS := $(DESTDIR)$(PREFIX)/lib/systemd/user
define SERVICE
[Unit]
Description=Look for new episodes of podcasts
Documentation=man:podcli(1)

[Service]
Type=oneshot
ExecStart=$(PREFIX)/bin/podcli refresh --scheduled --quiet
SuccessExitStatus=5 6
Nice=10
IOSchedulingClass=idle
endef
define TIMER
[Unit]
Description=Look for new episodes of podcasts every hour
Documentation=man:podcli(1)

[Timer]
OnCalendar=hourly
RandomizedDelaySec=15min
Persistent=true

[Install]
WantedBy=timers.target
endef
export SERVICE TIMER

# Under sudo only what is already built is installed: building would leave root's files behind.
.PHONY: install
install: $(if $(SUDO_UID),,release) ## install podcli, its manual page, completions and timer (PREFIX=/usr/local, DESTDIR=)
	@podcli=.build/release/podcli
	test -x $$podcli || { echo "install: run 'make release' first, as yourself" >&2; exit 1; }
	put() { mkdir -p .build/install && "$${@:3}" > .build/install/file && install -D -m "$$1" .build/install/file "$$2"; }
	set -- $(foreach file,$(INSTALLED),'$(file)')
	put 755 "$$1" cat $$podcli
	put 644 "$$2" $$podcli help --man
	put 644 "$$3" $$podcli completions bash
	put 644 "$$4" $$podcli completions zsh
	put 644 "$$5" $$podcli completions fish
	put 644 "$$6" printenv SERVICE
	put 644 "$$7" printenv TIMER
	printf 'installed %s\n' "$$@"
	echo "new episodes every hour: systemctl --user enable --now podcli-refresh.timer"

.PHONY: uninstall
uninstall: ## remove what install installed
	@rm -f $(foreach file,$(INSTALLED),'$(file)')

.PHONY: clean
clean: ## remove everything that was built
	@rm -rf .build

##@ This machine

# SwiftPM does not build again what uses a C module whose header changed, and such a podcli calls the wrong functions.
.PHONY: shims
shims:
	@now=$$(cat Sources/C*/shim.h Sources/C*/module.modulemap | cksum)
	known=$$(cat .build/shims 2>/dev/null || true)
	if test "$$now" != "$$known"; then
	  rm -rf .build/*-linux-gnu && mkdir -p .build && printf '%s\n' "$$now" > .build/shims
	fi

.PHONY: deps
deps: shims ## install the Debian packages that building and running need
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.2 or newer is needed: https://www.swift.org/install/linux/" >&2; exit 1; }
	$(call install_missing,$(BUILD_PACKAGES),pkg-config --exists mpv libcurl libxml-2.0 sqlite3 zlib,$\
	  $(FEDORA_BUILD_PACKAGES),$(ARCH_BUILD_PACKAGES))

.PHONY: deb-deps
deb-deps:
	@$(call install_missing,dpkg-dev,type -P dpkg-shlibdeps dpkg-deb,dpkg-dev,dpkg)

.PHONY: test-deps
test-deps: ## install the Debian packages that only the tests need
	@$(call install_missing,$(TEST_PACKAGES),type -P zsh fish ffmpeg groff nghttpx openssl jq tmux pulseaudio,$\
	  $(FEDORA_TEST_PACKAGES),$(ARCH_TEST_PACKAGES))

# $(1): packages. $(2): a command that succeeds where a system without apt-get has the same by other names, which are
# $(3) to Fedora and $(4) to Arch.
# Nothing to do is quick and silent. Otherwise apt-get, as root or by sudo; who has neither reads what to type.
define install_missing
if ! type -P dpkg-query apt-get >/dev/null; then
  $(2) >/dev/null 2>&1 && exit 0
  echo "Missing are some of these, in Debian's words: $(1)" >&2
  echo "  Fedora  dnf install $(3)" >&2
  echo "  Arch    pacman -S $(4)" >&2
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
