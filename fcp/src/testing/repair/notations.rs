//! Mistakes of notation: quotes, commas, brackets, and the habits of other languages.

use super::place::{Facts, Kind, Piece};
use super::{Wrong, one_of};
use crate::diag::Span;
use crate::testing::Walk;

/// A unit after a number that takes none. A unit shown on the card for the value is not a mistake.
pub fn unit(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    const UNITS: &[&str] = &["px", "ms", "s", "%", "deg", "pt", "bpm", "st", "x", "min"];
    let pieces = facts.pieces(|piece| piece.spec.is_some() && piece.number().is_some());
    let piece = one_of(random, &pieces)?;
    let unit = random.pick(UNITS)?;
    let doc = piece.spec.map_or("", |spec| spec.doc);
    let shown = doc
        .split(|c: char| !c.is_alphabetic() && c != '%')
        .any(|word| word == unit);
    let at = piece.value.end;
    (!shown && !piece.is_free()).then(|| facts.with(Span::new(at, at), unit).into())
}

/// A number without the unit shown on the card. If a plain number is shown too, it is not a
/// mistake.
pub fn no_unit(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let number = |text: &str| {
        text.trim_end_matches(|c: char| c.is_alphabetic() || c == '%')
            .len()
    };
    let measured = |piece: &Piece| {
        let plain = number(&piece.text);
        let doc = piece.spec.map_or("", |spec| spec.doc);
        let mut words = doc.split([' ', ',', ';', ':']);
        let plain_number = |word: &str| {
            word.trim_matches(['(', ')', '+', '-'])
                .parse::<f64>()
                .is_ok()
        };
        let shown = words.any(plain_number) || doc.contains("number");
        plain > 0
            && plain < piece.text.len()
            && piece.text[..plain].parse::<f64>().is_ok()
            && piece.spec.is_some()
            && !shown
            && !piece.quoted
            && !piece.is_free()
    };
    let pieces = facts.pieces(measured);
    let piece = one_of(random, &pieces)?;
    let start = piece.value.start;
    let span = Span::new(start + number(&piece.text), piece.value.end);
    Some(facts.with(span, "").into())
}

/// A number beyond the bounds shown on the card: by one, if the bound itself was meant, or by far.
pub fn out_of_range(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let pieces = facts.pieces(|piece| piece.number().is_some() && bounds(piece).is_some());
    let piece = one_of(random, &pieces)?;
    let (low, high) = bounds(piece)?;
    let at = |number: i64| facts.with(piece.value, &number.to_string());
    Some(match random.below(4) {
        0 => Wrong {
            op: at(low - 1),
            meant: Some(at(low)),
        },
        1 | 2 => Wrong {
            op: at(high + 1),
            meant: Some(at(high)),
        },
        _ => at(high * 100).into(),
    })
}

/// The whole numbers that the card shows as bounds of a value: `0-127`, `0 to 1`, `1…1000`.
fn bounds(piece: &Piece) -> Option<(i64, i64)> {
    let doc = piece.spec?.doc;
    let digits = |c: char| c.is_ascii_digit();
    for (at, _) in doc.match_indices(digits) {
        let starts = !doc[..at].ends_with(|c: char| {
            digits(c) || c.is_alphabetic() || matches!(c, '.' | '/' | '-' | '+' | ',')
        });
        let low = &doc[at..];
        let low = &low[..low.find(|c| !digits(c)).unwrap_or(low.len())];
        let rest = &doc[at + low.len()..];
        let rest = ["-", " to ", "…"]
            .iter()
            .find_map(|sign| rest.strip_prefix(sign));
        let Some(rest) = rest.filter(|_| starts) else {
            continue;
        };
        let high = &rest[..rest.find(|c| !digits(c)).unwrap_or(rest.len())];
        let more = rest[high.len()..].trim_start_matches('.');
        if more.starts_with(|c: char| digits(c) || c.is_alphabetic() || c == '-') {
            continue;
        }
        if let (Ok(low), Ok(high)) = (low.parse(), high.parse()) {
            return Some((low, high));
        }
    }
    None
}

/// A text with spaces, without its quotes.
pub fn unquoted(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let pieces = facts.pieces(|piece| {
        piece.quoted && piece.text.contains(' ') && !facts.at(piece.value).contains('\\')
    });
    let piece = one_of(random, &pieces)?;
    Some(facts.with(piece.value, &piece.text).into())
}

/// A quote that is not closed.
pub fn unclosed(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let pieces = facts.pieces(|piece| piece.quoted);
    let piece = one_of(random, &pieces)?;
    let close = Span::new(piece.value.end - 1, piece.value.end);
    Some(facts.with(close, "").into())
}

/// Typographic quotes around a value.
pub fn smart_quotes(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    // Text with escapes or other quotes is not typed with such quotes.
    let plain = |piece: &Piece| {
        !piece.text.contains(['"', '\'', '\n', '\\'])
            && !matches!(piece.kind, Kind::Arrow | Kind::Selector)
    };
    let pieces = facts.pieces(plain);
    let piece = one_of(random, &pieces)?;
    let (open, close) = *one_of(random, &[('“', '”'), ('‘', '’'), ('”', '”')])?;
    let text = if piece.quoted {
        &*piece.text
    } else {
        facts.at(piece.value)
    };
    Some(
        facts
            .with(piece.value, &format!("{open}{text}{close}"))
            .into(),
    )
}

