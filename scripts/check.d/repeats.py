"""Code that stands in two places: six equal lines in a row, beyond imports and declarations.

The head of a function ends a block, because a protocol gives it: only bodies are compared. A block that stays is in
ACCEPTED, with its reason."""
import re

from project import code, files, finding, finish, read

LINES = 6
# Lines such as "}" count, but some of the six have to say something.
LINES_WITH_WORDS = 4

# The names of the files, and the reason.
ACCEPTED = {
    frozenset({"LocalCopy.swift", "LocalCopy+Sending.swift"}): "the end of two functions that report an error and return false",
}

IMPORT = re.compile(r"^(@\w+(\([^)]*\))? )*((public|package|internal|private) )?import ")
DECLARATION = re.compile(r"^(@\w+(\([^)]*\))? )*((public|package|internal|private|fileprivate|static|mutating|override|convenience) )*"
                         r"(func\b|init[(<?]|protocol\b|subscript\b)")


def statements(path):
    """(number, line) of each line of code that is no import. The head of a function is one line that equals no other."""
    text = read(path)
    lines, bare = text.split("\n"), code(text).split("\n")
    depth, in_head = 0, False
    for number, line in enumerate(lines, 1):
        plain = bare[number - 1].strip()
        if not plain or IMPORT.match(plain):
            continue
        if not in_head and DECLARATION.match(plain):
            in_head, depth = True, 0
            yield number, f"{path}:{number}"
        if in_head:
            depth += plain.count("(") - plain.count(")")
            in_head = depth > 0 or plain.endswith(")") and not plain.endswith("{")
            continue
        yield number, line.strip()


places = {}
used = set()
for path in files("Sources/*.swift"):
    rows = list(statements(path))
    reported = -1
    for start in range(len(rows) - LINES + 1):
        block = tuple(line for _, line in rows[start:start + LINES])
        if sum(bool(re.search(r"\w", line)) for line in block) < LINES_WITH_WORDS:
            continue
        number = rows[start][0]
        first = places.setdefault(block, (path, number))
        if first == (path, number):
            continue
        names = frozenset(name.rsplit("/", 1)[-1] for name in (first[0], path))
        used.add(names)
        # A longer block is one finding.
        if names not in ACCEPTED and start > reported:
            finding(path, number, f"{first[0]}:{first[1]} has these six lines, too: write them once, or say why not in "
                    "scripts/check.d/repeats.py")
            reported = start + LINES - 1
for names in ACCEPTED.keys() - used:
    finding("scripts/check.d/repeats.py", 1, f"{' and '.join(sorted(names))} have no six equal lines: take their reason out")

finish()
