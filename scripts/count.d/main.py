"""Prints the table of lines of code by room. Started by scripts/count."""
import argparse
import collections
import io
import os
import re
import subprocess
import sys
import tarfile

ROOTS = ("Sources", "Tests")
CODE = (".swift", ".c", ".h")
# Texts of a program in files of their own; Tests has recorded ones, which nobody writes.
RESOURCES = (".css", ".html", ".js", ".json", ".md", ".txt")
# What may hold the beginning of a comment without being one comes first.
TOKEN = re.compile(
    r'(?P<raw>#+)"(?:.|\n)*?"(?P=raw)'  # #"raw"#
    r"|#/.*?/#"
    r'|"""(?:\\.|.|\n)*?"""'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])'"
    r"|//[^\n]*|/\*"
)
TARGET = re.compile(r'\w\(\s*(?:name: )?"(?:[\w-]+/)*([\w-]+)"')
Size = collections.namedtuple("Size", "lines files")
NOTHING = Size(0, 0)


def counts(path):
    return path.endswith(CODE) or path.startswith("Sources/") and path.endswith(RESOURCES)


def lines_of_code(path, text):
    """Comments of Swift nest, those of C do not, and resources have none."""
    if not path.endswith(CODE):
        return sum(1 for line in text.split("\n") if line.strip())
    nests = path.endswith(".swift")
    kept, place = [], 0
    while token := TOKEN.search(text, place):
        end = token.end()
        if not token.group().startswith("/"):
            kept.append(text[place:end])
        else:
            kept.append(text[place : token.start()])
            depth = 1 if token.group() == "/*" else 0
            while depth and (edge := re.compile(r"/\*|\*/").search(text, end)):
                depth += -1 if edge.group() == "*/" else nests
                end = edge.end()
            kept.append("\n" * text.count("\n", token.start(), end))
        place = end
    kept.append(text[place:])
    return sum(1 for line in "".join(kept).split("\n") if line.strip())


def git(*arguments):
    return subprocess.run(["git", "-c", f"safe.directory={os.getcwd()}", *arguments], check=True, stdout=subprocess.PIPE).stdout


def working_tree():
    """Path and text of each file."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *ROOTS, "Package.swift")
    for path in sorted({os.fsdecode(name) for name in names.split(b"\0") if name}):
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                yield path, file.read()


def tree_of(commit):
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit))) as archive:
        for member in archive:
            if member.isfile() and (member.name == "Package.swift" or member.name.split("/")[0] in ROOTS):
                yield member.name, archive.extractfile(member).read().decode(errors="replace")


def rooms_of(tree):
    """(root, room) -> its storey and size. A room is the folder of a target of Package.swift; the folders above it are its storey."""
    texts = dict(tree)
    targets = set(TARGET.findall(texts.get("Package.swift", "")))
    rooms = {}
    for path, text in texts.items():
        root, *folders = path.split("/")[:-1] or [""]
        if root in ROOTS and counts(path):
            depth = next((number for number, folder in enumerate(folders) if folder in targets), 0)
            room = folders[depth] if folders else root
            _, size = rooms.get((root, room), (None, NOTHING))
            size = Size(size.lines + lines_of_code(path, text), size.files + 1)
            rooms[root, room] = "/".join(folders[:depth]), size
    return rooms


def added(sizes):
    lines, files = zip(*sizes, NOTHING)
    return Size(sum(lines), sum(files))


def row(name, now, before):
    """`before` is None without a commit to compare with."""
    if before is None:
        return f"{now.lines:>8,}{now.files:>7,}  {name}"
    return f"{now.lines:>8,}{now.lines - before.lines:>+8,}{now.files:>7,}{now.files - before.files:>+7,}  {name}"


def table(now, before):
    """The rooms of a storey together, the largest first; a room that is gone stands in its old storey."""
    compares = before is not None
    before = before or {}
    yield f"{'lines':>8}{'change':>8}{'files':>7}{'change':>7}" if compares else f"{'lines':>8}{'files':>7}"
    for root in ROOTS:
        storeys = collections.defaultdict(list)
        for key in now.keys() | before.keys():
            if key[0] == root:
                storey, size = now.get(key, (before.get(key, ("",))[0], NOTHING))
                storeys[storey].append((key[1], size, before.get(key, ("", NOTHING))[1]))
        for storey, rooms in [*sorted(storeys.items()), (root, sum(storeys.values(), []))]:
            if storey != root:
                rooms.sort(key=lambda room: (-room[1].lines, room[0]))
                yield from (row(name, size, old if compares else None) for name, size, old in rooms)
            if storey:
                olds = added(old for _, _, old in rooms)
                yield row(f"{storey} in all", added(size for _, size, _ in rooms), olds if compares else None)


def main():
    parser = argparse.ArgumentParser(prog="scripts/count")
    parser.add_argument("--since", metavar="COMMIT")
    since = parser.parse_args().since
    try:
        before = None if since is None else rooms_of(tree_of(since))
    except subprocess.CalledProcessError:
        sys.exit(f'scripts/count: git knows no commit "{since}".')
    print("\n".join(table(rooms_of(working_tree()), before)))


if __name__ == "__main__":
    main()
