//! Ops whose values or rows are computed by SQL.

use crate::support::{fresh, opened};

#[test]
fn a_rename_is_computed_for_each_selected_element() {
    let (mut server, _root) = fresh();
    server.run(&[
        "raw '<g transform=\"translate(20 10) scale(2)\"><rect id=\"q1\" class=\"bar\" width=\"9\" height=\"9\"/><rect id=\"q2\" class=\"bar\" x=\"9\" width=\"9\" height=\"9\"/></g>'",
        "raw '<use href=\"#q1\"/>'",
    ]);
    let reply = server.run(&["rename '.bar' id:=\"'b'||nth\""]);
    assert!(reply.contains("rect q1 -> b1 (1 reference)"), "{reply}");
    server.run(&["rename @where:\"class='bar'\" id:=\"'c'||nth\""]);
    assert!(
        server
            .query("SELECT id FROM elements WHERE class='bar'")
            .starts_with("id\nc1\nc2\n")
    );
    assert!(server.query("refs c1").contains("use~1"));
    // Columns are in canvas units, attributes in those of their element.
    let refused = server.refused(&["modify '.bar' x:=x"]);
    assert!(
        refused.contains("x, y, w, h, cx, cy are canvas units"),
        "{refused}"
    );
    for op in [
        "set '.bar' width value:=w",
        "modify '.bar' stroke-width:=w/10",
    ] {
        let refused = server.refused(&[op]);
        assert!(refused.contains("are canvas units"), "{refused}");
    }
    // An opacity need not be a whole number, so rounding is not the repair.
    let refused = server.refused(&["style '.bar' opacity:=nth*1.5"]);
    assert!(
        refused.contains("is above 1") && !refused.contains("round("),
        "{refused}"
    );
    let refused = server.refused(&["set '.bar' data-n:=nth"]);
    assert!(
        refused.contains("try: set '.bar' data-n value:=nth"),
        "{refused}"
    );
    server.run(&["insert '<style>.bar { fill: red }</style>' first:svg~1"]);
    server.run(&["INSERT INTO rules(selector, property, value, at) VALUES ('.bar', 'fill', 'lime', '@media print')"]);
    assert!(
        server
            .query("svg style~1")
            .contains("@media print { .bar { fill: lime } }")
    );
    let refused = server.refused(&[
        "INSERT INTO rules(selector, property, value, matches) VALUES ('.bar', 'r', '1', 2)",
    ]);
    assert!(
        refused.contains("matches is not given when rows are added"),
        "{refused}"
    );
}

#[test]
fn lengths_are_computed_from_the_canvas_under_a_transform_that_keeps_them() {
    for (transform, op, is_taken) in [
        ("translate(9 9)", "style r stroke-width:=w/10", true),
        ("translate(9 9)", "modify r size:=\"w||'x'||h\"", true),
        ("translate(9 9)", "set r width value:=w", true),
        ("translate(9 9)", "set r x value:=w", false),
        ("rotate(30)", "style r stroke-width:=w/10", true),
        ("rotate(30)", "style r font-size:=h/2", true),
        ("rotate(30)", "set r width value:=w", false),
        ("scale(-1 1)", "style r stroke-width:=w/10", true),
        ("scale(2)", "style r stroke-width:=w/10", false),
        ("scale(2 .5)", "style r stroke-width:=w/10", false),
        ("skewX(30)", "style r stroke-width:=w/10", false),
    ] {
        let (mut server, _root) = fresh();
        server.run(&[&format!(
            "raw '<g transform=\"{transform}\"><rect id=\"r\" width=\"20\" height=\"10\"/></g>'"
        )]);
        match is_taken {
            true => server.run(&[op]),
            false => server.refused(&[op]),
        };
    }
}

