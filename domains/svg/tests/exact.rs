//! Exact source text: `replace` and `insert` with the real program, and the resulting bytes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;

use crate::support::opened;

/// A drawing with unusual line ends and spacing.
const GIVEN: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 200 120\">\r\n  \
<!-- cards -->\r\n  <g id=\"logo\">\r\n    <rect id='card' x=\"10\"  y=\"10\" width=\"40\" height=\"20\" fill=\"green\"/>\r\n    \
<rect id=\"b\" width=\"4\" height=\"2\" fill=\"green\"/>\r\n  </g>\r\n  <text id=\"t\">Hello\r\n   you</text>\r\n</svg>\r\n";

fn read(root: &Path, name: &str) -> String {
    fs::read_to_string(root.join(name)).unwrap()
}

#[test]
fn a_replacement_changes_these_bytes_and_no_others() {
    let (mut server, root) = opened(GIVEN);
    let text = server.run(&[
        "replace 'x=\"10\"  y' 'x=\"12\" y'",
        "replace green red in:b",
    ]);
    assert!(
        text.starts_with("* \"x=\"10\"  y\" -> \"x=\"12\" y\" at line 4 (rect card)\n* \"green\" -> \"red\" at line 5 (rect b)\n"),
        "{text}"
    );
    // Line ends in an op become those of the file.
    server.run(&["replace \"Hello\\n   you\" \"Hi\\n   <tspan>you</tspan>\""]);
    server.act("save as:b.svg");
    let wanted = GIVEN
        .replace("x=\"10\"  y", "x=\"12\" y")
        .replace("height=\"2\" fill=\"green\"", "height=\"2\" fill=\"red\"")
        .replace("Hello\r\n   you", "Hi\r\n   <tspan>you</tspan>");
    assert_eq!(read(root.path(), "b.svg"), wanted);
    server.act("undo 3");
    server.act("save as:c.svg");
    assert_eq!(read(root.path(), "c.svg"), GIVEN);
    server.act("redo 3");
    server.act("save as:d.svg");
    assert_eq!(read(root.path(), "d.svg"), wanted);
}

#[test]
fn rows_whose_text_stays_keep_their_ids() {
    let (mut server, _root) = opened(GIVEN);
    server.run(&[
        "replace '<g id=\"logo\">' '<g id=\"logo\">\n    <circle id=\"dot\" r=\"2\"/>'",
        "replace \"id='card'\" \"id='paper'\"",
    ]);
    // A renamed row stays the same row, and no other row is touched.
    let changes = server.query("SELECT kind, field, before, after FROM changes");
    let lines: Vec<&str> = changes.lines().skip(1).collect();
    assert_eq!(lines.len(), 3, "{changes}");
    assert!(
        lines[0].starts_with("added | NULL | NULL | circle dot"),
        "{changes}"
    );
    assert_eq!(lines[1..], ["changed | id | card | paper", "(2 rows)"]);
}

#[test]
fn an_element_with_an_id_stays_the_same_under_another_name() {
    let (mut server, root) = opened(GIVEN);
    server.run(&["replace '<rect id=\"b\"' '<panel id=\"b\"'"]);
    let changes = server.query("SELECT kind FROM changes WHERE kind <> 'changed'");
    assert!(changes.ends_with("(0 rows)"), "{changes}");
    server.act("save as:b.svg");
    let wanted = GIVEN.replace("<rect id=\"b\"", "<panel id=\"b\"");
    assert_eq!(read(root.path(), "b.svg"), wanted);
    server.act("undo");
    server.act("save as:c.svg");
    assert_eq!(read(root.path(), "c.svg"), GIVEN);
}

