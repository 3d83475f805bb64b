//! Tables over the real transport: reading and writing them, the saved file, errors, and selections
//! by CSS.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;

use fcp::testing::Server;
use resvg::usvg;
use tempfile::{TempDir, tempdir};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-svg");

/// A drawing with rows in every table.
fn given() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/tables.svg");
    fs::read_to_string(path).unwrap()
}

/// A server with that drawing open.
fn server() -> (Server, TempDir) {
    let root = tempdir().unwrap();
    fs::write(root.path().join("a.svg"), given()).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
    (server, root)
}

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
        (
            "UPDATE elements SET opacity=opacity/2 WHERE tag='rect'",
            "opacity of elements is changed by style, not by UPDATE",
            Some("style @where:\"tag='rect'\" opacity:=opacity/2"),
        ),
        (
            "UPDATE elements SET w=w*2 WHERE tag='rect'",
            "w of elements is changed by scale, not by UPDATE",
            Some("scale @where:\"tag='rect'\" to:=(w*2)||'x'||h about:=x||','||y"),
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
            Some("remove sky unlink:on"),
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
            None => assert_eq!(offered, None, "{sql}\n{reply}"),
        }
        assert_eq!(server.query("svg *"), given().trim_end(), "{sql}");
    }
}

#[test]
fn a_selector_of_css_is_a_selection() {
    let (mut server, _root) = server();
    for (op, wanted) in [
        (
            "style \"g > .hot\" opacity:0.3",
            "* rect rect~1 opacity 1 -> 0.3 (attr)",
        ),
        (
            "style \".hot\" opacity:0.3",
            "* rect rect~1 opacity 1 -> 0.3 (attr)",
        ),
        (
            "style rect:not(.cold) opacity:0.3",
            "* rect rect~1 opacity 1 -> 0.3 (attr)",
        ),
        (
            "style \"#one rect:nth-of-type(2)\" stroke:red",
            "* rect rect~2 stroke none -> red (attr)",
        ),
        (
            "style \"rect ~ circle, #again\" fill:red",
            "* 2 objects fill -> red: sun (style), again (attr)",
        ),
        ("remove \"text > tspan\"", "- tspan tspan~1"),
        // An existing name is a name, not a selector.
        ("move \"sun\" by:1,1", "* circle sun @(51,41 20x20)"),
        (
            "move \"rect\" by:0,1",
            "@ 2 objects moved by 0,1: rect~1, rect~2",
        ),
        // A rule in the style sheet is written without quotes.
        (
            "style .hot fill:gold",
            "* rule .hot fill red -> gold (1 object)",
        ),
        (
            "set \"[offset]\" offset 0.5",
            "* stop stop~1 offset 0 -> 0.5",
        ),
    ] {
        let reply = server.run(&[op]);
        assert_eq!(reply.lines().next(), Some(wanted), "{op}");
        server.act("undo");
    }
    for (op, wanted, repair) in [
        (
            "move \".hott\" by:1,1",
            "! \".hott\" matches nothing: no class hott (there are hot, cold)",
            Some("move .hot by:1,1"),
        ),
        (
            "move \"#one > line\" by:1,1",
            "! \"#one > line\" matches nothing: no element line (there are svg, style, linearGradient, stop, g, rect, circle, text, …)",
            None,
        ),
        (
            "move \"rect:frist-child\" by:1,1",
            "! \"rect:frist-child\" is not a selector: at 6 :frist-child is not known",
            Some("move rect:first-child by:1,1"),
        ),
    ] {
        let reply = server.refused(&[op]);
        assert_eq!(reply.lines().next(), Some(wanted), "{op}");
        let offered = reply.lines().find_map(|line| line.strip_prefix("  try: "));
        assert_eq!(offered, repair, "{op}\n{reply}");
    }
    assert_eq!(
        server.query("list \"#one > :not(rect)\""),
        "sun circle @(50,40 20x20) black red in:one\nsays text @(15,90) black none in:one"
    );
    assert_eq!(server.query("list \".nothing\""), "nothing matches");
    let refused = server.no_query("list \".a >\"");
    assert!(
        refused.starts_with("! \".a >\" is not a selector"),
        "{refused}"
    );
}

