#!/usr/bin/python3
"""Two libraries of podcli and one mygpoclient do whatever they like at a real server, and must end equal.

  random-sync.py PODCLI URL USER PASSWORD [OPERATIONS [SEED]]

mygpoclient is Debian's python3-mygpoclient. The server may be any that speaks gpodder's interface; its user should be new.
The feeds come from this program. Each difference at the end is printed; the status is 1 if there is one.
"""
import http.server, json, os, random, subprocess, sys, tempfile, threading, time
from mygpoclient import api

podcli, base, user, password = sys.argv[1:5]
podcli = os.path.abspath(podcli)
operations = int(sys.argv[5]) if len(sys.argv) > 5 else 200
choose = random.Random(int(sys.argv[6]) if len(sys.argv) > 6 else 1)
NAMES, EPISODES, LENGTH = ["alpha", "beta", "gamma", "delta"], 4, 600


class Feeds(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/").split(".")[0]
        items = "".join(
            f"<item><title>{name} {n}</title><guid isPermaLink='false'>{name}-{n}</guid>"
            f"<pubDate>Sun, {n:02} Nov 2020 10:00:00 GMT</pubDate><itunes:duration>{LENGTH}</itunes:duration>"
            f"<enclosure url='{media(name, n)}' length='1' type='audio/mpeg'/></item>"
            for n in range(1, EPISODES + 1))
        body = (
            "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'>"
            f"<channel><title>{name}</title>{items}</channel></rss>").encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass


feeds = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feeds)
threading.Thread(target=feeds.serve_forever, daemon=True).start()
origin = f"http://127.0.0.1:{feeds.server_port}"
def feed(name): return f"{origin}/{name}.xml"
def media(name, n): return f"{origin}/{name}/{n}.mp3"
def stamp(moment): return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))


class Library:
    def __init__(self, folder):
        self.home = folder
        self.run("sync", "login", base, "--user", user, "--password-stdin", input=password + "\n")

    def run(self, *words, input=None, accepts=(0,)):
        environment = {**os.environ, "PODCLI_HOME": self.home, "LC_ALL": "C.UTF-8"}
        done = subprocess.run([podcli, *words], env=environment, input=input, capture_output=True, text=True)
        if done.returncode not in accepts:
            sys.exit(f"podcli {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def rows(self, *words): return json.loads(self.run(*words, "--json").stdout or "[]")
    def episode(self, name, n):
        return next((e for e in self.rows("playlist", "--all") if e["guid"] == f"{name}-{n}"), None)

    def hear(self, name, n, position):
        document = {"portcast": "0.1.0", "subscriptions": [{"subscriptionId": name, "feedUrl": feed(name)}], "episodes": [
            {"subscriptionRef": {"feedUrl": feed(name)}, "guid": f"{name}-{n}", "status": "in_progress",
             "positionSeconds": position, "lastPlayedAt": stamp(time.time()) + "Z"}]}
        path = self.home + ".json"
        with open(path, "w") as file: json.dump(document, file)
        self.run("import", path)

    def mark(self, word, name, n):
        found = self.episode(name, n)
        if found: self.run("mark", word, str(found["id"]))

    def sync(self): return json.loads(self.run("sync", "--json").stdout)["server"]

    def subscriptions(self): return {p["feedURL"].split("/")[-1] for p in self.rows("podcasts")}

    def states(self):
        states = {}
        for e in self.rows("playlist", "--all"):
            status = e["status"]
            position = int(status.get("lastListenTime") or 0)
            states[e["guid"]] = "done" if status.get("hasCompleted") else str(position) if position else "-"
        return states


class Phone:
    """As AntennaPod reads and writes."""
    def __init__(self):
        self.client = api.MygPodderClient(user, password, base)
        self.client.update_device_settings("phone", "phone", "mobile")

    def play(self, name, n, position):
        self.send(name, n, "play", started=position if position == LENGTH else 0, position=position, total=LENGTH)

    def send(self, name, n, action, **numbers):
        self.client.upload_episode_actions(
            [api.EpisodeAction(feed(name), media(name, n), action, device="phone", timestamp=stamp(time.time()), **numbers)])

    def subscribe(self, name): self.client.update_subscriptions("phone", [feed(name)], [])
    def unsubscribe(self, name): self.client.update_subscriptions("phone", [], [feed(name)])
    def subscriptions(self): return {u.split("/")[-1] for u in self.client.pull_subscriptions("phone", since=0).add}

    def states(self):
        newest = {}
        for action in self.client.download_episode_actions(since=0).actions:
            if action.action == "play" and action.position: rank, word = action.position, str(action.position)
            elif action.action == "new": rank, word = -1, "-"
            else: continue
            if action.action == "play" and action.position == action.total: rank, word = LENGTH * 2, "done"
            name, n = action.episode.split("/")[-2:]
            guid = f"{name}-{n.split('.')[0]}"
            newest[guid] = max(newest.get(guid, ("",)), (action.timestamp[:19], rank, word))
        return {guid: state[-1] for guid, state in newest.items()}


def step(libraries, phone):
    name, n, library = choose.choice(NAMES), choose.randint(1, EPISODES), choose.choice(libraries)
    position = 25 * choose.randint(2, 20)
    kind = choose.randrange(20)
    if kind < 4 and feed(name).split("/")[-1] in library.subscriptions(): library.hear(name, n, position)
    elif kind < 6: library.mark("played", name, n)
    elif kind < 7: library.mark("unplayed", name, n)
    elif kind < 10: phone.play(name, n, position)
    elif kind < 11: phone.play(name, n, LENGTH)
    elif kind < 12: phone.send(name, n, "new")
    elif kind < 13: library.run("subscribe", feed(name))
    elif kind < 14: library.run("unsubscribe", feed(name), accepts=(0, 1, 3))
    elif kind < 15: choose.choice([phone.subscribe, phone.unsubscribe])(name)
    else: library.sync()


with tempfile.TemporaryDirectory() as folder:
    libraries, phone = [Library(f"{folder}/{number}") for number in (1, 2)], Phone()
    for library in libraries:
        for name in NAMES[:3]: library.run("subscribe", feed(name))
        library.sync()
    for _ in range(operations): step(libraries, phone)
    for _ in range(3):
        for library in libraries: library.sync()
    differences = []
    shown = [library.subscriptions() for library in libraries] + [phone.subscriptions()]
    if not shown[0] == shown[1] == shown[2]: differences.append(f"subscriptions: {shown}")
    one, two, there = libraries[0].states(), libraries[1].states(), phone.states()
    for guid in sorted(one.keys() | two.keys()):
        states = one.get(guid, "-"), two.get(guid, "-"), there.get(guid, "-")
        if len(set(states)) > 1: differences.append(f"{guid}: {states}")
    for library in libraries:
        again = library.sync()
        if any(again[key] for key in ("followed", "left", "received", "subscriptionsSent", "sent")):
            differences.append(f"a further sync does something: {again}")
    for difference in differences: print(difference)
    print(f"{operations} operations, {len(one)} episodes: {len(differences)} differences")
    sys.exit(1 if differences else 0)
