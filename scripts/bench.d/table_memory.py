"""How much memory a large folder takes."""
import folders
import report
from contenders import interleaved
from program import SIZES, on

ROOMS = ("Sources/App", "Sources/Club/ClubServices", "Sources/Club/Database", "Sources/Stores")
FILES = 100_000
ROUNDS = 3
MIB = 1 << 20


def run(bench):
    for size in SIZES:
        yield one(bench, size)


def one(bench, size):
    contenders = [bench.contenders.byteclub_first, bench.contenders.byteclub, bench.contenders.nnn, bench.contenders.mc]
    peak = {contender.label: [] for contender in contenders}
    for number, contender in interleaved(contenders, ROUNDS):
        bench.tell(f"memory: round {number + 1} of {ROUNDS}, {contender.label}")
        with contender.start(bench.folder(FILES), bench.homes, size) as program:
            program.read_until_painted(folders.name(1))
            program.settle()
            peak[contender.label].append(program.peak_memory())
    beside = report.median(peak[bench.contenders.nnn.label])
    return report.table(
        f"memory: {FILES:,} files{on(size)}",
        f"The most that was resident at once (VmHWM) from exec until the program has come to rest. Medians of {ROUNDS}"
        " rounds. Goal: 32 MiB.",
        ("", "MiB", "x nnn"),
        [(label, f"{report.median(values) / MIB:.1f}", report.ratio(report.median(values), beside))
         for label, values in peak.items()])


quick = run