#[test]
fn the_places_of_a_text_that_is_there_several_times_are_named() {
    let (mut server, _root) = opened(GIVEN);
    let text = server.refused(&["replace green red"]);
    assert!(
        text.starts_with(
            "! \"green\" is there 2 times: line 4 (rect card), line 5 (rect b); count:2 or count:all takes all, \
             in:REF those in a row\n  try: replace green red in:card\n"
        ),
        "{text}"
    );
    let text = server.refused(&["replace green red count:3"]);
    assert!(
        text.contains("\n  try: replace green red count:2\n"),
        "{text}"
    );
    let text = server.run(&["replace green red count:2"]);
    assert!(
        text.starts_with("@ 2 times \"green\" -> \"red\" at line 4 (rect card), line 5 (rect b)\n"),
        "{text}"
    );
    let text = server.refused(&["replace green red count:all"]);
    assert!(
        text.starts_with("! the source has no \"green\"\n"),
        "{text}"
    );
    // Whitespace is repaired, and the reply finds text in other places.
    let text = server.refused(&["replace \"Hello you\" Bye"]);
    assert!(
        text.contains("\n  try: replace \"Hello\\n   you\" Bye\n"),
        "{text}"
    );
    // So are line breaks whose escapes were escaped again, in both texts.
    let text = server.refused(&[r#"replace "Hello\\nyou" "Hello\\nthere""#]);
    assert!(
        text.contains("\n  try: replace \"Hello\\n   you\" \"Hello\\nthere\"\n"),
        "{text}"
    );
    // A word between the two texts is part of neither.
    for link in ["with", "by", "to"] {
        let text = server.refused(&[&format!("replace \"id='card'\" {link} \"id='paper'\"")]);
        assert!(
            text.contains("\n  try: replace \"id='card'\" \"id='paper'\"\n"),
            "{text}"
        );
    }
    let text = server.refused(&["replace 'width=\"40\"' 'width=\"41\"' in:b"]);
    assert!(
        text.contains("is not there, but at line 4 (rect card)"),
        "{text}"
    );
}

#[test]
fn invalid_source_is_rejected_and_leaves_no_trace() {
    let (mut server, root) = opened(GIVEN);
    for (op, error) in [
        ("replace '</g>' '</h>'", "<g> is closed by </h>"),
        (
            "replace 'id=\"b\"' \"id='card'\"",
            "id:card is already a rect",
        ),
        (
            "replace 'id=\"b\"' 'id=\"b\" onclick=\"x()\"'",
            "onclick runs a script",
        ),
        ("replace '<svg ' '<g ' count:1", "closed by"),
        ("replace '' x", "an empty text"),
        ("replace 2000/svg 2001/svg", "xmlns binds a prefix"),
        (
            "replace '<g id=\"logo\"' '<g xmlns=\"a:b\" id=\"logo\"'",
            "xmlns binds a prefix",
        ),
        (
            "insert '<rect id=\"b\"/>' first:logo",
            "id:b is already a rect",
        ),
        ("insert '<rect' first:logo", "ends within a tag"),
        ("<rect width='4'/>", "try: insert \"<rect width='4'/>\""),
        ("insert '<rect/>' first:logo last:logo", "give one"),
        ("insert '<rect/>' after:svg~1", "is the drawing itself"),
    ] {
        let text = server.refused(&[op]);
        assert!(text.contains(error), "{op}: {text}");
    }
    server.act("save as:b.svg");
    assert_eq!(read(root.path(), "b.svg"), GIVEN);
}

#[test]
fn a_replacement_that_loses_the_root_is_undone_whole() {
    let (mut server, root) = opened(GIVEN);
    let before = server.query("map");
    for op in [
        "replace svg SVG count:all",
        "replace svg g count:all",
        "replace '<svg ' '<g ' count:1",
    ] {
        let text = server.refused(&[op]);
        assert!(text.contains("200x120"), "{op}: {text}");
        server.no_query(&format!("plan {op}"));
        assert_eq!(server.query("map"), before, "{op}");
    }
    // The old root becomes the content of a new one, and comes back.
    let outer = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\r\n";
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let wrapped = quoted(&format!("{outer}{GIVEN}</svg>\r\n"));
    let text = server.run(&[&format!("replace {} {wrapped}", quoted(GIVEN))]);
    assert!(text.contains(" 9x9 "), "{text}");
    server.act("undo");
    assert_eq!(server.query("map"), before);
    server.run(&["add circle r:5"]);
    server.act("undo");
    server.act("save as:b.svg");
    assert_eq!(read(root.path(), "b.svg"), GIVEN);
}

#[test]
fn inserted_source_gets_the_indentation_and_line_ends_of_its_place() {
    let (mut server, root) = opened(GIVEN);
    server.run(&[
        "insert '<g id=\"n\">\n  <rect id=\"q\" width=\"1\" height=\"1\"/>\n</g>' after:logo",
        "insert '<circle id=\"first\" r=\"1\"/>' first:logo",
        "insert '<circle id=\"last\" r=\"1\"/>' last:logo",
        "insert '<circle id=\"mid\" r=\"1\"/>' before:b",
    ]);
    server.act("save as:b.svg");
    let line = "    <rect id=\"b\"";
    let wanted = GIVEN
        .replace(
            "<g id=\"logo\">\r\n",
            "<g id=\"logo\">\r\n    <circle id=\"first\" r=\"1\"/>\r\n",
        )
        .replace(line, &format!("    <circle id=\"mid\" r=\"1\"/>\r\n{line}"))
        .replace(
            "  </g>\r\n",
            "    <circle id=\"last\" r=\"1\"/>\r\n  </g>\r\n  <g id=\"n\">\r\n    \
             <rect id=\"q\" width=\"1\" height=\"1\"/>\r\n  </g>\r\n",
        );
    assert_eq!(read(root.path(), "b.svg"), wanted);
    server.act("undo batch");
    server.act("save as:c.svg");
    assert_eq!(read(root.path(), "c.svg"), GIVEN);
}

#[test]
fn an_entity_that_is_replaced_is_replaced_where_it_is_used() {
    let given = "<!DOCTYPE svg [<!ENTITY c \"red\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"r\" fill=\"&c;\" width=\"4\" height=\"2\"/></svg>\n";
    let (mut server, _root) = opened(given);
    assert!(server.query("describe r").contains("red"));
    server.run(&["replace '\"red\"' '\"blue\"'"]);
    let text = server.query("describe r");
    assert!(text.contains("blue") && !text.contains("red"), "{text}");
    let text = server.refused(&["replace '<!ENTITY c \"blue\">' ''"]);
    assert!(text.starts_with("! "), "{text}");
}

#[test]
fn an_encoding_other_than_utf_8_is_kept() {
    let given = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><text id=\"t\">caf\xe9</text></svg>\n";
    let (mut server, root) = opened(given);
    server.run(&["replace \"café\" \"thé\""]);
    server.act("save as:b.svg");
    let wanted = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><text id=\"t\">th\xe9</text></svg>\n";
    assert_eq!(fs::read(root.path().join("b.svg")).unwrap(), wanted);
    let text = server.refused(&["replace ISO-8859-1 UTF-8"]);
    assert!(text.contains("an XML declaration cannot change"), "{text}");
}

#[test]
fn elements_that_a_text_moves_are_moved() {
    let (mut server, root) = opened(GIVEN);
    let card = "    <rect id='card' x=\"10\"  y=\"10\" width=\"40\" height=\"20\" fill=\"green\"/>";
    let b = "    <rect id=\"b\" width=\"4\" height=\"2\" fill=\"green\"/>";
    // Swaps both and widens the second one; then wraps the first one in a group.
    let moved = b.replace('4', "44");
    let wrapped = format!("    <g id=\"in\">\n{card}\n</g>\n{moved}");
    for (old, new) in [
        (format!("{card}\n{b}"), format!("{moved}\n{card}")),
        (format!("{moved}\n{card}"), wrapped),
    ] {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        server.run(&[&format!("replace {} {}", quoted(&old), quoted(&new))]);
        let made = server.query("SELECT after FROM changes WHERE kind IN ('added', 'removed')");
        assert!(!made.contains("rect"), "{made}");
        server.act("save as:b.svg");
        let written = read(root.path(), "b.svg").replace('\r', "");
        assert!(written.contains(&new), "{written}");
    }
    server.act("undo 2");
    server.act("save as:b.svg");
    assert_eq!(read(root.path(), "b.svg"), GIVEN);
}

#[test]
fn lines_without_ids_that_change_places_are_moved() {
    let one = "<use href=\"#t\" y=\"100\"/>";
    let other = "<use href=\"#r\" class=\"hot\"/>";
    let svg = |first: &str, second: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <rect id=\"r\"/>\n  <rect id=\"t\"/>\n  {first}\n  {second}\n</svg>\n"
        )
    };
    let (mut server, root) = opened(svg(one, other).as_bytes());
    let quoted = |text: String| serde_json::to_string(&text).unwrap();
    let old = quoted(format!("{one}\n  {other}"));
    let new = quoted(format!("{other}\n  {one}"));
    server.run(&[&format!("replace {old} {new}")]);
    let changes = server.query("SELECT kind, field, before, after FROM changes");
    assert!(
        changes.contains("\nchanged | nth | 3 | 4\n(1 row)"),
        "{changes}"
    );
    server.act("save as:b.svg");
    assert_eq!(read(root.path(), "b.svg"), svg(other, one));
}

