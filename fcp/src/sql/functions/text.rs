//! Text functions that replace SQLite's own, whose time grows with the product of two lengths.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use memchr::memmem;
use regex::Regex;
use rusqlite::functions::Context;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ffi};
use rustc_hash::FxHashMap;

use super::FLAGS;

/// The most characters of a text times those of a pattern's part, for parts with wildcards for
/// single characters.
const PRODUCT: usize = 1 << 20;

/// The limit and the cost of these functions.
#[derive(Clone, Debug)]
pub(in crate::sql) struct Cost {
    /// The most bytes of a value.
    pub longest: Arc<AtomicUsize>,
    /// Their steps, in addition to those of SQLite's machine.
    pub steps: Arc<AtomicU64>,
    /// The compiled patterns of the statement.
    pub patterns: Arc<Mutex<FxHashMap<String, Regex>>>,
}

impl Default for Cost {
    fn default() -> Self {
        Self {
            longest: Arc::new(AtomicUsize::new(usize::MAX)),
            steps: Arc::default(),
            patterns: Arc::default(),
        }
    }
}

impl Cost {
    /// Counts the steps of a function that processed `bytes` bytes.
    fn looked(&self, bytes: usize) {
        let steps = (bytes / 16) as u64;
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }
}

/// Adds the text functions.
pub(super) fn stock(connection: &Connection, cost: &Cost) -> rusqlite::Result<()> {
    let own = cost.clone();
    connection.create_scalar_function("instr", 2, FLAGS, move |context| {
        let (Some(text), Some(part)) = (text(context, 0), text(context, 1)) else {
            return Ok(None);
        };
        own.looked(text.len() + part.len());
        let at = memmem::find(text.as_bytes(), part.as_bytes());
        let at = at.map(|at| text.get(..at).unwrap_or_default().chars().count() + 1);
        Ok(Some(i64::try_from(at.unwrap_or(0)).unwrap_or(i64::MAX)))
    })?;
    let own = cost.clone();
    connection.create_scalar_function("replace", 3, FLAGS, move |context| {
        let all = (text(context, 0), text(context, 1), text(context, 2));
        let (Some(text), Some(old), Some(new)) = all else {
            return Ok(None);
        };
        if old.is_empty() {
            return Ok(Some(text));
        }
        let found: Vec<usize> = memmem::find_iter(text.as_bytes(), &old).collect();
        let more = new.len().saturating_sub(old.len());
        let len = text.len() + found.len().saturating_mul(more);
        own.looked(len + old.len() + 4 * found.len());
        if len > own.longest.load(Ordering::Relaxed) {
            return Err(Error::SqliteFailure(
                ffi::Error::new(ffi::SQLITE_TOOBIG),
                None,
            ));
        }
        let (mut whole, mut from) = (String::with_capacity(len), 0);
        for at in found {
            whole.push_str(text.get(from..at).unwrap_or_default());
            whole.push_str(&new);
            from = at + old.len();
        }
        whole.push_str(text.get(from..).unwrap_or_default());
        Ok(Some(whole))
    })?;
    for (name, from_start, from_end) in [
        ("trim", true, true),
        ("ltrim", true, false),
        ("rtrim", false, true),
    ] {
        let own = cost.clone();
        connection.create_scalar_function(name, 2, FLAGS, move |context| {
            let (Some(whole), Some(signs)) = (text(context, 0), text(context, 1)) else {
                return Ok(None);
            };
            own.looked(4 * (whole.len() + signs.len()));
            let signs: HashSet<char> = signs.chars().collect();
            let mut left = whole.as_str();
            if from_start {
                left = left.trim_start_matches(|c| signs.contains(&c));
            }
            if from_end {
                left = left.trim_end_matches(|c| signs.contains(&c));
            }
            Ok(Some(left.to_owned()))
        })?;
    }
    for (name, args) in [("like", 2), ("like", 3), ("glob", 2)] {
        let own = cost.clone();
        connection.create_scalar_function(name, args, FLAGS, move |context| {
            let (Some(pattern), Some(whole)) = (text(context, 0), text(context, 1)) else {
                return Ok(None);
            };
            own.looked(2 * (whole.len() + pattern.len()));
            let escape = match args {
                3 => {
                    let Some(escape) = text(context, 2) else {
                        return Ok(None);
                    };
                    let mut signs = escape.chars();
                    match (signs.next(), signs.next()) {
                        (Some(escape), None) => Some(escape),
                        _ => {
                            let wrong = "ESCAPE expression must be a single character";
                            return Err(Error::UserFunctionError(wrong.into()));
                        }
                    }
                }
                _ => None,
            };
            let parts = match name {
                "glob" => glob(&pattern),
                _ => like(&pattern, escape),
            };
            let Some(parts) = parts else {
                return Ok(Some(false));
            };
            let whole = match name {
                "glob" => whole,
                _ => whole.to_ascii_lowercase(),
            };
            let found = matches(&parts, &whole, &own);
            found.map(Some).ok_or_else(|| {
                Error::UserFunctionError("the pattern is too long for the text".into())
            })
        })?;
    }
    Ok(())
}

