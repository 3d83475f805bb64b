//! Ops with rows and values computed by SQL, and whole tasks in one call.

use super::Play;

#[test]
fn an_update_sets_what_modify_sets() {
    let mut play = Play::new();
    assert_eq!(
        play.ok("UPDATE cards SET pts=pts*2 WHERE lane='Todo'"),
        "* 2 rows of cards: pts 10 to 16\n  * card Paint in:Todo pts:10 color:white owner:Ann\n  * card Hang in:Todo pts:16 color:white"
    );
    let (one, other) = (play.digest(), {
        play.act("undo");
        play.ops(&["modify Paint pts:10", "modify Hang pts:16"]);
        play.digest()
    });
    assert_eq!(one, other);
    assert_eq!(
        play.ok("UPDATE cards SET pts=16 WHERE name='Hang'"),
        "= 1 row has these values already"
    );
    assert_eq!(
        play.ok("UPDATE cards SET pts=1 WHERE name='Nobody'"),
        "= 0 rows of cards match\n  no name is 'Nobody'; one is 'Paint'"
    );
    assert_eq!(
        play.ok("UPDATE cards SET pts=1 WHERE name='Hagn'"),
        "= 0 rows of cards match\n  no name is 'Hagn'; one is 'Hang'"
    );
    assert_eq!(
        play.ok("UPDATE cards AS c SET owner=p.ref, color='red' FROM people p WHERE p.name='Bob' AND c.pts > 15"),
        "* 2 rows of cards: owner Bob, color red\n  * card Hang in:Todo pts:16 color:red owner:Bob\n  * card Buy in:Done pts:20 color:red owner:Bob"
    );
    assert_eq!(
        play.ok("UPDATE cards SET owner=NULL WHERE name='Buy'"),
        "* card Buy in:Done pts:20 color:red"
    );
    assert_eq!(
        play.ok("UPDATE cards SET (pts, day) = (1, 2) WHERE name='Buy'"),
        "* card Buy in:Done pts:1 color:red day:2"
    );
}

#[test]
fn values_are_those_before_the_op() {
    let mut play = Play::new();
    // Each takes the points of the next one.
    play.ok("UPDATE cards SET pts=coalesce((SELECT c.pts FROM cards c WHERE c.rowid = cards.rowid + 1), 1)");
    assert!(
        play.ask("SELECT pts FROM cards")
            .starts_with("pts\n8\n20\n1\n")
    );
    play.act("undo");
    play.ok("modify @type:card pts:=\"sum(pts) OVER (ORDER BY ref)\"");
    assert!(
        play.ask("SELECT name, pts FROM cards")
            .contains("Buy | 20\n")
    );
    assert!(
        play.ask("SELECT name, pts FROM cards")
            .contains("Paint | 33\n")
    );
}

#[test]
fn a_value_is_computed_for_each_row() {
    let mut play = Play::new();
    play.ok("modify @where:\"pts < 10\" pts:=max(pts-6,1) color:red");
    assert!(
        play.ask("SELECT pts, color FROM cards")
            .starts_with("pts | color\n1 | red\n2 | red\n20 | red\n")
    );
    // A small number is not written as 0, the error of a computation is.
    play.ok("modify Paint note:=1e-9");
    assert!(
        play.ask("SELECT note FROM cards")
            .contains("\n0.000000001\n")
    );
    play.ok("modify Paint note:=cos(pi()/2)");
    assert!(play.ask("SELECT note FROM cards").contains("\n0\n"));
    // NULL leaves a row as it is.
    play.ok("modify @type:card day:=\"CASE WHEN pts > 1 THEN pts END\"");
    assert!(
        play.ask("SELECT day FROM cards")
            .starts_with("day\nNULL\n2\n20\n")
    );
    assert_eq!(
        play.ok("modify @type:card day:=NULL"),
        "= every value is NULL, which changes nothing"
    );
    play.ok("rename Buy name:=\"name || ' ' || lane\"");
    assert!(play.ask("SELECT name FROM cards").contains("Buy Done"));
    // A quoted text that begins with `=` is a text.
    assert!(play.ok("modify Paint note:\"=x\"").contains("note:"));
    assert!(
        play.ask("SELECT note FROM cards WHERE name='Paint'")
            .contains("\n=x\n")
    );
    play.ok("copy Paint name:=\"name || '2'\" pts:=pts+4");
    assert!(
        play.ask("SELECT pts FROM cards WHERE name='Paint2'")
            .contains("\n5\n")
    );
}

