//! SVG: encodings, entities in attributes, CDATA, ids like colours in style sheets, odd spacing.

use fcp::testing::fidelity::Sample;

use super::sample;

/// The sample files.
#[must_use]
pub fn xml() -> Vec<Sample> {
    let latin = text("ISO-8859-1", "\n");
    let wide = text("UTF-16", "\n");
    let wide: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        sample("samples/utf-8.svg", text("UTF-8", "\n")),
        sample("samples/lines.svg", text("UTF-8", "\r\n")),
        sample(
            "samples/marked.svg",
            [b"\xef\xbb\xbf", text("utf-8", "\n").as_bytes()].concat(),
        ),
        sample("samples/latin-1.svg", single_bytes(&latin)),
        sample(
            "samples/windows-1252.svg",
            single_bytes(&text("windows-1252", "\n")),
        ),
        sample("samples/utf-16.svg", [b"\xff\xfe", &wide[..]].concat()),
        sample("samples/entities.svg", ENTITIES),
        sample("samples/colours.svg", COLOURS),
        sample("samples/references.svg", REFERENCES),
        sample("samples/white.svg", WHITE),
    ]
}

/// Characters below 256 as single bytes.
fn single_bytes(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(c).unwrap_or(b'?'))
        .collect()
}

/// A drawing whose texts have letters that encodings represent differently.
fn text(encoding: &str, end: &str) -> String {
    let lines = [
        &format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"120\" height=\"90\">",
        "  <title>Grüße</title>",
        "  <desc>weiß &#8364; &amp; schön</desc>",
        "  <g id=\"äußeres\" fill=\"#c00\">",
        "    <rect id=\"card\" x=\"4\" y='6' width=\"40\"  height=\"20\"/>",
        "    <text x=\"8\" y=\"50\">Über <tspan fill=\"red\">die</tspan> Brücke</text>",
        "  </g>",
        "  <!-- Größe: card -->",
        "  <circle cx=\"90\" cy=\"20\" r=\"9\" />",
        "</svg>",
    ];
    lines.join(end) + end
}

/// A DOCTYPE with entities used in attributes and in other entities.
const ENTITIES: &str = r##"<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns "http://www.w3.org/2000/svg">
  <!ENTITY soft "url(#glow)">
  <!ENTITY st0 "fill:#fab;stroke:&ink;">
  <!ENTITY ink "#123">
  <!-- glow is soft -->
]>
<svg xmlns="&ns;" width="100" height="100">
  <defs>
    <filter id="glow"><feGaussianBlur stdDeviation="2" result="glow"/><feMerge><feMergeNode in="glow"/></feMerge></filter>
  </defs>
  <rect id="a" width="40" height="20" filter="&soft;" style="&st0;"/>
  <rect id="b" x="50" width="40" height="20" filter="url(#glow)" style="fill:&ink;"/>
  <text id="t" x="3" y="60">&ink; and url(#glow)</text>
</svg>
"##;

/// Ids spelled like colours, in a style sheet in CDATA.
const COLOURS: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <style type="text/css"><![CDATA[
    /* #fab is a colour, and a button */
    #fab { fill: #fab; stroke : url(#bad) }
    #fab > .dot, g#face , .bad { stroke: #bad; fill:#face }
    @media print { #fade{opacity:.5;color:#fade !important} }
    .dot:not(#fab) { fill: "#fab" }
  ]]></style>
  <linearGradient id="bad"><stop offset="0" stop-color="#bad"/><stop offset="1" stop-color="#fade"/></linearGradient>
  <g id="face" data-ref="#fab" class="bad">
    <rect id="fab" width="9" height="9" fill="#fab"/>
    <rect id="fade" width="9" height="9" x="10" style="fill:#fade"/>
    <circle class="dot" r="3" cx="50" cy="50"/>
    <use href="#fab" x="30"/>
  </g>
  <!-- #fab -->
</svg>
"##;

/// All grammars in which an id is a reference.
const REFERENCES: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100">
  <style>
    #hot.on rect, [id="hot"] { fill: red }
    a[href="#hot"] { opacity: .9 }
  </style>
  <symbol id="hot" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></symbol>
  <clipPath id="clip"><rect width="50" height="50"/></clipPath>
  <use xlink:href="#hot" width="20" height="20" clip-path="url('#clip')" aria-labelledby="name hot"/>
  <a href="#hot"><text id="name">hot</text></a>
  <rect id="box" width="9" height="9" style="clip-path: url( #clip ); mask:none">
    <animate id="run" attributeName="x" to="9" begin="box.click; run.end+1s; hot.click" dur="2s"/>
  </rect>
  <metadata><a xmlns="urn:other" id="hot" about="#hot">hot</a></metadata>
</svg>
"##;

/// Whitespace and quotes that few programs write.
const WHITE: &str = "<svg\n\txmlns='http://www.w3.org/2000/svg'\n\twidth = \"60\" height='60' ><!-- a --><?keep  this?>\n\
    <g   id='one'\n  ><rect x = '1' y=\"2\" width='3' height=\"4\"/><rect\n\tx='9' y='9'\n\twidth='3' height='3'\n\t></rect\n>\
    </g ><path d=' M 1,2 l3 ,4 q 1 1 2 2 Z ' style=' fill : red ;; stroke:blue ; '\n/>\n\n\
    <text xml:space='preserve'>  a   b </text>text &lt;here&gt;\n</svg>\n<!-- after -->\n";
