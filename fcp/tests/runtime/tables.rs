//! A document as tables: SQL as a query, and its bounds.

use fcp::endpoint::Endpoint;

use super::Play;

/// A board with two lanes, three cards, and a person.
fn board() -> Play {
    let mut play = Play::empty();
    play.ops(&[
        "add lane Todo",
        "add lane Done",
        "add person Ann",
        "add card Write in:Todo pts:5 owner:Ann",
        "add card Test in:Todo pts:8 color:red",
        "add card Ship in:Done pts:13",
    ]);
    play
}

#[test]
fn every_kind_of_row_is_a_table() {
    let mut play = board();
    let answer = play.ask("SELECT lane, sum(pts) AS pts FROM cards GROUP BY lane ORDER BY lane");
    assert_eq!(answer, "lane | pts\nDone | 13\nTodo | 13\n(2 rows)");
    let answer =
        play.ask("WITH red AS (SELECT * FROM cards WHERE color='red') SELECT ref, owner FROM red");
    assert_eq!(answer, "ref | owner\nTest | NULL\n(1 row)");
    let answer = play.ask("SELECT p.name, c.name FROM people p JOIN cards c ON c.owner = p.ref");
    assert_eq!(answer, "name | name\nAnn | Write\n(1 row)");
    // A column that joins tables by name is filled in each of them.
    let answer = play.ask("SELECT ref, b.pts FROM cards a JOIN cards b USING (ref) WHERE a.pts=8");
    assert_eq!(answer, "ref | pts\nTest | 8\n(1 row)");
    let joined =
        "SELECT name, lane FROM (SELECT name, ref FROM cards) NATURAL JOIN cards WHERE pts=5";
    assert_eq!(play.ask(joined), "name | lane\nWrite | Todo\n(1 row)");
    let other = "SELECT count(*) FROM people JOIN lanes USING (name)";
    assert_eq!(play.ask(other), "count(*)\n0\n(1 row)");
    assert!(
        play.ask("tables")
            .contains("cards(ref, name, lane, pts, color")
    );
    assert!(
        play.ask("tables cards")
            .contains("pts INTEGER, writable  The amount of work. (here: 5 to 13)")
    );
    assert!(play.ask_err("tables card").ends_with("try: tables cards"));
}

#[test]
fn every_question_that_is_misspelled_has_a_repair_or_a_syntax_line() {
    let mut play = board();
    let good = [
        "SELECT lane, sum(pts) AS pts FROM cards WHERE pts > 5 GROUP BY lane HAVING sum(pts) > 1 ORDER BY lane LIMIT 2",
        "WITH red AS (SELECT * FROM cards WHERE color='red') SELECT ref, owner FROM red",
        "SELECT p.name, upper(c.name) FROM people p JOIN cards c ON c.owner = p.ref WHERE c.name LIKE 'W%'",
        "SELECT CASE WHEN pts BETWEEN 5 AND 8 THEN 'few' ELSE 'many' END AS size FROM cards",
    ];
    let mut refused = 0;
    for question in good {
        let words: Vec<&str> = question.split(' ').collect();
        for at in 0..words.len() {
            let word = words[at];
            let doubled = format!("{word} {word}");
            let short = &word[..word.len() - 1];
            for new in [
                None,
                Some(&*doubled),
                Some(short),
                Some("SELECT"),
                Some(")"),
            ] {
                let (before, after) = (&words[..at], &words[at + 1..]);
                let all = before
                    .iter()
                    .copied()
                    .chain(new)
                    .chain(after.iter().copied());
                let text = format!("? {}", all.collect::<Vec<_>>().join(" "));
                let answer = play.session.query(&text);
                if answer.is_error {
                    refused += 1;
                    let told = ["\n  try: ", "\n  syntax: ", "; there are: "];
                    assert!(
                        told.iter().any(|word| answer.text.contains(word)),
                        "{text}\n{}",
                        answer.text
                    );
                }
            }
        }
    }
    assert!(refused > 200, "{refused}");
    assert_eq!(
        play.ask_err("SELECT summ(pts) FROM cards"),
        "! no such function: summ\n  try: SELECT sum(pts) FROM cards"
    );
    assert!(
        play.ask_err("SELECT")
            .contains("\n  syntax: SELECT EXPR, …")
    );
}

