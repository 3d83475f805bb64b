//! Invariants of any text given to the op parser.

// A broken promise is a panic; that is what the tests and the fuzzer look for.
#![allow(clippy::panic, clippy::unwrap_used)]

use fcp::diag::{Diagnostic, Span};
use fcp::op::{
    Limits, OpWord, ParseError, ParsedOp, Quoted, Word, parse, parse_action, quote, quote_value,
    spell_param, split_verb, words,
};

const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

/// Panics if the parser breaks a promise on this text.
pub fn holds(text: &str) {
    parses(text);
    let op = parse(text);
    let action = parse_action(text);
    match (&op, &action) {
        (Ok(op), Ok(action)) => assert_eq!(op, action, "an action is read as an op is"),
        (Ok(_), Err(error)) => panic!("an op but no action: {error}"),
        _ => {}
    }
    match &op {
        Ok(op) => {
            op_holds(op, text);
            let words = words(text).unwrap();
            assert_eq!(words.len(), op.words.len() + 1);
            let (verb, tail) = split_verb(text).unwrap();
            assert_eq!(verb, op.verb);
            assert!(op.raw.ends_with(tail));
        }
        Err(error) => error_holds(error, text),
    }
    match &action {
        Ok(action) => op_holds(action, text),
        Err(error) => error_holds(error, text),
    }
    match words(text) {
        Ok(words) => words_hold(&words, text),
        Err(error) => {
            error_holds(&error, text);
            assert!(op.is_err(), "words are refused that make an op: {error}");
        }
    }
    spelling_holds(text);
}

/// The least of it, for a lot of text: whatever comes back has its place in the text.
pub fn parses(text: &str) {
    match parse(text) {
        Ok(op) => in_order(
            [op.verb.span]
                .into_iter()
                .chain(op.words.iter().map(OpWord::span)),
            op.raw,
        ),
        Err(error) => error_holds(&error, text),
    }
}

fn error_holds(error: &ParseError, text: &str) {
    assert_eq!(error.raw, text.trim_matches(SPACES));
    in_text(error.span, &error.raw);
    assert!(
        error.span.start < error.span.end || error.raw.is_empty(),
        "an error has a word"
    );
    assert!(!error.error.is_empty());
    assert!(
        !error.error.contains(['\n', '\r', '\0']),
        "a message is one line: {}",
        error.error
    );
    if let Some(repair) = error.repair() {
        assert!(parse_action(&repair).is_ok(), "a repair parses: {repair}");
    }
    assert_eq!(Diagnostic::from(error.clone()).span, Some(error.span));
}

fn words_hold(words: &[Word<'_>], text: &str) {
    let raw = text.trim_matches(SPACES);
    for word in words {
        in_text(word.span, raw);
        let source = word.span.of(raw);
        assert_eq!(
            word.quoted == Quoted::No,
            source == word.text && !source.starts_with(['"', '\''])
        );
    }
    in_order(words.iter().map(|word| word.span), raw);
}

fn op_holds(op: &ParsedOp<'_>, text: &str) {
    assert_eq!(op.raw, text.trim_matches(SPACES));
    assert_eq!(op.verb.span.start, 0);
    assert_eq!(op.verb.text, op.verb.text.to_lowercase());
    for word in &op.words {
        parts_hold(word, op.raw);
    }
    // The first word of an action may be verb and parameter at once.
    let joined = op.words.first().is_some_and(|word| word.span().start == 0);
    let verb = (!joined).then_some(op.verb.span);
    in_order(
        verb.into_iter().chain(op.words.iter().map(OpWord::span)),
        op.raw,
    );

    let line = op.to_string();
    if line.len() > Limits::default().bytes {
        return; // escapes take more room than the quotes they stand for
    }
    let again = parse(&line).unwrap_or_else(|error| panic!("{:?}: {error}", brief(&line)));
    let (mut before, mut after) = (op.to_json(), again.to_json());
    for json in [&mut before, &mut after] {
        json.as_object_mut().unwrap().remove("raw");
    }
    assert!(
        before == after,
        "an op written out is the same op: {:?}",
        brief(&line)
    );
    assert_eq!(again.to_string(), line, "and is written out the same again");
}

fn parts_hold(word: &OpWord<'_>, raw: &str) {
    let span = word.span();
    let within = |part: Span| {
        in_text(part, raw);
        assert!(span.start <= part.start && part.end <= span.end);
        part.of(raw)
    };
    match word {
        OpWord::Positional(word) => {
            let source = within(word.span);
            assert!(word.quoted != Quoted::No || word.text == source);
        }
        OpWord::Param(param) => {
            assert!(within(param.key_span).eq_ignore_ascii_case(&param.key));
            let source = within(param.value_span);
            assert!(param.quoted != Quoted::No || param.value == source);
            assert!(param.quoted == Quoted::Whole || !param.value.is_empty());
            assert_eq!(param.key_span.end + 1, param.value_span.start);
            assert_eq!(param.value_span.end, span.end);
        }
        OpWord::Selector(selector) => {
            assert_eq!(within(selector.kind_span).to_lowercase(), selector.kind);
            let source = within(selector.value_span);
            assert!(selector.quoted != Quoted::No || selector.value == source);
            assert!(!selector.kind.is_empty() && selector.kind != "not");
            assert_eq!(selector.has_value, !source.is_empty());
            assert_eq!(selector.value_span.end, span.end);
        }
        OpWord::Arrow(arrow) => assert_eq!(within(arrow.span), arrow.kind.as_str()),
    }
}

fn spelling_holds(text: &str) {
    if text.len() > 100_000 {
        return;
    }
    let op = format!("x {}", quote(text));
    let parsed = parse(&op).unwrap_or_else(|error| panic!("{op:?}: {error}"));
    match &parsed.words[..] {
        [OpWord::Positional(word)] => assert_eq!(word.text, text),
        other => panic!("{op:?} is not a plain word: {other:?}"),
    }
    assert!(
        !op.contains(char::is_control),
        "a spelt word stays on its line: {op:?}"
    );

    let op = format!(
        "x k:{} {} {}",
        quote_value(text),
        spell_param("k", text),
        spell_param("A1", text)
    );
    let parsed = parse(&op).unwrap_or_else(|error| panic!("{op:?}: {error}"));
    let values: Vec<_> = parsed
        .params()
        .map(|param| (&*param.key, &*param.value))
        .collect();
    assert_eq!(values, [("k", text), ("k", text), ("A1", text)], "{op:?}");
}

fn in_text(span: Span, raw: &str) {
    assert!(
        raw.get(span.start..span.end).is_some(),
        "{span:?} is not a place in {:?}",
        brief(raw)
    );
}

/// Words follow each other, with nothing but white space between, from the first byte to the last.
fn in_order(spans: impl Iterator<Item = Span>, raw: &str) {
    let mut end = 0;
    for span in spans {
        assert!(end == 0 || end < span.start);
        assert!(raw[end..span.start].chars().all(|c| SPACES.contains(&c)));
        end = span.end;
    }
    assert_eq!(end, raw.len());
}

fn brief(text: &str) -> &str {
    text.char_indices()
        .nth(300)
        .map_or(text, |(end, _)| &text[..end])
}
