"""Tests whose second run would prove nothing are not repeated (scripts/test.d/results.py): one file of each kind, and some
that depend on this machine, which may run once more."""
import os
import sys

from project import files, finding, finish

sys.path.insert(0, "scripts/test.d")
import results

NEVER = [
    "ClubSimulationTests.swift", "SerialLinesTests.swift", "EndlessLists.swift", "S3PartTests.swift",
    "S3HostileTests.swift", "DropboxStoreTests.swift", "WebDAVLieTests.swift", "JournalTests.swift",
    "FolderRaces.swift", "TrashReadingTests.swift",
]
MAY = ["TerminalTests+List.swift", "TerminalTests+Window.swift", "FakeTerminalTests.swift"]

known = {os.path.basename(path): path for path in files("Tests/*.swift")}
for name in NEVER + MAY:
    if name not in known:
        finding("scripts/check.d/again.py", 1, f"{name} is no file of the tests")
    elif (results.never_again(known[name]) is None) != (name in MAY):
        finding(known[name], 1, "it would be repeated" if name in NEVER else "it would not be repeated")

finish()
