//! Style sheets and selectors in statements and ops: only the target changes, following text is
//! never swallowed, and large inputs take linear time.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::time::{Duration, Instant};

use fcp::testing::Server;
use tempfile::TempDir;

use crate::support::opened;

/// A server that has opened a drawing with this content.
pub fn server(inner: &str) -> (Server, TempDir) {
    opened(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">{inner}</svg>"
    ))
}

/// The saved file after an op, without the root element.
fn saved(server: &mut Server, root: &TempDir, op: &str) -> String {
    server.run(&[op, "! save as:b.svg force"]);
    let text = fs::read_to_string(root.path().join("b.svg")).unwrap();
    let (_, inner) = text.split_once('>').unwrap();
    inner.strip_suffix("</svg>").unwrap().to_owned()
}

#[test]
fn escaped_signs_in_selectors_are_parts_of_names() {
    for name in ["a,b", "a{b", "a'b", "a\"b", "a/*b", "a(b", "a[b", "a;b"] {
        let escaped: String = name
            .chars()
            .map(|c| match c {
                'a' | 'b' => c.to_string(),
                sign => format!("\\{sign}"),
            })
            .collect();
        let attribute = name.replace('"', "&quot;");
        let (mut server, _root) = server(&format!(
            "<style>#{escaped},#z{{fill:tan}} #{escaped} {{stroke:red}}</style><rect id=\"{attribute}\" width=\"2\" height=\"2\"/>"
        ));
        let reply = server.query("SELECT fill, stroke FROM elements WHERE tag='rect'");
        assert!(reply.contains("\n#d2b48c | #ff0000\n"), "{name}\n{reply}");
    }
    let (mut server, _root) =
        server("<style>#a\\,b{fill:tan}</style><rect id=\"a,b\" width=\"2\" height=\"2\"/>");
    let reply = server.run(&["rename rect~1 ab"]);
    assert_eq!(reply.lines().count(), 2, "{reply}");
}

#[test]
fn formulas_for_siblings_are_two_small_numbers() {
    let (mut server, _root) = server("<rect id=\"a\"/><rect id=\"b\"/><rect id=\"c\"/>");
    for (formula, wanted) in [
        ("-n+2", "a, b"),
        ("2n + 1", "a, c"),
        ("2n+ 1", "a, c"),
        (" +3 ", "c"),
        ("-2147483648n+2", "b"),
    ] {
        let reply = server.query(&format!("list \"rect:nth-child({formula})\""));
        let names: Vec<&str> = reply
            .lines()
            .filter_map(|line| line.split(' ').next())
            .collect();
        assert_eq!(names.join(", "), wanted, "{formula}\n{reply}");
    }
    for formula in [
        "-n-9223372036854775807",
        "-n-9223372036854775808",
        "-1n-9223372036854775808",
        "9223372036854775807",
        "1 2",
        "2 n",
        "- n",
        "+ 3",
        "2n1",
        "2n+-1",
    ] {
        let reply = server.no_query(&format!("list \"rect:nth-child({formula})\""));
        assert!(
            reply.contains("is not a number, odd, even or 2n+1"),
            "{formula}\n{reply}"
        );
    }
}

#[test]
fn values_that_would_swallow_the_rest_of_a_sheet_are_rejected() {
    let inner = "<style>.a { --x: 1 } .b { fill: red }</style>\
        <rect class=\"a\" style=\"--x: 1; fill: red\"/><rect class=\"b\"/>";
    let (mut server, root) = server(inner);
    for value in ["\"abc", "'abc", "url(", "f(a", "[a", "(]", "x\\", "a /* b"] {
        for table in ["rules", "styles"] {
            let quoted = value.replace('\'', "''");
            let sql = format!("UPDATE {table} SET value='{quoted}' WHERE property='--x'");
            let reply = server.refused(&[&sql]);
            assert!(
                reply.starts_with("! --x ") && reply.contains("is not one declaration"),
                "{sql}\n{reply}"
            );
        }
    }
    for selector in [".a /* x", ".a\\", ".a/*", "[class=\"a\"] .b\\"] {
        for sql in [
            format!("UPDATE rules SET selector='{selector}' WHERE property='--x'"),
            format!(
                "INSERT INTO rules(line, selector, property, value) VALUES (1, '{selector}', 'fill', 'red')"
            ),
        ] {
            let reply = server.refused(&[&sql]);
            assert!(
                reply.starts_with("! ") && reply.contains("is not a selector: it has no end"),
                "{sql}\n{reply}"
            );
        }
    }
    for (sql, wanted) in [
        (
            "UPDATE rules SET value='url(a;b) \";\" \\;' WHERE property='--x'",
            inner.replacen("--x: 1", "--x: url(a;b) \";\" \\;", 1),
        ),
        (
            "UPDATE rules SET selector='.a /* x */, .c\\,' WHERE property='--x'",
            inner.replacen(".a {", ".a /* x */, .c\\, {", 1),
        ),
    ] {
        assert_eq!(saved(&mut server, &root, sql), wanted, "{sql}");
        server.act("open a.svg");
    }
}

