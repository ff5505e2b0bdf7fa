# SPDX-License-Identifier: MIT
"""Authentication for the HTTP client requests, with tokens of listed services.

    tessera helper add http https://api.example.com --client-id your-client-id --scope your-scope

    import requests
    from tessera_identity.requests import TesseraAuth

    requests.get("https://api.example.com/items", auth=TesseraAuth())

Only this module and `tessera_identity.httpie` import requests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from requests import PreparedRequest, RequestException, Session
from requests.auth import AuthBase
from requests.utils import requote_uri

from ._programs import HelperError, helper_output

if TYPE_CHECKING:
    from typing import Any

    from requests import Response

__all__ = ["TesseraAuth", "TokenError"]


class TokenError(RequestException):
    """A listed service gets no request, because there is no token for it.

    Attributes:
        remedy: The remedy, such as `sign_in` or `fix_configuration`, as of a `tessera_identity.TesseraError`.
    """

    remedy: str

    def __init__(self, message: str, remedy: str) -> None:
        """Creates an error.

        Args:
            message: The problem and its correction, without secrets.
            remedy: The remedy.
        """
        super().__init__(message)
        self.remedy = remedy


class TesseraAuth(AuthBase):
    """Sends the token of a service that `tessera helper add http` has listed, for `auth=` of requests.

    The list alone decides which request gets a token: the scheme, the host and the port must be equal, and only
    https is accepted, except on this machine. Other requests are sent without a token. A redirect gets one only at
    the same origin, and only if the list covers its path.

    If the service refuses a token with status 401, it is renewed, at most once a minute, and the request is sent
    once more. A body that is a generator is not sent again.

    One object can be used by several threads and sessions.
    """

    def __call__(self, r: PreparedRequest) -> PreparedRequest:
        """Adds the token to a request.

        Args:
            r: The request.

        Returns:
            The same request.

        Raises:
            TokenError: The user has to sign in, or the list cannot be used.
            FileNotFoundError: This installation does not contain the command line `tessera`.
        """
        header = _header(r.url)
        if header is not None:
            r.headers["Authorization"] = header
            r.register_hook("response", _TokenUse(header, r.body).on_response)
        return r


class _TokenUse:
    """A token in a request and its redirects."""

    def __init__(self, header: str, body: Any) -> None:  # noqa: ANN401 - any body
        self._header = header
        try:
            self._position = body.tell()
        except (AttributeError, OSError):
            self._position = None

    def on_response(self, response: Response, **options: Any) -> Response:  # noqa: ANN401 - of requests
        """Handles a redirect, and renews a refused token."""
        request = response.request
        if request.headers.get("Authorization") != self._header:
            return response
        if response.status_code == 401:
            response = self._with_renewed_token(response, options)
        # requests copies the original request for a redirect.
        for each in {id(request): request, id(response.request): response.request}.values():
            self._prepare_redirect(response, each)
        return response

    def _prepare_redirect(self, response: Response, request: PreparedRequest) -> None:
        """Replaces the token in the request that is copied for a redirect, before it is sent.

        requests itself would keep the token at another path of the host, and from http to https.
        """
        if not response.is_redirect:
            return
        header = _header_of_redirect(response)
        if header is None:
            request.headers.pop("Authorization", None)
        else:
            self._header = request.headers["Authorization"] = header

    def _with_renewed_token(self, response: Response, options: dict[str, Any]) -> Response:
        """Sends a refused request again, if there is another token."""
        request = response.request
        header = _header(request.url)
        if header == self._header:
            _run("erase", request.url)
            header = _header(request.url)
        if header is None or header == self._header or not self._rewind(request.body):
            return response
        # The body of the response is read, so that the connection can be used again.
        _ = response.content
        response.close()
        self._header = request.headers["Authorization"] = header
        again: Response = response.connection.send(request.copy(), **options)
        again.history.append(response)
        return again

    def _rewind(self, body: Any) -> bool:  # noqa: ANN401 - any body
        """Whether the body can be sent again."""
        if body is None or isinstance(body, (str, bytes)):
            return True
        if self._position is None:
            return False
        try:
            body.seek(self._position)
        except (AttributeError, OSError):
            return False
        return True


def _header_of_redirect(response: Response) -> str | None:
    """Returns the Authorization header for the target of a redirect; None if it gets no token."""
    before = response.request.url or ""
    with Session() as session:
        target = session.get_redirect_target(response)
    if target is None:
        return None
    # The URL is parsed by requests, as it does for the redirect itself.
    request = PreparedRequest()
    try:
        request.prepare_url(urljoin(before, requote_uri(target)), {})
    except (RequestException, ValueError):
        return None
    after = request.url or ""
    if urlsplit(after)[:2] != urlsplit(before)[:2]:
        return None
    return _header(after)


def _header(url: str | None) -> str | None:
    """Returns the Authorization header of a request; None if its service is not listed."""
    output = _run("get", url)
    return output.partition(": ")[2] if output else None


def _run(operation: str, url: str | None) -> str | None:
    try:
        # The command line ignores the query, which may contain secrets.
        return helper_output("http", operation, "-", given=(url or "").partition("?")[0])
    except HelperError as error:
        raise TokenError(str(error), error.remedy) from error