#[test]
fn a_question_has_one_answer_whatever_was_asked_before() {
    let questions = [
        "SELECT count(*) FROM cards JOIN lanes ON lanes.name = cards.lane",
        "SELECT count(*) FROM cards c JOIN people p USING (name)",
        "SELECT count(*) FROM cards a JOIN cards b USING (lane)",
        "SELECT count(*) FROM cards a JOIN cards b USING (lane, pts)",
        "SELECT lane, count(*) FROM cards JOIN (SELECT name AS lane FROM lanes) USING (lane) GROUP BY lane",
        "SELECT count(*) FROM cards a LEFT JOIN cards b USING(\"lane\")",
        "SELECT count(*) FROM cards a FULL JOIN cards b USING (ref)",
        "SELECT count(*) FROM cards a NATURAL JOIN cards b",
        "SELECT count(*) FROM (SELECT lane FROM cards) NATURAL JOIN (SELECT lane FROM cards)",
        "WITH own AS (SELECT * FROM cards) SELECT count(*) FROM own JOIN cards USING (lane)",
        "SELECT count(*) FROM cards, lanes",
        "SELECT count(*) FROM cards WHERE EXISTS (SELECT 1 FROM lanes)",
        "SELECT count(*) FROM cards WHERE lane IN (SELECT name FROM lanes)",
        "SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY lane ORDER BY pts) AS n FROM cards)",
        "SELECT count(rowid) FROM cards",
        "SELECT name FROM cards UNION SELECT name FROM lanes",
    ];
    // All columns of all tables are read, so nothing is left out for want of a report.
    let mut full = board();
    for table in ["cards", "lanes", "people", "remarks"] {
        full.ask(&format!("SELECT * FROM {table}"));
    }
    for question in questions {
        let first = board().ask(question);
        assert_eq!(first, full.ask(question), "{question}");
    }
    assert!(
        full.ask(questions[2]).contains("\n5\n"),
        "the test has rows to join"
    );
    assert!(
        full.ask(questions[4]).contains("Done | "),
        "the test has rows to join"
    );
}

#[test]
fn tables_follow_every_change() {
    let mut play = board();
    let count = "SELECT count(*), sum(pts) FROM cards";
    assert!(play.ask(count).contains("\n3 | 26\n"));
    play.ops(&["add card More in:Todo"]);
    assert!(play.ask(count).contains("\n4 | 27\n"));
    play.act("undo");
    assert!(play.ask(count).contains("\n3 | 26\n"));
    // Changes of a batch that is rolled back remain invisible.
    play.run(
        &["modify @where:\"pts > 5\" pts:50", "modify Nobody pts:1"],
        None,
    );
    assert!(play.ask(count).contains("\n3 | 26\n"));
    play.act("new");
    assert!(play.ask(count).contains("\n0 | NULL\n"));
}

#[test]
fn several_queries_are_one_a_line() {
    let mut play = board();
    let answer = play.ask(
        "SELECT count(*)\nFROM cards\nWHERE name <> 'a\nb'\nstats\n? SELECT 1 UNION\nSELECT 2",
    );
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!(lines[0], "? SELECT count(*) FROM cards WHERE name <> 'a b'");
    assert_eq!(lines[2], "3");
    assert!(lines.contains(&"? stats"), "{answer}");
    assert!(answer.ends_with("1\n1\n2\n(2 rows)"), "{answer}");
}

#[test]
fn the_heading_of_an_expression_is_on_one_line() {
    let mut play = board();
    let answer = play.ask("SELECT (\n1)");
    assert_eq!(answer, "( 1)\n1\n(1 row)");
}

#[test]
fn answers_page_by_their_own_query() {
    let mut play = board();
    let answer = play.ask("SELECT name FROM cards ORDER BY pts limit:2");
    assert_eq!(
        answer,
        "name\nWrite\nTest\n… 1 more (SELECT name FROM cards ORDER BY pts limit:2 from:3)"
    );
    assert_eq!(
        play.ask("SELECT name FROM cards ORDER BY pts limit:2 from:3"),
        "name\nShip\n(3 rows)"
    );
    let beyond = play.ask("SELECT name FROM cards limit:2 from:9");
    assert!(beyond.ends_with("nothing from 9; there are 3"), "{beyond}");
}

