"""What a server with shared links holds while many visitors ask for one link and do not read the answer."""
import contextlib
import http.client
import json
import os
import socket
import time
import urllib.parse

import report
from program import Stalled
from servers import Serve
from timing import high_water, resident

ROOMS = ("Sources/Server/StoreServer",)
VISITORS, ADDRESSES, LEAVING = 384, 7, 200
# A server looks each 10 s whether it is quiet, and gives memory back at the second look.
LATER = 25
MIB = 1 << 20
# What is asked for, and how each visitor asks.
FILES = (
    ("a file of 32 MiB", "large.bin", lambda: os.urandom(32 * MIB), "?dl=1"),
    ("the page of a note of 1 MiB", "note.md", lambda: (b"A line of words, and of more words.\n\n" * MIB)[:MIB], ""),
    ("the page of 768 KiB of `# a # a`", "heads.md", lambda: b"# a " * (768 * 1024 // 4), ""),
)


def run(bench):
    rows = []
    for what, name, text, query in FILES:
        bench.tell(f"links: {what}")
        rows.append((what, *unread(bench, name, text(), query)))
    bench.tell("links: visitors who leave")
    left = leaving(bench, "note.md", FILES[1][2]())
    yield report.table(
        f"links: {VISITORS} visitors who read nothing",
        f"{VISITORS} visitors from {ADDRESSES} addresses ask for one link of a server with `--shared-links` and read nothing;"
        f" the next visitor asks for another link. {LEAVING} who ask for the page of the note of 1 MiB and leave at once hold"
        f" the next one up for {report.ms(left)} ms. Resident memory in MiB.",
        ("what they ask for", "MiB before", "most", f"{LATER} s after they left", "another link answers after, ms"), rows)


def shared(bench, name, data):
    """A server that shares a file and a small note by links."""
    server = Serve(bench.place("links"), bench.server, arguments=("--shared-links",))
    for path, body in ((name, data), ("small.md", b"A small note.\n")):
        with open(os.path.join(server.root, path), "wb") as file:
            file.write(body)
    return server


def link(server, name):
    """The path of a new link."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:
        connection.request("POST", "/2/sharing/create_shared_link_with_settings", json.dumps({"path": f"/{name}"}),
                           {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"})
        answer = connection.getresponse()
        said = answer.read()
    if answer.status != 200:
        raise Stalled(f"the server made no link to {name}: {said.decode('utf-8', 'replace')}")
    return urllib.parse.urlsplit(json.loads(said)["url"]).path


def visit(server, number, path):
    """Asks from one of the addresses and returns the connection, from which nothing is read."""
    connection = socket.create_connection(
        ("127.0.0.1", server.port), source_address=(f"127.0.0.{2 + number % ADDRESSES}", 0))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return connection


def another(server, path):
    """The seconds until a link has answered."""
    began = time.perf_counter()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
    if answer.status != 200:
        raise Stalled(f"another link was answered by {answer.status}.")
    return time.perf_counter() - began


def unread(bench, name, data, query):
    with shared(bench, name, data) as server:
        path, small = link(server, name) + query, link(server, "small.md")
        another(server, small)
        before = resident(server.process.pid)
        with contextlib.ExitStack() as stack:
            for number in range(VISITORS):
                stack.enter_context(visit(server, number, path))
            seconds = another(server, small)
            settle(server)
        time.sleep(LATER)
        sizes = before, high_water(server.process.pid), resident(server.process.pid)
        return (*(f"{size / MIB:.0f}" for size in sizes), report.ms(seconds))


def leaving(bench, name, data):
    with shared(bench, name, data) as server:
        path, small = link(server, name), link(server, "small.md")
        for number in range(LEAVING):
            visit(server, number, path).close()
        return another(server, small)


def settle(server, quiet=1.0, at_most=120.0):
    """Waits until the server has not computed for `quiet` seconds."""
    end = time.monotonic() + at_most
    while time.monotonic() < end:
        before = server.cpu()
        time.sleep(quiet)
        if server.cpu() - before < 0.01:
            return
    raise Stalled(f"the server was still busy after {at_most} s.")
