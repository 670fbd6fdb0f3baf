"""What a proxy does with a request: one function each. For http it is asked for whole URLs, for https for a tunnel."""

import socket
import threading

from tests.e2e.server import Behaviour, Visitor


def tunnel_to(port: int) -> Behaviour:
    """Connects to a port of this machine, whatever host is asked for, and passes on what comes."""

    def tunnels(visitor: Visitor) -> None:
        with socket.create_connection(("127.0.0.1", port)) as server:
            visitor.say(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=_pass_back, args=(server, visitor))
            back.start()
            for piece in visitor.pieces():
                server.sendall(piece)
            server.shutdown(socket.SHUT_RDWR)
            back.join()

    return tunnels


def _pass_back(server: socket.socket, visitor: Visitor) -> None:
    try:
        while piece := server.recv(2**16):
            visitor.say(piece)
    except OSError:
        return


def refuses(status: str) -> Behaviour:
    def answers(visitor: Visitor) -> None:
        visitor.answer(b"no", "Proxy-Authenticate: Basic", status=status)

    answers.__name__ = status
    return answers
