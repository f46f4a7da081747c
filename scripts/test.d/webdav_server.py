"""A WebDAV server for tests: Apache on loopback over the folder FILES, for everybody:  webdav_server.py FOLDER FILES [LOG].
Its own files are in FOLDER; LOG gets a line for each request. Prints its port to standard error, and ends with its
standard input.

Needs apache2-bin (Debian)."""
import os
import signal
import socket
import subprocess
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "parts.d"))
import ports  # noqa: E402

own, files = sys.argv[1:3]
for place in (own, os.path.join(own, "body"), files):
    os.makedirs(place, exist_ok=True)
port = ports.free()[0]
modules = ["mpm_event", "authz_core", "dav", "dav_fs"]
loads = "\n".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in modules)
log = f'CustomLog "{sys.argv[3]}" "%>s %m %U"' if len(sys.argv) > 3 else ""
# Apache does not run as root.
user = ""
if os.geteuid() == 0:
    user = "User nobody\nGroup nogroup\n"
    for place in (own, os.path.join(own, "body"), files):
        os.chmod(place, 0o777)
with open(os.path.join(own, "config"), "w", encoding="utf-8") as config:
    config.write(f"""ServerRoot "{own}"
PidFile "{own}/pid"
ErrorLog "{own}/error"
DefaultRuntimeDir "{own}"
Listen 127.0.0.1:{port}
ServerName localhost
{loads}
{user}{log}
StartServers 1
ServerLimit 2
ThreadsPerChild 32
MaxRequestWorkers 64
KeepAliveTimeout 60
MaxKeepAliveRequests 0
DavLockDB "{own}/body/locks"
DocumentRoot "{files}"
<Directory "{files}">
  Dav On
  Require all granted
</Directory>
""")
apache = subprocess.Popen(["/usr/sbin/apache2", "-f", os.path.join(own, "config"), "-DFOREGROUND"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def end(*_):
    apache.terminate()
    apache.wait()
    sys.exit()


signal.signal(signal.SIGTERM, end)
while True:
    with socket.socket() as tried:
        if tried.connect_ex(("127.0.0.1", port)) == 0:
            break
    if apache.poll() is not None:
        sys.exit("Apache did not start.")
    time.sleep(0.02)
sys.stderr.write(f"port {port};\n")
sys.stderr.flush()
# Nobody reads the rest.
quiet = os.open(os.devnull, os.O_WRONLY)
os.dup2(quiet, 1)
os.dup2(quiet, 2)
sys.stdin.buffer.read()
end()
