"""A mail server that stores the messages that it gets. It may refuse recipients or whole sessions."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from email.policy import default


class MailCatcher(socketserver.ThreadingTCPServer):
    """A server of the part of SMTP that smtplib uses."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Session)
        self.messages: list[Message] = []
        self.refuses = ""  # "session", "recipient", "sender"

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Session(socketserver.StreamRequestHandler):
    server: MailCatcher

    def handle(self) -> None:
        if self.server.refuses == "session":
            self._reply("554 no mail from here")
            return
        self._reply("220 catcher")
        while line := self.rfile.readline():
            verb = line.split()[0].upper().decode() if line.split() else ""
            if verb == "DATA":
                self._reply("354 go on")
                self._take()
            elif verb == "QUIT":
                self._reply("221 bye")
                return
            refused = {"RCPT": "recipient", "MAIL": "sender"}.get(verb, "-") == self.server.refuses
            self._reply("550 refused" if refused else "250 ok")

    def _take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        self.server.messages.append(message_from_bytes(b"".join(lines), policy=default))

    def _reply(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def mail_caught(port: int = 0) -> Iterator[MailCatcher]:
    """Run a catcher for the block, at a port of its own choice or at ``port``."""
    with MailCatcher(port) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
