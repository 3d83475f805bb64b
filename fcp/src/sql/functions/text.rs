//! Text functions that replace SQLite's own, whose time grows with the product of two lengths.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use memchr::memmem;
use rusqlite::functions::Context;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result, ToSql, ffi};
use rustc_hash::FxHashMap;

use super::FLAGS;
use crate::pattern::Pattern;

/// The most characters of a text times those of a pattern's part, for parts with wildcards for
/// single characters.
const PRODUCT: usize = 1 << 20;

/// The limits of these functions, set for each statement, and their cost.
#[derive(Clone, Debug, Default)]
pub(in crate::sql) struct Cost {
    /// The most bytes of a value.
    pub longest: Arc<AtomicUsize>,
    /// Their steps since those of SQLite's machine were counted, and the most of them.
    pub steps: Arc<AtomicU64>,
    pub most: Arc<AtomicU64>,
    /// The compiled patterns of the statement.
    pub patterns: Arc<Mutex<FxHashMap<String, Arc<Pattern>>>>,
}

impl Cost {
    /// Counts steps. An error if there are too many.
    pub fn spend(&self, steps: usize) -> Result<()> {
        let took = self.steps.fetch_add(steps as u64, Ordering::Relaxed);
        match took.saturating_add(steps as u64) > self.most.load(Ordering::Relaxed) {
            true => Err(Error::UserFunctionError("too many steps".into())),
            false => Ok(()),
        }
    }

    /// Counts the steps of a function that processed `bytes` bytes.
    pub fn looked(&self, bytes: usize) {
        let steps = (bytes / 16) as u64;
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }
}

/// Adds a function of texts; that of NULL is NULL.
fn add<const N: usize, T: ToSql>(
    connection: &Connection,
    name: &str,
    cost: &Cost,
    call: impl Fn([&str; N], &Cost) -> Result<T> + Send + 'static,
) -> Result<()> {
    let cost = cost.clone();
    let args = i32::try_from(N).unwrap_or(i32::MAX);
    connection.create_scalar_function(name, args, FLAGS, move |context| {
        let given: [Option<String>; N] = std::array::from_fn(|ix| text(context, ix));
        let mut texts = [""; N];
        for (text, given) in texts.iter_mut().zip(&given) {
            match given {
                Some(given) => *text = given,
                None => return Ok(None),
            }
        }
        call(texts, &cost).map(Some)
    })
}

/// Adds the text functions.
pub(super) fn stock(connection: &Connection, cost: &Cost) -> Result<()> {
    add(connection, "instr", cost, |[text, part], cost| {
        cost.looked(text.len() + part.len());
        let at = memmem::find(text.as_bytes(), part.as_bytes());
        let at = at.map(|at| text.get(..at).unwrap_or_default().chars().count() + 1);
        Ok(i64::try_from(at.unwrap_or(0)).unwrap_or(i64::MAX))
    })?;
    add(connection, "length", cost, |[text], cost| {
        cost.looked(text.len());
        let text = text.split('\0').next().unwrap_or_default();
        Ok(i64::try_from(text.chars().count()).ok())
    })?;
    add(connection, "replace", cost, |[text, old, new], cost| {
        if old.is_empty() {
            return Ok(text.to_owned());
        }
        let found = memmem::find_iter(text.as_bytes(), old).count();
        let more = new.len().saturating_sub(old.len());
        let len = text.len() + found.saturating_mul(more);
        cost.looked(len + old.len() + 4 * found);
        match len > cost.longest.load(Ordering::Relaxed) {
            true => {
                let too_big = ffi::Error::new(ffi::SQLITE_TOOBIG);
                Err(Error::SqliteFailure(too_big, None))
            }
            false => Ok(text.replace(old, new)),
        }
    })?;
    for name in ["trim", "ltrim", "rtrim"] {
        add(connection, name, cost, move |[whole, signs], cost| {
            cost.looked(4 * (whole.len() + signs.len()));
            let signs: HashSet<char> = signs.chars().collect();
            let is_sign = |c: char| signs.contains(&c);
            let left = match name {
                "ltrim" => whole.trim_start_matches(is_sign),
                "rtrim" => whole.trim_end_matches(is_sign),
                _ => whole.trim_matches(is_sign),
            };
            Ok(left.to_owned())
        })?;
    }
    add(connection, "like", cost, |[pattern, whole], cost| {
        let whole = whole.to_ascii_lowercase();
        matched(like(pattern, None), (pattern, &whole), cost)
    })?;
    add(connection, "like", cost, |[form, whole, sign], cost| {
        let mut signs = sign.chars();
        let (Some(sign), None) = (signs.next(), signs.next()) else {
            let wrong = "ESCAPE expression must be a single character";
            return Err(Error::UserFunctionError(wrong.into()));
        };
        let whole = whole.to_ascii_lowercase();
        matched(like(form, Some(sign)), (form, &whole), cost)
    })?;
    add(connection, "glob", cost, |[pattern, whole], cost| {
        matched(glob(pattern), (pattern, whole), cost)
    })
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
    /// Any text.
    Texts,
    /// One of these ranges; or, if `true`, none of them.
    Of(Vec<(char, char)>, bool),
}

