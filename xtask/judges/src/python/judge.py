"""Reads files with libraries for Python, and answers what they hold, one line of JSON for each line of JSON.

A request is `{"judge": "mido" | "lxml" | "tinycss2" | "song" | "drawing", "data": HEX}`. The answer is `{"facts": [...]}`, or
`{"refused": WHY}` if the library does not read the file. Of a song the facts are the rows of its notes and those of its events.
Of a drawing the request has `tables` too, and the facts are what differs in them.
"""

import io
import json
import sys

import mido
import mido.midifiles.midifiles as mido_files
import tinycss2
from lxml import etree


build_meta_message = mido_files.build_meta_message


def build_meta_message_in_time(meta_type, data, delta=0):
    """mido loses the delta time of meta messages that it does not know."""
    return build_meta_message(meta_type, data, delta).copy(time=delta)


mido_files.build_meta_message = build_meta_message_in_time


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def message(event):
    """A message with its status, and without the length of what has one."""
    if event.type == "sysex":
        return "f0" + bytes(event.data).hex()
    data = event.bytes()
    if not event.is_meta:
        return bytes(data).hex()
    width = 1
    while data[1 + width] & 0x80:
        width += 1
    return bytes(data[:2] + data[2 + width :]).hex()


def read_mido(data):
    file = mido.MidiFile(file=io.BytesIO(data), clip=False)
    if not file.tracks and len(data) > 14:
        raise ValueError("chunks behind a header that counts no tracks are not read")
    division = file.ticks_per_beat
    facts = [f"format {file.type}, {division} a quarter"]
    for track in file.tracks:
        facts.append("track")
        tick = 0
        for event in track:
            tick += event.time
            facts.append([message(event), tick])
    return facts


def read_lxml(data):
    if b"<!ATTLIST" in data or "<!ATTLIST".encode("utf-16-le") in data:
        raise ValueError("attributes that a DOCTYPE adds are read otherwise")
    parser = etree.XMLParser(
        resolve_entities=True, no_network=True, load_dtd=False, huge_tree=True, strip_cdata=True, collect_ids=False
    )
    root = etree.fromstring(data, parser)
    facts = []

    def visit(node):
        if isinstance(node, etree._Comment):
            facts.append(f"comment {quoted(node.text or '')}")
        elif isinstance(node, etree._ProcessingInstruction):
            facts.append(f"instruction {node.target} {quoted((node.text or '').rstrip())}")
        else:
            facts.append(f"element {node.tag}")
            facts.extend(f"attribute {name}={quoted(value)}" for name, value in node.attrib.items())
            if node.text:
                facts.append(f"text {quoted(node.text)}")

    def leave(node):
        if isinstance(node.tag, str):
            facts.append("end")

    for node in reversed(list(root.itersiblings(preceding=True))):
        visit(node)
    stack = [(root, iter(root))]
    visit(root)
    while stack:
        node, children = stack[-1]
        child = next(children, None)
        if child is not None:
            visit(child)
            stack.append((child, iter(child)))
            continue
        leave(node)
        stack.pop()
        if stack and node.tail:
            facts.append(f"text {quoted(node.tail)}")
    for node in root.itersiblings():
        visit(node)
    return facts


def read_css(data):
    """Rules and declarations of a style sheet, each with its place in characters."""
    text = data.decode()
    if "\r" in text or "\f" in text or "\0" in text:
        raise ValueError("ends of lines that a style sheet is read without")
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def place(tokens):
        at = lambda token: starts[token.source_line - 1] + token.source_column - 1
        return [at(tokens[0]), at(tokens[-1]) + len(tokens[-1].serialize())]

    def trimmed(tokens):
        blank = lambda token: token.type in ("whitespace", "comment")
        while tokens and blank(tokens[0]):
            tokens = tokens[1:]
        while tokens and blank(tokens[-1]):
            tokens = tokens[:-1]
        return tokens

    facts = []

    def add(word, tokens):
        tokens = trimmed(tokens)
        if tokens:
            facts.append([f"{word} {quoted(tinycss2.serialize(tokens))}", *place(tokens)])

    def rules(found):
        for rule in found:
            if rule.type not in ("qualified-rule", "at-rule"):
                continue
            add("rule" if rule.type == "qualified-rule" else f"@{rule.at_keyword}", rule.prelude)
            if rule.content is None:
                continue
            if rule.type == "at-rule" and any(token.type == "{} block" for token in rule.content):
                rules(tinycss2.parse_rule_list(rule.content))
                continue
            piece = []
            for token in rule.content:
                if token == ";":
                    add("declaration", piece)
                    piece = []
                else:
                    piece.append(token)
            add("declaration", piece)

    rules(tinycss2.parse_stylesheet(text))
    return facts


READERS = {"mido": read_mido, "lxml": read_lxml, "tinycss2": read_css, "song": read_song}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            data = bytes.fromhex(request["data"])
            if request["judge"] == "drawing":
                answer = {"facts": compare(data, request["tables"])}
            else:
                answer = {"facts": READERS[request["judge"]](data)}
        except Exception as error:  # A library says in its own way that it does not read a file.
            answer = {"refused": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


main()
