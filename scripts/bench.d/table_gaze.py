"""Two members in one panorama: how soon the gaze of the one is on the other's screen, and the bytes that it takes."""
import http.client
import json
import os
import random
import select
import socket
import threading
import time

import report
from program import Stalled
from servers import Serve
from table_changes import open_club
from table_pictures import panorama

ROOMS = ("Sources/Server/StoreServer", "Sources/Stores", "Sources/Club/ClubServices/Presence", "Sources/App/Screens/PanoPhotos")
GAZES, LOOKING, ALONE = 200, 8, 5
MEMBERS, CROWDED = 64, 10
# A line comes at most ten times a second: the pauses between two gazes fall anywhere in that time.
PAUSE = (0.15, 0.35)
QUIET = 0.02
_SPHERE = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
           b'<rdf:Description xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="equirectangular"/>'
           b'</rdf:RDF></x:xmpmeta>')


def run(bench):
    with Serve(bench.place("serve"), bench.server) as server:
        os.mkdir(os.path.join(server.root, "photos"))
        sphere(panorama(bench, "pier.jpg", (1024, 512)), os.path.join(server.root, "photos", "pier.jpg"))
        with Relay(server.port) as own, Relay(server.port) as others:
            with looking(bench, own, server.token) as ann:
                alone = rate(own, lambda: turn(ALONE, ann))
                # The middle again, so that the gaze is in the other's view wherever the next keys turn it.
                ann.press(b"0", QUIET)
                with looking(bench, others, server.admit("ben")) as ben:
                    ben.read_until_painted("ann", at_most=20)
                    latencies = [gaze(ann, ben, b"lh"[number % 2 :][:1]) for number in range(GAZES)]
                    came = rate(others, lambda: turn(LOOKING, ann, ben))
                    requests = server.requests()
        used = crowd(bench, server)
    shows = sum("byteclub/show" in request for request in requests)
    yield report.table(
        "gaze: two members in one panorama behind byteclub serve",
        f"From a key that turns the view of the one until the ring has moved on the screen of the other, {GAZES} times at any"
        f" moment; then the one turns without a stop for {LOOKING} s, while all that comes to the other is counted on the"
        f" line, and what a member who turns alone for {ALONE} s sends and gets. Last, {MEMBERS}"
        f" members watch, one of whom never reads, and one moves ten times a second for {CROWDED} s. Goals: p99 150 ms, 3 KB a"
        " second, nothing, 2 % of a core.",
        ("", "measured"),
        [("to the other's screen, p50", f"{report.ms(report.percentile(latencies, 50))} ms"),
         ("to the other's screen, p99", f"{report.ms(report.percentile(latencies, 99))} ms"),
         ("bytes a second to a member who watches", f"{came:,.0f}"), ("bytes a second of one who is alone", f"{alone:,.0f}"),
         ("sights that were sent", f"{shows:,}"),
         (f"CPU of the server with {MEMBERS} members", f"{100 * used:.1f} % of a core")])


