#!/bin/bash
# Other programs import the OPML that podcli exports, and podcli imports theirs.
#
#   subscriptions.sh FOLDER      the folder has podcli and podcli-feedserver in it
#
# gPodder (gpo) and newsboat run as installed. AntennaPod runs on phones, so its reader's rules are applied here: a
# namespace-aware parser, `opml`, then any `outline` that has `xmlUrl`, named by `title`, else by `text`.
set -euo pipefail

products=$(realpath "$1")
demo=$(realpath "$(dirname "$0")/../Demo/Show")
for program in gpo newsboat xmllint python3; do
  type -P "$program" >/dev/null || { echo "peers: $program is not installed: apt-get install gpodder newsboat libxml2-utils python3" >&2; exit 1; }
done

folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
export HOME=$folder PODCLI_HOME=$folder/podcli LC_ALL=C.UTF-8
cd "$folder"
podcli() { "$products/podcli" "$@"; }
fail() { echo "peers: $*" >&2; exit 1; }
same() { diff "$1" "$2" || fail "$3"; echo "  $3"; }

coproc feedserver { exec "$products/podcli-feedserver" "$demo/feed.xml" 0; }
server=$feedserver_PID
read -r port <&"${feedserver[0]}"
at() { echo "http://127.0.0.1:$port/$1"; }

# Names and addresses that need escaping, nested folders, and a private feed and a local file, which must not be exported.
cat > start.opml <<OPML
<opml version="2.0"><body>
  <outline text="News"><outline text="Science &amp; &quot;more&quot;">
    <outline text="a" xmlUrl="$(at 'a?x=1&amp;y=2')"/><outline text="b" xmlUrl="$(at 'b/%C3%A9')"/></outline></outline>
  <outline text="c" xmlUrl="$(at c)"/>
</body></opml>
OPML
podcli import start.opml -q
{
  podcli subscribe "$(at d)" --title 'Größe <&> "Straße" 🎧 שלום'
  podcli subscribe "$(at s3cret)" --private
  podcli subscribe "$demo/feed.xml"
} > /dev/null
podcli export > export.opml 2> export.said
! grep -q s3cret export.opml export.said || fail "a secret address was exported"
! grep -q file: export.opml || fail "a path of this machine was exported"
for name in 'a?x=1&y=2' b/%C3%A9 c d; do at "$name"; done | sort > expected

xmllint --noout export.opml
[ "$(xmllint --xpath 'concat(/opml/@version, count(/opml/head), count(/opml/head/title), count(/opml/body))' export.opml)" = 2.0111 ] ||
  fail "the export is no OPML 2.0"
[ "$(xmllint --xpath 'count(//outline[not(@text)]) + count(//outline[@xmlUrl][not(@type="rss")])' export.opml)" = 0 ] ||
  fail "an outline has no text, or a feed is not of the type rss"
echo "podcli export"
python3 - export.opml > antennapod <<'PYTHON'
import sys, xml.sax
class Reader(xml.sax.ContentHandler):
    seen = False
    def startElementNS(self, name, _, attributes):
        if name == (None, "opml"): self.seen = True
        elif self.seen and name == (None, "outline") and (None, "xmlUrl") in attributes:
            title = attributes.get((None, "title")) or attributes.get((None, "text"))
            assert title, "a feed without a name"
            print(attributes[(None, "xmlUrl")])
parser = xml.sax.make_parser()
parser.setFeature(xml.sax.handler.feature_namespaces, True)
parser.setContentHandler(Reader())
parser.parse(sys.argv[1])
PYTHON
sort antennapod -o antennapod
same expected antennapod "is read by AntennaPod's rules"

export GPODDER_HOME=$folder/gpodder
gpo import export.opml > gpo.said 2>&1 || { cat gpo.said; fail "gpo import"; }
gpo export gpo.opml >> gpo.said 2>&1 || { cat gpo.said; fail "gpo export"; }
addresses() { xmllint --xpath '//@xmlUrl' "$1" | sed -E 's/^ *xmlUrl="(.*)"$/\1/; s/&amp;/\&/g' | sort; }
addresses gpo.opml > gpo
same expected gpo "is read by $(dpkg-query --show --showformat='gpo ${Version}' gpodder 2>/dev/null || echo gpo)"

: > newsboat.config
newsboat() { command newsboat -u urls -c cache.db -C newsboat.config "$@"; }
newsboat -i export.opml > newsboat.said 2>&1 || { cat newsboat.said; fail "newsboat -i"; }
sed 's/ .*//' urls | sort > newsboat.urls
same expected newsboat.urls "is read by $(newsboat --version | head -1)"
grep -q News urls || fail "newsboat knows no folders"

echo "podcli import"
for peer in gpo newsboat; do
  [ $peer = gpo ] || newsboat -e > newsboat.opml
  PODCLI_HOME=$folder/$peer-back podcli import $peer.opml -q
  PODCLI_HOME=$folder/$peer-back podcli export > back.opml
  addresses back.opml > back
  same expected back "reads what $peer exports"
done
