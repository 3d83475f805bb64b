//! The bytes that `style` and similar ops change in a file.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;

const LOGO: &str = include_str!("files/logo.svg");

/// The file after some ops.
fn after(text: &str, ops: &[&str]) -> String {
    let mut desk = Desk::open(text);
    desk.run(ops);
    desk.saved()
}

#[test]
fn a_foreign_file_changes_only_where_it_is_styled() {
    let ops = [
        "style background fill:#eee",
        "style @fill:red stroke:black",
        "style .hot fill:#c00",
    ];
    let wanted = LOGO
        .replace("#F00", "#c00")
        .replace("fill=\"#fff\"", "fill=\"#eee\"")
        .replace("r=\"8.50\"/>", "r=\"8.50\" stroke=\"black\"/>")
        .replace("stroke-width:2\"", "stroke-width:2; stroke:black\"");
    assert_eq!(after(LOGO, &ops), wanted);
}

#[test]
fn a_length_has_a_unit_in_css() {
    for (before, op, then) in [
        (
            "<style>.t{font-size:20px}</style><text id='t' class='t'/>",
            "style t size:30",
            "<style>.t{font-size:20px}</style><text id='t' class='t' style=\"font-size:30px\"/>",
        ),
        (
            "<style>.t{font-size:20px}</style><text id='t' class='t'/>",
            "style .t size:40 letter-spacing:3 stroke-width:2",
            "<style>.t{font-size:40px; letter-spacing:3px; stroke-width:2}</style><text id='t' class='t'/>",
        ),
        (
            "<style>.t{}</style><text id='t'/>",
            "define class id:k size:12 stroke-dashoffset:4",
            "<style>.t{} .k { font-size: 12px; stroke-dashoffset: 4 }</style><text id='t'/>",
        ),
        (
            "<text id='t' style='font-size:10px'/>",
            "modify t size:33",
            "<text id='t' style='font-size:33px'/>",
        ),
        (
            "<text id='t' style='font-size:10px'/>",
            "style t size:2em word-spacing:0 baseline-shift:-2",
            "<text id='t' style='font-size:2em; word-spacing:0; baseline-shift:-2px'/>",
        ),
        // One that viewers ignore is not the given value yet.
        (
            "<text id='t' style='font-size:30'/>",
            "style t size:30",
            "<text id='t' style='font-size:30px'/>",
        ),
        (
            "<text id='t' font-size='10'/>",
            "style t size:30",
            "<text id='t' font-size='30'/>",
        ),
    ] {
        let file = |inner: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}</svg>");
        assert_eq!(after(&file(before), &[op]), file(then), "{op}");
    }
    let text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><text id=\"t\" style=\"font-size:30px\"/></svg>";
    let (mut server, _root) = crate::support::opened(text);
    let reply = server.run(&["style t size:30"]);
    assert!(reply.starts_with("= "), "{reply}");
}

