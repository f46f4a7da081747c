"""What a change can break, and so what `.ci/run` runs:  plan.py [PATH...]

Without paths it asks git which files changed since the merge base with the branch that the change lands on (CI_BASE, else
origin/main), else since the newest commit that is older than a day; what is not committed counts. Everything runs with
CI_ALL=1, on each fifth day of the year, in a shallow clone, without such a commit, and when a path is none of the table's.
Prints `name=value` lines for the shell, then, after an empty line, sentences for people."""
import datetime
import json
import os
import re
import subprocess
import sys

SERVER = ["python", "v1", "clients", "rclone", "links", "proxies", "metrics"]  # maestral takes a minute: scripts/nightly
CONFORMANCE = SERVER + ["s3", "webdav", "copy"]

# A path, and the parts of conformance that exercise it. The first line that fits counts. Rooms that stand in no line are
# exercised by no part: the tests of the rooms that use them (Package.swift says which) are enough.
EXERCISED_BY = [
    (r"Sources/\w+/(StoreServer|byteclub-serve|CScrypt|CCertificate|CQRCode)/", SERVER + ["copy"]),
    (r"Sources/Stores/Backends/S3/", ["s3", "copy"]),
    (r"Sources/Stores/Backends/WebDAV/", ["webdav", "copy"]),
    (r"Sources/Stores/Backends/(Dropbox|DropboxV1)/", ["proxies", "copy"]),
    (r"Sources/Stores/Backends/Folder/", SERVER + ["copy"]),
    (r"Sources/\w+/(Backends|CCurl|XML|CExpat|Accounts)/", ["s3", "webdav", "proxies", "copy"]),
    (r"Sources/\w+/(FileStores|Basics|POSIX|CPlatform|COpenSSL|JSON)/", CONFORMANCE),
    (r"Sources/\w+/(Database|CSQLite|Zip|CZlib)/", SERVER + ["copy"]),
    (r"Sources/\w+/(Decoding|Imaging|CImaging|Markdown)/", ["clients", "links"]),
    (r"Sources/\w+/(byteclub/(Verbs|Wiring|Transfers)|ClubServices/Export|Transfers)/", ["proxies", "copy"]),
    (r"Tests/Stores/BackendsTests/S3/", ["s3"]),
    (r"Tests/Stores/BackendsTests/WebDAV/", ["webdav"]),
    (r"scripts/(conformance|checks\.sh|parts\.d/)", CONFORMANCE),
    (r"docs/server\.md$", ["proxies"]),
]
# What packages are made of, beside the program itself. The C rooms decide which libraries they need.
PACKAGED = re.compile(
    r"packaging/|scripts/(package|checks\.sh|parts\.d/)|Package\.swift$|"
    r"Sources/(C|Ground/ManualPages)/|docs/byteclub[^/]*\.1$|config\.example\.json$")
# Texts that nothing is built of. No test reads them, but for those of READ_BY.
DOCUMENT = re.compile(r"(?:[A-Z]+\.md|LICENSE|Tests/flaky\.md|docs/(?!json\.md$|dropbox\.md$|dropbox-routes\.md$|server\.md$)[\w-]+\.md)$")
# These decide how all of the rest is built and run.
EVERYTHING = re.compile(
    r"Package\.swift$|\.ci/|\.swift-format$|\.gitignore$|Tests/Kit/|"
    r"scripts/(build\.sh|packages\.sh|python\.sh|test$|test\.d/|ci\.d/)")
# Scripts that no test runs: `scripts/check` reads them.
TOOLS = re.compile(r"scripts/(run$|check|bench|club|count|fuzz|pictures|soak|nightly|parts\.d/|package|conformance)")
# Files beside the tests that tests read: the target that does.
READ_BY = [(r"docs/(json\.md|dropbox\.md|byteclub\.1)$|config\.example\.json$", ["byteclubTests"]),
           (r"docs/(byteclub-serve\.1|server\.md|themes\.md)$|docs/images/|README\.md$", ["EndToEndTests"]),
           (r"docs/dropbox-routes\.md$", ["StoreServerTests"])]


