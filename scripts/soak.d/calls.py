"""Has single system calls of byteclub's commands fail, or kills it at them, and looks at the club. Started by scripts/soak."""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import picture

ERRORS = {
    "openat": ("EMFILE", "ENFILE", "EACCES", "EIO", "EINTR", "ENOSPC"),
    "openat2": ("EMFILE", "EACCES", "EIO", "EINTR", "ENOSYS", "EPERM"),
    "pwrite64": ("ENOSPC", "EDQUOT", "EIO", "EINTR"), "write": ("EIO", "EINTR"), "pread64": ("EIO", "EINTR"),
    "fsync": ("EIO", "ENOSPC", "EDQUOT"), "renameat2": ("EXDEV", "EIO", "EINVAL", "ENOSYS", "EPERM", "ENOSPC"),
    "unlinkat": ("EIO", "EPERM"), "mkdirat": ("ENOSPC", "EACCES"), "getdents64": ("EIO",), "newfstatat": ("EIO", "EACCES"),
    "ftruncate": ("EIO",), "linkat": ("EPERM", "EMLINK"), "fchmod": ("EPERM",), "flock": ("ENOLCK",),
    "clone3": ("EAGAIN",), "sync_file_range": ("EIO",),
}
LATEST = 40  # the n-th call of its kind of each thread, at most
# Once a second libdispatch looks at its threads there, and ends the program when it cannot.
DISPATCH = re.compile(r'"/proc/[0-9]+/stat".*\(INJECTED\)')
OLD, NEW = b"old words\n" * 50, b"new words\n" * 60
PATIENCE = 60  # seconds; nothing takes so long
TRACER_FAILED = 125


class Case:
    """A command, and the states that it may leave behind."""

    def __init__(self, words, allowed, text=b""):
        self.words, self.allowed, self.text = words, allowed, text


