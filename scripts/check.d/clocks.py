"""Tests that a busy machine could make fail: sleeps, limits under ten seconds, real time that is measured.

Each such line is in a test with the trait `.timing`, which runs last, alone; or it says at its end or on the line before
why the machine's pace does not matter: `// at any pace: ...` (a limit that has to expire, a pause between two looks). A
helper cannot carry the trait, so it has to say it. `clocks.py --list` prints all of them, helpers once for each call."""
import re
import sys

from project import code, files, finding, finish, read, room

SLEEP = re.compile(r"\b(?:usleep|nanosleep|sleep)\(|\bTask\.sleep\b|\bThread\.sleep\b")
SHORT = r"\.(?:milliseconds\(|microseconds\(|seconds\((?:0?\.\d+|[0-9](?:\.\d+)?)\))"
LIMIT = re.compile(r"\b(?:timeout|patience|idle|whole|connect|within|limit):\s*" + SHORT)
MEASURED = re.compile(r"<=?\s*(?:\w+\s*\+\s*)?" + SHORT)
REAL_CLOCK = re.compile(r"\bContinuousClock\b|\bSuspendingClock\b")
INJECTED = re.compile(r"ManualClock|func sleep\(|[cC]lock(?:\(\))?\.sleep\(until")
AT_ANY_PACE = re.compile(r"//\s*at any pace:\s*\S")
FUNCTION = re.compile(
    r"^ {0,2}(?:\) |@Test.*\) )?(?:@\w+(?:\([^)]*\))? )*"
    r"(?:(?:private|fileprivate|public|static|mutating|package|nonisolated) )*func (`[^`]+`|\w+)")
MOST_TIMED = 20


def functions(lines):
    """Each function of a type or file: first and last line, name, whether it is a test, whether it is timed."""
    begins, test = [], None
    for number, line in enumerate(lines):
        if re.match(r"^ {0,2}@Test\b", line):
            test = number
        if match := FUNCTION.match(line):
            begins.append((number if test is None else test, number, match[1], test is not None))
            test = None
    for index, (first, name_line, name, is_test) in enumerate(begins):
        last = begins[index + 1][0] - 1 if index + 1 < len(begins) else len(lines) - 1
        yield first, last, name, is_test, is_test and ".timing(" in "\n".join(lines[first:name_line + 1])


def kind(line, has_clock):
    if SLEEP.search(line) and not INJECTED.search(line):
        return "a sleep"
    if LIMIT.search(line):
        return "a short limit"
    return "real time is measured" if has_clock and MEASURED.search(line) else None


timed, paced, listed = 0, 0, []
texts = {path: read(path) for path in files("Tests/*.swift")}
for path, text in texts.items():
    original, lines = text.split("\n"), code(text).split("\n")
    all_functions, has_clock = list(functions(lines)), REAL_CLOCK.search(text)
    timed += sum(is_timed for *_, is_timed in all_functions)
    for number, line in enumerate(lines):
        what = kind(line, has_clock)
        if what is None:
            continue
        _, _, name, is_test, is_timed = next(
            (found for found in all_functions if found[0] <= number <= found[1]), (0, 0, "", True, False))
        calls = 1 if is_test else max(1, sum(
            len(re.findall(rf"(?<!func )\b{re.escape(name)}\(", other)) for place, other in texts.items()
            if room(place) == room(path)))
        listed.append((path, number + 1, what, calls, original[number].strip()))
        if is_timed:
            continue
        if AT_ANY_PACE.search(original[number] + (original[number - 1] if number else "")):
            paced += 1
            continue
        finding(path, number + 1, f"{what}: wait for the event, inject a clock, or give the test `.timing`")
if "--list" in sys.argv:
    for path, number, what, calls, line in listed:
        print(f"{path}:{number}: {what}, {calls} times: {line[:100]}")
print(f"{timed} tests need a real clock, {paced} limits and pauses are at any pace", flush=True)
if timed >= MOST_TIMED:
    finding("Tests", 1, f"{timed} tests need a real clock, the limit is {MOST_TIMED - 1}")
finish()
