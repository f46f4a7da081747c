"""Which tables of BENCHMARKS.md are older than a change of the rooms that they measure:  scripts/bench --stale

A table's date is the first one written below its heading, else that of the part it stands in. Tables that no script makes
are named apart."""
import os
import re
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def sections(text):
    """The headings that begin with a table's name ("keys: arrow down ..."), each with its date."""
    part = None
    for block in re.split(r"^(?=##? )", text, flags=re.M):
        heading = block.split("\n", 1)[0].lstrip("# ")
        found = re.search(r"20\d\d-\d\d-\d\d", block.split("\n|", 1)[0])
        if not block.startswith("## "):
            part = found
        elif ": " in heading and (found or part):
            yield heading, (found or part).group()


def changed(date, rooms):
    """How many lines of the rooms have changed since the end of that day; None when the history does not reach so far back."""
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, stdout=subprocess.PIPE).stdout.decode()

    commit = git("rev-list", "-1", f"--before={date}T23:59:59", "HEAD").strip()
    if not commit:
        return None
    return sum(int(number) for line in git("diff", "--numstat", "-M", commit, "HEAD", "--", *rooms).splitlines()
               for number in line.split("\t")[:2] if number.isdigit())


def main(tables):
    names = {also: table for name, table in tables.items() for also in (name, *getattr(table, "ALSO", ()))}
    with open(os.path.join(ROOT, "BENCHMARKS.md"), encoding="utf-8") as file:
        found = [(heading, date, names.get(heading.split(":")[0])) for heading, date in sections(file.read())]
    old = 0
    for heading, date, table in found:
        lines = changed(date, table.ROOMS) if table else 0
        if table is None:
            print(f"{heading}: measured on {date}, by no script")
        elif lines is None:
            print(f"{heading}: measured on {date}, before the history of this clone")
        elif lines:
            print(f"{heading}: measured on {date}; {lines:,} lines of {', '.join(table.ROOMS)} have changed since")
        old += lines != 0
    print(f"{old} of {len(found)} tables are older than a change of what they measure")
    return 0
