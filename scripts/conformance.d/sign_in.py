"""Signs in as a member would in a browser, and prints a refresh token and the link of a picture.

Arguments: the server's address, an app key, a code word, and an access token to put the picture there with.
"""

import base64
import hashlib
import json
import re
import secrets
import struct
import sys
import zlib

import requests


def picture():
    """A small PNG."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((x, y, 128)[i] for x in range(64) for i in range(3)) for y in range(64))
    header = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def main():
    server, key, word, token = sys.argv[1:5]
    browser = requests.Session()
    verifier = secrets.token_urlsafe(64)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    page = browser.get(
        server + "/oauth2/authorize",
        params={
            "response_type": "code",
            "client_id": key,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "token_access_type": "offline",
        },
    )
    request = re.search(r'name="request" value="([^"]*)"', page.text).group(1)
    answer = browser.post(server + "/oauth2/authorize", data={"request": request, "word": word, "answer": "allow"})
    code = re.search(r'<code id="code">([^<]*)<', answer.text).group(1)
    tokens = requests.post(
        server + "/oauth2/token",
        data={"grant_type": "authorization_code", "code": code, "client_id": key, "code_verifier": verifier},
    ).json()
    member = {"Authorization": "Bearer " + token}
    argument = {"Content-Type": "application/octet-stream", "Dropbox-API-Arg": json.dumps({"path": "/shared/picture.png"})}
    requests.post(server + "/2/files/upload", data=picture(), headers={**member, **argument}).raise_for_status()
    link = requests.post(
        server + "/2/files/get_temporary_link", json={"path": "/shared/picture.png"}, headers=member
    ).json()
    print(tokens["refresh_token"])
    print(link["link"])


main()