#[test]
fn an_expression_without_its_parameter_is_rejected() {
    let mut play = Play::new();
    let answer = play.err("rename Paint :=\"'X'||1\"");
    let error = "! := needs the parameter that it computes before it\n";
    assert!(answer.starts_with(error), "{answer}");
    let repair = answer.lines().find_map(|line| line.strip_prefix("  try: "));
    assert_eq!(repair, Some("rename Paint name:=\"'X'||1\""));
    // In quotes it is a text.
    let answer = play.ok("rename Paint \":=X\"");
    assert!(answer.starts_with("* "), "{answer}");
}

#[test]
fn each_does_one_op_a_row_in_one_step() {
    let mut play = Play::new();
    let reply = play.ok("each \"SELECT name, pts FROM cards WHERE lane='Todo'\" \"add remark text:\\\"{name}: {{{pts}}}\\\" on:{name}\"");
    assert!(reply.starts_with("@ 2 ops\n  + remark"), "{reply}");
    assert!(
        play.ask("SELECT text, card FROM remarks")
            .starts_with("text | card\nPaint: {5} | Paint\nHang: {8} | Hang\n")
    );
    assert_eq!(play.act("undo").lines().next(), Some("* undone 1 op: each"));
    assert!(play.ask("SELECT count(*) FROM remarks").contains("\n0\n"));
    let before = play.digest();
    let error = play.err("each \"SELECT name FROM cards\" \"modify {name} pts:50{name}\"");
    assert!(
        error.starts_with("! op 1 of 3 failed: modify Paint pts:50Paint: "),
        "{error}"
    );
    assert_eq!(play.digest(), before);
    play.ok(
        "each \"SELECT name, pts FROM cards\" \"UPDATE cards SET note={name} WHERE pts={pts}\"",
    );
    assert!(play.ask("SELECT note FROM cards").contains("\nHang\n"));
}

#[test]
fn rows_are_added_and_removed() {
    let mut play = Play::new();
    assert_eq!(
        play.ok("INSERT INTO cards(name, lane, pts) VALUES ('A b', 'Todo', 1), ('C', 'Done', 2)"),
        "+ 2 rows of cards\n  + card A b in:Todo pts:1 color:white\n  + card C in:Done pts:2 color:white"
    );
    play.ok(
        "INSERT INTO remarks(text, card) SELECT 'about ' || name, ref FROM cards WHERE pts < 3",
    );
    assert!(play.ask("SELECT count(*) FROM remarks").contains("\n2\n"));
    assert_eq!(
        play.ok("DELETE FROM cards WHERE pts < 3"),
        "- Removed 2 cards\n  with 2 remarks"
    );
    assert!(play.ask("SELECT count(*) FROM remarks").contains("\n0\n"));
    assert_eq!(
        play.ok("DELETE FROM cards WHERE pts > 99"),
        "= 0 rows of cards match"
    );
}