#[test]
fn conditions_take_the_rows_of_their_table() {
    let root = tempdir().unwrap();
    fs::write(root.path().join("a.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><defs><pattern id=\"p\"><rect id=\"a\"/><path id=\"q\" d=\"M0 0h1\"/></pattern></defs><rect id=\"b\"/></svg>",
    ).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
    let both = "* 2 objects fill -> red: a (attr), b (attr)";
    for op in [
        "style @where:\"tag='rect'\" fill:red",
        "style @where:\"SELECT ref FROM elements WHERE tag='rect'\" fill:red",
        "style @not:where:\"tag<>'rect'\" fill:red",
        "style rect fill:red",
    ] {
        assert!(server.run(&[op]).starts_with(both), "{op}");
        server.act("undo");
    }
    // The repair of an UPDATE takes the same rows, also those in definitions.
    let reply = server.refused(&["UPDATE elements SET fill='red' WHERE tag='rect'"]);
    let (_, repair) = reply.split_once("try: ").unwrap();
    let repair = repair.lines().next().unwrap().to_owned();
    assert!(server.run(&[&repair]).starts_with(both), "{repair}");
    assert!(
        server
            .run(&["remove @where:\"tag='path'\""])
            .starts_with("- path q")
    );
    let rest = server.query("list @where:\"tag='rect'\" @not:id:b");
    assert!(rest.starts_with("a rect"), "{rest}");
}

#[test]
fn a_whole_task_is_one_call() {
    let (mut server, root) = server();
    let reply = server.run(&[
        "? SELECT ref, x, w, fill, color('Gold') FROM elements WHERE tag='rect'",
        "UPDATE elements SET x=(SELECT max(x+w) FROM elements WHERE tag='circle') WHERE class='hot'",
        "? SELECT ref, x, source FROM elements JOIN declarations USING (ref) WHERE class='hot' AND property='fill'",
        "! save as:b.svg",
    ]);
    for wanted in [
        "rect~1 | 11.0 | 10.0 | #ff0000 | #ffd700",
        "rect~2 | 40.0 | 10.0 | url(#sky) | #ffd700",
        "* 1 row of elements: x 70",
        "rect~1 | 70.0 | rule .hot",
    ] {
        assert!(reply.contains(wanted), "{wanted}\n{reply}");
    }
    let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
    assert_eq!(saved, given().replace("x=\"1\"", "x=\"60\""));
}

#[test]
fn a_rename_is_computed_for_each_selected_element() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    server.run(&[
        "raw '<g transform=\"translate(20 10)\"><rect id=\"q1\" class=\"bar\" width=\"9\" height=\"9\"/><rect id=\"q2\" class=\"bar\" x=\"9\" width=\"9\" height=\"9\"/></g>'",
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
fn places_and_animated_values_are_not_computed_from_the_canvas_under_a_transform() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    server.run(&["raw '<rect id=\"c\" width=\"9\" height=\"9\" y=\"40\"/>'"]);
    server.run(&[
        "raw '<g transform=\"translate(10 10)\"><rect id=\"a\" class=\"hot\" width=\"20\" height=\"10\" transform=\"scale(1)\" style=\"stroke-width:1\"/></g>'",
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
fn an_attribute_that_is_there_is_not_inserted_again() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
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
fn a_value_of_a_rule_is_one_for_all_its_elements() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
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
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
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
        refused.contains("has no data-k: (set changes the copies by keys of modify; for more, an op on them after copy)"),
        "{refused}"
    );
    assert_eq!(server.query("svg *"), before);
}

#[test]
fn an_element_is_visible_if_it_or_something_in_it_draws() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    let drawn = [
        "<rect id=\"a1\" width=\"9\" height=\"9\"/>",
        "<line id=\"a2\" x2=\"9\" stroke=\"red\"/>",
        "<path id=\"a3\" d=\"M5 5L5 5\" stroke=\"red\" stroke-linecap=\"round\"/>",
        "<g id=\"a4\" visibility=\"hidden\"><rect id=\"a5\" visibility=\"visible\" width=\"9\" height=\"9\"/></g>",
        "<text id=\"a6\" y=\"9\" fill=\"none\">no <tspan id=\"a7\" fill=\"red\">yes</tspan></text>",
        "<switch id=\"a8\"><rect id=\"a9\" width=\"9\" height=\"9\"/></switch>",
        "<g id=\"b1\"><g id=\"b2\"><use id=\"b3\" href=\"#a1\"/></g></g>",
        "<rect id=\"b4\" width=\"9\" height=\"9\" fill=\"none\" stroke=\"red\"/>",
    ];
    let not = [
        "<g id=\"z1\"/>",
        "<rect id=\"z2\" width=\"0\" height=\"9\"/>",
        "<circle id=\"z3\" r=\"0\"/>",
        "<line id=\"z4\" x2=\"9\" y2=\"9\"/>",
        "<rect id=\"z5\" width=\"9\" height=\"9\" fill=\"none\"/>",
        "<rect id=\"z6\" width=\"9\" height=\"9\" fill=\"none\" stroke=\"red\" stroke-width=\"0\"/>",
        "<g id=\"z7\" display=\"none\"><rect id=\"z8\" width=\"9\" height=\"9\"/></g>",
        "<g id=\"z9\" opacity=\"0\"><rect id=\"y1\" width=\"9\" height=\"9\"/></g>",
        "<g id=\"y2\"><text id=\"y3\">  </text></g>",
        "<switch id=\"y4\"><rect id=\"y5\" systemLanguage=\"fr\" width=\"9\" height=\"9\"/></switch>",
        "<defs id=\"y6\"><rect id=\"y7\" width=\"9\" height=\"9\"/></defs>",
        "<use id=\"y8\" href=\"#nothing\"/>",
        "<rect id=\"y9\" transform=\"scale(0)\" width=\"9\" height=\"9\"/>",
        "<path id=\"x1\" d=\"M5 5h9\"/>",
        "<g id=\"x2\"><title id=\"x3\">T</title></g>",
    ];
    let raws = drawn.iter().chain(&not).map(|xml| format!("raw '{xml}'"));
    let raws: Vec<String> = raws.collect();
    let raws: Vec<&str> = raws.iter().map(String::as_str).collect();
    server.run(&raws);
    let wrong = server
        .query("SELECT id, visible FROM elements WHERE visible <> (id < 'c') AND id IS NOT NULL");
    assert!(wrong.ends_with("(0 rows)"), "{wrong}");
    let all = server.query("SELECT count(*) FROM elements WHERE visible");
    // And the drawing itself.
    assert!(all.contains("\n14\n"), "{all}");
}

#[test]
fn an_absent_value_is_told_apart_from_none() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    fs::write(
        root.path().join("a.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle id=\"c\" r=\"5\"/></svg>",
    )
    .unwrap();
    server.act("open a.svg");
    let reply = server.run(&["style c stroke:none"]);
    assert!(reply.contains("stroke nothing -> none (attr)"), "{reply}");
    server.run(&["modify c hidden:on"]);
    let diff = server.query("diff file");
    assert!(
        diff.contains("stroke nothing -> none") && diff.contains("display nothing -> none"),
        "{diff}"
    );
}

#[test]
fn a_rename_counts_the_references_that_refs_lists() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    fs::write(
        root.path().join("a.svg"),
        "<!DOCTYPE svg [<!ENTITY u \"url(#r1)\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\">\
         <style>#r1{fill:red} #r1 , #r1:hover{stroke:blue}</style>\
         <rect id=\"r1\" width=\"9\" height=\"9\"/><rect id=\"b\" fill=\"&u;\"/>\
         <use href=\"#r1\" aria-labelledby=\"r1 b r1\"/></svg>",
    )
    .unwrap();
    server.act("open a.svg");
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
fn each_splits_a_section_whose_end_is_in_a_value() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
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
fn repairs_of_an_unwritable_column_leave_out_no_other() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    server.run(&["raw '<rect id=\"b\" width=\"9\" height=\"9\"/>'"]);
    for (sets, name) in [("w=w*2+1, h=5", "w"), ("fill='red', stroke='blue'", "fill")] {
        let refused = server.refused(&[&format!("UPDATE elements SET {sets} WHERE id='b'")]);
        assert!(
            refused.contains(&format!("{name} of elements is changed by"))
                && !refused.contains("try:"),
            "{refused}"
        );
    }
    let refused = server.refused(&["UPDATE elements SET fill='red' WHERE id='b'"]);
    assert!(
        refused.contains("try: style @where:\"id='b'\" fill:red"),
        "{refused}"
    );
}

#[test]
fn changes_name_a_text_element_by_itself() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    server.run(&["raw '<g id=\"g\"><text id=\"t\" y=\"9\">Hi</text><text id=\"u\" y=\"9\"/></g>'"]);
    server.run(&["! checkpoint a", "! set since:a"]);
    server.run(&[
        "style t fill:red",
        "insert '<text id=\"n\" y=\"9\"/>' last:g",
        "remove u",
    ]);
    let changes = server.query("SELECT ref, tbl, kind, field FROM changes ORDER BY ref");
    assert_eq!(
        changes,
        "ref | tbl | kind | field\nn | elements | added | NULL\nt | elements | changed | fill\nu | elements | removed | NULL\n(3 rows)"
    );
}

