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
# is one of them when its file uses one of these words, or is named for it. Task groups and threads do several things at
# one moment: a lock that was taken out of the server's quotas made their test fail 10 times of 12, so one time of six it
# would be FLAKY.
NEVER_AGAIN = re.compile(
    r"\bSeededNumbers\b|\bTestTier\b|\bStoreChecks?\b|\bSIGKILL\b|kill -9|\bChaos\b|[Hh]ostile|\bRivals?\b|[Rr]andom|TaskGroup\b|"
    r"\basync let\b|\bOperationQueue\b|\bconcurrentPerform\b")
NEVER_AGAIN_FILES = re.compile(r"Simulation|Kill|Hostile|Danger|Race|Rival|Chaos|Fault|Random|Lying|Checks|Durability")


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
    if NEVER_AGAIN_FILES.search(os.path.basename(path)):
        return True
    try:
        with open(path, encoding="utf-8") as source:
            return bool(NEVER_AGAIN.search(source.read()))
    except OSError:
        return True


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


def output(runs):
    """From the line that says that a test began to the line that says that it failed: a lane runs one at a time."""
    for run in runs:
        with open(run.log, encoding="utf-8", errors="replace") as text:
            lines = text.read().split("\n")
        begins = {}
        for number, line in enumerate(lines):
            if match := re.match(r"◇ Test (.*) started\.$", line):
                begins[match[1]] = number
            elif match := re.match(r"✘ Test (.*) failed after ", line):
                print("\n".join(lines[begins.get(match[1], number):number + 1]) + "\n")
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