#[test]
fn a_declaration_that_a_text_moves_stays_the_same() {
    let given = "<!DOCTYPE svg [\n  <!ENTITY a \"1\">\n  <!-- b -->\n]>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";
    let (mut server, root) = opened(given);
    server.run(&[
        "replace '  <!ENTITY a \"1\">\\n  <!-- b -->\\n' '  <!-- b -->\\n  <!ENTITY a \"1\">\\n'",
    ]);
    let told = server.query("diff checkpoint:open");
    assert!(!told.contains("\n- ") && !told.starts_with("- "), "{told}");
    server.act("save as:b.svg");
    let written = read(root.path(), "b.svg");
    assert!(
        written.contains("  <!-- b -->\n  <!ENTITY a \"1\">\n"),
        "{written}"
    );
}

#[test]
fn whitespace_at_the_ends_of_inserted_text_stays() {
    let svg = |inner: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\">\n  {inner}\n  <g id=\"g\">\n    <rect/>\n  </g>\n</svg>\n"
        )
    };
    for (inner, ops, wanted) in [
        (
            "<text id=\"u\">A</text>",
            vec!["insert ' B' last:u"],
            "<text id=\"u\">A B</text>",
        ),
        (
            "<text id=\"u\">A</text>",
            vec!["insert ' B ' first:u"],
            "<text id=\"u\"> B A</text>",
        ),
        (
            "<text id=\"u\">A</text>",
            vec!["insert ' ' last:u", "insert B last:u"],
            "<text id=\"u\">A B</text>",
        ),
        (
            "<text id=\"u\"/>",
            vec!["insert ' B ' last:u"],
            "<text id=\"u\"> B </text>",
        ),
        (
            "<text id=\"u\" xml:space=\"preserve\">A<tspan id=\"v\">B</tspan> </text>",
            vec![
                "insert ' text ' last:u",
                "insert '\\t' before:v",
                "insert '  ' after:v",
            ],
            "<text id=\"u\" xml:space=\"preserve\">A\t<tspan id=\"v\">B</tspan>    text </text>",
        ),
        (
            "<text id=\"u\">A</text>",
            vec!["insert ' <tspan>B</tspan> ' last:u"],
            "<text id=\"u\">A <tspan>B</tspan> </text>",
        ),
        (
            "<g id=\"u\">\n  </g>",
            vec!["insert '\\n<g/>\\n' last:u"],
            "<g id=\"u\">\n    <g/>\n  </g>",
        ),
    ] {
        let (mut server, root) = opened(svg(inner));
        for op in &ops {
            let text = server.run(&[op]);
            assert!(text.starts_with("+ "), "{op}: {text}");
        }
        server.act("save as:b.svg");
        assert_eq!(read(root.path(), "b.svg"), svg(wanted), "{ops:?}");
        server.act(&format!("undo {}", ops.len()));
        server.act("save as:c.svg");
        assert_eq!(read(root.path(), "c.svg"), svg(inner), "{ops:?}");
    }
    let (mut server, _root) = opened(svg("<text id=\"u\">A</text>"));
    let text = server.refused(&["insert ' <script>x()</script> ' last:u"]);
    assert!(text.contains("runs a script"), "{text}");
}