#[test]
fn one_declaration_changes_in_any_place() {
    // Original content, op, new content.
    for (before, op, then) in [
        (
            "<g id='a' style='x:y;\n\tfill:red'/>",
            "style a fill:blue",
            "<g id='a' style='x:y;\n\tfill:blue'/>",
        ),
        (
            "<g id='a' style=\"font-family:&quot;A;B&#34;;fill:red\"/>",
            "style a fill:blue",
            "<g id='a' style=\"font-family:&quot;A;B&#34;;fill:blue\"/>",
        ),
        (
            "<g id='a' style='fill:#f00;&#10;stroke:blue'/>",
            "style a stroke:green",
            "<g id='a' style='fill:#f00;&#10;stroke:green'/>",
        ),
        (
            "<g id='a' style='fill:#f00&#59;&#115;troke&#x3a;blue'/>",
            "style a stroke:green",
            "<g id='a' style='fill:#f00&#59;&#115;troke&#x3a;green'/>",
        ),
        (
            "<g id='a' style='fill:#f00;&#10;stroke:blue'/>",
            "unset a fill",
            "<g id='a' style='stroke:blue'/>",
        ),
        (
            "<g id='a' style='fill:red'/>",
            "unset a fill",
            "<g id='a'/>",
        ),
        (
            "<g id='a' style='x:&gt;;fill:red'/>",
            "unset a fill",
            "<g id='a' style='x:&gt;'/>",
        ),
        (
            "<g id='a' fill = 'red'/>",
            "style a fill:blue",
            "<g id='a' fill = 'blue'/>",
        ),
        (
            "<g id='a' style='font:2px x'/>",
            "style a size:3",
            "<g id='a' style='font:2px x; font-size:3px'/>",
        ),
        (
            "<style>.a{x:y}\r\n.b{fill:red}</style><g id='a' class='b'/>",
            "style .b fill:blue",
            "<style>.a{x:y}\r\n.b{fill:blue}</style><g id='a' class='b'/>",
        ),
        (
            "<style>a &gt; b{x:y}.b{fill:red}</style>",
            "style .b fill:blue",
            "<style>a &gt; b{x:y}.b{fill:blue}</style>",
        ),
        (
            "<style>.a{x:y}<![CDATA[ .b { fill : red } ]]></style><style>.b{z:0}</style>",
            "style .b fill:blue",
            "<style>.a{x:y}<![CDATA[ .b { fill : blue } ]]></style><style>.b{z:0}</style>",
        ),
        (
            "<style>.b{fill:red}.c{fill:red}.b{fill:green}</style>",
            "style .b fill:blue",
            "<style>.b{fill:red}.c{fill:red}.b{fill:blue}</style>",
        ),
        (
            "<style>\n  .b { x: y; }\n</style>",
            "style .b fill:blue",
            "<style>\n  .b { x: y; fill: blue; }\n</style>",
        ),
        (
            "<style>\n  .b { x: y }\n</style>",
            "define class id:c fill:red",
            "<style>\n  .b { x: y }\n  .c { fill: red }\n</style>",
        ),
        (
            "<style/><g/>",
            "define class id:c fill:red",
            "<style>.c { fill: red }</style><g/>",
        ),
        (
            "\n  <g/>\n",
            "define class id:c fill:red",
            "\n  <style>.c { fill: red }</style>\n  <g/>\n",
        ),
        (
            "<g id='a' k='v'/>",
            "set a data-k \"<\"",
            "<g id='a' k='v' data-k=\"&lt;\"/>",
        ),
    ] {
        let file =
            |content: &str| format!("<svg xmlns='http://www.w3.org/2000/svg'>{content}</svg>");
        assert_eq!(after(&file(before), &[op]), file(then), "{op}");
    }
}

