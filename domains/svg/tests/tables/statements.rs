//! Statements of SQL that write: the saved bytes, and errors with their repairs.

use std::fs;

use super::{given, server};
use crate::support::{fresh, opened};

#[test]
fn a_statement_changes_only_its_bytes() {
    // The statement, and the changes of the file: old and new text.
    for (sql, changes) in [
        (
            "UPDATE elements SET id='moon' WHERE id='sun'",
            vec![
                ("#sun, g", "#moon, g"),
                ("id=\"sun\"", "id=\"moon\""),
                ("href=\"#sun\"", "href=\"#moon\""),
            ],
        ),
        (
            "UPDATE elements SET id=CASE id WHEN 'sun' THEN 'sky' ELSE 'sun' END WHERE id IN ('sun', 'sky')",
            vec![
                ("#sun, g", "#sky, g"),
                ("id=\"sky\"", "id=\"sun\""),
                ("url(#sky)", "url(#sun)"),
                ("circle id=\"sun\"", "circle id=\"sky\""),
                ("href=\"#sun\"", "href=\"#sky\""),
            ],
        ),
        (
            "UPDATE elements SET x=x+5, y=0 WHERE class='hot'",
            vec![("x=\"1\" y=\"2\"", "x=\"6\" y=\"0\"")],
        ),
        (
            // The group moves its content, which needs no step of its own.
            "UPDATE elements SET x=x+5 WHERE id='one' OR parent='one'",
            vec![("translate(10,0)", "translate(15,0)")],
        ),
        (
            "UPDATE elements SET x=100-x WHERE tag='rect'",
            vec![("x=\"1\"", "x=\"79\""), ("x=\"30\"", "x=\"50\"")],
        ),
        (
            "UPDATE attributes SET value=value*2 WHERE name='height'",
            vec![
                ("height=\"20\"/>", "height=\"40\"/>"),
                ("height=\"20\" fill", "height=\"40\" fill"),
            ],
        ),
        (
            "UPDATE attributes SET value=NULL WHERE name='fill'",
            vec![(" fill=\"url(#sky)\"", "")],
        ),
        (
            "INSERT INTO attributes(ref, name, value) VALUES ('says', 'data-k', 'v')",
            vec![("y=\"90\"", "y=\"90\" data-k=\"v\"")],
        ),
        (
            "DELETE FROM attributes WHERE name='stop-color'",
            vec![(" stop-color=\"red\"", "")],
        ),
        (
            "UPDATE styles SET value='blue !important' WHERE property='stroke'",
            vec![("stroke:red;", "stroke:blue !important;")],
        ),
        (
            "INSERT INTO styles(ref, property, value) VALUES ('sun', 'fill', 'gold')",
            vec![("stroke-width:2\"", "stroke-width:2; fill:gold\"")],
        ),
        (
            "DELETE FROM styles WHERE ref='sun'",
            vec![(" style=\"stroke:red; stroke-width:2\"", "")],
        ),
        (
            "DELETE FROM styles WHERE property='stroke'",
            vec![("stroke:red; ", "")],
        ),
        (
            "UPDATE rules SET value='gold' WHERE property='fill'",
            vec![("fill: red", "fill: gold")],
        ),
        (
            "UPDATE rules SET selector='.warm' WHERE selector='.hot'",
            vec![(".hot {", ".warm {")],
        ),
        (
            "DELETE FROM rules WHERE property='stroke'",
            vec![("; stroke: blue", "")],
        ),
        (
            "DELETE FROM rules WHERE line=4",
            vec![("\n    .hot { fill: red; stroke: blue }", "")],
        ),
        (
            "INSERT INTO rules(line, selector, property, value) VALUES (4, '.new', 'fill', 'red'), (4, '.new', 'opacity', 1)",
            vec![(
                "stroke: blue }\n",
                "stroke: blue }\n    .new { fill: red; opacity: 1 }\n",
            )],
        ),
        (
            "INSERT INTO rules(line, property, value) VALUES (4, 'opacity', 1)",
            vec![("stroke: blue }", "stroke: blue; opacity: 1 }")],
        ),
        (
            "UPDATE texts SET text=replace(text, 'World', 'you & me') WHERE kind='text'",
            vec![("World", "you &amp; me")],
        ),
        (
            "UPDATE texts SET text=' so ' WHERE kind='comment'",
            vec![(" of all sorts ", " so ")],
        ),
        (
            "UPDATE elements SET nth=4 WHERE class='hot'",
            vec![
                (
                    "    <rect class=\"hot\" x=\"1\" y=\"2\" width=\"10\" height=\"20\"/>\n",
                    "",
                ),
                (
                    "</text>\n",
                    "</text>\n    <rect class=\"hot\" x=\"1\" y=\"2\" width=\"10\" height=\"20\"/>\n",
                ),
            ],
        ),
        (
            // It keeps its position on the canvas.
            "UPDATE elements SET parent='one' WHERE id='again'",
            vec![
                ("\n  <use id=\"again\" href=\"#sun\" x=\"40\"/>", ""),
                (
                    "</text>\n",
                    "</text>\n  <use id=\"again\" href=\"#sun\" x=\"40\" transform=\"translate(-10 0)\"/>\n",
                ),
            ],
        ),
        (
            "DELETE FROM elements WHERE tag IN ('text', 'tspan')",
            vec![(
                "\n    <text id=\"says\" x=\"5\" y=\"90\">Hello <tspan>World</tspan></text>",
                "",
            )],
        ),
        (
            "INSERT INTO elements(parent, xml) VALUES ('one', '<line x2=\"9\"/>')",
            vec![("</text>\n", "</text>\n    <line x2=\"9\"/>\n")],
        ),
    ] {
        let (mut server, root) = server();
        let mut wanted = given();
        for (old, new) in changes {
            assert_eq!(wanted.matches(old).count(), 1, "{sql}: {old}");
            wanted = wanted.replace(old, new);
        }
        // One op, then saved, then undone.
        let reply = server.run(&[sql, "! save as:b.svg"]);
        let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
        assert_eq!(saved, wanted, "{sql}\n{reply}");
        server.act("undo");
        assert_eq!(server.query("svg *"), given().trim_end(), "{sql}");
    }
}

