"""Tables of a drawing, as lxml, tinycss2 and cssselect have them."""

import re
import urllib.parse

import cssselect
import tinycss2
import tinycss2.color3
from lxml import etree

# Presentation attributes that are compared, with their initial values.
COMPARED = {"fill": "black", "stroke": "none"}


def local(node):
    return etree.QName(node).localname


def is_element(node):
    return isinstance(node.tag, str)


def bare(text):
    """A value as tokens, without comments and with single blanks."""
    tokens = tinycss2.parse_component_value_list(text, skip_comments=True)
    return re.sub(r"\s+", " ", tinycss2.serialize(tokens)).strip()


def declared(tokens):
    found = tinycss2.parse_declaration_list(tokens, skip_comments=True, skip_whitespace=True)
    for one in found:
        # Without a value it declares nothing.
        if one.type == "declaration" and bare(tinycss2.serialize(one.value)):
            important = " !important" if one.important else ""
            yield one.name, bare(tinycss2.serialize(one.value)) + important


def normal(value):
    """A value of the domain, in the same form."""
    pair = list(declared("x:" + value))
    return pair[0][1] if len(pair) == 1 else value


def sheet_rows(text):
    """Selector, property, value and at-rules of each declaration."""
    rows = []

    def visit(rules, around):
        for rule in rules:
            if rule.type == "qualified-rule":
                selector = bare(tinycss2.serialize(rule.prelude))
                rows.extend((selector, *pair, around) for pair in declared(rule.content))
            elif rule.type == "at-rule" and rule.content is not None:
                head = f"@{rule.at_keyword} {bare(tinycss2.serialize(rule.prelude))}".strip()
                if rule.lower_at_keyword in ("font-face", "page", "counter-style", "property", "viewport"):
                    rows.extend((head, *pair, around) for pair in declared(rule.content))
                else:
                    inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                    visit(inner, f"{around} {head}".strip() if around else head)

    visit(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), None)
    return rows


class Drawing:
    def __init__(self, data):
        parser = etree.XMLParser(
            resolve_entities="internal", no_network=True, load_dtd=False, huge_tree=True, collect_ids=False
        )
        self.root = etree.fromstring(data, parser)
        self.elements = [node for node in self.root.iter() if is_element(node)]
        # A copy without namespaces, for selectors.
        self.plain = etree.fromstring(etree.tostring(self.root), parser)
        for node in self.plain.iter():
            if is_element(node):
                node.tag = etree.QName(node).localname
        self.copies = [node for node in self.plain.iter() if is_element(node)]
        self.place = {node: at for at, node in enumerate(self.copies)}
        self.translator = cssselect.GenericTranslator()

    def sheets(self):
        for node in self.elements:
            if local(node) == "style" and node.get("type", "text/css") == "text/css":
                yield node.text or ""

    def matching(self, selector):
        """The places of the elements that a selector matches."""
        path = self.translator.css_to_xpath(selector)
        return sorted(self.place[node] for node in self.plain.xpath(path) if is_element(node))

    def rules(self):
        """Weight, place, the elements that match, property and value, for each selector and declaration."""
        found = []
        for text in self.sheets():
            for selector, name, value, around in sheet_rows(text):
                if around or selector.startswith("@"):
                    continue
                for one in cssselect.parse(selector) if is_shared(selector) else []:
                    matched = set(self.matching(one.canonical()))
                    found.append((one.specificity(), len(found), matched, name, value))
        return sorted(found, key=lambda rule: rule[:2])

    def computed(self, name, initial):
        """What holds of a property that is inherited, for each element."""
        rules = [rule for rule in self.rules() if rule[3] == name]
        values = {}
        for at, node in enumerate(self.elements):
            own, important = node.get(name), False
            said = [rule[4] for rule in rules if at in rule[2]]
            said += [value for prop, value in declared(node.get("style", "")) if prop == name]
            for value in said:
                is_important = value.endswith("!important")
                if is_important or not important:
                    own, important = value.removesuffix("!important").strip(), is_important
            parent = node.getparent()
            around = values[parent] if parent is not None else initial
            values[node] = around if own is None or own.strip() == "inherit" else own.strip()
        return [values[node] for node in self.elements]


def is_shared(selector):
    """Whether cssselect reads a selector; escapes are not compared."""
    try:
        cssselect.parse(selector)
    except cssselect.SelectorError:
        return False
    return "\\" not in selector


def hexed(text):
    """A colour as #rrggbb; any other text as it is."""
    color = tinycss2.color3.parse_color(text)
    if color is None or color == "currentColor":
        return None
    return "#" + "".join(f"{int(part * 255 + 0.5):02x}" for part in color[:3]) + (
        "" if color.alpha == 1 else f"{round(color.alpha * 255):02x}"
    )


