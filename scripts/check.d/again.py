"""What scripts/test.d/results.py makes of the tests that failed. Those whose second run would prove nothing are not
repeated: one file of each kind stands here, and some that depend on this machine, which may run once more. The whole
output of each is found. And what scripts/nightly.d/flaky.py says of Tests/flaky.md."""
import datetime
import os
import sys

from project import files, finding, finish

sys.path[:0] = ["scripts/test.d", "scripts/nightly.d"]
import flaky
import results

NEVER = [
    "ClubSimulationTests.swift", "SerialLinesTests.swift", "EndlessLists.swift", "S3PartTests.swift",
    "S3HostileTests.swift", "DropboxStoreTests.swift", "WebDAVLieTests.swift", "JournalTests.swift",
    "FolderRaces.swift", "TrashReadingTests.swift", "ResolverTests.swift", "EscapeVerbTests.swift", "PhotoTransferTests.swift",
]
MAY = ["TerminalTests+List.swift", "TerminalTests+Window.swift", "FakeTerminalTests.swift"]

# What the test runner prints, with the names as it prints them, and the first words of each failed test's own lines.
LOG = """◇ Test run started.
◇ Suite OneTests started.
◇ Test plain() started.
said by plain
✘ Test plain() recorded an issue at OneTests.swift:3:5: Expectation failed
✘ Test plain() failed after 0.1 seconds with 1 issue.
◇ Test "a name that failed after all" started.
✔ Test "a name that failed after all" passed after 0.1 seconds.
◇ Test "three arguments" started.
◇ Test case passing 1 argument n → 1 to "three arguments" started.
said by three
✘ Test "three arguments" with 3 test cases failed after 0.1 seconds with 3 issues.
◇ Test one(n:) started.
said by one
✘ Test one(n:) with 1 test case failed after 0.1 seconds with 1 issue.
◇ Test `ticks` started.
said by ticks
✘ Test `ticks` failed after 0.1 seconds with 1 issue.
◇ Test "which failed after one try" started.
said by which
✘ Test "which failed after one try" with 2 test cases failed after 0.1 seconds with 1 issue.
✘ Suite OneTests failed after 0.5 seconds with 7 issues.
✘ Test run with 6 tests in 1 suite failed after 0.5 seconds with 7 issues."""
FAILED = ["plain", "three", "one", "ticks", "which"]

# Rows of Tests/flaky.md, and how many faults they have on the first of May.
TODAY = datetime.date(2026, 5, 1)
FLAKY = [
    ([], 0),
    (["| 2026-04-30 | one | slow |", "| 2026-04-17 | two \\| three | slow |"], 0),
    (["| 2026-04-16 | one | slow |"], 1),
    (["| 2026-04-30 | one | slow |", "| 2026-04-30 | two | slow |", "| 2026-05-01 | three | slow |"], 1),
    (["| 2026-4-30 | one | slow |"], 1),
    (["| 2026-02-30 | one | slow |"], 1),
    (["|  | one | slow |", "| 2026-04-01 | two | slow |", "| soon | three | slow |"], 4),
    (["| yesterday |"], 1),
]

known = {os.path.basename(path): path for path in files("Tests/*.swift")}
for name in NEVER + MAY:
    if name not in known:
        finding("scripts/check.d/again.py", 1, f"{name} is no file of the tests")
    elif (results.never_again(known[name]) is None) != (name in MAY):
        finding(known[name], 1, "it would be repeated" if name in NEVER else "it would not be repeated")

said = ["\n".join(found) for found in results.outputs(LOG.split("\n"))]
# The last is the line of the whole run.
if len(said) != len(FAILED) + 1:
    finding("scripts/test.d/results.py", 1, f"{len(said) - 1} failed tests have an output, not {len(FAILED)}")
for name, text in zip(FAILED, said):
    if not text.startswith("◇ Test ") or f"said by {name}" not in text or text.count(" failed after 0") != 1:
        finding("scripts/test.d/results.py", 1, f"the output of \"{name}\" is {text!r}")

for rows, count in FLAKY:
    faults = list(flaky.findings("\n".join(["# Tests", "| since | test | symptom |", "|---|---|---|", *rows, ""]), TODAY))
    if len(faults) != count:
        finding("scripts/nightly.d/flaky.py", 1, f"{rows} have {count} faults, not {faults}")

finish()
