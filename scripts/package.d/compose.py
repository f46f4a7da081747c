"""Checks packaging/container without a container: compose.py PROGRAM; compose.py --words SERVICE HOST prints a command

compose.yaml is read as podman-compose reads it. What its services mount exists, the server's command has options of PROGRAM
(byteclub-serve) alone, both services meet at one socket, and the image has the user's folders. No service is started.
"""
import pathlib
import re
import subprocess
import sys

import yaml

FOLDER = pathlib.Path("packaging/container")


def main():
    compose = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    image = (FOLDER / "Containerfile").read_text()
    club, caddy = compose["services"]["club"], compose["services"]["caddy"]
    mounts = {name: dict(volume.split(":") for volume in service["volumes"])
              for name, service in compose["services"].items()}
    for volumes in mounts.values():
        assert volumes.keys() <= compose["volumes"].keys(), volumes
    made = re.search(r"install -d .* -m 0700 (.*)", image).group(1).split()
    assert sorted(mounts["club"].values()) == sorted(made), (mounts, made)
    words = club["command"]
    options = {word for word in words if word.startswith("--")}
    said = subprocess.run([sys.argv[1], "run", "--help"], check=True, capture_output=True, text=True).stdout
    known = set(re.findall(r"--[a-z-]+", said))
    assert options <= known, options - known
    for option, place in (("--root", "/club"), ("--state", "/state")):
        assert words[words.index(option) + 1] == place, option
    socket = words[words.index("--listen") + 1].removeprefix("unix:")
    assert socket.startswith(mounts["club"]["socket"] + "/"), socket
    assert mounts["caddy"]["socket"] == mounts["club"]["socket"] and "unix/" + socket in caddy["command"], caddy
    assert caddy["depends_on"] == ["club"]
    assert any("CLUB_HOST:?" in word for word in words) and "${CLUB_HOST}" in caddy["command"]
    # The folders of a read-only container to which the server writes.
    assert club["read_only"] and club["tmpfs"] == ["/tmp"]


def words(service, host):
    """The command of a service, one word a line."""
    compose = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    for word in compose["services"][service]["command"]:
        print(re.sub(r"\$\{CLUB_HOST[^}]*\}", host, word))


if sys.argv[1] == "--words":
    words(*sys.argv[2:])
else:
    main()
