"""Which tests and parts `scripts/ci.d/plan.py` runs for a change, in a table. A wrong row would leave out what a change can
break. And which paths it takes for changed, in a repository of its own."""
import os
import subprocess
import sys
import tempfile
import time
from unittest import mock

from project import finding, finish

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "ci.d"))
import plan  # noqa: E402

PLAN = "scripts/ci.d/plan.py"
# Changed paths; tests that run, tests that do not; parts of conformance, exactly; packages.
ROWS = [
    (["CHANGELOG.md", "docs/why.md"], [], None, [], False),
    (["README.md"], ["EndToEndTests"], ["StoreServerTests"], [], False),
    (["docs/themes.md"], ["EndToEndTests"], ["StoreServerTests"], [], False),
    (["docs/dropbox-routes.md"], ["StoreServerTests"], ["BackendsTests"], [], False),
    (["Sources/Club/Database/OutboxDatabase.swift"], ["DatabaseTests", "StoreServerTests"], ["JSONTests"],
     ["python", "v1", "clients", "rclone", "links", "proxies", "metrics", "copy"], False),
    (["Sources/App/byteclub/Transfers/ClubStores.swift"], ["byteclubTests"], ["JSONTests"], ["proxies", "copy"], False),
    (["docs/json.md"], ["byteclubTests"], ["BackendsTests"], [], False),
    (["Sources/App/Screens/Notes/NotesScreen.swift"], ["ScreensTests", "EndToEndTests"], ["BackendsTests", "StoreServerTests"], [], False),
    (["Sources/App/TextUI/Cells/Glyph.swift"], ["TextUITests", "ScreensTests", "MarkdownTests"], ["JSONTests"], None, False),
    (["Sources/Server/StoreServer/Routing/Route.swift"], ["StoreServerTests", "EndToEndTests"], ["ScreensTests"],
     ["python", "v1", "clients", "rclone", "links", "proxies", "metrics", "copy"], False),
    (["Sources/Stores/Backends/S3/S3Store.swift"], ["BackendsTests", "EndToEndTests"], ["JSONTests"], ["s3", "copy"], False),
    (["Sources/Stores/Backends/WebDAV/WebDAVStore.swift"], ["BackendsTests", "EndToEndTests"], ["JSONTests"], ["webdav", "copy"], False),
    (["Tests/Club/MergeTests/TextMergeTests.swift"], ["MergeTests"], ["ScreensTests"], [], False),
    (["packaging/debian/control"], [], None, [], True),
    (["Sources/C/CCurl/easy.c"], ["BackendsTests"], [], ["proxies", "s3", "webdav", "copy"], True),
    (["scripts/bench.d/rows.py"], [], None, [], False),
    (["scripts/count", "scripts/count.d/main.py"], [], None, [], False),
]
ALL = ["Package.swift", ".ci/run", "scripts/test", "scripts/build.sh", "Tests/Kit/TestKit/Gate.swift", "something/new.txt"]

folders, uses = plan.targets()
every = {name for name, folder in folders.items() if folder.startswith("Tests/") and name.endswith("Tests")}
for paths, runs, left, parts, packages in ROWS:
    decided, odd = plan.plan(paths, folders, uses)
    if decided is None:
        finding(PLAN, 1, f"{paths}: everything runs, because of {odd}")
        continue
    left = every if left is None else set(left)
    for name in set(runs) - decided[0]:
        finding(PLAN, 1, f"{paths}: {name} do not run")
    for name in decided[0] & left:
        finding(PLAN, 1, f"{paths}: {name} run, and no changed file is part of them")
    if parts is not None and decided[1] != set(parts):
        finding(PLAN, 1, f"{paths}: conformance runs {sorted(decided[1])}, not {sorted(parts)}")
    if decided[2] != packages:
        finding(PLAN, 1, f"{paths}: packages are {'made' if decided[2] else 'not made'}")
for path in ALL:
    if plan.plan([path], folders, uses)[0] is not None:
        finding(PLAN, 1, f"{path}: not everything runs")

def git(*arguments, days=0):
    """Commits are so many days old."""
    date = f"{int(time.time()) - days * 86_400} +0000"
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date})


def write(name, text=""):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def commit(name):
    write(name)
    git("add", "--all")
    git("commit", "-m", name)


def expect(what, paths, day=1, **environment):
    with mock.patch.dict(os.environ, environment):
        found, why = plan.changed_paths(day)
    if (found and set(found)) != paths:
        finding(PLAN, 1, f"{what}: changed are {found} ({why}), not {paths}")


# Nothing of this one's git, nor of whoever runs this, counts there.
for name in [name for name in os.environ if name.startswith(("GIT_", "CI_"))]:
    del os.environ[name]
os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    expect("no repository", None)
    git("init", "-b", "main")
    write(".gitignore", "*.log\n")
    commit("first")
    expect("all commits are young", None)
    git("commit", "--amend", "--no-edit", days=3)
    commit("second")
    expect("no branch to land on", {"second"})
    git("branch", "theirs")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    expect("all has landed", {"second"})
    commit("third")
    expect("a branch to land on", {"third"})
    git("checkout", "theirs")
    commit("fourth")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("checkout", "main")
    expect("a branch that went on", {"third"})
    git("branch", "release", "HEAD~2")
    expect("another branch to land on", {"second", "third"}, CI_BASE="release")
    expect("a branch that is not there", {"third"}, CI_BASE="none")
    write("second", "changed")
    write("staged")
    git("add", "staged")
    os.remove("first")
    write("new")
    write("ignored.log")
    expect("nothing is committed", {"first", "second", "third", "staged", "new"})
    expect("CI_ALL", None, CI_ALL="1")
    expect("the fifth day", None, day=365)
    git("clone", "--depth", "1", f"file://{folder}", "shallow")
    os.chdir("shallow")
    expect("a shallow clone", None)
    os.chdir("/")
finish()
