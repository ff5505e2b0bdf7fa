# SPDX-License-Identifier: MIT
"""A process with threads that request the same token at the same time.

usage: worker.py THREADS < CONFIGURATION   (then a line with the request for each round)

Prints a line when it is ready, and then for each round a JSON array with the status, the source, the access token
and the delay of `Retry-After` of each thread.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from service import Service


def row(service: Service, request: dict[str, Any]) -> list[Any]:
    """Makes one call."""
    result = service.token_for_client(**request)
    document = result.document
    retry_after = document.get("error", {}).get("retry_after")
    return [result.status, document.get("source"), document.get("access_token"), retry_after]


def main() -> None:
    """Makes the calls of all threads for each line of the input."""
    count = int(sys.argv[1])
    service = Service(**json.loads(sys.stdin.readline()))
    with ThreadPoolExecutor(count) as threads:
        print("ready", flush=True)
        for line in sys.stdin:
            request = json.loads(line)
            rows = list(threads.map(row, [service] * count, [request] * count))
            print(json.dumps(rows), flush=True)
    service.close()


if __name__ == "__main__":
    main()
