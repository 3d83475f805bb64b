import difflib
from lxml import etree

new = {"Harbour": "Hafen", "Market": "Markt", "Old Town": "Altstadt", "Museum": "Museumsinsel"}
source = open("network.svg").read()
out = source
for old, name in new.items():
    piece = f">{old}</text>"
    assert out.count(piece) == 1, (old, out.count(piece))
    out = out.replace(piece, f">{name}</text>")
open("out.svg", "w").write(out)
etree.parse("out.svg")
for line in difflib.unified_diff(source.splitlines(), out.splitlines(), lineterm="", n=0):
    print(line)