#[test]
fn a_parameter_without_a_value_is_refused() {
    let mut play = Play::new();
    let digest = play.digest();
    for (op, mended) in [
        (
            "UPDATE cards SET note=#f00 WHERE color='white'",
            "UPDATE cards SET note='#f00' WHERE color='white'",
        ),
        (
            "UPDATE cards SET note=#123, color=#f00 WHERE pts=0",
            "UPDATE cards SET note='#123', color='#f00' WHERE pts=0",
        ),
        (
            "UPDATE cards SET note=#f00 WHERE note IS NOT 'a #f00'",
            "UPDATE cards SET note='#f00' WHERE note IS NOT 'a #f00'",
        ),
        (
            "DELETE FROM cards WHERE name=#f00",
            "DELETE FROM cards WHERE name='#f00'",
        ),
        (
            "INSERT INTO cards(name, lane) VALUES (#f00, 'Todo')",
            "INSERT INTO cards(name, lane) VALUES ('#f00', 'Todo')",
        ),
        (
            "modify @where:\"color <> #f00\" pts:2",
            "modify @where:\"color <> '#f00'\" pts:2",
        ),
        ("modify Paint note:=#f00", "modify Paint note:=\"'#f00'\""),
        (
            "each \"SELECT #f00 AS n\" \"modify Paint note:{n}\"",
            "each \"SELECT '#f00' AS n\" \"modify Paint note:{n}\"",
        ),
    ] {
        let (message, try_line) = play.mend(op);
        assert_eq!(try_line, mended, "{op}");
        assert!(message.contains(" is a parameter in SQL"), "{message}");
    }
    for name in [":x", "$x", "@x", "?", "?1", "$x::y"] {
        for op in [
            "UPDATE cards SET note=%",
            "UPDATE cards SET note='a' WHERE name IS NOT %",
            "UPDATE cards SET note='a' WHERE name='Nobody' AND pts=%",
            "DELETE FROM cards WHERE name IS NOT %",
            "INSERT INTO remarks(text, card) VALUES ('a', %)",
            "INSERT INTO remarks(text) SELECT % WHERE 0",
            "modify @where:\"name IS NOT %\" pts:2",
            "modify @where:\"SELECT ref FROM cards WHERE name IS NOT %\" pts:2",
            "modify Paint note:=\"%\"",
            "modify Paint note:=\"coalesce(%, name)\"",
            "each \"SELECT name FROM cards WHERE name IS NOT %\" \"modify {name} pts:2\"",
        ] {
            let op = op.replace('%', name);
            let error = play.err(&op);
            assert!(error.contains(" is a parameter in SQL"), "{op}: {error}");
        }
        let query = format!("SELECT name FROM cards WHERE name IS NOT {name}");
        let error = play.ask_err(&query);
        assert!(error.contains(" is a parameter in SQL"), "{query}: {error}");
    }
    assert_eq!(play.digest(), digest);
    // In quotes they are texts.
    play.ok("UPDATE cards SET note='#f00 :x ?' WHERE name='Paint'");
    let answer = play.ask("SELECT note FROM cards WHERE note LIKE '%?'");
    assert!(answer.contains("\n#f00 :x ?\n"), "{answer}");
}

#[test]
fn a_ref_names_a_row_as_in_ops() {
    // On a fresh document, before any query.
    for condition in [
        "SELECT name AS ref FROM cards WHERE pts=8",
        "SELECT 'Hang' AS ref",
        "SELECT 'card:hang' AS ref",
        "SELECT '#' || 6 AS ref",
        "SELECT card AS ref FROM remarks",
        "SELECT NULL AS ref UNION SELECT 'hang'",
    ] {
        let mut play = Play::new();
        play.ops(&["add remark text:a on:Hang"]);
        let op = format!("modify @where:\"{condition}\" color:red");
        let first = play.ok(&op);
        play.act("undo");
        play.ask("SELECT ref FROM cards");
        assert_eq!(play.ok(&op), first, "{condition}");
    }
    let mut play = Play::new();
    let error = play.err("modify @where:\"SELECT 'Nobody' AS ref\" pts:2");
    assert!(
        error.contains("ref Nobody names no row of the document"),
        "{error}"
    );
    // A deletion takes whole names only.
    play.ok("modify @where:\"SELECT 'Han' AS ref\" pts:2");
    let error = play.err("remove @where:\"SELECT 'Han' AS ref\"");
    assert!(error.contains("only begins like Hang"), "{error}");
}

