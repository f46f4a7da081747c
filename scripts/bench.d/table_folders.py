"""Notes in folders beside as many in one: first paint, keys, memory, search; and links that are mended after a rename."""
import os
import shutil

import folders
import report
from contenders import Contender, interleaved
from folders import COMMON, RARE
from program import Program
from servers import Serve
from table_changes import open_club
from table_copy import again
from timing import Command, beside, in_turn

ROOMS = ("Sources/App/Screens", "Sources/Club/ClubServices", "Sources/Stores")
NOTES, FOLDERS = 100_000, 5_000
KEYS, QUIET = 90, 0.020  # a round; there are 100 rows at the top
LINKED = 1_000
OLD, NEW = "a-pier.md", "a-quay.md"  # OLD is the first row


def run(bench):
    yield listed(bench)
    yield searched(bench)
    yield mended(bench)


quick = run


def listed(bench):
    tree = bench.place("tree")
    bench.tell(f"folders: making {NOTES} files in {FOLDERS} folders")
    tops = folders.tree(tree, NOTES, FOLDERS)
    flat = bench.folder(NOTES)
    names = [folders.name(number) for number in (1, 20)]
    ways = [("in one folder", flat, names, b""), (f"in {FOLDERS:,} folders", tree, [tops[0], tops[19]], b""),
            (f"in {FOLDERS:,} folders, all in one list", tree, [tops[0], tops[19]], b"a")]
    rounds = max(3, bench.rounds // 3)
    painted, counted, rest, keys, cpu, peak = ({way[0]: [] for way in ways} for _ in range(6))
    for number, (label, folder, shown, before) in interleaved(ways, rounds):
        bench.tell(f"folders: round {number + 1} of {rounds}, {label}")
        contender = Contender(label, [bench.binary, "--folder", "{folder}"])
        with contender.start(folder, bench.homes) as program:
            when, _ = program.read_until_painted(*shown)
            painted[label].append(when - program.started)
            counted[label].append(program.read_until_painted(f"{NOTES:,}")[0] - program.started)
            program.settle()
            rest[label].append(program.cpu())
            if before:
                program.press(before, 0.2)
                program.read_until_painted(*names)
                program.settle()
            key, used = program.down_key(), program.cpu()
            keys[label] += [program.press(key, QUIET)[1] for _ in range(KEYS)]
            cpu[label].append((program.cpu() - used) / KEYS)
            peak[label].append(program.peak_memory())
            if before:
                program.press(before, 0.2)  # a start shows the list that was chosen last
                program.settle()
    first, p50 = ways[0][0], lambda label: report.percentile(keys[label], 50)
    return report.table(
        f"folders: {NOTES:,} notes in {FOLDERS:,} folders and in one",
        f"A start until the first and the 20th row are on the screen (in folders the names at the top, before the notes in"
        f" them are read), until the count of all notes is, the CPU time until the program has come to rest, the"
        f" arrow down ({rounds} x {KEYS} keys), and the most that was resident (VmHWM). Goal: as in one folder.",
        ("", "paint ms", "x one folder", "count ms", "CPU ms at rest", "key p50 ms", "x one folder", "key p99 ms", "CPU us a key", "MiB"),
        [(label, report.ms(report.median(painted[label])),
          report.ratio(report.median(painted[label]), report.median(painted[first])), report.ms(report.median(counted[label])),
          report.ms(report.median(rest[label])),
          report.ms(p50(label)), report.ratio(p50(label), p50(first)), report.ms(report.percentile(keys[label], 99)),
          round(report.median(cpu[label]) * 1e6), f"{report.median(peak[label]) / (1 << 20):.1f}")
         for label, *_ in ways])


def searched(bench):
    """As a command, in the second run and later ones."""
    rows = []
    places = {"one folder": bench.prose(), "folders": bench.place("prose-tree")}
    for number, name in enumerate(sorted(os.listdir(places["one folder"]))):
        part = os.path.join(places["folders"], f"folder-{number // 20:03d}")
        os.makedirs(part, exist_ok=True)
        os.link(os.path.join(places["one folder"], name), os.path.join(part, name))
    for word, count in ((RARE, 5), (COMMON, 495)):
        commands = [command for label, folder in places.items() for command in (
            Command(f"byteclub, {label}", [bench.binary, "--folder", folder, "search", word],
                    Program([], bench.place("home-prose")).environment()),
            Command(f"rg -i -F, sorted, {label}", ["rg", "-i", "-F", "-n", "--sort", "path", word, folder]))]
        taken = in_turn(bench, f"folders: {word}", commands, bench.rounds)
        rows += [(f"in {count} notes, {label}", report.ms(some.seconds), beside(some, taken["byteclub, one folder"]),
                  report.ms(some.cpu), f"{some.peak / (1 << 20):.0f}") for label, some in taken.items()]
    return report.table(
        f"folders: a word in {folders.SEARCHED:,} notes of 40 MB in {folders.SEARCHED // 20} folders and in one, as a command",
        f"Medians of {bench.rounds} rounds. Goal: no slower than in one folder.",
        ("word", "ms", "x byteclub, one folder", "CPU ms", "MiB"), rows)


def mended(bench):
    """Each note has a wiki link and a Markdown link to one note, which gets another name."""
    home, notes = bench.place("home-mend"), bench.place("mend")
    with Serve(bench.place("serve"), bench.server) as server:
        for number in range(1, LINKED + 1):
            with open(os.path.join(server.root, folders.name(number)), "w", encoding="ascii") as file:
                file.write(f"Note {number}.\n\nFrom [[a-pier]] one sees far, from [it]({OLD}), too.\n")
        with open(os.path.join(server.root, OLD), "w", encoding="ascii") as file:
            file.write("# The pier\n")
        shutil.copytree(server.root, notes)
        with open_club(bench, server, home) as program:
            program.read_until_painted(OLD, folders.name(20))
            program.settle(at_most=900)
    rows = []
    for label, program in (("a folder", Program([bench.binary, "--folder", notes], bench.place("home-mend-folder"))),
                           ("a network club, its server away", again(bench, server, home))):
        bench.tell(f"folders: links in {label}")
        with program:
            program.read_until_painted(OLD)
            program.settle()
            program.press(b"g", 0.2)
            program.press(b"R", 0.2)
            program.press(b"\x15" + NEW.encode(), 0.2)
            rows.append((label, report.ms(program.answer(b"\r", "Mend them?")),
                         report.ms(program.answer(b"y", "Mended links in"))))
    return report.table(
        f"folders: {2 * LINKED:,} links in {LINKED:,} notes mended after a rename",
        "In the app, once each: from Enter behind the new name to the question, which counts the links, and from `y` to the"
        " sentence that all are mended. Goal: 2 s.", ("", "to the question ms", "mended ms"), rows)
