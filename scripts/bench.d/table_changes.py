"""What a club behind a network costs while nothing happens, and how soon another member's change is on the screen."""
import json
import os
import subprocess
import time

import report
from program import Program
from servers import Serve

ROOMS = ("Sources/Server/StoreServer", "Sources/Stores", "Sources/Club/ClubServices")
NOTES, IDLE, CHANGES = 200, 20, 20


def run(bench):
    with Serve(bench.place("serve"), bench.server) as server:
        for number in range(NOTES):
            with open(os.path.join(server.root, f"note-{number:06d}.md"), "w", encoding="ascii") as file:
                file.write(f"Note {number}.\n")
        home = bench.place("home-changes")
        with open_club(bench, server, home) as program:
            program.read_until_painted("note-000001.md")
            program.settle()
            program.watch(2)
            began = len(server.requests())
            program.watch(IDLE)
            idle = server.requests()[began:]
            began = len(server.requests())
            program.press(b"r", 0.5)
            program.watch(1)
            pressed = server.requests()[began:]
            latencies = [change(bench, server, program, number) for number in range(CHANGES)]
    yield report.table(
        f"changes: a club of {NOTES} notes behind byteclub serve",
        f"Requests while nothing changed for {IDLE} s, and for `r` with nothing changed, from the server's access log; and"
        f" from the moment that the server has answered another member's upload until it is on the screen, {CHANGES} times."
        " Goals: no request but the one that waits; within two seconds.",
        ("", "measured"),
        [(f"requests in {IDLE} s", ", ".join(idle) or "none"), ("requests for `r`", ", ".join(pressed) or "none"),
         ("to the screen, p50", f"{report.ms(report.percentile(latencies, 50))} ms"),
         ("to the screen, worst", f"{report.ms(max(latencies))} ms")])


def open_club(bench, server, home, token=None, variables=None):
    """The app in the club of a server, or of another place that has its origin."""
    os.makedirs(f"{home}/config/byteclub", mode=0o700)
    with open(f"{home}/config/byteclub/config.json", "w", encoding="ascii") as file:
        json.dump({"club": "lab", "clubs": {"lab": {"store": "dropbox", "server": server.origin, "folder": "/"}}}, file)
    return Program([bench.binary, "--club", "lab"], home, {"BYTECLUB_TOKEN": token or server.token, **(variables or {})})


def change(bench, server, program, number):
    name = f"a-change-{number:03d}.md"
    file = bench.place(f"change-{number}")
    with open(file, "w", encoding="ascii") as text:
        text.write(f"Change {number}.\n")
    subprocess.run(server.put(file, name), check=True)
    answered = time.perf_counter()
    when, _ = program.read_until_painted(name, at_most=10)
    return max(0.0, when - answered)
