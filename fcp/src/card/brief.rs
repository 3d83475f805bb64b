//! The brief card, which is help without a topic; and topics, each within a limit.

use std::collections::BTreeSet;

use super::full::{Entry, Section, Sections};
use super::{CARD_BYTES, tables};
use crate::diag::Diagnostic;
use crate::domain::Domain;
use crate::value::{fold, nearest_word};
use crate::verb::Registry;

/// The largest help without a topic, in bytes.
pub const HELP_BYTES: usize = 12 * 1024;

/// The largest help on a topic, in bytes.
pub const TOPIC_BYTES: usize = 4096;

/// The bytes left for naming the words of a phrase for which there is no room.
const PHRASE_REST: usize = 200;

/// The largest error about an unknown topic, in bytes.
const UNKNOWN_BYTES: usize = 300;

/// Words for parts of the card that have another topic.
const OTHERS: &[(&str, &str)] = &[
    ("query", "queries"),
    ("action", "session"),
    ("actions", "session"),
    ("op", "verbs"),
    ("ops", "verbs"),
    ("workflow", "examples"),
    ("limit", "settings"),
    ("limits", "settings"),
    ("null", "sql"),
];

/// The parts that come first in help without a topic.
const FIRST: &[&str] = &["sql", "tables", "session", "queries", "batch"];

/// Help without a topic: the syntax of everything, with a line of description as far as there is
/// room.
pub fn brief<M: Domain>(registry: &Registry<M>) -> String {
    let mut card = Sections::of(registry);
    // The parts that every task needs come first.
    let rank = |part: &Section| FIRST.iter().position(|topic| *topic == part.topic);
    card.parts
        .sort_by_key(|part| rank(part).unwrap_or(FIRST.len()));
    let entries: Vec<&Entry> = card.parts.iter().flat_map(|part| &part.entries).collect();
    let text = |levels: &[usize]| {
        let mut levels = levels.iter();
        let mut text = card.title.clone();
        for part in &card.parts {
            let own: Vec<String> = part
                .entries
                .iter()
                .map(|entry| format!("  {}", form(entry, levels.next().copied().unwrap_or(0))))
                .collect();
            let shown = part.brief.as_deref();
            text.push_str(&format!("\n\n## {}", part.heading));
            for line in shown.into_iter().chain(own.iter().map(String::as_str)) {
                text.push('\n');
                text.push_str(line);
            }
        }
        text.push('\n');
        text
    };
    let levels = fitted(&entries, HELP_BYTES, text);
    text(&levels)
}

/// An entry in one of its forms, or in its longest.
fn form(entry: &Entry, level: usize) -> &str {
    let last = entry.forms.len().saturating_sub(1);
    entry.forms.get(level.min(last)).map_or("", String::as_str)
}

/// The level of each entry: all begin with their shortest form, and get longer ones in turn while
/// there is room.
fn fitted(entries: &[&Entry], limit: usize, text: impl Fn(&[usize]) -> String) -> Vec<usize> {
    let mut levels = vec![0; entries.len()];
    let mut bytes = text(&levels).len();
    let most = entries
        .iter()
        .map(|entry| entry.forms.len())
        .max()
        .unwrap_or(0);
    for level in 1..most {
        for (ix, entry) in entries.iter().enumerate() {
            let (Some(before), Some(own)) = (levels.get(ix), entry.forms.get(level)) else {
                continue;
            };
            let longer = bytes + own.len() - form(entry, *before).len().min(bytes);
            if longer <= limit {
                bytes = longer;
                if let Some(own) = levels.get_mut(ix) {
                    *own = level;
                }
            }
        }
    }
    levels
}

