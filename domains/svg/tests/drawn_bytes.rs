//! The bytes of new elements in a file.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;

use fcp::endpoint::{Config, Endpoint};

use crate::support::Desk;

const LOGO: &str = include_str!("files/logo.svg");

/// The file after an op.
fn after(text: &str, op: &str) -> String {
    after_all(text, &[op])
}

/// The file after several ops in one call.
fn after_all(text: &str, ops: &[&str]) -> String {
    let mut desk = Desk::open(text);
    desk.run(ops);
    desk.saved()
}

#[test]
fn a_circle_gets_a_line_of_its_own() {
    let new = "<circle id=\"dot\" cx=\"20.75\" cy=\"10\" r=\"5\" fill=\"red\"/>";
    let wanted = LOGO.replace("h-10z\"/>\n", &format!("h-10z\"/>\n    {new}\n"));
    assert_ne!(wanted, LOGO);
    let op = "add circle id:dot r:5 fill:red in:logo";
    assert_eq!(after(LOGO, op), wanted);
}

#[test]
fn attributes_have_an_order_and_the_spelling_of_the_op() {
    for (op, new) in [
        (
            "add rect stroke-width:2 fill:red at:+1,.5 size:5.50x1e1 class:a,b id:r transform:scale(2)",
            "<s:rect id=\"r\" class=\"a b\" x=\"+1\" y=\".5\" width=\"5.50\" height=\"1e1\" transform=\"scale(2)\" stroke-width=\"2\" fill=\"red\"/>",
        ),
        (
            "add text \"A & B\\n\\nC\" at:1,2",
            "<s:text x=\"1\" y=\"2\"><s:tspan x=\"1\">A &amp; B</s:tspan><s:tspan x=\"1\" dy=\"2.4em\">C</s:tspan></s:text>",
        ),
        (
            "add a href:#x title:Home",
            "<s:a xlink:href=\"#x\"><s:title>Home</s:title></s:a>",
        ),
    ] {
        let file = |content: &str| {
            format!(
                "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 9 9\">{content}</s:svg>"
            )
        };
        assert_eq!(after(&file(""), op), file(new), "{op}");
    }
}

#[test]
fn five_ops_change_five_places_and_add_a_line() {
    let ops = [
        "add circle id:dot r:5 fill:red in:logo",
        "style background fill:#eee",
        "style @fill:red stroke:black",
        "rotate logo by:45 about:center",
        "style .hot fill:#c00",
    ];
    let mut wanted = LOGO.to_owned();
    for (old, new) in [
        ("#F00", "#c00"),
        ("fill=\"#fff\"", "fill=\"#eee\""),
        ("\"translate(", "\"rotate(45 20.375 15) translate("),
        ("r=\"8.50\"", "r=\"8.50\" stroke=\"black\""),
        ("stroke-width:2", "stroke-width:2; stroke:black"),
        (
            "h-10z\"/>\n",
            "h-10z\"/>\n    <circle id=\"dot\" cx=\"20.75\" cy=\"10\" r=\"5\" fill=\"red\" stroke=\"black\"/>\n",
        ),
    ] {
        assert_eq!(wanted.matches(old).count(), 1, "{old}");
        wanted = wanted.replace(old, new);
    }
    assert_eq!(after_all(LOGO, &ops), wanted);
}

/// A drawing of a few lines.
fn lines(content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">\n{content}\n</svg>\n"
    )
}

/// Checks the file after an op, and after undo and redo.
fn becomes(before: &str, op: &str, wanted: &str) {
    let mut desk = Desk::open(before);
    desk.run(&[op]);
    assert_eq!(desk.saved(), wanted, "{op}");
    desk.act("undo");
    assert_eq!(desk.saved(), before, "{op}");
    desk.act("redo");
    assert_eq!(desk.saved(), wanted, "{op}");
}