#[test]
fn changes_name_a_text_by_its_element_and_its_table() {
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    server.run(&["add text Hi at:5,5", "! checkpoint a", "! set since:a"]);
    server.run(&["UPDATE texts SET text='Ho' WHERE ref='text~1'"]);
    assert_eq!(
        server.query("SELECT ref, tbl, field, before, after FROM changes"),
        "ref | tbl | field | before | after\ntext~1 | texts | text | Hi | Ho\n(1 row)"
    );
}

#[test]
fn the_examples_of_help_work() {
    use fcp::domain::Domain;
    let root = tempdir().unwrap();
    let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
    server.act("new");
    server
        .run(&["raw '<rect id=\"q1\" data-k=\"1\" stroke=\"black\" width=\"200\" height=\"9\"/>'"]);
    assert!(!fcp_svg::Drawing::SQL_EXAMPLES.is_empty());
    for example in fcp_svg::Drawing::SQL_EXAMPLES {
        server.run(&[example]);
    }
}

#[test]
fn a_cdata_section_shows_its_characters() {
    let root = tempdir().unwrap();
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>a<![CDATA[b]]></text></svg>";
    fs::write(root.path().join("a.svg"), text).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
    server.run(&["UPDATE texts SET text=replace(text, 'b', 'B]]>') WHERE kind='cdata'"]);
    let reply = server.query("SELECT text FROM texts WHERE kind='cdata'");
    assert_eq!(reply, "text\nB]]>\n(1 row)");
    server.run(&["UPDATE texts SET text=replace(text, 'B', 'c') WHERE kind='cdata'"]);
    server.act("save as:b.svg");
    let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
    let wanted = text.replace("[b]", "[c]]]]><![CDATA[>]");
    assert_eq!(saved, wanted);
}

