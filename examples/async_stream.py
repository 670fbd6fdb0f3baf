"""Read several sites at once, page by page, in little memory.

python examples/async_stream.py https://example.com/ https://example.org/
"""

import asyncio
import sys

from usp.aio import stream_pages


async def read(homepage: str) -> None:
    async with stream_pages(homepage) as stream:
        count = 0
        async for page, sitemap in stream:
            count += 1
            if count <= 3:
                print(f"{page.url}  (from {sitemap.url})")
    whole = "all" if stream.tree.complete else "not all"
    print(f"{homepage}: {count} pages, {whole} of them")


async def main() -> None:
    async with asyncio.TaskGroup() as sites:
        for homepage in sys.argv[1:]:
            sites.create_task(read(homepage))


if __name__ == "__main__":
    asyncio.run(main())
