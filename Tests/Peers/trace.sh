#!/bin/bash
# Traces the system calls of a refresh: the files it opens, the addresses it connects to, and the argument lists.
#
#   trace.sh FOLDER      the folder has podcli and podcli-feedserver in it
set -euo pipefail

products=$(realpath "$1")
demo=$(realpath "$(dirname "$0")/../Demo/Show")
type -P strace >/dev/null || { echo "trace: strace is not installed: apt-get install strace" >&2; exit 1; }

folder=$(mktemp -d)
servers=()
trap '[ ${#servers[@]} = 0 ] || kill "${servers[@]}"; rm -rf "$folder"' EXIT
fail() { echo "trace: $*" >&2; exit 1; }

# Root may open every file, so as root the refresh runs as the user `nobody`.
as_user=()
traced_as=()
if [ "$(id -u)" = 0 ]; then
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  traced_as=(-u nobody)
  chmod 755 "$folder"
  cp "$products/podcli" "$folder/"
  products_of_user=$folder
else
  products_of_user=$products
fi
mkdir -m 700 "$folder/home"
[ "$(id -u)" != 0 ] || chown 65534:65534 "$folder/home"
user=$([ "$(id -u)" = 0 ] && echo 65534 || id -u)
export HOME=$folder/home PODCLI_HOME=$folder/home/podcli LC_ALL=C.UTF-8
podcli() { "${as_user[@]}" "$products_of_user/podcli" "$@"; }

exec {port_1}< <(exec "$products/podcli-feedserver" "$demo/feed.xml" 0)
servers+=($!)
read -r port <&"$port_1"
feeds=http://127.0.0.1:$port
{
  podcli subscribe "$feeds/tagged/a" "$feeds/plain/b"
  podcli subscribe "$feeds/hush-hush" --private
  podcli subscribe "$feeds/c" --user me --password-stdin <<< hunter2
} > /dev/null

# --force fetches every feed again.
strace -f -y -s 4096 -e trace=%file,%network,execve "${traced_as[@]}" -o "$folder/trace" \
  "$products_of_user/podcli" refresh --force > "$folder/said" 2>&1 || { cat "$folder/said"; fail "refresh failed"; }

opened() { sed -nE 's/^[0-9]+ +(open|openat|creat)\(.*= [0-9]+<([^>]*)>.*/\2/p' "$folder/trace" | sort -u; }
count=0
while read -r file; do
  count=$((count + 1))
  case $file in /proc/*|/dev/*|/sys/*|pipe:*|socket:*|anon_inode:*|*' (deleted)') continue;; esac
  case $file in
    "$folder"/*) ;;
    /home/*|/root/*) fail "a file in somebody's home was opened: $file";;
  esac
  [ -e "$file" ] || continue
  owner=$(stat -c %u "$file")
  [ "$owner" = 0 ] || [ "$owner" = "$user" ] || fail "a file of another user's was opened: $file"
done < <(opened)
[ $count -gt 3 ] || fail "the trace names no files"
echo "  $count files opened: the system's and the library's own, no other user's"

called=$(sed -nE 's/^.* (connect|sendto|sendmsg)\(.*(sin6?_port|sun_path|nl_family).*/&/p' "$folder/trace")
strangers=$(grep -v "sin_port=htons($port), sin_addr=inet_addr(\"127.0.0.1\")" <<< "$called" | grep -v AF_NETLINK || true)
[ -n "$called" ] || fail "the trace names no addresses"
[ -z "$strangers" ] || fail "an address was called that is no feed's: $strangers"
echo "  $(grep -c connect <<< "$called") connections, all to 127.0.0.1:$port, where the feeds are"

programs=$(grep -c 'execve(' "$folder/trace")
! grep 'execve(' "$folder/trace" | grep -qE 'hush-hush|hunter2' || fail "a secret stands in an argument list"
! grep -qE 'hush-hush|hunter2' "$folder/said" || fail "a secret was said"
grep -q "hush-hush" "$folder/trace" || fail "the private feed was not asked for: nothing was shown"
[ "$(sed -nE 's/^[0-9]+ +execve\("([^"]*)".*= 0$/\1/p' "$folder/trace" | grep -vcE '/podcli$')" = 0 ] ||
  fail "another program was started"
echo "  no other program started ($programs argument lists, no secret in them)"
for file in library.db secrets; do
  [ "$(stat -c %a "$PODCLI_HOME/$file")" = 600 ] || fail "$file can be read by others"
done
echo "  library.db and secrets are for their owner only"
