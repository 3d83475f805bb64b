//! The account of changes, by `save`, `diff` and the table `changes`.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::sheets::server;

/// The lines of the account of a save after ops, up to that of the bytes.
fn account(inner: &str, ops: &[&str]) -> Vec<String> {
    let (mut server, _root) = server(inner);
    server.run(ops);
    let reply = server.act("save as:b.svg");
    let lines = reply.lines().skip(2).map(|line| line.trim().to_owned());
    lines.take(ops.len().max(1) + 1).collect()
}

/// A sheet of 600 rules, each on its own line or all on one.
fn sheet(end: &str) -> String {
    let rules = (0..600).map(|at| format!(".c{at}{{fill:#123456}}{end}"));
    format!("<style>{}</style>", rules.collect::<String>())
}

const EDIT: &str = "UPDATE rules SET value=iif(selector='.c300', 'red', '#123457') WHERE selector IN ('.c300', '.c450')";

#[test]
fn an_account_lists_each_change_of_a_sheet() {
    for (end, changes) in [
        (
            "\n",
            "~ text of style~1 at line 1: line 301: .c300{fill:#123456} -> .c300{fill:red}; line 451: .c450{fill:#123456} -> .c450{fill:#123457}",
        ),
        (
            "",
            "~ text of style~1 at line 1: at 5,602: …fill:#123456}.c300{fill:#123456}.c301{f… -> …fill:#123456}.c300{fill:red}.c301{f…; at 8,458: …123456}.c450{fill:#123456}.c451{f… -> …123456}.c450{fill:#123457}.c451{f…",
        ),
    ] {
        let lines = account(&sheet(end), &[EDIT]);
        assert_eq!(lines[0], changes);
        assert!(
            lines[1].contains("in 2 places 8 bytes became 4"),
            "{lines:?}"
        );
    }
}

#[test]
fn the_table_of_changes_has_a_row_for_each_change_of_a_sheet() {
    let (mut server, _root) = server(&sheet("\n"));
    server.run(&[EDIT]);
    let reply = server.query("SELECT field, before, after FROM changes");
    assert_eq!(
        reply.lines().skip(1).collect::<Vec<_>>(),
        [
            ".c300 fill | #123456 | red",
            ".c450 fill | #123456 | #123457",
            "(2 rows)"
        ]
    );
}

#[test]
fn an_account_names_what_is_in_added_and_removed_elements() {
    let lines = account("<rect id=\"rect1\"/>", &["modify rect1 title:Sun"]);
    assert_eq!(lines[1], "+ title title~1 in:rect1: <title>Sun</title>");
    let removed = ["DELETE FROM elements WHERE id='g1'"];
    let group = "<g id=\"g1\"><rect/><rect/></g>";
    let lines = account(group, &removed);
    assert_eq!(lines[0], format!("- group g1: {group}"));
    // A long one is counted.
    let lines = account(
        &format!("<g id=\"g1\">{}</g>", "<rect/>".repeat(9)),
        &removed,
    );
    assert_eq!(lines[0], "- group g1 with 9 rects");
    let long = "x".repeat(300);
    let inner = format!("<rect id=\"r\" class=\"{long}\"/><text>hi</text>");
    let lines = account(
        "<g id=\"g1\"/>",
        &[&format!("insert '<g id=\"k\">{inner}</g>' after:g1")],
    );
    assert!(
        lines[0].ends_with("group k @(0,-11.13867 10.93945x13.96875) with 1 rect, 1 text \"hi\""),
        "{lines:?}"
    );
    let lines = account(
        "",
        &[
            "add text \"Hello\" at:5,5 id:tt",
            "UPDATE texts SET text='Bye' WHERE ref='tt'",
        ],
    );
    assert!(
        lines[0].ends_with("text tt: <text id=\"tt\" x=\"5\" y=\"5\">Bye</text>"),
        "{lines:?}"
    );
}

#[test]
fn a_renamed_parent_is_no_change_of_its_children() {
    let lines = account(
        "<g id=\"a\"><rect id=\"b\" fill=\"red\"/></g>",
        &[
            "UPDATE elements SET id='dots' WHERE tag='g'",
            "style b fill:blue",
        ],
    );
    assert_eq!(
        lines[..2],
        [
            "~ group a at line 1: id a -> dots",
            "~ rect b at line 1: fill red -> blue"
        ]
    );
}

