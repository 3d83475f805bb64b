//! Properties of every text, tested on texts that proptest generates and shrinks.

use fcp::op::{OpWord, parse, quote, quote_value, spell_param};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof, proptest};
use proptest::sample::select;

#[path = "../../fuzz/invariants/op.rs"]
mod op;

fn plain() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z0-9_.-]{1,8}", "\\PC{0,12}", any::<String>()]
}

/// One word as an agent may write it, often a valid one.
fn word() -> impl Strategy<Value = String> {
    let key = "[a-zA-Z][a-z0-9_.-]{0,5}";
    let arrow = select(vec![
        "->",
        "<->",
        "--",
        "=",
        "@",
        "A1:B2",
        "1:5",
        "Sheet2!A1:B10",
        "\"",
        "'",
    ]);
    prop_oneof![
        plain().prop_map(|text| quote(&text).into_owned()),
        (key, plain()).prop_map(|(key, value)| spell_param(&key, &value)),
        (key, plain()).prop_map(|(kind, value)| format!("@{kind}:{}", quote_value(&value))),
        (key, plain()).prop_map(|(kind, value)| format!("@not:{kind}:{}", quote_value(&value))),
        (key, key, plain())
            .prop_map(|(key, kind, value)| format!("{key}:{kind}:{}", quote_value(&value))),
        arrow.prop_map(str::to_owned),
        plain(),
    ]
}

fn line() -> impl Strategy<Value = String> {
    (
        "\\p{L}[\\p{L}\\p{M}0-9_.-]{0,8}",
        vec((select(vec![" ", "  ", "\t", "\r\n"]), word()), 0..8),
    )
        .prop_map(|(verb, words)| {
            let words = words
                .into_iter()
                .map(|(space, word)| format!("{space}{word}"));
            verb + &words.collect::<String>()
        })
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        op::holds(&text);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..64)) {
        op::holds(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_of_few_letters(text in "[ \\t\\n\"'\\\\:@=!>\\-<,.aA1néu{}\\x00]{0,40}") {
        op::holds(&text);
    }

    #[test]
    fn any_op(line in line()) {
        op::holds(&line);
    }

    #[test]
    fn right_words_are_taken_as_they_are_meant(
        texts in vec(plain(), 0..6),
        params in vec(("[a-z]{1,6}", plain()), 0..6),
    ) {
        let mut line = "verb".to_owned();
        for text in &texts {
            line += &format!(" {}", quote(text));
        }
        for (key, value) in &params {
            line += &format!(" {}", spell_param(key, value));
        }
        let op = parse(&line).unwrap();
        assert!(op.positionals().filter_map(OpWord::plain).eq(texts.iter().map(String::as_str)));
        assert!(op.params().map(|param| (&*param.key, &*param.value)).eq(params.iter().map(|(key, value)| (&**key, &**value))));
    }

    #[test]
    fn a_place_is_what_a_repair_replaces(line in line(), with in plain()) {
        let Ok(op) = parse(&line) else { return Ok(()) };
        for param in op.params() {
            let repaired = param.value_span.replace(op.raw, &quote_value(&with));
            let again = parse(&repaired).unwrap();
            let wanted = op.params().map(|other| if other == param { &with } else { &*other.value });
            let is_range = |word: &OpWord<'_>| matches!(word, OpWord::Positional(word) if word.text.contains(':'));
            assert!(again.params().map(|param| &*param.value).eq(wanted) || again.words.iter().any(is_range));
        }
    }
}
