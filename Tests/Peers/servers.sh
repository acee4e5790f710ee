#!/bin/bash
# Syncs podcli with servers and clients of others: each reads back what the other wrote.
#
#   servers.sh FOLDER      the folder has podcli and podcli-feedserver in it
#
# The server is gpodder-fastapi-router (pip), run by PYTHON, or by python3; it stands in for gpodder.net, whose strictness
# and spelling of addresses it has. The client is mygpoclient, the library of gPodder (python3-mygpoclient).
set -euo pipefail

products=$(realpath "$1")
demo=$(realpath "$(dirname "$0")/../Demo/Show")
python=${PYTHON:-python3}
if ! "$python" -c 'import gpodder_router, uvicorn, aiosqlite' 2>/dev/null; then
  echo "  gpodder-fastapi-router is not installed: pip install gpodder-fastapi-router uvicorn aiosqlite greenlet, and set PYTHON"
  exit 0
fi

folder=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT
export HOME=$folder LC_ALL=C.UTF-8
cd "$folder"
fail() { echo "peers: $*" >&2; exit 1; }

# A position in the last 15 s of an episode is moved before them on another machine: the episodes must be longer.
sed 's:<itunes\:duration>0\:27<:<itunes\:duration>10\:27<:' "$demo/feed.xml" > feed.xml
exec {feeds_out}< <(exec "$products/podcli-feedserver" feed.xml 0)
servers+=($!)
read -r port <&"$feeds_out"
feeds=http://127.0.0.1:$port

cat > server.py <<'PYTHON'
import socket, sys, uvicorn
from fastapi import FastAPI
from gpodder_router import GPodderConfig, attach
listener = socket.create_server(("127.0.0.1", 0))
base = "http://127.0.0.1:%d" % listener.getsockname()[1]
app = FastAPI()
attach(app, config=GPodderConfig(database_url="sqlite+aiosqlite:///server.db", base_url=base, bcrypt_rounds=4))

class Challenge:
    """mygpoclient sends its password only after a challenge, and names no type for its JSON."""
    def __init__(self, app): self.app = app
    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            others = [header for header in scope["headers"] if header[0] != b"content-type"]
            scope = dict(scope, headers=others + [(b"content-type", b"application/json")])
        async def answer(message):
            if message["type"] == "http.response.start" and message["status"] == 401:
                message["headers"] = list(message["headers"]) + [(b"www-authenticate", b'Basic realm="x"')]
            await send(message)
        await self.app(scope, receive, answer if scope["type"] == "http" else send)

print(base, flush=True)
uvicorn.Server(uvicorn.Config(Challenge(app), log_level="warning")).run(sockets=[listener])
PYTHON
exec {server_out}< <(exec "$python" server.py 2>> server.log)
servers+=($!)
read -r base <&"$server_out" || { cat server.log; fail "the server does not start"; }
for _ in {1..100}; do curl -s -o /dev/null "$base/" && break; done
curl -sf -o /dev/null "$base/api/2/auth/alice/register.json" --json '{"password":"secret"}' || { cat server.log; fail "no user could be made"; }

as() { export PODCLI_HOME=$folder/$1; shift; "$products/podcli" "$@"; }
states() {
  as "$1" playlist --all --json | jq -r '.[] | select(.status.lastListenTime or .status.hasCompleted)
    | "\(.podcast.feedURL) \(.guid) \((.status.lastListenTime // 0) | floor) \(.status.hasCompleted)"' | sort
}
in_step() {
  as "$1" sync > said 2>&1 || { cat said; fail "podcli sync"; }
}

echo "podcli sync"
as one subscribe "$feeds/a?show=a%2Bb" "$feeds/b" > /dev/null
as one subscribe "$feeds/hush-hush" --private > /dev/null
cat > heard.portcast.json <<JSON
{"portcast":"0.1.0","subscriptions":[{"subscriptionId":"b","feedUrl":"$feeds/b"}],"episodes":[
  {"subscriptionRef":{"feedUrl":"$feeds/b"},"guid":"small-hours-2","status":"in_progress","positionSeconds":20,"lastPlayedAt":"2026-01-01T00:00:00Z"}]}
JSON
as one import heard.portcast.json > said 2>&1 || { cat said; fail "import"; }
played=$(as one episodes "$feeds/a?show=a%2Bb" --json | jq '.[] | select(.guid == "small-hours-1").id')
as one mark played "$played" > said 2>&1
echo secret | as one sync login "$base" --user alice --password-stdin > said 2>&1 || { cat said server.log; fail "podcli sync login"; }
in_step one
as two sync login "$base" --user alice --password-stdin <<< secret > said 2>&1 || { cat said; fail "podcli sync login"; }
in_step two
in_step one
states one > one.states
states two > two.states
[ "$(wc -l < one.states)" = 2 ] || { cat one.states; fail "there are not two states"; }
diff one.states two.states || fail "two libraries differ"
! grep -aq hush server.db || fail "a private podcast is on the server"
echo "  two libraries are equal over $("$python" -m pip show gpodder-fastapi-router 2>/dev/null | sed -n 's/^Version: /gpodder-fastapi-router /p')"

client=$(for p in python3 /usr/bin/python3; do "$p" -c 'import mygpoclient' 2>/dev/null && echo "$p" && break; done || true)
[ -n "$client" ] || { echo "  mygpoclient is not installed: apt-get install python3-mygpoclient"; exit 0; }
cat > client.py <<'PYTHON'
import sys
from mygpoclient import api, simple
base, feeds = sys.argv[1:3]
client = api.MygPodderClient("alice", "secret", base)
device = [device.device_id for device in client.get_devices() if device.device_id.startswith("podcli-")][0]
print(sorted(url.split("/")[-1] for url in simple.SimpleClient("alice", "secret", base).get_subscriptions(device)))
answer = client.download_episode_actions(since=0)
for action in sorted(answer.actions, key=lambda a: a.episode):
    print(action.action, action.started, action.position, action.total)
episode = [action.episode for action in answer.actions if action.podcast.endswith("/b")][0]
client.upload_episode_actions([api.EpisodeAction(feeds + "/b", episode, "play", device="phone", timestamp=sys.argv[3], started=0, position=17, total=627)])
api.MygPodderClient("alice", "secret", base).update_subscriptions(device, [feeds + "/c"], [])
PYTHON
"$client" client.py "$base" "$feeds" "$(date -u -d "+2 seconds" +%Y-%m-%dT%H:%M:%S)" > client.said 2>&1 || { cat client.said server.log; fail "mygpoclient"; }
cat client.said | sed 's/^/  mygpoclient: /'
for library in one two; do in_step $library; done
states one > one.states
states two > two.states
grep -q 'small-hours-2 17 false' one.states || { cat one.states; fail "podcli does not read what mygpoclient wrote"; }
diff one.states two.states || fail "two libraries differ"
as one podcasts --json | jq -r '.[].feedURL' | grep -q '/c$' || fail "podcli does not follow what mygpoclient subscribed to"
in_step one
grep -q "nothing new" said || { cat said; fail "a sync with nothing new does something"; }
echo "  podcli and mygpoclient read each other"
