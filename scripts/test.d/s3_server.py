"""An S3 server for the tests: moto on loopback. Prints its port to standard error, and ends with its standard input.

Needs moto[server] (PyPI)."""
import logging
import os
import sys

from moto.s3.models import FakeDeleteMarker, FakeKey
from moto.server import ThreadedMotoServer

# moto lists the markers of deletions after all versions, in whole seconds, so their order is lost. AWS lists both in one
# order.
for kind in (FakeKey, FakeDeleteMarker):
    kind.last_modified_ISO8601 = property(lambda self: self.last_modified.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))

logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
_, port = server.get_host_and_port()
sys.stderr.write(f"port {port};\n")
sys.stderr.flush()
# Nobody reads the rest.
quiet = os.open(os.devnull, os.O_WRONLY)
os.dup2(quiet, 1)
os.dup2(quiet, 2)
sys.stdin.buffer.read()
os._exit(0)
