//! Checks that a text is one whole expression, before it becomes part of a statement: it must not
//! end the brackets that are put around it.

use super::error::Fault;
use super::lex::{self, Kind, Token};
use crate::value::ValueError;

/// Checks a condition or an expression that goes into a statement in brackets.
///
/// # Errors
/// It has a bracket or a quote without its partner, a comment, or `;`. The repair is the expression
/// that was probably meant.
pub(crate) fn expression(text: &str) -> Result<(), ValueError> {
    // SQLite may read on from a parameter up to a bracket, whatever is between.
    if let Some(span) = lex::parameter(text) {
        return Err(Fault::parameter(span, text).of_value(text, 0));
    }
    let cut = |at: usize| text.get(..at).unwrap_or_default().trim_end().to_owned();
    let rest = |from: usize, to: usize| text.get(from..to).unwrap_or_default().trim();
    let comment = || ValueError::sentence("an expression takes no comment");
    let tokens = lex::tokens(text);
    let mut after = 0;
    for token in &tokens {
        if !rest(after, token.span.start).is_empty() {
            return Err(comment());
        }
        after = token.span.end;
        if token.is_mark(';') {
            let is_last = rest(after, text.len()).is_empty();
            let fix = is_last.then(|| cut(token.span.start));
            return Err(ValueError::sentence("one expression goes here, without ;").maybe_fix(fix));
        }
    }
    if !rest(after, text.len()).is_empty() {
        return Err(comment().fix(cut(after)));
    }
    balanced(text, &tokens)
}

/// Checks that every bracket and every quote has its partner.
pub(super) fn balanced(text: &str, tokens: &[Token<'_>]) -> Result<(), ValueError> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Mark('(') => depth += 1,
            Kind::Mark(')') if depth == 0 => {
                let rest = tokens.get(at..).unwrap_or_default();
                let is_end = rest.iter().all(|own| own.is_mark(')'));
                let head = text.get(..token.span.start).unwrap_or_default();
                let fix = is_end.then(|| head.trim_end().to_owned());
                return Err(ValueError::sentence("a ) has no ( before it").maybe_fix(fix));
            }
            Kind::Mark(')') => depth -= 1,
            Kind::Text | Kind::Name if !is_closed(token.text) => {
                let message = format!("the quote of {} is not closed", token.text);
                return Err(ValueError::sentence(message));
            }
            _ => {}
        }
    }
    match depth {
        0 => Ok(()),
        _ => {
            Err(ValueError::sentence("a ( is not closed")
                .fix(format!("{text}{}", ")".repeat(depth))))
        }
    }
}

/// The error of an expression that makes one value of all rows, outside of a question; and the call
/// that does.
pub(crate) fn aggregate(text: &str) -> Option<(String, &str)> {
    const ALWAYS: [&str; 6] = ["avg", "count", "group_concat", "string_agg", "sum", "total"];
    let tokens = lex::tokens(text);
    if tokens.iter().any(|token| token.is("SELECT")) {
        return None;
    }
    let calls = tokens.iter().zip(tokens.iter().skip(1)).enumerate();
    let mut calls = calls.filter(|(_, (_, next))| next.is_mark('('));
    calls.find_map(|(at, (token, open))| {
        let name = token.name()?.to_lowercase();
        let mut inner = tokens
            .iter()
            .skip(at + 2)
            .take_while(|own| own.depth > open.depth);
        // With several values, min and max compare them.
        let one = |name: &str| ["max", "min"].contains(&name);
        let is_one =
            one(&name) && !inner.any(|own| own.is_mark(',') && own.depth == open.depth + 1);
        if !ALWAYS.contains(&&*name) && !is_one {
            return None;
        }
        let mut rest = tokens.iter().skip(at + 2);
        let close = rest.find(|own| own.is_mark(')') && own.depth == open.depth)?;
        let message = format!("{name} makes one value of all rows; it needs a SELECT of its own");
        Some((message, token.span.to(close.span).of(text)))
    })
}

/// Whether a text or a name in quotes ends with its quote.
fn is_closed(quoted: &str) -> bool {
    match quoted.chars().next() {
        Some('[') => quoted.ends_with(']'),
        // A quote inside is doubled.
        Some(mark) => quoted.matches(mark).count() % 2 == 0,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn only_whole_expressions_pass() {
        for text in [
            "bar=3",
            "text LIKE '%)%' AND (a OR b)",
            "name = 'it''s -- ;'",
            "\"a)\" = [b(] - -1",
            "ref IN (SELECT ref FROM notes WHERE bar = (1))",
        ] {
            assert!(expression(text).is_ok(), "{text}");
        }
        for (text, fix) in [
            ("bar=3) OR (1=1", None),
            ("bar=3))", Some("bar=3")),
            ("bar=3)", Some("bar=3")),
            ("(bar=3", Some("(bar=3)")),
            ("bar=3;", Some("bar=3")),
            ("bar=3; DELETE FROM notes", None),
            ("bar=3 -- all", Some("bar=3")),
            ("bar=3 /* ) OR (1=1 */", Some("bar=3")),
            ("bar /* x */ =3", None),
            ("bar=3 /*", Some("bar=3")),
            ("name='it''", None),
            ("$a(') OR 1=1 -- '", None),
        ] {
            let error = expression(text).expect_err(text);
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }
}
