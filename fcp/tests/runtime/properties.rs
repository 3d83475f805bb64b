//! Properties of every op and every text.

use super::{Board, Play};
use fcp::endpoint::Endpoint;
use fcp::testing::{Walk, walk};
use proptest::prelude::*;

const NAMES: &[&str] = &[
    "A",
    "a",
    "B b",
    "b-b",
    "Lead",
    "Lead~2",
    "lane:x",
    "@all",
    "x,y",
    "#3",
    "->",
    "é",
    "say \\\"hi\\\"",
];

fn name(random: &mut Walk) -> String {
    match random.below(8) {
        0 => format!("#{}", random.below(30)),
        1 => {
            random
                .pick(&["lane:", "card:", "person:"])
                .unwrap()
                .to_owned()
                + "A"
        }
        _ => format!("\"{}\"", random.pick(NAMES).unwrap()),
    }
}

fn target(random: &mut Walk) -> String {
    let mut selectors = Vec::new();
    match random.below(3) {
        0 => return name(random),
        1 => {}
        _ => selectors.push(
            random
                .pick(&[
                    "@recent",
                    "@recent:3",
                    "@recent:2ops",
                    "@all",
                    "@not:recent:2",
                ])
                .unwrap()
                .to_owned(),
        ),
    }
    let not = random.pick(&["", "", "not:"]).unwrap();
    selectors.push(match random.below(6) {
        0 => format!(
            "@{not}type:{}",
            random
                .pick(&[
                    "lane",
                    "card",
                    "card|lane",
                    "person",
                    "remark",
                    "link",
                    "crad"
                ])
                .unwrap()
        ),
        1 => format!("@{not}in:{}", name(random)),
        2 => format!("@{not}pts:{}-{}", random.below(50), 1 + random.below(120)),
        3 => format!("@{not}color:red|white"),
        4 => format!("@{not}id:{}-{}", random.below(9), 9 + random.below(30)),
        _ => format!("@{not}heavy:{}", random.below(99)),
    });
    selectors.join(" ")
}

fn fields(random: &mut Walk) -> String {
    let mut words = String::new();
    for _ in 0..1 + random.below(3) {
        words.push_str(&match random.below(8) {
            0 => format!(" pts:{}", random.below(110)),
            1 => " color:red".to_owned(),
            2 => format!(" in:{}", name(random)),
            3 => format!(" owner:{}", name(random)),
            4 => " owner:none".to_owned(),
            5 => " note:\"some\\ntext\"".to_owned(),
            6 => format!(" on:{}", name(random)),
            _ => format!(" name:{}", name(random)),
        });
    }
    words
}

fn op(random: &mut Walk) -> String {
    match random.below(16) {
        0 => format!("add lane {}", name(random)),
        1 => format!("add person {}", name(random)),
        2..=4 => format!(
            "add card {} in:{}{}",
            name(random),
            name(random),
            fields(random)
        ),
        5 => format!("add remark text:hi on:{}", name(random)),
        6 => format!("link {} {}", name(random), name(random)),
        7 | 8 => format!("modify {}{}", target(random), fields(random)),
        9 => format!("copy {}{}", target(random), fields(random)),
        10 => format!("copy @recent:{}", 1 + random.below(3)),
        11 => format!("rename {} {}", target(random), name(random)),
        12 => format!("remove {}", target(random)),
        13 => format!("discard {}", target(random)),
        14 => format!("zoom {}", random.below(300)),
        _ => format!("title {}", name(random)),
    }
}

#[test]
fn op_undo_redo_and_failed_calls_are_what_they_should_be() {
    for seed in 0..12 {
        walk::<Board>(seed, 150, op);
    }
}

#[test]
fn every_repair_on_a_walk_works_and_widens_nothing() {
    for seed in 100..106 {
        let mut random = Walk::new(seed);
        let mut play = Play::new();
        for _ in 0..150 {
            let op = op(&mut random);
            let answer = play.run(&[&op], None);
            let text = answer.text;
            assert!(
                text.matches("\n  try: ").count() + text.matches("\n  syntax: ").count() <= 1,
                "{text}"
            );
            if !answer.is_error {
                continue;
            }
            let Some((_, rest)) = text.split_once("\n  try: ") else {
                continue;
            };
            let repair = rest.lines().next().unwrap();
            let again = match repair.split_once(' ') {
                Some(("?", query)) => play.session.query(query),
                Some(("!", action)) => play.session.act(action),
                _ => play.run(&[repair], None),
            };
            assert!(!again.is_error, "seed {seed}: {op}\n{text}\n{}", again.text);
        }
    }
}

#[test]
fn digests_are_equal_after_save_and_open() {
    for seed in 200..206 {
        let mut random = Walk::new(seed);
        let mut play = Play::new();
        for n in 0..100 {
            let op = op(&mut random);
            play.run(&[&op], None);
            if n % 10 == 0 {
                let digest = play.digest();
                play.act("save as:./w.board force");
                play.act("open w.board");
                assert_eq!(
                    play.digest(),
                    digest,
                    "seed {seed} after {n} ops, the last of which {op}"
                );
            }
        }
    }
}

