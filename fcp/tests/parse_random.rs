//! A bounded fuzz run for the ordinary compiler: random bytes, and mutants of the committed seeds,
//! go through the op parser. `FCP_FUZZ_BYTES` sets the number of bytes. The coverage-guided run is
//! in `fuzz/`.

// To clippy, helpers of tests are not tests.
#![allow(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

#[path = "../../fuzz/invariants/op.rs"]
mod op;

use fcp::testing::Walk;
use fcp::testing::fuzz::mutants;

/// Characters and words with a meaning in the grammar.
const PIECES: &[&str] = &[
    " ",
    "  ",
    "\t",
    "\r\n",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\\u",
    "\\u{",
    "}",
    "\\uD83D",
    "\\uDE00",
    "\\n",
    ":",
    ":\"",
    ":'",
    "@",
    "@not:",
    "->",
    "<->",
    "--",
    "=",
    "!",
    "A1",
    "B10",
    "1",
    "a",
    "É",
    "İ",
    "Σ",
    "ß",
    "日",
    "😀",
    "\u{301}",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    ",",
    ".",
    "-",
    "_",
    "/",
    "note ",
    " at:1.1 ",
    "\"a b\"",
    "k:\"a b\" ",
    "@track:\"a b\" ",
];

fn from_scratch(random: &mut Walk) -> Vec<u8> {
    let length = random.below(200);
    match random.below(3) {
        0 => (0..length).map(|_| random.below(256) as u8).collect(),
        1 => (0..length).map(|_| random.below(96) as u8 + 32).collect(),
        _ => (0..length / 4)
            .flat_map(|_| random.pick(PIECES).unwrap_or_default().bytes())
            .collect(),
    }
}

/// Checking all promises costs ten times as much as checking the least of them, so most of the text
/// is only parsed.
fn check(text: &str, count: usize) {
    match count % 8 {
        0 => op::holds(text),
        _ => op::parses(text),
    }
}

#[test]
fn random_text_breaks_no_promise() {
    let seeds = mutants::seeds("parse");
    for seed in &seeds {
        op::holds(&String::from_utf8_lossy(seed));
    }

    mutants::run(
        1,
        |random| match random.below(2) {
            0 => from_scratch(random),
            _ => mutants::mutated(random, &seeds, PIECES),
        },
        |bytes, count| check(&String::from_utf8_lossy(bytes), count),
    );
}

/// Repetitions of characters that make a careless parser look back or ahead. In linear time this
/// takes seconds, in quadratic time hours.
#[test]
fn hostile_text_takes_linear_time() {
    const LONG: usize = 128 * 1024;
    const SHORT: usize = 200;
    for piece in [
        " ", "\"", "'", "\\", ":", "@", "=", "!", "a", "A", "1", "Σ", "\u{301}", "a:\"", "\"\"",
        "\" ", "\\\"", "\\u{", "\\uD83D", "@not:", "a:", ":\"", ":' ", "A1:", "!A1:B2", "\"a\",",
        "\"a\"b ", "a\n", "\0", "é", "->", "k:v ", "\"x ", "İ",
    ] {
        let around = |length: usize| {
            let body = piece.repeat(length / piece.len());
            [
                format!("x {body}"),
                format!("x \"{body}"),
                format!("x \"{body}\""),
                format!("x '{body}'"),
                format!("x k:\"{body}"),
                format!("x @t:{body}"),
                format!("x{body}"),
                body,
            ]
        };
        around(SHORT).iter().for_each(|text| op::holds(text));
        around(LONG).iter().for_each(|text| op::parses(text));
    }
}
