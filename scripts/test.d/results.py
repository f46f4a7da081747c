"""Reads the event streams of the test runner (JSON lines, version 0), for scripts/test.

  results.py timed LANE...      the tests that were left for the end: a pattern for --filter a line
  results.py failed LANE...     the tests that failed: "again" or "never", a pattern for --filter and the name, with tabs
  results.py output LANE...     each failed test's whole output
  results.py slowest LANE...    the thirty slowest tests

A lane is one process of the runner; its events are in test.LANE.events, its output in test.LANE.log.
"""
import json
import os
import re
import sys

# scripts/test skips these tests in its lanes (the trait `.timing` gives this sentence) and runs them afterwards.
LEFT_FOR_THE_END = "Runs last, alone"

# A second run of such a test proves nothing: it would hide a fault that needs a seed, a moment or a hostile input. A test
# is one of these kinds when its file uses one of the words, or is named for it.
NEVER_AGAIN = {
    "a seed, or a share of combinations": r"\bSeededNumbers\b|\bSharedNumbers\b|\bTestTier\b|\bseeds?\b|[Rr]andom",
    "a simulation": r"Simulation",
    "a kill or a crash": r"\bSIGKILL\b|\bsignal\(9\)|\bkill(?:ed)?\b|\bcrash",
    "promises of all stores": r"\bStoreChecks?\b|\bLieCheck\b",
    "hostile input":
        r"[Hh]ostile|\b[Ll]ies\b|\b[Ll]ying\b|[Ee]ndless|[Ff]orged|[Gg]arbage|[Nn]onsense|\bdamaged|\bevil\b|\b[Bb]omb",
    # The other side says the same each time: only the order of our own steps can differ.
    "answers by a script": r"\bScripted\w+|\b(?:DropboxV?\d?|S3)Scene\b",
    # A lock that was taken out of the server's quotas made their test fail 10 times of 12: one time of six it would be FLAKY.
    "several things at one moment": r"\bRivals?\b|TaskGroup\b|\basync let\b|\bOperationQueue\b|\bconcurrentPerform\b|\bChaos\b",
}
NEVER_AGAIN_FILES = re.compile(r"Simulation|Kill|Hostile|Danger|Race|Rival|Chaos|Fault|Random|Lying|Lie|Endless|Checks|Durability")


class Run:
    """One process of the test runner."""

    def __init__(self, lane):
        self.lane, self.log, path = lane, f"test.{lane}.log", f"test.{lane}.events"
        self.tests, self.failed, self.skipped, self.times, self.ended = {}, set(), {}, {}, False
        started = {}
        for record in records(path):
            payload = record.get("payload", {})
            if record.get("kind") == "test":
                self.tests[payload["id"]] = payload
                continue
            kind, test = payload.get("kind"), payload.get("testID")
            said = " ".join(message.get("text", "") for message in payload.get("messages", []))
            now = payload.get("instant", {}).get("absolute", 0)
            if kind == "runEnded":
                self.ended = True
            elif kind == "testStarted":
                started[test] = now
            elif kind == "testEnded" and test in started:
                self.times[test] = now - started[test]
            elif kind == "testSkipped":
                self.skipped[test] = said
            elif kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown", False):
                self.failed.add(test)

    def is_suite(self, test):
        return self.tests.get(test, {}).get("kind") == "suite"

    def file(self, test):
        return self.tests.get(test, {}).get("sourceLocation", {}).get("_filePath", "")

    def name(self, test):
        payload = self.tests.get(test, {})
        return payload.get("displayName") or payload.get("name", test or "an issue")


def records(path):
    """What a process that was killed wrote last may be half a line."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            try:
                yield json.loads(line)
            except ValueError:
                return


def pattern(test):
    """Matches this test (or this suite's tests) alone. The id ends with the place in the file, which the filter does not see."""
    name = re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test)
    return "^" + re.escape(name).replace(r"\ ", " ") + "(/|$)"


def never_again(path):
    """The kind of such a test; None for one that may run again."""
    if NEVER_AGAIN_FILES.search(os.path.basename(path)):
        return "its file's name"
    try:
        with open(path, encoding="utf-8") as source:
            text = source.read()
    except OSError:
        return "a file that cannot be read"
    return next((kind for kind, words in NEVER_AGAIN.items() if re.search(words, text)), None)


def timed(runs):
    seen = {pattern(test) for run in runs for test, said in run.skipped.items() if LEFT_FOR_THE_END in said}
    print("\n".join(sorted(seen)), end="\n" if seen else "")


def failed(runs):
    for run in runs:
        # Tests that never ran have no events.
        if not run.ended:
            print("never", "-", f"the lane \"{run.lane}\", which ended too early", sep="\t")
        for test in run.failed:
            if test is None or run.is_suite(test):
                print("never", "-", f"{run.name(test)} (outside of a test, lane \"{run.lane}\")", sep="\t")
            else:
                print("never" if never_again(run.file(test)) else "again", pattern(test), run.name(test), sep="\t")


def outputs(lines):
    """Of each failed test the lines from the one that says that it began to the one that says that it failed: a lane runs one
    at a time. One with arguments says at its end how many of them failed."""
    begins = {}
    for number, line in enumerate(lines):
        if match := re.match(r"◇ Test (.*) started\.$", line):
            begins[match[1]] = number
        elif match := re.match(r"✘ Test (.*) failed after ", line):
            name = re.sub(r" with \d+ test cases?$", "", match[1])
            yield lines[begins.get(name, number):number + 1]


def output(runs):
    for run in runs:
        with open(run.log, encoding="utf-8", errors="replace") as text:
            lines = text.read().split("\n")
        for found in outputs(lines):
            print("\n".join(found) + "\n")
        if not run.ended:
            print(f"This process of the test runner ended too early. The end of its output ({run.log}):")
            print("\n".join(lines[-60:]))


def slowest(runs):
    rows = [(seconds, run.name(test)) for run in runs for test, seconds in run.times.items() if not run.is_suite(test)]
    for seconds, name in sorted(rows, reverse=True)[:30]:
        print(f"{seconds:.1f} {name}")


if __name__ == "__main__":
    {"timed": timed, "failed": failed, "output": output, "slowest": slowest}[sys.argv[1]](
        [Run(lane) for lane in sys.argv[2:]])
