"""One crawl's connections by aiohttp. Imported when a crawl begins: importing aiohttp takes a fifth of a second.

Laws: one hop, nothing retried but a request that met a connection which the server had closed meanwhile; no thread
pool anywhere (aiohttp's own ``trust_env`` uses one for every request); nothing escapes but cancellation; nothing stays
open.
"""

import asyncio
import base64
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from urllib.parse import quote_from_bytes, unquote_to_bytes

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from usp.fetching.addresses import address_from
from usp.fetching.aiohttp_answers import AnswerParser
from usp.fetching.aiohttp_faults import failure, reason
from usp.fetching.aiohttp_fetcher import USER_AGENT, AiohttpFetcher
from usp.fetching.dialling import DIAL, Dial, Dialler
from usp.fetching.environment import environment
from usp.fetching.fetcher import Fetch, Interrupted
from usp.fetching.resolving import Resolver, resolved
from usp.fetching.wire_url import UnsendableURL, WireURL, wire_url
from usp.limits import KIB
from usp.messages import Failure, Request, Response
from usp.problems import Outcome

CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization"})
"""The headers of the caller's that go to the caller's origin only."""

ACCEPT = "application/xml, text/xml, application/rss+xml, application/atom+xml, text/plain, */*;q=0.8"
ACCEPT_ENCODING = "gzip, deflate, br, zstd"

HEADER_BYTES = 64 * KIB
"""The longest line of a head; browsers take about as much. Of lines, 128 are taken."""

DNS_SECONDS = 60
ADDRESSES_A_FAMILY = 4
"""Of a host with more addresses the first few are dialled: a hostile name server could give thousands."""

_NO_TIMEOUT = aiohttp.ClientTimeout(total=None, connect=None, sock_read=None, sock_connect=None)
_CLOSING_ROUNDS = 20
_ASCII = bytes(range(0x80))


class AiohttpSession(AbstractAsyncContextManager[Fetch]):
    """The connections of one crawl."""

    def __init__(self, options: AiohttpFetcher) -> None:
        self._options = options
        self._dialler = Dialler()

    async def __aenter__(self) -> Fetch:
        options = self._options
        self._environment = environment()
        self._untrusted, self._trusted = _base_headers(options)
        connector = aiohttp.TCPConnector(
            ssl=options.tls,
            limit=options.connections or 0,
            resolver=_Names(options.resolver),
            ttl_dns_cache=DNS_SECONDS,
            socket_factory=self._dialler.socket,
        )
        connector._factory = self._new_parser  # type: ignore[assignment]  # noqa: SLF001
        self.client = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=_NO_TIMEOUT,
            auto_decompress=False,
            max_line_size=HEADER_BYTES,
            max_field_size=HEADER_BYTES,
        )
        # aiohttp would send again whatever broke, once; we only what met a connection that was closed meanwhile.
        self.client._retry_connection = False  # noqa: SLF001
        return self._fetch

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.client.close()
        finally:
            # TLS connections that were let go politely still wait for the other side; nobody else does.
            for _ in range(_CLOSING_ROUNDS):
                if not self._dialler.hang_up():
                    break
                await asyncio.sleep(0)

    def _fetch(self, request: Request) -> "_Hop":
        return _Hop(self, request)

    def _new_parser(self) -> AnswerParser:
        return AnswerParser(asyncio.get_running_loop(), self._dialler.is_crowded)

    def proxy_for(self, wire: WireURL) -> str | None:
        """The proxy through which a URL is fetched."""
        if self._options.proxy is not None:
            return self._options.proxy
        return self._environment.proxy_for(wire.scheme, wire.host, wire.port) if self._environment.proxies else None

    def headers_for(self, request: Request, wire: WireURL) -> CIMultiDict[str]:
        """All that is sent with a request."""
        base = self._trusted if request.trusted else self._untrusted
        credentials = None
        if wire.userinfo:
            credentials = _basic(*_user_and_password(wire.userinfo))
        elif self._environment.passwords is not None and "Authorization" not in base:
            known = self._environment.credentials_for(wire.host, request.trusted)
            credentials = _basic(*(part.encode() for part in known)) if known else None
        if credentials is None and not request.headers:
            return base
        headers = base.copy()
        if credentials is not None:
            headers["Authorization"] = credentials
        for name, value in request.headers.items():
            headers[name] = _joined_cookies(headers.get(name), value) if name.lower() == "cookie" else value
        return headers


