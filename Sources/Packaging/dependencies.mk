##@ This machine

# Debian's names. The -dev packages bring in the libraries that podcli runs with.
BUILD_PACKAGES := libmpv-dev libcurl4-openssl-dev libxml2-dev libsqlite3-dev zlib1g-dev libsystemd-dev \
	libpulse-dev pkgconf
FEDORA_BUILD_PACKAGES := mpv-libs-devel libcurl-devel libxml2-devel sqlite-devel zlib-devel systemd-devel \
	pulseaudio-libs-devel pkgconf-pkg-config
ARCH_BUILD_PACKAGES := mpv curl libxml2 sqlite zlib systemd-libs libpulse pkgconf
# The shells load the completions, groff sets the manual page, ffmpeg makes the media that the tests play, nghttpx
# speaks TLS and HTTP/2 in front of the tests' server, openssl makes its certificates, the examples pipe into jq, tmux is
# a terminal whose screen can be read, and pulseaudio is the sound server that dies and comes back. dbus is a desktop's bus,
# playerctl and systemd's busctl are its clients, dbusmock is the other side of sleep, curl is what hooks call, and strace kills a sync at each of its steps.
# libvterm is a second terminal for the screen's frames.
TEST_PACKAGES := zsh fish ffmpeg groff-base nghttp2-proxy openssl jq tmux pulseaudio pulseaudio-utils dbus playerctl \
	systemd python3-dbusmock curl strace libvterm0
FEDORA_TEST_PACKAGES := zsh fish ffmpeg-free groff nghttp2 openssl jq tmux pulseaudio pulseaudio-utils dbus-daemon \
	dbus-tools playerctl systemd python3-dbusmock curl strace libvterm
ARCH_TEST_PACKAGES := zsh fish ffmpeg groff nghttp2 openssl jq tmux pulseaudio dbus playerctl systemd python-dbusmock curl strace \
	libvterm

# SwiftPM does not rebuild the users of a C module whose header changed; such a podcli would call the wrong functions.
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
	$(call install_missing,$(BUILD_PACKAGES),pkg-config --exists mpv libcurl libxml-2.0 sqlite3 zlib libsystemd libpulse,$\
	  $(FEDORA_BUILD_PACKAGES),$(ARCH_BUILD_PACKAGES))

.PHONY: deb-deps
deb-deps:
	@$(call install_missing,dpkg-dev,type -P dpkg-shlibdeps dpkg-deb,dpkg-dev,dpkg)

.PHONY: test-deps
test-deps: ## install the Debian packages that only the tests need
	@$(call install_missing,$(TEST_PACKAGES),{ type -P zsh fish ffmpeg groff nghttpx openssl jq tmux pulseaudio pactl \
	  dbus-run-session dbus-monitor playerctl busctl curl strace && \
	  /usr/bin/python3 -c 'import dbusmock; import ctypes; ctypes.CDLL("libvterm.so.0")'; },$\
	  $(FEDORA_TEST_PACKAGES),$(ARCH_TEST_PACKAGES))

# Installs the Debian packages $(1) with apt-get, as root or by sudo; without either it prints the command to type. It is
# quick and silent where nothing is missing. On systems without apt-get, $(2) is a command that succeeds where the same is
# installed, and $(3) and $(4) are the packages' names on Fedora and Arch.
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
