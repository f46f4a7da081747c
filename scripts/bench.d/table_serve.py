"""How byteclub's server stands beside nginx and rclone's WebDAV."""
import os
import re
import subprocess

import report
from contenders import interleaved
from program import Stalled
from servers import Nginx, RcloneWebDAV, Serve, fresh
from timing import Command, beside, in_turn

ROOMS = ("Sources/Server/StoreServer",)
GIB = 1 << 30
PUT = 140 << 20
SMALL = 4096
SECONDS = 3


def run(bench):
    large, part, small = bench.file("large.bin", GIB), bench.file("part.bin", PUT), bench.file("small.bin", SMALL)
    rounds = max(3, bench.rounds // 2)
    with Nginx(bench.place("nginx")) as nginx, RcloneWebDAV(bench.place("rclone")) as webdav, \
            Serve(bench.place("serve"), bench.server) as serve:
        servers = [serve, nginx, webdav]
        for server in servers:
            os.link(large, os.path.join(server.root, "large.bin"))
            os.link(small, os.path.join(server.root, "small.bin"))
        got = in_turn(bench, "serve, get", [Command(s.name, s.get("large.bin")) for s in servers], rounds)
        clear = fresh(servers, ["put.bin"])
        put = in_turn(bench, "serve, put", [Command(s.name, s.put(part, "put.bin"), None, clear) for s in servers],
                      4 * rounds)
        few = requests(bench, servers, rounds)
    name = nginx.name

    def rate(taken, server, size):
        share = "1.00" if server is nginx else beside(taken[name], taken[server.name])
        return f"{size / taken[server.name].seconds / (1 << 20):.0f}", share

    yield report.table(
        "serve: beside nginx and rclone",
        f"GET of 1 GiB and PUT of 140 MiB by curl (byteclub serve takes the content hash and waits for the disk; the others"
        f" do neither); GETs of 4 KiB a second by wrk with 16 connections ({SECONDS} s; byteclub serve checks a token)."
        " Goals: 0.6, 0.45 and 0.3 of nginx's throughput, and more than rclone's in all.",
        ("", "GET MiB/s", "x nginx (95 %)", "PUT MiB/s", "x nginx (95 %)", "GETs a second", "x nginx"),
        [(s.name, *rate(got, s, GIB), *rate(put, s, PUT), f"{few[s.name]:,.0f}", report.ratio(few[s.name], few[name]))
         for s in servers])


def requests(bench, servers, rounds):
    """GETs of a small file a second."""
    found = {server.name: [] for server in servers}
    for number, server in interleaved(servers, rounds):
        bench.tell(f"serve, small: round {number + 1} of {rounds}, {server.name}")
        command = server.get("small.bin")
        header = []
        if "-H" in command:
            with open(command[command.index("-H") + 1][1:], encoding="ascii") as file:
                header = ["-H", file.read().strip()]
        said = subprocess.run(["wrk", "-t2", "-c16", f"-d{SECONDS}s", *header, command[-1]], check=True,
                              stdout=subprocess.PIPE).stdout.decode()
        wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
        if wrong:
            raise Stalled(f"{server.name} refused {wrong.group(1)} requests.")
        found[server.name].append(float(re.search(r"Requests/sec:\s*([\d.]+)", said).group(1)))
    return {name: report.median(values) for name, values in found.items()}
