"""Transfers as the app carries them out: many files beside rclone and curl, what the journal costs, and the screen."""
import json
import os
import shutil
import subprocess
import tempfile
import time

import picture
import report
import table_small
import timing
from program import Program, Stalled
from servers import Certificate, Proxy, Serve
from timing import Command, in_turn

ROOMS = (
    "Sources/Club/Transfers", "Sources/Club/ClubServices/PanoPhotos", "Sources/Stores", "Sources/Server/StoreServer",
    "Sources/Pictures", "Sources/App/byteclub/Verbs")
MIB = 1 << 20
TOGETHER = 4  # a club's connections to one host, unless its config says otherwise
SETS = (("20 files of 100 MB", 20, 100_000_000), ("2,000 files of 8 KiB", 2000, 8192))
WHOLE = 1 << 30
LARGE = 137 * MIB
KEYS, QUIET, NOTES, RUNNING = 100, 0.020, 1000, 5


def run(bench):
    tls = Certificate(bench.place("tls"))
    rounds = max(3, bench.rounds // 3)
    for label, count, size in SETS:
        yield from many(bench, tls, label, count, size, rounds)
    yield one_picture(bench, tls, rounds)
    yield journal(bench, tls, rounds)
    yield keys(bench)


def quick(bench):
    yield one_picture(bench)


def small_files(bench):
    yield from many(bench, Certificate(bench.place("tls")), *SETS[1], max(3, bench.rounds // 3))


def one_picture(bench, tls=None, rounds=None):
    tls, rounds = tls or Certificate(bench.place("tls")), rounds or bench.rounds
    source = bench.place("large.jpg")
    picture.write(source, LARGE)
    with Serve(bench.place("serve"), bench.server, tls) as server:
        journal = Journal()
        put = Program([bench.binary, "photo", "put", source, "--progress", "none", "--club", "lab"],
                      home_of(bench, server, TOGETHER, tls),
                      {"BYTECLUB_TOKEN": server.token, "XDG_DATA_HOME": journal.folder})
        photos = os.path.join(server.root, "photos")
        clear = lambda: (shutil.rmtree(photos, ignore_errors=True), journal.clear())
        taken = in_turn(bench, "one picture", [
            Command("byteclub photo put", put.argv, put.environment(), clear),
            Command("curl", [*server.put(source, "photos/large.jpg"), "--cacert", tls.authority], None, clear),
        ], rounds)
    return report.table(
        f"transfers: one picture of {LARGE // MIB} MiB up",
        "Over TLS to byteclub serve; byteclub decodes the picture first. Goal: 1.5 times curl's time.",
        ("", "s", "x curl", "best s", "x curl", "CPU s", "peak MiB", "MiB/s"), timing.rows(taken, "curl", LARGE))


def many(bench, tls, label, count, size, rounds):
    source, down = bench.place("source"), bench.place("down")
    some = table_small.MORE if size < MIB else 1
    os.makedirs(source)
    bench.tell(f"making {label}")
    for number in range(count):
        picture.write(os.path.join(source, f"{number:04d}.jpg"), size)
    with Serve(bench.place("serve"), bench.server, tls) as server, Proxy(bench.place("proxy"), server.port) as proxy:
        there, photos = (os.path.join(server.root, name) for name in ("up", "photos"))
        environment = server.probe_environment(PROBE_TOGETHER=str(TOGETHER))
        through = {**os.environ, "HTTPS_PROXY": f"http://127.0.0.1:{proxy.port}"}
        rclone = ["rclone", "--config", config(bench, server), "--ca-cert", tls.authority, "--transfers", str(TOGETHER),
                  "--checkers", str(TOGETHER), "copy"]
        curl = ["curl", "-sS", "--fail-early", "-Z", "--parallel-max", str(TOGETHER), "-K"]
        fresh_journal = Journal()
        pictures = [os.path.join(source, name) for name in sorted(os.listdir(source))]
        put = Program([bench.binary, "photo", "put", *pictures, "--progress", "none", "--club", "lab"],
                      home_of(bench, server, TOGETHER, tls),
                      {"BYTECLUB_TOKEN": server.token, "XDG_DATA_HOME": fresh_journal.folder})
        clear = lambda: (shutil.rmtree(there, ignore_errors=True), shutil.rmtree(photos, ignore_errors=True),
                         fresh_journal.clear())
        up = in_turn(bench, f"{label}, up", [
            Command("byteclub photo put", put.argv, put.environment(), clear),
            Command("byteclub's transfers", [bench.probe, "engine-up", "dropbox", source, "up", fresh_journal.path],
                    environment, clear),
            Command("curl -Z", [*curl, table_small.uploads(bench, server, tls, source)], None, clear),
            Command("rclone copy", [*rclone, source, "club:up"], through, clear, some),
        ], rounds)
        yield table(label, "up", count * size, count, up)
        shutil.rmtree(there, ignore_errors=True)
        shutil.copytree(source, there)
        shutil.rmtree(source)
        names = sorted(os.listdir(there))
        clear = lambda: (shutil.rmtree(down, ignore_errors=True), os.makedirs(down), fresh_journal.clear())
        results = in_turn(bench, f"{label}, down", [
            Command("byteclub's transfers", [bench.probe, "engine-down", "dropbox", "up", down, fresh_journal.path],
                    environment, clear),
            Command("curl -Z", [*curl, table_small.downloads(bench, server, tls, there, down)], None, clear),
            Command("rclone copy", [*rclone, "club:up", down], through, clear, some),
        ], rounds)
        if sorted(os.listdir(down)) != names:
            raise Stalled(f"{label}: not everything is there.")
        shutil.rmtree(down)
        yield table(label, "down", count * size, count, results)


def config(bench, server):
    path = bench.place("rclone.conf")
    with open(path, "w", encoding="ascii") as file:
        file.write("[club]\ntype = dropbox\ntoken = "
                   f'{{"access_token":"{server.token}","token_type":"bearer","refresh_token":"none",'
                   '"expiry":"2099-01-01T00:00:00Z"}\n')
    return path


def home_of(bench, server, together, tls=None):
    """A member's home, with a club on the server."""
    home = bench.place("home-transfers")
    os.makedirs(f"{home}/config/byteclub", mode=0o700)
    club = {"store": "dropbox", "server": server.origin, "folder": "/", **({"caFile": tls.authority} if tls else {})}
    with open(f"{home}/config/byteclub/config.json", "w", encoding="ascii") as file:
        json.dump({"club": "lab", "clubs": {"lab": club}, "transfers": {"concurrent": together},
                   "network": {"connectionsPerHost": together}}, file)
    return home


class Journal:
    """Where a journal is, on a disk although the other files may be in memory; none yet after `clear`."""

    def __init__(self):
        self._place = tempfile.TemporaryDirectory(prefix="byteclub-bench-", dir="/var/tmp")
        self.folder = os.path.join(self._place.name, "journal")
        self.path = os.path.join(self.folder, "outbox.sqlite")

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)


def table(label, way, size, count, results):
    curl, rclone = results["curl -Z"].seconds, results["rclone copy"].seconds
    return report.table(
        f"transfers: {label} {way}",
        f"Over TLS to byteclub serve, {TOGETHER} at once. byteclub's go through the engine with its journal on the disk"
        " and all checks; `photo put` is the whole program, which also decodes each picture first. Downloads are"
        " flushed and compared by byteclub alone. Of small files rclone, which takes long, has one round of"
        f" {table_small.MORE}. Goals: faster than rclone, memory under 60 MiB.",
        ("", "s", "files a second", "MiB a second", "x rclone's rate", "x curl's rate", "CPU s", "peak MiB"),
        [(name, f"{taken.seconds:.3f}", f"{count / taken.seconds:,.1f}", f"{size / taken.seconds / MIB:,.0f}",
          f"{rclone / taken.seconds:.2f}", f"{curl / taken.seconds:.2f}", f"{taken.cpu:.2f}", f"{taken.peak / MIB:.0f}")
         for name, taken in results.items()])


def journal(bench, tls=None, rounds=None):
    """1 GiB in one file, with the journal on the disk and with one in memory."""
    tls, rounds = tls or Certificate(bench.place("tls")), rounds or bench.rounds
    source, down = bench.place("source"), bench.place("down")
    os.makedirs(source)
    os.link(bench.file("whole.bin", WHOLE), os.path.join(source, "whole.bin"))
    fresh = Journal()
    with Serve(bench.place("serve"), bench.server, tls) as server:
        there, environment = os.path.join(server.root, "up"), server.probe_environment()
        clear = lambda: (shutil.rmtree(there, ignore_errors=True), fresh.clear())
        up = in_turn(bench, "journal, up", [
            Command(word, [bench.probe, "engine-up", "dropbox", source, "up", place], environment, clear)
            for word, place in (("on the disk", fresh.path), ("in memory", "memory"))], rounds)
        # The last upload is what is downloaded.
        clear = lambda: (shutil.rmtree(down, ignore_errors=True), os.makedirs(down), fresh.clear())
        down_results = in_turn(bench, "journal, down", [
            Command(word, [bench.probe, "engine-down", "dropbox", "up", down, place], environment, clear)
            for word, place in (("on the disk", fresh.path), ("in memory", "memory"))], rounds)
        if os.listdir(down) != ["whole.bin"]:
            raise Stalled("journal: not everything is there.")
        shutil.rmtree(down)
    lines = []
    for way, results in (("up", up), ("down", down_results)):
        free = results["in memory"].seconds
        lines += [(f"{way}, {word}", f"{taken.seconds:.3f}", f"{(taken.seconds / free - 1) * 100:+.1f} %",
                   f"{taken.cpu:.2f}", f"{taken.peak / MIB:.0f}") for word, taken in results.items()]
    return report.table(
        "transfers: what the journal costs, 1 GiB in one file",
        f"The same transfer with its journal in SQLite on the disk and in memory, medians of {rounds} rounds in turn."
        " Goal: under 3 % of the time.", ("journal", "s", "more", "CPU s", "peak MiB"), lines)


def keys(bench):
    """The arrow down in a list of notes, while nothing runs and while five uploads do."""
    answers = {}
    for word in ("nothing runs", f"{RUNNING} uploads run"):
        with Serve(bench.place("serve"), bench.server, None, ("--chaos", "bandwidth@/2/files/upload_session/*=4MiB")) as server:
            for number in range(NOTES):
                with open(os.path.join(server.root, f"note-{number:06d}.md"), "w", encoding="ascii") as file:
                    file.write(f"Note {number}.\n")
            home = home_of(bench, server, RUNNING)
            program = Program([bench.binary, "--club", "lab"], home, {"BYTECLUB_TOKEN": server.token})
            if word != "nothing runs":
                order(bench, program)
            with program:
                program.read_until_painted("note-000001.md")
                program.watch(2)
                key = program.down_key()
                answers[word] = [program.press(key, QUIET)[:2] for _ in range(KEYS * 3)]
            if word != "nothing runs" and len(going_on(bench, program)) != RUNNING:
                raise Stalled("The uploads were over before the keys.")
    lines = []
    for word, times in answers.items():
        first, last = zip(*times)
        quiet = [answer[0] for answer in answers["nothing runs"]]
        lines.append((word, *(report.ms(report.percentile(first, percent)) for percent in (50, 90, 99)),
                      *(report.ratio(report.percentile(first, percent), report.percentile(quiet, percent))
                        for percent in (50, 99)), report.ms(report.percentile(last, 99))))
    return report.table(
        f"transfers: the screen while {RUNNING} run",
        f"Arrow down among {NOTES:,} notes behind byteclub serve, {KEYS * 3} keys, from writing the key to the first byte of"
        f" the answer; to the last byte it lasts until nothing has come for {QUIET * 1000:.0f} ms, and the bar's own paints"
        " are among it. Goal: p99 unchanged within noise.",
        ("", "p50 ms", "p90 ms", "p99 ms", "p50 x", "p99 x", "last byte p99 ms"), lines)


def order(bench, program):
    """Orders uploads, and kills who was to carry them out: the program that is started next does so."""
    files = []
    for number in range(RUNNING):
        files.append(os.path.join(program.home, f"pano-{number}.jpg"))
        picture.write(files[-1], 160 * MIB)
    putting = subprocess.Popen([bench.binary, "photo", "put", *files, "--progress", "none"], stdin=subprocess.DEVNULL,
                               env=program.environment())
    deadline = time.monotonic() + 60
    while len(going_on(bench, program)) < RUNNING:
        if putting.poll() is not None or time.monotonic() > deadline:
            raise Stalled("The uploads were not taken on.")
    putting.kill()
    putting.wait()


def going_on(bench, program):
    said = subprocess.run([bench.binary, "transfer", "ls", "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          env=program.environment(), check=True).stdout
    return [row for row in json.loads(said)["results"] if row["state"] != "done"]
