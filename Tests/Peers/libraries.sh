#!/bin/bash
# Other programs fill their libraries, and podcli moves in from them.
#
#   libraries.sh FOLDER      the folder has podcli and podcli-feedserver in it
#
# gPodder, newsboat and castero write with their own code. castero (from PyPI) is passed over where it is not installed.
set -euo pipefail

products=$(realpath "$1")
demo=$(realpath "$(dirname "$0")/../Demo/Show")
for program in gpo newsboat python3 jq; do
  type -P "$program" >/dev/null || { echo "peers: $program is not installed: apt-get install gpodder newsboat python3 jq" >&2; exit 1; }
done

folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
export HOME=$folder LC_ALL=C.UTF-8 XDG_DATA_HOME=$folder/data XDG_CONFIG_HOME=$folder/config
mkdir "$XDG_DATA_HOME" "$XDG_CONFIG_HOME"
cd "$folder"
fail() { echo "peers: $*" >&2; exit 1; }

coproc feedserver { exec "$products/podcli-feedserver" "$demo/feed.xml" 0; }
server=$feedserver_PID
read -r port <&"${feedserver[0]}"
feed=http://127.0.0.1:$port/feed.xml

# Imports twice, and compares episodes with something to tell: number, position, played, favourite; then the queue.
moves_in() {
  local peer=$1 path=$2
  export PODCLI_HOME=$folder/podcli-$peer
  "$products/podcli" import "$path" > said 2>&1 || { cat said; fail "import from $peer"; }
  [ "$("$products/podcli" import "$path" --json | jq -c '[.added, .episodes.changed]')" = '[0,0]' ] || fail "$peer: twice is not once"
  {
    "$products/podcli" playlist --json | jq -r '.[] | select(.status.lastListenTime or .status.hasCompleted or .favourite)
      | "\(.guid) \(.status.lastListenTime // 0) \(.status.hasCompleted) \(.favourite)"' | sort
    "$products/podcli" queue --json | jq -r '.[].guid'
  } > "$peer.came"
  cat > "$peer.expected"
  diff "$peer.expected" "$peer.came" || { cat said; fail "$peer"; }
  echo "  $(head -c 300 said | tail -n 1)"
}

echo "podcli import, of what these programs wrote"
export GPODDER_HOME=$folder/gpodder
gpo subscribe "$feed" > gpo.said 2>&1 || { cat gpo.said; fail "gpo subscribe"; }
python3 - >> gpo.said 2>&1 <<'PYTHON' || { cat gpo.said; fail "gPodder"; }
import sys
sys.path.append("/usr/lib/python3/dist-packages")
import time, gpodder
gpodder.prefix = "/usr"
from gpodder import core
model = core.Core().model
for podcast in model.get_podcasts():
    for episode in podcast.get_all_episodes():
        if episode.guid == "small-hours-1":
            episode.current_position, episode.total_time, episode.is_new = 17, 17, False
            episode.current_position_updated = int(time.time()) - 60
        if episode.guid == "small-hours-2":
            episode.current_position, episode.total_time, episode.is_new = 11, 27, False
            episode.current_position_updated = int(time.time()) - 60
        if episode.guid == "small-hours-3":
            episode.archive = True
        episode.save()
model.db.close()
PYTHON
moves_in gpodder "$GPODDER_HOME" <<'EXPECTED'
small-hours-1 0 true false
small-hours-2 11 false false
small-hours-3 0 false true
EXPECTED

mkdir -p newsboat
echo "$feed" > newsboat/urls
: > newsboat.config
newsboat -u newsboat/urls -c newsboat/cache.db -C newsboat.config -x reload > newsboat.said 2>&1 || { cat newsboat.said; fail "newsboat -x reload"; }
# podboat copies the addresses as newsboat has them.
address() { python3 -c 'import sqlite3, sys; print(sqlite3.connect("newsboat/cache.db").execute("SELECT enclosure_url FROM rss_item WHERE guid = ?", sys.argv[1:]).fetchone()[0])' "$1"; }
cat > newsboat/queue <<QUEUE
$(address small-hours-2) "$folder/tones.opus" downloaded
$(address small-hours-1) "$folder/silence.m4a" finished
QUEUE
moves_in newsboat newsboat <<'EXPECTED'
small-hours-1 0 true false
small-hours-2
EXPECTED

if ! python3 -c 'import castero' 2>/dev/null; then
  echo "  castero is not installed: pip install castero"
  exit 0
fi
FEED=$feed python3 - > castero.said 2>&1 <<'PYTHON' || { cat castero.said; fail "castero"; }
import os
from castero.database import Database
from castero.feed import Feed
database = Database()
feed = Feed(url=os.environ["FEED"])
database.replace_feed(feed)
database.replace_episodes(feed, feed.parse_episodes())
first, second, third = database.episodes(feed)
third.played = True
database.replace_episode(feed, third)
database.replace_progress(second, 11000)
database._conn.execute("insert into queue (id, ep_id) values (1, ?)", (first.ep_id,))
database._conn.commit()
database.close()
PYTHON
moves_in castero "$XDG_DATA_HOME/castero" <<'EXPECTED'
small-hours-1 0 true false
small-hours-2 11 false false
small-hours-3
EXPECTED
