//! Parsing and writing of JSON, compared with serde_json; kept spellings are not changed.

use fcp_assets::json::{DEPTH, Fault, outline, read};
use proptest::prelude::*;
use serde_json::Value;

/// serde_json's value of a text. It is laxer in two ways: depth, and halves of surrogate pairs.
fn known(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// The fault of a text, if it is rejected; both readers must report the same one.
fn refused(text: &str) -> Option<Fault> {
    let fault = read(text).err();
    assert_eq!(outline(text, 2).err(), fault, "{text:?}");
    fault
}

#[test]
fn json_is_accepted_and_other_texts_are_rejected() {
    for text in [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1.50",
        "1e3",
        "-12E-4",
        "\"\"",
        "[]",
        "{}",
        " [ 1 , 2 ] ",
        "{\"a\":{\"b\":[null]}}",
        "\"\\ud83d\\ude00\"",
        "\"\\u00e9\\/\\b\"",
        "\"\u{7f}\"",
        "12345678901234567890123",
        "",
        " ",
        "nul",
        "nulll",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "1e+",
        "-",
        "NaN",
        "Infinity",
        "[1,]",
        "[,]",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\"}",
        "{\"a\":}",
        "'a'",
        "\"a",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "1 2",
        "[1] x",
        "1e999",
        "-1e999",
        "\u{feff}1",
        "[",
        "{",
        "]",
        "\u{a0}1",
        "\"\\",
        "{\"a\":1 \"b\":2}",
    ] {
        let (ours, theirs) = (read(text).ok(), known(text));
        assert_eq!(ours.map(|json| json.to_value()), theirs, "{text:?}");
        assert_eq!(refused(text).is_some(), theirs.is_none(), "{text:?}");
    }
}

#[test]
fn spelling_is_kept_and_the_last_of_equal_keys_holds() {
    for (text, wanted) in [
        (
            r#" { "z" : 1.50 , "a" : [ 1e3 , -0.0 ] } "#,
            r#"{"z":1.50,"a":[1e3,-0.0]}"#,
        ),
        (r#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
        (r#""\u00e9\/\u0001\n\"""#, r#""é/\u0001\n\"""#),
    ] {
        assert_eq!(read(text).unwrap().to_string(), wanted);
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(read(&nested(DEPTH)).is_ok());
    let fault = read(&nested(DEPTH + 1)).unwrap_err();
    assert_eq!(
        (fault.what, fault.at),
        ("values are nested more than 128 deep", DEPTH)
    );
    for opening in ["[", "{\"a\":"] {
        for depth in [DEPTH - 1, DEPTH, DEPTH + 1, 1_000_000] {
            assert!(refused(&opening.repeat(depth)).is_some());
        }
        let closing = if opening == "[" { "]" } else { "}" };
        for depth in [DEPTH, DEPTH + 1] {
            let text = opening.repeat(depth) + "1" + &closing.repeat(depth);
            assert_eq!(refused(&text).is_some(), depth > DEPTH, "{text}");
        }
    }
}

#[test]
fn numbers_beyond_doubles_are_refused_however_they_are_written() {
    for (text, fits) in [
        ("9".repeat(300), true),
        (format!("1{}", "0".repeat(308)), true),
        (format!("1{}", "0".repeat(309)), false),
        (format!("0.{}1", "0".repeat(400)), true),
        ("1.7976931348623157e308".to_owned(), true),
        ("1.7976931348623159e308".to_owned(), false),
    ] {
        assert_eq!(refused(&text).is_none(), fits, "{text}");
    }
}

#[test]
fn an_outline_is_the_members_of_two_levels_as_they_are_written() {
    let text = r#" { "a" : 1.50 , "\u0062" : { "c" : [ {"d":1} ] , "c" : { } } , "a" : "x" } "#;
    let outline = outline(text, 2).unwrap();
    assert_eq!(outline.text, text.trim());
    let keys = outline
        .members
        .iter()
        .map(|(key, value)| (&**key, value.text));
    assert_eq!(
        keys.collect::<Vec<_>>(),
        [
            ("a", "1.50"),
            ("b", r#"{ "c" : [ {"d":1} ] , "c" : { } }"#),
            ("a", r#""x""#)
        ]
    );
    assert_eq!(outline.get("a").unwrap().text, r#""x""#);
    assert_eq!(outline.get("a").unwrap().depth, 0);
    assert_eq!((outline.depth, outline.get("b").unwrap().depth), (4, 3));
    let inner = outline.get("b").unwrap();
    assert_eq!((inner.first(), inner.members.len()), (b'{', 2));
    assert_eq!(inner.get("c").unwrap().text, "{ }");
    assert!(inner.get("d").is_none());
}

#[test]
fn a_fault_has_a_line_and_a_column() {
    let text = "{\n  \"é\": tru\n}";
    let fault = read(text).unwrap_err();
    assert_eq!(fault.place(text), (2, 8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_read_as_serde_json_reads_it(text in r#"[\[\]{}:,"\\ua-f0-9eE.+\- \nnul]{0,40}"#) {
        prop_assert_eq!(read(&text).ok().map(|json| json.to_value()), known(&text));
        prop_assert_eq!(refused(&text).is_some(), known(&text).is_none());
    }

    #[test]
    fn written_json_reads_back(text in r#""([^"\\]|\\[nrt"\\/bf]|\\u00[0-9a-f]{2}){0,20}""#) {
        if let Ok(json) = read(&text) {
            let written = json.to_string();
            prop_assert_eq!(&known(&written), &known(&text));
            prop_assert_eq!(serde_json::to_string(&known(&text)).unwrap(), written);
        }
    }
}