#[test]
fn places_are_given_to_all_at_once() {
    // The order of numbering, and the final order.
    for (order, wanted) in [
        ("x DESC", "sun, rect~2, says, rect~1"),
        ("tag", "sun, rect~1, rect~2, says"),
        ("nth=4 DESC, nth", "says, rect~1, rect~2, sun"),
        ("nth=1, nth", "rect~2, sun, says, rect~1"),
    ] {
        let (mut server, _root) = server();
        server.run(&[&format!(
            "UPDATE elements SET nth=o.n FROM (SELECT ref AS r, row_number() OVER (ORDER BY {order}) AS n \
             FROM elements WHERE parent='one') AS o WHERE o.r=elements.ref"
        )]);
        let found = "SELECT group_concat(ref, ', ') FROM (SELECT ref FROM elements WHERE parent='one' ORDER BY nth)";
        let answer = server.query(found);
        assert_eq!(answer.lines().nth(1), Some(wanted), "{order}");
    }
}

#[test]
fn an_element_gets_its_place_in_another_parent_even_if_the_number_is_the_same() {
    let (mut server, _root) = server();
    let reply = server.run(&["UPDATE elements SET parent='svg~1', nth=2 WHERE ref='rect~2'"]);
    assert!(reply.contains("parent svg~1, nth 2"), "{reply}");
    let answer = server.query("SELECT parent, nth FROM elements WHERE ref='rect~2'");
    assert!(answer.contains("svg~1 | 2"), "{answer}");
    // A column that nothing sets is not in the reply.
    let reply = server.run(&["UPDATE elements SET id='moon', nth=nth WHERE ref='sun'"]);
    assert!(!reply.contains("nth"), "{reply}");
}

#[test]
fn a_statement_reports_no_change() {
    let (mut server, _root) = server();
    for sql in [
        "UPDATE elements SET nth=nth, x=x, id=id",
        "UPDATE attributes SET value=value",
        "UPDATE rules SET value=value, selector=selector",
        "UPDATE styles SET value=value",
        "UPDATE texts SET text=text",
        "DELETE FROM rules WHERE line=99",
    ] {
        let reply = server.run(&[sql]);
        assert!(reply.starts_with("= "), "{sql}\n{reply}");
    }
}

#[test]
fn read_only_columns_name_what_changes_them() {
    let registry = fcp::verb::Registry::<fcp_svg::Drawing>::build().unwrap();
    for table in registry.tables() {
        for column in table.columns {
            assert!(
                // Nothing changes the number of a node.
                column.set.is_some() || column.by.is_some() || column.name == "node",
                "{}.{}",
                table.name,
                column.name
            );
        }
    }
}

