//! Files with CRLF line ends: edits keep those around them, and write the same.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::accounted::{Opened, with};

/// A file with CRLF line ends, `{}` replaced by a text.
fn file(inner: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">\n{inner}\n</svg>\n").replace('\n', "\r\n")
}

#[test]
fn a_cdata_section_keeps_its_line_ends() {
    let text = file(
        "  <linearGradient id=\"g\"/>\n  <style><![CDATA[\n .a { fill: red; stroke: blue }\n .b { fill: url(#g) }\n ]]></style>",
    );
    let saved = Opened::after(&text, &["remove g unlink:on"]);
    let wanted = [
        ("  <linearGradient id=\"g\"/>\r\n", ""),
        (" fill: url(#g) ", "  "),
    ];
    assert_eq!(saved, with(&text, &wanted));
    let saved = Opened::after(
        &text,
        &["UPDATE texts SET text=replace(text, 'red', 'gold') WHERE text LIKE '%red%'"],
    );
    assert_eq!(saved, with(&text, &[("red", "gold")]));
}

#[test]
fn an_id_in_a_cdata_section_is_renamed() {
    let text = file("  <style><![CDATA[\n#fab{x:y}]]></style>\n  <g id=\"fab\"/>");
    for op in ["rename fab z", "UPDATE elements SET id='z' WHERE id='fab'"] {
        let saved = Opened::after(&text, &[op]);
        assert_eq!(saved, with(&text, &[("fab", "z")]), "{op}");
    }
}

#[test]
fn values_of_several_lines_keep_their_separators() {
    let text = file(
        "  <path id=\"p\" d=\"M0 0\n  L9 9\n  L5 2\" style=\"fill:red;\n  opacity:.5\"/>\n  <polygon id=\"q\" points=\"0,0\n  9,0\n  9,9\"/>\n  <clipPath id=\"c\"/>",
    );
    let end = "L5 2\"";
    let last = "opacity:.5\"";
    for text in [text.clone(), text.replace("\r\n", "\n")] {
        let crlf = text.contains('\r');
        let broken = |text: &str| match crlf {
            true => text.replace('\n', "\r\n"),
            false => text.to_owned(),
        };
        for (op, old, new) in [
            ("modify p add-line to:1,1", end, "L5 2\n  L1 1\""),
            ("style p stroke:red", last, "opacity:.5;\n  stroke:red\""),
            (
                "INSERT INTO styles(ref, property, value) VALUES ('p', 'stroke', 'red')",
                last,
                "opacity:.5;\n  stroke:red\"",
            ),
            ("clip p with:c", last, "opacity:.5;\n  clip-path:url(#c)\""),
            ("modify q add-point to:1,1", "9,9\"", "9,9\n  1,1\""),
        ] {
            let saved = Opened::after(&text, &[op]);
            assert_eq!(saved, with(&text, &[(old, &broken(new))]), "{op}");
        }
        let saved = Opened::after(&text, &["modify p split-seg 2"]);
        assert!(!saved.contains("&#"), "{saved}");
    }
}

#[test]
fn new_rules_have_the_line_ends_of_their_sheet() {
    let plain = file("  <style>\n    .a { x: y }\n    .b { x: y }\n  </style>");
    let data = file("  <style><![CDATA[\n    .a { x: y }\n    .b { x: y }\n  ]]></style>");
    for text in [plain, data] {
        for op in [
            "define class id:w fill:red",
            "INSERT INTO rules(selector, property, value) VALUES ('.w', 'fill', 'red')",
            "INSERT INTO rules(line, selector, property, value) VALUES (4, '.w', 'fill', 'red')",
        ] {
            let saved = Opened::after(&text, &[op]);
            let wanted = (".b { x: y }", ".b { x: y }\r\n    .w { fill: red }");
            assert_eq!(saved, with(&text, &[wanted]), "{op}");
        }
    }
}

#[test]
fn whitespace_that_a_text_draws_stays() {
    let file = |inner: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <text id=\"t\"{inner}</text>\n</svg>\n"
        )
    };
    let spans = ">a<tspan>b</tspan> <tspan id=\"pc\">c</tspan>";
    let pc = "<tspan id=\"pc\">c</tspan>";
    for (inner, gone) in [
        (format!("{spans}<tspan>d</tspan>"), pc),
        (
            format!("{spans}\n <tspan>d</tspan>"),
            " <tspan id=\"pc\">c</tspan>",
        ),
        (
            format!(" xml:space=\"preserve\"{spans} <tspan>d</tspan>"),
            pc,
        ),
    ] {
        let text = file(&inner);
        let saved = Opened::after(&text, &["remove pc"]);
        assert_eq!(saved, with(&text, &[(gone, "")]));
    }
    let text = file(" xml:space=\"preserve\">\n    one <tspan>b</tspan>\n    four");
    let saved = Opened::after(&text, &["insert \"<tspan>N</tspan>\" last:t"]);
    let wanted = [("four</text>", "four<tspan>N</tspan></text>")];
    assert_eq!(saved, with(&text, &wanted));
}

#[test]
fn a_new_text_of_several_lines_gets_the_line_ends_of_its_place() {
    let text = file("  <rect id=\"r\" width=\"9\" height=\"9\"/>");
    for op in [
        "modify r title:\"a\\nb\" desc:\"c\\nd\"",
        "add text \"a\\nb\" at:9,9",
    ] {
        let saved = Opened::after(&text, &[op]);
        let bare = saved.replace("\r\n", "");
        assert!(
            saved.matches("\r\n").count() > 3 && !bare.contains('\n'),
            "{saved:?}"
        );
    }
}