/// Help on a topic: a verb, a query, an action, a type, a value, a table, a column, a selector or a
/// warning, by any word of its name; a key of verbs; or a part of the card, such as `selectors`; or `all`.
///
/// # Errors
/// There is no such topic; the nearest one is suggested.
pub fn topic<M: Domain>(registry: &Registry<M>, topic: &str) -> Result<String, Diagnostic> {
    // The sign of a computed value has no word.
    let topic = match topic.trim() {
        ":=" | "EXPR" | "expr" => "KEY:=EXPR",
        // A selector as its syntax shows it.
        selector if selector.starts_with('@') => selector.split(':').next().unwrap_or(topic),
        _ => topic,
    };
    let wanted = fold(topic);
    if topic.trim().eq_ignore_ascii_case("all") {
        return Ok(super::full(registry));
    }
    let card = Sections::of(registry);
    if let Some(found) = of(&card, &wanted, column::<M>(registry, &wanted)) {
        return Ok(found);
    }
    let other = OTHERS.iter().find(|(word, _)| *word == wanted);
    if let Some(found) = other.and_then(|(_, topic)| of(&card, topic, None)) {
        return Ok(found);
    }
    if matches!(&*wanted, "function" | "functions") {
        return Ok(functions::<M>());
    }
    // Try topics that begin with the text, those with it in their syntax, and then its known words.
    let begins = |entry: &&Entry| fold(&entry.name).starts_with(&wanted);
    let entries = card.parts.iter().flat_map(|part| &part.entries);
    let begun: Vec<&Entry> = entries.clone().filter(begins).collect();
    if !wanted.is_empty() && !begun.is_empty() {
        return Ok(several(&begun, None));
    }
    let has_key = |entry: &&Entry| entry.has_in_syntax(&wanted);
    let keyed: Vec<&Entry> = entries.clone().filter(has_key).collect();
    if !keyed.is_empty() {
        return Ok(several(&keyed, None));
    }
    let words = topic.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    let words: Vec<String> = words.map(fold).filter(|word| word.len() > 1).collect();
    let known: Vec<(&str, String)> = words
        .iter()
        .filter_map(|word| Some((&**word, of(&card, word, column::<M>(registry, word))?)))
        .collect();
    if !known.is_empty() {
        return Ok(phrase(known, |word| {
            card.parts.iter().any(|part| fold(part.topic) == word)
        }));
    }
    let names: BTreeSet<String> = entries.map(|entry| entry.name.clone()).collect();
    let headings = card.parts.iter().map(|part| part.topic);
    let near = nearest_word(topic, names.iter().map(String::as_str).chain(headings));
    let near = near.map_or(String::new(), |near| format!("; {near:?} is one"));
    let shown: String = topic.chars().take(40).collect();
    let mut text = format!("no help on {shown:?}{near}");
    text.truncate(text.floor_char_boundary(UNKNOWN_BYTES / 2));
    Err(Diagnostic::new(text)
        .or_syntax("topic: a verb, type, value, table, column, selector; or verbs, tables, selectors, session, examples, all"))
}

/// Help on the words of a phrase as far as there is room; the others are named. Whole parts of the card come last.
fn phrase(mut known: Vec<(&str, String)>, is_part: impl Fn(&str) -> bool) -> String {
    known.sort_by_key(|(word, _)| is_part(word));
    let mut known = known.into_iter();
    let mut text = known.next().map(|(_, first)| first).unwrap_or_default();
    let mut more = Vec::new();
    for (word, own) in known {
        if text.contains(&own) {
            continue;
        }
        match text.len() + own.len() < TOPIC_BYTES - PHRASE_REST {
            true => text = format!("{text}\n{own}"),
            false => more.push(word),
        }
    }
    if !more.is_empty() {
        let more = format!("\n  more: help {}", more.join(", help "));
        text.push_str(&more);
    }
    cut(text)
}

/// The functions that SQL has here.
fn functions<M: Domain>() -> String {
    let mut text = "## SQL functions
  SQLite's, without what differs between runs; X REGEXP 'PATTERN'; and mathematics:
  sqrt, pow, exp, ln, sin, cos, tan, asin, acos, atan, atan2, pi, degrees, radians, ceil, floor, trunc, mod"
        .to_owned();
    for function in M::default().sql_functions() {
        text.push_str(&format!("\n  {}", function.doc));
    }
    cut(text)
}

