//! Queries.

use super::Play;
use fcp::endpoint::Endpoint;

const MOST: usize = 16 * 1024;

#[test]
fn map_stats_and_describe_are_derived_from_the_model() {
    let mut play = Play::new();
    play.ok("title \"My plan\"");
    play.ok("add remark text:soon on:Paint");
    let map = play.ask("map");
    assert!(
        map.starts_with("My plan: 2 lanes, 3 cards, 2 people, 1 remark, 1 link\n"),
        "{map}"
    );
    assert!(map.contains("\n  card Paint in:Todo pts:5"), "{map}");
    let stats = play.ask("stats");
    assert!(
        stats.contains("lanes: 2\n") && stats.contains("links: 1"),
        "{stats}"
    );
    let card = play.ask("describe Paint");
    for line in [
        "#5 card Paint ",
        "  name: Paint",
        "  in: Todo",
        "  pts: 5",
        "  owner: Ann",
        "  remarks: 1",
    ] {
        assert!(card.contains(line), "{card}");
    }
    assert!(play.ask("describe Todo").contains("  cards: 2"));
    assert_eq!(play.ask("describe *").matches("\n#").count(), 8);
    assert!(play.ask("describe Paint,Hang").contains("#6 card Hang"));
    assert!(play.ask("describe @type:lane").contains("#2 lane Done"));
    assert!(play.ask_err("map all").contains("syntax: map"));
    assert!(play.ask_err("describe").contains("describe needs SEL"));
}

#[test]
fn list_takes_names_selectors_or_nothing() {
    let mut play = Play::new();
    assert_eq!(play.ask("list").lines().count(), 8);
    assert_eq!(play.ask("list *").lines().count(), 8);
    assert_eq!(play.ask("list Paint,Buy").lines().count(), 2);
    assert_eq!(play.ask("LIST @type:lane"), "#1 lane Todo\n#2 lane Done");
    assert_eq!(
        play.ask_err("list @tpye:lane"),
        "! no selector @tpye\n  try: list @type:lane"
    );
}

#[test]
fn a_long_answer_pages_and_its_tail_is_the_query_to_send() {
    let mut play = Play::new();
    play.ok("fill Done 1200");
    let mut query = "list @type:card".to_owned();
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let text = play.ask(&query);
        assert!(text.len() <= MOST);
        pages += 1;
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        let last = lines.last().unwrap().clone();
        let Some(tail) = last.strip_prefix("… ") else {
            seen.extend(lines);
            break;
        };
        lines.pop();
        seen.extend(lines);
        let (n, next) = tail.split_once(" more (").unwrap();
        assert_eq!(n.parse::<usize>().unwrap(), 1203 - seen.len());
        query = next.strip_suffix(')').unwrap().to_owned();
    }
    assert_eq!(pages, 13);
    assert_eq!(seen.len(), 1203);
    seen.dedup();
    assert_eq!(seen.len(), 1203);
    assert_eq!(play.ask("list limit:2 from:3").lines().count(), 3);
    assert!(
        play.ask("list limit:2 from:3")
            .ends_with("more (list limit:2 from:5)")
    );
    assert_eq!(
        play.ask("list @type:lane from:9"),
        "nothing from 9; there are 2"
    );
    assert!(
        play.ask("map from:9000")
            .contains("\nnothing from 9000; there are")
    );
}

#[test]
fn every_list_takes_limit_and_from() {
    let mut play = Play::new();
    play.ops(&["fill Done 50", "add person Cid", "add person Dan"]);
    for query in [
        "map",
        "stats",
        "describe *",
        "list",
        "find c",
        "history 99",
        "warnings",
        "diff checkpoint:c rows:on",
    ] {
        if query.starts_with("diff") {
            play.act("checkpoint c");
            play.ok("fill Todo 50");
        }
        let first = play.ask(&format!("{query} limit:1"));
        assert!(
            first.lines().last().unwrap().ends_with("from:2)"),
            "{query}: {first}"
        );
        let next = first.rsplit_once('(').unwrap().1.trim_end_matches(')');
        let second = play.ask(next);
        assert_ne!(first, second);
        for (wrong, right) in [
            ("limit:0", "limit:100"),
            ("from:x", "from:1"),
            ("limit:-3", "limit:100"),
        ] {
            let error = play.ask_err(&format!("{query} {wrong}"));
            assert!(error.ends_with(&format!("try: {query} {right}")), "{error}");
        }
        let error = play.ask_err(&format!("{query} limit:3 limit:4"));
        assert!(error.starts_with("! limit: is given twice"), "{error}");
    }
}