#[test]
fn no_repair_deletes_or_overwrites() {
    let given = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><rect id=\"a\" width=\"1\" height=\"2\"/></svg>";
    let (mut server, root) = opened(given);
    for op in ["DELETE FROM elements", "remove *"] {
        let text = server.refused(&[op]);
        assert!(!text.contains("close"), "{op}: {text}");
    }
    server.run(&["move a by:1,1"]);
    let text = server.no_act("export png as:a.svg");
    assert!(text.contains("force overwrites it"), "{text}");
    assert!(text.ends_with("try: export png as:a-2.svg"), "{text}");
    fs::write(root.path().join("a.svg"), "<svg/>").unwrap();
    let text = server.no_act("save");
    assert!(text.ends_with("try: save as:a-2.svg"), "{text}");
    server.act("save as:a-2.svg");
    assert_eq!(
        fs::read_to_string(root.path().join("a.svg")).unwrap(),
        "<svg/>"
    );
}

#[test]
fn a_save_keeps_the_format_of_the_file_unless_forced() {
    let given = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>";
    let (mut server, root) = opened(given);
    for action in ["save format:svgz", "save as:./a.svg format:svgz"] {
        let text = server.no_act(action);
        assert!(text.contains("a.svg is svg; force makes it svgz"), "{text}");
        assert!(text.contains("a.svgz"), "{text}");
        assert_eq!(read(root.path(), "a.svg"), given);
    }
    server.act("save format:svgz as:a.svgz");
    let text = server.no_act("save format:svg");
    assert!(text.ends_with("try: save format:svg as:a-2.svg"), "{text}");
    server.act("save format:svg force");
    assert_eq!(read(root.path(), "a.svgz"), given);
}

