"""How long until a folder is on the screen."""
import folders
import report
from contenders import interleaved


def run(bench):
    yield one(bench, 10_000, "no slower than nnn")
    yield one(bench, 100_000, "half of nnn's time")


def one(bench, count, goal):
    folder = bench.folder(count)
    who = bench.contenders
    contenders = [who.byteclub_first, who.byteclub, who.nnn, who.mc]
    wall, cpu, whole = ({contender.label: [] for contender in contenders} for _ in range(3))
    for contender in contenders:  # not counted: files and programs come into the page cache
        measure(bench, contender, folder)
    for number, contender in interleaved(contenders, bench.rounds):
        bench.tell(f"open, {count} files: round {number + 1} of {bench.rounds}, {contender.label}")
        for column, value in zip((wall, cpu, whole), measure(bench, contender, folder)):
            column[contender.label].append(value)
    peer = who.nnn.label
    rows = [
        (label, report.ms(report.median(wall[label])), report.ms(min(wall[label])),
         report.ratio(report.median(wall[label]), report.median(wall[peer])), report.ms(report.median(cpu[label])),
         report.ratio(report.median(cpu[label]), report.median(cpu[peer])), report.ms(report.median(whole[label])))
        for label in wall
    ]
    return report.table(
        f"open: first paint of {count:,} files",
        f"From exec to the frame in which the first and the 20th row are on the screen. Medians of {bench.rounds} rounds."
        f" Goal: {goal}. The last column is the CPU time until the program has come to rest.",
        ("", "ms", "best", "x nnn", "CPU ms", "x nnn", "CPU ms at rest"), rows)


def measure(bench, contender, folder):
    with contender.start(folder, bench.homes) as program:
        painted, cpu = program.read_until_painted(folders.name(1), folders.name(20))
        program.settle(quiet=0.25)
        return painted - program.started, cpu, program.cpu()
