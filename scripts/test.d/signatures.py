"""Signs random requests with botocore, one JSON object a line: signatures.py SEED COUNT. Needs botocore (PyPI)."""
import json
import random
import sys
from urllib.parse import quote

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

seed, count = int(sys.argv[1]), int(sys.argv[2])
numbers = random.Random(seed)
letters = "abcXYZ019-._~ +=&%?#:;,!*'()[]{}<>|\\^\"`$@é日👩\t\u0301/"


def word(longest, alphabet=letters):
    return "".join(numbers.choice(alphabet) for _ in range(numbers.randint(1, longest)))


plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
for _ in range(count):
    keys = Credentials(word(20, plain), word(40, plain + "/+="), word(60, plain + "/+=") if numbers.random() < 0.3 else None)
    region = numbers.choice(["us-east-1", "eu-central-1", "auto", "garage"])
    host = numbers.choice(["s3.example.org", "bucket.s3.amazonaws.com", "127.0.0.1:9000"])
    key = word(30).strip("/") or "k"
    while "//" in key:
        key = key.replace("//", "/")
    path = "/" + quote(key.encode(), safe="/-_.~")
    query = [(name, numbers.choice(["", word(12)])) for name in
             {numbers.choice(["uploads", "prefix", "list-type", "X-a", "x-a", "delimiter", word(6)]) for _ in range(numbers.randint(0, 5))}]
    headers = [(name, numbers.choice(['"abc"', "*", "bytes=0-9", "a  b", word(8, plain + "/%")])) for name in
               {numbers.choice(["If-Match", "If-None-Match", "Range", "x-amz-meta-A", "x-amz-copy-source", "Content-Type"])
                for _ in range(numbers.randint(0, 4))}]
    seconds = numbers.randint(0, 4_000_000_000)
    payload = numbers.choice([b"", b"text", word(20).encode()])
    url = "http://" + host + path
    if query:
        url += "?" + "&".join(quote(n.encode(), safe="-_.~") + "=" + quote(v.encode(), safe="-_.~") for n, v in query)
    request = AWSRequest("PUT" if payload else "GET", url, dict(headers), payload)
    import datetime

    request.context["timestamp"] = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    request.context["payload_signing_enabled"] = True
    signer = S3SigV4Auth(keys, "s3", region)
    signer._modify_request_before_signing(request)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    signer._inject_signature_to_request(request, signer.signature(text, request))
    print(json.dumps({
        "id": keys.access_key, "secret": keys.secret_key, "token": keys.token, "region": region, "host": host,
        "method": request.method, "key": key, "query": query, "headers": headers, "seconds": seconds,
        "payload": payload.decode(), "authorization": request.headers["Authorization"],
    }))