#[test]
fn an_id_that_nothing_refers_to_is_removed() {
    let root = tempdir().unwrap();
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>#c{r:2}</style><rect id=\"a\"/><rect id=\"b\"/><use href=\"#b\"/><circle id=\"c\"/></svg>";
    fs::write(root.path().join("a.svg"), text).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
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
fn computed_numbers_have_the_decimals_of_other_ops() {
    let root = tempdir().unwrap();
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 900\">\
        <rect id=\"a\" x=\"3.123456789\" width=\"10\" height=\"9\" opacity=\"1\"/>\
        <rect id=\"b\" x=\"7\" width=\"10\" height=\"9\"/></svg>";
    fs::write(root.path().join("a.svg"), text).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
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
    let root = tempdir().unwrap();
    let value = "Z' -- \\ \"&</desc><rect id='evil'/><desc>";
    let escaped = "Z' -- \\ &quot;&amp;&lt;/desc>&lt;rect id='evil'/>&lt;desc>";
    let given = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"g\"/><text id=\"a\" data-t=\"{escaped}\">one</text><text id=\"b\">two</text></svg>"
    );
    fs::write(root.path().join("a.svg"), given).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
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

#[test]
fn texts_are_written_in_every_form_or_refused_with_a_query() {
    let root = tempdir().unwrap();
    let text = "<!DOCTYPE svg [<!ENTITY hi \"hello\"><!ENTITY two \"shared\">]>\
        <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\
        <title id=\"plain\">a</title><desc id=\"empty\"/><desc id=\"cdata\"><![CDATA[<a>]]></desc>\
        <title id=\"own\">&hi;</title><title id=\"used\">&two;</title><desc id=\"part\">&two; b</desc>\
        <title id=\"mixed\">a <b>c</b></title><title id=\"cut\">a<!--c--> b</title>\
        <style id=\"css\">.a{fill:red}</style><script id=\"run\">a</script>\
        <text id=\"text\" x=\"1\" y=\"2\">a</text>\
        <text id=\"runs\"><tspan id=\"span\" fill=\"red\">a</tspan> b</text><text id=\"one\"><tspan id=\"in\">a</tspan></text></svg>";
    fs::write(root.path().join("a.svg"), text).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
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
    let root = tempdir().unwrap();
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"a\" width=\"3\" height=\"2\"/><g id=\"g\"/></svg>";
    fs::write(root.path().join("a.svg"), text).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
    server.run(&["UPDATE elements SET parent='g' WHERE id='a'"]);
    let told = server.query("diff open");
    assert!(
        told.contains("~ group g at line 1: closed by /> -> an end tag"),
        "{told}"
    );
    assert!(!told.contains("bytes \""), "{told}");
}

#[test]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 255"
)]
fn colours_are_those_of_the_renderer() {
    let colours = [
        "red",
        "DarkSlateGrey",
        "#0f08",
        "#12345678",
        "rgb(1, 2, 3)",
        "rgb(255 0 128)",
        "rgb(10% 20% 30%)",
        "rgb(255 0 0 / 0.5)",
        "rgba(1,2,3,0.25)",
        "hsl(120, 100%, 25%)",
        "hsl(0.5turn 100% 50%)",
        "hsl(200grad 50% 50% / 0.5)",
        "hsla(3rad, 20%, 70%, 0.1)",
        "hwb(0 0% 0%)",
        "hwb(120deg 20% 40%)",
        "hwb(300 10% 5% / 50%)",
        "hwb(60 80% 120%)",
        "currentColor",
        "transparent",
        " teal ",
    ];
    let rects = colours.iter().enumerate().map(|(at, colour)| {
        format!("<rect id=\"r{at}\" width=\"3\" height=\"3\" fill=\"{colour}\" stroke=\"#000\"/>")
    });
    let rects: String = rects.collect();
    let text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\" color=\"#123456\">{rects}</svg>"
    );
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).unwrap();
    let root = tempdir().unwrap();
    fs::write(root.path().join("a.svg"), &text).unwrap();
    let mut server = Server::new(PROGRAM, root.path());
    server.act("open a.svg");
    for (at, colour) in colours.iter().enumerate() {
        let Some(usvg::Node::Path(path)) = tree.node_by_id(&format!("r{at}")) else {
            panic!("{colour} is not drawn")
        };
        let fill = path.fill().unwrap();
        let usvg::Paint::Color(drawn) = fill.paint() else {
            panic!("{colour}")
        };
        let alpha = match (fill.opacity().get() * 255.0).round() {
            255.0 => String::new(),
            alpha => format!("{:02x}", alpha as u8),
        };
        let wanted = format!(
            "#{:02x}{:02x}{:02x}{alpha}",
            drawn.red, drawn.green, drawn.blue
        );
        let fill = server.query(&format!("SELECT fill FROM elements WHERE id='r{at}'"));
        assert_eq!(fill.lines().nth(1), Some(&*wanted), "{colour}");
        let selected = server.query(&format!("list @fill:{wanted}"));
        assert!(selected.contains(&format!("r{at}")), "{colour}: {selected}");
    }
    server.run(&["style r0 fill:'hwb(120 0% 0%)'"]);
    assert!(server.query("describe r0").contains("hwb(120 0% 0%)"));
}
