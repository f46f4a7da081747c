"""A proxy that leads every CONNECT, whatever host it names, to one port of this machine. Prints its own port; a second
argument says which it should be."""

import socket
import sys
import threading


def carry(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client):
    head = b""
    while b"\r\n\r\n" not in head:
        data = client.recv(4096)
        if not data:
            return
        head += data
    server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
    threading.Thread(target=carry, args=(client, server), daemon=True).start()
    carry(server, client)


def main():
    listener = socket.create_server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


main()
