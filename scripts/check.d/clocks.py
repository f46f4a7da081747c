"""Tests that a busy machine could make fail: sleeps, limits under ten seconds, real time that is measured.

Each such line is in a test with the trait `.timing`, which runs last, alone; or says at its end or on the line before why
the machine's pace does not matter: `// at any pace: ...` (a limit that has to expire, a pause between two looks). A helper
with such a line counts at each call in its target. `clocks.py --list` prints them all."""
import re
import sys

from project import code, files, finding, finish, read

SLEEP = re.compile(r"\b(?:usleep|nanosleep|sleep)\(|\bTask\.sleep\b|\bThread\.sleep\b")
SHORT = r"\.(?:milliseconds\(|microseconds\(|seconds\((?:0?\.\d+|[0-9](?:\.\d+)?)\))"
LIMIT = re.compile(r"\b(?:timeout|patience|idle|whole|connect|within|limit):\s*" + SHORT)
MEASURED = re.compile(r"[<>]=?\s*(?:\w+\s*\+\s*)?" + SHORT)
REAL_CLOCK = re.compile(r"\bContinuousClock\b|\bSuspendingClock\b")
MANUAL = re.compile(r"ManualClock|func sleep\(until")
AT_ANY_PACE = re.compile(r"//\s*at any pace:\s*\S")
BEGINS = re.compile(r"^ *(?:@Test\b|(?:(?:private|fileprivate|public|static|mutating|package|nonisolated)\s+)*func\s)")
NAME = re.compile(r"\bfunc\s+(`[^`]+`|\w+)")
MOST_TIMED = 20


def spans(lines):
    """Each function at the level of a type or file: first and last line, name, whether it is a test, whether it is timed."""
    begins, pending = [], None
    for number, line in enumerate(lines):
        if re.match(r"^ {0,4}@Test\b", line):
            pending = number
        match = re.match(r"^ {0,4}(?:\) |@Test.*\) )?(?:@\w+(?:\([^)]*\))? )*(?:(?:private|fileprivate|public|static|mutating|package|nonisolated) )*func (`[^`]+`|\w+)", line)
        if match:
            begins.append((pending if pending is not None else number, match[1], pending is not None, number))
            pending = None
    for index, (first, name, is_test, number) in enumerate(begins):
        last = begins[index + 1][0] - 1 if index + 1 < len(begins) else len(lines) - 1
        yield first, last, name, is_test, is_test and ".timing(" in "\n".join(lines[first:number + 1])


timed, paced, listed = 0, 0, []
helpers = {}  # target, name -> where it waits
tests = files("Tests/*.swift")
for path in tests:
    text = read(path)
    original, lines = text.split("\n"), code(text).split("\n")
    functions = list(spans(lines))
    timed += sum(is_timed for *_, is_timed in functions)
    has_clock = bool(REAL_CLOCK.search(text))
    for number, line in enumerate(lines):
        what = ("a sleep" if SLEEP.search(line) and not MANUAL.search(line) and not re.search(r"func sleep|[cC]lock(?:\(\))?\.sleep\(until", line) else
                "a short limit" if LIMIT.search(line) else
                "real time is measured" if has_clock and MEASURED.search(line) else None)
        if what is None:
            continue
        near = original[number] + (original[number - 1] if number else "")
        owner = next((f for f in functions if f[0] <= number <= f[1]), None)
        listed.append((path, number + 1, what, original[number].strip()))
        if owner and owner[4]:
            continue
        if AT_ANY_PACE.search(near):
            paced += 1
            continue
        finding(path, number + 1, f"{what}: wait for the event, inject a clock, or give the test `.timing` (scripts/check.d/clocks.py)")
if "--list" in sys.argv:
    for path, number, what, line in listed:
        print(f"{path}:{number}: {what}: {line[:100]}")
print(f"{timed} tests need a real clock, {paced} limits and pauses are at any pace", flush=True)
if timed >= MOST_TIMED:
    finding("Tests", 1, f"{timed} tests need a real clock, the limit is {MOST_TIMED - 1}")
finish()
