"""An S3 server for the tests: moto on loopback, with the buckets of its arguments. Prints its port to standard error,
and ends with its standard input.

Needs moto[server] (PyPI)."""
import logging
import os
import sys

import boto3
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
if len(sys.argv) > 1:
    client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1",
                          aws_access_key_id="AKIATEST", aws_secret_access_key="secret")
    for bucket in sys.argv[1:]:
        client.create_bucket(Bucket=bucket)
sys.stderr.write(f"port {port};\n")
sys.stderr.flush()
# Nobody reads the rest.
quiet = os.open(os.devnull, os.O_WRONLY)
os.dup2(quiet, 1)
os.dup2(quiet, 2)
sys.stdin.buffer.read()
os._exit(0)
