"""Which tests and parts `scripts/ci.d/plan.py` runs for a change, in a table. A wrong row would leave out what a change can
break."""
import os
import sys

from project import finding, finish

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "ci.d"))
import plan  # noqa: E402

PLAN = "scripts/ci.d/plan.py"
# Changed paths; tests that run, tests that do not; parts of conformance, exactly; packages.
ROWS = [
    (["README.md", "docs/why.md"], [], None, [], False),
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
finish()
