"""A table beside the one that BENCHMARKS.md has under the same heading: each figure becomes "recorded -> now"."""
import functools
import os
import re

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "BENCHMARKS.md")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows(lines):
    """The rows of the first table among the lines, by their first cell; the head's is the name of no row."""
    table = [cells(line) for line in lines if line.startswith("|")]
    return {(row[0], row[1] if not is_figure(row[1]) else ""): row for row in table[2:]}, table[0] if table else []


def is_figure(text):
    return bool(re.match(r"[-+]?[\d.,]+", text)) or text in ("", "-")


@functools.cache
def recorded():
    with open(_FILE, encoding="utf-8") as file:
        blocks = re.split(r"^(?=##? )", file.read(), flags=re.M)
    return {block.split("\n", 1)[0]: block.split("\n") for block in blocks if block.startswith("## ")}


def table(text):
    lines = text.split("\n")
    was, head = rows(recorded().get(lines[0], []))
    now, now_head = rows(lines)
    if head != now_head:
        return text + "(The table in BENCHMARKS.md has other columns.)\n" if head else text + "(BENCHMARKS.md has no such table.)\n"
    out = []
    for line in lines:
        key = next((key for key, row in now.items() if line.startswith("|") and cells(line) == row), None)
        if key in was:
            pairs = zip(was[key], now[key])
            line = "| " + " | ".join(b if a == b or not is_figure(b) else f"{a} -> {b}" for a, b in pairs) + " |"
        out.append(line)
    return "\n".join(out)
