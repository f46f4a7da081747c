"""Two members look together through a proxy:  look_together.py ORIGIN CA TOKEN TOKEN

Each sight comes before the next is shown, a silent watch stays open, and whoever goes is gone soon. The server counts the
time, by an empty line each 20 seconds, which a busy machine may put between any two others."""
import http.client
import json
import ssl
import sys
import urllib.parse

from waiting import LONGEST

SIGHTS = 30
# The most empty lines before what has to come. The server keeps a place for 10 seconds; Apache sees that a client has gone by
# the second line that it cannot pass on.
MOST = 15


class Member:
    def __init__(self, origin, authority, token):
        self._place = urllib.parse.urlsplit(origin)
        self._context = ssl.create_default_context(cafile=authority)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._line, self._answer = self._ask("watch", {"form": 1})
        self._shows = None

    def _ask(self, call, argument, line=None):
        line = line or http.client.HTTPSConnection(
            self._place.hostname, self._place.port, timeout=LONGEST, context=self._context)
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

    def news(self, what):
        """The next line that is not empty, and the number of empty ones before it."""
        for empty in range(MOST):
            if line := self.read():
                return line, empty
        sys.exit(f"{what} did not come before {MOST} empty lines")

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
    waits = 0
    for number in range(SIGHTS):
        view = {"yaw": 100 * number, "pitch": -100, "width": 9000}
        ann.show({"path": "/photos/pier.jpg", "view": view})
        seen, empty = ben.news(f"sight {number}")
        if [member["sight"]["view"] for member in seen["present"]] != [view]:
            sys.exit(f"sight {number} did not come, but {seen}")
        # A proxy that holds each line back until the next one lets an empty line through for each sight.
        waits += empty
        if waits >= MOST:
            sys.exit(f"sights were held back: the first {number + 1} came with {waits} empty lines")
    if (seen := ben.read()) is not None:
        sys.exit(f"a line came although nothing happened: {seen}")
    ann.leave()
    seen, _ = ben.news("the end of whoever went")
    if seen.get("gone") != ["ann"]:
        sys.exit(f"whoever went is not gone: {seen}")


try:
    main(*sys.argv[1:])
except TimeoutError:
    sys.exit(f"nothing came for {LONGEST} s, not even an empty line")
except OSError as problem:
    sys.exit(f"{problem!r}")