#[test]
fn copies_are_their_originals_with_ids_of_their_own() {
    let logo = "  <g id=\"logo\"  fill='red'>\n    <rect id=\"r\" width=\"4\"  height=\"2\"/><use href=\"#r\"/>\n    <use href=\"#other\"/>\n  </g>";
    let copy = logo
        .replace("\"logo\"", "\"logo-2\"")
        .replace("id=\"r\"", "id=\"r-2\"")
        .replace("\"#r\"", "\"#r-2\"");
    becomes(
        &lines(logo),
        "copy logo by:0,0",
        &lines(&format!("{logo}\n{copy}")),
    );
    let named = copy.replace("logo-2", "sign");
    becomes(
        &lines(logo),
        "copy logo as:sign by:0,0",
        &lines(&format!("{logo}\n{named}")),
    );

    let ends = |from: &str, to: &str, id: &str| {
        format!(
            "  <g id=\"{id}\" data-fcp=\"link\" data-fcp-from=\"{from}\" data-fcp-to=\"{to}\"/>"
        )
    };
    let boxes =
        "  <rect id=\"a\" width=\"4\" height=\"2\"/>\n  <rect id=\"b\" width=\"4\" height=\"2\"/>";
    let copied = "  <rect id=\"a-2\" width=\"4\" height=\"2\"/>\n  <rect id=\"b-2\" width=\"4\" height=\"2\"/>";
    let before = format!("{boxes}\n{}", ends("a", "b", "l"));
    becomes(
        &lines(&before),
        "copy a,b,l by:0,0",
        &lines(&format!(
            "{before}\n{copied}\n{}",
            ends("a-2", "b-2", "l-2")
        )),
    );
    let (one, _) = copied.split_once('\n').unwrap();
    becomes(
        &lines(&before),
        "copy a,l by:0,0",
        &lines(&format!("{before}\n{one}\n{}", ends("a", "b", "l-2"))),
    );
}

#[test]
fn a_repeated_object_steps_on() {
    let q = |n: usize, id: &str| {
        format!(
            "  <text id=\"{id}\" x=\"{}\" y=\"9\">Q{n}</text>",
            (n - 1) * 10
        )
    };
    let all: Vec<String> = (1..=4)
        .map(|n| match n {
            1 => q(1, "q1"),
            n => q(n, &format!("q1-{n}")),
        })
        .collect();
    becomes(
        &lines(&q(1, "q1")),
        "repeat q1 count:3 every:10,0 text:\"Q{n}\"",
        &lines(&all.join("\n")),
    );
    let dot = "  <circle id=\"dot\" cx=\"10\" cy=\"10\" r=\"2\"/>";
    becomes(
        &lines(dot),
        "repeat dot count:2 every:10,0 scale:0.5",
        &lines(&format!(
            "{dot}\n  <circle id=\"dot-2\" cx=\"20\" cy=\"10\" r=\"1\"/>\n  <circle id=\"dot-3\" cx=\"30\" cy=\"10\" r=\"0.5\"/>"
        )),
    );
}

#[test]
fn elements_moved_into_a_container_keep_their_position() {
    let logo =
        |inner: &str| format!("  <g id=\"logo\" transform=\"scale(2) translate(1 1)\">{inner}</g>");
    let dot = "  <circle id=\"dot\" cx=\"10\" cy=\"10\" r=\"2\"/>";
    becomes(
        &lines(&format!("{}\n{dot}", logo(""))),
        "move dot in:logo",
        &lines(&logo(
            "\n  <circle id=\"dot\" cx=\"10\" cy=\"10\" r=\"2\" transform=\"matrix(0.5 0 0 0.5 -1 -1)\"/>",
        )),
    );
    becomes(
        &lines(&format!("  <g id=\"logo\"></g>\n{dot}")),
        "move dot in:logo",
        &lines("  <g id=\"logo\">\n  <circle id=\"dot\" cx=\"10\" cy=\"10\" r=\"2\"/></g>"),
    );
}

