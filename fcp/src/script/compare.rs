//! Compares replies with the expected ones.

use std::fmt;

/// The first difference between a reply and the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the reply, from 1.
    pub line: usize,
    /// The expected line.
    pub expected: Option<String>,
    /// The line of the reply.
    pub found: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |line: &Option<String>| line.clone().unwrap_or_else(|| "(no such line)".to_owned());
        writeln!(f, "line {} of the reply differs", self.line)?;
        writeln!(f, "  expected: {}", shown(&self.expected))?;
        write!(f, "  found:    {}", shown(&self.found))
    }
}

/// Compares a reply with the expected one. In `expected`, `#*` matches any content hash and `…` at
/// the end of a line matches any rest; a digest, or a line that names the tables, is not compared
/// if it is omitted.
///
/// # Errors
///
/// The first difference.
///
/// ```
/// let expected = ["+ circle dot r:5 …".to_owned(), "[1s #*]".to_owned()];
/// assert!(fcp::script::compare(&expected, "+ circle dot r:5 @(0,0)\n[1s #9f3a1c]").is_ok());
/// ```
pub fn compare(expected: &[String], reply: &str) -> Result<(), Difference> {
    let mut found: Vec<&str> = reply.lines().collect();
    let digest = |line: &str| line.starts_with('[') && line.ends_with(']');
    if found.len() > expected.len()
        && found.last().is_some_and(|line| digest(line))
        && !expected.last().is_some_and(|line| digest(line.trim_end()))
    {
        found.pop();
    }
    // The list of tables does not describe the op's effect.
    let tables = |line: &str| line.starts_with("  tables: ");
    if !expected.iter().any(|line| tables(line)) {
        found.retain(|line| !tables(line));
    }
    for at in 0..expected.len().max(found.len()) {
        let (wanted, there) = (expected.get(at), found.get(at));
        if !wanted
            .zip(there)
            .is_some_and(|(wanted, there)| matches(wanted.trim_end(), there.trim_end()))
        {
            let found = there.map(|line| (*line).to_owned());
            return Err(Difference {
                line: at + 1,
                expected: wanted.cloned(),
                found,
            });
        }
    }
    Ok(())
}

fn matches(expected: &str, found: &str) -> bool {
    let (expected, open) = match expected.strip_suffix('…') {
        Some(start) => (start, true),
        None => (expected, false),
    };
    let mut parts = expected.split("#*");
    let Some(mut rest) = parts.next().and_then(|first| found.strip_prefix(first)) else {
        return false;
    };
    for part in parts {
        let hash = rest
            .strip_prefix('#')
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
        let Some(after) = hash
            .filter(|after| after.len() + 1 < rest.len())
            .or_else(|| rest.strip_prefix("#*"))
        else {
            return false;
        };
        let Some(after) = after.strip_prefix(part) else {
            return false;
        };
        rest = after;
    }
    open || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn hashes_and_ends_of_lines_may_be_omitted() {
        for (expected, found, same) in [
            ("+ a", "+ a", true),
            ("+ a", "+ a b", false),
            ("+ a…", "+ a b", true),
            ("+ a …", "+ a b", true),
            ("…", "anything", true),
            ("? … 7 more", "? … 7 more", true),
            ("? … 7 more", "? … 8 more", false),
            ("[1s #*]", "[1s #9f3a1c]", true),
            ("[1s #*]", "[1s #]", false),
            ("[1s #*]", "[1s #xyz]", false),
            ("[1s #*]", "[2s #9f3a1c]", false),
            ("#* and #* …", "#00ff and #1 more", true),
            ("#* and #*", "#00ff and #1 more", false),
            ("a #* b", "a #* b", true),
            ("a  ", "a", true),
            ("  a", "a", false),
        ] {
            assert_eq!(
                compare(&lines(expected), found).is_ok(),
                same,
                "{expected} / {found}"
            );
        }
    }

    #[test]
    fn a_digest_may_be_omitted_but_other_lines_may_not() {
        let reply = "+ a\n? b is empty\n[1s #9f3a1c]";
        for (expected, same) in [
            ("+ a\n? b is empty\n[1s #*]", true),
            ("+ a\n? b is empty", true),
            ("+ a\n…", true),
            ("+ a\n…\n…", true),
            ("+ a", false),
            ("+ a\n? b is empty\n[2s #*]", false),
            ("+ a\n? b is empty\n[1s #*]\n+ c", false),
        ] {
            assert_eq!(compare(&lines(expected), reply).is_ok(), same, "{expected}");
        }
        assert!(compare(&lines("[a]"), "[a]\n[1s #1]").is_err());
        assert!(compare(&[], "[1s #1]").is_ok());
    }

    #[test]
    fn the_first_difference_is_shown() {
        let difference = compare(&lines("+ a\n+ b"), "+ a\n+ c\n[x]").unwrap_err();
        assert_eq!(
            difference.to_string(),
            "line 2 of the reply differs\n  expected: + b\n  found:    + c"
        );
        let missing = compare(&lines("+ a\n+ b"), "+ a").unwrap_err();
        assert_eq!(
            missing.to_string(),
            "line 2 of the reply differs\n  expected: + b\n  found:    (no such line)"
        );
        let more = compare(&lines("+ a"), "+ a\n+ b").unwrap_err();
        assert_eq!((more.line, more.expected), (2, None));
    }
}