#[test]
fn places_and_animated_values_are_not_computed_from_the_canvas_under_a_transform() {
    let (mut server, _root) = fresh();
    server.run(&["raw '<rect id=\"c\" width=\"9\" height=\"9\" y=\"40\"/>'"]);
    server.run(&[
        "raw '<g transform=\"translate(10 10) scale(2)\"><rect id=\"a\" class=\"hot\" width=\"20\" height=\"10\" transform=\"scale(1)\" style=\"stroke-width:1\"/></g>'",
        "raw '<rect id=\"b\" width=\"9\" height=\"9\" transform=\"scale(1)\"/>'",
    ]);
    for op in [
        "modify a at:=\"x||','||y\"",
        "modify a center:=\"cx||','||cy\"",
        "modify a size:=\"w||'x'||h\"",
        "modify a sw:=w/10",
        "animate @where:\"tag='rect'\" attribute:x from:=x to:=x+5 dur:1s",
        "animate a attribute:width values:=\"w||';'||w*2\" dur:1s",
        "animate a attribute:translate values:=\"'0,0;'||w||',0'\" dur:1s",
        "modify a transform:=\"'translate('||x||',0)'\"",
        "set a transform value:=\"'translate('||x||',0)'\"",
        "UPDATE attributes SET value=e.x FROM elements e WHERE e.ref=attributes.ref AND name='width'",
        "UPDATE attributes SET value=(SELECT 'translate('||x||',0)' FROM elements e WHERE e.ref=attributes.ref) WHERE ref='a' AND name='transform'",
        "UPDATE styles SET value=(SELECT w/10 FROM elements e WHERE e.ref=styles.ref) WHERE property='stroke-width'",
    ] {
        let refused = server.refused(&[op]);
        assert!(refused.contains("are canvas units"), "{op}: {refused}");
    }
    server.run(&[
        "modify b at:=\"(x+1)||','||y\"",
        "animate b attribute:x from:=x to:=x+5 dur:1s",
        "animate a attribute:opacity from:=w/100 to:=1 dur:1s",
        "modify b transform:=\"'translate('||x||',0)'\"",
        "UPDATE attributes SET value=e.w+1 FROM elements e WHERE e.ref=attributes.ref AND attributes.ref='c' AND name='width'",
        "UPDATE attributes SET value=value+1 WHERE ref='a' AND name='width'",
        "move a by:=\"w||',0'\"",
    ]);
}

#[test]
fn a_value_of_a_rule_is_one_for_all_its_elements() {
    let (mut server, _root) = fresh();
    server.run(&[
        "raw '<style>.hot { fill: red; opacity: 0.8 } .cold { fill: blue }</style>'",
        "raw '<rect id=\"a\" class=\"hot\" width=\"20\" height=\"10\"/>'",
        "raw '<rect id=\"b\" class=\"hot\" y=\"20\" width=\"20\" height=\"10\"/>'",
    ]);
    let reply = server.run(&["style .hot fill:=\"'blue'\""]);
    assert!(
        reply.contains("rule .hot fill red -> blue (2 objects)"),
        "{reply}"
    );
    let reply = server.run(&["style .hot opacity:=opacity/2 stroke-width:=1+1"]);
    assert!(
        reply.contains("rule .hot opacity 0.8 -> 0.4, stroke-width -> 2 (2 objects)"),
        "{reply}"
    );
    let reply = server.run(&["style .hot fill:=NULL"]);
    assert!(reply.contains("= every value is NULL"), "{reply}");
    let before = server.query("svg *");
    let refused = server.refused(&["style .hot opacity:=1.0/nth"]);
    assert!(
        refused.contains("rule .hot has one opacity for all its rows, and 1.0/nth has 2 values: ")
            && refused.contains(" for a, ")
            && refused.contains("try: style '.hot' opacity:=1.0/nth"),
        "{refused}"
    );
    let refused = server.refused(&["style .cold opacity:=opacity/2"]);
    assert!(
        refused.contains("rule .cold matches no rows, so opacity/2 has no columns to read"),
        "{refused}"
    );
    let refused = server.refused(&["style .hott opacity:=0.5"]);
    assert!(
        refused.contains("try: style .hot opacity:=0.5"),
        "{refused}"
    );
    let refused = server.refused(&["style .hot opacity:=opacit"]);
    assert!(refused.contains("no such column: opacit"), "{refused}");
    assert_eq!(server.query("svg *"), before);
    // A rule that matches nothing takes a value that reads nothing.
    let reply = server.run(&["style .cold opacity:=1/2.0"]);
    assert!(
        reply.contains("rule .cold opacity -> 0.5 (0 objects)"),
        "{reply}"
    );
    let reply = server.run(&["style '.hot' fill:=\"'lime'\""]);
    assert!(
        reply.contains("2 rows") || reply.contains("2 objects"),
        "{reply}"
    );
    let reply = server.run(&["style .hot fill:gold"]);
    assert!(reply.contains("rule .hot fill blue -> gold"), "{reply}");
}

