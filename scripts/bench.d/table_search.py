"""A word in the notes of a folder, as a command, beside ripgrep; and in those of a network club whose texts no machine has yet."""
import os
import shlex
import shutil
import time

import folders
import report
import table_small
import table_transfers
from folders import COMMON, RARE, SEARCHED
from program import Program
from servers import Certificate, Proxy, Serve
from table_copy import FAR, searched_in_app
from timing import Command, beside, in_turn

ROOMS = ("Sources/Club/ClubServices", "Sources/Club/Database", "Sources/App/byteclub", "Sources/Stores")
FAR_HITS = range(50, FAR + 1, 195)  # the newest note, and ten others
TOGETHER = 16  # short texts; byteclub's usual number
MORE = 8  # rclone takes so long that it has one of so many rounds


def run(bench):
    yield from in_folder(bench)
    yield far_away(bench)


def quick(bench):
    yield from in_folder(bench)


def in_folder(bench):
    notes, home = bench.prose(), bench.place("home-prose")
    rows = []
    for word, count in ((RARE, 5), (COMMON, 495)):
        argv = [bench.binary, "--folder", notes, "search", word]
        environment = Program([], home).environment()
        fresh = Program([], f"{home}-fresh")

        def clear():
            shutil.rmtree(fresh.home)
            Program([], fresh.home)

        peer = Command("rg -i -F", ["rg", "-i", "-F", "-n", "--sort", "path", word, notes])
        taken = in_turn(bench, f"search: {word}", [
            Command("byteclub, first run", argv, fresh.environment(), clear),
            Command("byteclub, again", argv, environment), peer,
            Command("rg -i -F, unsorted", ["rg", "-i", "-F", "-n", word, notes])], bench.rounds)
        for label, some in taken.items():
            rows.append((f"in {count} notes, {label}", report.ms(some.seconds), beside(some, taken[peer.label]), report.ms(some.cpu),
                         f"{some.peak / (1 << 20):.0f}"))
    yield report.table(
        f"search: a word in a folder of {SEARCHED:,} notes of 40 MB, as a command",
        f"ripgrep over the same notes, sorted as byteclub's answer is. Medians of {bench.rounds} rounds. Goal: its time, twice"
        " that in the first run.", ("word", "ms", "x rg", "CPU ms", "MiB"), rows)
    yield searched_in_app(bench, Program([bench.binary, "--folder", notes], bench.place("home-prose-app")), "search",
                          "20 ms for the first hit")


def far_away(bench):
    """The peers fetch all texts from the same server, which waits before each answer, and then search them."""
    tls, down = Certificate(bench.place("tls")), bench.place("down")
    with Serve(bench.place("serve"), bench.server, tls, ("--chaos", "latency=50ms")) as server, \
            Proxy(bench.place("proxy"), server.port) as proxy:
        for number in range(1, FAR + 1):
            path = os.path.join(server.root, folders.name(number))
            with open(path, "w", encoding="ascii") as file:
                file.write(f"A {RARE} was here.\n" if number in FAR_HITS else f"Note {number}.\n")
            os.utime(path, (folders.BEGIN + 60 * number,) * 2)
        fresh, kept = (table_transfers.home_of(bench, server, 4, tls) for _ in range(2))

        def clear():
            for name in ("cache", "data", "state"):
                shutil.rmtree(os.path.join(fresh, name), ignore_errors=True)
            Program([], fresh)
            shutil.rmtree(down, ignore_errors=True)
            os.makedirs(down)

        def then_searched(*words):
            return ["sh", "-c", f"{shlex.join(words)} && exec {shlex.join(['rg', '-i', '-F', '-n', '--sort', 'path', RARE, down])}"]

        search = [bench.binary, "--club", "lab", "search", RARE]
        curl = ["curl", "-sS", "--fail-early", "-Z", "--parallel-max", str(TOGETHER), "-K",
                table_small.downloads(bench, server, tls, server.root, down, folder="")]
        rclone = ["rclone", "--config", table_transfers.config(bench, server), "--ca-cert", tls.authority, "--transfers",
                  str(TOGETHER), "--checkers", str(TOGETHER), "copy", "--exclude", "/.*/**", "club:", down]
        token = {"BYTECLUB_TOKEN": server.token}
        app = InApp(server, "byteclub, in the app", search[:-2], fresh, token, clear)
        peer = Asking(server, f"curl -Z of {FAR:,} known names, then rg", then_searched(*curl), None, clear)
        commands = [
            Asking(server, "byteclub search, first", search, Program([], fresh, token).environment(), clear),
            Asking(server, "byteclub search, again", search, Program([], kept, token).environment()), app, peer,
            Asking(server, "rclone copy, then rg", then_searched(*rclone),
                   {**os.environ, "HTTPS_PROXY": f"http://127.0.0.1:{proxy.port}"}, clear, MORE)]
        commands[1].run()
        taken = in_turn(bench, "search: far away", commands, bench.rounds)
    first, other = {app.label: f"{report.median(app.first):.3f}"}, taken[peer.label]

    def share(some, every):
        return "1.00" if some is other else beside(some, other) if every == 1 else report.ratio(some.seconds, other.seconds)

    return report.table(
        f"search: a word in a network club of {FAR:,} notes, 50 ms away",
        f"Over TLS to byteclub serve, which waits 50 ms before each answer; the word is in {len(FAR_HITS)} notes, the newest among"
        f" them. No text is on this machine but where it is searched again; {TOGETHER} at once on all sides. In the app from the"
        f" word's letters behind `/`, right after the first paint; a command says all at its end. Medians of {bench.rounds} rounds,"
        f" rclone has one of {MORE}. Goal: the first hit within a second, all within 1.2 times curl's and ripgrep's time.",
        ("", "first hit s", "all hits s", "x curl and rg", "requests", "CPU s"),
        [(command.label, first.get(command.label, "-"), f"{some.seconds:.3f}", share(some, command.every),
          f"{command.requests:,}", f"{some.cpu:.2f}") for command, some in zip(commands, taken.values())])


class Asking(Command):
    """Counts its requests in the runs that no clock takes."""

    def __init__(self, server, *command):
        super().__init__(*command)
        self.server, self.requests = server, 0

    def watch(self):
        began = len(self.server.requests())
        peak = super().watch()
        self.requests = len(self.server.requests()) - began
        return peak


class InApp:
    """A search in the app of a new home, from the letters of the word to the last hit; `first` has the seconds to the first."""

    every = 1

    def __init__(self, server, label, argv, home, variables, before):
        self.server, self.label, self.before = server, label, before
        self._program = lambda: Program(argv, home, variables)
        self.first, self.requests = [], 0

    def run(self):
        (first, last), cpu = self._searched()
        self.first.append(first)
        return last, cpu

    def watch(self):
        self._searched()
        return 0

    def _searched(self):
        self.before()
        with self._program() as program:
            program.read_until_painted(folders.name(1), folders.name(20))
            program.press(b"/", 0.1)
            began, used, sent = len(self.server.requests()), program.cpu(), time.perf_counter()
            first = program.answer(RARE.encode(), f"{RARE} was")
            last, cpu = program.read_until_painted(*map(folders.name, FAR_HITS))
            self.requests = len(self.server.requests()) - began
            return (first, last - sent), cpu - used
