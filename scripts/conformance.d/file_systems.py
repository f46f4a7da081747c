"""Two clients of other people over Dropbox's SDK: a file system for fsspec (dropboxdrivefs), and one for PyFilesystem
(fs.dropboxfs).

Arguments: an access token, and fsspec or pyfs. The SDK takes the hosts from the environment, and the certificates from REQUESTS_CA_BUNDLE.
"""

import sys
import warnings

warnings.simplefilter("ignore")


def fsspec_checks(token):
    from dropboxdrivefs import DropboxDriveFileSystem

    club = DropboxDriveFileSystem(token=token)
    club.mkdir("/fsspec")
    text = "Größe – \U0001f304\n".encode() * 1000
    with club.open("/fsspec/ünï.bin", "wb") as file:
        file.write(text)
    with club.open("/fsspec/ünï.bin", "rb") as file:
        assert file.read() == text, "other bytes come back"
    assert [entry["name"] for entry in club.ls("/fsspec", detail=True)] == ["/fsspec/ünï.bin"], club.ls("/fsspec")
    assert club.info("/fsspec/ünï.bin")["size"] == len(text)
    club.rm("/fsspec")


def pyfilesystem_checks(token):
    from fs.dropboxfs import DropboxFS

    club = DropboxFS(token)
    club.makedir("/pyfs")
    club.makedir("/pyfs/below")
    club.writetext("/pyfs/below/a.txt", "text")
    assert club.readtext("/pyfs/below/a.txt") == "text"
    assert sorted(club.listdir("/pyfs")) == ["below"]
    assert sorted(club.listdir("/")) and "pyfs" in club.listdir("/")
    assert club.getinfo("/pyfs/below/a.txt", ["details"]).size == 4
    assert not club.exists("/pyfs/none") and club.isdir("/pyfs/below")
    club.removetree("/pyfs")
    assert not club.exists("/pyfs")


{"fsspec": fsspec_checks, "pyfs": pyfilesystem_checks}[sys.argv[2]](sys.argv[1])