#[test]
fn rejected_statements_have_repairs() {
    let (mut server, _root) = server();
    for (sql, wanted, repair) in [
        (
            "UPDATE elements SET fill='gold' WHERE tag='rect'",
            "fill of elements is changed by style, not by UPDATE",
            Some("style @where:\"tag='rect'\" fill:gold"),
        ),
        // A text without its quotes.
        (
            "UPDATE elements SET fill=gold, stroke=teal WHERE tag='rect'",
            "fill of elements is changed by style, not by UPDATE",
            Some("style @where:\"tag='rect'\" fill:gold stroke:teal"),
        ),
        (
            "UPDATE elements SET opacity=opacity/2 WHERE tag='rect'",
            "opacity of elements is changed by style, not by UPDATE",
            Some("style @where:\"tag='rect'\" opacity:=opacity/2"),
        ),
        (
            // The column w is in canvas units.
            "UPDATE elements SET width=w*2 WHERE tag='rect'",
            "elements has no column width",
            Some("set @where:\"tag='rect'\" width value:=w*2"),
        ),
        (
            "UPDATE elements SET transform='scale(2)' WHERE tag='rect'",
            "elements has no column transform",
            Some("set @where:\"tag='rect'\" transform scale(2)"),
        ),
        // `set` would write any word, and no value of a key is NULL.
        (
            "UPDATE elements SET heigth=5 WHERE tag='rect'",
            "elements has no column heigth",
            None,
        ),
        (
            "UPDATE elements SET r=5 WHERE tag='rect'",
            "elements has no column r:",
            None,
        ),
        (
            "UPDATE elements SET class=NULL WHERE tag='rect'",
            "class of elements is changed by modify, not by UPDATE",
            None,
        ),
        (
            "UPDATE elements SET fill=NULL WHERE tag='rect'",
            "fill of elements is changed by style, not by UPDATE",
            None,
        ),
        (
            "INSERT INTO attributes(ref, name, value) VALUES ('stop~1', 'id', 'c5')",
            "ids are given by rename",
            Some("rename stop~1 c5"),
        ),
        (
            "UPDATE elements SET cx=20 WHERE tag='rect'",
            "cx of elements is changed by move, not by UPDATE",
            Some("move @where:\"tag='rect'\" by:=((20)-cx)||',0'"),
        ),
        (
            "UPDATE elements SET visible=0 WHERE tag='rect'",
            "visible of elements is changed by modify, not by UPDATE",
            Some("modify @where:\"tag='rect'\" hidden:=iif(0,'off','on')"),
        ),
        (
            "UPDATE elements SET depth=1",
            "depth of elements is changed by move, not by UPDATE",
            None,
        ),
        (
            "UPDATE refs SET target='x'",
            "target of refs is changed by set, not by UPDATE",
            None,
        ),
        (
            "UPDATE declarations SET value='red'",
            "value of declarations is changed by style, not by UPDATE",
            None,
        ),
        (
            "UPDATE elements SET id='one' WHERE id='again'",
            "id:one is already a group",
            Some("UPDATE elements SET id='one-2' WHERE id='again'"),
        ),
        (
            "UPDATE elements SET id='x' WHERE tag='rect'",
            "rect~1 and rect~2 would both have the id x",
            None,
        ),
        (
            "UPDATE elements SET x=0 WHERE tag='stop'",
            "stop~1 is a stop, which is not moved by itself",
            None,
        ),
        (
            // Its content cannot be at its own positions and also follow the group.
            "UPDATE elements SET x=iif(id='one', 100, 0) WHERE id='one' OR parent='one'",
            "one would begin at 0",
            Some("? describe one"),
        ),
        (
            "UPDATE elements SET nth=9 WHERE id='sun'",
            "sun cannot be number 9 of 4",
            Some("UPDATE elements SET nth=4 WHERE id='sun'"),
        ),
        (
            "UPDATE elements SET nth=2 WHERE class='hot' OR id='sun'",
            "rect~1 and sun cannot both be number 2",
            None,
        ),
        (
            "UPDATE elements SET parent='says' WHERE tag='rect'",
            "says is a text, which holds no objects",
            Some("? describe says"),
        ),
        (
            "UPDATE attributes SET value='onload' WHERE name='xmlns'",
            "xmlns binds a prefix, which no op does",
            None,
        ),
        (
            // An op of another verb would do something else.
            "DELETE FROM attributes WHERE name='xmlns'",
            "xmlns binds a prefix, which no op does",
            None,
        ),
        (
            "UPDATE rules SET matches=3",
            "matches of rules is changed by UPDATE rules SET selector",
            None,
        ),
        (
            "DELETE FROM refs",
            "rows of refs cannot be deleted; what they show is changed by set",
            None,
        ),
        (
            "UPDATE attributes SET value=#f00 WHERE name='fill'",
            "#f00 is a parameter in SQL",
            Some("UPDATE attributes SET value='#f00' WHERE name='fill'"),
        ),
        (
            "INSERT INTO attributes(ref, name, value) VALUES ('again', 'onclick', 'x')",
            "onclick runs a script, which no op writes",
            None,
        ),
        (
            "UPDATE styles SET value='blu' WHERE property='stroke'",
            "no colour \"blu\"",
            Some("UPDATE styles SET value='blue' WHERE property='stroke'"),
        ),
        (
            "UPDATE styles SET value='blue;fill:red' WHERE property='stroke'",
            "stroke blue;fill:red is not one declaration",
            None,
        ),
        (
            "INSERT INTO styles(ref, property, value) VALUES ('sun', 'stroke', 'gold')",
            "the style of sun has stroke already",
            Some("UPDATE styles SET value='gold' WHERE ref='sun' AND property='stroke'"),
        ),
        (
            "UPDATE rules SET value='1} a{' WHERE property='opacity'",
            "opacity \"1} a{\" is not one declaration",
            None,
        ),
        (
            "UPDATE rules SET selector='.hot:frist-child' WHERE selector='.hot'",
            "\".hot:frist-child\" is not a selector: at 6 :frist-child is not known",
            Some("UPDATE rules SET selector='.hot:first-child' WHERE selector='.hot'"),
        ),
        (
            "INSERT INTO rules(line, selector, property, value) VALUES (3, '.b', 'fill', 'red')",
            "no rule begins on line 3; the nearest begins on line 4",
            None,
        ),
        (
            "DELETE FROM elements WHERE id='sky'",
            "sky fills rect~2",
            None,
        ),
        (
            "UPDATE texts SET text='a--b' WHERE kind='comment'",
            "a comment has no -- in it",
            None,
        ),
    ] {
        let reply = server.refused(&[sql]);
        let first = reply.lines().next().unwrap_or_default();
        assert!(first.starts_with(&format!("! {wanted}")), "{sql}\n{reply}");
        let offered = reply.lines().find_map(|line| line.strip_prefix("  try: "));
        match repair {
            Some(repair) => {
                assert_eq!(offered, Some(repair), "{sql}\n{reply}");
                if !repair.starts_with('?') {
                    let reply = server.run(&[repair]);
                    assert!(!reply.starts_with(['!', '=']), "{repair}\n{reply}");
                    server.act("undo");
                }
            }
            // A look at the names that can be used is not another statement.
            None => assert!(
                offered.is_none_or(|own| own.starts_with("? tables")),
                "{sql}\n{reply}"
            ),
        }
        assert_eq!(server.query("svg *"), given().trim_end(), "{sql}");
    }
}