#[test]
fn a_new_style_value_keeps_the_rest() {
    for (style, value, wanted) in [
        ("fill: red", "blue", "fill: blue"),
        ("fill : red ;", "blue", "fill : blue ;"),
        ("fill:/* a */red; x:y", "blue", "fill:/* a */blue; x:y"),
        ("FILL: red", "blue", "FILL: blue"),
        ("fill: red !important", "blue", "fill: blue"),
        ("fill: red", "blue !important", "fill: blue !important"),
    ] {
        let inner = |style: &str| format!("<rect style=\"{style}\"/>");
        let (mut server, root) = server(&inner(style));
        let sql = format!("UPDATE styles SET value='{value}' WHERE lower(property)='fill'");
        assert_eq!(
            saved(&mut server, &root, &sql),
            inner(wanted),
            "{style} {value}"
        );
    }
}

#[test]
fn many_declarations_of_an_element_are_read_once() {
    let style: String = (0..2000).map(|n| format!("q{n}:{n};")).collect();
    let (mut server, _root) = server(&format!(
        "<style>rect {{ {style} q1: a; q2: b !important; font: bold 9px serif }}</style>\
         <rect style=\"{style} q1: c\"/>"
    ));
    let start = Instant::now();
    let reply = server.query("SELECT count(*) FROM declarations WHERE property LIKE 'q%'");
    assert!(start.elapsed() < Duration::from_secs(5), "{reply}");
    assert_eq!(reply.lines().nth(1), Some("2000"), "{reply}");
    let reply = server.query(
        "SELECT property, value, source FROM declarations \
         WHERE property IN ('q1', 'q2', 'q3', 'font-size', 'font-weight')",
    );
    assert_eq!(
        reply.lines().skip(1).collect::<Vec<_>>(),
        [
            "font-size | 9px | rule rect",
            "font-weight | bold | rule rect",
            "q1 | c | style",
            "q2 | b | rule rect",
            "q3 | 3 | style",
            "(5 rows)",
        ]
    );
}

#[test]
fn many_rules_are_added_at_once() {
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<4000) \
        INSERT INTO rules(selector, property, value) SELECT '.c'||i, 'fill', 'red' FROM n";
    let old: String = (0..4000)
        .map(|n| format!("\n  .a{n} {{ fill: red }}"))
        .collect();
    let (mut server, root) = server(&format!("<style>{old}\n</style>"));
    let start = Instant::now();
    let text = saved(&mut server, &root, sql);
    let new: String = (1..=4000)
        .map(|n| format!("\n  .c{n} {{ fill: red }}"))
        .collect();
    assert_eq!(text, format!("<style>{old}{new}\n</style>"));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn new_rules_are_set_apart_as_those_before() {
    let sql = "INSERT INTO rules(selector, property, value) \
        VALUES ('.x', 'fill', 'red'), ('.y', 'fill', 'red'), ('.x', 'opacity', '1')";
    let new = ".x { fill: red; opacity: 1 } .y { fill: red }";
    for (inner, wanted) in [
        ("", format!("<style>{new}</style>")),
        ("<style/>", format!("<style>{new}</style>")),
        (
            "<style>.a{fill:red}</style>",
            format!("<style>.a{{fill:red}} {new}</style>"),
        ),
        (
            "<style>/* a */</style>",
            format!("<style>/* a */ {new}</style>"),
        ),
        (
            "<style>\n  .a{fill:red}\n</style>",
            "<style>\n  .a{fill:red}\n  .x { fill: red; opacity: 1 }\n  .y { fill: red }\n</style>"
                .to_owned(),
        ),
    ] {
        let (mut server, root) = server(inner);
        assert_eq!(saved(&mut server, &root, sql), wanted, "{inner}");
    }
}