#[test]
fn errors_suggest_the_intended_name() {
    let mut play = board();
    for (query, mended) in [
        ("SELECT points FROM cards", "SELECT pts FROM cards"),
        ("SELECT nmae FROM cards", "SELECT name FROM cards"),
        ("SELECT name FROM card", "SELECT name FROM cards"),
        ("SELECT name FORM cards", "SELECT name FROM cards"),
        (
            "SELECT name FROM cards WHERE color = red",
            "SELECT name FROM cards WHERE color = 'red'",
        ),
        (
            "SELECT name FROM cards WHERE color = \"red\"",
            "SELECT name FROM cards WHERE color = 'red'",
        ),
    ] {
        let answer = play.session.query(query);
        assert!(answer.is_error, "{query}");
        assert!(
            answer.text.ends_with(&format!("\n  try: {mended}")),
            "{query}: {}",
            answer.text
        );
        assert!(!play.session.query(mended).is_error, "{mended}");
    }
}

#[test]
fn changes_are_a_table() {
    let mut play = board();
    play.act("save as:a.board");
    play.act("open a.board");
    let all = "SELECT ref, tbl, kind, field, before, after FROM changes";
    assert!(play.ask(all).ends_with("\n(0 rows)"));
    play.ops(&["modify Write pts:9", "remove Test", "add card New in:Done"]);
    let answer = play.ask(all);
    let mut lines: Vec<&str> = answer.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "(3 rows)",
            "New | cards | added | NULL | NULL | #7 card New in:Done pts:1 color:white",
            "Test | cards | removed | NULL | #5 card Test in:Todo pts:8 color:red | NULL",
            "Write | cards | changed | pts | 5 | 9",
            "ref | tbl | kind | field | before | after",
        ]
    );
    // Numeric values are numbers, and existing rows can be selected by their ref.
    let answer = play.ask("SELECT after - before FROM changes WHERE kind='changed'");
    assert!(answer.contains("\n4\n"), "{answer}");
    play.ok("modify @where:\"SELECT ref FROM changes WHERE kind='added'\" pts:3");
    assert!(
        play.ask("SELECT pts FROM cards WHERE name='New'")
            .contains("\n3\n")
    );
    let answer = play.ask_err("SELECT tabl FROM changes");
    assert!(
        answer.ends_with("\n  try: SELECT tbl FROM changes"),
        "{answer}"
    );
    for op in [
        "UPDATE changes SET after=1",
        "DELETE FROM changes",
        "INSERT INTO changes(tbl) VALUES (1)",
    ] {
        play.err(op);
    }
    play.act("undo 4");
    assert!(play.ask(all).ends_with("\n(0 rows)"));
}

#[test]
fn changes_count_from_a_checkpoint() {
    let mut play = board();
    let fields = "SELECT field, before, after FROM changes WHERE kind='changed'";
    let count = "SELECT count(*) FROM changes";
    assert!(play.ask(count).contains("\n6\n"), "a new board is all new");
    play.act("checkpoint draft");
    play.ops(&["modify Write pts:9"]);
    play.act("set since:draft");
    assert!(play.act("set").contains("since:draft"));
    assert!(play.ask(fields).contains("\npts | 5 | 9\n"));
    // A moved checkpoint updates the table.
    play.act("checkpoint draft");
    assert!(play.ask(count).contains("\n0\n"));
    play.ops(&["modify Write pts:10"]);
    assert!(play.ask(fields).contains("\npts | 9 | 10\n"));
    // Undone changes are changes too.
    play.act("undo 2");
    assert!(play.ask(fields).contains("\npts | 9 | 5\n"));
    assert!(
        play.act_err("set since:darft")
            .ends_with("try: set since:draft")
    );
    play.act("set since:default");
    assert!(play.ask(count).contains("\n6\n"));
    play.act("set since:draft");
    play.act("new");
    assert!(
        play.act("set").contains("since:open"),
        "another document has other checkpoints"
    );
}

