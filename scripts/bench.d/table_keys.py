"""How long a key takes: the arrow down in a list of 100,000, one at a time and 500 at once."""
import folders
import report
import rows
from contenders import interleaved
from program import SIZES, on

ROOMS = ("Sources/App/Screens", "Sources/App/TextUI", "Sources/App/CursesTerminal", "Sources/Club/ClubServices")
FILES = 100_000
KEYS = 100  # a round
QUIET = 0.020  # an answer is over when nothing has come for so long; a preview comes after 45 ms without a key
QUEUED = 500
PREVIEWS = 30  # a round


def run(bench):
    for size in SIZES:
        yield singly(bench, size)
        yield queued(bench, size)
    yield preview(bench)


quick = run


def contenders(bench):
    return [bench.contenders.byteclub, bench.contenders.nnn, bench.contenders.mc]


def started(bench, contender, size):
    return contender.start(bench.folder(FILES), bench.homes, size)


def singly(bench, size):
    first, last, count, cpu = ({contender.label: [] for contender in contenders(bench)} for _ in range(4))
    rounds = max(3, bench.rounds // 3)
    for number, contender in interleaved(contenders(bench), rounds):
        bench.tell(f"keys: round {number + 1} of {rounds}, {contender.label}")
        with started(bench, contender, size) as program:
            program.read_until_painted(folders.name(1))
            program.settle()
            key = program.down_key()
            before = program.cpu()
            for _ in range(KEYS):
                to_first, to_last, answer = program.press(key, QUIET)
                first[contender.label].append(to_first)
                last[contender.label].append(to_last)
                count[contender.label].append(answer)
            cpu[contender.label].append((program.cpu() - before) / KEYS)
    peer = bench.contenders.nnn.label
    p50, p99 = (lambda values: report.percentile(values, 50)), (lambda values: report.percentile(values, 99))
    lines = [
        (label, report.ms(p50(first[label])), report.ms(p50(last[label])), report.ms(report.percentile(last[label], 90)),
         report.ms(p99(last[label])), report.ratio(p50(last[label]), p50(last[peer])),
         report.ratio(p99(last[label]), p99(last[peer])), round(report.median(cpu[label]) * 1e6),
         round(report.median(count[label])))
        for label in last
    ]
    return report.table(
        f"keys: arrow down among {FILES:,} files{on(size)}",
        f"From writing the key to the last byte of the answer (nothing more for {QUIET * 1000:.0f} ms), {rounds} x {KEYS}"
        " keys. Goal: p50 no worse than nnn, p99 within three times.",
        ("", "first byte p50 ms", "p50 ms", "p90 ms", "p99 ms", "p50 x nnn", "p99 x nnn", "CPU us a key", "bytes a key"),
        lines)


def queued(bench, size):
    last, count, cpu, moved = ({contender.label: [] for contender in contenders(bench)} for _ in range(4))
    for number, contender in interleaved(contenders(bench), bench.rounds):
        bench.tell(f"queued keys: round {number + 1} of {bench.rounds}, {contender.label}")
        with started(bench, contender, size) as program:
            program.read_until_painted(folders.name(1))
            program.settle()
            at, before = rows.cursor(program.screen()), program.cpu()
            _, to_last, answer = program.press(program.down_key() * QUEUED, quiet=2 * QUIET)
            last[contender.label].append(to_last)
            count[contender.label].append(answer)
            cpu[contender.label].append(program.cpu() - before)
            moved[contender.label].append(rows.cursor(program.screen()) - at)
    peer = bench.contenders.nnn.label
    lines = [
        (label, report.ms(report.median(last[label])), report.ratio(report.median(last[label]), report.median(last[peer])),
         report.ms(report.median(cpu[label])), f"{report.median(count[label]):,.0f}", min(moved[label]))
        for label in last
    ]
    return report.table(
        f"keys: {QUEUED} arrows down at once{on(size)}",
        f"Written in one piece; the time until the last byte of the last paint. Medians of {bench.rounds} rounds; the rows"
        f" that the cursor moved are the fewest of all rounds. Goal: 5 ms, and {QUEUED} rows.",
        ("", "ms", "x nnn", "CPU ms", "bytes", "rows moved"), lines)


def preview(bench):
    """A key of a member who then rests: the row is answered at once, its preview follows."""
    taken = []
    rounds = max(3, bench.rounds // 3)
    for number in range(rounds):
        bench.tell(f"keys: previews, round {number + 1} of {rounds}")
        with bench.contenders.byteclub.start(bench.prose(), bench.homes) as program:
            program.read_until_painted(folders.name(1))
            program.settle()
            key = program.down_key()
            taken += [program.press(key, 0.1)[:2] for _ in range(PREVIEWS)]
    times = [[pair[place] for pair in taken] for place in (0, 1)]
    return report.table(
        "keys: from a key to the preview of its row",
        f"Arrows down among {folders.SEARCHED:,} notes of 4 KB, {rounds} x {PREVIEWS}, each at rest: to the first byte of the"
        " answer, and to the last one of the preview. Goal: 50 ms.",
        ("", "p50 ms", "p90 ms", "worst ms"),
        [(label, *(report.ms(report.percentile(values, share)) for share in (50, 90, 100)))
         for label, values in zip(("the row", "its preview"), times)])