#[test]
fn faulty_statements_are_repaired() {
    let mut play = Play::new();
    for (op, mended) in [
        ("UPDATE card SET pts=3", "UPDATE cards SET pts=3"),
        ("UPDATE cards SET points=3", "UPDATE cards SET pts=3"),
        (
            "UPDATE cards SET pts=points+3",
            "UPDATE cards SET pts=pts+3",
        ),
        (
            "UPDATE cards SET pts=300 WHERE name='Buy'",
            "UPDATE cards SET pts=100 WHERE name='Buy'",
        ),
        (
            "UPDATE cards SET color='rde'",
            "UPDATE cards SET color='red'",
        ),
        (
            "UPDATE cards SET pts=1 WHERE lane=Todo",
            "UPDATE cards SET pts=1 WHERE lane='Todo'",
        ),
        ("UPDATE cards SET pts:=pts+1", "UPDATE cards SET pts=pts+1"),
        ("modify Paint pts:=points+1", "modify Paint pts:=pts+1"),
        ("modify Paint pts:pts*2", "modify Paint pts:=pts*2"),
        ("modify Paint pts=pts*2", "modify Paint pts:=pts*2"),
        (
            "modify @where:\"points > 5\" color:red",
            "modify @where:\"pts > 5\" color:red",
        ),
        (
            "modify @where:\"lane = Todo\" color:red",
            "modify @where:\"lane = 'Todo'\" color:red",
        ),
        (
            "each \"SELECT nmae FROM cards\" \"modify {name} pts:2\"",
            "each \"SELECT name FROM cards\" \"modify {name} pts:2\"",
        ),
        (
            "each \"SELECT name FROM cards\" \"modify {nmae} pts:2\"",
            "each \"SELECT name FROM cards\" \"modify {name} pts:2\"",
        ),
        (
            "each \"SELECT name, pts FROM cards\" \"modify {name} ptss:{pts}\"",
            "each \"SELECT name, pts FROM cards\" \"modify {name} pts:{pts}\"",
        ),
        // A computed value is held to its bounds, and never replaced by one of them.
        (
            "UPDATE cards SET pts=pts*90",
            "UPDATE cards SET pts=min(pts*90, 100)",
        ),
        (
            "UPDATE cards SET pts=(pts-9)*90",
            "UPDATE cards SET pts=min(max((pts-9)*90, 1), 100)",
        ),
        (
            "UPDATE cards SET color='red', pts=pts*90",
            "UPDATE cards SET color='red', pts=min(pts*90, 100)",
        ),
        (
            "UPDATE cards SET ref='x' WHERE name='Buy'",
            "UPDATE cards SET name='x' WHERE name='Buy'",
        ),
        (
            "UPDATE cards SET lane='Tood'",
            "UPDATE cards SET lane='Todo'",
        ),
        (
            "INSERT INTO cards(name, lane, pts) VALUES ('A', 'Todo', 300)",
            "INSERT INTO cards(name, lane, pts) VALUES ('A', 'Todo', 100)",
        ),
        (
            "INSERT INTO cards(name, lane) VALUES ('A', 'Todo'), ('B', 'Tood')",
            "INSERT INTO cards(name, lane) VALUES ('A', 'Todo'), ('B', 'Todo')",
        ),
        (
            "modify Paint note:=nmae||' x'",
            "modify Paint note:=\"name||' x'\"",
        ),
        ("add card A lane:Todo", "add card A in:Todo"),
    ] {
        assert_eq!(play.mend(op).1, mended, "{op}");
    }
    for (op, error) in [
        (
            "INSERT INTO cards(pts) VALUES (3)",
            "a row of cards needs name and lane\n",
        ),
        (
            "UPDATE cards SET pts=pts+ WHERE pts < 3",
            "something is missing after +\n",
        ),
        (
            "modify @where:\"pts >\" color:red",
            "something is missing after >\n",
        ),
        ("modify Paint pts:=pts+", "something is missing after +\n"),
        (
            "modify @where:\"color='crimson'\" pts:2",
            " matches nothing (no color is 'crimson'; one is 'white')",
        ),
        ("UPDATE cards SET note=x'41'", "x'41' is a blob"),
        ("modify Paint note:=x'41'", "x'41' is a blob"),
        (
            "INSERT INTO remarks(text) VALUES (x'41')",
            "x'41' is a blob",
        ),
        (
            "each \"SELECT x'41' AS t\" \"modify Paint note:{t}\"",
            "x'41' is a blob",
        ),
    ] {
        let reply = play.err(op);
        assert!(reply.contains(error), "{op}: {reply}");
    }
    for op in [
        "UPDATE cards SET ref='x'",
        "UPDATE cards SET pts=1 RETURNING ref",
        "UPDATE cards SET pts=1 ORDER BY pts LIMIT 1",
        "UPDATE OR IGNORE cards SET pts=1",
        "INSERT INTO cards VALUES (1)",
        "INSERT OR REPLACE INTO cards(name) VALUES (1)",
        "DELETE cards WHERE pts=1",
        "UPDATE cards SET pts=1 WHERE (SELECT 1",
        "UPDATE cards SET pts='",
        "each \"SELECT 1\" \"each {a} {b}\"",
        "each \"DELETE FROM cards\" \"modify Paint pts:2\"",
        "modify Nobody pts:=pts+1",
    ] {
        play.err(op);
    }
}