/// The help on a word: a part of the card, or a name, with all names that contain the word, and
/// columns.
fn of(card: &Sections, wanted: &str, column: Option<String>) -> Option<String> {
    let entries = || card.parts.iter().flat_map(|part| &part.entries);
    let exact: Vec<&Entry> = entries().filter(|entry| entry.is_called(wanted)).collect();
    let own = |text: &str| fold(text) == *wanted;
    let parts: Vec<_> = card.parts.iter().filter(|part| own(part.topic)).collect();
    if !parts.is_empty() {
        let all: Vec<&Entry> = parts.iter().flat_map(|part| &part.entries).collect();
        let text = |levels: &[usize]| {
            let mut levels = levels.iter();
            let mut text = String::new();
            for part in &parts {
                if !text.is_empty() {
                    text.push_str("\n\n");
                }
                text.push_str(&format!("## {}", part.heading));
                if let Some(intro) = &part.intro {
                    text.push_str(&format!("\n{intro}"));
                }
                for entry in &part.entries {
                    let level = levels.next().copied().unwrap_or(0);
                    text.push_str(&format!("\n  {}", form(entry, level)));
                }
            }
            text
        };
        let levels = fitted(&all, TOPIC_BYTES, text);
        return Some(cut(text(&levels)));
    }
    let has_word = |entry: &&Entry| {
        let name = entry.name.to_lowercase();
        let whole = name.split(' ');
        let mut words = whole.chain(name.split([' ', '-', '_', '|']));
        words.any(|word| fold(word) == wanted) && !entry.is_called(wanted)
    };
    // Names that begin with the word come first: for `add`, `add circle` before
    // `modify FILTER add-effect`.
    let begins = |entry: &&Entry| entry.name.split(' ').next().is_some_and(own);
    let (begun, others): (Vec<_>, Vec<_>) = entries().filter(has_word).partition(begins);
    let mut found: Vec<&Entry> = exact.into_iter().chain(begun).chain(others).collect();
    for part in card.parts.iter().filter(|part| own(&part.heading)) {
        let more = part.entries.iter();
        let more = more.filter(|entry| !found.iter().any(|known| known.text == entry.text));
        let more: Vec<&Entry> = more.collect();
        found.extend(more);
    }
    (!found.is_empty() || column.is_some()).then(|| several(&found, column))
}

/// Entries in full as far as there is room, the first ones first, and then columns.
fn several(entries: &[&Entry], column: Option<String>) -> String {
    if let ([entry], None) = (entries, &column) {
        return cut(entry.alone());
    }
    let entry_forms: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| {
            let lines = entry.forms.iter().map(|form| format!("  {form}"));
            lines.chain([entry.text.clone(), entry.alone()]).collect()
        })
        .collect();
    let column = column.unwrap_or_default();
    let mut levels = vec![0_usize; entry_forms.len()];
    let text = |levels: &[usize]| {
        let lines = entry_forms.iter().zip(levels);
        let lines = lines.filter_map(|(forms, level)| forms.get(*level).cloned());
        let mut all: Vec<String> = lines.collect();
        all.extend((!column.is_empty()).then(|| column.clone()));
        all.join("\n")
    };
    // Exact matches are shown in full before the others get longer forms.
    for (ix, forms) in entry_forms.iter().enumerate() {
        for level in 1..forms.len() {
            let mut longer = levels.clone();
            if let Some(own) = longer.get_mut(ix) {
                *own = level;
            }
            if text(&longer).len() <= TOPIC_BYTES {
                levels = longer;
            }
        }
    }
    cut(text(&levels))
}

/// A text within the limit, cut at a line end.
fn cut(text: String) -> String {
    const MORE: &str = "\n  … (help all has the rest)";
    if text.len() <= TOPIC_BYTES {
        return text;
    }
    let end = text.floor_char_boundary(TOPIC_BYTES - MORE.len());
    let kept = text.get(..end).unwrap_or_default();
    let kept = kept.rsplit_once('\n').map_or(kept, |(kept, _)| kept);
    format!("{kept}{MORE}")
}

/// A column, in each table that has it.
fn column<M: Domain>(registry: &Registry<M>, wanted: &str) -> Option<String> {
    let mut lines = Vec::new();
    for table in crate::sql::tables_of(registry) {
        let (first, rest) = match wanted.split_once('.') {
            Some((own, column)) if fold(&table.name) == own => (column, true),
            Some(_) => continue,
            None => (wanted, false),
        };
        for (name, line) in table.names.iter().zip(&table.columns) {
            if fold(name) != first && !(rest && name == first) {
                continue;
            }
            lines.push(format!("  ? SELECT ref, {name} FROM {}", table.name));
            if table.written.contains(name) {
                lines.push(format!("  UPDATE {} SET {name}=… WHERE …", table.name));
            }
            lines.push(format!("      {}.{line}", table.name));
        }
    }
    (!lines.is_empty()).then(|| cut(lines.join("\n")))
}

/// The end of the query tool's description: the tables, their columns, and which of them can be
/// written.
pub fn tables_card<M: Domain>(registry: &Registry<M>, room: usize) -> String {
    tables::card(registry, room.min(CARD_BYTES))
}