#[test]
fn warnings_kept_up_by_the_change_are_those_of_a_fresh_look() {
    for seed in 300..306 {
        let mut random = Walk::new(seed);
        let mut play = Play::new();
        for n in 0..120 {
            match random.below(6) {
                0 => drop(play.session.act(&format!("undo {}", random.below(4)))),
                1 => drop(play.session.act(&format!("redo {}", random.below(4)))),
                _ => drop(play.run(&[&op(&mut random)], None)),
            }
            let codes = |text: &str| {
                let mut codes: Vec<String> = text
                    .lines()
                    .map(|line| {
                        line.split_once(' ')
                            .unwrap()
                            .1
                            .trim_start_matches(|c: char| c == '#' || c.is_ascii_digit())
                            .to_owned()
                    })
                    .collect();
                codes.sort();
                codes
            };
            let kept = codes(&play.ask("warnings limit:9999"));
            play.session.act("save as:./v.board force");
            let mut fresh = Play::closed();
            std::fs::copy(play.file("v.board"), fresh.file("v.board")).unwrap();
            fresh.act("open v.board");
            assert_eq!(
                kept,
                codes(&fresh.ask("warnings limit:9999")),
                "seed {seed}, step {n}"
            );
        }
    }
}

/// Texts that resemble ops.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => proptest::sample::select(vec![
            "add", "lane", "card", "modify", "remove", "copy", "rename", "link", "discard", "title", "batch", "amend", "isolate", "plan", "list", "find",
            "describe", "map", "stats", "status", "history", "diff", "warnings", "load", "open", "save", "new", "close", "undo", "redo", "set",
            "checkpoint", "export", "import", "resume", "Paint", "Hang", "Todo", "Ann", "#5", "#99", "@all", "@recent:2", "@not:type:card", "@type:car",
            "@pts:1-9", "@id:3-", "@color:", "pts:3", "pts:300", "in:Todo", "owner:none", "limit:2", "from:3", "checkpoint:c", "to:c", "as:./x.board",
            "force", "discard", "batch:stop", "warn:-huge", "op-limit:1", "log-limit:1", "->", "--", ";", "*", "a,b", "Paint,Hang", "~1", "Paint~1", "1", "-1", "3",
            "18446744073709551616", "\"", "'", "\"\"", "\"a b\"", "k:\"v\"", "\\", ":", "a:", ":a", "=x", "A1:B2", "none", "\u{0}", "\n", "é", "💥",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => "[a-z@:#*\"'\\\\~|,;=-]{0,8}",
    ];
    proptest::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_runtime_panic_or_break_its_word(texts in proptest::collection::vec((0..6_u8, text()), 1..12)) {
        let mut play = Play::new();
        for (tool, text) in texts {
            let before = play.session.digest();
            let answer = match tool {
                0 => play.session.query(&text),
                1 => play.session.act(&text),
                2 => play.session.help(Some(&text)),
                3 => play.session.run(&[text.clone(), "gaze".to_owned()], None),
                _ => play.session.run(std::slice::from_ref(&text), None),
            };
            let shown = &answer.text;
            let repairs = shown.matches("\n  try: ").count() + shown.matches("\n  syntax: ").count();
            // A plan of several ops, several queries, and several ops in one string each report an
            // error.
            let several = tool == 0 && text.trim_start().starts_with("plan") || text.contains('\n');
            if tool != 2 && tool != 3 && !several {
                prop_assert!(repairs <= 1, "{text:?}\n{shown}");
            }
            prop_assert!(!shown.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')), "{text:?}\n{shown}");
            match tool {
                0 => {
                    prop_assert!(shown.len() <= 16 * 1024);
                    prop_assert_eq!(&play.session.digest(), &before);
                }
                1 | 2 => {}
                _ => {
                    if let Some(digest) = play.session.digest() {
                        prop_assert!(shown.ends_with(&digest), "{text:?}\n{shown}");
                    }
                }
            }
            if tool != 2 && answer.is_error {
                prop_assert!(shown.lines().any(|line| line.starts_with("! ")), "{text:?}\n{shown}");
                if !several {
                    prop_assert_eq!(&play.session.digest(), &before, "{:?}\n{}", &text, shown);
                }
            }
            // A repair that is an op for this tool must work.
            if tool > 3 && !several && answer.is_error && let Some((_, rest)) = shown.split_once("\n  try: ") {
                let repair = rest.lines().next().unwrap();
                if !repair.starts_with(['!', '?']) {
                    let again = play.session.run(&[repair.to_owned()], None);
                    prop_assert!(!again.is_error, "{text:?}\n{shown}\n{}", again.text);
                }
            }
            if tool == 0 && answer.is_error && let Some((_, repair)) = shown.split_once("\n  try: ")
                && play.session.registry().queries().any(|query| repair.starts_with(query.phrase)) {
                let again = play.session.query(repair);
                prop_assert!(!again.is_error, "{text:?}\n{shown}\n{}", again.text);
            }
        }
    }
}