#[test]
fn a_whole_task_is_one_call() {
    let mut play = Play::closed();
    let answer = play.run(
        &[
            "! new",
            "add lane Todo",
            "add card Write in:Todo pts:5",
            "? SELECT name, pts FROM cards",
            "UPDATE cards SET pts=pts+1",
            "SELECT pts FROM cards",
            "save as:a.board",
        ],
        None,
    );
    let lines: Vec<&str> = answer.text.lines().collect();
    assert!(!answer.is_error, "{}", answer.text);
    assert!(
        lines[0].starts_with("+ New")
            && lines[1].starts_with("  tables: lanes, cards")
            && lines[2] == "+ lane Todo",
        "{}",
        answer.text
    );
    let from = lines
        .iter()
        .position(|line| *line == "? SELECT name, pts FROM cards")
        .unwrap();
    assert_eq!(
        lines[from + 1..from + 4],
        ["name | pts", "Write | 5", "(1 row)"]
    );
    assert!(
        answer
            .text
            .contains("? SELECT pts FROM cards\npts\n6\n(1 row)\n* Saved a.board"),
        "{}",
        answer.text
    );
    assert_eq!(
        answer.text.matches('#').count(),
        1,
        "one digest: {}",
        answer.text
    );
    assert!(
        lines.last().unwrap().starts_with("[1l 1c"),
        "{}",
        answer.text
    );
    assert!(play.dir.path().join("a.board").exists());
}

#[test]
fn lines_of_one_string_are_ops_where_they_begin_as_ops_do() {
    let mut play = Play::closed();
    let block = "! new\nadd lane Todo\nadd card Write in:Todo\n  pts:5 note:\"one\nadd two\"\n\n\
        add\n  card Paint in:Todo pts:1\nUPDATE cards\n SET pts =\n  (SELECT max(pts)\nFROM cards)\nWHERE name='Paint'\n\
        INSERT INTO cards(name, lane)\nSELECT 'Third', 'Todo'\n? SELECT name,\npts\nFROM cards\nWITH a AS\n\
        (SELECT 1 AS x)\nSELECT x FROM a\nmodify Third pts:2\nsave as:a.board";
    let answer = play.run(&[block], None);
    assert!(!answer.is_error, "{}", answer.text);
    for part in [
        "Write | 5\nPaint | 5\nThird | 1\n(3 rows)",
        "? SELECT name, pts FROM cards\nname",
        "x\n1\n(1 row)",
        "* Saved a.board",
        "[1l 3c",
    ] {
        assert!(answer.text.contains(part), "{part} in {}", answer.text);
    }
    let file = std::fs::read_to_string(play.dir.path().join("a.board")).unwrap();
    assert!(file.contains("one\\nadd two"), "{file}");
    // A line break before a word that does not begin an op does not split an op; an error names its
    // op.
    let answer = play.run(
        &["add card Fourth\nin:Todo\nmodify Fourth pts:x\nremove Fourth"],
        None,
    );
    assert!(answer.text.contains("op 2 of 3 failed"), "{}", answer.text);
}

#[test]
fn a_failed_edit_is_never_saved() {
    let mut play = Play::new();
    let before = play.digest();
    let answer = play.run(
        &[
            "modify Paint pts:7",
            "modify Nobody pts:1",
            "? list",
            "! save as:a.board",
            "? list",
        ],
        None,
    );
    assert!(answer.is_error);
    assert!(
        answer
            .text
            .contains("! batch rolled back: op 2 of 2 failed\n"),
        "{}",
        answer.text
    );
    assert!(
        answer
            .text
            .contains("! the call ended here: 3 lines not run\n"),
        "{}",
        answer.text
    );
    assert_eq!(
        (play.digest(), play.dir.path().join("a.board").exists()),
        (before, false)
    );
    let answer = play.run(
        &[
            "batch stop",
            "modify Paint pts:7",
            "modify Nobody pts:1",
            "! save as:a.board",
        ],
        None,
    );
    assert!(
        answer.is_error && !play.dir.path().join("a.board").exists(),
        "{}",
        answer.text
    );
    // A failing query does not end the call.
    let answer = play.run(
        &["modify Paint pts:9", "? SELECT bad", "! save as:a.board"],
        None,
    );
    assert!(
        !answer.is_error && play.dir.path().join("a.board").exists(),
        "{}",
        answer.text
    );
    let answer = play.run(&["! open none.board", "modify Paint pts:9"], None);
    assert!(
        answer.is_error && answer.text.contains("1 line not run"),
        "{}",
        answer.text
    );
}