#[test]
fn an_attribute_that_is_there_is_not_inserted_again() {
    let (mut server, _root) = fresh();
    server.run(&["raw '<rect id=\"a\" class=\"hot\" width=\"20\" height=\"10\"/>'"]);
    let into = "INSERT INTO attributes(ref, name, value) VALUES";
    let twice = format!("{into} ('a', 'data-k', '1'), ('a', 'data-k', '2')");
    let refused = server.refused(&[&twice]);
    assert!(
        refused.contains("row 2 of 2: a has data-k already"),
        "{refused}"
    );
    let refused = server.refused(&[&format!("{into} ('a', 'class', 'k''s')")]);
    assert!(
        refused.contains("a has class already")
            && refused
                .contains("try: UPDATE attributes SET value='k''s' WHERE ref='a' AND name='class'"),
        "{refused}"
    );
    let svg = server.query("svg a");
    assert!(
        svg.contains("class=\"hot\"") && !svg.contains("data-k"),
        "{svg}"
    );
    server.run(&[&format!(
        "{into} ('a', 'data-k', '1'), ('a', 'data-j', '2')"
    )]);
    assert!(server.query("svg a").contains("data-k=\"1\" data-j=\"2\""));
}

#[test]
fn a_rename_counts_the_references_that_refs_lists() {
    let (mut server, _root) = opened(
        "<!DOCTYPE svg [<!ENTITY u \"url(#r1)\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\">\
         <style>#r1{fill:red} #r1 , #r1:hover{stroke:blue}</style>\
         <rect id=\"r1\" width=\"9\" height=\"9\"/><rect id=\"b\" fill=\"&u;\"/>\
         <use href=\"#r1\" aria-labelledby=\"r1 b r1\"/></svg>",
    );
    let listed = server.query("SELECT count(*) AS n FROM refs WHERE target='r1'");
    assert!(listed.contains("n\n7\n"), "{listed}");
    let reply = server.run(&["UPDATE elements SET id='R' WHERE id='r1'"]);
    assert!(reply.contains("1 id, 7 references"), "{reply}");
    let listed = server.query("SELECT count(*) AS n FROM refs WHERE target='R'");
    assert!(listed.contains("n\n7\n"), "{listed}");
    let reply = server.run(&["rename R r2"]);
    assert!(reply.contains("rect R -> r2 (7 references)"), "{reply}");
}

