//! Error messages.

use super::Play;
use fcp::endpoint::Endpoint;

/// The repairs of an error: the number of `try:` and of `syntax:` lines.
fn repairs(text: &str) -> (usize, usize) {
    (
        text.matches("\n  try: ").count(),
        text.matches("\n  syntax: ").count(),
    )
}

#[test]
fn the_try_line_of_an_op_works_as_it_is() {
    for op in [
        "noot",
        "ad lane X",
        "lnk Paint Hang",
        "add card X in:Tood",
        "add card X in:Todo pts:0 color:rde owner:Anne",
        "add card X in:Todo points:0",
        "add card X in=Todo",
        "add card X IN:Todo",
        "modify Piant pts:3",
        "modify paint ptz:3",
        "modify Paint",
        "modify @tpye:card pts:3",
        "modify @type:crad pts:3",
        "modify @type:card pts:300",
        "modify @pts:8-5 pts:3",
        "modify @recent:0 pts:3",
        "remove Pai",
        "remove Piant",
        "remove Paint",
        "remove Todo",
        "remove @type:card",
        "remove @all @all:3",
        "discard Pai",
        "discard @in:Tod",
        "copy Piant",
        "copy Paint pts:0",
        "rename Paint",
        "rename Piant X",
        "rename Paint A B",
        "rename Paint \"\"",
        "link Paint",
        "link Paint Hagn",
        "link Paint Hang Buy",
        "link @in:Todo Hang",
        "link from:Paint to:Hang",
        "link Paint -> Hang",
        "title",
        "title My plan",
        "title \"My plan",
        "zoom x",
        "zoom 300",
        "zoom -1",
        "zoom 2.5",
        "zoom 1e99",
        "gaze now",
        "gaze at:3",
        "gaze @all",
        "fill Todo 0",
        "fill Tood 0 x:3",
        "fill Todo 99999999999999999999",
        "add",
        "add card",
        "\"add\" lane X",
        "add: lane X",
        "@all",
        "list",
        "save",
        "status",
        "undo",
        "resume",
        "plan gaze",
        "batch",
        "amend 1 gaze",
        "add card \"a\"b in:Todo",
        "modify Paint note:\"x",
        "modify Paint pts:3 pts:4",
        "add card Paint Paint in:Todo",
        "add card X name:Y in:Todo",
        "modify #99 pts:3",
        "modify #x pts:3",
        "modify @id:99 pts:3",
        "modify person:Paint pts:3",
        "modify lane:Paint pts:3",
        "add lane \"\"",
        "add link from:Paint to:Ann",
        "modify card: pts:3",
        "modify * pts:3",
        "remove\n\"Pai\"",
        "add card \"x\ny\" in:Todo",
        "modify \"Pi\nant\" pts:3",
        "add lane A\n\n B",
    ] {
        let mut play = Play::new();
        let text = play.err(op);
        let (tries, syntax) = repairs(&text);
        assert!(tries + syntax <= 1, "{op}: {text}");
        assert!(
            text.lines().skip(1).all(|line| line.starts_with("  ")) && text.lines().count() <= 2,
            "{op}: {text}"
        );
        let Some((_, repair)) = text.split_once("\n  try: ") else {
            assert!(
                syntax == 1 || text.contains("there are") || text.contains("no batch is held"),
                "{op}: {text}"
            );
            continue;
        };
        if let Some(query) = repair.strip_prefix("? ") {
            play.ask(query);
        } else if let Some(action) = repair.strip_prefix("! ") {
            let answer = play.session.act(action);
            assert!(
                !answer.is_error || matches!(action, "save" | "resume"),
                "{op}: {repair}: {}",
                answer.text
            );
        } else {
            play.ok(repair);
        }
    }
}

