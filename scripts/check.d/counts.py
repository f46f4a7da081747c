"""Which lines `scripts/count` takes for code, in a table."""
import os
import sys

from project import finding, finish

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "count.d"))
import main  # noqa: E402

# A text, its lines of code in Swift, and in C.
ROWS = [
    ("let a = 1\n\n  // b\n/// c\nlet d = 2 // e\n", 2, 2),
    ("/* a\n b */ let c = 1\nlet d = 2 /*\n*/\n", 2, 2),
    ("/* a /* b */\nc */\nlet d = 1\n", 1, 2),
    ('let a = "/*"\nlet b = "\\"//"\nlet c = #"/*"#\n', 3, 3),
    ('let a = """\n  // b\n\n  /* c\n  """\n', 4, 4),
    ("char a = '\"';\n// \"\nint b;\n", 2, 2),
]
for text, *counts in ROWS:
    for path, count in zip(("a.swift", "a.c"), counts):
        counted = main.lines_of_code(path, text)
        if counted != count:
            finding("scripts/count.d/main.py", 1, f"{text!r} has {count} lines of code, not {counted}")

PACKAGE = 'room("Ground/Zip", []), .target(\n  name: "CZlib")'
tree = {"Package.swift": PACKAGE, "Sources/Ground/Zip/Parts/A.swift": "a\nb\n", "Sources/C/CZlib/include/b.h": "c\n", "Sources/a.png": "d\n"}
tree |= {"Sources/Ground/Zip/Words/en.json": "{\n\n// }\n", "Tests/Ground/ZipTests/golden.json": "{}\n"}
expected = {("Sources", "Zip"): ("Ground", (4, 2)), ("Sources", "CZlib"): ("C", (1, 1))}
if (rooms := main.rooms_of(tree)) != expected:
    finding("scripts/count.d/main.py", 1, f"the rooms are {rooms}, not {expected}")
finish()
