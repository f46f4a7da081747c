"""What the checks share: which files there are, how a Swift file reads without comments and strings, and how a finding
is reported."""
import os
import re
import subprocess
import sys

_findings = 0


def files(*patterns, tracked_only=False):
    """Paths from the root, sorted: what git tracks, and what it would track if it were added."""
    kinds = ["--cached"] if tracked_only else ["--cached", "--others", "--exclude-standard"]
    out = subprocess.run(["git", "ls-files", "-z", *kinds, "--", *patterns], check=True, stdout=subprocess.PIPE).stdout
    names = {os.fsdecode(name) for name in out.split(b"\0") if name}
    return sorted(name for name in names if os.path.isfile(name))


def room(path):
    """The room that a file of Sources or Tests belongs to: the folder below its storey's."""
    parts = path.split("/")
    return parts[2] if len(parts) > 3 else ""


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


_comment_or_string = re.compile(
    r'(?P<raw>#+)"(?:.|\n)*?"(?P=raw)'  # #"raw"#
    r'|"""(?:\\.|.|\n)*?"""'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|//[^\n]*"
    r"|/\*(?:.|\n)*?\*/"
)


def code(text):
    """The text with comments and string literals emptied; every line keeps its number."""
    return _comment_or_string.sub(lambda match: "\n" * match.group().count("\n"), text)


def finding(path, line, message):
    global _findings
    _findings += 1
    print(f"{path}:{line}: {message}")


def finish():
    sys.stdout.flush()
    sys.exit(1 if _findings else 0)
