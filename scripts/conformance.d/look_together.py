"""Two members look together through a proxy:  look_together.py ORIGIN CA TOKEN TOKEN CUTS

A silent watch stays open, each sight comes before the next is shown, and whoever goes is gone soon. The server counts the
time, by an empty line each 20 seconds, which a busy machine may put between any two others. Of each member the proxy may cut
so many watches while they begin; they are begun again, as byteclub does."""
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


class Ended(Exception):
    pass


class Member:
    def __init__(self, origin, authority, token):
        self._place = urllib.parse.urlsplit(origin)
        self._context = ssl.create_default_context(cafile=authority)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._shows = None
        self.watch()

    def watch(self):
        self._line, self._answer = self._ask("watch", {"form": 1})

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
        try:
            line = self._answer.readline()
        except http.client.IncompleteRead:
            raise Ended from None
        if not line.endswith(b"\n"):
            raise Ended
        return json.loads(line) if line.strip() else None

    def settle(self, cuts):
        """Waits until nothing has happened for 20 seconds."""
        for cut in range(cuts + 1):
            try:
                if (seen := self.read()) != {"present": []}:
                    sys.exit(f"somebody else is there: {seen}")
                if (seen := self.read()) is not None:
                    sys.exit(f"a line came although nothing happened: {seen}")
                return
            except Ended:
                if cut == cuts:
                    raise
                self.watch()

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


def main(origin, authority, *tokens, cuts):
    ann, ben = (Member(origin, authority, token) for token in tokens)
    for member in (ann, ben):
        member.settle(cuts)
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
    ann.leave()
    seen, _ = ben.news("the end of whoever went")
    if seen.get("gone") != ["ann"]:
        sys.exit(f"whoever went is not gone: {seen}")


try:
    main(*sys.argv[1:5], cuts=int(sys.argv[5]))
except Ended:
    sys.exit("the watch ended")
except TimeoutError:
    sys.exit(f"nothing came for {LONGEST} s, not even an empty line")
except OSError as problem:
    sys.exit(f"{problem!r}")
