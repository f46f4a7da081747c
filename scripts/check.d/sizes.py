"""Sizes: long and tiny source files, file names that occur twice, large or generated files in the repository, and documents that nobody would read to their end."""
import os
import re
import statistics

from project import files, finding, finish, read

LONGEST_SOURCE_LINES = 400
SMALLEST_SOURCE_LINES = 12
LARGEST_FILE_BYTES = 200_000
README_LINES = 120
MOST_BYTES = {"ARCHITECTURE.md": 14_336, "CHANGELOG.md": 8_192}
# The entry point, the version, which a release changes, and the words for errno, which every room uses.
STANDS_ALONE = {"Byteclub.swift", "BuildVersion.swift", "SystemError.swift"}
GENERATED = re.compile(r"(^|/)(\.build[^/]*/|\.swiftpm/|__pycache__/|Package\.resolved$)")


def line_count(path):
    return len(read(path).splitlines())


lengths = {path: line_count(path) for path in files("Sources/*.swift")}
for path, length in lengths.items():
    if length > LONGEST_SOURCE_LINES:
        finding(path, LONGEST_SOURCE_LINES + 1, f"{length} lines, {LONGEST_SOURCE_LINES} is the limit: split it by concern")
    if length < SMALLEST_SOURCE_LINES and os.path.basename(path) not in STANDS_ALONE:
        finding(path, 1, f"{length} lines: a type this small lives with the type that uses it")

by_name = {}
for path in lengths:
    by_name.setdefault(os.path.basename(path), []).append(path)
for name, paths in by_name.items():
    for path in paths[1:]:
        finding(path, 1, f"{paths[0]} has the same name: name one of them for what only it holds")

for path in files(tracked_only=True):
    if os.path.getsize(path) > LARGEST_FILE_BYTES:
        finding(path, 1, f"{os.path.getsize(path)} bytes in the repository, {LARGEST_FILE_BYTES} is the limit")
    if GENERATED.search(path):
        finding(path, 1, "is generated and does not belong in the repository: git rm --cached it")

if not os.path.isfile("README.md"):
    finding("README.md", 1, "is missing")
elif line_count("README.md") > README_LINES:
    finding("README.md", README_LINES + 1, f"{line_count('README.md')} lines, the limit is {README_LINES}")

for path, most in MOST_BYTES.items():
    if not os.path.isfile(path):
        finding(path, 1, "is missing")
    elif os.path.getsize(path) > most:
        finding(path, 1, f"{os.path.getsize(path):,} bytes, the limit is {most:,}")

if lengths:
    longest = max(lengths, key=lengths.get)
    median = round(statistics.median(lengths.values()))
    print(f"{len(lengths)} source files, median {median} lines, longest {lengths[longest]} ({longest})", flush=True)

finish()