/// The op in backticks.
pub fn backticks(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let op = &facts.op;
    Some(match random.below(4) {
        0 => format!("```\n{op}\n```").into(),
        _ => format!("`{op}`").into(),
    })
}

/// Parentheses or brackets around a value.
pub fn brackets(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let known = |piece: &Piece| {
        let keyed = matches!(piece.kind, Kind::Keyed | Kind::Field);
        keyed && piece.spec.is_some() && !piece.is_free() && !piece.quoted
    };
    let pieces = facts.pieces(known);
    let piece = one_of(random, &pieces)?;
    let (open, close) = *one_of(random, &[('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')])?;
    let text = facts.at(piece.value);
    Some(
        facts
            .with(piece.value, &format!("{open}{text}{close}"))
            .into(),
    )
}

/// A space after a comma in a value.
pub fn blank_in_list(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let listed = |piece: &Piece| {
        !piece.quoted
            && piece.text.contains(',')
            && piece.kind != Kind::Selector
            && !piece.is_free()
    };
    let pieces = facts.pieces(listed);
    let piece = one_of(random, &pieces)?;
    let spaced = facts.at(piece.value).replace(',', ", ");
    Some(facts.with(piece.value, &spaced).into())
}

/// Commas or semicolons after words. After a text they would be part of it.
pub fn commas(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let sign = random.pick(&[",", ",", ";"])?;
    let open = |piece: &&Piece| {
        let known = piece.spec.is_some() || piece.kind == Kind::Selector;
        known && !piece.is_free() && piece.kind != Kind::Arrow
    };
    let ends: Vec<usize> = facts
        .pieces
        .iter()
        .filter(open)
        .map(|piece| piece.span.end)
        .collect();
    if random.below(3) == 0 {
        let last = *ends.last().filter(|end| **end == facts.op.len())?;
        return Some(facts.with(Span::new(last, last), sign).into());
    }
    let mut op = facts.op.clone();
    for end in ends.into_iter().rev().filter(|end| *end < facts.op.len()) {
        op.insert_str(end, sign);
    }
    (op != facts.op).then(|| op.into())
}

/// `{"verb":"note","track":"Piano","at":"1.1"}`
pub fn json(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let mut verb = facts.at(facts.verb).to_owned();
    if let Some(second) = facts.second {
        verb = format!("{verb} {}", facts.at(second));
    }
    let name = random.pick(&["verb", "op", "action", "command"])?;
    let mut fields = vec![format!("{}: {}", string(name), string(&verb))];
    let mut seen = vec![(*name).to_owned()];
    for piece in &facts.pieces {
        let (key, value) = named(facts, piece)?;
        // A key can occur only once in an object: an op that needs one twice is not written like
        // that.
        if seen.contains(&key) {
            return None;
        }
        let value = literal(piece, value);
        fields.push(format!("{}: {value}", string(&key)));
        seen.push(key);
    }
    Some(format!("{{{}}}", fields.join(", ")).into())
}

/// `note(track="Piano", at="1.1")`, or with only the values of bare words.
pub fn call(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let mut verb = facts.at(facts.verb).to_owned();
    if let Some(second) = facts.second {
        verb = format!("{verb}_{}", facts.at(second));
    }
    let bare = random.below(2) == 0;
    let mut arguments = Vec::new();
    for piece in &facts.pieces {
        let (key, value) = named(facts, piece)?;
        let value = literal(piece, value);
        arguments.push(match piece.kind {
            Kind::Bare | Kind::Selector if bare => value,
            _ => format!("{key}={value}"),
        });
    }
    Some(format!("{verb}({})", arguments.join(", ")).into())
}

/// The name of a word in a notation where all arguments are named, and its value.
fn named(facts: &Facts, piece: &Piece) -> Option<(String, String)> {
    let key = piece.key.map(|key| facts.at(key).to_owned());
    match piece.kind {
        Kind::Arrow => None,
        Kind::Selector => Some(("target".to_owned(), facts.at(piece.span).to_owned())),
        Kind::Bare => {
            let text = if key.is_some() {
                facts.at(piece.span)
            } else {
                &*piece.text
            };
            Some((piece.param?.name.to_owned(), text.to_owned()))
        }
        Kind::Keyed | Kind::Field => Some((key?, piece.text.clone())),
    }
}

/// A value as JSON: a number without quotes, anything else as a string. `nrpn:1.8` is a string.
fn literal(piece: &Piece, value: String) -> String {
    let is_number = piece.number().is_some() && value == piece.text;
    match is_number && piece.kind != Kind::Selector {
        true => value,
        false => string(&value),
    }
}

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The tool's own name before the op: `list add …`.
pub fn tool_name(facts: &Facts, _: &mut Walk) -> Option<Wrong> {
    Some(format!("{} {}", facts.lexicon.domain, facts.op).into())
}

/// The sign of another tool, of a prompt or of a list before the op.
pub fn sign(facts: &Facts, random: &mut Walk) -> Option<Wrong> {
    let sign = random.pick(&["!", "! ", "? ", "> ", "$ ", "- ", "* ", "1. ", "/"])?;
    Some(format!("{sign}{}", facts.op).into())
}