#[test]
fn an_op_that_names_rows_twice_or_wrongly_has_no_repair() {
    let both = "and selectors both name rows; use one of them";
    for (op, reason, syntax) in [
        ("discard Pai @all", format!("Pai {both}"), "discard SEL"),
        ("discard @all Paint", format!("Paint {both}"), "discard SEL"),
        (
            "discard @in:Todo @colr:red",
            "no selector @colr".to_owned(),
            "discard SEL",
        ),
        (
            "discard @type:card @zzz",
            "no selector @zzz".to_owned(),
            "discard SEL",
        ),
        (
            "remove Paint @type:card",
            format!("Paint {both}"),
            "remove SEL",
        ),
    ] {
        let wanted = format!("! {reason}\n  syntax: {syntax}");
        assert_eq!(Play::new().err(op), wanted, "{op}");
    }
}

#[test]
fn an_overlong_op_names_the_limit_and_its_setting() {
    let mut play = Play::new();
    let long = format!("title \"{}\"", "x ".repeat(600_000));
    let (message, repair) = play.mend(&long);
    assert!(
        message.contains("1200008 bytes, the limit is 1048576"),
        "{message}"
    );
    assert_eq!(repair, "! set op-limit:2");
    play.act("set op-limit:2");
    let error = play.err(&long);
    assert!(
        error.contains("is longer than 65536 bytes"),
        "{}",
        &error[..200]
    );
    play.act("set op-limit:1");
    let wide = format!("title {}", "x ".repeat(5000));
    let (message, repair) = play.mend(&wide);
    assert!(message.contains("more than 4096 words"), "{message}");
    assert_eq!(repair, "! set op-limit:2");
    play.act("set op-limit:2");
    let error = play.err(&wide);
    assert!(!error.contains("words"), "{}", &error[..100]);
    let huge = format!("title {}", "x ".repeat(40_000_000));
    let error = play.err(&huge);
    assert!(
        error.contains("op-limit") && error.len() < 1000,
        "{}",
        &error[..100]
    );
}

#[test]
fn overlong_queries_and_actions_are_reported_too() {
    let mut play = Play::new();
    let long = "x ".repeat(600_000);
    for text in [
        play.ask_err(&format!("find {long}")),
        play.ask_err(&format!("list {long}")),
        play.act_err(&format!("checkpoint \"{long}\"")),
    ] {
        assert!(
            text.contains("the limit is 1048576") && text.len() < 1000,
            "{}",
            &text[..100]
        );
        assert!(text.contains("set op-limit:2"), "{text}");
    }
}

#[test]
fn errors_stay_on_their_line() {
    let mut play = Play::new();
    for op in [
        "gaze \"a\n! forged\"",
        "modify \"a\n! forged\" pts:3",
        "add lane A \"x\n[9l]\"",
        "noot \"\n+ forged\"",
        "modify Paint \"k\ney\":3",
        "modify Paint note:\"a\nb\" pts:0",
        "discard @in:\"a\nb\"",
        "title \"a\u{85}b\" \"c\u{2029}d\"",
    ] {
        let text = play.err(op);
        assert!(text.lines().count() <= 2, "{op:?}: {text}");
        assert!(
            !text.contains(['\u{85}', '\u{2029}', '\r']),
            "{op:?}: {text}"
        );
    }
    for query in [
        "load \"a\n! x\"",
        "list \"a\nb\"",
        "zz \"a\nb\"",
        "diff checkpoint:\"a\nb\"",
        "history \"a\nb\"",
        "warnings \"a\nb\"",
    ] {
        let text = play.ask_err(query);
        assert!(text.lines().count() <= 2, "{query:?}: {text}");
    }
    for action in [
        "open \"a\nb\"",
        "undo \"a\nb\"",
        "set \"a\nb\"",
        "set batch:\"a\nb\"",
        "zz \"a\nb\"",
        "save as:\"a\nb\"",
        "new \"a\" \"b\nc\"",
    ] {
        let text = play.act_err(action);
        assert!(text.lines().count() <= 2, "{action:?}: {text}");
    }
}

