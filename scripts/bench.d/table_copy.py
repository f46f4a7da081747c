"""A club behind a network, which lists and searches its local copy; and the editor in a very long note."""
import contextlib
import os
import re
import select
import shutil
import socket
import subprocess
import threading
import time

import folders
import report
from folders import BYTES, COMMON, RARE, SEARCHED
from contenders import interleaved
from program import Program, Stalled
from servers import Serve
from table_changes import open_club
from timing import Command, beside, in_turn

ROOMS = (
    "Sources/App/Screens", "Sources/Club/ClubServices", "Sources/Club/Database", "Sources/Stores", "Sources/Server/StoreServer")
ALSO = ("editor",)  # headings of its tables beside its own name
CHANGES, KEYS = 10, 200
LONG = 100_000_000
FAR, LARGE = 2_000, 5_000_000


def run(bench):
    yield opening(bench)
    yield opening_large(bench)
    yield from searching(bench)
    yield refreshing(bench)
    yield far_away(bench)
    yield editing(bench)


def quick(bench):
    yield opening(bench)
    yield far_away(bench)


def far_away(bench):
    """A server that answers each request after 50 ms: searches of notes that are not copied yet, and a large note."""
    searching_home, home = bench.place("home-far-search"), bench.place("home-far")
    with Serve(bench.place("serve"), bench.server, None, ("--chaos", "latency=50ms")) as server:
        fill(server.root, FAR)
        with open(os.path.join(server.root, "large.md"), "w", encoding="ascii") as file:
            file.write("A line that is like the others.\n" * (LARGE // 32))
        with open(os.path.join(server.root, "p-link.md"), "w", encoding="ascii") as file:
            file.write("More is in [[large]].\n")
        environment = open_club(bench, server, searching_home).environment()
        search = Command("search", [bench.binary, "--club", "lab", "search", "Note 7."],
                         {**environment, "BYTECLUB_TOKEN": server.token})
        searched = [search.run()[0], search.run()[0]]
        with open_club(bench, server, home) as program:
            program.read_until_painted("large.md")
            place, sent, head = len(program.output), time.perf_counter(), None
            opened = program.answer(b"\r", " 0 %")  # a preview has no share that was read
            with contextlib.suppress(Stalled):  # a note that comes at once has no frame of its head
                head = hit(program, place, "iB.") - sent
            linked = []
            for _ in range(2):
                linked.append(program.answer(b"B", "More is in"))
                program.press(b"\x1b", 0.5)
        rows = [(f"Enter to the head of a note of {LARGE // 1_000_000} MB", report.ms(opened if head is None else head)),
                ("Enter to the whole of it", report.ms(opened)),
                ("the notes that link to it", report.ms(linked[0])), ("those again", report.ms(linked[1])),
                ("first search", report.ms(searched[0])), ("search again", report.ms(searched[1]))]
    return report.table(
        f"copy: a club of {FAR:,} notes whose server answers after 50 ms",
        "Once each, one after the other; searches as commands, in a home of their own.", ("", "ms"), rows)


def fill(folder, count):
    """Notes of a few words; a network club copies their texts."""
    for number in range(1, count + 1):
        with open(os.path.join(folder, folders.name(number)), "w", encoding="ascii") as file:
            file.write(f"Note {number}.\n")


def warm(bench, server, home):
    """Opens the club once and waits until its texts are copied."""
    with open_club(bench, server, home) as program:
        program.read_until_painted(folders.name(1), folders.name(20))
        program.settle(at_most=900)


def again(bench, server, home):
    return Program([bench.binary, "--club", "lab"], home, {"BYTECLUB_TOKEN": server.token})


def opening_large(bench):
    """Copying its texts takes minutes."""
    return opening(bench, 100_000)


def opening(bench, count=10_000):
    home, beside_home = bench.place("home-copy"), bench.place("home-folder")
    where = bench.place("serve")
    server = Serve(where, bench.server)
    fill(server.root, count)
    notes = bench.place("notes")
    shutil.copytree(server.root, notes)
    starts = {
        "folder": lambda: Program([bench.binary, "--folder", notes], beside_home),
        "network club": lambda: again(bench, server, home),
    }
    taken = {}
    with server:
        bench.tell(f"copy: {count} notes are copied")
        warm(bench, server, home)
        measure(bench, "server reachable", starts, taken)
    measure(bench, "server not reachable", starts, taken)
    rows = [
        (label, state, report.ms(report.median(values)), report.ms(min(values)),
         report.ratio(report.median(values), report.median(taken["folder", state])))
        for (label, state), values in taken.items()
    ]
    return report.table(
        f"copy: first paint of a network club of {count:,} notes",
        f"From exec to the frame in which the first and the 20th row are on the screen; the club was open before. Medians of"
        f" {bench.rounds} rounds. Goal: as on a folder.", ("", "", "ms", "best", "x folder"), rows)


def measure(bench, state, starts, taken):
    for start in starts.values():
        with start() as program:
            program.read_until_painted(folders.name(1), folders.name(20))
            program.settle(quiet=0.25)
    for number, (label, start) in interleaved(list(starts.items()), bench.rounds):
        bench.tell(f"copy, {state}: round {number + 1} of {bench.rounds}, {label}")
        with start() as program:
            painted, _ = program.read_until_painted(folders.name(1), folders.name(20))
            taken.setdefault((label, state), []).append(painted - program.started)
            program.settle(quiet=0.25)


def searching(bench):
    home = bench.place("home-search")
    with Serve(bench.place("serve"), bench.server) as server:
        bench.tell("copy: texts to be searched")
        folders.prose(server.root)
        warm(bench, server, home)
        yield searched_in_app(bench, again(bench, server, home), "copy", "5 ms and 20 ms")
        yield searched_by_command(bench, server, home)


def searched_in_app(bench, program, table, goals):
    first, last = {RARE: [], COMMON: []}, {RARE: [], COMMON: []}
    with program:
        program.read_until_painted(folders.name(1), folders.name(20))
        program.settle()
        for _ in range(max(5, bench.rounds)):
            for word, shown in ((RARE, folders.name(2007)), (COMMON, folders.name(103))):
                program.press(b"/", 0.2)
                # Texts are searched from the third letter on; no other word of the notes has these letters.
                program.press(word[:2].encode(), 0.2)
                place = len(program.output)
                sent = time.perf_counter()
                os.write(program.terminal, word[2:3].encode())
                program.read_until_quiet(0.4, at_least_one=True)
                if not program.screen().shows(shown):
                    raise Stalled(f"{word} does not find {shown}:\n" + "\n".join(program.screen().lines()))
                # Of the line that is shown beside the first hit, whichever it is.
                first[word].append(hit(program, place, f"{word} was" if word == RARE else f"{word} one") - sent)
                # The preview of the first hit follows after a rest.
                last[word].append(hit(program, place, folders.name(8007 if word == RARE else 703)) - sent)
                program.press(b"\x1b", 0.3)
                program.settle(quiet=0.3)
    found = {RARE: 5, COMMON: 495}
    return report.table(
        f"{table}: a word in {SEARCHED:,} notes of 40 MB, in the app",
        "From the third letter of the word, from which on texts are searched, to the first hit on the screen and to all that"
        f" the screen has room for. Goal: {goals}.",
        ("word", "notes", "first hit p50 ms", "all p50 ms", "all worst ms"),
        [(word, found[word], report.ms(report.median(first[word])),
          report.ms(report.median(last[word])), report.ms(max(last[word]))) for word in first])


def hit(program, place, shown):
    """When the name was on the screen; it was not before that piece of output."""
    screen = program.screen(place)
    for when, data in program.output[place:]:
        screen.feed(data)
        if screen.shows(shown):
            return when
    raise Stalled(f"{shown} was never shown.")


def searched_by_command(bench, server, home):
    environment = {**Program([], home).environment(), "BYTECLUB_TOKEN": server.token}
    rows = []
    for word in (RARE, COMMON):
        mine = Command("byteclub search", [bench.binary, "--club", "lab", "search", word], environment)
        peer = Command("rg -i -F", ["rg", "-i", "-F", "-n", "--sort", "path", word, server.root])
        unsorted = Command("rg -i -F, unsorted", ["rg", "-i", "-F", "-n", word, server.root])
        taken = in_turn(bench, f"copy: {word}", [mine, peer, unsorted], bench.rounds)
        for label, some in taken.items():
            rows.append((word, label, report.ms(some.seconds), beside(some, taken[peer.label]), report.ms(some.cpu),
                         f"{some.peak / (1 << 20):.0f}"))
    return report.table(
        f"copy: a word in {SEARCHED:,} notes of 40 MB, as a command",
        f"ripgrep over the same notes in a folder, sorted as byteclub's answer is. Medians of {bench.rounds} rounds. Goal: no"
        " slower.", ("word", "", "ms", "x rg", "CPU ms", "MiB"), rows)


class Counter:
    """Passes connections on to a server and counts what goes each way."""

    def __init__(self, target):
        self.sent = self.received = 0
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client):
        with contextlib.suppress(OSError), client, socket.create_connection(("127.0.0.1", self._target)) as server:
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(1 << 16)
                    if not data:
                        return
                    if ready is client:
                        self.sent += len(data)
                        server.sendall(data)
                    else:
                        self.received += len(data)
                        client.sendall(data)


def refreshing(bench):
    """What one change by another member costs."""
    home = bench.place("home-refresh")
    with Serve(bench.place("serve"), bench.server) as server, Counter(server.port) as counter:
        fill(server.root, 10_000)
        direct, server.origin = server.origin, f"http://127.0.0.1:{counter.port}"
        requests, sent, received = [], [], []
        with open_club(bench, server, home) as program:
            server.origin = direct
            program.read_until_painted(folders.name(1))
            program.settle(at_most=900)
            for number in range(CHANGES):
                name = f"a-change-{number:03d}.md"
                file = bench.place(f"change-{number}")
                with open(file, "w", encoding="ascii") as text:
                    text.write("x" * BYTES)
                began, before = len(server.requests()), (counter.sent, counter.received)
                subprocess.run(server.put(file, name), check=True)
                program.read_until_painted(name, at_most=10)
                program.settle(quiet=0.5)
                routes = [re.sub(r"^.* ", "", line) for line in server.requests()[began:]]
                requests.append([route for route in routes if "files_put" not in route])
                sent.append(counter.sent - before[0])
                received.append(counter.received - before[1])
    typical = max(requests, key=requests.count)
    return report.table(
        "copy: what one change by another member costs",
        f"A new note of {BYTES} bytes in an open club of 10,000 notes, {CHANGES} times: requests from the server's access log,"
        " bytes with their headers as they passed. Goal: one request and that note.",
        ("", "measured"),
        [("requests", ", ".join(typical)), ("bytes sent, p50", f"{report.median(sent):,.0f}"),
         ("bytes received, p50", f"{report.median(received):,.0f}")])


def editing(bench):
    folder = bench.place("long")
    os.makedirs(folder)
    line = "The quick brown fox jumps over the lazy dog, and nobody knows why it does so.\n"
    with open(os.path.join(folder, "long.md"), "w", encoding="ascii") as file:
        file.write(line * (LONG // len(line)))
    rows = []
    with Program([bench.binary, "--folder", folder], bench.place("home-long")) as program:
        program.read_until_painted("long.md")
        program.settle()
        program.press(b"\r", 0.5)
        program.press(b"i", 0.5)
        program.settle()
        for where, way in (("at its beginning", b""), ("in its middle", b"\x1b[6~" * 300), ("at its end", b"\x1b[1;5F")):
            if way:
                program.press(way, 0.5)
                program.settle()
            taken = [program.press(bytes([key]), 0.02)[1] for key in b"typed words. " * (KEYS // 13 + 1)]
            rows.append((where, report.ms(report.percentile(taken, 50)), report.ms(report.percentile(taken, 99)),
                         report.ms(max(taken))))
            program.settle()
    return report.table(
        "editor: a key in a note of 100 MB",
        f"From a typed letter to the last byte of the answer, {KEYS} letters; drafts are written meanwhile. Goal: p99 16 ms.",
        ("", "p50 ms", "p99 ms", "worst ms"), rows)
