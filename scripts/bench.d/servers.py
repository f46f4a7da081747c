"""Servers to measure and to measure against: byteclub's own, nginx and rclone's WebDAV, each over a folder in memory."""
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time

import ports
from program import Stalled


def _wait(process, port, what):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise Stalled(f"{what} ended by itself with {process.returncode}.")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise Stalled(f"{what} did not listen within 20 s.")


class Server:
    """Use as `with Nginx(where) as server:`; leaving the block ends it."""

    name = "a server"

    def __init__(self, where):
        self.where = where
        self.root = os.path.join(where, "root")
        self.port = ports.free()[0]
        self.environment = dict(os.environ)
        os.makedirs(self.root)

    def __enter__(self):
        self.log = open(os.path.join(self.where, "log"), "w+b")
        self.process = subprocess.Popen(
            self.command(), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=self.environment)
        _wait(self.process, self.port, self.name)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
        shutil.rmtree(self.where, ignore_errors=True)

    def cpu(self):
        """CPU seconds so far, all threads."""
        return time.clock_gettime_ns((~self.process.pid << 3) | 2) / 1e9

    def lines(self):
        """What it has written so far."""
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()


class Nginx(Server):
    name = "nginx"

    def command(self):
        config = os.path.join(self.where, "nginx.conf")
        with open(config, "w", encoding="ascii") as file:
            file.write(f"""
                daemon off; pid {self.where}/pid; worker_processes auto; error_log {self.where}/errors;
                {'user root;' if os.geteuid() == 0 else ''}
                events {{ worker_connections 1024; }}
                http {{
                  access_log off; sendfile on; tcp_nopush on; client_max_body_size 0; keepalive_requests 1000000;
                  client_body_temp_path {self.where}/body; proxy_temp_path {self.where}/proxy;
                  fastcgi_temp_path {self.where}/fastcgi; uwsgi_temp_path {self.where}/uwsgi;
                  scgi_temp_path {self.where}/scgi;
                  server {{
                    listen 127.0.0.1:{self.port}; root {self.root};
                    location / {{ dav_methods PUT DELETE; create_full_put_path on; }}
                  }}
                }}
                """)
        return ["nginx", "-p", self.where, "-c", config, "-e", f"{self.where}/errors"]

    def url(self, name):
        return f"http://127.0.0.1:{self.port}/{name}"

    def get(self, name):
        return ["curl", "-sSf", "-o", "/dev/null", self.url(name)]

    def put(self, file, name):
        return ["curl", "-sSf", "-T", file, self.url(name)]


class RcloneWebDAV(Nginx):
    name = "rclone serve webdav"

    def command(self):
        return ["rclone", "--config", "/dev/null", "serve", "webdav", self.root, "--addr", f"127.0.0.1:{self.port}",
                "--cache-dir", os.path.join(self.where, "cache")]


