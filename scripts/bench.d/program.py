"""A program on a pseudo-terminal of its own, with a clock beside it.

What the program writes is kept as (time, bytes); it is looked at after the clock has stopped, so that the measuring
costs the program nothing. The terminal is a polite one: questions that programs ask at start are answered at once, so
that none waits for a time-out."""
import fcntl
import os
import re
import select
import shutil
import signal
import struct
import termios
import time

from screen import Screen

COLUMNS, ROWS = 120, 40
SMALL = (80, 24)  # one pane, no preview
SIZES = ((COLUMNS, ROWS), SMALL)


def on(size):
    """What the headings of tables on another terminal than the usual one end with."""
    return "" if size == (COLUMNS, ROWS) else f", {size[0]}x{size[1]}"


_ANSWERS = (
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?62;22c"),  # what are you: a VT220 with colours
    (re.compile(rb"\x1b\[>0?c"), b"\x1b[>0;276;0c"),
    (re.compile(rb"\x1b\[5n"), b"\x1b[0n"),  # are you well: yes
    (re.compile(rb"\x1b\[6n"), b"\x1b[1;1R"),  # where is the cursor
)


_HOME_FOLDERS = {
    "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state",
    "XDG_RUNTIME_DIR": "run",
}


class Stalled(Exception):
    """The program did not do what was waited for."""


