//! Computed values and conditions in another spelling: without quotes, with spaces around the sign,
//! or with `:` or `=` for `:=`.

use super::template::force_quote;
use super::values::spelled;
use crate::diag::Span;
use crate::domain::Domain;
use crate::op::{OpWord, ParsedOp, Quoted, parse};
use crate::verb::Registry;

/// The signs of which an expression contains at least one.
const SIGNS: [char; 8] = ['*', '/', '(', '+', '|', '-', '<', '>'];

/// The op that was probably meant by one with an expression or a condition of several words, or in
/// quotes with its key.
pub(in crate::session) fn quoted<M: Domain>(registry: &Registry<M>, text: &str) -> Option<String> {
    let op = parse(text).ok()?;
    registry.verb(&op)?;
    let mut runs: Vec<(Span, String)> = Vec::new();
    let mut at = 0;
    while at < op.words.len() {
        let Some(head) = Head::of(&op, at) else {
            at += 1;
            continue;
        };
        let more = op.words[at + head.words..].iter();
        let more = more.take_while(|word| word.plain().is_some()).count();
        let end = at + head.words + more;
        let whole = op.words[at].span().to(op.words[end - 1].span());
        let expr = Span::new(head.start.min(whole.end), whole.end).of(op.raw);
        let expr = expr.trim().trim_end_matches(',');
        let is_another = more > 0 || head.is_another;
        if is_another && !expr.is_empty() && (head.is_sure || expr.contains(SIGNS)) {
            runs.push((whole, head.spell(expr)));
        }
        at = end;
    }
    (!runs.is_empty()).then(|| {
        let runs = runs.into_iter().rev();
        runs.fold(op.raw.to_owned(), |op, (span, with)| {
            span.replace(&op, &with)
        })
    })
}

/// The beginning of an expression or a condition.
struct Head<'a> {
    /// The key of the value; `None` for a condition.
    key: Option<&'a str>,
    /// The offset of the expression in the op.
    start: usize,
    /// The words up to there, or with its beginning.
    words: usize,
    /// Whether this is not the form of an op even if the expression is one word.
    is_another: bool,
    /// Whether only an expression can follow.
    is_sure: bool,
}

impl<'a> Head<'a> {
    fn of(op: &'a ParsedOp<'_>, at: usize) -> Option<Self> {
        let head = |key, start| Self {
            key,
            start,
            words: 1,
            is_another: false,
            is_sure: true,
        };
        match &op.words[at] {
            OpWord::Param(param) => {
                let is_computed = param.quoted == Quoted::No && param.value.starts_with('=');
                is_computed.then(|| head(Some(&*param.key), param.value_span.start + 1))
            }
            OpWord::Selector(selector) => {
                let is_where = selector.kind == "where" && selector.quoted == Quoted::No;
                let start = match selector.has_value {
                    true => selector.value_span.start,
                    false => selector.span.end,
                };
                is_where.then(|| head(None, start))
            }
            OpWord::Positional(word) if word.quoted == Quoted::Whole => {
                // `"vel:=vel - 10"`: the quotes belong after the sign.
                let inside = Span::new(word.span.start + 1, word.span.end.saturating_sub(1));
                let (key, _) = inside.of(op.raw).split_once(":=")?;
                is_key(key).then(|| Self {
                    is_another: true,
                    ..head(Some(key), inside.start + key.len() + 2)
                })
            }
            OpWord::Positional(word) => {
                let text = word.span.of(op.raw);
                let unsure = |key, start| Self {
                    is_sure: false,
                    ..head(key, start)
                };
                if text.eq_ignore_ascii_case("where") {
                    return Some(Self {
                        is_another: true,
                        ..unsure(None, word.span.end)
                    });
                }
                if let Some((key, _)) = text.split_once('=') {
                    let start = word.span.start + key.len() + 1;
                    return is_key(key).then(|| unsure(Some(key), start));
                }
                let next = op.words.get(at + 1)?.span();
                let mut signs = [":=", "="].into_iter();
                let sign = signs.find(|sign| next.of(op.raw).starts_with(sign))?;
                is_key(text).then(|| Self {
                    words: 2,
                    is_another: true,
                    ..unsure(Some(text), next.start + sign.len())
                })
            }
            OpWord::Arrow(_) => None,
        }
    }

    fn spell(&self, expr: &str) -> String {
        // The quotes around the whole word have been read as its end.
        let expr = match self.is_another && self.words == 1 && self.is_sure {
            true => expr.trim_end_matches('"').replace("\\\"", "\""),
            false => expr.to_owned(),
        };
        match self.key {
            Some(key) => spelled(key, &expr),
            None => format!("@where:{}", force_quote(&expr)),
        }
    }
}

/// The ops that may have been meant by one with an expression after `:` or `=`, which needs `:=`.
pub(in crate::session) fn signed<M: Domain>(registry: &Registry<M>, text: &str) -> Vec<String> {
    let Ok(op) = parse(text) else {
        return Vec::new();
    };
    if !text.contains(SIGNS) || registry.verb(&op).is_none() {
        return Vec::new();
    }
    let looks = |key: &str, value: &str| {
        let has_sign = value.contains(['*', '/', '(', '+', '|']);
        // `vel-10` may be a name, but not after its own key.
        let is_own = value
            .strip_prefix(key)
            .is_some_and(|rest| rest.starts_with('-'));
        has_sign && value.contains(char::is_alphabetic) || is_own
    };
    let words = op.words.iter().filter_map(|word| {
        let (key, value) = match word {
            OpWord::Param(param) if !param.value.starts_with('=') => (&*param.key, &*param.value),
            OpWord::Positional(own) if own.quoted == Quoted::No => own.text.split_once('=')?,
            _ => return None,
        };
        let is_meant = is_key(key) && looks(key, value);
        is_meant.then(|| word.span().replace(op.raw, &spelled(key, value)))
    });
    words.collect()
}

/// Returns whether a text can be a key.
fn is_key(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain)
}