#[test]
fn no_answer_passes_sixteen_kib() {
    let mut play = Play::new();
    let text = "x".repeat(60_000);
    play.ok(&format!("title {text}"));
    play.ok(&format!("add card Long in:Todo note:{text}"));
    play.ok(&format!("add card Longer in:Todo note:{text}"));
    play.ok(&format!("add lane {text}"));
    play.ok("fill Todo 3000");
    let names: Vec<String> = (1..3000).map(|n| format!("c{n}")).collect();
    let names = names.join(",");
    for query in [
        "map",
        "list",
        "describe *",
        "describe Long",
        "find x",
        &format!("find {text}"),
        "history 99",
        &format!("list {names}"),
        &format!("describe {names} limit:9"),
        &format!("list {names},zzz"),
        &format!("load {text}y"),
        &format!("nothing {text}"),
        &format!("warnings {text}"),
        &format!("diff checkpoint:{text}"),
        &format!("list @zzz:{text}"),
        &format!("plan {}", vec!["add card Z in:Todo"; 1000].join("; ")),
        &format!("plan title {text}"),
        &format!("plan noot {text}"),
    ] {
        let answer = play.session.query(query);
        assert!(
            answer.text.len() <= MOST,
            "{} bytes: {}",
            answer.text.len(),
            &query[..query.len().min(40)]
        );
    }
}

#[test]
fn describe_pages_more_than_a_thousand_rows() {
    let mut play = Play::new();
    play.ok("fill Done 1500");
    let text = play.ask("describe @type:card from:1402 limit:1");
    assert!(text.starts_with("#1407 card c1399"), "{text}");
    assert!(
        text.ends_with("… 101 more (describe @type:card limit:1 from:1403)"),
        "{text}"
    );
}

#[test]
fn find_searches_every_field_and_names_it() {
    let mut play = Play::new();
    play.ok("modify Paint note:\"call Bob, 5 o'clock\"");
    assert!(play.ask("find paint").contains("(name)"));
    assert!(play.ask("find o'clock").contains("#5 card Paint"));
    assert!(play.ask("find o'clock").contains("(note)"));
    assert!(
        play.ask("find call Bob").contains("#5 "),
        "words are one text"
    );
    assert!(play.ask("find \"call Bob\"").contains("#5 "));
    assert!(
        play.ask("find Bob").lines().count() == 2,
        "a person and a note"
    );
    assert!(
        play.ask("find Todo").contains("(in)"),
        "references show the name"
    );
    assert_eq!(play.ask("find zebra"), "nothing matches");
    assert!(play.ask_err("find").contains("syntax: find TEXT"));
    assert!(play.ask_err("find \"\"").contains("find needs a text"));
    assert!(play.ask_err("find limit:3").contains("find needs a text"));
}

#[test]
fn find_key_value_narrows_to_one_field() {
    let mut play = Play::new();
    assert_eq!(play.ask("find name:a").lines().count(), 3);
    assert_eq!(play.ask("find pts:8").lines().count(), 1);
    assert_eq!(
        play.ask("find points:8").lines().count(),
        1,
        "aliases are keys too"
    );
    assert_eq!(play.ask("find owner:ann").lines().count(), 1);
    assert_eq!(
        play.ask_err("find nam:a"),
        "! no field is called nam\n  try: find name:a"
    );
    let error = play.ask_err("find https://x");
    assert!(error.ends_with("try: find \"https://x\""), "{error}");
}

#[test]
fn find_pages_any_text() {
    let mut play = Play::new();
    play.ok("modify Paint note:\"a b from:2 c\"");
    play.ok("modify Hang note:\"a b c\"");
    play.ok("modify Buy note:\"xfrom:2 y\"");
    assert!(play.ask("find a limit:5 b").lines().count() == 2);
    let first = play.ask("find a b limit:1");
    assert!(
        first.ends_with("… 1 more (find a b limit:1 from:2)"),
        "{first}"
    );
    assert!(play.ask("find a b limit:1 from:2").starts_with("#6 "));
    assert!(play.ask("find xfrom:2 y").contains("#7 "));
    assert!(play.ask("find xfrom:2 y from:1").contains("#7 "));
    play.ok("modify Paint note:\"it's \\\"so\"");
    assert!(play.ask("find it's \"so").contains("#5 "));
}