class Program:
    """Use as `with Program(argv, home) as program:`; leaving the block ends the program and waits for it.

    `look` gets each piece of output as it comes. Times are seconds of time.perf_counter(); `started` is taken just before the program is started."""

    def __init__(self, argv, home, variables=None, size=(COLUMNS, ROWS), answers=_ANSWERS, look=None):
        self.argv, self.home, self._variables = argv, home, variables or {}
        self._columns, self._rows = size
        self._answers, self._look = answers, look
        for folder in _HOME_FOLDERS.values():
            os.makedirs(f"{home}/{folder}", mode=0o700, exist_ok=True)
        self.output = []
        self.usage = None  # what wait4 says of the whole run, after the block

    def __enter__(self):
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", self._rows, self._columns, 0, 0))
        name = os.ttyname(slave)
        path = shutil.which(self.argv[0]) or self.argv[0]
        # A new session's first terminal becomes its own: opening it by name does that.
        actions = [(os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0), (os.POSIX_SPAWN_DUP2, 0, 1), (os.POSIX_SPAWN_DUP2, 0, 2)]
        self.started = time.perf_counter()
        self.pid = os.posix_spawn(
            path, self.argv, self.environment(), file_actions=actions, setsid=True, setsigmask=[],
            setsigdef=[signal.SIGINT, signal.SIGPIPE, signal.SIGWINCH, signal.SIGTERM])
        os.close(slave)
        return self

    def environment(self):
        """Nothing of whoever runs the bench; a home of its own, so that no program reads or leaves anything."""
        home = self.home
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": home, "USER": "member", "SHELL": "/bin/sh",
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TMPDIR": home,
            **{variable: f"{home}/{folder}" for variable, folder in _HOME_FOLDERS.items()}, **self._variables,
        }

    def __exit__(self, *_):
        try:
            os.kill(self.pid, signal.SIGTERM)
            deadline = time.perf_counter() + 2
            while time.perf_counter() < deadline:
                pid, status, self.usage = os.wait4(self.pid, os.WNOHANG)
                if pid:
                    return
                self._read(0.005)
            os.kill(self.pid, signal.SIGKILL)
            _, _, self.usage = os.wait4(self.pid, 0)
        finally:
            os.close(self._master)

    def _read(self, timeout):
        """One piece of output, answered and kept; None when nothing comes in time, b"" when the program has gone."""
        ready, _, _ = select.select([self._master], [], [], max(0, timeout))
        if not ready:
            return None
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:
            return b""
        if data:
            self.output.append((time.perf_counter(), data))
            if self._look:
                self._look(data)
            for question, answer in self._answers:
                if question.search(data):
                    os.write(self._master, answer)
        return data

    def read_until_quiet(self, quiet, at_most=30.0, at_least_one=False):
        """Reads until nothing has come for `quiet` seconds. With at_least_one the first byte is waited for."""
        deadline = time.perf_counter() + at_most
        some = not at_least_one
        while time.perf_counter() < deadline:
            data = self._read(quiet if some else deadline - time.perf_counter())
            if data == b"":
                raise Stalled(f"{self.argv[0]} ended by itself. Its last words: {self.last_words()}")
            if data is None:
                if some:
                    return
                break
            some = True
        raise Stalled(f"{self.argv[0]} {'was not quiet' if some else 'wrote nothing'} within {at_most} s.")

    def read_until_painted(self, *texts, at_most=60.0):
        """Reads until all texts are on the screen and returns the time at which the last needed byte was read, and the
        CPU seconds that the program had used by then."""
        # The cheap look while the clock runs; the careful one, on the screen itself, follows.
        wanted = [text.encode() for text in texts]
        deadline = time.perf_counter() + at_most
        seen = b""
        while time.perf_counter() < deadline:
            data = self._read(min(0.5, deadline - time.perf_counter()))
            if data == b"":
                raise Stalled(f"{self.argv[0]} ended by itself. Its last words: {self.last_words()}")
            if data is not None:
                # ncurses writes "00000" as "0" and "repeat it four times".
                seen += _repeat.sub(lambda match: match.group(1) * (int(match.group(2)) + 1), data)
            if all(text in seen for text in wanted) or (data is None and self.screen().shows(*texts)):
                cpu = self.cpu()
                when = self.time_of(*texts)
                if when is not None:
                    return when, cpu
        raise Stalled(f"{self.argv[0]} did not show {' and '.join(texts)} within {at_most} s. Its screen:\n"
                      + "\n".join(self.screen().lines()))

    @property
    def terminal(self):
        """The descriptor to which keys are written."""
        return self._master

    def time_of(self, *texts):
        """When the screen first showed all texts; None when it never did."""
        screen = Screen(self._columns, self._rows)
        for when, data in self.output:
            screen.feed(data)
            if screen.shows(*texts):
                return when
        return None

    def screen(self, pieces=None):
        """The screen now, or after so many pieces of output."""
        screen = Screen(self._columns, self._rows)
        for _, data in self.output[:pieces]:
            screen.feed(data)
        return screen

    def last_words(self):
        return " / ".join(line for line in self.screen().lines() if line)[-300:] or "none"

    def cpu(self):
        """CPU seconds so far, all threads, to the nanosecond: the kernel's clock of that process."""
        return time.clock_gettime_ns((~self.pid << 3) | 2) / 1e9

    def watch(self, seconds):
        """Reads for so long, whether anything comes or not."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if self._read(left) == b"":
                raise Stalled(f"{self.argv[0]} ended by itself. Its last words: {self.last_words()}")

    def press(self, keys, quiet):
        """Sends keys and reads the answer until nothing has come for `quiet` seconds. Returns the seconds from the key
        to the first byte and to the last byte of the answer, and how many bytes it had."""
        place = len(self.output)
        sent = time.perf_counter()
        os.write(self._master, keys)
        self.read_until_quiet(quiet, at_least_one=True)
        answer = self.output[place:]
        return answer[0][0] - sent, answer[-1][0] - sent, sum(len(data) for _, data in answer)

    def answer(self, keys, text, at_most=120.0):
        """Sends keys, and returns the seconds until a text is on the screen that was not there before."""
        screen = self.screen()
        if screen.shows(text):
            raise Stalled(f"{self.argv[0]} shows {text} before the key.")
        place, sent = len(self.output), time.perf_counter()
        os.write(self._master, keys)
        while (left := sent + at_most - time.perf_counter()) > 0 and self._read(left) != b"":
            for when, data in self.output[place:]:
                screen.feed(data)
                if screen.shows(text):
                    return when - sent
            place = len(self.output)
        raise Stalled(f"{self.argv[0]} did not show {text} within {at_most} s. Its screen:\n" + "\n".join(screen.lines()))

    def settle(self, quiet=1.0, at_most=120.0):
        """Waits until the program neither writes nor computes for `quiet` seconds."""
        deadline = time.perf_counter() + at_most
        while time.perf_counter() < deadline:
            before, pieces = self.cpu(), len(self.output)
            self.watch(quiet)
            if self.cpu() - before < 0.002 and len(self.output) == pieces:
                return
        raise Stalled(f"{self.argv[0]} was still busy after {at_most} s.")

    def peak_memory(self):
        """The most bytes that were resident at once since exec (VmHWM)."""
        with open(f"/proc/{self.pid}/status", encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
        raise Stalled(f"{self.argv[0]} has no VmHWM.")

    def down_key(self):
        """The arrow down, as the program asked to have it sent."""
        return b"\x1bOB" if self.screen().cursor_keys_are_applications else b"\x1b[B"


_repeat = re.compile(rb"([ -~])\x1b\[(\d+)b")
