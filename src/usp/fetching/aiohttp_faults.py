"""What goes wrong below HTTP, told in plain sentences: aiohttp's exceptions become Failures."""

import os
import socket
import ssl

import aiohttp

from usp.crawl.outcome import BLOCKED
from usp.fetching.dialling import Dial
from usp.messages import Failure
from usp.problems import Outcome

_BROKE_OFF = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, ssl.SSLEOFError, ssl.SSLZeroReturnError)
"""Once dialled: the other side hung up, mostly during the handshake of TLS."""


def failure(url: str, fault: Exception, dial: Dial) -> Failure:
    """What an exception means for the URL that was asked for."""
    if dial.refused and not dial.allowed:
        return _failed(url, f"{dial.host} leads to {dial.refused[0]}, which is no public address.", Outcome.REFUSED)
    if isinstance(fault, aiohttp.ClientHttpProxyError):
        return _proxy_answered(url, fault)
    if isinstance(fault, aiohttp.ClientResponseError):
        return _failed(url, f"The answer is not HTTP: {_one_line(fault.message)}.", Outcome.BROKEN)
    if isinstance(fault, aiohttp.ClientConnectorError):
        return _not_connected(url, fault, dial)
    retryable = isinstance(fault, aiohttp.ClientConnectionError | OSError)
    return _failed(url, reason(fault), retryable=retryable, connected=not isinstance(fault, aiohttp.InvalidURL))


def reason(fault: BaseException) -> str:
    """Why a connection did not hold, in one sentence."""
    if isinstance(fault, aiohttp.ServerDisconnectedError):
        return "The server closed the connection without an answer."
    if isinstance(fault, aiohttp.ClientPayloadError):
        return f"The body broke off: {_payload_fault(fault)}."
    if isinstance(fault, TimeoutError):
        return "The server did not answer in time."
    if isinstance(fault, ConnectionResetError):
        return "The connection was reset."
    if isinstance(fault, OSError):
        return f"The connection broke: {_system(fault)}."
    if isinstance(fault, aiohttp.InvalidURL):
        return f"The URL cannot be requested: {_one_line(str(fault.description or fault.url))}."
    return f"The request failed: {_one_line(str(fault))}."


def _failed(
    url: str,
    why: str,
    outcome: Outcome = Outcome.UNREACHABLE,
    *,
    retryable: bool = False,
    connected: bool = True,
) -> Failure:
    return Failure(url=url, outcome=outcome, reason=why, retryable=retryable, connected=connected)


def _not_connected(url: str, fault: aiohttp.ClientConnectorError, dial: Dial) -> Failure:
    cause = fault.os_error
    where = dial.where
    if isinstance(fault, aiohttp.ClientConnectorDNSError):
        return _failed(url, f"The name of {where} cannot be resolved: {_system(cause)}.", connected=False)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return _failed(url, f"The certificate of {where} was refused: {_one_line(cause.verify_message)}.")
    if isinstance(cause, _BROKE_OFF):
        return _failed(url, f"The connection to {where} broke off: {_system(cause)}.", retryable=True)
    if isinstance(cause, ssl.SSLError):
        return _failed(url, f"TLS with {where} failed: {_system(cause)}.")
    return _failed(url, f"{where} cannot be connected: {_system(cause)}.", retryable=True, connected=False)


def _proxy_answered(url: str, fault: aiohttp.ClientHttpProxyError) -> Failure:
    return Failure(
        url=url,
        outcome=Outcome.BLOCKED if fault.status in BLOCKED else Outcome.UNREACHABLE,
        reason=f"The proxy refused to connect: {fault.status} {_one_line(fault.message)}".rstrip() + ".",
        status=fault.status,
    )


def _payload_fault(fault: aiohttp.ClientPayloadError) -> str:
    text = str(fault).lower()
    if "chunk" in text or "transferencoding" in text or "transfer encoding" in text:
        return "its chunks are broken" if "not enough data" not in text else "the last chunk is missing"
    if "contentlength" in text or "content length" in text:
        return "it is shorter than its Content-Length"
    return "the connection was lost"


def _system(fault: OSError) -> str:
    """The words of the system, without numbers and without the names of classes."""
    if isinstance(fault, ssl.SSLError) and fault.reason:
        return fault.reason.replace("_", " ").lower()
    if fault.errno is not None and not isinstance(fault, ssl.SSLError | socket.gaierror):
        return os.strerror(fault.errno).lower()
    if str(fault).startswith("Multiple exceptions"):
        return "none of its addresses answered"
    return _one_line(str(fault.strerror or fault)) or "no reason was given"


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200].rstrip(".:")