#[test]
fn whitespace_that_stays_in_its_place_is_not_a_change() {
    let lines = account("\n <g id=\"x1\"/><g id=\"x2\"/>\n", &["remove x1"]);
    assert!(lines[0].starts_with("- group x1"), "{lines:?}");
    assert!(lines[1].contains("12 bytes became 0"), "{lines:?}");
}

/// The answer of `diff a.svg` where another file was opened.
fn differences(then: &str, now: &str) -> String {
    let root = tempfile::tempdir().unwrap();
    let file = |text: &str| format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{text}</svg>");
    std::fs::write(root.path().join("a.svg"), file(then)).unwrap();
    std::fs::write(root.path().join("b.svg"), file(now)).unwrap();
    let mut server = fcp::testing::Server::new(env!("CARGO_BIN_EXE_fcp-svg"), root.path());
    server.act("open b.svg");
    server.query("diff a.svg")
}

#[test]
fn a_file_that_differs_in_one_unnamed_element_differs_in_one_line() {
    let rect = "<rect width=\"7\" height=\"7\"/>";
    let more = "<rect width=\"2\" height=\"2\"/>";
    let diff = differences(&format!("<g>{more}{rect}</g>"), &format!("<g>{rect}</g>"));
    assert_eq!(diff.lines().count(), 2, "{diff}");
    assert!(
        diff.starts_with(&format!("- rect rect~1 in:group~1: {more}\n")),
        "{diff}"
    );
    let diff = differences(&format!("<g>{rect}</g>"), &format!("<g>{more}{rect}</g>"));
    assert_eq!(diff.lines().count(), 2, "{diff}");
    assert!(
        diff.starts_with(&format!("+ rect rect~1 in:group~1: {more}\n")),
        "{diff}"
    );
    let diff = differences(
        &format!("<g>{rect}</g>"),
        &format!("<g class=\"x\"/><g>{rect}</g>"),
    );
    assert_eq!(diff.lines().count(), 2, "{diff}");
    assert!(diff.starts_with("+ group group~1"), "{diff}");
}

#[test]
fn an_element_that_moved_is_told_with_its_places() {
    let circles: Vec<String> = (1..=5)
        .map(|at| format!("<circle id=\"c{at}\" r=\"{at}\"/>"))
        .collect();
    let mut others = circles.clone();
    others.rotate_right(1);
    for space in ["", "\n"] {
        let [then, now] = [&others, &circles].map(|all| format!("\n{}\n", all.join(space)));
        let diff = differences(&then, &now);
        let moved = diff.lines().find(|line| line.contains("circle c5"));
        assert!(
            moved.is_some_and(|line| line.ends_with(": nth 1 -> 5")),
            "{diff}"
        );
    }
}

#[test]
fn every_difference_of_two_files_is_named() {
    for (then, now, line) in [
        ("<g id='a'/>", "<g id=\"a\"/>", "group a"),
        ("<g id=\"a\" x=\"\"/>", "<g x=\"\" id=\"a\"/>", "group a"),
        ("<g id=\"a\"/>", "<g  id=\"a\" />", "group a"),
        ("<g id=\"a\"/>", "<g id=\"a\"></g>", "group a"),
        ("<g id=\"a\"/>", "\n<g id=\"a\"/>", "group a"),
    ] {
        let diff = differences(then, now);
        assert!(
            diff.starts_with("~ ") && diff.contains(line),
            "{now}\n{diff}"
        );
    }
    let diff = differences("<a/>\n<b/>\n<c/>", "<a/>\r\n<b/>\r\n<c/>");
    assert!(diff.lines().count() > 2, "{diff}");
    let plain = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    let (mut server, root) = crate::support::opened(format!("{plain}\n"));
    std::fs::write(root.path().join("b.svg"), plain).unwrap();
    let diff = server.query("diff b.svg");
    assert!(diff.starts_with("+ text \"\\n\"\n"), "{diff}");
    let (mut server, root) = crate::support::opened(plain);
    let marked = format!("\u{feff}{plain}");
    std::fs::write(root.path().join("b.svg"), marked).unwrap();
    let diff = server.query("diff b.svg");
    let line = "encoding UTF-8 with a byte order mark -> UTF-8\n";
    assert!(diff.contains(line), "{diff}");
}

#[test]
fn comments_outside_of_the_root_have_no_ref_in_changes_either() {
    let (mut server, _root) = crate::support::opened(
        "<!-- a --><svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"g\"><!-- b --></g></svg><!-- c -->",
    );
    server.run(&["DELETE FROM texts WHERE kind='comment'"]);
    let reply = server.query("SELECT ref, before FROM changes");
    assert_eq!(
        reply.lines().skip(1).collect::<Vec<_>>(),
        [
            "NULL | comment \"a\"",
            "g | comment of g \"b\"",
            "NULL | comment \"c\"",
            "(3 rows)"
        ]
    );
}