/// An argument as a text; `None` if it is NULL.
pub(super) fn text(context: &Context<'_>, ix: usize) -> Option<String> {
    match context.get_raw(ix) {
        ValueRef::Null => None,
        ValueRef::Integer(whole) => Some(whole.to_string()),
        ValueRef::Real(value) => Some(super::spelled(value)),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

/// A sign of a pattern.
enum Sign {
    /// This character.
    Is(char),
    /// Any character.
    Any,
    /// One of these ranges; or, if `true`, none of them.
    Of(Vec<(char, char)>, bool),
}

impl Sign {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Is(own) => *own == c,
            Self::Any => true,
            Self::Of(ranges, inverted) => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *inverted
            }
        }
    }
}

/// The parts of a pattern between wildcards for any text.
type Parts = Vec<Vec<Sign>>;

/// Parses a LIKE pattern. ASCII letters become lower case; `None` matches nothing.
fn like(pattern: &str, escape: Option<char>) -> Option<Parts> {
    let mut parts: Parts = vec![Vec::new()];
    let mut signs = pattern.chars();
    while let Some(c) = signs.next() {
        let sign = match c {
            c if Some(c) == escape => Sign::Is(signs.next()?.to_ascii_lowercase()),
            '%' => {
                parts.push(Vec::new());
                continue;
            }
            '_' => Sign::Any,
            c => Sign::Is(c.to_ascii_lowercase()),
        };
        if let Some(last) = parts.last_mut() {
            last.push(sign);
        }
    }
    Some(parts)
}

/// Parses a GLOB pattern. `None` matches nothing.
fn glob(pattern: &str) -> Option<Parts> {
    let mut parts: Parts = vec![Vec::new()];
    let mut signs = pattern.chars().peekable();
    while let Some(c) = signs.next() {
        let sign = match c {
            '*' => {
                parts.push(Vec::new());
                continue;
            }
            '?' => Sign::Any,
            '[' => {
                let inverted = signs.next_if_eq(&'^').is_some();
                let mut ranges = Vec::new();
                if signs.next_if_eq(&']').is_some() {
                    ranges.push((']', ']'));
                }
                let mut before = None;
                loop {
                    match (signs.next()?, before) {
                        (']', _) => break,
                        ('-', Some(from)) if signs.peek().is_some_and(|to| *to != ']') => {
                            ranges.push((from, signs.next()?));
                            before = None;
                        }
                        (c, _) => {
                            ranges.push((c, c));
                            before = Some(c);
                        }
                    }
                }
                Sign::Of(ranges, inverted)
            }
            c => Sign::Is(c),
        };
        if let Some(last) = parts.last_mut() {
            last.push(sign);
        }
    }
    Some(parts)
}

/// Returns whether a text matches; `None` if that would take too long.
fn matches(parts: &Parts, whole: &str, cost: &Cost) -> Option<bool> {
    let Some((first, rest)) = parts.split_first() else {
        return Some(whole.is_empty());
    };
    let Some(mut left) = begins(first, whole) else {
        return Some(false);
    };
    let Some((last, middle)) = rest.split_last() else {
        return Some(left.is_empty());
    };
    for part in middle {
        match after(part, left, cost)? {
            Some(rest) => left = rest,
            None => return Some(false),
        }
    }
    // Anything may precede the last part: only the last characters of the rest count.
    let skipped = left.chars().count().checked_sub(last.len());
    let Some(skipped) = skipped else {
        return Some(false);
    };
    let start = left
        .char_indices()
        .nth(skipped)
        .map_or(left.len(), |(at, _)| at);
    Some(begins(last, &left[start..]).is_some_and(str::is_empty))
}

