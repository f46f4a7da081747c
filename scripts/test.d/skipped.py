"""What the test runner skipped, for scripts/test:  skipped.py "PACKAGE ..." LOG...

Prints the reasons with their tests. With CI=true it fails when a reason says that one of these Debian packages is not
installed: scripts/packages.sh installs them, so they are there, and a test that is skipped for one proves nothing.
"""
import os
import re
import sys

LINE = re.compile(r'^➜ (Test|Suite) (.*?) skipped(?:: "(.*)")?\.?$')
# scripts/test runs these itself, at its end.
LEFT_FOR_THE_END = "Runs last, alone"


def reasons(paths):
    found = {}
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                match = LINE.match(line.rstrip("\n"))
                if match and not (match[3] or "").startswith(LEFT_FOR_THE_END):
                    found.setdefault(match[3] or "no reason is given", {})[match[2]] = match[1]
    return found


def missing(reason, packages):
    """The packages of whose absence a reason speaks, by their name or its beginning (apache2 of apache2-bin)."""
    words = set(re.findall(r"[a-z0-9.+-]+", reason.lower())) if "installed" in reason else set()
    return [name for name in packages if name in words or name.removesuffix("-bin") in words]


def main(packages, paths):
    found, absent = reasons(paths), set()
    for reason, tests in sorted(found.items()):
        # The tests of a suite are named by the suite.
        suites = [name for name, kind in tests.items() if kind == "Suite"]
        names = suites or sorted(tests)
        print(f"Skipped ({reason}): " + ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else ""))
        absent.update(missing(reason, packages))
    if absent and os.environ.get("CI") == "true":
        print("FAILED: tests were skipped for Debian packages that scripts/packages.sh installs: " + " ".join(sorted(absent)))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1].split(), sys.argv[2:]))