/// A drawing with a value of every table.
const TABLES: &str = "<style>.hot{fill:red;stroke:blue}#r2,rect.cold{fill:navy}@media print{.hot{fill:black}}</style>\
<title id=\"ti\">Test</title><filter id=\"f\"><feOffset id=\"o\" in=\"SourceGraphic\" dx=\"1\"/><feFlood id=\"fl\"/></filter>\
<g id=\"a\" transform=\"translate(10,20)\"><rect id=\"r1\" class=\"hot\" x=\"0\" y=\"0\" width=\"50\" height=\"30\"/>\
<rect id=\"r2\" x=\"60\" width=\"50\" height=\"30\" style=\"opacity:.5; stroke : green\"/>\
<circle id=\"c\" cx=\"150\" cy=\"15\" r=\"15\" fill=\"red\"/></g><g id=\"b\"></g>\
<text id=\"t\" y=\"40\">T &amp; T</text><!-- note -->";

/// The values of the tables that `changes` names: table, ref, name of the value, value.
fn values(server: &mut fcp::testing::Server) -> Vec<[String; 4]> {
    let select = "SELECT 'attributes', ref, name, value FROM attributes \
        UNION ALL SELECT 'styles', ref, property, value FROM styles \
        UNION ALL SELECT 'rules', ref, coalesce(at||' ','')||selector||' '||property, value FROM rules \
        UNION ALL SELECT 'rules', ref, 'selector', selector FROM rules GROUP BY rule \
        UNION ALL SELECT 'texts', ref, 'text', text FROM texts \
        UNION ALL SELECT 'elements', ref, 'parent', parent FROM elements \
        UNION ALL SELECT 'elements', ref, 'tag', tag FROM elements \
        UNION ALL SELECT 'elements', ref, 'nth', nth FROM elements";
    let answer = server.query(&format!("{select} limit:500"));
    let lines = answer.lines().filter(|line| line.contains(" | ")).skip(1);
    let cells = lines.map(|line| {
        let cells: Vec<String> = line.split(" | ").map(str::to_owned).collect();
        <[String; 4]>::try_from(cells).unwrap()
    });
    cells.collect()
}

#[test]
fn changes_are_values_of_their_tables() {
    for (edit, count) in [
        ("UPDATE elements SET x=19 WHERE ref='r1'", 1),
        ("move c by:5,0", 1),
        ("style c fill:#00f", 1),
        ("style r2 opacity:0.7", 1),
        ("unset r2 opacity", 1),
        ("UPDATE attributes SET value='a&b' WHERE name='class'", 1),
        (
            "INSERT INTO attributes(ref,name,value) VALUES('r1','rx','2')",
            1,
        ),
        ("DELETE FROM attributes WHERE ref='o' AND name='in'", 1),
        ("UPDATE rules SET value='#00f' WHERE property='fill'", 3),
        (
            "UPDATE rules SET selector='.cold' WHERE selector='.hot' AND at IS NULL",
            1,
        ),
        (
            "DELETE FROM rules WHERE selector='.hot' AND property='fill' AND at IS NULL",
            1,
        ),
        ("UPDATE elements SET nth=1 WHERE ref='c'", 1),
        ("UPDATE elements SET parent='b' WHERE ref='r1'", 2),
        ("UPDATE texts SET text='a < b' WHERE ref='t'", 1),
        ("replace '<rect id=\"r1\"' '<image id=\"r1\"'", 1),
        ("UPDATE elements SET x=1, nth=2 WHERE ref='r1'", 2),
    ] {
        let (mut server, _root) = server(TABLES);
        let before = values(&mut server);
        let reply = server.run(&[edit]);
        let after = values(&mut server);
        let changes = server.query("SELECT tbl, ref, field, kind, before, after FROM changes");
        let changes: Vec<&str> = changes.lines().skip(1).collect();
        let (_, rows) = changes.split_last().unwrap();
        assert_eq!(rows.len(), count, "{edit}: {reply} {changes:?}");
        for row in rows {
            let cells: Vec<&str> = row.split(" | ").collect();
            let [table, name, field, kind, was, is] = cells[..] else {
                panic!("{row}")
            };
            let has = |rows: &[[String; 4]], value: &str| {
                rows.iter()
                    .any(|row| row[..] == [table, name, field, value])
            };
            let was_there =
                |rows: &[[String; 4]]| rows.iter().any(|row| row[..3] == [table, name, field]);
            assert_eq!(
                kind != "added",
                has(&before, was),
                "{edit}: {row} {before:?}"
            );
            assert_eq!(
                kind != "removed",
                has(&after, is),
                "{edit}: {row} {after:?}"
            );
            assert!(kind != "added" || !was_there(&before), "{edit}: {row}");
            assert!(kind != "removed" || !was_there(&after), "{edit}: {row}");
        }
    }
}