#[test]
fn elements_that_share_an_id_share_the_new_one() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>#a{fill:red}</style>\
                <rect id=\"a\"/><rect id=\"a\"/><rect id=\"b\"/><use href=\"#a\"/></svg>";
    let (mut server, root) = opened(text);
    server.run(&[
        "UPDATE elements SET id='x-'||id WHERE id IS NOT NULL",
        "! save as:b.svg",
    ]);
    let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
    let wanted = text.replace("id=\"", "id=\"x-").replace("#a", "#x-a");
    assert_eq!(saved, wanted);
    // If one keeps the id, references mean that, and so do selectors.
    let (mut server, _root) = opened(text);
    server.run(&["UPDATE elements SET id='y' WHERE ref='rect~2'"]);
    let left = server.query("SELECT target FROM refs WHERE place='href'");
    assert!(left.contains("\na\n"), "{left}");
    let refused = server.refused(&["UPDATE elements SET id='z' WHERE id IS NOT NULL"]);
    assert!(refused.contains("would both have the id z"), "{refused}");
}

#[test]
fn repairs_of_an_unwritable_column_leave_out_no_other() {
    let (mut server, _root) = fresh();
    server.run(&["raw '<rect id=\"b\" width=\"9\" height=\"9\"/>'"]);
    for (sets, name, op) in [
        (
            "fill='red', stroke='blue'",
            "fill",
            Some("style @where:\"id='b'\" fill:red stroke:blue"),
        ),
        ("fill='red', w=5", "fill", None),
        ("cx=5, cy=6", "cx", None),
        ("fill='red', x=5", "fill", None),
    ] {
        let refused = server.refused(&[&format!("UPDATE elements SET {sets} WHERE id='b'")]);
        assert!(
            refused.contains(&format!("{name} of elements is changed by")),
            "{refused}"
        );
        match op {
            Some(op) => assert!(refused.contains(&format!("try: {op}\n")), "{refused}"),
            None => assert!(!refused.contains("try:"), "{refused}"),
        }
    }
    let refused = server.refused(&["UPDATE elements SET fill='red' WHERE id='b'"]);
    assert!(
        refused.contains("try: style @where:\"id='b'\" fill:red"),
        "{refused}"
    );
}

#[test]
fn an_id_that_nothing_refers_to_is_removed() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>#c{r:2}</style><rect id=\"a\"/><rect id=\"b\"/><use href=\"#b\"/><circle id=\"c\"/></svg>";
    let (mut server, root) = opened(text);
    for op in [
        "DELETE FROM attributes WHERE name='id' AND ref='ID'",
        "UPDATE attributes SET value=NULL WHERE name='id' AND ref='ID'",
        "UPDATE elements SET id=NULL WHERE ref='ID'",
        "unset ID id",
    ] {
        let op = |element: &str| op.replace("ID", element);
        server.run(&[&op("a"), "! save as:b.svg force"]);
        let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
        assert_eq!(saved, text.replace(" id=\"a\"", ""));
        server.act("undo");
        for (used, user) in [("b", "href of use use~1"), ("c", "style style~1")] {
            let reply = server.refused(&[&op(used)]);
            let wanted = format!("! {used} cannot lose its id: {user} refers to it");
            assert_eq!(reply.lines().next(), Some(&*wanted), "{reply}");
        }
    }
}