#[test]
fn a_group_that_goes_hands_its_transforms_and_styles_down() {
    becomes(
        &lines(
            "  <g id=\"g\" transform=\"scale(2)\" stroke=\"red\">\n    <rect id=\"a\"  width=\"4\" height=\"2\" transform=\"rotate(9)\"/>\n    <!-- b -->\n    <rect id=\"b\" width=\"4\" height=\"2\" stroke=\"blue\"/>\n  </g>",
        ),
        "ungroup g",
        &lines(
            "    <rect id=\"a\"  width=\"4\" height=\"2\" transform=\"scale(2) rotate(9)\" stroke=\"red\"/>\n    <!-- b -->\n    <rect id=\"b\" width=\"4\" height=\"2\" stroke=\"blue\" transform=\"scale(2)\"/>",
        ),
    );
}

#[test]
fn a_piece_is_inserted_byte_for_byte() {
    let dot = "  <circle id=\"dot\" r=\"2\"/>";
    let piece = "<g id='x'  ><use href=\"#x\"/>\n\n</g>";
    let op = |words: &str| format!("raw \"{}\"{words}", piece.replace('"', "\\\""));
    becomes(&lines(dot), &op(""), &lines(&format!("{dot}\n  {piece}")));
    becomes(
        &lines(dot),
        &op(" before:dot"),
        &lines(&format!("  {piece}\n{dot}")),
    );
    let prefixed = piece.replace("'x'", "'p-x'").replace("#x", "#p-x");
    becomes(
        &lines(dot),
        &op(" after:dot prefix:p-"),
        &lines(&format!("{dot}\n  {prefixed}")),
    );
}

#[test]
fn shapes_become_paths_and_polygons_that_draw_the_same() {
    for (shape, to, wanted) in [
        (
            "<rect id=\"it\" fill=\"red\"  x=\"1\" y=\".5\" width=\"10\" height=\"4\" rx=\"2\" class='a'/>",
            "path",
            "<path id=\"it\" fill=\"red\"  d=\"M3,0.5 H9 A2,2 0 0 1 11,2.5 A2,2 0 0 1 9,4.5 H3 A2,2 0 0 1 1,2.5 A2,2 0 0 1 3,0.5 Z\" class='a'/>",
        ),
        (
            "<ellipse id=\"it\" cx=\"5\" cy=\"5\" rx=\"4\" ry=\"2\"></ellipse>",
            "path",
            "<path id=\"it\" d=\"M9,5 A4,2 0 0 1 1,5 A4,2 0 0 1 9,5 Z\"></path>",
        ),
        (
            "<line id=\"it\" x1=\"0.1\" y1=\"0.2\" x2=\"3\" y2=\"4\"/>",
            "path",
            "<path id=\"it\" d=\"M0.1,0.2 L3,4\"/>",
        ),
        (
            "<polygon id=\"it\" points=\"0,0 10,0 5,9\"/>",
            "path",
            "<path id=\"it\" d=\"M0,0 L10,0 L5,9 Z\"/>",
        ),
        (
            "<path id=\"it\" d=\"M0 0h10v5z\"/>",
            "polygon",
            "<polygon id=\"it\" points=\"0,0 10,0 10,5\"/>",
        ),
        (
            "<polyline id=\"it\" points=\"0,0 10,0 5,9\"/>",
            "polygon",
            "<polygon id=\"it\" points=\"0,0 10,0 5,9\"/>",
        ),
    ] {
        becomes(
            &lines(shape),
            &format!("convert it to:{to}"),
            &lines(wanted),
        );
    }
}