class Serve(Server):
    """byteclub serve, with one member."""

    name = "byteclub serve"

    def __init__(self, where, binary, tls=None, arguments=()):
        super().__init__(where)
        self._binary, self._tls, self._arguments = binary, tls, arguments
        self.environment["XDG_DATA_HOME"] = os.path.join(where, "data")
        self.token = self.admit("ann")
        self.origin = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"

    def admit(self, name):
        """Lets a member in; returns the token."""
        added = subprocess.run([self._binary, "member", "add", name, "--root", self.root], env=self.environment,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if added.returncode:
            raise Stalled(f"byteclub-serve member add: {added.stderr.decode('utf-8', 'replace')}")
        return added.stdout.decode().strip()

    def command(self):
        secure = ["--tls-cert", self._tls.certificate, "--tls-key", self._tls.key] if self._tls else []
        return [self._binary, "--root", self.root, "--listen", f"127.0.0.1:{self.port}", *secure, *self._arguments]

    def _header(self):
        # In a file of its own: a token does not belong on a command line.
        path = os.path.join(self.where, "header")
        if not os.path.exists(path):
            with open(path, "w", encoding="ascii") as file:
                file.write(f"Authorization: Bearer {self.token}\n")
        return f"@{path}"

    def get(self, name):
        return ["curl", "-sSf", "-o", "/dev/null", "-H", self._header(), f"{self.origin}/1/files/auto/{name}"]

    def put(self, file, name):
        return ["curl", "-sSf", "-o", "/dev/null", "-H", self._header(), "-T", file,
                f"{self.origin}/1/files_put/auto/{name}?overwrite=true"]

    def probe_environment(self, **more):
        """For NetworkProbe."""
        ca = {"PROBE_CA": self._tls.authority} if self._tls else {}
        return {**os.environ, "PROBE_SERVER": self.origin, "PROBE_TOKEN": self.token, **ca, **more}

    def requests(self):
        """The requests that were answered so far, as "METHOD route" (the access log's words)."""
        found = (re.search(r"\b(GET|POST|PUT|DELETE|HEAD|OPTIONS) (/\S+) \d{3} \d+ ms", line) for line in self.lines())
        return [f"{match.group(1)} {match.group(2)}" for match in found if match]


class Apache(Server):
    """Apache's mod_dav, as the tests have it, without sign-in."""

    name, word, variables = "Apache", "apache", {}
    remote = ""
    compares = "byteclub compares each file that it has sent by reading it back"

    def __enter__(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test.d", "webdav_server.py")
        self._requests = os.path.join(self.where, "requests")
        # Apache works as "nobody", who must reach the files.
        for folder in (os.path.dirname(self.where), self.where):
            os.chmod(folder, 0o755)
        self.process = subprocess.Popen(
            [sys.executable, "-B", script, os.path.join(self.where, "own"), self.root, self._requests],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        said = self.process.stderr.readline().decode()
        found = re.search(r"port (\d+);", said)
        if not found:
            raise Stalled(f"Apache did not start: {said}")
        self.port = int(found.group(1))
        self.remote = f"[dav]\ntype = webdav\nvendor = other\nurl = http://127.0.0.1:{self.port}/"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(20)
        shutil.rmtree(self.where, ignore_errors=True)

    def club(self, place):
        return {"store": "webdav", "url": f"http://127.0.0.1:{self.port}/{place}"}

    def path(self, place):
        return f"dav:{place}"

    def make(self, place):
        os.makedirs(os.path.join(self.root, place))
        os.chmod(os.path.join(self.root, place), 0o777)

    def fill(self, place, count):
        for number in range(count):
            with open(os.path.join(self.root, place, f"note-{number:06d}.md"), "w", encoding="ascii") as file:
                file.write(f"Note {number}.\n")

    def requests(self):
        """The methods of the requests so far."""
        with open(self._requests, encoding="utf-8", errors="replace") as file:
            return [line.split(" ", 2)[1] for line in file]


class Ceph(Server):
    """A Ceph of one object store in memory, with its S3 gateway."""

    name, word = "Ceph", "ceph"
    variables = {"AWS_ACCESS_KEY_ID": "AKIACLUB", "AWS_SECRET_ACCESS_KEY": "secretsecret"}
    compares = "Ceph compares each request's body with its hash, which byteclub signs"

    def __enter__(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "conformance.d", "ceph.sh")
        self.process = subprocess.Popen([script, self.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env={**self.environment, "CEPH_BYTES": str(8 << 30)})
        words = self.process.stdout.readline().decode().split()
        if len(words) != 3:
            raise Stalled("Ceph did not start.")
        self._endpoint = words[0]
        self.remote = (f"[ceph]\ntype = s3\nprovider = Ceph\nendpoint = {words[0]}\naccess_key_id = {words[1]}\n"
                       f"secret_access_key = {words[2]}")
        self._config = os.path.join(self.where, "rclone.conf")
        with open(self._config, "w", encoding="ascii") as file:
            file.write(self.remote)
        self._rclone("mkdir", "ceph:club")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(30)
        shutil.rmtree(self.where, ignore_errors=True)

    def _rclone(self, *words):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "RCLONE_"))}
        subprocess.run(["rclone", "--config", self._config, *words], env=environment, check=True)

    def club(self, place):
        return {"store": "s3", "endpoint": self._endpoint, "bucket": "club", "prefix": place}

    def path(self, place):
        return f"ceph:club/{place}"

    def make(self, place):
        """A prefix needs nothing."""

    def fill(self, place, count):
        folder = os.path.join(self.where, f"fill-{place}")
        os.makedirs(folder)
        for number in range(count):
            with open(os.path.join(folder, f"note-{number:06d}.md"), "w", encoding="ascii") as file:
                file.write(f"Note {number}.\n")
        self._rclone("--transfers", "16", "--s3-no-head", "--s3-no-check-bucket", "copy", folder, f"ceph:club/{place}")
        shutil.rmtree(folder)

    def requests(self):
        """The methods of the requests so far, from the gateway's log of accesses."""
        with open(os.path.join(self.root, "client.rgw.log"), encoding="utf-8", errors="replace") as file:
            found = (re.search(r'beast: .*"([A-Z]+) /', line) for line in file)
            return [match.group(1) for match in found if match]


class Certificate:
    """A certificate for this machine and the authority that gave it; what it is said to be for, a client of Dropbox takes
    it for Dropbox's."""

    def __init__(self, where):
        os.makedirs(where)
        self.authority, self.certificate, self.key = (os.path.join(where, name) for name in ("ca.pem", "s.pem", "s.key"))
        extensions = os.path.join(where, "extensions")
        with open(extensions, "w", encoding="ascii") as file:
            file.write("subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:*.dropboxapi.com,DNS:*.dropbox.com\n"
                       "extendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n")
        for arguments in (
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{where}/ca.key", "-out", self.authority,
             "-days", "2", "-subj", "/CN=byteclub bench", "-addext", "basicConstraints=critical,CA:TRUE"],
            ["req", "-newkey", "rsa:2048", "-nodes", "-keyout", self.key, "-out", f"{where}/s.csr", "-subj",
             "/CN=localhost"],
            ["x509", "-req", "-in", f"{where}/s.csr", "-CA", self.authority, "-CAkey", f"{where}/ca.key",
             "-CAcreateserial", "-out", self.certificate, "-days", "2", "-extfile", extensions],
        ):
            subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Proxy(Server):
    """Leads every CONNECT to one port: how a client that knows only Dropbox's own addresses reaches another server."""

    name = "the proxy"

    def __init__(self, where, target):
        super().__init__(where)
        self._target = target

    def command(self):
        here = os.path.dirname(os.path.abspath(__file__))
        script = os.path.join(here, "..", "conformance.d", "connect_proxy.py")
        return [sys.executable, "-B", script, str(self._target), str(self.port)]


def fresh(servers, names):
    """What removes the files that earlier rounds have sent, so that each round makes new ones, and finds as much memory at
    hand that was in use a moment ago."""
    def clear():
        for server in servers:
            for name in names:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(server.root, name))
    return clear