#[test]
fn texts_are_written_in_every_form_or_refused_with_a_query() {
    let text = "<!DOCTYPE svg [<!ENTITY hi \"hello\"><!ENTITY two \"shared\">]>\
        <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\
        <title id=\"plain\">a</title><desc id=\"empty\"/><desc id=\"cdata\"><![CDATA[<a>]]></desc>\
        <title id=\"own\">&hi;</title><title id=\"used\">&two;</title><desc id=\"part\">&two; b</desc>\
        <title id=\"mixed\">a <b>c</b></title><title id=\"cut\">a<!--c--> b</title>\
        <style id=\"css\">.a{fill:red}</style><script id=\"run\">a</script>\
        <text id=\"text\" x=\"1\" y=\"2\">a</text>\
        <text id=\"runs\"><tspan id=\"span\" fill=\"red\">a</tspan> b</text><text id=\"one\"><tspan id=\"in\">a</tspan></text></svg>";
    let (mut server, _root) = opened(text);
    let set = |id: &str| format!("UPDATE elements SET text='x<y' WHERE id='{id}'");
    for (id, written) in [
        ("plain", "<title id=\"plain\">x&lt;y</title>"),
        ("empty", "<desc id=\"empty\">x&lt;y</desc>"),
        ("cdata", "<desc id=\"cdata\"><![CDATA[x<y]]></desc>"),
        ("css", "<style id=\"css\">x&lt;y</style>"),
        ("text", "<text id=\"text\" x=\"1\" y=\"2\">x&lt;y</text>"),
        ("span", "<tspan id=\"span\" fill=\"red\">x&lt;y</tspan>"),
    ] {
        server.run(&[&set(id)]);
        let xml = server.query(&format!("SELECT xml FROM elements WHERE id='{id}'"));
        assert!(xml.contains(written), "{xml}");
    }
    // At its source, since nothing else uses it.
    server.run(&["UPDATE elements SET text='moin' WHERE id='own'"]);
    let known = server.query("SELECT text FROM texts WHERE ref='own' OR ref='entity:hi'");
    assert_eq!(known, "text\nmoin\nmoin\n(2 rows)");
    for (id, wanted) in [
        ("used", "entity"),
        ("part", "entity"),
        ("mixed", "mixed has more than one text"),
        ("cut", "cut has more than one text"),
        ("runs", "runs has more than one text"),
    ] {
        let refused = server.refused(&[&set(id).replace("x<y", "moin")]);
        assert!(refused.contains(wanted), "{refused}");
        let repair = refused.split("try: ? ").nth(1).unwrap();
        server.query(repair.lines().next().unwrap());
    }
    assert!(server.refused(&[&set("run")]).contains("runs a script"));
    let refused = server.refused(&["UPDATE elements SET text='q' WHERE id IN ('one', 'in')"]);
    assert!(refused.contains("in is in one"), "{refused}");
}

#[test]
fn an_element_that_gets_an_end_tag_changes_by_that() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"a\" width=\"3\" height=\"2\"/><g id=\"g\"/></svg>";
    let (mut server, _root) = opened(text);
    server.run(&["UPDATE elements SET parent='g' WHERE id='a'"]);
    let told = server.query("diff open");
    assert!(
        told.contains("~ group g at line 1: closed by /> -> an end tag"),
        "{told}"
    );
    assert!(!told.contains("bytes \""), "{told}");
}

#[test]
fn a_written_place_reads_back_as_it_was_asked_for() {
    let (mut server, _root) = opened(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><g transform=\"scale(2) rotate(30)\">\
         <rect id=\"r\" x=\"5\" y=\"5\" width=\"10\" height=\"4\"/><path id=\"p\" d=\"M5 5q5 5 10 0\"/></g>\
         <g transform=\"scale(3)\"><circle id=\"c\" r=\"1\"/></g><rect id=\"s\" width=\"1\" height=\"1\"/></svg>",
    );
    for (x, y) in [(0.0, 0.0), (10.0, -7.5), (31.25, 12.0)] {
        server.run(&[&format!(
            "UPDATE elements SET x={x}, y={y} WHERE id IN ('r', 'p', 'c', 's')"
        )]);
        let apart = format!(
            "SELECT count(*) FROM elements WHERE id IN ('r', 'p', 'c', 's') AND abs(x-({x}))+abs(y-({y})) < 2e-6"
        );
        let answer = server.query(&apart);
        assert_eq!(answer.lines().nth(1), Some("4"), "{x} {y}: {answer}");
    }
    // Numbers that are exact anyway stay short.
    assert!(server.query("svg s").contains("x=\"31.25\" y=\"12\""));
}

