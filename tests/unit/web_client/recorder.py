"""A session of requests that asks nobody."""

import io
from typing import Any

import requests
import urllib3


class Recorder(requests.adapters.BaseAdapter):
    """Answers in place of the network; remembers how it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[dict[str, Any]] = []

    def send(self, request: requests.PreparedRequest, *_: Any, **options: Any) -> requests.Response:
        self.asked.append({**options, "headers": request.headers})
        response = requests.Response()
        response.status_code = 200
        response.url = request.url or ""
        response.raw = urllib3.HTTPResponse(io.BytesIO(b"recorded"), preload_content=False)
        return response

    def close(self) -> None:
        """Nothing is open."""