#[test]
fn signs_are_taken_by_their_own_tools() {
    let mut play = Play::new();
    assert_eq!(play.ask("? stats"), play.ask("stats"));
    assert!(play.act("! checkpoint here").starts_with("* "));
}

#[test]
fn statements_after_a_semicolon_are_statements_of_their_own() {
    let mut play = Play::new();
    let reply = play
        .ok("UPDATE cards SET pts=1 WHERE ref='Paint'; UPDATE cards SET pts=2 WHERE ref='Paint';");
    assert_eq!(reply.matches("pts").count(), 2, "{reply}");
    assert_eq!(
        play.ask("SELECT 1 AS a; SELECT pts FROM cards WHERE ref='Paint'"),
        "? SELECT 1 AS a\na\n1\n(1 row)\n? SELECT pts FROM cards WHERE ref='Paint'\npts\n2\n(1 row)"
    );
    // A semicolon in a text ends nothing.
    play.ok("UPDATE cards SET pts=3 WHERE ref='Paint;' OR ref='Paint'");
}

#[test]
fn sql_as_people_write_it_is_repaired() {
    let mut play = Play::new();
    for (op, mended) in [
        ("UPDATE cards SET pts+=1", "UPDATE cards SET pts=pts+1"),
        (
            "UPDATE cards SET pts*=1+1",
            "UPDATE cards SET pts=pts*(1+1)",
        ),
        (
            "DELETE cards WHERE ref='Nobody'",
            "DELETE FROM cards WHERE ref='Nobody'",
        ),
        (
            "UPDATE cards SET pts=pts*1.5 WHERE ref='Paint'",
            "UPDATE cards SET pts=round(pts*1.5) WHERE ref='Paint'",
        ),
        (
            "modify Paint pts:=pts*1.5",
            "modify Paint pts:=round(pts*1.5)",
        ),
    ] {
        assert_eq!(play.mend(op).1, mended, "{op}");
    }
    // Another mistake after the first one leaves only its name.
    let error = play.err("UPDATE card SET pts='x'");
    assert!(
        error.contains("did you mean cards?") && error.contains("try: ? tables"),
        "{error}"
    );
    let error = play.err("DROP TABLE cards");
    assert!(error.contains("DROP is not supported"), "{error}");
}

#[test]
fn a_copy_differs_from_its_original_in_one_op() {
    let mut play = Play::new();
    let before = play.digest();
    let reply = play.ok("copy Paint name:Varnish set pts:=pts*2 color:red");
    assert!(reply.starts_with("+ card Varnish"), "{reply}");
    assert!(
        reply.contains("\n  * card Varnish in:Todo pts:10 color:red"),
        "{reply}"
    );
    let recent = play.ask("list @recent");
    assert!(
        recent.lines().count() == 1 && recent.contains("Varnish"),
        "{recent}"
    );
    assert!(play.act("undo").contains("undone 1 op: copy"));
    assert_eq!(play.digest(), before);
    let reply = play.ok("copy @type:card set pts:3");
    assert!(reply.contains("3 copies"), "{reply}");
    let rows = play.ask("SELECT pts, count(*) AS n FROM cards GROUP BY pts ORDER BY pts");
    assert!(rows.starts_with("pts | n\n3 | 3\n5 | 1\n"), "{rows}");
    play.act("undo");
    // Refused as a whole, with the whole op as the repair.
    assert_eq!(play.mend("copy Paint set ptz:5").1, "copy Paint set pts:5");
    assert_eq!(play.mend("copy Piant set pts:5").1, "copy Paint set pts:5");
    let error = play.err("copy Paint set zzqx:5");
    assert!(
        error.contains("(set changes the copies by keys of modify"),
        "{error}"
    );
    assert_eq!(play.digest(), before);
    play.ok("each \"SELECT ref FROM cards WHERE pts > 5\" \"copy {ref} set pts:1\"");
    assert!(play.act("undo").contains("undone 1 op: each"));
}

#[test]
fn a_list_may_begin_with_a_selector() {
    let mut play = Play::new();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let both = play.ask("list Ann,@type:lane");
    let answer = play.ask("list @type:lane,Ann");
    assert_eq!(sorted(&answer), sorted(&both));
    for list in [
        "list @type:lane,Nobody",
        "list @type:lane,person",
        "list @type:lane,Ann @recent",
        "list @color:red,Ann",
    ] {
        play.ask_err(list);
    }
    play.ok("remove @type:link,Paint");
    play.ask_err("describe Paint");
}