#[test]
fn animated_geometry_is_not_converted() {
    let circle = |inner: &str| format!("<circle id=\"c\" r=\"9\">{inner}</circle><g id=\"g\"/>");
    for (inner, to, error) in [
        (
            circle("<animate attributeName=\"r\" to=\"20\"/>"),
            "path",
            Some("! animate~1 animates r of c, which a path does not have\n  try: remove animate~1\n"),
        ),
        (
            "<rect id=\"c\" width=\"3\" height=\"2\"/><set href=\"#c\" attributeName=\"width\" to=\"9\"/>".to_owned(),
            "polygon",
            Some("! set~1 animates width of c, which a polygon does not have\n  try: remove set~1\n"),
        ),
        (
            "<path id=\"c\" d=\"M0 0h9v9z\"><animate attributeName=\"d\" to=\"M0 0h5v9z\"/></path>".to_owned(),
            "polygon",
            Some("! animate~1 animates d of c, which a polygon does not have\n"),
        ),
        (circle("<animate attributeName=\"opacity\" to=\"0\"/>"), "path", None),
        (circle("<animate href=\"#g\" attributeName=\"r\" to=\"0\"/>"), "path", None),
        (
            "<polyline id=\"c\" points=\"0 0 9 0 9 9\"><animate attributeName=\"points\" to=\"0 0 1 1 9 9\"/></polyline>".to_owned(),
            "polygon",
            None,
        ),
    ] {
        let text = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}</svg>");
        let (mut server, _root) = crate::support::opened(&text);
        let op = format!("convert c to:{to}");
        let Some(error) = error else {
            server.run(&[&op]);
            continue;
        };
        let reply = server.refused(&[&op]);
        assert!(reply.starts_with(error), "{inner}\n{reply}");
        let animation = reply.split_whitespace().nth(1).unwrap();
        server.run(&[&format!("remove {animation}"), &op]);
    }
}

/// A session on a drawing, next to an image of 2 by 1 pixels and a piece.
fn with_files(text: &str) -> (Box<dyn Endpoint>, tempfile::TempDir) {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    fs::write(at("a.svg"), text).unwrap();
    fs::write(at("dots.gif"), DOTS).unwrap();
    fs::write(at("notes.txt"), "no picture").unwrap();
    let piece = "<?xml version=\"1.0\"?>\n<g id=\"piece\"/>\n";
    fs::write(at("piece.xml"), piece).unwrap();
    let config = Config::at(root.path());
    let mut session = fcp::session::endpoint::<fcp_svg::Drawing>(&config).unwrap();
    assert!(!session.act("open a.svg").is_error);
    (session, root)
}

const DOTS: &[u8] =
    b"GIF89a\x02\0\x01\0\x80\0\0\xff\0\0\0\0\0,\0\0\0\0\x02\0\x01\0\0\x02\x02D\n\0;";
const DOTS_BASE_64: &str = "R0lGODlhAgABAIAAAP8AAAAAACwAAAAAAgABAAACAkQKADs=";

#[test]
fn pictures_use_the_existing_attribute() {
    let linked = "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 9 9\"><a id=\"a\" xlink:href=\"#x\"/></svg>";
    let image = |href: &str| {
        format!(
            "<image id=\"i\" xlink:href=\"{href}\" x=\"1\" y=\"2\" width=\"2\" height=\"1\"/></svg>"
        )
    };
    let data = format!("data:image/gif;base64,{DOTS_BASE_64}");
    let (mut session, root) = with_files(linked);
    let mut after = |op: &str, wanted: &str| {
        let answer = session.run(&[op.to_owned()], None);
        assert!(!answer.is_error, "{}", answer.text);
        assert!(!session.act("save as:b.svg force").is_error);
        let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
        assert_eq!(saved, wanted, "{op}");
        answer.text
    };
    let open = linked.trim_end_matches("</svg>");
    let with = |href: &str| format!("{open}{}", image(href));
    after("add image dots.gif id:i at:1,2", &with("dots.gif"));
    let reply = after("modify i embed:on", &with(&data));
    assert!(
        reply.starts_with("* image i @(1,2 2x1) embedded\n"),
        "{reply}"
    );
    let reply = after("modify i embed:on", &with(&data));
    assert!(reply.starts_with("= no change\n"), "{reply}");
    let moved = with(&data).replace("#x", "https://example.com");
    after("modify a href:https://example.com", &moved);
    // The log contains the result, so that the file is not needed again.
    assert!(!session.act("undo 2").is_error);
    fs::remove_file(root.path().join("dots.gif")).unwrap();
    assert!(!session.act("redo 2").is_error);
    assert!(!session.act("save as:b.svg force").is_error);
    assert_eq!(
        fs::read_to_string(root.path().join("b.svg")).unwrap(),
        moved
    );
}