#[test]
fn replies_stay_on_their_line() {
    let mut play = Play::new();
    let text = play.ok("title \"a\n! forged\"");
    assert_eq!(text, "* title \"a\\n! forged\"");
    play.ok("modify Paint note:\"a\n#9 forged\"");
    assert_eq!(play.ask("list Paint").lines().count(), 1);
    assert!(
        play.ask("describe Paint")
            .lines()
            .all(|line| !line.starts_with("#9"))
    );
    assert!(play.ask("map").lines().all(|line| !line.starts_with("! ")));
    let text = play.act("checkpoint a");
    assert_eq!(text, "* Checkpoint a");
}

#[test]
fn all_faults_of_an_op_are_repaired_at_once() {
    let mut play = Play::new();
    let (message, op) = play.mend("add crad Wash in:Tood pts:0 colr:rde ower:ann");
    assert!(message.contains("crad"), "{message}");
    assert_eq!(op, "add card Wash in:Todo pts:1 color:red owner:ann");
}

#[test]
fn an_unknown_word_names_the_nearest_or_the_known_words() {
    let mut play = Play::new();
    let error = play.err("qwxyz");
    assert!(error.starts_with("! Unknown verb \"qwxyz\""), "{error}");
    assert!(
        error.contains("discard") && error.contains("modify"),
        "{error}"
    );
    let (message, op) = play.mend("MODIFI Paint pts:3");
    assert_eq!(message, "! Unknown verb \"MODIFI\"");
    assert_eq!(op, "modify Paint pts:3");
    assert!(play.ask_err("qqq").starts_with("! Unknown query \"qqq\""));
    assert!(
        play.act_err("qqq")
            .starts_with("! Unknown session action \"qqq\"")
    );
}

#[test]
fn a_number_must_be_finite_and_in_range() {
    let mut play = Play::new();
    for (value, fixed) in [("0", "1"), ("101", "100"), ("-5", "1"), ("2.4", "2")] {
        let (_, op) = play.mend(&format!("modify Paint pts:{value}"));
        assert_eq!(op, format!("modify Paint pts:{fixed}"));
    }
    for value in [
        "inf",
        "NaN",
        "1e400",
        "0x10",
        "99999999999999999999",
        "five",
        "\"\"",
    ] {
        play.err(&format!("modify Paint pts:{value}"));
    }
}

#[test]
fn a_name_with_another_number_is_not_a_typo() {
    let mut play = Play::new();
    play.ok("add card B1 in:Todo");
    play.ok("add card B2 in:Todo");
    for op in ["modify B4 pts:3", "modify B12 pts:3"] {
        let error = play.err(op);
        assert_eq!(repairs(&error), (0, 1), "{error}");
    }
}

#[test]
fn a_line_of_another_tool_is_signed_or_has_no_repair() {
    let mut play = Play::new();
    let error = play.ask_err("undo");
    assert!(error.ends_with("\n  try: ! undo"), "{error}");
    let error = play.ask_err("! undo");
    assert_eq!(
        error,
        "! ! begins a session action, and this tool takes queries\n  syntax: ! undo [N|batch|to:NAME]"
    );
    let error = play.act_err("? map");
    assert_eq!(
        error,
        "! ? begins a query, and this tool takes session actions\n  syntax: ? map"
    );
    let error = play.act_err("SELECT count(*) FROM cards");
    assert!(
        error.ends_with("\n  try: ? SELECT count(*) FROM cards"),
        "{error}"
    );
    // Ops have no sign.
    for error in [
        play.ask_err("modify Paint pts:3"),
        play.act_err("modify Paint pts:3"),
        play.ask_err("UPDATE cards SET pts=1"),
    ] {
        assert!(error.contains("an op of the edit tool"), "{error}");
        assert_eq!(repairs(&error), (0, 1), "{error}");
    }
}

#[test]
fn an_action_is_not_repaired_to_one_without_its_keys() {
    let mut play = Play::new();
    let error = play.act_err("sev as:plan.board");
    assert_eq!(repairs(&error).0, 0, "{error}");
    let error = play.act_err("sve as:plan.board");
    assert!(error.ends_with("\n  try: save as:plan.board"), "{error}");
}
