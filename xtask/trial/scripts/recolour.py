import re
from lxml import etree

source = open("network.svg").read()
tree = etree.fromstring(source.encode())
# colours stand in attributes, style="" and <style>; ids and texts never hold one here
used = [v for e in tree.iter() for v in e.attrib.values() if "#cc0000" in v]
print(len(used), "attributes;", source.count("#cc0000"), "in all")
changed, n = re.subn(r"#cc0000\b", "#008080", source)
open("out.svg", "w").write(changed)
again = etree.parse("out.svg")
print(n, "changed;", changed.count("#008080"), len(list(again.iter())))
import difflib
for line in difflib.unified_diff(source.splitlines(), changed.splitlines(), lineterm="", n=0):
    print(line)
