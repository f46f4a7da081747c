"""Downloads a folder as one archive with Dropbox's SDK, and reads it with Python's own zipfile.

Arguments: an access token, and the file of the certificates to trust. The SDK takes the hosts from the environment.
"""

import io
import random
import sys
import zipfile
from datetime import datetime

import dropbox
from dropbox.exceptions import ApiError


def main():
    token, certificates = sys.argv[1:3]
    club = dropbox.Dropbox(oauth2_access_token=token, ca_certs=certificates)
    numbers = random.Random(1)
    files = {"notes/%d.md" % number: numbers.randbytes(number * 7) for number in range(300)}
    files.update({
        "empty": b"",
        "Größe – \U0001f304.bin": numbers.randbytes(65536),
        "photos/large.jpg": numbers.randbytes(3_000_001),
        "photos/2026/small.jpg": b"small",
    })
    written = datetime(2001, 2, 3, 4, 5, 6)
    for name, content in files.items():
        club.files_upload(content, "/zipped/" + name, client_modified=written)
    club.files_create_folder_v2("/zipped/Nothing in it")

    result, response = club.files_download_zip("/Zipped")
    assert result.metadata.path_display == "/zipped" and result.metadata.id.startswith("id:"), result
    assert response.headers["Content-Type"] == "application/zip", response.headers
    check(response.content, "zipped/", files, written)
    result, response = club.files_download_zip(result.metadata.id)
    check(response.content, "zipped/", files, written)
    club.files_download_zip_to_file("photos.zip", "/zipped/photos")
    below = {name[len("photos/"):]: content for name, content in files.items() if name.startswith("photos/")}
    with open("photos.zip", "rb") as archive:
        check(archive.read(), "photos/", below, written)

    for path, is_so in [("/zipped/empty", "is_not_folder"), ("/zipped/gone", "is_not_found")]:
        try:
            club.files_download_zip(path)
        except ApiError as error:
            assert error.error.is_path() and getattr(error.error.get_path(), is_so)(), error
        else:
            raise AssertionError(path + " was sent")
    club.files_delete_v2("/zipped")


def check(content, top, files, written):
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None, "a checksum is wrong"
    entries = {entry.filename: entry for entry in archive.infolist()}
    assert len(entries) == len(archive.infolist()), "a name is there twice"
    assert {name for name in entries if not name.endswith("/")} == {top + name for name in files}, sorted(entries)
    assert entries[top].is_dir()
    assert top != "zipped/" or entries["zipped/Nothing in it/"].is_dir()
    for name, content in files.items():
        assert archive.read(top + name) == content, name
        assert datetime(*entries[top + name].date_time) == written, name


main()