#[test]
fn history_is_numbered_as_undo_counts() {
    let mut play = Play::new();
    let text = play.ask("history 2");
    assert_eq!(
        text,
        "  2  add card Buy in:Done pts:20 color:red\n  1  link Paint Hang"
    );
    assert_eq!(play.ask("history").lines().count(), 8);
    play.act("undo 2");
    assert!(play.ask("history 1").starts_with("  1  add card Hang"));
    play.act("undo 99");
    assert_eq!(play.ask("history"), "nothing was done yet");
    play.act("redo 99");
    assert_eq!(play.ask("history 0"), "no ops were asked for");
    assert_eq!(
        play.ask_err("history x"),
        "! x is not a number of ops\n  try: history 10"
    );
    for wrong in [
        "history 2 3",
        "history checkpoint:x",
        "history @all",
        "warnings checkpoint:c",
    ] {
        let error = play.ask_err(wrong);
        assert!(error.contains("\n  syntax: "), "{error}");
    }
}

#[test]
fn ops_in_history_stay_on_one_line() {
    let mut play = Play::new();
    play.ok("title \"a\nb\"");
    play.ok("add\nlane\n  X");
    let text = play.ask("history 2");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn long_ops_in_history_are_cut_unless_the_last_is_asked_for_alone() {
    let mut play = Play::new();
    let title = "title \"It is told here at length what all this is about, née so\"";
    let word = format!("title {}", "é".repeat(40));
    play.ok(title);
    play.ok(&word);
    let text = play.ask("history 2");
    let cut = format!("  1  title {}…", "é".repeat(23));
    assert_eq!(
        text,
        format!("  2  title \"It is told here at length what all this is…\n{cut}")
    );
    assert!(text.lines().all(|line| line.len() <= 60), "{text}");
    assert_eq!(play.ask("history 1"), format!("  1  {word}"));
}

#[test]
fn diff_lists_the_changed_rows_since_a_checkpoint() {
    let mut play = Play::new();
    play.act("checkpoint c");
    assert_eq!(play.ask("diff checkpoint:c"), "nothing changed since c");
    play.ops(&[
        "add card Wash in:Todo",
        "modify Paint pts:6 owner:none",
        "modify Paint pts:7",
        "discard Buy",
        "rename Ann Anne",
        "add lane Tmp",
        "remove Tmp",
        "title Plan",
        "zoom 9",
    ]);
    let text = play.ask("diff checkpoint:c");
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "~ title of the board",
            "~ person Ann: name Ann -> Anne",
            "~ card Paint: pts 5 -> 7, owner Ann -> nothing",
            "- #7 card Buy in:Done pts:20 color:red",
            "+ #9 card Wash in:Todo pts:1 color:white",
            "bytes: 21 changed in 8 places, 191 the same",
        ]
    );
    let digest = play.digest();
    let now = play.ask("list");
    play.act("undo to:c");
    let back = play.ask("diff checkpoint:c");
    assert_eq!(back, "nothing changed since c");
    play.act("redo 99");
    assert_eq!((play.digest(), play.ask("list")), (digest, now));
    play.act("checkpoint d");
    play.act("undo 2");
    assert!(
        play.ask("diff checkpoint:d").contains("title of the board"),
        "ahead as well as back"
    );
}

#[test]
fn diff_reports_unknown_checkpoints_and_arguments() {
    let mut play = Play::new();
    play.act("checkpoint draft");
    assert_eq!(
        play.ask_err("diff checkpoint:drfat"),
        "! checkpoint \"drfat\" not found\n  try: diff checkpoint:draft"
    );
    assert_eq!(play.ask("diff draft"), "nothing changed since draft");
    let error = play.ask_err("diff since:draft");
    assert!(error.ends_with("try: diff checkpoint:draft"), "{error}");
    for wrong in [
        "diff checkpoint:draft x",
        "diff draft @all",
        "diff checkpoint:draft checkpoint:draft",
    ] {
        let error = play.ask_err(wrong);
        assert!(
            error.contains("\n  syntax: diff checkpoint:NAME"),
            "{error}"
        );
    }
    let error = play.ask_err("diff");
    assert!(error.ends_with("try: diff checkpoint:draft"), "{error}");
}