#[test]
fn a_changed_text_keeps_its_row() {
    let two = "<text id=\"t\" y=\"9\"><tspan x=\"0\">One</tspan><tspan x=\"0\" dy=\"1.2em\">Two</tspan></text>";
    for (inner, edit, line) in [
        (
            "<text id=\"t\" y=\"9\">T0</text>",
            "UPDATE elements SET text='new' WHERE ref='t'",
            "~ text of t at line 1: T0 -> new",
        ),
        (
            "<text id=\"t\" y=\"9\">T0</text>",
            "modify t text:new",
            "~ text of t at line 1: T0 -> new",
        ),
        (
            "<rect id=\"r\"><title>A</title></rect>",
            "modify r title:B",
            "~ text of title~1 at line 1: A -> B",
        ),
        (
            two,
            "modify t text:\"One\\nThree\"",
            "~ text of tspan~2 at line 1: Two -> Three",
        ),
    ] {
        let lines = account(inner, &[edit]);
        assert_eq!(lines[0], line, "{edit} {lines:?}");
        assert!(lines[1].starts_with("nothing else changed"), "{lines:?}");
    }
    // A line more or less leaves the others what they are.
    let more = account(two, &["modify t text:\"One\\nTwo\\nThree\""]);
    assert!(
        more[0].starts_with("+ tspan tspan~3") && !more.iter().any(|line| line.starts_with('-')),
        "{more:?}"
    );
    let three = two.replace(
        "</text>",
        "<tspan x=\"0\" dy=\"1.2em\">Three</tspan></text>",
    );
    let fewer = account(&three, &["modify t text:\"One\\nFour\""]);
    assert!(
        fewer[0].starts_with("~ text of tspan~2 at line 1: Two -> Four")
            && !fewer.iter().any(|line| line.starts_with('+')),
        "{fewer:?}"
    );
    let many = (0..300).map(|at| format!("<text id=\"t{at}\" y=\"9\">T{at}</text>"));
    let edits = [
        "UPDATE elements SET text='N'||nth WHERE tag='text'",
        "DELETE FROM elements WHERE tag='text' AND nth <= 30",
    ];
    let lines = account(&many.collect::<String>(), &edits);
    assert!(lines[0].starts_with("- 30 texts,"), "{lines:?}");
    assert!(lines[1].starts_with("~ 270 texts: "), "{lines:?}");
}

#[test]
fn a_text_of_a_shared_entity_is_not_written_out() {
    let file = "<!DOCTYPE svg [<!ENTITY t \"Hi\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">\
        <text id=\"x\" y=\"9\">&t;</text><text id=\"y\" y=\"9\">&t; you</text></svg>";
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("a.svg"), file).unwrap();
    let mut server = fcp::testing::Server::new(env!("CARGO_BIN_EXE_fcp-svg"), root.path());
    server.act("open a.svg");
    for edit in [
        "UPDATE texts SET text='a' WHERE ref='x'",
        "UPDATE elements SET text='a' WHERE ref='x'",
        "UPDATE elements SET text='a' WHERE ref='y'",
        "UPDATE elements SET text='a'||char(10)||'b' WHERE ref='x'",
    ] {
        let reply = server.refused(&[edit]);
        assert!(reply.contains("entity &t;"), "{edit}: {reply}");
        assert!(
            reply.contains("try: ? describe entity:t"),
            "{edit}: {reply}"
        );
    }
}

#[test]
fn an_account_of_another_order_has_both_places() {
    for (edit, line) in [
        (
            "UPDATE elements SET nth=1 WHERE ref='r2'",
            "~ rect r2 at line 1: nth 2 -> 1",
        ),
        ("order r1 front", "~ rect r1 at line 1: nth 1 -> 3"),
        (
            "UPDATE elements SET nth=3, x=11 WHERE ref='r1'",
            "~ rect r1 at line 1: x 0 -> 1, nth 1 -> 3",
        ),
    ] {
        let lines = account(TABLES, &[edit]);
        assert_eq!(lines[0], line, "{edit} {lines:?}");
    }
}
