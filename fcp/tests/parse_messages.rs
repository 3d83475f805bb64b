//! Errors of refused ops: every fault, described in words, with its repair if one is known.

// To clippy, helpers of tests are not tests.
#![allow(clippy::unwrap_used)]

use fcp::diag::Diagnostic;
use fcp::op::{Fault, Limits, parse, parse_action, parse_within, split_verb};

fn error_text(text: &str) -> String {
    Diagnostic::from(parse(text).unwrap_err()).to_string()
}

#[test]
fn an_op_needs_a_verb() {
    for (text, message) in [
        ("", "! empty op: an op starts with a verb"),
        (
            "@all remove",
            "! an op starts with a verb, not with a selector: @all",
        ),
        (
            "-> a b",
            "! an op starts with a verb, not with an arrow: ->",
        ),
        (
            "at:1.1",
            "! an op starts with a verb, not with key:value: at:1.1",
        ),
        ("=A1", "! an op starts with a verb, not with a formula: =A1"),
        (
            "A1:B2",
            "! an op starts with a verb, not with a range: A1:B2",
        ),
        (
            "\"a b\" c",
            "! an op starts with a verb, not with quoted text: \"a b\"",
        ),
        (
            "3/4 c",
            "! an op starts with a verb, not with a word that has no letter in front: 3/4",
        ),
        (
            "no/te c",
            "! an op starts with a verb, not with a word that holds more than letters, digits, _ - and .: no/te",
        ),
        (
            "\"note\" C4",
            "! an op starts with a verb, not with quoted text: \"note\"\n  try: note C4",
        ),
        (
            "note: C4",
            "! an op starts with a verb, not with a word that holds more than letters, digits, _ - and .: note:\n  try: note C4",
        ),
    ] {
        assert_eq!(error_text(text), message);
    }
}