def sphere(picture, path):
    """A copy that is marked as a whole equirectangular panorama."""
    with open(picture, "rb") as file:
        jpeg = file.read()
    body = b"http://ns.adobe.com/xap/1.0/\0" + _SPHERE
    with open(path, "wb") as file:
        file.write(jpeg[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + jpeg[2:])


def looking(bench, relay, token):
    """A member's app; as it is entered, the panorama is before their eyes."""
    return Looking(open_club(bench, relay, bench.place("home-gaze"), token, {"BYTECLUB_UI_REDUCED_MOTION": "true"}))


class Looking:
    def __init__(self, program):
        self._program = program

    def __enter__(self):
        program = self._program.__enter__()
        try:
            program.read_until_quiet(1, at_least_one=True)
            program.press(b"2", 0.2)
            program.read_until_painted("pier.jpg")
            program.press(b"\r", 0.5)
            program.read_until_painted("wide")
            program.settle()
        except BaseException:
            self._program.__exit__()
            raise
        return program

    def __exit__(self, *_):
        self._program.__exit__()


def gaze(ann, ben, key):
    """The seconds from a key of the one to the end of what the other paints for it."""
    both(random.uniform(*PAUSE), ann, ben)
    place, sent = len(ben.output), time.perf_counter()
    os.write(ann.terminal, key)
    while not ben.output[place:] or time.perf_counter() - ben.output[-1][0] < QUIET:
        both(0.002, ann, ben)
        if time.perf_counter() - sent > 5:
            raise Stalled("The gaze was not seen within 5 s. The other's screen:\n" + "\n".join(ben.screen().lines()))
    return ben.output[-1][0] - sent


def both(seconds, *programs):
    """Reads what all of them write for so long: a program whose terminal is full waits."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for program in programs:
            program.watch(0.001)


def turn(seconds, *programs):
    """The first one's view turns by itself for so long."""
    os.write(programs[0].terminal, b"a")
    both(seconds, *programs)
    os.write(programs[0].terminal, b"a")
    both(1, *programs)


def rate(relay, work):
    """The bytes a second on the relay's line while work is done, both ways."""
    began, count = time.perf_counter(), relay.count
    work()
    return (relay.count - count) / (time.perf_counter() - began)


def crowd(bench, server):
    """The share of a core that the server uses while all members watch and one of them moves."""
    bench.tell("gaze: many members")
    tokens = [server.admit(f"member-{number}") for number in range(MEMBERS)]
    # Those who have just looked keep their places for ten seconds.
    time.sleep(11)
    lines = [watch(server, token) for token in tokens]
    reading = threading.Thread(target=drain, args=(lines[1:],), daemon=True)
    reading.start()
    began, used = time.perf_counter(), server.cpu()
    shows = http.client.HTTPConnection("127.0.0.1", server.port)
    for number in range(10 * CROWDED):
        time.sleep(max(0, began + number / 10 - time.perf_counter()))
        view = {"yaw": 10 * number, "pitch": 0, "width": 9000}
        shows.request("POST", "/2/byteclub/show", json.dumps({"sight": {"path": "/photos/pier.jpg", "view": view}}),
                      {"Authorization": f"Bearer {tokens[1]}", "Content-Type": "application/json"})
        answer = shows.getresponse()
        answer.read()
        if answer.status != 200:
            raise Stalled(f"The server answered a sight with {answer.status}.")
    share = (server.cpu() - used) / (time.perf_counter() - began)
    for line in lines:
        line.shutdown(socket.SHUT_RDWR)
    reading.join(5)
    return share


def watch(server, token):
    """A line on which a watch has begun."""
    line = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    line.sendall(f"POST /2/byteclub/watch HTTP/1.1\r\nHost: club\r\nAuthorization: Bearer {token}\r\n"
                 'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{"form":1}'.encode())
    head = b""
    while b"present" not in head:
        piece = line.recv(1 << 16)
        if not piece:
            raise Stalled(f"A watch was refused: {head[:300]}")
        head += piece
    return line


def drain(lines):
    """Reads what comes on all lines until they end."""
    while lines:
        for line in select.select(lines, [], [])[0]:
            if not line.recv(1 << 16):
                lines.remove(line)


class Relay:
    """Passes connections on to a port and counts all bytes, both ways."""

    def __init__(self, port):
        self._port, self.count, self._lines = port, 0, []

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        for line in (self._listener, *self._lines):
            line.close()

    def _accept(self):
        while True:
            try:
                near = self._listener.accept()[0]
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._port))
            self._lines += near, far
            threading.Thread(target=self._pass, args=(near, far), daemon=True).start()

    def _pass(self, near, far):
        ends = {near: far, far: near}
        try:
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    data = end.recv(1 << 16)
                    if not data:
                        return
                    self.count += len(data)
                    ends[end].sendall(data)
        except (OSError, ValueError):
            return
        finally:
            near.close()
            far.close()
