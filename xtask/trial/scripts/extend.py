from lxml import etree

parser = etree.XMLParser(remove_blank_text=False)
tree = etree.parse("sales.svg", parser)
root = tree.getroot()
NS = "http://www.w3.org/2000/svg"
bars = root.find(f".//{{{NS}}}g[@id='bars']")
tags = root.find(f".//{{{NS}}}g[@id='tags']")

def add(group, tag, **attributes):
    last = group[-1]
    new = etree.SubElement(group, f"{{{NS}}}{tag}", {k.replace("_", "class") if k == "_" else k: str(v) for k, v in attributes.items()})
    new.tail = last.tail
    last.tail = group.text
    return new

for n, value in [(5, 64), (6, 49), (7, 80)]:
    x = 60 + 70 * (n - 1)
    add(bars, "rect", id=f"bar{n}", _="bar", x=x, y=260 - 2 * value, width=50, height=2 * value)
    add(tags, "text", id=f"tag{n}", _="tag", x=x + 25, y=276).text = f"Q{n}"
tree.write("out.svg", encoding="utf-8")
print(open("out.svg").read())
