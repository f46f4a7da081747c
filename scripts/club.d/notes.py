"""Fills a folder with real texts from /usr/share/doc: notes.py FOLDER COUNT.

The same machine gives the same notes every time. A note is named for its package and file, keeps the file's age, and
is a plain copy (unpacked, where it was compressed)."""
import gzip
import os
import sys

DOC = "/usr/share/doc"
LARGEST = 4 << 20  # some changelogs unpack to more than anybody would write


def documents():
    """(path, name of the note) of every regular file, in one fixed order."""
    for folder, folders, names in os.walk(DOC):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                inner = name[: -len(".gz")] if name.endswith(".gz") else name
                package = os.path.relpath(folder, DOC).replace(os.sep, "-")
                yield path, f"{package}-{inner}"


def text(path):
    """The file's content, or None when it is not a text that a member could have written."""
    opener = gzip.open if path.endswith(".gz") else open
    try:
        with opener(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, EOFError):
        return None
    if not content or len(content) > LARGEST or b"\0" in content:
        return None
    return content


def main(folder, wanted):
    made = set()
    for path, name in documents():
        if len(made) == wanted:
            break
        if name in made or name.startswith(".") or len(os.fsencode(name)) > 200:
            continue
        content = text(path)
        if content is None:
            continue
        made.add(name)
        target = os.path.join(folder, name)
        with open(target, "xb") as file:
            file.write(content)
        status = os.stat(path)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    print(f"{folder}: {len(made)} notes.", file=sys.stderr)
    if len(made) < wanted:
        sys.exit(f"There are no more texts than that in {DOC} on this machine (wanted {wanted}): a system that was"
                 " installed without documentation has few.")


main(sys.argv[1], int(sys.argv[2]))
