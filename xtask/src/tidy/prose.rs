//! Plain English: comments and messages name the thing instead of describing it by a clause, and
//! functions are named after their results.

use super::source::{self, Kind};
use super::words::SEEKERS;
use super::{File, Report, Tree};

/// Words that begin a clause, unless the sentence is a question.
const CLAUSES: &[&str] = &["How", "What", "Where"];

/// Words that may follow "is no": "is no longer"; "is no point" and "is no angle" are documented
/// messages.
const AFTER_NO: &[&str] = &["angle", "longer", "point"];

/// Files whose comments begin with `#`.
const SCRIPTS: &[&str] = &["fcp", "sh", "toml", "yml"];

/// Names of functions that tell nothing about the result.
const RIDDLES: &[&str] = &["said", "told"];

/// Beginnings of names that are clauses.
const PREFIXES: &[&str] = &["how_", "what_", "where_"];

/// A block of comment lines, or the content of a string.
struct Passage<'t> {
    start: usize,
    text: &'t str,
    comment: bool,
}

/// Checks all comments, strings and names of functions.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    for file in &tree.files {
        if SEEKERS.contains(&file.path.as_str()) {
            continue;
        }
        let passages = match file.ending() {
            "rs" => {
                names(file, report);
                passages(&file.text)
            }
            ending if SCRIPTS.contains(&ending) => remarks(&file.text),
            _ => continue,
        };
        for passage in &passages {
            if passage.comment {
                openings(file, passage, report);
            }
            phrases(file, passage, report);
        }
    }
}

/// The comments and strings of a Rust file. Consecutive comment lines are one passage.
fn passages(text: &str) -> Vec<Passage<'_>> {
    let mut found: Vec<Passage<'_>> = Vec::new();
    for (start, end, kind) in source::pieces(text) {
        let piece = &text[start..end];
        if kind == Kind::Comment {
            if let Some(last) = found.last_mut().filter(|last| last.comment) {
                let between = &text[last.start + last.text.len()..start];
                if between.trim().is_empty() && between.matches('\n').count() == 1 {
                    last.text = &text[last.start..end];
                    continue;
                }
            }
            found.push(Passage {
                start,
                text: piece,
                comment: true,
            });
        } else if let (Some(open), Some(close)) = (piece.find('"'), piece.rfind('"'))
            && open < close
            && !piece.starts_with('\'')
        {
            found.push(Passage {
                start: start + open + 1,
                text: &piece[open + 1..close],
                comment: false,
            });
        }
    }
    found
}

/// The comment lines of a script, each a passage.
fn remarks(text: &str) -> Vec<Passage<'_>> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('#') {
            found.push(Passage {
                start,
                text: line,
                comment: true,
            });
        }
        start += line.len();
    }
    found
}

/// Reports comment lines that begin with a clause.
fn openings(file: &File, passage: &Passage<'_>, report: &mut Report<'_>) {
    let mut start = 0;
    for line in passage.text.split_inclusive('\n') {
        let prose = line.trim_start_matches(['/', '!', '*', '#', ' ', '\t']);
        let rest = &passage.text[start + line.len() - prose.len()..];
        let word = CLAUSES.iter().find(|word| {
            let after = prose.strip_prefix(**word);
            after.is_some_and(|after| after.starts_with([' ', '.', ',', '\n', '\'']))
        });
        if let Some(word) = word
            && !is_question(rest)
        {
            report.add(
                &file.path,
                source::line_of(&file.text, passage.start + start),
                format!("a comment begins with a clause: {word} …"),
                "name the thing by a noun, or begin with a verb for a function",
            );
        }
        start += line.len();
    }
}

/// Whether the first sentence of a text is a question.
fn is_question(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = chars.peek().is_none_or(|next| next.is_whitespace());
        match c {
            '?' => return true,
            '.' | ':' if ends => return false,
            _ => {}
        }
    }
    false
}

/// Reports "is no", "is none" and "stands".
fn phrases(file: &File, passage: &Passage<'_>, report: &mut Report<'_>) {
    let words = words(passage.text);
    let text = |ix: usize| words.get(ix).map_or("", |(_, word)| *word);
    for (ix, (at, word)) in words.iter().enumerate() {
        let end = at + word.len();
        let next = words.get(ix + 1).filter(|(next, _)| {
            passage.text[end..*next]
                .chars()
                .all(|c| c.is_whitespace() || matches!(c, '/' | '!' | '*' | '#' | '\\'))
        });
        let next = next.map_or("", |(_, next)| *next);
        let is_there = ix > 0 && text(ix - 1).eq_ignore_ascii_case("there");
        let fix = match (word.to_ascii_lowercase().as_str(), next) {
            _ if is_there => continue,
            ("is", "no") if !AFTER_NO.contains(&text(ix + 2)) => "write \"is not a\"",
            ("are", "no") if text(ix + 2) != "longer" => "write \"are not\"",
            ("is" | "are", "none") => "write \"is not one\", or name the thing that is missing",
            ("stand" | "stands", _) if next != "for" && !passage.text[end..].starts_with('-') => {
                "write \"is\", \"is at\" or \"comes\""
            }
            _ => continue,
        };
        let found = match next {
            "no" | "none" => format!("{word} {next}"),
            _ => (*word).to_owned(),
        };
        report.add(
            &file.path,
            source::line_of(&file.text, passage.start + at),
            format!("\"{found}\" is not plain English here"),
            fix,
        );
    }
}

/// The words of a passage, each with its offset, without quoted texts and code. A quote ends at the
/// end of its line at the latest.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut quote, mut start, mut escaped) = (None, None, false);
    for (at, c) in text.char_indices().chain([(text.len(), '\n')]) {
        if !escaped && (c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')) {
            start.get_or_insert(at);
            continue;
        }
        escaped = c == '\\' && !escaped;
        if let Some(start) = start.take()
            && quote.is_none()
        {
            found.push((start, &text[start..at]));
        }
        match c {
            '\n' => quote = None,
            '"' | '`' if quote == Some(c) => quote = None,
            '"' | '`' => quote = quote.or(Some(c)),
            _ => {}
        }
    }
    found
}

/// Reports functions whose names are riddles or clauses.
fn names(file: &File, report: &mut Report<'_>) {
    let code = source::code(&file.text);
    let mut before = "";
    for (at, name) in source::names(&code) {
        if std::mem::replace(&mut before, name) != "fn" {
            continue;
        }
        let fix = if RIDDLES.contains(&name) {
            "call it describe, label or summary, or by its result"
        } else if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            "name the behavior that it checks, or its result"
        } else {
            continue;
        };
        report.add(
            &file.path,
            source::line_of(&code, at),
            format!("a function is named {name}"),
            fix,
        );
    }
}
