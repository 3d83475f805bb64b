//! The size limit of a call's answer, and its cost.

use std::time::{Duration, Instant};

use super::Play;
use fcp::endpoint::{Answer, Endpoint, Policy};

const LIMIT: usize = 64 * 1024;

fn send(play: &mut Play, ops: Vec<String>, policy: Policy) -> Answer {
    let answer = play.session.run(&ops, Some(policy));
    assert!(answer.text.len() <= LIMIT, "{} bytes", answer.text.len());
    let last = answer.text.lines().next_back().unwrap();
    assert_eq!(last, play.session.digest().unwrap());
    answer
}

#[test]
fn equal_errors_are_reported_once_with_their_ops() {
    let mut play = Play::new();
    let mut ops = vec!["add lane X".to_owned(), "add lane Y".to_owned()];
    ops.extend(std::iter::repeat_n("bogus".to_owned(), 99_996));
    let answer = send(&mut play, ops, Policy::Isolate);
    let start = "+ lane X\n+ lane Y\n! ops 3-99,998: Unknown verb \"bogus\"; there are: ";
    assert!(answer.text.starts_with(start), "{}", answer.text);
    assert!(answer.text.len() < 1_000, "{}", answer.text);

    let ops = ["bogus", "add lane A", "bogus", "other"].map(str::to_owned);
    let answer = send(&mut play, ops.to_vec(), Policy::Atomic);
    assert!(
        answer
            .text
            .starts_with("! ops 1, 3: Unknown verb \"bogus\"; there are: "),
        "{}",
        answer.text
    );
    assert!(
        answer.text.contains("\n! Unknown verb \"other\""),
        "{}",
        answer.text
    );
    assert!(
        answer
            .text
            .contains("\n! batch rolled back: ops 1, 3, 4 of 4 failed\n"),
        "{}",
        answer.text
    );
}

#[test]
fn errors_and_successes_leave_each_other_room() {
    let mut play = Play::empty();
    let ops = |n: usize| match n % 2 {
        0 => format!("add lane L{n}"),
        _ => format!("bogus{n}"),
    };
    let answer = send(&mut play, (0..8_000).map(ops).collect(), Policy::Isolate);
    let count = |start: &str| {
        answer
            .text
            .lines()
            .filter(|line| line.starts_with(start))
            .count()
    };
    assert!(count("+ lane L") > 1_000, "{}", count("+ lane L"));
    assert!(count("! Unknown verb") > 100, "{}", count("! Unknown verb"));
    let shown = count("+ lane L");
    assert!(
        answer
            .text
            .contains(&format!("\n… {} more replies ", 4_000 - shown))
    );
    assert!(answer.text.contains(&format!(
        "\n! … {} more errors ",
        4_000 - count("! Unknown verb")
    )));
}

#[test]
fn values_are_cut_in_the_lines_of_ops_errors_and_status() {
    let mut play = Play::empty();
    let long = "x".repeat(60_000);
    play.act("set op-limit:4");
    let answer = send(&mut play, vec![format!("title {long}")], Policy::Atomic);
    let start = "* title \"xxx";
    assert!(!answer.is_error && answer.text.starts_with(start));
    assert!(answer.text.contains("x…\n["), "{}", answer.text.len());
    let answer = send(&mut play, vec![format!("zoom {long}")], Policy::Atomic);
    assert!(answer.is_error);
    let answer = play.session.act(&format!("new {long}"));
    assert!(answer.text.len() < LIMIT, "{}", answer.text.len());
    for text in [
        play.session.act("status").text,
        play.session.query("status").text,
        play.session.document(),
    ] {
        assert!(text.len() < LIMIT, "{}", text.len());
    }
}

#[test]
fn a_task_of_many_parts_is_bounded() {
    let mut play = Play::empty();
    let lines: Vec<String> = (0..3_000)
        .flat_map(|n| [format!("add lane L{n}"), "! status".to_owned()])
        .collect();
    let answer = send(&mut play, lines, Policy::Atomic);
    assert!(
        !answer.is_error && answer.text.contains("more"),
        "{}",
        answer.text
    );
}

#[test]
fn the_limit_is_a_setting() {
    let mut play = Play::empty();
    play.act("set reply-limit:4");
    let ops: Vec<String> = (0..2_000).map(|n| format!("add lane L{n}")).collect();
    let answer = send(&mut play, ops, Policy::Atomic);
    assert!(answer.text.len() <= 4096, "{}", answer.text.len());
    assert!(
        answer
            .text
            .contains("more replies (set reply-limit:KIB shows more)\n["),
        "{}",
        answer.text
    );
    play.act("set reply-limit:256");
    let ops: Vec<String> = (0..2_000).map(|n| format!("add lane M{n}")).collect();
    let answer = play.session.run(&ops, None);
    assert_eq!(answer.text.lines().count(), 2_001);
}

fn time(n: usize, op: fn(usize) -> String, policy: Policy) -> Duration {
    let mut play = Play::empty();
    let ops: Vec<String> = (0..n).map(op).collect();
    let start = Instant::now();
    send(&mut play, ops, policy);
    start.elapsed()
}

/// The first errors have a fixed cost for tried repairs, which is subtracted.
#[test]
fn failing_ops_cost_as_much_as_there_are_of_them() {
    let op = |n: usize| format!("add card Q{n} in:Nowhere{n}");
    for policy in [Policy::Atomic, Policy::Isolate] {
        let [base, some, many] = [1_000, 1_500, 5_000].map(|n| time(n, op, policy));
        let (some, many) = (some.saturating_sub(base), many.saturating_sub(base));
        // 500 more, and 4,000 more: 8 times as many; the factor would be 19 if the cost grew with
        // the square.
        let some = some.max(Duration::from_millis(200));
        assert!(many < 14 * some, "{policy:?}: {some:?}, then {many:?}");
    }
}
