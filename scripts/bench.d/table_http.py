"""How fast files come and go: the transport beside curl on nginx, and the store beside curl on byteclub's own server."""
import os

import report
from servers import Nginx, Serve
from timing import Command, in_turn, rows

GIB = 1 << 30
PUT = 140 << 20  # the most that one request of the API carries is 150 MiB
HEAD = ("", "s", "x curl", "CPU s", "peak MiB", "MiB/s")


def run(bench):
    large, part = bench.file("large.bin", GIB), bench.file("part.bin", PUT)
    rounds = max(3, bench.rounds // 2)
    with Nginx(bench.place("nginx")) as server:
        os.link(large, os.path.join(server.root, "large.bin"))
        probe = Command("byteclub's transport", [bench.probe, "get", server.url("large.bin")])
        yield table("http: 1 GiB from nginx", "Goal: no slower than curl; 32 MiB above the app's own memory at most.",
                    in_turn(bench, "get", [probe, Command("curl", server.get("large.bin"))], rounds), GIB)
        probe = Command("byteclub's transport", [bench.probe, "put", server.url("a.bin"), large])
        yield table("http: 1 GiB to nginx", "Goal: no slower than curl.",
                    in_turn(bench, "put", [probe, Command("curl", server.put(large, "b.bin"))], rounds), GIB)
    with Serve(bench.place("serve"), bench.server) as server:
        os.link(large, os.path.join(server.root, "large.bin"))
        environment = server.probe_environment()
        store = Command("byteclub's store", [bench.probe, "store-get", "dropbox", "large.bin"], environment)
        yield table("store: 1 GiB from byteclub serve", "The content hash of what comes is taken. Goal: no slower than curl.",
                    in_turn(bench, "store-get", [store, Command("curl", server.get("large.bin"))], rounds), GIB)
        # One name each time: what was there is removed first.
        gone = lambda: remove(os.path.join(server.root, "a.bin"))
        store = Command("byteclub's store", [bench.probe, "store-put", "dropbox", part, "a.bin"], environment, gone)
        yield table("store: 140 MiB to byteclub serve",
                    "In pieces, each with its content hash; curl sends one request. Goal: no slower than curl.",
                    in_turn(bench, "store-put", [store, Command("curl", server.put(part, "b.bin"))], rounds), PUT)


def remove(path):
    if os.path.exists(path):
        os.unlink(path)


def table(title, remark, results, size):
    return report.table(title, remark, HEAD, rows(results, "curl", size))