def git(*arguments):
    return subprocess.run(["git", "-c", f"safe.directory={os.getcwd()}", *arguments], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout.strip()


def changed_paths(day=None):
    """The paths and the commit since which they changed; None and the reason if everything runs. The day is that of the year."""
    if os.environ.get("CI_ALL") == "1":
        return None, "CI_ALL=1"
    if (day or datetime.datetime.now(datetime.timezone.utc).timetuple().tm_yday) % 5 == 0:
        return None, "each fifth day of the year everything runs"
    try:
        if git("rev-parse", "--is-shallow-repository") == "true":
            return None, "the clone is shallow"
        head = git("rev-parse", "HEAD")
        base = ""
        for branch in filter(None, (os.environ.get("CI_BASE"), "origin/main")):
            try:
                base = git("merge-base", head, branch)
                break
            except subprocess.CalledProcessError:
                continue
        if base in ("", head):
            base = git("rev-list", "-1", "--before=1 day ago", head)
        if not base:
            return None, "no commit is older than a day"
        changed, added = git("diff", "--name-only", "--no-renames", base), git("ls-files", "--others", "--exclude-standard")
        return changed.splitlines() + added.splitlines(), base
    except (subprocess.CalledProcessError, OSError) as error:
        return None, f"git does not say what changed ({error})"


def targets():
    """Each target's folder, and what it is built of (Package.swift)."""
    package = json.loads(subprocess.run(["swift", "package", "dump-package"], check=True, stdout=subprocess.PIPE).stdout)
    folders, uses = {}, {}
    for target in package["targets"]:
        name = target["name"]
        folders[name] = target["path"].rstrip("/") + "/"
        uses[name] = {value[0] for dependency in target["dependencies"] for value in dependency.values() if value}
    return folders, uses


def users(changed, uses):
    """The targets that are built of one of these."""
    reached = set(changed)
    while True:
        more = {name for name, parts in uses.items() if name not in reached and parts & reached}
        if not more:
            return reached
        reached |= more


def plan(paths, folders, uses):
    """What runs: the test targets, the parts of conformance, the packages; and a path that decides that everything does."""
    tests, parts, packages, rooms = set(), set(), False, set()
    for path in filter(None, paths):
        known = False
        if EVERYTHING.match(path):
            return None, path
        for pattern, wanted in EXERCISED_BY:
            if re.match(pattern, path):
                parts |= set(wanted)
                known = True
                break
        if PACKAGED.match(path):
            packages = known = True
        for pattern, readers in READ_BY:
            if re.match(pattern, path):
                tests |= set(readers)
                known = True
        room = next((name for name, folder in folders.items() if path.startswith(folder)), None)
        if room:
            rooms.add(room)
        if not (room or known or DOCUMENT.match(path) or TOOLS.match(path)):
            return None, path
    tests |= {name for name in users(rooms, uses) if folders[name].startswith("Tests/") and name.endswith("Tests")}
    # The last step through the programs is no import.
    if users(rooms, uses) & {"byteclub", "byteclub-serve"}:
        tests.add("EndToEndTests")
    return (tests, parts, packages), None


def main():
    folders, uses = targets()
    all_tests = {name for name, folder in folders.items() if folder.startswith("Tests/") and name.endswith("Tests")}
    paths, base = (sys.argv[1:], "these paths") if sys.argv[1:] else changed_paths()
    why = base if paths is None else None
    if paths is not None:
        decided, odd = plan(paths, folders, uses)
        why = odd and f"{odd} changed"
    if why:
        decided = all_tests, set(CONFORMANCE), True
    tests, parts, packages = decided
    print("targets=" + " ".join(sorted(name.removesuffix("Tests") for name in tests)))
    print("conformance=" + " ".join(part for part in CONFORMANCE if part in parts))
    print("packages=" + ("yes" if packages else "no"))
    print()
    if why:
        print(f"Everything runs: {why}.")
        return
    print(f"{len(paths)} changed files since {base[:12]} decide what runs.")
    for what, left in (("tests of", all_tests - tests), ("parts of conformance:", set(CONFORMANCE) - parts),
                       ("packages:", set() if packages else {"all"})):
        if left:
            print(f"Left out, {what} {', '.join(sorted(left))}: no changed file is part of them.")


if __name__ == "__main__":
    main()