#[test]
fn nothing_writes_in_a_query() {
    let mut play = board();
    let digest = play.session.digest();
    for query in [
        "UPDATE cards SET pts=1",
        "DELETE FROM cards",
        "INSERT INTO cards(name) VALUES ('x')",
        "REPLACE INTO cards(name) VALUES ('x')",
        "WITH c AS (SELECT 1) DELETE FROM cards",
        "PRAGMA hard_heap_limit=0",
        "ATTACH 'x.db' AS x",
        "VACUUM",
        "CREATE TABLE x(a)",
        "DROP TABLE cards",
        "SELECT load_extension('x')",
        "SELECT * FROM pragma_database_list",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM dbstat",
        "SELECT 1; DELETE FROM cards",
        "ATTACH DATABASE ':memory:' AS x",
        "DETACH main",
        "PRAGMA writable_schema=1",
        "SELECT * FROM pragma_table_info('cards')",
        "SELECT 1 FROM cards WHERE load_extension('x') IS NULL",
        "SELECT writefile('x', 'y')",
        "SELECT readfile('/etc/passwd')",
        "SELECT edit('x')",
        "SELECT fts3_tokenizer('x')",
        "WITH c AS (SELECT 1) UPDATE cards SET pts=1",
        "WITH c AS (SELECT 1) INSERT INTO cards(name) SELECT 'x'",
        "SELECT * FROM (DELETE FROM cards RETURNING *)",
        "CREATE TEMP TABLE x AS SELECT * FROM cards",
        "CREATE TRIGGER x AFTER INSERT ON cards BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE x USING fts5(a)",
        "ALTER TABLE cards ADD COLUMN x",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "SAVEPOINT x",
        "VACUUM INTO 'x.db'",
        "EXPLAIN DELETE FROM cards",
        "SELECT 1; ATTACH 'x.db' AS x",
        "SELECT total_changes()",
        "SELECT last_insert_rowid()",
        "SELECT * FROM sqlite_temp_master",
        "SELECT * FROM _picked",
    ] {
        let answer = play.session.query(query);
        assert!(answer.is_error, "{query}: {}", answer.text);
    }
    assert_eq!(play.session.digest(), digest);
    let files = std::fs::read_dir(play.dir.path()).unwrap().count();
    assert_eq!(files, 0, "a statement wrote a file");
    assert!(play.ask("SELECT count(*) FROM cards").contains("\n3\n"));
    assert!(
        play.session
            .query("UPDATE cards SET pts=1")
            .text
            .contains("an op of the edit tool")
    );
}

#[test]
fn nothing_differs_between_two_runs() {
    let mut play = board();
    for call in [
        "random()",
        "randomblob(4)",
        "date('now')",
        "CURRENT_TIMESTAMP",
        "strftime('%s')",
        "julianday()",
        "unixepoch()",
    ] {
        let answer = play.session.query(&format!("SELECT {call}"));
        assert!(
            answer.is_error && answer.text.contains("is not available"),
            "{call}: {}",
            answer.text
        );
        let op = format!("modify @where:\"pts > {call}\" pts:2");
        assert!(play.err(&op).contains("is not available"), "{op}");
    }
}

/// The most processor time of a bomb.
const SOON: std::time::Duration =
    std::time::Duration::from_secs(if cfg!(debug_assertions) { 6 } else { 2 });