impl Sign {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Is(own) => *own == c,
            Self::Any | Self::Texts => true,
            Self::Of(ranges, inverted) => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *inverted
            }
        }
    }
}

/// Parses a LIKE pattern. ASCII letters become lower case; `None` matches nothing.
fn like(pattern: &str, escape: Option<char>) -> Option<Vec<Sign>> {
    let (mut found, mut signs) = (Vec::new(), pattern.chars());
    while let Some(c) = signs.next() {
        found.push(match c {
            c if Some(c) == escape => Sign::Is(signs.next()?.to_ascii_lowercase()),
            '%' => Sign::Texts,
            '_' => Sign::Any,
            c => Sign::Is(c.to_ascii_lowercase()),
        });
    }
    Some(found)
}

/// Parses a GLOB pattern. `None` matches nothing.
fn glob(pattern: &str) -> Option<Vec<Sign>> {
    let (mut found, mut signs) = (Vec::new(), pattern.chars().peekable());
    while let Some(c) = signs.next() {
        found.push(match c {
            '*' => Sign::Texts,
            '?' => Sign::Any,
            '[' => {
                let inverted = signs.next_if_eq(&'^').is_some();
                let mut ranges = Vec::new();
                ranges.extend(signs.next_if_eq(&']').map(|c| (c, c)));
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
        });
    }
    Some(found)
}

/// Returns whether a text matches the signs of a pattern.
fn matched(signs: Option<Vec<Sign>>, (pattern, whole): (&str, &str), cost: &Cost) -> Result<bool> {
    cost.looked(2 * (whole.len() + pattern.len()));
    let Some(signs) = signs else { return Ok(false) };
    let parts = signs.split(|sign| matches!(sign, Sign::Texts));
    let found = matches(&parts.collect::<Vec<_>>(), whole, cost);
    found.ok_or_else(|| Error::UserFunctionError("the pattern is too long for the text".into()))
}

/// Returns whether a text matches the parts of a pattern between wildcards for any text; `None` if
/// that would take too long.
fn matches(parts: &[&[Sign]], whole: &str, cost: &Cost) -> Option<bool> {
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
    let Some(skipped) = left.chars().count().checked_sub(last.len()) else {
        return Some(false);
    };
    let start = left.char_indices().nth(skipped);
    let start = start.map_or(left.len(), |(at, _)| at);
    Some(begins(last, &left[start..]).is_some_and(str::is_empty))
}

/// The rest of a text after a part at its beginning.
fn begins<'t>(part: &[Sign], text: &'t str) -> Option<&'t str> {
    let mut signs = text.chars();
    let begins = part
        .iter()
        .all(|sign| signs.next().is_some_and(|c| sign.takes(c)));
    begins.then_some(signs.as_str())
}

/// The rest of a text after the first match of a part; the outer `None` if the search would take
/// too long.
#[allow(clippy::option_option)]
fn after<'t>(part: &[Sign], text: &'t str, cost: &Cost) -> Option<Option<&'t str>> {
    let exact = part.iter().map(|sign| match sign {
        Sign::Is(c) => Some(*c),
        _ => None,
    });
    if let Some(exact) = exact.collect::<Option<String>>() {
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

    fn unlimited() -> Cost {
        let cost = Cost::default();
        cost.longest.store(usize::MAX, Ordering::Relaxed);
        cost.most.store(u64::MAX, Ordering::Relaxed);
        cost
    }

    #[test]
    fn patterns_mean_what_they_mean_in_sqlite() {
        let plain = Connection::open_in_memory().unwrap();
        let own = Connection::open_in_memory().unwrap();
        stock(&own, &unlimited()).unwrap();
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
                    "length(?1 || ?2)",
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
        stock(&own, &unlimited()).unwrap();
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