#[test]
fn styles_without_effect_are_rejected() {
    for (content, op, error) in [
        (
            "<style>.b{fill:red!important}</style><g id='a' class='b'/>",
            "style a fill:blue",
            "! fill of a is !important in rule .b\n  try: style .b fill:blue",
        ),
        (
            "<style>#a{fill:red!important}</style><g id='a'/>",
            "style a fill:blue",
            "! fill of a is !important in rule #a\n  try: ? css a",
        ),
        (
            "<g id='a' style='???;fill:red'/>",
            "style a fill:blue",
            "! fill of a would stay black (default)\n  try: ? css a",
        ),
        (
            "<!DOCTYPE svg [<!ENTITY r 'red'>]>",
            "style .b fill:blue",
            "! that place of the <style> comes from the entity &r;\n  try: ? describe entity:r",
        ),
        (
            "<g id='a'/>",
            "style .b fill:blue",
            "! no rule .b\n  try: define class id:b fill:blue",
        ),
        (
            "<style>.bb{x:y}</style><g id='a' class='b'/>",
            "style .b fill:blue",
            "! no rule .b\n  try: define class id:b fill:blue",
        ),
        (
            "<linearGradient id='sunset'/><g id='a'/>",
            "style a fill:gradient:sunst",
            "! no gradient \"sunst\"\n  try: style a fill:gradient:sunset",
        ),
        (
            "<pattern id='p'/><g id='a'/>",
            "style a fill:gradient:p",
            "! p is a pattern, not a gradient",
        ),
        (
            "<rect id='a' fill='#eee'/><rect/><rect/>",
            "style @fill:red stroke:red",
            "! @fill:red matches nothing (fills: black 2, #eee 1)\n  syntax: ",
        ),
        (
            "<g id='a'/>",
            "style @fill:red stroke:red",
            "! @fill:red matches nothing (no fills)",
        ),
        (
            "<rect class='b'/>",
            "style @class:c stroke:red",
            "! @class:c matches nothing (classes: b 1)\n  syntax: ",
        ),
        (
            "<rect class='bar'/><rect class='bar hot'/>",
            "style @class:hott stroke:red",
            "! @class:hott matches nothing (classes: bar 2, hot 1)\n  try: style @class:hot stroke:red",
        ),
        (
            "<rect class='bar'/><rect class='bar hot'/>",
            "remove @class:hott|baar",
            "! @class:hott|baar matches nothing (classes: bar 2, hot 1)\n  try: remove @class:hot|bar",
        ),
        (
            "<rect class='bar'/><rect class='bar hot'/>",
            "remove @class:ha",
            "! @class:ha matches nothing (classes: bar 2, hot 1)\n  syntax: ",
        ),
        (
            "<rect/><rect/>",
            "remove @fill:redd",
            "! no colour \"redd\"\n  syntax: ",
        ),
        (
            "<linearGradient id='gr'/><rect id='a'/>",
            "style a fill:gradient:zzz",
            "! no gradient \"zzz\"\n  syntax: ",
        ),
        (
            "<linearGradient id='gr'/><rect id='a'/>",
            "style a fill:url(#zzz)",
            "! no gradient \"zzz\"\n  syntax: ",
        ),
    ] {
        let text = match content.strip_prefix("<!DOCTYPE") {
            Some(doctype) => format!(
                "<!DOCTYPE{doctype}<svg xmlns='http://www.w3.org/2000/svg'><style>.b{{fill:&r;}}</style></svg>"
            ),
            None => format!("<svg xmlns='http://www.w3.org/2000/svg'>{content}</svg>"),
        };
        let mut desk = Desk::open(&text);
        let answer = desk.session.run(&[op.to_owned()], None);
        assert!(answer.is_error, "{op}: {}", answer.text);
        assert!(answer.text.starts_with(error), "{op}: {}", answer.text);
        assert_eq!(desk.saved(), text, "{op}");
    }
}

#[test]
fn selectors_and_queries_use_computed_styles() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg'><linearGradient id='g'/><pattern id='p'/>
<style>.r{fill:#f00}@media print{}</style>
<rect id='a' fill='red'/><rect id='b' class='x r' style='stroke:blue'/><g id='c' fill='rgb(255,0,0)'><rect id='d'/></g>
<rect id='e' color='red' fill='currentColor' display='none'/><rect id='f' fill='url(#g)' stroke='url(#p)'/>
<text id='t' font-family='\"Noto Sans\", serif' fill='none'/></svg>";
    let mut desk = Desk::open(text);
    for (query, lines) in [
        ("list @fill:#ff0000", vec!["a", "b", "d", "e"]),
        ("list @fill:none|gradient", vec!["f", "t"]),
        ("list @fill:gradient:g", vec!["f"]),
        ("list @stroke:pattern", vec!["f"]),
        ("list @stroke:blue", vec!["b"]),
        ("list @stroke:none @type:object @not:fill:red", vec!["t"]),
        ("list @font:\"noto sans\"", vec!["t"]),
        ("list @class:r", vec!["b"]),
        ("list @has:stroke", vec!["b", "f"]),
        ("list @has:font", vec!["t"]),
        ("list @hidden", vec!["e"]),
        ("list @fill:gold", vec![]),
    ] {
        let answer = desk.session.query(query);
        assert!(!answer.is_error, "{query}: {}", answer.text);
        let have: Vec<&str> = ["a", "b", "c", "d", "e", "f", "t"]
            .into_iter()
            .filter(|id| {
                answer.text.lines().any(|line| {
                    line.split_whitespace()
                        .any(|word| word.trim_end_matches([',', ':']) == *id)
                })
            })
            .collect();
        assert_eq!(have, lines, "{query}: {}", answer.text);
    }
    let css = desk.session.query("css").text;
    assert_eq!(
        css,
        "line 2: .r { fill:#f00 } matches b\nline 2: @media print is not applied"
    );
    assert_eq!(desk.session.query("css a").text, "no rules");
    assert_eq!(
        desk.session.query("colors").text,
        "red 4 fill\nblue 1 stroke"
    );
}
