"""Sizes: long source files, large or generated files in the repository, a README that nobody would read to its end."""
import os
import re
import statistics

from project import files, finding, finish, read

LONGEST_SOURCE_LINES = 400
LARGEST_FILE_BYTES = 200_000
README_LINES = 250
GENERATED = re.compile(r"(^|/)(\.build[^/]*/|\.swiftpm/|__pycache__/|Package\.resolved$)")


def line_count(path):
    return len(read(path).splitlines())


lengths = {path: line_count(path) for path in files("Sources/*.swift")}
for path, length in lengths.items():
    if length > LONGEST_SOURCE_LINES:
        finding(path, LONGEST_SOURCE_LINES + 1, f"{length} lines, {LONGEST_SOURCE_LINES} is the limit: split it by concern")

for path in files(tracked_only=True):
    if os.path.getsize(path) > LARGEST_FILE_BYTES:
        finding(path, 1, f"{os.path.getsize(path)} bytes in the repository, {LARGEST_FILE_BYTES} is the limit")
    if GENERATED.search(path):
        finding(path, 1, "is generated and does not belong in the repository: git rm --cached it")

if not os.path.isfile("README.md"):
    finding("README.md", 1, "is missing")
elif line_count("README.md") >= README_LINES:
    finding("README.md", README_LINES, f"{line_count('README.md')} lines, the limit is {README_LINES - 1}")

if lengths:
    longest = max(lengths, key=lengths.get)
    median = round(statistics.median(lengths.values()))
    print(f"{len(lengths)} source files, median {median} lines, longest {lengths[longest]} ({longest})", flush=True)

finish()
