"""Lets a member use a server, and looks at how its picture workers are confined: try_server.py ADDRESS TOKEN PROCESS

The member uploads a picture and asks for a thumbnail, which a picture worker makes. The process, byteclub-serve, must
have the unit's filter of system calls; the worker adds its own. Exit status 0 if all of that is so."""
import json
import os
import re
import struct
import sys
import urllib.request
import zlib

from waiting import LONGEST


def picture():
    """A PNG of 300 x 200 whose samples are linear: littleCMS converts them, if it is there."""
    rows = b"".join(b"\0" + bytes((x % 256, y, 90) [i] for x in range(300) for i in range(3)) for y in range(200))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 300, 200, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"gAMA", struct.pack(">I", 100000)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def request(address, token, route, argument, body=b""):
    headers = {"Authorization": f"Bearer {token}", "Dropbox-API-Arg": json.dumps(argument)}
    headers["Content-Type"] = "application/octet-stream" if body else ""
    call = urllib.request.Request(address + route, data=body, headers=headers, method="POST")
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(call, timeout=LONGEST) as answer:
        return answer.read()


def status(process):
    return dict(re.findall(r"^(\w+):\s+(\S+)", open(f"/proc/{process}/status").read(), re.M))


def descendants(process):
    found = []
    for thread in os.listdir(f"/proc/{process}/task"):
        for child in open(f"/proc/{process}/task/{thread}/children").read().split():
            found += [int(child)] + descendants(int(child))
    return found


def command_line(process):
    return open(f"/proc/{process}/cmdline", "rb").read().split(b"\0")


def try_server(address, token, process):
    """Raises AssertionError with the fault; returns the number of picture workers."""
    request(address, token, "/2/files/upload", {"path": "/photos/a.png", "mode": "add"}, picture())
    small = request(address, token, "/2/files/get_thumbnail_v2", {
        "resource": {".tag": "path", "path": "/photos/a.png"}, "format": "png", "size": "w64h64"})
    assert small[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0"), f"the thumbnail is no picture: {small[:80]}"
    own = int(status(process).get("Seccomp_filters", 0))
    assert own > 0, "the server runs without the unit's filter"
    workers = [id for id in descendants(process) if b"--decode-for-parent" in command_line(id)]
    assert workers, "no picture worker runs"
    for worker in workers:
        found = status(worker)
        filters = int(found.get("Seccomp_filters", 0))
        assert filters == own + 1, f"the picture worker has {filters} filters, not the unit's {own} and its own"
        assert int(found["CapEff"], 16) == 0, "the picture worker has capabilities"
    return len(workers)


if __name__ == "__main__":
    try:
        print(f"{try_server(*sys.argv[1:3], int(sys.argv[3]))} picture worker under the unit's filter and its own")
    except AssertionError as error:
        sys.exit(f"Under systemd {error}.")
