##@ Release

# The C++ runtime, SQLite and zlib are linked statically where their archives are installed: the dynamic loader takes longer
# to resolve the thousands of symbols of the shared libraries than podcli takes for a whole command. Packed relocations and
# an empty table of exported symbols shorten the start for the same reason.
STATIC_LIBS := $(CURDIR)/.build/static-libs
RELEASE := -c release --static-swift-stdlib --pkg-config-path $(STATIC_LIBS) \
	-Xlinker -s -Xlinker --gc-sections -Xswiftc -use-ld=lld \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
	-Xlinker -L$(STATIC_LIBS) -Xswiftc -Xclang-linker -Xswiftc -static-libgcc

# A release names its commit in `podcli version`; outside a git repository it names none.
COMMIT = $$(git describe --always --dirty --abbrev=10 --exclude '*' 2>/dev/null || true)
RELEASE_BUILD = PODCLI_COMMIT=$(COMMIT) $(SWIFT) build $(RULES) $(RELEASE)

PACKAGING := Sources/Packaging
PREFIX ?= /usr/local
DESTDIR ?=
VERSION = $(shell sed -nE 's/.*version: "([^"]+)".*/\1/p' Sources/podcli/CommandList.swift)
ARCHITECTURE = $$(dpkg --print-architecture)

.PHONY: release
release: deps static-libs ## build the optimised, stripped podcli: .build/release/podcli
	@$(RELEASE_BUILD) --product podcli
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

SHARE := $(DESTDIR)$(PREFIX)/share
UNITS := $(DESTDIR)$(PREFIX)/lib/systemd/user
INSTALLED = $(DESTDIR)$(PREFIX)/bin/podcli $(SHARE)/man/man1/podcli.1 \
	$(SHARE)/bash-completion/completions/podcli $(SHARE)/zsh/site-functions/_podcli \
	$(SHARE)/fish/vendor_completions.d/podcli.fish \
	$(UNITS)/podcli-refresh.service $(UNITS)/podcli-refresh.timer $(SHARE)/doc/podcli/LICENSE \
	$(SHARE)/applications/podcli.desktop $(SHARE)/icons/hicolor/scalable/apps/podcli.svg

# Under sudo nothing is built, only installed: a build would leave files that belong to root behind.
.PHONY: install
install: $(if $(SUDO_UID),,release) ## install podcli, its manual, completions, timer and desktop entry (PREFIX=/usr/local, DESTDIR=)
	@podcli=.build/release/podcli
	test -x $$podcli || { echo "install: run 'make release' first, as yourself" >&2; exit 1; }
	put() { mkdir -p .build/install && "$${@:3}" > .build/install/file && install -D -m "$$1" .build/install/file "$$2"; }
	set -- $(foreach file,$(INSTALLED),'$(file)')
	put 755 "$$1" cat $$podcli
	put 644 "$$2" $$podcli help --man
	put 644 "$$3" $$podcli completions bash
	put 644 "$$4" $$podcli completions zsh
	put 644 "$$5" $$podcli completions fish
	put 644 "$$6" sed 's|@PREFIX@|$(PREFIX)|' $(PACKAGING)/podcli-refresh.service.in
	put 644 "$$7" cat $(PACKAGING)/podcli-refresh.timer
	put 644 "$$8" cat $(PACKAGING)/LICENSE
	put 644 "$$9" cat $(PACKAGING)/podcli.desktop
	put 644 "$${10}" cat $(PACKAGING)/podcli.svg
	printf 'installed %s\n' "$$@"
	echo "new episodes every hour: systemctl --user enable --now podcli-refresh.timer"

.PHONY: uninstall
uninstall: ## remove what install installed
	@rm -f $(foreach file,$(INSTALLED),'$(file)')
	rmdir '$(SHARE)/doc/podcli' 2>/dev/null || true

.PHONY: dist
dist: ## pack the committed sources: .build/podcli-VERSION.tar.gz
	@mkdir -p .build
	git archive --prefix=podcli-$(VERSION)/ HEAD | gzip -9n > .build/podcli-$(VERSION).tar.gz
	ls -l .build/podcli-$(VERSION).tar.gz | awk '{ printf "%s: %.1f MB\n", $$NF, $$5 / 1e6 }'

DEB := .build/deb
# dpkg-shlibdeps finds the linked libraries; control.in adds those that a command opens when it first needs them.
.PHONY: deb
deb: deb-deps $(if $(SUDO_UID),,release) ## make a Debian package: .build/podcli_VERSION_ARCHITECTURE.deb
	@root=$(DEB)/root
	rm -rf $(DEB) && mkdir -p $(DEB)/debian $$root/DEBIAN
	$(MAKE) --no-print-directory -o release install DESTDIR=$(CURDIR)/$$root PREFIX=/usr > /dev/null
	gzip -9n $$root/usr/share/man/man1/podcli.1
	# Debian's zsh reads its completions from this folder.
	mv $$root/usr/share/zsh/site-functions $$root/usr/share/zsh/vendor-completions
	mv $$root/usr/share/doc/podcli/LICENSE $$root/usr/share/doc/podcli/copyright
	install -m 644 README.md $$root/usr/share/doc/podcli/README.md
	printf 'Source: podcli\nPackage: podcli\nArchitecture: any\n' > $(DEB)/debian/control
	linked=$$(cd $(DEB) && dpkg-shlibdeps -O root/usr/bin/podcli 2>/dev/null | sed 's/^shlibs:Depends=//')
	maintainer="$${DEBFULLNAME:-$$(id -un)} <$${DEBEMAIL:-$$(id -un)@$$(hostname)}>"
	sed -e "s|@VERSION@|$(VERSION)|" -e "s|@ARCHITECTURE@|$(ARCHITECTURE)|" -e "s|@MAINTAINER@|$$maintainer|" \
	  -e "s|@SIZE@|$$(du -sk $$root/usr | cut -f1)|" -e "s/@LINKED@/$$linked/" $(PACKAGING)/control.in > $$root/DEBIAN/control
	(cd $$root && find usr -type f -exec md5sum {} +) > $$root/DEBIAN/md5sums
	dpkg-deb --root-owner-group --build $$root .build > /dev/null
	dpkg-deb --info .build/podcli_$(VERSION)_$(ARCHITECTURE).deb | sed -n 's/^ \(Package\|Version\|Depends\)/\1/p'

.PHONY: deb-check
deb-check: deb ## install the package in an empty Debian root and play the demo there (as root; needs debootstrap)
	@$(RELEASE_BUILD) --product podcli-demo
	Tests/Packages/clean-root.sh .build/podcli_$(VERSION)_$(ARCHITECTURE).deb .build/release/podcli-demo
