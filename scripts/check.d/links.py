"""Links in documents that lead to no file, and anchors that are no heading of theirs."""
import os
import re

from project import files, finding, finish, read


def text(path):
    """Without blocks of code, whose lines stay as empty ones."""
    return re.sub(r"```.*?```", lambda block: "\n" * block.group().count("\n"), read(path), flags=re.S)


def anchors(path):
    """As GitHub makes them of headings: lower case, without punctuation, with hyphens for spaces."""
    for heading in re.findall(r"^#+ (.*)$", text(path), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        yield re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


for path in files("*.md"):
    content = text(path)
    for link in re.finditer(r"\]\(([^)\s]+)\)", content):
        if re.match("[a-z]+:", link[1]):
            continue
        target, _, anchor = link[1].partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        line = content.count("\n", 0, link.start()) + 1
        if not os.path.exists(target):
            finding(path, line, f"{link[1]} is not there")
        elif anchor and target.endswith(".md") and anchor not in anchors(target):
            finding(path, line, f"{link[1]} is no heading")
finish()