class _Hop(AbstractAsyncContextManager[Response | Failure]):
    """One request and its answer."""

    __slots__ = ("_answer", "_request", "_session")

    def __init__(self, session: AiohttpSession, request: Request) -> None:
        self._session = session
        self._request = request
        self._answer: aiohttp.ClientResponse | None = None

    async def __aenter__(self) -> Response | Failure:
        request = self._request
        try:
            wire = wire_url(request.url)
        except UnsendableURL as fault:
            return Failure(url=request.url, outcome=Outcome.UNREACHABLE, reason=str(fault), connected=False)
        proxy = self._session.proxy_for(wire)
        dial = Dial(wire.host.strip("[]"), request.may_dial, proxy is not None)
        token = DIAL.set(dial)
        try:
            answer = self._answer = await self._answered(wire, proxy, dial)
        except Exception as fault:  # whatever a server or a URL does: only cancellation may escape
            return failure(request.url, fault, dial)
        finally:
            DIAL.reset(token)
        headers = _plain(answer.headers)
        return Response(request.url, answer.status, headers, _Body(answer.content), answer.reason or "")

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        answer = self._answer
        if answer is None or answer.connection is None:
            return  # there was no answer, or all of it arrived
        transport = answer.connection.transport
        if transport is not None and not answer.content.is_eof():
            transport.abort()  # closing politely would wait for the other side
        answer.close()

    async def _answered(self, wire: WireURL, proxy: str | None, dial: Dial) -> aiohttp.ClientResponse:
        url = URL(str(wire), encoded=True)
        headers = self._session.headers_for(self._request, wire)
        proxy_url = None if proxy is None else URL(proxy)
        while True:
            try:
                return await self._session.client.get(url, headers=headers, proxy=proxy_url, allow_redirects=False)
            except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as fault:
                if dial.happened or isinstance(fault, aiohttp.ClientConnectorError):
                    raise
                # The server had closed this kept connection; the next one may be as old, but at last we dial.


class _Body(AsyncIterator[bytes]):
    """The bytes of an answer, as they come over the wire."""

    __slots__ = ("_content",)

    def __init__(self, content: aiohttp.StreamReader) -> None:
        self._content = content

    def __aiter__(self) -> "_Body":
        return self

    async def __anext__(self) -> bytes:
        content = self._content
        try:
            piece = await content.readany()
        except Exception as fault:  # whatever the connection does
            # What arrived before the fault is still there; aiohttp reports the fault first.
            piece = content._read_nowait(-1)  # noqa: SLF001
            if not piece:
                raise Interrupted(reason(fault)) from None
        if piece:
            return piece
        if (broken := content.exception()) is not None:
            raise Interrupted(reason(broken))
        raise StopAsyncIteration


class _Names(AbstractResolver):
    """Looks names up as the caller wants them looked up, and never in a thread pool."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        try:
            addresses = await resolved(self._resolver, host)
        except OSError:
            raise
        except Exception as fault:  # a resolver of the caller's, or a name that cannot be encoded
            raise OSError(None, str(fault) or "the resolver failed") from fault
        addresses = [address for address in addresses if isinstance(address, str) and address_from(address) is not None]
        by_family = {
            socket.AF_INET: [address for address in addresses if ":" not in address],
            socket.AF_INET6: [address for address in addresses if ":" in address],
        }
        found = [
            ResolveResult(hostname=host, host=address, port=port, family=of, proto=0, flags=socket.AI_NUMERICHOST)
            for of, of_family in by_family.items()
            for address in of_family[:ADDRESSES_A_FAMILY]
            if family in (socket.AF_UNSPEC, of)
        ]
        if not found:
            raise OSError(None, "the name has no address")
        return found

    async def close(self) -> None:
        """Nothing is held."""


def _base_headers(options: AiohttpFetcher) -> tuple[CIMultiDict[str], CIMultiDict[str]]:
    """What goes with every request, and what goes with those to the caller's origin."""
    untrusted = CIMultiDict({"User-Agent": USER_AGENT, "Accept": ACCEPT, "Accept-Encoding": ACCEPT_ENCODING})
    given = dict(options.headers or {})
    if options.user_agent is not None:
        given["User-Agent"] = options.user_agent
    untrusted.update({name: value for name, value in given.items() if name.lower() not in CREDENTIALS})
    trusted = untrusted.copy()
    trusted.update({name: value for name, value in given.items() if name.lower() in CREDENTIALS})
    if options.auth is not None:
        trusted["Authorization"] = _basic(*(part.encode() for part in options.auth))
    return untrusted, trusted


def _basic(user: bytes, password: bytes) -> str:
    return "Basic " + base64.b64encode(user + b":" + password).decode("ascii")


def _user_and_password(userinfo: str) -> tuple[bytes, bytes]:
    user, _, password = userinfo.partition(":")
    return unquote_to_bytes(user.encode(errors="replace")), unquote_to_bytes(password.encode(errors="replace"))


def _joined_cookies(callers: str | None, crawls: str) -> str:
    """The caller's cookies and those that the site set meanwhile; of the same name, the site's."""
    if not callers:
        return crawls
    fresh = {cookie.partition("=")[0].strip() for cookie in crawls.split(";")}
    kept = [cookie.strip() for cookie in callers.split(";") if cookie.partition("=")[0].strip() not in fresh]
    return "; ".join([*kept, crawls])


def _plain(headers: CIMultiDictProxy[str]) -> Mapping[str, str]:
    plain: dict[str, str] = {}
    for written, value in headers.items():
        name = written.lower()
        if not value.isascii():
            value = _without_surrogates(name, value)
        if name in plain:
            value = plain[name] + ("\n" if name == "set-cookie" else ", ") + value
        plain[name] = value
    return plain


def _without_surrogates(name: str, value: str) -> str:
    """A header's value as text that can be encoded: aiohttp gives bytes that are not UTF-8 as surrogates."""
    wire = value.encode("utf-8", "surrogateescape")
    try:
        return wire.decode("utf-8")
    except UnicodeDecodeError:
        # The bytes of a location go out again as they came in.
        return wire.decode("latin-1") if name != "location" else quote_from_bytes(wire, _ASCII)
