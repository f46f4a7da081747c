"""Tests that a busy machine could make fail: sleeps, limits under ten seconds, real or processor time that is measured.

Each such line is in a test with the trait `.timing`, which runs last, alone; or it says at its end or on the line before
why the machine's pace does not matter: `// at any pace: ...` (a limit that has to expire, a pause between two looks). A
helper cannot carry the trait, so it has to say it. `clocks.py --list` prints all of them, helpers with the number of calls:
in their own room, or in all if they are of Tests/Kit."""
import re
import sys

from project import code, files, finding, finish, read, room

SLEEP = re.compile(r"\b(?:usleep|nanosleep|sleep)\(|\bTask\.sleep\b|\bThread\.sleep\b|\bpoll\(nil\b")
SHORT = r"\.(?:milliseconds\(|microseconds\(|seconds\((?:0?\.\d+|[0-9](?:\.\d+)?)\))"
LABEL = r"\b(?:timeout|patience|cancelPatience|idle|whole|connect|within|limit|waiting|rest):\s*"
# No milliseconds at all are a look, without a wait.
LIMIT = re.compile(LABEL + SHORT + r"|\bmilliseconds:\s*[1-9]\d{0,3}\b")
MEASURED = re.compile(r"<=?\s*(?:\w+\s*\+\s*)?" + SHORT)
# A busy machine adds less to it, but not nothing: caches are shared.
PROCESSOR = re.compile(r"\bThreadTime\.seconds - |\bworked\(.*<\s*" + SHORT)
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
    if PROCESSOR.search(line):
        return "processor time is measured"
    return "real time is measured" if has_clock and MEASURED.search(line) else None


def calls(name, path):
    """How often a helper is called. Where other files have a function of that name, too, only calls count that begin with
    the same label, in files that name the helper's type."""
    call = rf"(?<!func )\b{re.escape(name)}\("
    made = re.search(rf"^(.*)\bfunc {re.escape(name)}(?:<[^>]*>)?\(\s*(\w*)", texts[path], re.M)
    if made is None or "private" in made[1]:
        return max(1, len(re.findall(call, texts[path])))
    reach = [other for place, other in texts.items() if path.startswith("Tests/Kit/") or room(place) == room(path)]
    if any(re.search(rf"\bfunc {re.escape(name)}\b", other) for place, other in texts.items() if place != path):
        types = re.findall(r"^.*\b(?:struct|class|enum|actor|extension|protocol) (\w+)", texts[path][:made.start()], re.M)
        reach = [other for other in reach if re.search(rf"\b{types[-1] if types else name}\b", other)]
        call += r"(?!\w+:)" if made[2] == "_" else rf"(?:\s*{made[2]}:|\))" if made[2] else r"\)"
    return max(1, sum(len(re.findall(call, other)) for other in reach))


# Lines, and what they are found to be.
LINES = [
    ("usleep(20)", "a sleep"), ("poll(nil, 0, 15)", "a sleep"), ("try await clock.sleep(until: end)", None),
    ("wait(timeout: .seconds(9.5))", "a short limit"), ("wait(timeout: .seconds(10))", None),
    ("take(a, waiting: .milliseconds(20))", "a short limit"), ("Served(rest: .seconds(20))", None),
    ("pool(cancelPatience: .milliseconds(1))", "a short limit"), ("receive(milliseconds: 300)", "a short limit"),
    ("receive(milliseconds: 0)", None), ("receive(milliseconds: 240_000)", None),
    ("return ThreadTime.seconds - start", "processor time is measured"), ("let start = ThreadTime.seconds", None),
    ("#expect(worked(worker) - before < .seconds(5))", "processor time is measured"),
    ("until { worked(worker) - before > .milliseconds(5) }", None),
    ("#expect(ContinuousClock.now - start < .seconds(5))", "real time is measured"),
]
for line, what in LINES:
    if (found := kind(line, REAL_CLOCK.search(line))) != what:
        finding("scripts/check.d/clocks.py", 1, f"\"{line}\" is found to be {found}, not {what}")

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
        count = 1 if is_test else calls(name, path)
        listed.append((path, number + 1, what, count, original[number].strip()))
        if is_timed:
            continue
        if AT_ANY_PACE.search(original[number] + (original[number - 1] if number else "")):
            paced += 1
            continue
        finding(path, number + 1, f"{what}: wait for the event, inject a clock, or give the test `.timing`")
if "--list" in sys.argv:
    for path, number, what, count, line in listed:
        print(f"{path}:{number}: {what}, {count} times: {line[:100]}")
print(f"{timed} tests need a real clock, {paced} limits and pauses are at any pace", flush=True)
if timed >= MOST_TIMED:
    finding("Tests", 1, f"{timed} tests need a real clock, the limit is {MOST_TIMED - 1}")
finish()