class Calls:
    def __init__(self, chosen, where):
        self.random = random.Random(chosen.seed)
        self.binary, self.where = chosen.binary, where
        self.photo, there = os.path.join(where, "pano.jpg"), os.path.join(where, "there.jpg")
        photos = []
        for path in (self.photo, there):
            picture.write(path, 300_000, self.random.randbytes)
            with open(path, "rb") as file:
                photos.append(file.read())
        photo = photos[0]
        self.fresh = {"tide.md": OLD, "photos/there.jpg": photos[1]}
        self.counts = {"failures": 0, "kills": 0, "reached": 0, "libdispatch": 0}
        self.violations = []

        def but(**changes):
            state = dict(self.fresh)
            for name, content in changes.items():
                if content is None:
                    state.pop(name)
                else:
                    state[name] = content
            return state

        old = self.fresh
        self.cases = [
            Case(("note", "put", "tide"), (old, but(**{"tide.md": NEW})), NEW),
            Case(("note", "put", "new"), (old, but(**{"new.md": NEW})), NEW),
            Case(("note", "append", "tide"), (old, but(**{"tide.md": OLD + NEW})), NEW),
            Case(("note", "mv", "tide", "ebb"), (old, but(**{"tide.md": None, "ebb.md": OLD})),),
            Case(("note", "rm", "tide"), (old, but(**{"tide.md": None})),),
            Case(("photo", "put", self.photo), (old, but(**{"photos/pano.jpg": photo})),),
            Case(("photo", "get", "there.jpg", "--to", "OUT"), (old,)),
        ]

    def violation(self, text):
        self.violations.append(text)
        print(f"DID NOT HOLD  {text}", file=sys.stderr, flush=True)

    def run(self, rounds):
        for number in range(rounds):
            case = self.random.choice(self.cases)
            call = self.random.choice(sorted(ERRORS))
            nth = self.random.randint(1, self.random.choice((4, 12, LATEST)))
            if self.random.random() < 0.3:
                fault, kind = "signal=SIGKILL", "kills"
            else:
                fault, kind = "error=" + self.random.choice(ERRORS[call]), "failures"
            self.once(case, call, f"{fault}:when={nth}", kind)
            if (number + 1) % 50 == 0:
                print(f"{number + 1} runs", file=sys.stderr, flush=True)
            if len(self.violations) > 20:
                return

    def each(self, words):
        """Every error of every call that the commands beginning with the words make, at each time that they make it."""
        for case in self.cases:
            if " ".join(case.words).startswith(words):
                for call in sorted(ERRORS):
                    for error in ERRORS[call]:
                        for nth in range(1, LATEST + 1):
                            reached = self.counts["reached"]
                            self.once(case, call, f"error={error}:when={nth}", "failures")
                            if reached == self.counts["reached"]:
                                break
                    print(f"{' '.join(case.words[:2])}: {call}, {self.counts['failures']} runs", file=sys.stderr, flush=True)

    def once(self, case, call, fault, kind):
        place = os.path.join(self.where, "run")
        club, home, out = (os.path.join(place, name) for name in ("club", "home", "out"))
        for folder in (os.path.join(club, "photos"), home, out):
            os.makedirs(folder)
        for name, content in self.fresh.items():
            with open(os.path.join(club, name), "wb") as file:
                file.write(content)
        words = [out if word == "OUT" else word for word in case.words]
        trace = os.path.join(place, "trace")
        order = ["strace", "-f", "-qq", "-o", trace, "-e", f"trace={call}", "-e", f"inject={call}:{fault}"]
        what = f"{' '.join(case.words[:2])} with {call} {fault}"
        status, said = self.command(order, words, case.text, club, home, what)
        self.counts[kind] += 1
        with open(trace, encoding="utf-8", errors="replace") as file:
            text = file.read()
        # The program itself kills a picture worker that has done its work.
        self.counts["reached"] += "(INJECTED)" in text or kind == "kills" and "killed by SIGKILL" in text
        if DISPATCH.search(text):
            self.counts["libdispatch"] += 1
        elif kind == "failures" and (status < 0 or status >= 128):
            self.violation(f"{what}: ended by a signal ({status}): {said}")
        elif kind == "failures" and status != 0 and not said:
            self.violation(f"{what}: ended with {status} without a word")
        state = self.state(club)
        if state not in case.allowed:
            self.violation(f"{what}: the club has {sorted((name, len(text)) for name, text in state.items())}")
        elif status == 0 and kind == "failures" and state is not None and len(case.allowed) > 1 and state == self.fresh:
            self.violation(f"{what}: ended well, and nothing was done: {said}")
        whole = self.fresh["photos/there.jpg"]
        for name in os.listdir(out):
            if not name.startswith("."):
                with open(os.path.join(out, name), "rb") as file:
                    if file.read() != whole:
                        self.violation(f"{what}: {name} is not whole under its final name")
        if state == self.fresh:
            # Nothing is in the way of the next try.
            status, said = self.command([], words, case.text, club, home, what)
            state = self.state(club)
            if status not in (0, 5, 8) or state not in case.allowed:
                self.violation(f"{what}: the next try ended with {status}: {said}")
        shutil.rmtree(place)

    def command(self, tracer, words, text, club, home, what):
        environment = {"HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC",
                       "SWIFT_BACKTRACE": "enable=no",
                       **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}}
        try:
            done = subprocess.run([*tracer, self.binary, "--folder", club, *words], input=text, timeout=PATIENCE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=home)
        except subprocess.TimeoutExpired:
            self.violation(f"{what}: had not ended after {PATIENCE} s")
            return TRACER_FAILED, "it hangs"
        return done.returncode, done.stderr.decode("utf-8", "replace")[-400:]

    @staticmethod
    def state(club):
        """What a member sees of the club: names and contents, without byteclub's own."""
        found = {}
        for folder, folders, names in os.walk(club):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                if not name.startswith("."):
                    path = os.path.join(folder, name)
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, club)] = file.read()
        return found


def main():
    parser = argparse.ArgumentParser(prog="scripts/soak calls", description="Has single system calls fail.")
    parser.add_argument("--rounds", type=int, default=500, help="commands (500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", metavar="WORDS", help="every failure of the commands that begin so, such as: photo put")
    parser.add_argument("--binary", required=True)
    chosen = parser.parse_args()
    chosen.binary = os.path.abspath(chosen.binary)
    with tempfile.TemporaryDirectory(prefix="byteclub-soak-") as where:
        calls = Calls(chosen, where)
        if chosen.each:
            calls.each(chosen.each)
        else:
            calls.run(chosen.rounds)
    counts = calls.counts
    print(f"{counts['failures']} commands with a call that failed, {counts['kills']} killed at one"
          f" ({counts['reached']} reached it, {counts['libdispatch']} in libdispatch); seed {chosen.seed}; {len(calls.violations)} violations", flush=True)
    sys.exit(1 if calls.violations else 0)


main()