#[test]
fn an_open_quote_is_closed_at_the_end_of_its_text() {
    for (text, repair) in [
        (r#"add svc "Auth"#, Some(r#"add svc "Auth""#)),
        (
            r#"add svc "Auth Service"#,
            Some(r#"add svc "Auth Service""#),
        ),
        (
            r#"add svc "Auth Service theme:blue"#,
            Some(r#"add svc "Auth Service" theme:blue"#),
        ),
        (
            r#"move "Auth Service @all x"#,
            Some(r#"move "Auth Service" @all x"#),
        ),
        (
            r#"add label:"Auth Service"#,
            Some(r#"add label:"Auth Service""#),
        ),
        (r#"add "he said \"hi\""#, Some(r#"add "he said \"hi\"""#)),
        (r#"open "C:\dir\""#, Some(r#"open "C:\dir\\""#)),
        (r#"open "C:\new\""#, None),
        ("title 'Tis the season", None),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.fault, Fault::UnterminatedQuote);
        assert_eq!(error.repair().as_deref(), repair, "{text}");
    }
    assert_eq!(
        error_text("title 'Tis the season"),
        "! unterminated quote: 'Tis the season"
    );
}

#[test]
fn a_list_of_quoted_names_is_quoted_whole() {
    for (text, repair) in [
        (r#"mute "A B","C D" x"#, Some(r#"mute "A B,C D" x"#)),
        (r#"mute on:"A B",'C D'"#, Some(r#"mute on:"A B,C D""#)),
        (r#"mute on:"A","B""#, Some("mute on:A,B")),
        (r#"mute "@all","B""#, Some(r#"mute "@all,B""#)),
        (r#"mute "A, B","C""#, None),
        (r#"mute "A"B"#, None),
        (r#"mute "A", "B""#, None),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.fault, Fault::TextAfterQuote);
        assert_eq!(error.repair().as_deref(), repair, "{text}");
    }
    assert_eq!(
        error_text(r#"mute "A"B"#),
        r#"! text after a closing quote: "A"B"#
    );
}

#[test]
fn an_expression_that_begins_with_a_text_is_quoted_whole() {
    for (text, repair) in [
        (
            "rename @all id:='r_'||nth",
            Some(r#"rename @all id:="'r_'||nth""#),
        ),
        (
            r#"modify @all text:='a "b" '||name || '!' at:5"#,
            Some(r#"modify @all text:="'a \"b\" '||name || '!'" at:5"#),
        ),
        ("modify @all text:='a'||'b", None),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.fault, Fault::TextAfterQuote);
        assert_eq!(error.repair().as_deref(), repair, "{text}");
    }
}

#[test]
fn a_selector_error_names_the_missing_part() {
    for (text, message) in [
        (
            "x @not",
            "! @not negates nothing: write @not:TYPE or @not:TYPE:VALUE",
        ),
        (
            "x @not:not:a",
            "! @not:not:a negates twice: one not: is enough",
        ),
        ("x @:a", "! @:a names no type: write @TYPE:VALUE"),
        (
            "x @track:",
            "! @track: has a colon and no value: leave the colon out, or write \"\" for an empty value",
        ),
        (
            "x @not:\"track:A\"",
            "! @not:\"track:A\" has its type in quotes: only a value is quoted, @not:TYPE:\"VALUE\"",
        ),
    ] {
        assert_eq!(error_text(text), message);
    }
}

#[test]
fn other_faults_name_the_word() {
    assert_eq!(error_text("add a\0b"), "! NUL byte in a\\u{0}b");
    assert_eq!(
        error_text(r#"add "a\u{110000}b""#),
        r"! \u{110000} names no character"
    );
    assert_eq!(
        error_text(r#"add "a\uD83D""#),
        r"! \uD83D names no character"
    );
    let long = format!("add \"{}", "é".repeat(100));
    assert_eq!(
        parse(&long).unwrap_err().to_string(),
        format!("unterminated quote: \"{}…", "é".repeat(39)),
    );
}

#[test]
fn limits_can_be_lowered() {
    let limits = Limits { bytes: 8, words: 3 };
    assert!(parse_within("  a b c \n", limits).is_ok());
    let error = parse_within("a b c d", limits).unwrap_err();
    assert_eq!(
        (error.fault, &*error.error),
        (Fault::TooManyWords, "the op has more than 3 words")
    );
    let error = parse_within("abc defghi", limits).unwrap_err();
    assert_eq!(
        (error.fault, &*error.error),
        (Fault::TooLong, "the op has 10 bytes, the limit is 8")
    );
}

#[test]
fn free_text_is_limited_too() {
    let (verb, tail) = split_verb("  Find  it's \"so ").unwrap();
    assert_eq!((&*verb.text, tail), ("find", "it's \"so"));
    assert_eq!(split_verb("map").unwrap().1, "");
    assert_eq!(split_verb("find a\0b").unwrap_err().fault, Fault::Nul);
    let long = format!("find {}", "a ".repeat(1 << 19));
    assert_eq!(split_verb(&long).unwrap_err().fault, Fault::TooLong);
    assert_eq!(split_verb("@all x").unwrap_err().fault, Fault::NotAVerb);
}

#[test]
fn an_op_is_written_out_on_one_line() {
    for (text, line) in [
        ("  NOTE   Piano\n C4 ", "note Piano C4"),
        ("x 'a b' \"plain\" k:'v w'", "x \"a b\" \"plain\" k:\"v w\""),
        (
            "x on:track:'Two Words' @T:'a b' @not:u",
            "x on:track:\"Two Words\" @t:\"a b\" @not:u",
        ),
        ("x \"a\nb\" -> \"->\"", "x \"a\\nb\" -> \"->\""),
        ("x k:\"\" @t:\"\" \"\"", "x k:\"\" @t:\"\" \"\""),
    ] {
        assert_eq!(parse(text).unwrap().to_string(), line);
    }
    assert_eq!(
        parse_action("Open:a.mid").unwrap().to_string(),
        "open open:a.mid"
    );
}
