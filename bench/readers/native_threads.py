"""How many times more two threads read than one in the same time, as ``seconds``.

By the clock, which only counts what both got at best: the moments in which nobody else wanted a processor.
"""

import json
import threading
import time

from bench.readers.measuring import arguments, load_bytes
from bench.readers.native_blocks import read

TIMES = 3
ROUNDS = 30


def seconds(body: bytes, number: int) -> float:
    """Seconds until so many threads have read the document, each of them several times."""

    def work() -> None:
        for _ in range(TIMES):
            read(body)

    running = [threading.Thread(target=work) for _ in range(number)]
    start = time.perf_counter()
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return time.perf_counter() - start


def more(body: bytes) -> float:
    one, two = ([seconds(body, number) for _ in range(ROUNDS)] for number in (1, 2))
    return 2 * min(one) / min(two)


if __name__ == "__main__":
    print(json.dumps({"seconds": more(load_bytes(arguments()[0])), "urls": 0, "growth_kib": 0}))