#[test]
fn invalid_line_numbers_are_reported() {
    let (mut server, _root) = server("<style>.a { fill: red }</style>");
    for line in ["one", "-1", "1.5", "0"] {
        let reply = server.refused(&[&format!(
            "INSERT INTO rules(line, selector, property, value) VALUES ('{line}', '.b', 'fill', 'red')"
        )]);
        let wanted = format!("! {line} is not a line: lines are whole numbers from 1");
        assert_eq!(reply.lines().next(), Some(&*wanted), "{reply}");
    }
}

#[test]
fn each_test_of_a_selector_counts_as_a_step() {
    let long = "rect".to_owned() + &".a".repeat(6000);
    let sheet = format!("<style>{long} {{ fill: red }} rect.a {{ opacity: 1 }}</style>");
    let matches = "SELECT property, matches FROM rules";
    let (mut few, _root) = server(&format!("{sheet}<rect class=\"a\"/>"));
    let reply = few.query(matches);
    assert_eq!(
        reply.lines().skip(1).collect::<Vec<_>>(),
        ["fill | 1", "opacity | 1", "(2 rows)"]
    );
    let (mut many, _root) = server(&format!("{sheet}{}", "<rect class=\"a\"/>".repeat(2000)));
    many.act("set work-limit:1");
    let reply = many.refused(&[&format!("? {matches}")]);
    assert!(reply.contains("takes more than 1 million steps"), "{reply}");
}