#[test]
fn a_copy_differs_from_its_original_in_one_op() {
    let (mut server, _root) = fresh();
    server.run(&["raw '<g id=\"q\"><rect id=\"a\" width=\"20\" height=\"10\"/></g>'"]);
    let reply = server.run(&["copy a as:b by:0,20 set size:=(w*2)||'x'||h fill:gold"]);
    assert!(
        reply.contains("+ rect b @(0,20 20x10)")
            && reply.contains("  * rect b @(0,20 40x10) fill black -> gold (attr)"),
        "{reply}"
    );
    // Keys of `copy` may come last.
    let reply = server.run(&["copy a set fill:gold by:50,50 as:c"]);
    assert!(reply.contains("+ rect c @(50,50 20x10)"), "{reply}");
    // The copies themselves, not what is in them.
    let reply = server.run(&["copy q by:0,200 set opacity:0.5"]);
    assert!(reply.contains("  * group q-2"), "{reply}");
    assert!(server.query("list @recent").starts_with("q-2 "));
    let before = server.query("svg *");
    for (op, mended) in [
        (
            "copy a as:b by:0,9 set fill:red",
            "copy a as:b-3 by:0,9 set fill:red",
        ),
        (
            "copy a as:d by:0,9 fill:red",
            "copy a as:d by:0,9 set fill:red",
        ),
        (
            "copy a as:d by:0,9 opacity:=opacity/2",
            "copy a as:d by:0,9 set opacity:=opacity/2",
        ),
        (
            "copy a as:d by:0,9 set fil:red",
            "copy a as:d by:0,9 set fill:red",
        ),
        (
            "copy a as:d by:0,9 set opacity:=opacit",
            "copy a as:d by:0,9 set opacity:=opacity",
        ),
    ] {
        let refused = server.refused(&[op]);
        assert!(refused.contains(&format!("try: {mended}")), "{refused}");
    }
    let refused = server.refused(&["copy a set data-k:v"]);
    assert!(
        refused.contains("has no data-k:; set writes it (set changes the copies by keys of modify; for more, an op on them after copy)"),
        "{refused}"
    );
    assert_eq!(server.query("svg *"), before);
}

#[test]
fn each_splits_a_section_whose_end_is_in_a_value() {
    let (mut server, _root) = fresh();
    server.run(&[
        "each \"SELECT ']]>&<' t\" \"insert '<text id=\\\"a\\\" y=\\\"9\\\"><![CDATA[{t}]]></text>' first:svg~1\"",
    ]);
    let svg = server.query("svg a");
    assert!(svg.contains("<![CDATA[]]]]><![CDATA[>&<]]>"), "{svg}");
    let text = server.query("SELECT text FROM elements WHERE id='a'");
    assert!(text.contains("]]>&<"), "{text}");
    server.run(&[
        "each \"SELECT 'A & B' t\" \"insert '<text id=\\\"b\\\" y=\\\"9\\\"><!-- {t} -->{t}</text>' first:svg~1\"",
    ]);
    let svg = server.query("svg b");
    assert!(svg.contains("<!-- A & B -->A &amp; B"), "{svg}");
}