#[test]
fn plan_shows_the_replies_of_ops_and_changes_nothing() {
    let mut play = Play::new();
    play.ok("zoom 1");
    play.act("undo");
    let before = (
        play.digest(),
        play.ask("list"),
        play.ask("status"),
        play.ask("history"),
    );
    let text = play.ask("plan add lane X; add card \"a; b\" in:X; zoom 3");
    assert!(
        text.starts_with(
            "+ lane X\n+ card a; b in:X pts:1 color:white\n@ zoom 3\nwould leave [3l 4c "
        ),
        "{text}"
    );
    assert_eq!(
        play.ask("plan title x;y").lines().next(),
        Some("* title \"x;y\"")
    );
    assert_eq!(play.ask("plan gaze;").lines().next(), Some("= 3 cards"));
    let text = play.ask("plan modify Paint pts:99");
    assert!(text.contains("\n? #5 Paint is huge\n"), "{text}");
    let error = play.ask_err("plan add card X in:Tood");
    assert!(error.ends_with("try: plan add card X in:Todo"), "{error}");
    let error = play.ask_err("plan add lane A; break; add lane B");
    assert!(
        error.contains("\n! it broke") && error.contains("! batch rolled back: op 2 of 3 failed"),
        "{error}"
    );
    assert!(
        error.ends_with(&format!("would leave {}", before.0)),
        "{error}"
    );
    assert!(play.ask_err("plan").contains("syntax: plan OP[; OP…]"));
    assert!(play.ask_err("plan ;").contains("syntax: plan OP[; OP…]"));
    let after = (
        play.digest(),
        play.ask("list"),
        play.ask("status"),
        play.ask("history"),
    );
    assert_eq!(after, before);
    play.act("redo");
}

#[test]
fn the_plan_of_a_batch_follows_its_policy() {
    let mut play = Play::new();
    let text = play.ask("plan batch isolate; add lane A; break");
    assert!(text.contains("would leave [3l "), "{text}");
    play.act("set batch:isolate");
    let text = play.ask("plan add lane A; break");
    assert!(text.contains("would leave [3l "), "{text}");
}

#[test]
fn a_plan_neither_holds_nor_drops_a_batch() {
    let mut play = Play::new();
    play.ask_err("plan add lane A; break");
    assert!(!play.ask("status").contains("held"));
    play.run(&["add lane A", "break"], None);
    play.ask("plan add lane B");
    assert!(play.ask("status").contains("held"));
}

#[test]
fn queries_change_nothing() {
    let mut play = Play::new();
    play.act("checkpoint c");
    play.ok("zoom 3");
    play.act("undo");
    let before = (play.digest(), play.act("status"), play.act("set"));
    for query in [
        "map",
        "stats",
        "status",
        "describe *",
        "list @recent:3",
        "find a",
        "history",
        "diff checkpoint:c",
        "warnings",
        "plan remove @all",
        "plan break",
        "load Todo",
        "load Tod",
        "load Zzz",
        "nonsense",
        "list @zzz",
        "undo",
        "remove @all",
    ] {
        play.session.query(query);
        assert_eq!(
            (play.digest(), play.act("status"), play.act("set")),
            before,
            "{query}"
        );
    }
}

