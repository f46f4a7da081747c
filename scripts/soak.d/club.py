"""A server that misbehaves, a member's home, and byteclub's verbs in it."""
import json
import os
import re
import signal
import subprocess
import time

import counting


class Ended(Exception):
    """The soak cannot go on."""


class Club:
    """byteclub-serve behind a proxy that counts, and a home that knows it as "lab"."""

    def __init__(self, where, binary, server, chaos, seed):
        self.where, self.binary = where, binary
        self.root, self.home = os.path.join(where, "club"), os.path.join(where, "home")
        for folder in (self.root, f"{self.home}/.config/byteclub", f"{self.home}/in", f"{self.home}/out"):
            os.makedirs(folder, mode=0o700)
        self._environment = {
            "HOME": self.home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
            **{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}}
        serving = {**self._environment, "XDG_DATA_HOME": f"{where}/data"}
        added = subprocess.run([server, "member", "add", "ann", "--root", self.root], env=serving, check=True,
                               stdout=subprocess.PIPE)
        self._environment["BYTECLUB_TOKEN"] = added.stdout.decode().strip()
        self._log = open(f"{where}/log", "w+b")
        with open(f"{where}/said", "w+b") as said:
            self._server = subprocess.Popen(
                [server, "--root", self.root, "--listen", "127.0.0.1:0", "--chaos", chaos, "--seed", str(seed)],
                stdin=subprocess.DEVNULL, stdout=said, stderr=self._log, env=serving)
        self.proxy = counting.CountingProxy(self._port())
        with open(f"{self.home}/.config/byteclub/config.json", "w", encoding="ascii") as file:
            json.dump({"club": "lab", "clubs": {"lab": {
                "store": "dropbox", "server": f"http://127.0.0.1:{self.proxy.port}", "folder": "/"}}}, file)

    def _port(self):
        for _ in range(500):
            with open(f"{self.where}/said", encoding="utf-8") as file:
                found = re.search(r"127\.0\.0\.1:(\d+)", file.read())
            if found:
                return int(found.group(1))
            if self._server.poll() is not None:
                break
            time.sleep(0.02)
        raise Ended(f"The server did not start: {self.log()[-400:]}")

    def close(self):
        self._server.terminate()
        self._server.wait(20)
        self.proxy.close()
        self._log.close()

    def log(self):
        with open(self._log.name, encoding="utf-8", errors="replace") as file:
            return file.read()

    def answered(self):
        """How many requests were answered so far, and how many of them were made to fail."""
        lines = [line for line in self.log().splitlines() if re.search(r" \d{3} \d+ ms", line)]
        faults = re.compile(r"chaos: .*(429|503|500|refuse|cut|drop|junk|stall)")
        return len(lines), sum(1 for line in lines if faults.search(line))

    def start(self, *words):
        return subprocess.Popen([self.binary, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, env=self._environment, cwd=self.home)

    def transfers(self):
        """What the journal has."""
        done = subprocess.run([self.binary, "transfer", "ls", "--json"], stdin=subprocess.DEVNULL, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self._environment)
        if done.returncode:
            raise Ended(f"transfer ls ended with {done.returncode}: {done.stderr[-400:].decode('utf-8', 'replace')}")
        return json.loads(done.stdout)["results"]


def kill(process):
    """Whether it was still running."""
    was_running = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    return was_running
