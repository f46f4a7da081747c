"""How checks wait for other programs. A busy machine makes everything slow, so no check fails for its pace: the limit ends
what hangs. scripts/checks.sh sets it."""
import os
import select
import time

# Seconds.
LONGEST = int(os.environ.get("LONGEST_WAIT", "900"))


class Hangs(Exception):
    pass


class Limit:
    """Begins now."""

    def __init__(self, what):
        self._what, self._end = what, time.monotonic() + LONGEST

    def left(self):
        left = self._end - time.monotonic()
        if left <= 0:
            raise Hangs(f"{self._what}: not after {LONGEST} s")
        return left

    def wait_to_read(self, descriptor):
        while not select.select([descriptor], [], [], self.left())[0]:
            pass


def wait_for(what, is_so):
    limit = Limit(what)
    while not is_so():
        limit.left()
        time.sleep(0.1)
