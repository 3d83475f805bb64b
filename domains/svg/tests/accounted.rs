//! Edits change only the bytes they are about: ids that look like colours, entities of the DOCTYPE,
//! encodings, and the form of moved elements. Saved files are checked with a third-party parser.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use encoding_rs::{Encoding, WINDOWS_1252};
use fcp::testing::Server;
use tempfile::TempDir;

use crate::support::opened;

/// A file that a server has opened.
pub(crate) struct Opened {
    root: TempDir,
    pub(crate) server: Server,
}

impl Opened {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let (server, root) = opened(bytes);
        Self { root, server }
    }

    pub(crate) fn saved(&mut self) -> Vec<u8> {
        self.server.act("save as:b.svg force");
        std::fs::read(self.root.path().join("b.svg")).unwrap()
    }

    /// The file after ops, as text.
    pub(crate) fn after(text: &str, ops: &[&str]) -> String {
        let mut opened = Self::of(text.as_bytes());
        opened.server.run(ops);
        let saved = String::from_utf8(opened.saved()).unwrap();
        well_formed(&saved);
        opened.server.act(&format!("undo {}", ops.len()));
        assert_eq!(opened.saved(), text.as_bytes(), "undone");
        saved
    }

    /// The error of a rejected op, which must change nothing.
    pub(crate) fn refused(text: &str, op: &str) -> String {
        let mut opened = Self::of(text.as_bytes());
        let reply = opened.server.refused(&[op]);
        assert_eq!(opened.saved(), text.as_bytes(), "{op}");
        reply
    }
}

fn well_formed(text: &str) {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options).unwrap();
}