#[test]
fn computed_numbers_have_the_decimals_of_other_ops() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 900\">\
        <rect id=\"a\" x=\"3.123456789\" width=\"10\" height=\"9\" opacity=\"1\"/>\
        <rect id=\"b\" x=\"7\" width=\"10\" height=\"9\"/></svg>";
    let (mut server, _root) = opened(text);
    for (op, id, written) in [
        ("modify a,b width:=10/3.0", "a", "width=\"3.333\""),
        ("style a,b opacity:=1/3.0", "a", "opacity=\"0.33333333\""),
        (
            "UPDATE attributes SET value=value*1.1 WHERE name='height'",
            "a",
            "height=\"9.9\"",
        ),
        (
            "UPDATE elements SET x=x WHERE id='a'",
            "a",
            "x=\"3.123456789\"",
        ),
        // A number that is only taken from a column stays as it was.
        ("modify a,b x:=iif(id='b',x/3,x)", "a", "x=\"3.123456789\""),
        ("modify b x:=x", "b", "x=\"2.333\""),
        (
            "modify a x:=\"printf('%.5f', 1/3.0)\"",
            "a",
            "x=\"0.33333\"",
        ),
    ] {
        server.run(&[op]);
        let xml = server.query(&format!("SELECT xml FROM elements WHERE id='{id}'"));
        assert!(xml.contains(written), "{op}: {xml}");
    }
}

#[test]
fn each_quotes_values_for_their_place() {
    let value = "Z' -- \\ \"&</desc><rect id='evil'/><desc>";
    let escaped = "Z' -- \\ &quot;&amp;&lt;/desc>&lt;rect id='evil'/>&lt;desc>";
    let given = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"g\"/><text id=\"a\" data-t=\"{escaped}\">one</text><text id=\"b\">two</text></svg>"
    );
    let (mut server, _root) = opened(given);
    let question = "SELECT ref, value FROM attributes WHERE name='data-t'";
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    for (op, table, found) in [
        (
            "UPDATE texts SET text='{value}' WHERE ref='{ref}'",
            "texts WHERE text='two' OR text",
            "2",
        ),
        (
            "UPDATE texts SET text={value} WHERE ref={ref}",
            "texts WHERE text='two' OR text",
            "2",
        ),
        (
            "modify @where:\"ref='{ref}' AND '{value}'<>''\" text:=\"'{value}'\"",
            "texts WHERE text",
            "1",
        ),
        ("modify {ref} text:={value}", "texts WHERE text", "1"),
        ("modify {ref} text:\"{value}\"", "texts WHERE text", "1"),
        ("modify {ref} text:{value}", "texts WHERE text", "1"),
        (
            "insert '<desc>{value}</desc>' last:g",
            "texts WHERE kind='text' AND text",
            "1",
        ),
        (
            "insert '<path class=\"{value}\"/>' last:g",
            "elements WHERE tag='path' AND class",
            "1",
        ),
    ] {
        server.run(&[&format!("each {} {}", quoted(question), quoted(op))]);
        let sql = value.replace('\'', "''");
        let answer = server.query(&format!("SELECT count(*) FROM {table}='{sql}'"));
        assert_eq!(
            answer.lines().nth(1),
            Some(found),
            "{op}\n{answer}\n{}",
            server.query("svg *")
        );
        server.act("undo");
    }
    // A whole source stays as it is.
    server.run(&["each \"SELECT xml FROM elements WHERE id='b'\" \"replace '{xml}' ''\""]);
    let text = server.refused(&[&format!(
        "each {} \"style {{value}}x fill:red\"",
        quoted(question)
    )]);
    assert!(
        text.contains("op 1 of 1: {value} is part of a word"),
        "{text}"
    );
}
