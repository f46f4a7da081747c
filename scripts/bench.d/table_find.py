"""How long a typed letter takes in find-as-you-type."""
import folders
import report
from contenders import interleaved
from program import SIZES, Stalled, on

ROOMS = ("Sources/App/Screens", "Sources/App/TextUI", "Sources/Club/ClubServices")
FILES = 100_000
QUIET = 0.030  # an answer may be a first paint and a better one; a preview comes after 45 ms without a key
BACKSPACE = b"\x7f"
# Narrows to a few, takes it back, and narrows to others: the digits first match nearly everything.
TYPED = [b"0", b"4", b"2", b"1", BACKSPACE, BACKSPACE, BACKSPACE, b"9", b"8", b"7", b"."]
AFTER = {4: "0421", 10: "0987"}  # so many keys on, a row with this must be on the screen


def run(bench):
    for size in SIZES:
        yield one(bench, size)


def one(bench, size):
    contenders = [bench.contenders.byteclub, bench.contenders.nnn]
    last = {contender.label: [] for contender in contenders}
    cpu = {contender.label: [] for contender in contenders}
    for number, contender in interleaved(contenders, bench.rounds):
        bench.tell(f"find: round {number + 1} of {bench.rounds}, {contender.label}")
        with contender.start(bench.folder(FILES), bench.homes, size) as program:
            program.read_until_painted(folders.name(1))
            program.settle()
            program.press(b"/", QUIET)
            before = program.cpu()
            for count, key in enumerate(TYPED, 1):
                _, to_last, _ = program.press(key, QUIET)
                last[contender.label].append(to_last)
                if count in AFTER and not any(AFTER[count] in line and "note-" in line for line in program.screen().lines()):
                    raise Stalled(f"{contender.label} shows no row with {AFTER[count]}:\n" + "\n".join(program.screen().lines()))
            cpu[contender.label].append((program.cpu() - before) / len(TYPED))
    peer = last[bench.contenders.nnn.label]
    return report.table(
        f"find: as you type, {FILES:,} names{on(size)}",
        f"From each typed key to the last byte of the answer (nothing more for {QUIET * 1000:.0f} ms), {bench.rounds} x"
        f" {len(TYPED)} keys, narrowing and widening. Goal: p50 5 ms, p99 16 ms.",
        ("", "p50 ms", "p99 ms", "worst ms", "p50 x nnn", "CPU ms a key"),
        [(label, report.ms(report.percentile(values, 50)), report.ms(report.percentile(values, 99)), report.ms(max(values)),
          report.ratio(report.percentile(values, 50), report.percentile(peer, 50)), report.ms(report.median(cpu[label])))
         for label, values in last.items()])


quick = run
