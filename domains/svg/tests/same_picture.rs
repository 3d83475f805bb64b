//! Ops that promise the same picture: what would change is kept, told, or refused.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;

use crate::sheets::server;

/// The reply of an op, and the content of the file after it.
fn after(inner: &str, op: &str) -> (String, String) {
    let (mut server, root) = server(inner);
    let reply = server.run(&[op]);
    server.act("save as:b.svg force");
    let text = fs::read_to_string(root.path().join("b.svg")).unwrap();
    let (_, text) = text.split_once('>').unwrap();
    (reply, text.strip_suffix("</svg>").unwrap().to_owned())
}

/// Checks a table: the content, the op, the lines of its reply after the first, and what the file
/// then holds.
fn check(rows: &[(&str, &str, &[&str], &str)]) {
    let mut wrong = Vec::new();
    for (inner, op, lines, holds) in rows {
        let (reply, saved) = after(inner, op);
        let told = reply.lines().skip(1).filter(|line| line.starts_with(' '));
        let told: Vec<&str> = told.map(str::trim).collect();
        if told != *lines || !saved.contains(holds) {
            wrong.push(format!("{op}\n{reply}\n{saved}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_group_gives_its_transform_to_transforms_in_styles() {
    let r = "<rect id=\"r\" width=\"2\" height=\"2\" style=\"transform:scale(2)\"/>";
    check(&[
        (
            &format!("<g id=\"g\" transform=\"rotate(90)\">{r}</g>"),
            "ungroup g",
            &[],
            "transform:matrix(0, 1, -1, 0, 0, 0) scale(2)",
        ),
        (
            &format!("<g id=\"g\" style=\"transform:translate(1px,5px)\">{r}</g>"),
            "ungroup g",
            &[],
            "transform:translate(1px, 5px) scale(2)",
        ),
    ]);
}

#[test]
fn a_group_gives_relative_values_to_what_it_held() {
    check(&[
        (
            "<g id=\"g\" font-size=\"30\"><text id=\"t\" style=\"font-size:.5em\"/></g>",
            "ungroup g",
            &["* t: font-size:15px (style)"],
            "style=\"font-size:15px\"",
        ),
        (
            "<g id=\"g\" font-weight=\"bold\"><text id=\"t\" font-weight=\"lighter\"/></g>",
            "ungroup g",
            &["* t: font-weight:400 (attr)"],
            "font-weight=\"400\"",
        ),
        (
            "<g id=\"g\" font-size=\"20\" letter-spacing=\".1em\"><text id=\"t\" font-size=\"5\"/></g>",
            "ungroup g",
            &["* t: letter-spacing:2px (attr)"],
            "letter-spacing=\"2px\"",
        ),
        (
            "<g id=\"g\" font-size=\"30\"><g id=\"h\" style=\"font-size:50%\"><text font-size=\"2em\"/></g></g>",
            "ungroup g",
            &["* h: font-size:15px (style)"],
            "<text font-size=\"2em\"/>",
        ),
        (
            "<g id=\"g\" xml:space=\"preserve\"><text id=\"t\">a  b</text><rect id=\"r\"/></g>",
            "ungroup g",
            &["* t: xml:space preserve"],
            "<text id=\"t\" xml:space=\"preserve\">a  b</text><rect id=\"r\"/>",
        ),
    ]);
}

#[test]
fn a_group_gives_sizes_that_viewers_would_draw_otherwise() {
    let text = "<text id=\"t\" y=\"60\" font-size=\"3em\">ab</text>";
    check(&[
        (
            &format!("<g id=\"g\" font-size=\"12\">{text}</g>"),
            "ungroup g",
            &["* t: font-size:36px (attr)"],
            "font-size=\"36px\"",
        ),
        (
            &format!("<g id=\"g\" font-size=\"16\">{text}</g>"),
            "ungroup g",
            &["* t: font-size:48px (attr)"],
            "font-size=\"48px\"",
        ),
        (
            &format!("<g id=\"g\" font-size=\"1em\">{text}</g>"),
            "ungroup g",
            &[],
            "font-size=\"3em\"",
        ),
        (
            "<g id=\"g\" font-size=\"12px\"><text id=\"t\" style=\"font-size:150%\">ab</text></g>",
            "move t in:svg~1",
            &["* t: font-size 18px -> 24px (style)"],
            "font-size:150%",
        ),
    ]);
}

#[test]
fn a_group_goes_if_what_it_has_does_not_affect_its_content() {
    for (attributes, inner, lines) in [
        (
            "",
            "<animate href=\"#a\" attributeName=\"width\" to=\"9\" dur=\"1s\"/>",
            "a and 1 other element\n",
        ),
        (" vector-effect=\"non-scaling-stroke\"", "", "a\n"),
        (" overflow=\"hidden\" stop-color=\"red\"", "", "a\n"),
        (
            "",
            "<title>Sun</title><desc>A long\nway</desc><metadata>M</metadata>",
            "a\n  - title Sun of g\n  - desc \"A long way\" of g\n  - metadata M of g\n",
        ),
    ] {
        let drawing = format!("<g id=\"g\"{attributes}><rect id=\"a\"/>{inner}</g>");
        let (reply, _) = after(&drawing, "ungroup g");
        let wanted = format!("- group g of {lines}");
        assert!(reply.starts_with(&wanted), "{drawing}: {reply}");
    }
}

#[test]
fn a_group_stays_if_its_content_would_be_lost_or_drawn_elsewhere() {
    let mut wrong = Vec::new();
    for (inner, reason) in [
        (
            "<g id=\"g\" systemLanguage=\"xx\"><rect id=\"a\"/></g>",
            "! g has systemLanguage xx, which its contents would lose",
        ),
        (
            "<g id=\"g\" requiredExtensions=\"u\"><rect id=\"a\"/></g>",
            "! g has requiredExtensions u, which its contents would lose",
        ),
        (
            "<switch id=\"s\"><g id=\"g\"><rect id=\"a\"/></g></switch>",
            "! g is a choice of s, which draws one",
        ),
        (
            "<g id=\"g\" transform=\"scale(2)\"><rect id=\"a\"/></g><use href=\"#a\"/>",
            "! a is used by use~1, which would change",
        ),
        (
            "<g id=\"g\" fill=\"red\"><rect id=\"a\"/></g><use href=\"#a\"/>",
            "! a is used by use~1, which would change",
        ),
    ] {
        let (mut server, _root) = server(inner);
        let reply = server.refused(&["ungroup g"]);
        let repair = "  try: ungroup g force:on";
        if !reply.starts_with(&format!("{reason}\n{repair}")) {
            wrong.push(reply);
            continue;
        }
        let reply = server.run(&["ungroup g force:on"]);
        if !reply.starts_with("- group g of a\n") {
            wrong.push(reply);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let used = "<g id=\"g\"><rect id=\"a\"/></g><use href=\"#a\"/>";
    let (reply, _) = after(used, "ungroup g");
    assert!(reply.starts_with("- group g of a\n"), "{reply}");
}

#[test]
fn another_container_keeps_the_place_or_tells_what_changes() {
    let nested = "<svg id=\"s\" width=\"5\" height=\"5\" viewBox=\"0 0 10 10\">";
    check(&[
        (
            &format!("{nested}<circle id=\"c\" cx=\"5\" cy=\"50%\" r=\"10%\"/></svg>"),
            "UPDATE elements SET parent='svg~1' WHERE id='c'",
            &[],
            "<circle id=\"c\" cx=\"5\" cy=\"5\" r=\"1\" transform=\"matrix(0.5 0 0 0.5 0 0)\"/>",
        ),
        (
            &format!("{nested}<g id=\"c\"><svg><rect width=\"1%\" height=\"1\"/></svg></g></svg>"),
            "move c in:svg~1",
            &[],
            "<svg width=\"10\" height=\"10\"><rect width=\"1%\"",
        ),
        (
            "<g font-size=\"2\"><circle id=\"c\" r=\"1em\"/></g>",
            "move c in:svg~1",
            &[
                "* c: @(-2,-2 4x4) -> @(-12,-12 24x24)",
                "* c: font-size 2 -> medium (default)",
            ],
            "<circle id=\"c\" r=\"1em\"/>",
        ),
        (
            "<style>rect:first-child{fill:red}</style><g id=\"g\"><rect id=\"r\"/></g>",
            "move r in:svg~1",
            &["* r: fill red -> black (default)"],
            "<rect id=\"r\"/>",
        ),
        (
            "<g font-size=\"30\"><text id=\"t\" style=\"font-size:.5em\"/></g>",
            "move t in:svg~1",
            &["* t: font-size 15px -> 6px (style)"],
            "font-size:.5em",
        ),
        (
            "<g font-weight=\"bold\"><text id=\"t\" font-weight=\"lighter\"/></g>",
            "move t in:svg~1",
            &["* t: font-weight 400 -> 100 (attr)"],
            "lighter",
        ),
        (
            "<g id=\"g\" display=\"none\"><rect id=\"r\"/></g>",
            "move r in:svg~1",
            &["* r: hidden -> shown"],
            "",
        ),
        (
            "<g id=\"g\" display=\"none\"/><rect id=\"r\"/>",
            "UPDATE elements SET parent='g' WHERE id='r'",
            &["* r: shown -> hidden (display none)"],
            "",
        ),
    ]);
}

#[test]
fn definitions_in_the_own_system_follow_a_move() {
    let clip = "<clipPath id=\"c\"><circle r=\"2\"/></clipPath>";
    let user = "<linearGradient id=\"c\" href=\"#d\"/><linearGradient id=\"d\" gradientUnits=\"userSpaceOnUse\"/>";
    let boxed = "<clipPath id=\"c\" clipPathUnits=\"objectBoundingBox\"><circle r=\"1\"/></clipPath><linearGradient id=\"d\"/>";
    let moved = "transform=\"translate(5 2)\"";
    check(&[
        (
            &format!("{clip}<rect id=\"r\" width=\"3\" height=\"2\" clip-path=\"url(#c)\"/>"),
            "move r by:5,2",
            &[],
            moved,
        ),
        (
            &format!("{clip}<rect id=\"r\" width=\"3\" height=\"2\" style=\"clip-path:url(#c)\"/>"),
            "UPDATE elements SET x=5, y=2 WHERE id='r'",
            &[],
            moved,
        ),
        (
            &format!("{clip}<rect id=\"r\" width=\"3\" height=\"2\" clip-path=\"url(#c)\"/>"),
            "align r right",
            &[],
            "transform=\"translate(6 0)\"",
        ),
        (
            "<mask id=\"c\"><rect width=\"9\" height=\"9\"/></mask><circle id=\"r\" r=\"1\" mask=\"url(#c)\"/>",
            "move r by:5,2",
            &[],
            moved,
        ),
        (
            &format!("{user}<text id=\"r\">a<tspan fill=\"url(#c)\">b</tspan></text>"),
            "move r by:5,2",
            &[],
            moved,
        ),
        (
            &format!(
                "{boxed}<rect id=\"r\" width=\"3\" height=\"2\" clip-path=\"url(#c)\" fill=\"url(#d)\"/>"
            ),
            "move r by:5,2",
            &[],
            "x=\"5\" y=\"2\"",
        ),
        (
            &format!(
                "{clip}<rect id=\"r\" width=\"3\" height=\"2\" clip-path=\"url(#c)\" transform=\"translate(-5 -2)\"/>"
            ),
            "move r by:5,2",
            &[],
            "clip-path=\"url(#c)\"/>",
        ),
    ]);
}

#[test]
fn definitions_in_the_own_system_follow_a_scale() {
    let clip = "<clipPath id=\"c\"><circle r=\"2\"/></clipPath>";
    let user = "<linearGradient id=\"c\" gradientUnits=\"userSpaceOnUse\"/>";
    let boxed = "<linearGradient id=\"c\"/>";
    let scaled = "transform=\"scale(2)\"";
    let shape = |shape: &str| format!("{clip}<{shape} id=\"r\" clip-path=\"url(#c)\"/>");
    let by = "scale r by:2 about:0,0";
    check(&[
        (
            &shape("rect x=\"5\" width=\"3\" height=\"2\""),
            by,
            &[],
            scaled,
        ),
        (&shape("circle r=\"3\""), by, &[], scaled),
        (&shape("ellipse rx=\"3\" ry=\"2\""), by, &[], scaled),
        (
            &format!("{user}<rect id=\"r\" width=\"3\" height=\"2\" style=\"fill:url(#c)\"/>"),
            by,
            &[],
            scaled,
        ),
        (
            &format!("{user}<g fill=\"url(#c)\"><rect id=\"r\" width=\"3\" height=\"2\"/></g>"),
            "scale r to:6x4 about:0,0",
            &[],
            scaled,
        ),
        (
            &format!("{boxed}<rect id=\"r\" width=\"3\" height=\"2\" fill=\"url(#c)\"/>"),
            by,
            &[],
            "width=\"6\" height=\"4\"",
        ),
        (
            &shape("rect width=\"3\" height=\"2\""),
            "repeat r count:1 scale:2 about:0,0",
            &[],
            "id=\"r-2\" clip-path=\"url(#c)\" transform=\"scale(2)\"",
        ),
    ]);
    let (mut server, _root) = server(&shape("rect width=\"3\" height=\"2\""));
    let reply = server.refused(&["scale r by:2 mode:geometry"]);
    assert!(
        reply.contains("try: scale r by:2 mode:transform"),
        "{reply}"
    );
}

#[test]
fn transforms_in_styles_are_written_as_css() {
    let inner = "<rect id=\"r\" width=\"2\" height=\"2\" style=\"transform:scale(2)\"/>";
    check(&[
        (
            inner,
            "transform r insert 1 \"translate(5 5)\"",
            &[],
            "transform:translate(5px, 5px) scale(2)",
        ),
        (
            inner,
            "transform r replace 1 \"rotate(45 1 2)\"",
            &[],
            "transform:translate(1px, 2px) rotate(45deg) translate(-1px, -2px)",
        ),
        (
            inner,
            "transform r set \"rotate(45)\"",
            &[],
            "transform:rotate(45deg)",
        ),
        (
            inner,
            "style r transform:skewX(5)",
            &[],
            "transform:skewX(5deg)",
        ),
    ]);
    let (mut server, _root) = server(
        "<g id=\"g\" transform=\"scale(2)\"><rect id=\"r\" style=\"transform:translate(1em,0)\"/></g>",
    );
    let reply = server.refused(&["ungroup g"]);
    assert!(reply.contains("\n  try: ? describe r\n"), "{reply}");
}