/// Replaces texts, which must exist.
pub(crate) fn with(text: &str, pairs: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (old, new) in pairs {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    text
}

const COLOURS: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90">
  <!-- #fab is the button, url(#fab) too -->
  <style><![CDATA[
    /* #fab { } url(#fab) */
    #fab, g > rect#fab:not(#fab-2) { fill: #fab; stroke: #bad; content: "#fab url(#fab)" }
    [id=fab] { color: #fab } [id="fab"]{color:#face}
    @media (min-width: 1px) { #fab { fill: #fab } .b { fill: url(#fab) } }
    @keyframes fab { from { fill: #fab } }
    .c { mask: url( "#fab" ); fill: #fade }
  ]]></style>
  <filter id="f"><feFlood result="fab" flood-color="#fab"/><feBlend in="fab" in2="SourceGraphic"/></filter>
  <g><rect id="fab" width="9" height="9" fill="#fab" data-x="#fab url(#fab)" class="fab"/></g>
  <use href="#fab" style="fill:#fab;mask:url(#fab)" aria-labelledby="fab bad"/>
  <use href="#fab-2"/><rect id="fab-2"/>
  <set attributeName="fill" begin="fab.click;fab-2.end" to="#fab"/>
</svg>
"##;

#[test]
fn renaming_an_id_like_a_colour_changes_no_colour() {
    let saved = Opened::after(COLOURS, &["rename fab ico-fab"]);
    let wanted = with(
        COLOURS,
        &[
            (
                "    #fab, g > rect#fab:not",
                "    #ico-fab, g > rect#ico-fab:not",
            ),
            ("[id=fab]", "[id=ico-fab]"),
            ("[id=\"fab\"]", "[id=\"ico-fab\"]"),
            (
                "{ #fab { fill: #fab } .b { fill: url(#fab) } }",
                "{ #ico-fab { fill: #fab } .b { fill: url(#ico-fab) } }",
            ),
            ("url( \"#fab\" )", "url( \"#ico-fab\" )"),
            ("<rect id=\"fab\"", "<rect id=\"ico-fab\""),
            (
                "href=\"#fab\" style=\"fill:#fab;mask:url(#fab)\"",
                "href=\"#ico-fab\" style=\"fill:#fab;mask:url(#ico-fab)\"",
            ),
            ("\"fab bad\"", "\"ico-fab bad\""),
            ("\"fab.click;", "\"ico\\-fab.click;"),
        ],
    );
    assert_eq!(saved, wanted);
}

#[test]
fn ids_that_are_escaped_in_a_style_sheet_are_renamed() {
    let text = r##"<svg xmlns="http://www.w3.org/2000/svg"><style>#\31 23, #a\:b{fill:url(#a\:b)} #x{fill:#123}</style><g id="123"/><g id="a:b"/><g id="x"/></svg>"##;
    let saved = Opened::after(text, &["rename 123 bad", "rename \"a:b\" fade.x"]);
    let wanted = with(
        text,
        &[
            (
                r"#\31 23, #a\:b{fill:url(#a\:b)}",
                r"#bad, #fade\.x{fill:url(#fade.x)}",
            ),
            ("id=\"123\"", "id=\"bad\""),
            ("id=\"a:b\"", "id=\"fade.x\""),
        ],
    );
    assert_eq!(saved, wanted);
}

const ENTITIES: &str = r##"<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!-- shared by all -->
  <!ENTITY ns "http://www.w3.org/2000/svg">
  <!ENTITY soft 'url(#glow) /* caf&#233; */'>
  <!ENTITY left "10">
  <!ENTITY look "fill:#fab;stroke:none;">
]>
<svg xmlns="&ns;" viewBox="0 0 90 90">
  <filter id="glow"><feGaussianBlur stdDeviation="2"/></filter>
  <rect id="a" x="&left;" width="9" height="9" filter="&soft;"/>
  <rect id="b" x="1" width="9" height="9" style="&look;opacity:.5" filter="&soft;"/>
  <text id="t" y="9">at &left; px</text>
</svg>
"##;

#[test]
fn a_reference_from_an_entity_is_renamed_where_the_entity_is_declared() {
    let saved = Opened::after(ENTITIES, &["rename glow halo"]);
    let wanted = with(
        ENTITIES,
        &[("url(#glow)", "url(#halo)"), ("id=\"glow\"", "id=\"halo\"")],
    );
    assert_eq!(saved, wanted);
    let other = ENTITIES.replace("at &left; px", "at &soft; px");
    let reply = Opened::refused(&other, "rename glow halo");
    assert!(
        reply.contains("&soft;") && reply.contains("text t"),
        "{reply}"
    );
    let part = ENTITIES.replace("'url(#glow) /* caf&#233; */'", "'low'");
    let part = part.replace("filter=\"&soft;\"", "filter=\"url(#g&soft;)\"");
    let reply = Opened::refused(&part, "rename glow halo");
    assert!(reply.contains("takes only a part"), "{reply}");
}

#[test]
fn references_to_entities_stay_in_values_that_an_op_edits() {
    let saved = Opened::after(
        ENTITIES,
        &["style b fill:red", "style b opacity:1", "set a filter none"],
    );
    assert!(saved.contains("&look;"), "{saved}");
    assert!(
        saved.contains("<rect id=\"a\" x=\"&left;\" width=\"9\" height=\"9\" filter=\"none\"/>")
    );
    let reply = Opened::refused(ENTITIES, "move a by:5,0");
    assert!(reply.contains("comes from the entity &left;"), "{reply}");
    assert!(reply.contains("try: set a x 10"), "{reply}");
    let reply = Opened::refused(ENTITIES, "modify a x:105");
    assert!(reply.contains("comes from the entity &left;"), "{reply}");
    let saved = Opened::after(ENTITIES, &["set a x 10", "move a by:5,0"]);
    assert_eq!(saved, with(ENTITIES, &[("x=\"&left;\"", "x=\"15\"")]));
    let reply = Opened::refused(ENTITIES, "convert a to:path");
    assert!(reply.contains("comes from the entity &left;"), "{reply}");
    let saved = Opened::after(ENTITIES, &["copy a,glow"]);
    assert!(
        saved.contains("x=\"&left;\"") && saved.contains("url(#glow-2)"),
        "{saved}"
    );
    let moved = Opened::after(ENTITIES, &["move b by:5,0"]);
    assert_eq!(moved, with(ENTITIES, &[("x=\"1\"", "x=\"6\"")]));
}

#[test]
fn declarations_from_an_entity_are_edited_where_it_is_declared() {
    let text = r#"<!DOCTYPE svg [<!ENTITY st "fill:red;stroke:blue">]>
<svg xmlns="http://www.w3.org/2000/svg">
  <rect id="b" style="&st;;opacity:.5"/>
</svg>
"#;
    for (op, old, new) in [
        (
            "UPDATE styles SET value='gold' WHERE ref='b' AND property='fill'",
            "fill:red",
            "fill:gold",
        ),
        (
            "DELETE FROM styles WHERE ref='b' AND property='fill'",
            "fill:red;",
            "",
        ),
        (
            "DELETE FROM styles WHERE property='opacity'",
            ";opacity:.5",
            "",
        ),
        ("DELETE FROM styles", " style=\"&st;;opacity:.5\"", ""),
        ("UPDATE styles SET value=1 WHERE nth=3", ".5", "1"),
        ("unset b fill", "fill:red;", ""),
        ("style b fill:gold", "fill:red", "fill:gold"),
        ("style b sw:2", ".5\"", ".5;stroke-width:2\""),
    ] {
        assert_eq!(
            Opened::after(text, &[op]),
            with(text, &[(old, new)]),
            "{op}"
        );
    }
    let two = text.replace("/>", "/><g id=\"c\" style=\"&st;\"/>");
    for op in [
        "UPDATE styles SET value='gold' WHERE ref='b' AND property='fill'",
        "unset b fill",
        "style b fill:gold",
    ] {
        let reply = Opened::refused(&two, op);
        assert!(reply.contains("the entity &st;"), "{op}\n{reply}");
        assert!(reply.contains("style of group c"), "{op}\n{reply}");
    }
    for (op, new) in [
        (
            "UPDATE styles SET value='gold' WHERE property='fill'",
            "fill:gold;",
        ),
        ("unset b,c fill", ""),
        ("style b,c fill:gold", "fill:gold;"),
    ] {
        assert_eq!(
            Opened::after(&two, &[op]),
            with(&two, &[("fill:red;", new)]),
            "{op}"
        );
    }
    let reply = Opened::refused(text, "unset b stroke");
    assert!(reply.contains("the entity &st;"), "{reply}");
}

#[test]
fn a_style_sheet_is_edited_around_its_entities() {
    let text = r##"<!DOCTYPE svg [<!ENTITY hot "fill:#bad"><!ENTITY sel "#a">]>
<svg xmlns="http://www.w3.org/2000/svg">
  <style>
    .h { &hot; }
    .c { fill: red }
    &sel; { stroke: #fab }
  </style>
  <rect id="a" class="c"/>
</svg>
"##;
    let saved = Opened::after(text, &["style .c fill:blue", "rename a fab"]);
    let wanted = with(
        text,
        &[
            ("fill: red", "fill: blue"),
            ("sel \"#a\"", "sel \"#fab\""),
            ("id=\"a\"", "id=\"fab\""),
        ],
    );
    assert_eq!(saved, wanted);
    let reply = Opened::refused(text, "style .h fill:green");
    assert!(reply.contains("comes from the entity &hot;"), "{reply}");
}

#[test]
fn entities_and_the_doctype_are_rows() {
    let mut opened = Opened::of(ENTITIES.as_bytes());
    let listed = opened.server.query("list @type:entity");
    assert_eq!(listed.lines().count(), 4, "{listed}");
    assert!(listed.contains("entity left \"10\""), "{listed}");
    let tree = opened.server.query("tree");
    assert!(
        tree.contains("DOCTYPE svg") && tree.contains("  entity soft"),
        "{tree}"
    );
    let reply = opened.server.query("describe entity:left,doctype");
    assert!(reply.contains("used by: rect a (x)"), "{reply}");
    assert!(reply.contains("used by: text t (text)"), "{reply}");
    assert!(reply.contains("svg11.dtd"), "{reply}");
    let found = opened.server.query("find url(#glow)");
    assert!(
        found.contains("entity soft") && found.contains("rect a"),
        "{found}"
    );
    for (op, line) in [
        ("set entity:left value 15", "* entity left value 10 -> 15"),
        (
            "modify entity:left value:20",
            "* entity left value 15 -> 20",
        ),
        ("set &left; value \"5%\"", "* entity left value 20 -> 5%"),
        ("set doctype system x.dtd", "* DOCTYPE system "),
    ] {
        let reply = opened.server.run(&[op]);
        assert!(reply.starts_with(line), "{reply}");
    }
    assert!(opened.server.query("describe a").contains("x: 5%"));
    assert!(
        opened
            .server
            .query("svg entity:left")
            .contains("\"5&#37;\"")
    );
    let saved = String::from_utf8(opened.saved()).unwrap();
    well_formed(&saved);
    let wanted = with(
        ENTITIES,
        &[
            ("left \"10\"", "left \"5&#37;\""),
            ("http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd", "x.dtd"),
        ],
    );
    assert_eq!(saved, wanted);
    let reply = opened.server.query("refs entity:look");
    assert!(reply.contains("used by rect b (style)"), "{reply}");
    for (op, part) in [
        ("set entity:ns value \"urn:x\"", "names a namespace"),
        ("set entity:left value \"a<b/>\"", "< in an attribute"),
        ("set entity:left value &none;", "&none; is not defined"),
        ("set entity:left value &left;", "refers to itself"),
        ("set entity:left x 5", "only a value"),
        ("remove entity:left", "entity:left is used by"),
        ("move entity:left by:5,0", "!"),
        ("rename entity:left right", "only its value is set"),
        ("copy entity:left", "!"),
        ("group a,entity:left as:g", "!"),
        ("style entity:left fill:red", "only its value is set"),
        ("order doctype front", "!"),
    ] {
        let reply = opened.server.refused(&[op]);
        assert!(reply.contains(part), "{op}\n{reply}");
        assert!(
            reply.contains("try: ") || reply.contains("syntax: "),
            "{op}\n{reply}"
        );
    }
    opened
        .server
        .run(&["set a x 1", "modify t text:Hi", "remove entity:left"]);
    let saved = String::from_utf8(opened.saved()).unwrap();
    well_formed(&saved);
    assert!(!saved.contains("ENTITY left"), "{saved}");
}

/// A file in an encoding, with a declaration, a text, an attribute and a comment.
fn declared(label: &str, sheet: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"{label}\"?>\n<!DOCTYPE svg [<!ENTITY e \"\u{e9}\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- \u{fc} -->\n  <style>{sheet}</style>\n  <text id=\"t\" y=\"9\">f\u{fc}r</text><text id=\"u\" class=\"\u{e9}\">&e;</text>\n</svg>\n"
    )
}

/// Encodes a text in true ISO-8859-1, not as the web interprets that name.
fn latin1(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect()
}

#[test]
fn characters_that_latin_1_lacks_become_references() {
    let text = declared("ISO-8859-1", ".a{}");
    // The byte for a euro in Windows code pages is a control character here, and must survive.
    let text = text.replace("f\u{fc}r", "f\u{fc}r\u{80}");
    let mut opened = Opened::of(&latin1(&text));
    opened.server.run(&[
        "modify u text:\"5 \u{20ac} \u{e4}\"",
        "set t data-k \u{20ac}",
        "set entity:e value \u{e9}\u{20ac}",
    ]);
    let wanted = with(
        &text,
        &[
            (">&e;<", ">5 &#8364; \u{e4}<"),
            ("y=\"9\">", "y=\"9\" data-k=\"&#8364;\">"),
            ("e \"\u{e9}\"", "e \"\u{e9}&#8364;\""),
        ],
    );
    let shown = opened.server.query("svg u");
    assert!(shown.contains("&#8364;"), "{shown}");
    assert_eq!(opened.saved(), latin1(&wanted));
    well_formed(&wanted);
    for op in [
        "set t gr\u{f6}\u{20ac} 1",
        "raw '<!-- \u{20ac} -->'",
        "raw '<?pi \u{20ac}?>'",
        "raw '<text><![CDATA[\u{20ac}]]></text>'",
    ] {
        let reply = opened.server.refused(&[op]);
        assert!(
            reply.contains("ISO-8859-1 has no \u{20ac}"),
            "{op}\n{reply}"
        );
    }
    assert_eq!(opened.saved(), latin1(&wanted));
}

#[test]
fn a_section_is_opened_for_characters_that_latin_1_lacks() {
    let text = declared("ISO-8859-1", "<![CDATA[.a{}]]>");
    let text = text.replace("f\u{fc}r", "<![CDATA[f\u{fc}r & <b>]]>");
    let mut opened = Opened::of(&latin1(&text));
    opened
        .server
        .run(&["modify t text:\"\u{20ac} \u{e4} <b>\""]);
    let diff = opened.server.query("diff open");
    assert!(diff.contains(", form CDATA section -> text\n"), "{diff}");
    let wanted = with(
        &text,
        &[("<![CDATA[f\u{fc}r & <b>]]>", "&#8364; \u{e4} &lt;b>")],
    );
    assert_eq!(opened.saved(), latin1(&wanted));
    let sheet = "UPDATE texts SET text='.\u{20ac}{}' WHERE kind='cdata'";
    let reply = opened.server.refused(&[sheet]);
    assert!(reply.contains("in a style sheet \\20ac"), "{reply}");
    // Exact text keeps its section.
    let mut opened = Opened::of(&latin1(&text));
    let reply = opened
        .server
        .refused(&["replace \"[CDATA[f\u{fc}\" \"[CDATA[\u{20ac}\""]);
    assert!(
        reply.contains("a CDATA section takes no &#8364;"),
        "{reply}"
    );
    // Characters that the encoding has stay in their section.
    let mut opened = Opened::of(&latin1(&text));
    opened.server.run(&["modify t text:\"\u{e4} <b>\""]);
    let wanted = with(&text, &[("f\u{fc}r & <b>", "\u{e4} <b>")]);
    assert_eq!(opened.saved(), latin1(&wanted));
}

#[test]
fn every_encoding_keeps_what_was_there() {
    let encode = |label: &str, text: &str| -> Vec<u8> {
        match label {
            "ISO-8859-1" => latin1(text),
            "windows-1252" => WINDOWS_1252.encode(text).0.into_owned(),
            "ISO-8859-15" => {
                let table = Encoding::for_label(b"iso-8859-15").unwrap();
                table.encode(text).0.into_owned()
            }
            "UTF-16LE" => {
                let units = text.encode_utf16().flat_map(u16::to_le_bytes);
                [0xff, 0xfe].into_iter().chain(units).collect()
            }
            "UTF-16BE" => {
                let units = text.encode_utf16().flat_map(u16::to_be_bytes);
                [0xfe, 0xff].into_iter().chain(units).collect()
            }
            _ => text.as_bytes().to_vec(),
        }
    };
    for (label, euro) in [
        ("ISO-8859-1", "&#8364;"),
        ("ISO-8859-15", "\u{20ac}"),
        ("windows-1252", "\u{20ac}"),
        ("UTF-16LE", "\u{20ac}"),
        ("UTF-16BE", "\u{20ac}"),
        ("UTF-8", "\u{20ac}"),
    ] {
        let named = label
            .trim_end_matches(['L', 'B'])
            .trim_end_matches("LE")
            .trim_end_matches("BE");
        let text = declared(named, "<![CDATA[#t{fill:#bad}]]>");
        let mut opened = Opened::of(&encode(label, &text));
        opened
            .server
            .run(&["modify t text:\u{20ac}", "rename t bad"]);
        let wanted = with(
            &text,
            &[
                ("f\u{fc}r", euro),
                ("id=\"t\"", "id=\"bad\""),
                ("#t{", "#bad{"),
            ],
        );
        assert_eq!(opened.saved(), encode(label, &wanted), "{label}");
        opened.server.act("undo 2");
        assert_eq!(opened.saved(), encode(label, &text), "{label}");
    }
    let ascii = "<?xml version='1.0' encoding='us-ascii'?><svg xmlns='http://www.w3.org/2000/svg'><text id='t'>a</text></svg>";
    let mut opened = Opened::of(ascii.as_bytes());
    opened.server.run(&["modify t text:\u{e9}"]);
    assert_eq!(opened.saved(), ascii.replace(">a<", ">&#233;<").as_bytes());
}

#[test]
fn find_searches_the_whole_file() {
    let text = r##"<?xml version="1.0" encoding="UTF-8"?>
<?probe needle?>
<!DOCTYPE svg SYSTEM "needle.dtd" [
  <!ENTITY e "a needle">
  <!ATTLIST svg needle CDATA #IMPLIED>
]>
<!-- needle 1 -->
<svg xmlns="http://www.w3.org/2000/svg" data-k="needle">
  <title>needle</title><desc>The needle</desc>
  <style>.a { fill: red }
    .needle { fill: blue }</style>
  <metadata><x xmlns="urn:x">needle</x></metadata>
  <g id="layer1"><!-- needle 2 --><text id="t">a <tspan>NEEDLE</tspan></text></g>
  <rect id="r" data-a="needle" class="needle"/><rect id="s" class="&e;"/>
  <text id="u"><![CDATA[needle]]></text>
</svg>
"##;
    let mut opened = Opened::of(text.as_bytes());
    let found = opened.server.query("find needle");
    for place in [
        "instruction line 2: <?probe needle?>",
        "DOCTYPE svg SYSTEM",
        "entity e \"a needle\" (value)",
        "declaration line 5: <!ATTLIST svg needle",
        "comment line 7: <!-- needle 1 -->",
        "svg svg~1",
        "(data-k)",
        "title title~1",
        "desc desc~1",
        "style style~1 (css: .needle { fill: blue })",
        "element x~1",
        "comment line 13 in:layer1: <!-- needle 2 -->",
        "text t",
        "(data-a, class)",
        "rect s",
        "text u",
    ] {
        assert!(found.contains(place), "{place}\n{found}");
    }
    assert!(
        opened
            .server
            .query("find encoding=")
            .contains("XML declaration line 1")
    );
    assert!(opened.server.query("find &e;").contains("rect s"));
    let reply = opened.server.query("describe style~1,desc~1");
    assert!(
        reply.contains("text: .a { fill: red }") && reply.contains("text: The needle"),
        "{reply}"
    );
    // Names too, besides other places: each if they are few, or else their number.
    let rects = (0..5).map(|at| format!("<rect id=\"r{at}\" stroke-width=\"{at}\"/>"));
    let text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\"><title>rect width</title>{}</svg>",
        rects.collect::<String>()
    );
    let mut opened = Opened::of(text.as_bytes());
    let lines = |found: String| found.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        lines(opened.server.query("find rect"))[1..],
        ["and 5 elements named rect: ? SELECT ref FROM elements WHERE tag='rect'"]
    );
    assert_eq!(
        lines(opened.server.query("find width"))[1..],
        [
            "and 1 attribute named width: ? SELECT ref, value FROM attributes WHERE name='width'",
            "and 5 attributes named stroke-width: ? SELECT ref, value FROM attributes WHERE name='stroke-width'"
        ]
    );
    let found = opened.server.query("find title");
    assert!(found.ends_with("(name title)"), "{found}");
}

#[test]
fn set_text_sets_a_text_or_suggests_the_op() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>.a{}</style><style><![CDATA[.b{}]]></style><text id=\"t\">a</text><rect id=\"r\" /></svg>";
    let saved = Opened::after(
        text,
        &[
            "set style~1 text \".a{fill:red}\"",
            "set style~2 text \".b>c{}\"",
        ],
    );
    assert_eq!(
        saved,
        with(text, &[(".a{}", ".a{fill:red}"), (".b{}", ".b>c{}")])
    );
    let reply = Opened::refused(text, "set t text b");
    assert!(reply.contains("try: modify t text:b"), "{reply}");
    let reply = Opened::refused(text, "set r text b");
    assert!(reply.contains("try: set r data-text b"), "{reply}");
    let saved = Opened::after(text, &["modify r title:A"]);
    assert_eq!(
        saved,
        with(
            text,
            &[(
                "<rect id=\"r\" />",
                "<rect id=\"r\" ><title>A</title></rect>"
            )]
        )
    );
    let saved = Opened::after(
        text,
        &["define gradient id:g type:linear colors:red,blue@80%"],
    );
    assert!(saved.contains("stop-opacity=\"0.8\""), "{saved}");
}

#[test]
fn references_from_style_sheets_count_as_uses() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>.a{fill:url(#g);stroke:red}</style><linearGradient id=\"g\"/><linearGradient id=\"h\"/><rect id=\"r\" class=\"a\" data-x=\"url(#h)\"/></svg>";
    let mut opened = Opened::of(text.as_bytes());
    assert!(
        opened
            .server
            .query("refs g")
            .contains("used by style style~1 (css)")
    );
    assert!(opened.server.query("refs style~1").contains("uses g"));
    assert_eq!(opened.server.query("list @unused").lines().count(), 1);
    let reply = opened.server.refused(&["remove g"]);
    assert!(
        reply.contains("style~1") && reply.contains("unlink:on"),
        "{reply}"
    );
    opened.server.run(&["remove g unlink:on"]);
    let saved = String::from_utf8(opened.saved()).unwrap();
    assert_eq!(
        saved,
        with(
            text,
            &[("fill:url(#g);", ""), ("<linearGradient id=\"g\"/>", "")]
        )
    );
    opened.server.act("undo");
    let reply = opened
        .server
        .run(&["set style~1 text \".a{fill:url(#none)}\""]);
    assert!(reply.contains("url(#none) has no target"), "{reply}");
}

#[test]
fn a_piece_with_a_prefix_keeps_its_colours() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"fab\"/></svg>";
    let piece = "<g><style>#fab{fill:#fab}</style><rect id=\"fab\" fill=\"#fab\" data-k=\"#fab\"/><use href=\"#fab\"/></g>";
    let op = format!("raw '{piece}' prefix:p-");
    let saved = Opened::after(text, &[&op]);
    assert!(saved.contains("<style>#p-fab{fill:#fab}</style><rect id=\"p-fab\" fill=\"#fab\" data-k=\"#fab\"/><use href=\"#p-fab\"/>"), "{saved}");
}

#[test]
fn moved_elements_keep_their_ids_and_bytes() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <g id=\"l\">\n    <rect  id='a' x=\"+1.0\"   width=\"9e0\" height='9'/>\n  </g>\n  <g id=\"m\">\n    <circle r=\".50\" />\n    <path\n      d=\"M 0,0\n        10,0z\"/>\n  </g>\n</svg>\n";
    let own = [
        "<rect  id='a' x=\"+1.0\"   width=\"9e0\" height='9'/>",
        "<circle r=\".50\" />",
        "<path\n      d=\"M 0,0\n        10,0z\"/>",
    ];
    for ops in [
        &["move a in:m"][..],
        &["order circle~1 front"],
        &["order a back"],
        &["group circle~1,path~1 as:n"],
        &["group circle~1,path~1 as:n", "ungroup n"],
        &["ungroup m"],
        &["move m in:l", "move a in:m"],
    ] {
        let mut opened = Opened::of(text.as_bytes());
        opened.server.run(ops);
        let saved = String::from_utf8(opened.saved()).unwrap();
        well_formed(&saved);
        for element in own {
            assert_eq!(saved.matches(element).count(), 1, "{ops:?}\n{saved}");
        }
        for (name, element) in ["a", "circle~1", "path~1"].iter().zip(own) {
            assert_eq!(
                opened.server.query(&format!("svg {name}")),
                element,
                "{ops:?}"
            );
        }
    }
}

#[test]
fn a_value_from_an_entity_changes_at_its_source_or_not() {
    let text = r##"<!DOCTYPE svg [<!ENTITY red "#f04000"><!ENTITY who "A &amp; B"><!ENTITY far "#00f">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="urn:x">
  <rect x:note="&who;" fill="&red;"/>
  <text y="50">&who; 9</text>
  <linearGradient><stop id="s" stop-color="&far;"/><stop id="t" stop-color="&far;"/></linearGradient>
</svg>
"##;
    let red = "UPDATE attributes SET value='#00ff00' WHERE ref='rect~1' AND name='fill'";
    let wanted = with(text, &[("red \"#f04000\"", "red \"#00ff00\"")]);
    assert_eq!(Opened::after(text, &[red]), wanted);
    assert_eq!(Opened::after(text, &["style rect~1 fill:#00ff00"]), wanted);
    let all = "UPDATE attributes SET value='lime' WHERE name='stop-color'";
    let wanted = with(text, &[("far \"#00f\"", "far \"lime\"")]);
    assert_eq!(Opened::after(text, &[all]), wanted);
    assert_eq!(Opened::after(text, &["style s,t stop-color:lime"]), wanted);
    for op in [
        "style s stop-color:lime",
        "UPDATE attributes SET value='lime' WHERE ref='s' AND name='stop-color'",
        "UPDATE texts SET text='new' WHERE ref='text~1' AND n=1",
        "UPDATE texts SET text='A & C 9' WHERE ref='text~1' AND n=1",
    ] {
        let reply = Opened::refused(text, op);
        assert!(reply.contains("from the entity &"), "{op}: {reply}");
    }
    let nine = "UPDATE texts SET text=replace(text, '9', '10') WHERE ref='text~1'";
    let wanted = with(text, &[("&who; 9", "&who; 10")]);
    assert_eq!(Opened::after(text, &[nine]), wanted);
    let both = "UPDATE texts SET text='A & C 9' WHERE ref='text~1'";
    let alone = text.replace(" x:note=\"&who;\"", "");
    let wanted = with(&alone, &[("A &amp; B", "A &amp; C")]);
    assert_eq!(Opened::after(&alone, &[both]), wanted);
}
