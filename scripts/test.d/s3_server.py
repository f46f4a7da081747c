"""An S3 server for the tests: moto on loopback, with the buckets of its arguments. Prints its port to standard error,
and ends with its standard input.

Needs moto[server] (PyPI)."""
import hashlib
import io
import logging
import os
import sys
import threading

import boto3
from moto.core.serialize import TimestampSerializer
from moto.moto_server import threaded_moto_server
from moto.moto_server.werkzeug_app import DomainDispatcherApplication
from moto.s3.models import FakeDeleteMarker, FakeKey

# moto lists the markers of deletions after all versions, in whole seconds, so their order is lost. AWS lists both in one
# order.
TimestampSerializer.ISO8601_MICRO_ZEROED = TimestampSerializer.ISO8601_MICRO
for kind in (FakeKey, FakeDeleteMarker):
    kind.last_modified_ISO8601 = property(lambda self: self.last_modified.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))


class Comparing(DomainDispatcherApplication):
    """Refuses a body that has another hash than its request says, as AWS documents it; moto does not. Answers one request
    at a time, because moto compares and writes in two steps."""

    turn = threading.Lock()

    def __call__(self, environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(body)
        said = environ.get("HTTP_X_AMZ_CONTENT_SHA256", "")
        if len(said) == 64 and hashlib.sha256(body).hexdigest() != said:
            start_response("400 Bad Request", [("Content-Type", "application/xml")])
            return [b"<Error><Code>XAmzContentSHA256Mismatch</Code></Error>"]
        with self.turn:
            return super().__call__(environ, start_response)


threaded_moto_server.DomainDispatcherApplication = Comparing
logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
server = threaded_moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
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
