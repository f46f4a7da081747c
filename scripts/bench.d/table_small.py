"""A thousand small files, up and down, beside rclone and curl on the same server."""
import json
import os
import shutil

import report
from program import Program
from servers import Certificate, Proxy, Serve
from timing import Command, beside, in_turn

ROOMS = ("Sources/Stores", "Sources/Club/Transfers")
FILES, SIZE, TOGETHER = 1000, 4096, 16
MORE = 8  # rclone takes so long that it has one of so many rounds


def run(bench):
    source = bench.place("source")
    os.makedirs(source)
    for number in range(FILES):
        with open(os.path.join(source, f"{number:04d}.bin"), "wb") as file:
            file.write(os.urandom(SIZE))
    tls = Certificate(bench.place("tls"))
    rounds = max(3, bench.rounds // 2)
    with Serve(bench.place("serve"), bench.server, tls) as server, Proxy(bench.place("proxy"), server.port) as proxy:
        down = bench.place("down")
        config = bench.place("rclone.conf")
        with open(config, "w", encoding="ascii") as file:
            file.write("[club]\ntype = dropbox\ntoken = "
                       f'{{"access_token":"{server.token}","token_type":"bearer","refresh_token":"none",'
                       '"expiry":"2099-01-01T00:00:00Z"}\n')
        through = {"HTTPS_PROXY": f"http://127.0.0.1:{proxy.port}"}
        rclone = ["rclone", "--config", config, "--ca-cert", tls.authority, "--transfers", str(TOGETHER), "--checkers",
                  str(TOGETHER), "copy"]
        clean_up = lambda: (shutil.rmtree(os.path.join(server.root, "up"), ignore_errors=True),
                            shutil.rmtree(down, ignore_errors=True), os.makedirs(down))
        environment = server.probe_environment()
        curl = ["curl", "-sS", "--fail-early", "-Z", "--parallel-max", str(TOGETHER), "-K"]
        up = in_turn(bench, "small, up", [
            Command("byteclub's store", [bench.probe, "store-up", "dropbox", source, "up"], environment, clean_up),
            Command("curl -Z", [*curl, uploads(bench, server, tls, source)], None, clean_up),
            Command("rclone copy", [*rclone, source, "club:up"], {**os.environ, **through}, clean_up, MORE),
        ], MORE * rounds)
        yield table("up", up)
        shutil.rmtree(os.path.join(server.root, "up"), ignore_errors=True)
        shutil.copytree(source, os.path.join(server.root, "up"))
        clean_down = lambda: (shutil.rmtree(down, ignore_errors=True), os.makedirs(down))
        export = Program([bench.binary, "club", "export", down, "--progress", "none"], home_of(bench, server, tls),
                         {"BYTECLUB_TOKEN": server.token})
        down_results = in_turn(bench, "small, down", [
            Command("byteclub club export", export.argv, export.environment(), clean_down),
            Command("byteclub's store, file by file", [bench.probe, "store-down", "dropbox", "up", down], environment,
                    clean_down),
            Command("curl -Z", [*curl, downloads(bench, server, tls, source, down)], None, clean_down),
            Command("rclone copy", [*rclone, "club:up", down], {**os.environ, **through}, clean_down, MORE),
        ], MORE * rounds)
        yield table("down", down_results)


def home_of(bench, server, tls):
    """A member's home, whose club is the folder of the small files."""
    home = bench.place("home-small")
    os.makedirs(f"{home}/config/byteclub", mode=0o700)
    club = {"store": "dropbox", "server": server.origin, "folder": "/up", "caFile": tls.authority}
    with open(f"{home}/config/byteclub/config.json", "w", encoding="ascii") as file:
        json.dump({"club": "small", "clubs": {"small": club}, "network": {"connectionsPerHost": TOGETHER}}, file)
    return home


def uploads(bench, server, tls, source):
    """curl's config for all files: one request of the API each."""
    return written(bench, "up.curl", (
        f'url = "{server.origin}/2/files/upload"\ncacert = "{tls.authority}"\nheader = "Authorization: Bearer {server.token}"\n'
        'header = "Content-Type: application/octet-stream"\n'
        f'header = "Dropbox-API-Arg: {{\\"path\\":\\"/up/{name}\\"}}"\n'
        f'data-binary = "@{os.path.join(source, name)}"\noutput = "/dev/null"\n' for name in sorted(os.listdir(source))))


def downloads(bench, server, tls, source, down, folder="/up"):
    return written(bench, "down.curl", (
        f'url = "{server.origin}/2/files/download"\ncacert = "{tls.authority}"\nheader = "Authorization: Bearer {server.token}"\n'
        f'header = "Dropbox-API-Arg: {{\\"path\\":\\"{folder}/{name}\\"}}"\nrequest = "POST"\n'
        f'output = "{os.path.join(down, name)}"\n' for name in sorted(os.listdir(source))))


def written(bench, name, parts):
    path = bench.place(name)
    with open(path, "w", encoding="ascii") as file:
        file.write("next\n".join(parts))
    os.chmod(path, 0o600)
    return path


def table(way, results):
    curl, rclone = results["curl -Z"], results["rclone copy"]

    def share(taken):
        return "1.00" if taken is curl else report.ratio(curl.seconds, taken.seconds) if taken is rclone else beside(curl, taken)

    return report.table(
        f"small: {FILES:,} files of 4 KiB {way}",
        f"Over TLS to byteclub serve, {TOGETHER} at once; rclone knows only Dropbox's own addresses and is led there by a"
        " proxy. Downloads are listed, compared by hash and flushed by byteclub alone; `club export` is the whole program,"
        " which asks for the folder at once (download_zip). Goals: ten times rclone's rate, 0.8 of curl's.",
        ("", "s", "files a second", "x rclone's rate", "x curl's rate (95 %)", "CPU s", "peak MiB"),
        [(label, f"{taken.seconds:.3f}", f"{FILES / taken.seconds:,.0f}", f"{rclone.seconds / taken.seconds:.1f}",
          share(taken), f"{taken.cpu:.2f}", f"{taken.peak / (1 << 20):.0f}")
         for label, taken in results.items()])