/// A drawing whose rules only match by selectors that the renderer does not know.
const MODERN: &str = "<style>rect ~ circle{fill:red}
rect:not(.k){fill:blue}
[data-s^=\"on\"]{stroke:lime}
[data-s$=ly]{stroke-width:2}
[data-s*=nl]{opacity:.5}
:is(#r, .none){stroke:#010203}
:where(#r){stroke:#ffffff}
:root{font-size:7px}
text:first-of-type{fill:#111111}
text:last-child{stroke:#222222}
:nth-child(2){font-family:A}
circle:nth-of-type(2){fill:#333333}
tspan:only-child{fill:#444444}
g:empty{fill:#555555}
circle:hover, .none{fill:#666666}
@media print{circle{fill:#777777}}</style>
<rect id=\"r\" width=\"9\" height=\"9\"/><circle id=\"c\" r=\"5\" data-s=\"only\"/><circle id=\"d\" r=\"5\"/>
<g id=\"e\"/><text id=\"t\"><tspan id=\"u\">x</tspan></text>";

#[test]
fn rules_match_by_every_selector_that_ops_take() {
    let (mut server, root) = server(MODERN);
    let reply = server.query("SELECT selector, matches FROM rules");
    let rows: Vec<&str> = reply.lines().skip(1).collect();
    assert_eq!(
        rows,
        [
            "rect ~ circle | 2",
            "rect:not(.k) | 1",
            "[data-s^=\"on\"] | 1",
            "[data-s$=ly] | 1",
            "[data-s*=nl] | 1",
            ":is(#r, .none) | 1",
            ":where(#r) | 1",
            ":root | 1",
            "text:first-of-type | 1",
            "text:last-child | 1",
            ":nth-child(2) | 1",
            "circle:nth-of-type(2) | 1",
            "tspan:only-child | 1",
            "g:empty | 1",
            "circle:hover, .none | NULL",
            "circle | NULL",
            "(16 rows)"
        ]
    );
    let styles = "SELECT ref, fill, stroke, stroke_width, opacity, font_size FROM elements WHERE tag NOT IN ('svg', 'style')";
    assert_eq!(
        server.query(styles).lines().skip(1).collect::<Vec<_>>(),
        [
            "r | #0000ff | #010203 | 1.0 | 1.0 | 7.0",
            "c | #ff0000 | #00ff00 | 2.0 | 0.5 | 7.0",
            "d | #333333 | none | 1.0 | 1.0 | 7.0",
            "e | #555555 | none | 1.0 | 1.0 | 7.0",
            "t | #111111 | #222222 | 1.0 | 1.0 | 7.0",
            "u | #444444 | #222222 | 1.0 | 1.0 | 7.0",
            "(6 rows)"
        ]
    );
    let saved = saved(&mut server, &root, "DELETE FROM rules WHERE matches=0");
    assert!(saved.contains("circle:hover, .none{"), "{saved}");
}

#[test]
fn selectors_that_pictures_leave_out_are_named() {
    let (mut server, _root) = server(
        "<style>rect{fill:red} rect:not(.a), rect.b{fill:lime}\na:hover{fill:red}</style><rect id=\"r\"/>",
    );
    assert_eq!(
        server.query("css"),
        "line 1: rect { fill:red } matches r\n\
         line 1: rect:not(.a), rect.b { fill:lime } matches r\n\
         line 2: a:hover { fill:red } matches nothing\n\
         line 2: a:hover is not applied\n\
         line 1: rect:not(.a) is applied, but not by the renderer: pictures differ\n\
         line 1: rect.b is applied, but not by the renderer: pictures differ"
    );
}

#[test]
fn rules_that_depend_on_siblings_cost_no_more_with_many() {
    let (mut server, _root) = server(&format!(
        "<style>line ~ circle{{fill:red}} circle:nth-child(2n){{fill:lime}} text:last-of-type{{fill:red}}</style>{}",
        "<circle r=\"1\"/>".repeat(20_000)
    ));
    server.act("set work-limit:3");
    let reply = server.query("SELECT selector, matches FROM rules");
    assert_eq!(
        reply.lines().skip(1).collect::<Vec<_>>(),
        [
            "line ~ circle | 0",
            "circle:nth-child(2n) | 10000",
            "text:last-of-type | 0",
            "(3 rows)"
        ]
    );
}

#[test]
fn missing_parts_of_a_selector_are_searched_once() {
    let (mut server, _root) = server(&format!("{}<rect class=\"z\"/>", "<line/>".repeat(2000)));
    let start = Instant::now();
    let selector = ".z".repeat(3000);
    let reply = server.refused(&[&format!("move \"{selector}.q\" by:1,1")]);
    let first = reply.lines().next().unwrap_or_default();
    assert!(
        first.ends_with("matches nothing: no class q (there are z)"),
        "{reply}"
    );
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn rules_after_a_comment_count_but_are_not_drawn() {
    let (mut server, root) = server(
        "<style>.a{x:1}<!-- c\n -->.d{fill:red}<?p?>\n .e{x:y}</style><rect id=\"r\" class=\"d\"/>",
    );
    let css = server.query("css");
    let first = server.query("SELECT line FROM rules WHERE selector='.a'");
    let line: usize = first.lines().nth(1).unwrap().parse().unwrap();
    for part in [
        format!("line {}: .d {{ fill:red }} matches r", line + 1),
        format!("line {}: .d is applied, but not by the renderer", line + 1),
        format!("line {}: .e is applied, but not by the renderer", line + 2),
    ] {
        assert!(css.contains(&part), "{part}\n{css}");
    }
    assert!(!css.contains(".a is applied"), "{css}");
    let described = server.query("describe r");
    assert!(described.contains("fill: red (rule .d)"), "{described}");
    let rows = server.query("SELECT line FROM rules ORDER BY line");
    assert!(
        rows.contains(&format!("{}\n{}\n{}", line, line + 1, line + 2)),
        "{rows}"
    );
    server.run(&["style .d fill:blue", "define class id:w fill:red"]);
    server.act("save as:b.svg");
    let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
    assert!(
        saved.contains("<style>.a{x:1} .w { fill: red }<!-- c\n -->.d{fill:blue}<?p?>"),
        "{saved}"
    );
}
