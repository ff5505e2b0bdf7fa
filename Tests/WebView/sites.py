# SPDX-License-Identifier: MIT
"""Local pages that redirect a web view to forbidden addresses, and count the requests."""

from __future__ import annotations

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

from certificates import Certificates

ELSEWHERE = "127.0.0.2"
"""A reachable address that the web view does not treat as a loopback address."""


def script(text: str) -> str:
    """Returns a page with a delayed script."""
    return f"<h1>Page</h1><a id=a></a><form id=f></form><script>setTimeout(() => {{ {text} }}, 200)</script>"


class Site:
    """A server at 127.0.0.1 and at 127.0.0.2; a context manager that stops it."""

    def __init__(self, redirect: str, certificates: Certificates | None = None) -> None:
        """Starts the server, with TLS if certificates are given."""
        site = self
        self.requests: list[str] = []
        """The requests, with the address of the server."""
        self.cookies: list[str] = []
        """The cookies of requests for /cookie."""

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                place = self.connection.getsockname()[0]
                site.requests.append(f"{place}{self.path}")
                if self.path == "/cookie":
                    site.cookies.append(self.headers.get("Cookie", ""))
                kind, content = site.page(self.path, redirect)
                self.send_response(302 if kind == "location" else 200)
                if kind == "location":
                    self.send_header("Location", content)
                elif kind == "file":
                    self.send_header("Content-Disposition", "attachment; filename=loot.bin")
                    self.send_header("Content-Type", "application/octet-stream")
                else:
                    self.send_header("Content-Type", "text/html")
                    self.send_header("Set-Cookie", "seen=yes; Max-Age=3600")
                self.end_headers()
                if kind != "location":
                    self.wfile.write(content.encode())

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
                """Logs nothing."""

        self._servers = [ThreadingHTTPServer(("127.0.0.1", 0), Page)]
        self.port = self._servers[0].server_port
        self._servers.append(ThreadingHTTPServer((ELSEWHERE, self.port), Page))
        self._scheme, host = "http", "127.0.0.1"
        if certificates is not None:
            self._scheme, host = "https", "localhost"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificates.server_file, certificates.server_key)
            first = self._servers[0]
            # A client that connects and sends nothing must not block others.
            first.socket = context.wrap_socket(first.socket, server_side=True, do_handshake_on_connect=False)
        self.place = f"{host}:{self.port}"
        for server in self._servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def __enter__(self) -> Site:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def address(self, path: str) -> str:
        """Returns the address of a page."""
        return f"{self._scheme}://{self.place}{path}"

    def page(self, path: str, redirect: str) -> tuple[str, str]:
        """Returns the type and the content of a page.

        All redirect to the response in the end, if they are not stopped.
        """
        away = f"http://{ELSEWHERE}:{self.port}/away"
        answer = f"{redirect}?code=c&state=s"
        then_answer = f"setTimeout(() => location = '{answer}', 600)"
        pages = {
            "/answer": ("location", answer),
            "/answer-script": ("page", script(f"location = '{answer}'")),
            "/answer-form": ("page", script(f"f.action = '{redirect}'; f.method = 'post'; f.submit()")),
            "/away": ("page", "<h1>Away</h1>"),
            "/away-redirect": ("location", away),
            "/away-script": ("page", script(f"location = '{away}'")),
            "/file-redirect": ("location", "file:///etc/passwd"),
            "/file-script": ("page", script(f"location = 'file:///etc/passwd'; {then_answer}")),
            "/data-redirect": ("location", "data:text/html,<h1>made</h1>"),
            "/data-script": ("page", script(f"location = 'data:text/html,<h1>made</h1>'; {then_answer}")),
            "/other-scheme": ("location", "vnd.other.program://open?x=1"),
            "/javascript": ("page", script(f"location = 'javascript:void(document.title=1)'; {then_answer}")),
            "/window": (
                "page",
                script(f"open('/away'); a.href = '/away'; a.target = '_blank'; a.click(); {then_answer}"),
            ),
            "/letter": ("page", script(f"a.href = 'mailto:a@b.example'; a.click(); {then_answer}")),
            "/frame": ("page", "<iframe src='data:text/html,framed'></iframe>" + script(then_answer)),
            "/download": ("page", script(f"location = '/loot'; {then_answer}")),
            "/loot": ("file", "loot"),
            "/cookie": ("page", script(f"location = '{answer}'")),
        }
        return pages.get(path, ("page", "<h1>Nothing</h1>"))
