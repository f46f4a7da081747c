"""Signs in by OAuth 1.0 with Dropbox's own SDK for version 1 (2.2.0, for Python 2.7), as a member would in a browser.

Arguments: an app key, its secret, and a code word. Writes oauth1.auth and oauth2.auth, which the SDK's suite reads, into
the folder tests. HOST and CA are as in conftest_v1.py.
"""

import json
import re
import sys
import urllib

import conftest_v1  # noqa: F401
from dropbox import client, rest, session


def main():
    key, secret, word = sys.argv[1:4]
    mine = session.DropboxSession(key, secret, "dropbox")
    token = mine.obtain_request_token()
    address = mine.build_authorize_url(token)
    browser = rest.RESTClient.IMPL.pool_manager
    page = browser.request("GET", address)
    request = re.search(r'name="request" value="([^"]*)"', page.data).group(1)
    fields = {"request": request, "word": word, "answer": "allow"}
    answer = browser.request(
        "POST",
        address.split("?")[0],
        body=urllib.urlencode(fields),
        headers={
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": page.headers["Set-Cookie"].split(";")[0],
        },
    )
    assert answer.status == 200, answer.data
    access = mine.obtain_access_token(token)
    with open("tests/oauth1.auth", "w") as file:
        json.dump(
            {"app_key": key, "app_secret": secret, "access_key": access.key, "access_secret": access.secret}, file
        )
    newer = client.DropboxClient(mine).create_oauth2_access_token()
    with open("tests/oauth2.auth", "w") as file:
        json.dump({"access_token": newer}, file)


main()
