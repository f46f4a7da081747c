"""Two members look together through a proxy:  look_together.py ORIGIN CA TOKEN TOKEN

Sights come as they are shown, a silent watch stays open, and whoever goes is gone soon."""
import http.client
import json
import ssl
import sys
import time
import urllib.parse

SIGHTS = 30
# Seconds: the server writes an empty line after 20, and keeps a place for 10. Apache sees that a client has gone by the next
# line that it cannot pass on.
LINE, SIGHT, GONE = 25, 5, 45


class Member:
    def __init__(self, origin, authority, token):
        self._place = urllib.parse.urlsplit(origin)
        self._context = ssl.create_default_context(cafile=authority)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._line, self._answer = self._ask("watch", {"form": 1})
        self._shows = None

    def _ask(self, call, argument, line=None):
        line = line or http.client.HTTPSConnection(
            self._place.hostname, self._place.port, timeout=LINE, context=self._context)
        line.request("POST", f"/2/byteclub/{call}", json.dumps(argument), self._headers)
        answer = line.getresponse()
        if answer.status != 200:
            sys.exit(f"{call} was answered {answer.status}: {answer.read()[:200]}")
        return line, answer

    def read(self):
        """The next line of the watch; None for an empty one."""
        line = self._answer.readline()
        if not line.endswith(b"\n"):
            sys.exit("the watch ended")
        return json.loads(line) if line.strip() else None

    def show(self, sight):
        self._shows, answer = self._ask("show", {"sight": sight}, self._shows)
        answer.read()

    def leave(self):
        self._answer.close()
        self._line.close()


def main(origin, authority, *tokens):
    ann, ben = (Member(origin, authority, token) for token in tokens)
    for member in (ann, ben):
        if member.read() != {"present": []}:
            sys.exit("somebody else is there")
    for number in range(SIGHTS):
        view = {"yaw": 100 * number, "pitch": -100, "width": 9000}
        began = time.monotonic()
        ann.show({"path": "/photos/pier.jpg", "view": view})
        seen = ben.read()
        if not seen or seen["present"][0]["sight"]["view"] != view:
            sys.exit(f"sight {number} did not come, but {seen}")
        if time.monotonic() - began > SIGHT:
            sys.exit(f"sight {number} was held back")
    if ben.read() is not None:
        sys.exit("a line came although nothing happened")
    ann.leave()
    began = time.monotonic()
    while not (seen := ben.read()):
        if time.monotonic() - began > GONE:
            sys.exit("whoever went is still there")
    if seen["gone"] != ["ann"]:
        sys.exit(f"whoever went is not gone: {seen}")


try:
    main(*sys.argv[1:])
except OSError as problem:
    sys.exit(f"{problem!r}")