/// The rest of a text after a part at its beginning.
fn begins<'t>(part: &[Sign], text: &'t str) -> Option<&'t str> {
    let mut signs = text.chars();
    for sign in part {
        if !signs.next().is_some_and(|c| sign.takes(c)) {
            return None;
        }
    }
    Some(signs.as_str())
}

/// The rest of a text after the first match of a part; the outer `None` if the search would take
/// too long.
#[allow(clippy::option_option)]
fn after<'t>(part: &[Sign], text: &'t str, cost: &Cost) -> Option<Option<&'t str>> {
    let exact: Option<String> = part
        .iter()
        .map(|sign| match sign {
            Sign::Is(c) => Some(*c),
            _ => None,
        })
        .collect();
    if let Some(exact) = exact {
        let at = memmem::find(text.as_bytes(), exact.as_bytes());
        return Some(at.and_then(|at| text.get(at + exact.len()..)));
    }
    cost.looked(text.len().saturating_mul(part.len()));
    if text.len().saturating_mul(part.len()) > PRODUCT {
        return None;
    }
    let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    Some(starts.find_map(|at| begins(part, &text[at..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_they_mean_in_sqlite() {
        let plain = Connection::open_in_memory().unwrap();
        let own = Connection::open_in_memory().unwrap();
        stock(&own, &Cost::default()).unwrap();
        let texts = [
            "", "a", "ab", "abc", "aXbXc", "Äb", "a%b", "a_b", "[x]", "aaab", "x-y", "A", "a\\",
            "-", "]", "^",
        ];
        let likes = [
            "", "%", "a%", "%b", "%b%", "a_c", "_", "%%", "a%c", "ä_", "a\\%b", "%a%a%b", "__%",
            "A", "a\\", "\\a", "%\\",
        ];
        let globs = [
            "*", "a*", "*b", "?", "a?c", "[ab]*", "[^a]*", "*[b-d]", "[[]x]", "[]x]*", "*a*b",
            "x[-]y", "[ab", "*[", "[]-a]", "[^]a]", "[a-]", "[-a]", "[a-c-z]", "[^", "[]", "[b-a]",
            "[]]*",
        ];
        let same = |sql: &str, one: &str, other: &str| {
            let ask = |connection: &Connection| -> Option<String> {
                let sql = format!("SELECT CAST({sql} AS TEXT)");
                connection
                    .query_row(&sql, [one, other], |row| row.get(0))
                    .unwrap()
            };
            assert_eq!(ask(&own), ask(&plain), "{sql} of {one:?} and {other:?}");
        };
        for text in texts {
            for pattern in likes {
                same("?1 LIKE ?2", text, pattern);
                same("?1 LIKE ?2 ESCAPE '\\'", text, pattern);
                same("?1 LIKE ?2 ESCAPE 'B'", text, pattern);
                same("?1 LIKE ?2 ESCAPE '%'", text, pattern);
            }
            for pattern in globs {
                same("?1 GLOB ?2", text, pattern);
            }
            for other in texts {
                for sql in [
                    "instr(?1, ?2)",
                    "replace(?1, ?2, 'zz')",
                    "trim(?1, ?2)",
                    "ltrim(?1, ?2)",
                    "rtrim(?1, ?2)",
                ] {
                    same(sql, text, other);
                }
            }
        }
        for escape in ["", "ab"] {
            let sql = "SELECT 'a' LIKE 'a' ESCAPE ?1";
            for connection in [&own, &plain] {
                let asked = connection.query_row(sql, [escape], |row| row.get::<_, i64>(0));
                assert!(asked.is_err(), "{escape:?}");
            }
        }
    }

    #[test]
    fn numbers_are_texts_as_in_sqlite() {
        let plain = Connection::open_in_memory().unwrap();
        let own = Connection::open_in_memory().unwrap();
        stock(&own, &Cost::default()).unwrap();
        let values = [
            0.1,
            100_000.0,
            1e15,
            1e16,
            -2.5e20,
            1e-4,
            1e-5,
            1.5e-7,
            1e100,
            1.0 / 3.0,
        ];
        for value in values {
            let ask = |connection: &Connection| -> String {
                let sql = "SELECT replace(?1, '.', ',')";
                connection
                    .query_row(sql, [value], |row| row.get(0))
                    .unwrap()
            };
            assert_eq!(ask(&own), ask(&plain));
        }
    }
}
