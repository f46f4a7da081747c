"""How long until a folder is on the screen, and a note with remarks."""
import os
import time

import folders
import report
from contenders import interleaved
from program import SIZES, on

ROOMS = ("Sources/App", "Sources/Club/ClubServices", "Sources/Club/Database", "Sources/Stores")
KEYS_AT_ONCE = 40
LAST = 14  # a row that every program shows on a screen of 24


def run(bench):
    for size in SIZES:
        yield one(bench, 10_000, "no slower than nnn", size)
        yield one(bench, 100_000, "half of nnn's time", size)
        yield keys_at_once(bench, 100_000, size)
    yield remarks(bench, 1_000)


quick = run


def one(bench, count, goal, size):
    folder = bench.folder(count)
    who = bench.contenders
    contenders = [who.byteclub_first, who.byteclub, who.nnn, who.mc]
    wall, cpu, whole = ({contender.label: [] for contender in contenders} for _ in range(3))
    for contender in contenders:  # not counted: files and programs come into the page cache
        measure(bench, contender, folder, size)
    for number, contender in interleaved(contenders, bench.rounds):
        bench.tell(f"open, {count} files: round {number + 1} of {bench.rounds}, {contender.label}")
        for column, value in zip((wall, cpu, whole), measure(bench, contender, folder, size)):
            column[contender.label].append(value)
    peer = who.nnn.label
    rows = [
        (label, report.ms(report.median(wall[label])), report.ms(min(wall[label])),
         report.ratio(report.median(wall[label]), report.median(wall[peer])), report.ms(report.median(cpu[label])),
         report.ratio(report.median(cpu[label]), report.median(cpu[peer])), report.ms(report.median(whole[label])))
        for label in wall
    ]
    return report.table(
        f"open: first paint of {count:,} files{on(size)}",
        f"From exec to the frame in which the first and the {LAST}th row are on the screen. Medians of {bench.rounds} rounds."
        f" Goal: {goal}. The last column is the CPU time until the program has come to rest.",
        ("", "ms", "best", "x nnn", "CPU ms", "x nnn", "CPU ms at rest"), rows)


def measure(bench, contender, folder, size):
    with contender.start(folder, bench.homes, size) as program:
        painted, cpu = program.read_until_painted(folders.name(1), folders.name(LAST))
        program.settle(quiet=0.25)
        return painted - program.started, cpu, program.cpu()


def keys_at_once(bench, count, size):
    """Keys of a member who does not wait until the program has come to rest."""
    folder, who = bench.folder(count), bench.contenders
    contenders = [who.byteclub_first, who.byteclub, who.nnn]
    taken = {contender.label: [] for contender in contenders}
    for number, contender in interleaved(contenders, bench.rounds):
        bench.tell(f"open, keys: round {number + 1} of {bench.rounds}, {contender.label}")
        with contender.start(folder, bench.homes, size) as program:
            program.read_until_painted(folders.name(1), folders.name(LAST))
            key = program.down_key()
            for _ in range(KEYS_AT_ONCE):
                program.watch(0.003)  # what comes by itself is no answer
                taken[contender.label].append(program.press(key, 0.005)[0])
            program.settle(quiet=0.25)
    peer = report.median(taken[who.nnn.label])
    return report.table(
        f"open: keys right after the first paint of {count:,} files{on(size)}",
        f"From an arrow down to the first byte of the answer, {bench.rounds} x {KEYS_AT_ONCE} keys, the first of them with the"
        " first paint, while sizes, news and the rest are read behind it. Goal: nobody waits for that.",
        ("", "p50 ms", "p90 ms", "worst ms", "p50 x nnn"),
        [(label, report.ms(report.median(values)), report.ms(report.percentile(values, 90)), report.ms(max(values)),
          report.ratio(report.median(values), peer)) for label, values in taken.items()])


def remarks(bench, count):
    """Two notes of the same text, one of them with remarks, half of which quote it."""
    folder = bench.place("remarks")
    os.mkdir(folder)
    text = "".join(f"Line {number} of a walk along the shore.\n\n" for number in range(200))
    for note in (1, 2):
        write(os.path.join(folder, folders.name(note)), text)
    items = (f"- **ann** 2026-11-26 18:04Z {10_000_000 + number}"
             + (f' on "Line {number % 200} of"' if number % 2 else "") + ": Only at low tide.\n" for number in range(count))
    name = folders.name(2)
    write(os.path.join(folder, f"{name}.talk.md"), f"# Remarks on {name}\n\n" + "".join(items))
    openings = {"without": (1, "Line 1 of"), f"with {count:,} remarks": (2, "Only at low tide.")}
    taken = {label: [] for label in openings}
    for number, (label, (note, shown)) in interleaved(list(openings.items()), bench.rounds):
        bench.tell(f"open, remarks: round {number + 1} of {bench.rounds}, {label}")
        with bench.contenders.byteclub.start(folder, bench.homes) as program:
            program.read_until_painted(folders.name(1))
            program.settle(quiet=0.25)
            for _ in range(1, note):
                program.press(program.down_key(), 0.1)
            sent = time.perf_counter()
            os.write(program.terminal, b"\r")
            # A preview has no share that was read.
            taken[label].append(program.read_until_painted(" 0 %", shown)[0] - sent)
    rows = [(label, report.ms(report.median(values)), report.ms(min(values))) for label, values in taken.items()]
    return report.table(
        f"open: a note with {count:,} remarks",
        f"From Enter to the page with its first lines and remarks. Medians of {bench.rounds} rounds. Goal: at most 20 ms more"
        " than without.",
        ("", "ms", "best"), rows)


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