def compare(data, tables):
    """What differs, a line each."""
    drawing = Drawing(data)
    faults = []

    def differ(what, ours, theirs):
        if ours != theirs:
            faults.append(f"{what}: {ours!r}, theirs {theirs!r}")

    ours = tables["elements"]
    names = [row["ref"] for row in ours]
    differ("elements", len(ours), len(drawing.elements))
    if faults:
        return faults
    for at, (row, node) in enumerate(zip(ours, drawing.elements)):
        parent = node.getparent()
        differ(f"{row['ref']} tag", row["tag"], local(node))
        differ(f"{row['ref']} id", row["id"], node.get("id"))
        differ(f"{row['ref']} class", row["class"], node.get("class"))
        around = None if parent is None else names[drawing.elements.index(parent)] if len(ours) < 500 else row["parent"]
        differ(f"{row['ref']} parent", row["parent"], around)
        differ(f"{row['ref']} depth", row["depth"], sum(1 for _ in node.iterancestors()))
        before = sum(1 for other in node.itersiblings(preceding=True) if is_element(other))
        differ(f"{row['ref']} nth", row["nth"], before + 1)
        if b"<!ENTITY" not in data and "\n" not in row["xml"].split(">")[0]:
            differ(f"{row['ref']} line", row["line"], node.sourceline)
        if row["text"] is not None:
            flat = "".join(pieces(node))
            differ(f"{row['ref']} text", "".join(row["text"].split()), "".join(flat.split()))
    attributes = [
        (names[at], name.rpartition("}")[2], value)
        for at, node in enumerate(drawing.elements)
        for name, value in node.attrib.items()
    ]
    own = [
        (row["ref"], row["name"].rpartition(":")[2], row["value"])
        for row in tables["attributes"]
        if not row["name"].startswith("xmlns")
    ]
    differ("attributes", own, attributes)
    around = [*reversed(list(drawing.root.itersiblings(preceding=True))), drawing.root, *drawing.root.itersiblings()]
    nodes = [inner for node in around for inner in (node.iter() if is_element(node) else [node])]
    comments = [node.text or "" for node in nodes if isinstance(node, etree._Comment)]
    differ("comments", [row["text"] for row in tables["texts"] if row["kind"] == "comment"], comments)
    styles = [
        (names[at], *pair) for at, node in enumerate(drawing.elements) for pair in declared(node.get("style", ""))
    ]
    differ("styles", [(row["ref"], row["property"], normal(row["value"])) for row in tables["styles"]], styles)
    rules = [row for text in drawing.sheets() for row in sheet_rows(text)]
    own = [(bare(row["selector"]), row["property"], normal(row["value"]), row["at"]) for row in tables["rules"]]
    differ("rules", own, rules)
    refs = sorted(
        (names[at], name.rpartition("}")[2], target)
        for at, node in enumerate(drawing.elements)
        for name, value in node.attrib.items()
        for target in targets(name.rpartition("}")[2], value)
    )
    own = [(row["ref"], row["place"].rpartition(":")[2], row["target"]) for row in tables["refs"]]
    links = ("href", "style", *PAINTED)
    differ("refs", sorted(row for row in own if row[1] in links), [row for row in refs if row[1] in links])
    ids = {node.get("id") for node in drawing.elements}
    differ("found", [row["ref"] for row in tables["refs"] if bool(row["found"]) != (row["target"] in ids)], [])
    for row in tables["rules"]:
        if row["matches"] is not None and is_shared(row["selector"]):
            differ(f"matches of {row['selector']}", row["matches"], len(drawing.matching(row["selector"])))
    for name, initial in COMPARED.items():
        for row, value in zip(ours, drawing.computed(name, initial)):
            color = hexed(value)
            if color is not None:
                differ(f"{row['ref']} {name}", row[name], color)
    for selector, matched in tables["selectors"].items():
        differ(f"selector {selector}", matched, [names[at] for at in drawing.matching(selector)])
    return faults


PAINTED = ("fill", "stroke", "clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end")


def targets(name, value):
    """The ids that a value refers to."""
    if name == "href":
        match = re.fullmatch(r"\s*#(.+?)\s*", value)
        return [urllib.parse.unquote(match[1])] if match else []
    if name in PAINTED or name == "style":
        found = []

        def visit(tokens):
            for token in tokens:
                if token.type == "url":
                    found.append(token.value)
                elif token.type == "function" and token.lower_name == "url":
                    found.extend(inner.value for inner in token.arguments if inner.type == "string")
                elif hasattr(token, "arguments"):
                    visit(token.arguments)

        visit(tinycss2.parse_component_value_list(value))
        return [url.strip()[1:] for url in found if url.strip().startswith("#")]
    return []


def pieces(node):
    """The texts in an element, comments and instructions left out."""
    if node.text:
        yield node.text
    for inner in node:
        if is_element(inner):
            yield from pieces(inner)
        if inner.tail:
            yield inner.tail
