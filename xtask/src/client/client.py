"""Talks to an MCP server as other people's clients do, by the official SDK, which holds every structured reply against
the schema that the tool promised it by. Every tool is called: as the examples in the codebook call it, and as it is not
to be called. Told is what went wrong; the exit code says whether anything did.

    python client.py REVISION COMMAND [ARGUMENT...]

REVISION is `legacy` for those that begin with a handshake, or `auto` for the newest that both sides know.
"""

import asyncio
import json
import sys

import jsonschema
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters


class Talk:
    """One connection, and what went wrong on it."""

    def __init__(self, client):
        self.client = client
        self.wrong = []
        self.calls = 0
        self.errors = 0

    async def call(self, tool, arguments):
        """The SDK raises where the reply of a success does not fit its schema; of an error it is checked here."""
        self.calls += 1
        result = await self.client.call_tool(tool.name, arguments)
        self.errors += result.is_error
        if result.is_error and tool.output_schema and result.structured_content is not None:
            jsonschema.validate(result.structured_content, tool.output_schema)
        if result.structured_content is not None:
            text = json.loads(result.content[0].text)
            if text != result.structured_content:
                self.wrong.append(f"{tool.name}: the text is not the structured content")
        return result

    async def tool(self, tool):
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        if tool.output_schema:
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        if not (await self.call(tool, {"no such argument": 1})).is_error:
            self.wrong.append(f"{tool.name}: an argument that it has not is taken")

    async def all(self):
        tools = (await self.client.list_tools()).tools
        domain = self.client.server_info.name.removeprefix("fcp-")
        book = await self.client.read_resource(f"fcp://{domain}/codebook")
        schema = json.loads(book.contents[0].text)["schema_map"]
        named = {tool.name: tool for tool in tools}
        for steps in (steps for tool in schema.get("tools", []) for steps in tool["examples"]):
            for step in steps:
                await self.call(named[step["tool"]], step["arguments"])
        for line in schema.get("example", "").splitlines():
            await self.line(named, domain, line)
        for tool in tools:
            await self.tool(tool)
        for resource in (await self.client.list_resources()).resources:
            await self.client.read_resource(resource.uri)
        for template in (await self.client.list_resource_templates()).resource_templates:
            await self.complete(template.uri_template)
        await self.unknown()
        return [tool.name for tool in tools]

    async def line(self, tools, domain, line):
        """A line of a script: `! ` before an action, `? ` before a query, else an op."""
        sign, text = (line[:1], line[2:]) if line[:2] in ("! ", "? ") else ("", line)
        name, argument = {"!": ("_session", "action"), "?": ("_query", "q"), "": ("", "ops")}[sign]
        result = await self.call(tools[domain + name], {argument: [text] if argument == "ops" else text})
        if result.is_error:
            self.wrong.append(f"{line}: {result.content[0].text}")

    async def complete(self, pattern):
        from mcp.types import ResourceTemplateReference

        variable = pattern.split("{")[1].split("}")[0].lstrip("+")
        reference = ResourceTemplateReference(type="ref/resource", uri=pattern)
        found = await self.client.complete(reference, {"name": variable, "value": ""})
        if found.completion.total is None:
            self.wrong.append(f"{pattern}: no completion")

    async def unknown(self):
        try:
            await self.client.call_tool("no_such_tool", {})
        except MCPError:
            return
        self.wrong.append("a tool that is not there can be called")


async def main():
    revision, command, *arguments = sys.argv[1:]
    server = StdioServerParameters(command=command, args=arguments)
    async with Client(server, mode=revision, read_timeout_seconds=60) as client:
        talk = Talk(client)
        names = await talk.all()
        print(f"{client.protocol_version}: {len(names)} tools, {talk.calls} calls, {talk.errors} of them errors")
        for line in talk.wrong:
            print(f"wrong: {line}")
        return bool(talk.wrong) or not names


sys.exit(asyncio.run(main()))