#[test]
fn a_written_size_resizes_from_the_left_and_the_top() {
    let (mut server, _root) = opened(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><g transform=\"translate(5 5) scale(3)\">\
         <rect id=\"r\" x=\"5\" y=\"5\" width=\"10\" height=\"4\" rx=\"1\"/><ellipse id=\"e\" cx=\"9\" rx=\"2\" ry=\"1\"/></g>\
         <circle id=\"c\" cx=\"9\" cy=\"9\" r=\"1\"/><path id=\"p\" d=\"M0 0h9v9\"/>\
         <g transform=\"rotate(30)\"><rect id=\"t\" width=\"9\" height=\"9\"/></g>\
         <svg id=\"s\" x=\"60\" width=\"20\" height=\"20\"><line id=\"l\" x2=\"5\" y2=\"6\"/></svg></svg>",
    );
    let select = |name: &str| format!("SELECT x, y, w, h FROM elements WHERE id='{name}'");
    for (op, name, wanted) in [
        (
            "UPDATE elements SET w=50 WHERE id='r'",
            "r",
            "20.0 | 20.0 | 50.0 | 12.0",
        ),
        (
            "UPDATE elements SET h=h/2, w=9 WHERE id='r'",
            "r",
            "20.0 | 20.0 | 9.0 | 6.0",
        ),
        (
            "UPDATE elements SET x=1, w=5, h=6 WHERE id='e'",
            "e",
            "1.0 | 2.0 | 5.0 | 6.0",
        ),
        (
            "UPDATE elements SET w=6 WHERE id='c'",
            "c",
            "8.0 | 8.0 | 6.0 | 6.0",
        ),
        (
            "UPDATE elements SET h=10, w=10 WHERE id='c'",
            "c",
            "8.0 | 8.0 | 10.0 | 10.0",
        ),
    ] {
        server.run(&[op]);
        let answer = server.query(&select(name));
        let cells = answer.lines().nth(1).unwrap().split(" | ");
        let found: Vec<f64> = cells.map(|cell| cell.parse().unwrap()).collect();
        let wanted: Vec<f64> = wanted
            .split(" | ")
            .map(|cell| cell.parse().unwrap())
            .collect();
        assert!(
            found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-6),
            "{op}: {answer}"
        );
    }
    assert!(server.query("svg r").contains("rx=\"1\""));
    for (op, repair) in [
        (
            "UPDATE elements SET w=50 WHERE id='p'",
            "scale p to:50x9 about:0,0 sets its w",
        ),
        (
            "UPDATE elements SET x=10, y=20, w=40, h=20 WHERE id='p'",
            "scale p to:40x9 about:0,0 sets its w and keeps its h",
        ),
        (
            "UPDATE elements SET w=50 WHERE tag='path' OR tag='circle'",
            "scale SEL to:WxH about:X,Y resizes it",
        ),
        (
            "UPDATE elements SET h=4 WHERE id='c'",
            "try: UPDATE elements SET w=4 WHERE ref='c'",
        ),
        ("UPDATE elements SET w=4 WHERE id='t'", "scale t to:4x"),
        (
            "UPDATE elements SET w=40 WHERE id='s'",
            "s has no width and height that are those of its box; scale s to:40x6 about:60,0 sets its w",
        ),
        ("UPDATE elements SET w=0 WHERE id='r'", "a size is above 0"),
        ("UPDATE elements SET w=-1 WHERE id='r'", "a size is above 0"),
    ] {
        let before = server.query("svg *");
        let refused = server.refused(&[op]);
        assert!(refused.contains(repair), "{op}: {refused}");
        assert_eq!(server.query("svg *"), before, "{op}");
    }
    server.run(&["modify r title:Sun"]);
    // The columns w and h are in canvas units.
    for (name, tried) in [
        ("width", "set @where:\"ref='r'\" width 5"),
        ("height", "set @where:\"ref='r'\" height 5"),
    ] {
        let refused = server.refused(&[&format!("UPDATE elements SET {name}=5 WHERE ref='r'")]);
        assert!(refused.contains(&format!("try: {tried}\n")), "{refused}");
        server.run(&[tried]);
        assert!(server.query("svg r").contains(&format!(" {name}=\"5\"")));
        server.act("undo");
    }
    let refused = server.refused(&["modify title~1 text:x"]);
    assert!(
        refused.contains("try: UPDATE elements SET text='x' WHERE ref='title~1'"),
        "{refused}"
    );
}

