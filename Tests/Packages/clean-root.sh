#!/bin/bash
# Installs the Debian package in an empty Debian root and plays the demo there.
#
#   clean-root.sh PACKAGE DEMO      the package, and podcli-demo with the Swift library linked statically
#
# Needs root, debootstrap and a mirror (DEBIAN_MIRROR). CLEAN_ROOT names an existing root of debootstrap, which is copied.
set -euo pipefail

package=$(realpath "$1")
demo=$(realpath "$2")
show=$(realpath "$(dirname "$0")/../Demo/Show")
[ "$(id -u)" = 0 ] || { echo "clean-root: only root may change its root: sudo $0 $*" >&2; exit 1; }

root=$(mktemp -d)
trap 'mountpoint -q "$root/proc" && umount "$root/proc"; rm -rf --one-file-system "$root"' EXIT
if [ -n "${CLEAN_ROOT:-}" ]; then
  cp -a "$CLEAN_ROOT/." "$root"
else
  debootstrap --variant=minbase bookworm "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > "$root.log" ||
    { tail "$root.log" >&2; exit 1; }
  rm -f "$root.log"
fi
mount -t proc proc "$root/proc"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb "$@"; }

cp "$package" "$root/podcli.deb"
inside apt-get update -qq
inside env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends /podcli.deb > "$root/apt.log" 2>&1 ||
  { tail -20 "$root/apt.log" >&2; exit 1; }
! inside sh -c 'command -v swift || ls /opt/swift /usr/lib/swift' 2>/dev/null || { echo "clean-root: there is Swift in it" >&2; exit 1; }

echo "installed by apt, without Swift: $(inside podcli version)"
inside podcli doctor || true
for file in /usr/share/man/man1/podcli.1.gz /usr/share/bash-completion/completions/podcli \
  /usr/share/zsh/vendor-completions/_podcli /usr/share/fish/vendor_completions.d/podcli.fish \
  /usr/share/applications/podcli.desktop /usr/share/icons/hicolor/scalable/apps/podcli.svg; do
  [ -s "$root$file" ] || { echo "clean-root: $file is missing" >&2; exit 1; }
done
# The demo serves its files from the path of its source folder.
mkdir -p "$root$show"
cp "$show"/* "$root$show/"
cp "$demo" "$root/podcli-demo"
inside /podcli-demo /usr/bin/podcli
inside apt-get purge -qq --yes podcli > /dev/null
[ ! -e "$root/usr/bin/podcli" ] || { echo "clean-root: removing it leaves it there" >&2; exit 1; }
echo "removed by apt, nothing left"