/// Statements without bound, with the limit that stops them.
const BOMBS: &[(&str, &str)] = &[
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT max(x) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c",
        "sql-rows",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 100000) SELECT count(*) FROM c a, c b, c d",
        "sql-steps",
    ),
    ("SELECT length(zeroblob(1000000000))", "sql-value"),
    ("SELECT printf('%*s', 1000000000, 'x')", "sql-value"),
    ("SELECT hex(zeroblob(60000))", "sql-value"),
    (
        "SELECT replace(hex(zeroblob(20000)), '0', '0123456789')",
        "sql-value",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x||x FROM c) SELECT length(x) FROM c",
        "sql-value",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT sum(length(replace(hex(zeroblob(900 + x % 2)),'0','ab'))) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT sum(printf('%*s', 4000 + x % 2, 'x') LIKE '% % % % % % %b') FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT printf('%4000d', 1) UNION ALL SELECT x||' ' FROM c) SELECT count(*) FROM (SELECT x FROM c ORDER BY x)",
        "sql-",
    ),
    (
        "SELECT count(*) FROM cards a, cards b, cards c, cards d, cards e, cards f, cards g, cards h, cards i, cards j, \
         cards k, cards l, cards m, cards n, cards o, cards p, cards q, cards r",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 20000) \
         SELECT count(*) FROM c a JOIN c b ON a.x <> b.x ORDER BY a.x",
        "sql-steps",
    ),
    ("SELECT printf('%1000000000d', 1)", "sql-value"),
    ("SELECT printf('%.*f', 1000000000, 1.0)", "sql-value"),
    (
        "SELECT length(randomize) FROM (SELECT replace(printf('%2000d', 0), ' ', printf('%2000d', 0)) AS randomize)",
        "sql-value",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(printf('%*s', 900 + x % 2, 'x') GLOB '*a*a*a*a*a*a*a*a*a*b') FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(regexp('(x+x+)+y', printf('%*s', 900 + x % 2, 'x'))) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(instr(printf('%*s', 3000 + x % 2, 'a'), printf('%*s', 1500, 'a'))) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT count(*) FROM c, json_each('[1,2,3,4,5,6,7,8,9]')",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT x, row_number() OVER (ORDER BY -x) FROM c",
        "sql-",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT json_group_array(x) FROM c",
        "sql-",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(printf('%*s', 4000 + x % 2, ' ') LIKE printf('%%%900sb', ' ')) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(length(trim(printf('%*s', 4000 + x % 2, ' '), printf('%4000s', 'b')))) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(length(replace(printf('%*s', 4000 + x % 2, ' '), printf('%2000sb', ' '), 'x'))) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE t(s) AS (SELECT 'a' UNION ALL SELECT s||s FROM t WHERE length(s) < 32000), \
         c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT sum(s||x = s||'y') FROM c, t",
        "sql-",
    ),
    (
        "WITH RECURSIVE t(s) AS (SELECT 'a' UNION ALL SELECT s||s FROM t LIMIT 16), \
         c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT sum(s||x = s||'y') FROM c, t",
        "sql-",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(printf('%.*c', 300, 'a') || x REGEXP '^(a{1,50}){1,50}b') FROM c",
        "sql-steps",
    ),
    (
        "SELECT printf('%.*c', 60000, 'a') REGEXP '(a{1,100}){5}b'",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(printf('%.*c', 900, 'é') || x REGEXP '\\b(é{1,50}){1,9}b') FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum('x' REGEXP ('\\w{3}' || x)) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(('a' || x) REGEXP (x || '')) FROM c",
        "sql-steps",
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
         SELECT sum(length(upper(printf('%*s', 60000 + x % 2, 'x')))) FROM c",
        "sql-steps",
    ),
    (
        "SELECT group_concat(x, 'yyyyyyyyyyyyyyyy') FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c)",
        "sql-",
    ),
];

#[test]
fn no_statement_takes_more_than_its_bounds() {
    let mut play = board();
    for (bomb, limit) in BOMBS {
        let start = fcp::testing::processor_time();
        let answer = play.session.query(bomb);
        let took = fcp::testing::processor_time().saturating_sub(start);
        println!("{took:?} {bomb}");
        // SQLite is slower in a debug build.
        assert!(took < SOON, "{took:?} {bomb}");
        assert!(
            answer.is_error && answer.text.contains(&format!("set {limit}")),
            "{bomb}: {}",
            answer.text
        );
    }
    assert!(play.ask("SELECT count(*) FROM cards").contains("\n3\n"));
    // Values up to the limit, and patterns from a column, are fine.
    assert!(
        play.ask("SELECT length(upper(printf('%*s', 60000, 'x')))")
            .contains("60000")
    );
    let few = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 10000) \
               SELECT sum(('a' || (x % 10)) REGEXP ((x % 10) || '$')) FROM c";
    assert!(play.ask(few).contains("10000"), "{}", play.ask(few));
    let odd = play.ask("SELECT 'x' REGEXP NULL, 'a5' REGEXP 5, 'a5' REGEXP 6");
    assert!(odd.contains("NULL | 1 | 0"), "{odd}");
    play.act("set sql-value:4096");
    assert!(
        play.ask("SELECT length(hex(zeroblob(60000)))")
            .contains("120000")
    );
}

/// Statements that look at one long text of the document for each of very many rows.
const LONG: &[&str] = &[
    "sum(length(note))",
    "sum(note || x <> '')",
    "sum(note < note || x)",
    "sum(note = (SELECT note FROM cards WHERE name='Long'))",
    "sum(upper(note) <> '')",
    "sum(json_valid('[' || x || ',\"' || note || '\"]'))",
];

#[test]
fn no_statement_looks_at_a_long_text_too_often() {
    let mut play = board();
    let text = "abcdefgh ".repeat(7_000);
    play.ops(&[
        "add card Long in:Todo",
        &format!("modify Long note:\"{text}\""),
    ]);
    for looks in LONG {
        let bomb = format!(
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) \
             SELECT {looks} FROM cards, c WHERE name='Long'"
        );
        let start = fcp::testing::processor_time();
        let answer = play.session.query(&bomb);
        let took = fcp::testing::processor_time().saturating_sub(start);
        println!("{took:?} {looks}");
        assert!(took < SOON, "{took:?} {looks}");
        assert!(answer.text.contains("set sql-"), "{looks}: {}", answer.text);
    }
    // Each of them once is fine, and so is what does not read the text.
    for looks in LONG {
        let looks = looks
            .replace(" || x", " || pts")
            .replace("note ||", "'' || note ||");
        play.ask(&format!("SELECT {looks} FROM cards WHERE name='Long'"));
    }
    play.ask("SELECT count(*), sum(length(a.name || b.name)) FROM cards a, cards b, cards c");
}