#[test]
fn the_lines_of_a_text_are_written_as_they_are_read() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 300\">\
        <text id=\"b\" x=\"10\" y=\"60\"><tspan x=\"10\">First</tspan><tspan x=\"10\" dy=\"1.2em\">second</tspan></text>\
        <text id=\"s\" y=\"90\">Old</text>\
        <text id=\"e\" y=\"120\" data-fcp-wrap=\"80\" font-family=\"monospace\" font-size=\"10\"><tspan x=\"0\">a long text</tspan><tspan x=\"0\" dy=\"1.2em\">that wraps</tspan></text>\
        <text id=\"w\" y=\"150\">\n  over\n  lines\n</text>\
        <text id=\"m\"><title>tip</title>See <tspan fill=\"red\">this</tspan>, <tspan x=\"0\" dy=\"1em\">please</tspan></text></svg>";
    let (mut server, _root) = opened(text);
    let read = server
        .query("SELECT ref, replace(text, char(10), '/') AS text FROM elements WHERE tag='text'");
    let wanted = "b | First/second\ns | Old\ne | a long text that wraps\nw | over lines\nm | See this,/please\n";
    assert!(read.contains(wanted), "{read}");
    for op in [
        "modify @type:text text:=text",
        "modify @type:text text:=\"replace(text,'Older','New')\"",
        "modify b text:\"First\\nsecond\"",
        "UPDATE elements SET text=replace(text,'Older','New') WHERE tag='text'",
        "UPDATE elements SET text=text",
    ] {
        let reply = server.run(&[op]);
        assert!(reply.starts_with("= "), "{op}\n{reply}");
        assert_eq!(server.query("svg *"), text, "{op}");
    }
    // An op, and the changes of the file: old and new text.
    for (op, changes) in [
        (
            "modify @type:text text:=\"replace(text,'Old','New')\"",
            vec![(">Old<", ">New<")],
        ),
        (
            "UPDATE elements SET text=upper(text) WHERE ref='b'",
            vec![(">First<", ">FIRST<"), (">second<", ">SECOND<")],
        ),
        (
            "UPDATE elements SET text=replace(text,'second','last') WHERE tag='text'",
            vec![(">second<", ">last<")],
        ),
        (
            "UPDATE elements SET text=replace(text,'long','short') WHERE ref='e'",
            vec![(">a long text<", ">a short text<")],
        ),
        (
            "modify e text:=\"replace(text,'long','very long')\"",
            vec![
                (">a long text<", ">a very long<"),
                (
                    ">that wraps</tspan>",
                    ">text that</tspan><tspan x=\"0\" dy=\"1.2em\">wraps</tspan>",
                ),
            ],
        ),
    ] {
        server.run(&[op]);
        let mut wanted = text.to_owned();
        for (old, new) in changes {
            assert_eq!(wanted.matches(old).count(), 1, "{op}: {old}");
            wanted = wanted.replace(old, new);
        }
        assert_eq!(server.query("svg *"), wanted, "{op}");
        server.act("undo");
    }
    let refused = server.refused(&["UPDATE elements SET text=upper(text) WHERE ref='m'"]);
    assert!(refused.contains("m has more than one text"), "{refused}");
}

#[test]
fn the_label_of_a_box_is_written_as_its_text() {
    let (mut server, _root) = opened(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 300\"><g id=\"k\" data-fcp=\"box\">\
         <rect width=\"60\" height=\"30\"/><text x=\"30\" y=\"15\">API</text></g><g id=\"g\"><text>a</text></g></svg>",
    );
    server.run(&["UPDATE elements SET text='Data' WHERE ref='k'"]);
    let svg = server.query("svg k");
    assert!(svg.contains("<text x=\"30\" y=\"15\">Data</text>"), "{svg}");
    let both = "UPDATE elements SET text='b' WHERE ref='k' OR parent='k' AND tag='text'";
    assert!(server.refused(&[both]).contains("is in k"));
    let refused = server.refused(&["UPDATE elements SET text='b' WHERE ref='g'"]);
    assert!(refused.contains("g has more than one text"), "{refused}");
}

#[test]
fn a_written_place_moves_by_the_distance_that_was_given() {
    let texts = "<text x=\"10\" y=\"100\" font-size=\"11\">a</text>\
        <text x=\"60\" y=\"100\" font-size=\"13\">b</text><text x=\"90\" y=\"100\" font-size=\"17\">c</text>";
    let turned =
        "<g transform=\"rotate(30)\"><rect id=\"d\" x=\"100\" width=\"20\" height=\"10\"/></g>";
    for (size, content, op, changes) in [
        (
            "400 300",
            texts,
            "UPDATE elements SET y=y+10 WHERE tag='text'",
            vec![("y=\"100\"", "y=\"110\"")],
        ),
        (
            "400 300",
            texts,
            "UPDATE elements SET y=y-2.5 WHERE tag='text'",
            vec![("y=\"100\"", "y=\"97.5\"")],
        ),
        (
            "1000 1000",
            turned,
            "UPDATE elements SET x=x+10 WHERE ref='d'",
            vec![("x=\"100\"", "x=\"108.66\" y=\"-5\"")],
        ),
    ] {
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size}\">{content}</svg>"
        );
        let (mut server, _root) = opened(&file);
        server.run(&[op]);
        let mut wanted = file.clone();
        for (old, new) in changes {
            wanted = wanted.replace(old, new);
        }
        let svg = server.query("svg *");
        // A new attribute goes last.
        let svg = svg.replace(
            "x=\"108.66\" width=\"20\" height=\"10\" y=\"-5\"",
            "x=\"108.66\" y=\"-5\" width=\"20\" height=\"10\"",
        );
        assert_eq!(svg, wanted, "{op}");
    }
}
