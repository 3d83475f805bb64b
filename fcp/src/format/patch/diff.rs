//! Unified diffs of two contents.

use imara_diff::{Algorithm, Diff, InternedInput};

use super::{is_binary, split};
use crate::work;

/// The most differing lines that are compared by a histogram.
const HISTOGRAM: usize = 20_000;

/// The lines or bytes that are looked at in the time of a step.
const LOOKS_A_STEP: usize = 32;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side<'c> {
    /// The content.
    pub content: &'c [u8],
    /// Whether it is executable.
    pub executable: bool,
}

/// The differences of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDiff {
    /// The `diff --git` line. A diff with hunks alone needs it only after one without hunks.
    pub line: String,
    /// The diff: bytes, as contents need not be UTF-8.
    pub text: Vec<u8>,
    /// The number of added lines.
    pub added: u64,
    /// The number of removed lines.
    pub removed: u64,
    /// Whether a content is binary.
    pub binary: bool,
}

/// Compares a file; `None` if there is no difference. A side is `None` if the file does not exist
/// there.
pub fn compare(
    path: &str,
    old: Option<Side<'_>>,
    new: Option<Side<'_>>,
    context: u32,
) -> Option<FileDiff> {
    let (before, after) = (
        old.map_or(&[][..], |side| side.content),
        new.map_or(&[][..], |side| side.content),
    );
    let mode = |side: &Side<'_>| if side.executable { "100755" } else { "100644" };
    let mut file = FileDiff::default();
    let (left, right) = (name("a/", path), name("b/", path));
    file.line = format!("diff --git {left} {right}\n");
    let git = &file.line;
    let extended = match (&old, &new) {
        (None, None) => return None,
        (None, Some(new)) => format!("{git}new file mode {}\n", mode(new)),
        (Some(old), None) => format!("{git}deleted file mode {}\n", mode(old)),
        (Some(old), Some(new)) if mode(old) != mode(new) => {
            format!("{git}old mode {}\nnew mode {}\n", mode(old), mode(new))
        }
        _ => String::new(),
    };
    if before == after && extended.is_empty() {
        return None;
    }
    file.text.extend_from_slice(extended.as_bytes());
    if before == after {
        return Some(file);
    }
    let shown = |there: bool, name: &str| {
        if there {
            name.to_owned()
        } else {
            "/dev/null".to_owned()
        }
    };
    let (left, right) = (shown(old.is_some(), &left), shown(new.is_some(), &right));
    if is_binary(before) || is_binary(after) {
        if extended.is_empty() {
            file.text.extend_from_slice(file.line.as_bytes());
        }
        file.text
            .extend_from_slice(format!("Binary files {left} and {right} differ\n").as_bytes());
        file.binary = true;
        return Some(file);
    }
    // A name with a space ends with a tab, for readers that expect a time after the name.
    let tab = if path.contains(' ') { "\t" } else { "" };
    let tab = |there: bool| if there { tab } else { "" };
    let heads = format!(
        "--- {left}{}\n+++ {right}{}\n",
        tab(old.is_some()),
        tab(new.is_some())
    );
    file.text.extend_from_slice(heads.as_bytes());
    hunks(before, after, context, &mut file);
    Some(file)
}

/// The number of lines between those that both sides start and end with.
fn differing(input: &InternedInput<&[u8]>) -> usize {
    let (before, after) = (&input.before, &input.after);
    let pairs = before.iter().zip(after);
    let start = pairs.take_while(|(old, new)| old == new).count();
    let (before, after) = (&before[start..], &after[start..]);
    let pairs = before.iter().rev().zip(after.iter().rev());
    let end = pairs.take_while(|(old, new)| old == new).count();
    before.len() + after.len() - 2 * end
}

fn hunks(before: &[u8], after: &[u8], context: u32, file: &mut FileDiff) {
    let input = InternedInput::new(before, after);
    let lines = differing(&input);
    // A histogram takes a look at all lines for each change.
    let algorithm = match lines {
        ..=HISTOGRAM => Algorithm::Histogram,
        _ => Algorithm::Myers,
    };
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_lines(&input);
    let (old, new) = (split(before), split(after));
    let changes: Vec<_> = diff.hunks().collect();
    // A caller whose call is over drops the result.
    let looks = match algorithm {
        Algorithm::Histogram => lines.saturating_mul(changes.len()),
        _ => lines,
    };
    let _ = work::spend((looks + before.len() + after.len()) / LOOKS_A_STEP);
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        let near = rest
            .windows(2)
            .take_while(|pair| pair[1].before.start - pair[0].before.end <= 2 * context);
        let (group, later) = rest.split_at(near.count() + 1);
        rest = later;
        let last = group.last().unwrap_or(first);
        let lead = first.before.start.min(first.after.start).min(context);
        let left = (old.len() as u32)
            .saturating_sub(last.before.end)
            .min(context);
        let (old_range, new_range) = (
            (first.before.start - lead, last.before.end + left),
            (first.after.start - lead, last.after.end + left),
        );
        let text = format!("@@ -{} +{} @@\n", range(old_range), range(new_range));
        file.text.extend_from_slice(text.as_bytes());
        let mut at = old_range.0;
        for change in group {
            for line in &old[at as usize..change.before.start as usize] {
                put(b' ', line, &mut file.text);
            }
            for line in &old[change.before.start as usize..change.before.end as usize] {
                put(b'-', line, &mut file.text);
                file.removed += 1;
            }
            for line in &new[change.after.start as usize..change.after.end as usize] {
                put(b'+', line, &mut file.text);
                file.added += 1;
            }
            at = change.before.end;
        }
        for line in &old[at as usize..old_range.1 as usize] {
            put(b' ', line, &mut file.text);
        }
    }
}

/// `start,count` for a header: from 1, and the line before for an empty range.
fn range((start, end): (u32, u32)) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

fn put(sign: u8, line: &[u8], out: &mut Vec<u8>) {
    out.push(sign);
    out.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// A name for a header: quoted if it has quotes, backslashes or control characters.
fn name(prefix: &str, path: &str) -> String {
    let special = |byte: u8| matches!(byte, b'"' | b'\\' | 0x7f) || byte < 0x20;
    if !path.bytes().any(special) {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for c in path.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}
