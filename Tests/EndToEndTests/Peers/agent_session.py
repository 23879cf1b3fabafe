"""Uses `showcaller mcp` as an agent does, by the protocol's own Python client: a line for each thing that was seen.

agent_session.py BINARY FOLDER
"""
import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

GOOD = """scenario: Good
device: TV
media: { film: { url: https://cdn.example.com/a.mp4, duration: 10s } }
steps:
  - load: film
  - expect: { player: playing }
"""


async def main(binary, folder):
    with open(folder + "/good.yaml", "w") as file:
        file.write(GOOD)
    with open(folder + "/bad.yaml", "w") as file:
        file.write(GOOD.replace("expect: { player: playing }", "expect: { player: paused }\n    within: 300ms"))
    async with stdio_client(StdioServerParameters(command=binary, args=["mcp", "--folder", folder])) as streams:
        async with ClientSession(*streams) as session:
            result = await session.initialize()
            version = getattr(result, "protocol_version", None) or getattr(result, "protocolVersion", None)
            print("initialized", version is not None)
            tools = await session.list_tools()
            print("tools", *[tool.name for tool in tools.tools])

            def read(result):
                structured = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
                failed = getattr(result, "is_error", None)
                failed = getattr(result, "isError", None) if failed is None else failed
                return result.content[0].text, structured, failed

            text, structured, failed = read(await session.call_tool("check", {"text": GOOD.replace("load", "laod")}))
            assert not failed and "did you mean `load`?" in text, text
            print("checked", structured["summary"]["errors"])
            text, _, failed = read(await session.call_tool("explain", {"word": "T205"}))
            assert not failed and text.startswith("T205: ")
            print("explained")
            text, structured, failed = read(await session.call_tool("simulate", {"path": "good.yaml"}))
            assert not failed and structured["passed"], text
            print("simulated")

            seen = []

            async def progress(done, total, message):
                seen.append((done, total))

            text, structured, failed = read(
                await session.call_tool("run", {"path": "good.yaml"}, progress_callback=progress))
            assert not failed and structured["passed"] and seen, (text, structured, seen)
            print("ran", structured["result"])
            text, structured, failed = read(await session.call_tool("run", {"path": "bad.yaml"}))
            assert not failed and not structured["passed"], (text, structured)
            print("failed", structured["failures"][0]["step"])
            text, structured, failed = read(await session.call_tool("report", {}))
            assert not failed and structured["exit"] == 1 and structured["failures"], (text, structured)
            print("reported")
            text, _, failed = read(await session.call_tool("check", {"path": "/etc/hostname"}))
            assert failed and "outside of the working folder" in text, text
            print("refused")


asyncio.run(main(sys.argv[1], sys.argv[2]))