#[test]
fn errors_have_repairs_that_work() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 90 90\"><style>#r{fill:gold}</style><g id=\"logo\" transform=\"scale(0)\"><rect id=\"r\" width=\"9\" height=\"4\"/></g><path id=\"p\" d=\"M0 0h9\"/><image id=\"i\" href=\"dot.gif\" width=\"1\" height=\"1\"/><circle id=\"o\" r=\"4\" stroke=\"red\" transform=\"scale(2,1)\"/></svg>";
    let (mut session, root) = with_files(text);
    for (op, wanted) in [
        (
            "raw file:pice.xml",
            "! file \"pice.xml\" not found\n  try: raw file:piece.xml\n",
        ),
        (
            "raw file:../a.svg",
            "! path leaves the root: \"../a.svg\"\n",
        ),
        (
            "raw '<!DOCTYPE x><g/>'",
            "! a piece has no DOCTYPE\n  try: raw <g/>\n",
        ),
        (
            "raw '<x:g/>'",
            "! line 1 column 1: the prefix x is bound to no namespace\n",
        ),
        (
            "raw '<g><script>x</script><rect onload=\"y\"/></g>'",
            "! <script> runs a script, which no op writes\n  try: raw <g><rect/></g>\n",
        ),
        ("raw '<a xlink:href=\"#x\"/>'", "! "),
        (
            "add image notes.txt",
            "! notes.txt is not a PNG, JPEG, GIF or WebP\n",
        ),
        (
            "add image dot.gif",
            "! file \"dot.gif\" not found\n  try: add image dots.gif\n",
        ),
        (
            "modify i embed:on",
            "! file \"dot.gif\" not found\n  try: set i href dots.gif\n",
        ),
        (
            "modify p add-lin to:9,9",
            "! modify takes no add-lin here\n  try: modify p add-line to:9,9\n",
        ),
        (
            "modify r add-line to:9,9",
            "! add-line on rect r\n  try: convert r to:path\n",
        ),
        (
            "move p in:logo",
            "! logo is inside something squeezed flat\n",
        ),
        ("order p above:r", "! r is in logo\n"),
        (
            "unset r fill",
            "! rule #r decides the fill of r\n  try: style r fill:black\n",
        ),
        (
            "add rect size:1x1 before:svg~1",
            "! svg~1 is the drawing itself; nothing goes next to it\n",
        ),
        (
            "copy svg~1",
            "! svg~1 is the drawing itself; name what is in it\n",
        ),
        (
            "transform o bake",
            "! o would not be a circle\n  try: convert o to:path\n",
        ),
        (
            "convert i to:path",
            "! i is a image, not a shape\n  try: ? describe i\n",
        ),
        ("set r width wide", "! "),
        (
            "repeat p count:0 every:9,0",
            "! count:0 is below 1\n  try: repeat p count:1 every:9,0\n",
        ),
    ] {
        let answer = session.run(&[op.to_owned()], None);
        assert!(answer.is_error, "{op}");
        assert!(answer.text.starts_with(wanted), "{op}\n{}", answer.text);
    }
    assert!(!session.act("save as:b.svg").is_error);
    assert_eq!(fs::read_to_string(root.path().join("b.svg")).unwrap(), text);
    let answer = session.run(&["raw file:piece.xml before:p".to_owned()], None);
    assert!(
        answer.text.starts_with("+ group piece\n"),
        "{}",
        answer.text
    );
    assert!(!session.act("save as:b.svg force").is_error);
    let wanted = text.replace("<path", "<g id=\"piece\"/><path");
    assert_eq!(
        fs::read_to_string(root.path().join("b.svg")).unwrap(),
        wanted
    );
}
