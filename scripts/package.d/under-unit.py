"""Starts byteclub-serve as its systemd unit confines it, as far as that goes without systemd as the first process:
under-unit.py UNIT PROGRAM

bubblewrap makes the mounts and drops all capabilities. A seccomp filter allows the calls of SystemCallFilter=, and
refuses memory that is writable and executable, new namespaces, and other families of sockets. Then a member uses the
server (try_server.py). Exit status 0 if all of that works and the server writes nothing but its usual lines."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import seccomp

from try_server import command_line, descendants, try_server
from waiting import LONGEST

CLONE_NAMESPACES = 0x7E020000 | 0x80
PROT_WRITE_EXECUTE, PROT_EXECUTE = 6, 4
FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10}


def settings(unit):
    lines = [line.strip().split("=", 1) for line in open(unit) if re.match(r"[A-Za-z]+=", line)]
    return [(key, value.strip()) for key, value in lines]


def group(name):
    """The calls of a group, with the groups inside it."""
    text = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
    calls = set()
    for line in text.splitlines()[1:]:
        word = line.strip()
        if word.startswith("@"):
            calls |= group(word)
        elif word and not word.startswith("#"):
            calls.add(word)
    return calls


def allowed_calls(unit):
    calls = group("@default")
    for key, value in unit:
        if key != "SystemCallFilter":
            continue
        words = value.lstrip("~").split()
        named = set().union(*(group(word) if word.startswith("@") else {word} for word in words))
        calls = calls - named if value.startswith("~") else calls | named
    return calls | group("@default")


def filter_file(unit):
    rules = seccomp.SyscallFilter(seccomp.ERRNO(1))
    calls = allowed_calls(unit)
    conditional = {"mmap", "mprotect", "pkey_mprotect", "clone", "clone3", "unshare", "setns", "socket", "shmat"}
    for call in sorted(calls - conditional):
        try:
            rules.add_rule(seccomp.ALLOW, call)
        except (RuntimeError, ValueError):
            continue  # Another architecture has this call.
    rules.add_rule(seccomp.ERRNO(38), "clone3")  # glibc then uses clone, as under systemd.
    rules.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_NAMESPACES, 0))
    # Two rules stand for "not both": one of the bits is missing.
    for bit in (2, 4):
        rules.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(2, seccomp.MASKED_EQ, bit, 0))
    rules.add_rule(seccomp.ALLOW, "mprotect", seccomp.Arg(2, seccomp.MASKED_EQ, PROT_EXECUTE, 0))
    for key, value in unit:
        if key == "RestrictAddressFamilies":
            for family in value.split():
                rules.add_rule(seccomp.ALLOW, "socket", seccomp.Arg(0, seccomp.EQ, FAMILIES[family]))
    file = tempfile.TemporaryFile()
    rules.export_bpf(file)
    file.seek(0)
    return file


def main():
    unit, program = settings(sys.argv[1]), os.path.abspath(sys.argv[2])
    state = tempfile.mkdtemp(prefix="byteclub-unit-")
    os.makedirs(state + "/club")
    sandbox = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/home",
               "--tmpfs", "/root", "--ro-bind", program, "/tmp/byteclub-serve", "--bind", state, "/var/lib",
               "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL", "--clearenv",
               "--setenv", "HOME", "/var/lib", "--setenv", "XDG_DATA_HOME", "/var/lib/data", "--die-with-parent"]
    place = ["--root", "/var/lib/club"]

    def start(words, **streams):
        file = filter_file(unit)
        return subprocess.Popen(
            sandbox + ["--seccomp", str(file.fileno()), "/tmp/byteclub-serve"] + words + place, pass_fds=[file.fileno()],
            text=True, **streams)

    server = None
    try:
        adding = start(["member", "add", "ray"], stdout=subprocess.PIPE)
        token = adding.communicate(timeout=LONGEST)[0].strip()
        assert adding.returncode == 0 and token, "no member could be added"
        log = open(state + "/log", "w+")
        server = start(["run", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=log)
        address = json.loads(server.stdout.readline())["server"]
        servers = [id for id in descendants(server.pid) if command_line(id)[1:2] == [b"run"]]
        assert servers, "the server has ended"
        workers = try_server(address, token, servers[-1])
        log.seek(0)
        lines = [line for line in log if not line.startswith("Serving. ") and " info serve: " not in line]
        assert not lines, "the server complains: " + "".join(lines)
        print(f"{workers} picture worker under the unit's filter and its own")
    except AssertionError as error:
        sys.exit(f"Under the settings of the unit {error}.")
    finally:
        if server:
            server.terminate()
            server.wait(timeout=LONGEST)
        shutil.rmtree(state)


main()
