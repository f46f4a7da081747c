"""How fast files come and go: the transport beside curl on nginx, and the store beside curl on byteclub's own server."""
import os

import report
from servers import Nginx, Serve, fresh
from timing import Command, in_turn, rows

ROOMS = ("Sources/Stores/Backends",)
ALSO = ("store",)  # headings of its tables beside its own name
GIB = 1 << 30
PUT = 140 << 20  # the most that one request of the API carries is 150 MiB
HEAD = ("", "s", "x curl (95 %)", "best s", "x curl", "CPU s", "peak MiB", "MiB/s")


def run(bench):
    large, part = bench.file("large.bin", GIB), bench.file("part.bin", PUT)
    rounds = max(3, bench.rounds)
    with Nginx(bench.place("nginx")) as server:
        os.link(large, os.path.join(server.root, "large.bin"))
        probe = Command("byteclub's transport", [bench.transport_probe, "get", server.url("large.bin")])
        yield table("http: 1 GiB from nginx", "Goal: no slower than curl; 32 MiB above the app's own memory at most.",
                    in_turn(bench, "get", [probe, Command("curl", server.get("large.bin"))], 4 * rounds), GIB)
        clear = fresh([server], ("a.bin", "b.bin"))
        probe = Command("byteclub's transport", [bench.transport_probe, "put", server.url("a.bin"), large], None, clear)
        yield table("http: 1 GiB to nginx",
                    "Goal: no slower than curl. nginx writes it to memory, is busy nearly all of the time, and needs"
                    " more or less from round to round.",
                    in_turn(bench, "put", [probe, Command("curl", server.put(large, "b.bin"), None, clear)], 2 * rounds), GIB)
    with Serve(bench.place("serve"), bench.server) as server:
        os.link(large, os.path.join(server.root, "large.bin"))
        environment = server.probe_environment()
        store = Command("byteclub's store", [bench.probe, "store-get", "dropbox", "large.bin"], environment)
        curl = server.get("large.bin")
        hashed = ["sh", "-c", '"$@" | openssl dgst -sha256', "sh", *(word.replace("/dev/null", "-") for word in curl)]
        yield table("store: 1 GiB from byteclub serve",
                    "The store takes the content hash (SHA-256) of what comes and compares it; curl takes none, but where"
                    " openssl does.", in_turn(bench, "store-get", [
                        store, Command("curl", curl), Command("curl, openssl dgst -sha256", hashed),
                    ], rounds), GIB)
        clear = fresh([server], ("a.bin", "b.bin"))
        store = Command("byteclub's store", [bench.probe, "store-put", "dropbox", part, "a.bin"], environment, clear)
        yield table("store: 140 MiB to byteclub serve",
                    "Each piece with its content hash; curl sends one request and takes none.",
                    in_turn(bench, "store-put", [store, Command("curl", server.put(part, "b.bin"), None, clear)], 2 * rounds), PUT)


def table(title, remark, results, size):
    return report.table(title, remark, HEAD, rows(results, "curl", size))