#[test]
fn a_file_stays_packed_or_plain_under_its_own_name() {
    let plain = b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>\n".to_vec();
    let packed = fcp::format::encoding::deflate(&plain).unwrap();
    for (name, other, given, again) in [
        ("a.svg", "b.svg", &packed, &plain),
        ("a.svgz", "b.svgz", &plain, &packed),
    ] {
        let root = tempfile::tempdir().unwrap();
        let saved = |name: &str| fs::read(root.path().join(name)).unwrap();
        fs::write(root.path().join(name), given).unwrap();
        let mut server = fcp::testing::Server::new(env!("CARGO_BIN_EXE_fcp-svg"), root.path());
        server.act(&format!("open {name}"));
        server.act("save");
        assert_eq!(saved(name), *given);
        server.act(&format!("save as:{name}"));
        assert_eq!(saved(name), *given);
        // The name decides for another file.
        server.act(&format!("save as:{other}"));
        assert_eq!(saved(other), *again);
        server.act(&format!("open {name}"));
        server.run(&["raw '<rect width=\"2\" height=\"2\"/>'", "! save"]);
        assert_eq!(saved(name).starts_with(b"\x1f\x8b"), given == &packed);
    }
}

#[test]
fn the_format_of_an_export_may_have_its_key() {
    let given = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"/>";
    let (mut server, root) = opened(given);
    let text = server.act("export format:svg as:b.txt");
    assert!(text.starts_with("* Exported b.txt"), "{text}");
    assert_eq!(read(root.path(), "b.txt"), given);
}

#[test]
fn a_style_from_a_shared_entity_is_not_written_over() {
    let given = "<!DOCTYPE svg [<!ENTITY c \"red\"><!ENTITY d \"blue\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><rect id=\"a\" fill=\"&c;\" width=\"4\" height=\"2\"/><rect id=\"b\" style=\"fill:#123;stroke:&c;\" width=\"4\" height=\"2\"/><rect id=\"x\" style=\"fill:&d;\" width=\"4\" height=\"2\"/></svg>\n";
    let (mut server, root) = opened(given);
    for op in [
        "style a fill:green",
        "style b stroke:green",
        "UPDATE styles SET value='green' WHERE ref='b' AND property='stroke'",
        "UPDATE attributes SET value='green' WHERE ref='a' AND name='fill'",
    ] {
        let text = server.refused(&[op]);
        assert!(
            text.contains("comes from the entity &c;, and "),
            "{op}: {text}"
        );
        assert!(
            text.contains(" uses it too and would change"),
            "{op}: {text}"
        );
    }
    // The only user of an entity changes it there; other declarations are written as they are.
    server.run(&["style b fill:#456", "style x fill:green"]);
    server.act("save as:b.svg");
    let wanted = given.replace("#123", "#456").replace("blue", "green");
    assert_eq!(read(root.path(), "b.svg"), wanted);
    // `set` writes a reference out; then the other user has the entity alone.
    server.run(&[
        "set a fill red",
        "UPDATE styles SET value='pink' WHERE ref='b' AND property='stroke'",
    ]);
    server.act("save as:c.svg");
    let wanted = wanted
        .replace("fill=\"&c;\"", "fill=\"red\"")
        .replace("c \"red\"", "c \"pink\"");
    assert_eq!(read(root.path(), "c.svg"), wanted);
}