#[test]
fn a_condition_takes_no_value_of_all_rows() {
    let mut play = board();
    let (error, fixed) = play.mend("modify @where:\"pts = max(pts)\" pts:1");
    assert!(
        error.starts_with("! max makes one value of all rows"),
        "{error}"
    );
    let meant = "modify @where:\"pts = (SELECT max(pts) FROM cards)\" pts:1";
    assert_eq!(fixed, meant);
    play.ok(&fixed);
    let pts = play.ask("SELECT pts FROM cards WHERE name='Ship'");
    assert!(pts.contains("\n1\n"), "{pts}");
    // With two values it compares them.
    play.ops(&["modify @where:\"pts = max(pts, 5)\" pts:2"]);
}

#[test]
fn conditions_read_more_rows_than_an_answer_may_have() {
    let mut play = board();
    play.act("set sql-rows:2");
    assert!(play.ask_err("SELECT ref FROM cards").contains("sql-rows"));
    play.ops(&["modify @where:\"name='Ship'\" pts:1"]);
    play.ops(&["modify @where:\"name='Ship'\" pts:=pts+1"]);
    assert!(
        play.ask("SELECT pts FROM cards WHERE name='Ship'")
            .contains("\n2\n")
    );
}

#[test]
fn ordinary_statements_are_within_the_limits() {
    let mut play = board();
    let rows = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT 200000)";
    let short = play.ask(&format!(
        "{rows} SELECT count(DISTINCT upper(substr(x,1,2))) AS n FROM c"
    ));
    assert!(short.contains("99"), "{short}");
    let list = vec!["1"; 60_000].join(",");
    let long = play.ask(&format!("SELECT 7 AS n WHERE 1 IN ({list})"));
    assert!(long.contains('7'), "{long}");
    let too_long = play
        .session
        .query(&format!("SELECT {}1", "1 + ".repeat(300_000)));
    assert!(
        too_long
            .text
            .contains("has more than 1,000,000 bytes; send it as several statements"),
        "{}",
        &too_long.text[..200]
    );
}

#[test]
fn the_next_page_of_a_statement_over_lines_can_be_asked_for() {
    let mut play = Play::new();
    let query = "SELECT ref -- all\nFROM cards\nWHERE name <> 'a\nb''\u{202e}' limit:1";
    let first = play.ask(query);
    let next = first.lines().last().unwrap();
    let next = next.split_once("more (").unwrap().1.trim_end_matches(')');
    assert_eq!(
        next,
        "SELECT ref FROM cards WHERE name <> ('a'||char(10)||'b'''||char(8238)||'') limit:1 from:2"
    );
    let second = play.ask(next);
    assert_eq!(second.lines().nth(1), Some("Hang"), "{second}");
}

#[test]
fn a_query_with_common_tables_has_several_lines() {
    let mut play = Play::new();
    let two = play.ask("WITH big AS (SELECT name FROM cards WHERE pts > 9)\nSELECT * FROM big");
    assert_eq!(two, "name\nBuy\n(1 row)");
}

#[test]
fn a_write_among_queries_is_named_as_an_op() {
    let mut play = Play::new();
    let both = play.ask("SELECT count(*) n FROM cards\nDELETE FROM cards");
    let wanted = "? SELECT count(*) n FROM cards\nn\n3\n(1 row)\n? DELETE FROM cards\n\
                  ! queries only read; this is an op of the edit tool";
    assert!(both.starts_with(wanted), "{both}");
}

#[test]
fn a_condition_is_judged_in_each_table_that_is_named() {
    let mut play = Play::new();
    let both = play.ask("list @type:card|lane @where:\"name LIKE '%n%'\"");
    assert!(both.contains("Hang") && both.contains("Done"), "{both}");
    let error = play.err("modify @type:card|lane @where:\"pts > 5\" color:red");
    assert!(error.contains("pts"), "{error}");
}
