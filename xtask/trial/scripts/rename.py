import difflib
import re
from lxml import etree

source = open("network.svg").read()
tree = etree.fromstring(source.encode())
ids = [e.get("id") for e in tree.iter() if isinstance(e.tag, str) and e.get("id")]
print(len(ids), "ids")
out = source
for name in ids:
    word = re.escape(name)
    out = re.sub(rf'\bid="{word}"', f'id="net-{name}"', out)
    out = re.sub(rf'url\(#{word}\)', f'url(#net-{name})', out)
    out = re.sub(rf'href="#{word}"', f'href="#net-{name}"', out)

def sheet(match):
    # only selectors, not colours inside the braces
    def rule(part):
        head, brace, body = part.partition("{")
        for name in ids:
            head = re.sub(rf'#{re.escape(name)}(?![\w-])', f'#net-{name}', head)
        return head + brace + body
    return match.group(1) + "}".join(rule(p) for p in match.group(2).split("}")) + match.group(3)

out = re.sub(r"(<style>)(.*?)(</style>)", sheet, out, flags=re.S)
open("out.svg", "w").write(out)
new = etree.fromstring(out.encode())
have = {e.get("id") for e in new.iter() if isinstance(e.tag, str) and e.get("id")}
refs = re.findall(r'(?:url\(#|href="#)([\w-]+)', out)
print("dangling:", [r for r in refs if r not in have])
for line in difflib.unified_diff(source.splitlines(), out.splitlines(), lineterm="", n=0):
    print(line)