#[test]
fn the_try_line_of_a_query_works() {
    let mut play = Play::new();
    for query in [
        "lst",
        "lod Todo",
        "load Tood",
        "load todo only:rde",
        "load Tood onyl:rde",
        "describe Piant",
        "history x",
        "warnings hug",
        "list @tpye:crad",
        "list @color:rde @tpye:lane",
        "find nam:a",
        "load",
        "load Todo Done",
        "load Todo,Done",
        "list limit:x from:y",
        "stats pts:3",
        "map now",
        "warnings huge idle",
        "diff",
        "load zebra",
        "load Ann",
        "add lane X",
        "save as:./x.board",
        "undo",
        "list @id:99",
        "describe @type:crad",
        "plan add laen X",
        "plan modify Piant pts:0",
    ] {
        let error = play.ask_err(query);
        assert_eq!(
            usize::from(error.contains("\n  try: ")) + usize::from(error.contains("\n  syntax: ")),
            1,
            "{query}: {error}"
        );
        let Some((_, repair)) = error.split_once("\n  try: ") else {
            continue;
        };
        match repair.strip_prefix("! ") {
            Some(action) => play.act(action),
            None if play
                .session
                .registry()
                .verbs()
                .any(|v| repair.starts_with(v.phrase)) =>
            {
                play.ok(repair)
            }
            None => play.ask(repair),
        };
    }
}

#[test]
fn a_query_that_is_an_op_or_an_action_is_sent_to_its_tool() {
    let mut play = Play::new();
    assert!(play.ask_err("undo").ends_with("try: ! undo"));
    // An op has no sign to name its tool, so neither tool shows it as a line to send.
    assert!(
        play.ask_err("gaze")
            .ends_with("it is an op of the edit tool\n  syntax: gaze")
    );
    let each = play.ask_err("each \"SELECT ref FROM cards\" \"remove {ref}\"");
    assert!(each.contains("it is an op of the edit tool"), "{each}");
    assert!(play.err("list").ends_with("try: ? list"));
    assert!(play.err("undo").ends_with("try: ! undo"));
    // Saving under a name is accepted among ops.
    assert!(
        play.ops(&["save as:./x.board"])
            .starts_with("* Saved ./x.board")
    );
    // A rejected `save` would take the ops before it back.
    let reply = play.ops(&["add card Late in:Todo", "save ./y.board"]);
    assert!(reply.contains("\n* Saved ./y.board"), "{reply}");
    let reply = play.ops(&["open y.board"]);
    assert!(reply.starts_with("+ Opened y.board"), "{reply}");
    assert!(play.act_err("list").ends_with("try: ? list"));
    assert!(
        play.act_err("gaze")
            .ends_with("it is an op of the edit tool\n  syntax: gaze")
    );
}

#[test]
fn the_codebook_lists_examples_that_can_be_sent() {
    let play = Play::new();
    let codebook = play.session.codebook();
    let examples = codebook["schema_map"]["examples"].as_array().unwrap();
    assert!(examples.len() > 5, "{examples:?}");
    for example in examples {
        let line = example.as_str().unwrap();
        assert!(!line.is_empty() && !line.contains('\n'), "{line}");
        assert!(!line.starts_with(['>', '#', '[', ']']), "{line}");
    }
    assert!(
        examples.iter().any(|line| line == "add lane Todo"),
        "{examples:?}"
    );
}

#[test]
fn help_on_an_unknown_topic_is_short() {
    let mut play = Play::new();
    let answer = play.session.help(Some("nothing like this"));
    assert!(
        answer.is_error && answer.text.len() <= 300,
        "{}",
        answer.text
    );
    // A type is a help topic even if no verb has its name.
    assert!(!play.session.help(Some("card")).is_error);
}

#[test]
fn a_small_reply_limit_pages_a_listing() {
    let mut play = Play::new();
    for number in 0..60 {
        play.ok(&format!("add card \"A card number {number}\" in:Todo"));
    }
    play.act("set reply-limit:2");
    for query in ["SELECT * FROM cards", "list @all", "describe *"] {
        let answer = play.ask(query);
        assert!(answer.len() <= 2048, "{}", answer.len());
        let (_, tail) = answer.rsplit_once('\n').unwrap();
        assert!(tail.contains(" more (") && tail.contains("from:"), "{tail}");
    }
    let answer = play.ok("? SELECT * FROM cards");
    assert!(
        answer.contains(" more (SELECT * FROM cards from:"),
        "{answer}"
    );
}

#[test]
fn a_list_holds_names_and_selectors() {
    let mut play = Play::new();
    let answer = play.ask("list Paint,@type:lane");
    for name in ["Paint", "Todo", "Done"] {
        assert!(answer.contains(name), "{answer}");
    }
    assert_eq!(answer, play.ask("list \"Paint, @type:lane, Paint\""));
}