#[test]
fn lines_get_the_line_ends_and_the_indentation_of_their_place() {
    let given = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\r\n\t<g id=\"a\">\r\n\
        \t\t<rect id=\"r\"/><rect id=\"s\"/>\r\n\t</g>\r\n\t<g id=\"e\"/>\r\n\t<g id=\"l\"><rect/></g>\r\n</svg>\r\n";
    let piece = "<g>\\n\\t<circle r=\\\"3\\\"/>\\n</g>";
    let inserted =
        |indent: &str| format!("{indent}<g>\r\n{indent}\t<circle r=\"3\"/>\r\n{indent}</g>\r\n");
    let insert = |place: &str| format!("insert \"{piece}\" {place}");
    let row = |parent: &str| {
        format!(
            "INSERT INTO elements(xml, parent) VALUES ('<g>\n\t<circle r=\"3\"/>\n</g>', '{parent}')"
        )
    };
    let in_empty = (
        "<g id=\"e\"/>\r\n",
        format!("<g id=\"e\">\r\n{}\t</g>\r\n", inserted("\t\t")),
    );
    let in_line = (
        "<rect/></g>",
        "<rect/><g>\r\n\t\t<circle r=\"3\"/>\r\n\t</g></g>".to_owned(),
    );
    for (op, (old, new)) in [
        (insert("first:e"), &in_empty),
        (insert("last:e"), &in_empty),
        (row("e"), &in_empty),
        (row("l"), &in_line),
        (insert("last:l"), &in_line),
        (
            "INSERT INTO elements(xml) VALUES ('<g>\n\t<circle r=\"3\"/>\n</g>')".to_owned(),
            &("</svg>", format!("{}</svg>", inserted("\t"))),
        ),
        (
            "insert '<circle r=\"3\"/>' first:e".to_owned(),
            &(
                "<g id=\"e\"/>",
                "<g id=\"e\"><circle r=\"3\"/></g>".to_owned(),
            ),
        ),
    ] {
        let (mut server, root) = opened(given);
        server.run(&[&op]);
        server.act("save as:b.svg");
        assert_eq!(read(root.path(), "b.svg"), given.replace(old, new), "{op}");
    }
}

#[test]
fn lines_whose_whitespace_is_content_are_not_indented() {
    let given =
        "<svg xmlns=\"http://www.w3.org/2000/svg\">\n  <g id=\"g\">\n    <rect/>\n  </g>\n</svg>\n";
    for piece in [
        "<text xml:space=\"preserve\">a\n<tspan>b</tspan>\n</text>",
        "<text style=\"white-space:pre\">\n<tspan>b</tspan>\n</text>",
        "<text><![CDATA[x\n<y>]]></text>",
        "<!-- x\n<y> --><rect/>",
        "<g xml:space=\"preserve\">\n<text>b</text></g>",
    ] {
        for op in [
            format!("insert '{piece}' last:g"),
            format!("INSERT INTO elements(xml, parent) VALUES ('{piece}', 'g')"),
        ] {
            let (mut server, root) = opened(given);
            server.run(&[&op]);
            server.act("save as:b.svg");
            let wanted = given.replace("<rect/>", &format!("<rect/>\n    {piece}"));
            assert_eq!(read(root.path(), "b.svg"), wanted, "{op}");
        }
    }
    let (mut server, root) = opened(given);
    server.run(&["insert '<g>\n  <text>\n<tspan>b</tspan>\n</text>\n</g>' last:g"]);
    server.act("save as:b.svg");
    let wanted = "<rect/>\n    <g>\n      <text>\n<tspan>b</tspan>\n</text>\n    </g>";
    assert_eq!(read(root.path(), "b.svg"), given.replace("<rect/>", wanted));
}
