"""A note with 1,000 remarks beside the same note without."""
import os

import report
from program import Program

LINES, REMARKS = 2000, 1000
QUIET = 0.15  # an answer is over when nothing has come for so long
GOAL_MS = 20


def run(bench):
    folder = bench.place("remarks")
    os.makedirs(folder)
    for name in ("plain.md", "talked.md"):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.writelines(line(number) + "\n\n" for number in range(LINES))
    with open(os.path.join(folder, "talked.md.talk.md"), "w", encoding="ascii") as file:
        file.write("# Remarks on talked.md\n\n")
        file.writelines(remark(number) for number in range(REMARKS))
    taken = {"plain.md": [], "talked.md": []}
    # Without a preview, which would have read the note before the key.
    with Program([bench.binary, "--folder", folder], bench.place("home-remarks"), size=(90, 40)) as program:
        program.read_until_painted("plain.md", "talked.md")
        program.settle()
        for number in range(max(10, bench.rounds)):
            bench.tell(f"remarks: round {number + 1}")
            for name in taken:
                taken[name].append(program.press(b"\r", QUIET)[1])
                program.press(b"\x1b", QUIET)
                program.press(program.down_key() if name == "plain.md" else b"k", QUIET)
    plain, talked = (report.median(taken[name]) for name in ("plain.md", "talked.md"))
    yield report.table(
        f"remarks: opening a note with {REMARKS:,} remarks",
        f"From Enter to the last byte of the answer: the same note of {LINES:,} paragraphs with and without remarks, of which"
        f" every second quotes other words. Medians of {len(taken['plain.md'])} rounds. Goal: {GOAL_MS} ms more than without.",
        ("", "ms", "ms more"),
        [("without remarks", report.ms(plain), ""), ("with remarks", report.ms(talked), report.ms(talked - plain))])


def line(number):
    return f"On day {number} the tide came to mark {number * 7919 % 100_003} of the old pier, and went again."


def remark(number):
    """Each second one is on words that no other one quotes, all over the note."""
    quote = number * 1999 % LINES
    place = f' on "came to mark {quote * 7919 % 100_003} of the old pier"' if number % 2 else ""
    letters = "abcdefghij"
    name = "".join(letters[int(digit)] for digit in f"{number:08d}")
    return f"- **ann** 2026-11-26 18:{number % 60:02d}Z {name}{place}: This is remark {number}, of a usual length.\n"
