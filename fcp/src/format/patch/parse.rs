//! Reads unified diffs, plain ones and git's.
//!
//! Nothing is guessed: a wrong count, or a body that continues after its counts are used up, is an
//! error with its line.

/// Changes of one file.
#[derive(Clone, Debug)]
pub struct Section<'p> {
    /// The kind of change.
    pub action: Action,
    /// The old file; the new one if it is created.
    pub old: String,
    /// The new file; the old one if it is deleted.
    pub new: String,
    /// The modes before and after, as written.
    pub modes: [Option<String>; 2],
    /// The changes, in order.
    pub hunks: Vec<Hunk<'p>>,
    /// The line of the patch that it begins on, from 1.
    pub line: usize,
}

/// The kind of change in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Changes a file.
    Modify,
    /// Creates a file.
    Create,
    /// Deletes a file.
    Delete,
    /// Renames a file.
    Rename,
    /// Copies a file.
    Copy,
}

/// A change of consecutive lines.
#[derive(Clone, Debug, Default)]
pub struct Hunk<'p> {
    /// The first old line, from 1; the line before, if there are no old lines.
    pub start: usize,
    /// The old lines, with their LF if they have one.
    pub old: Vec<&'p [u8]>,
    /// The new lines.
    pub new: Vec<&'p [u8]>,
}

/// The lines of a patch, with a current line.
struct Lines<'p> {
    all: Vec<&'p [u8]>,
    at: usize,
}

/// The headers of a section, as written.
#[derive(Default)]
struct Head {
    line: usize,
    git: Option<String>,
    sides: [Option<String>; 2],
    modes: [Option<String>; 2],
    created: bool,
    deleted: bool,
    renamed: [Option<String>; 2],
    copied: [Option<String>; 2],
}

/// Text that is not a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the patch, from 1.
    pub line: usize,
    /// The fault.
    pub message: String,
}

type Read<T> = Result<T, Fault>;

fn wrong(line: usize, message: impl Into<String>) -> Fault {
    let message = message.into();
    Fault {
        line: line + 1,
        message,
    }
}

/// Reads a patch, which ends in LF. `strip` is the number of leading names removed from paths;
/// `None` decides by their form.
///
/// # Errors
/// The text is not a patch, or contains none.
pub fn parse(patch: &[u8], strip: Option<u32>) -> Result<Vec<Section<'_>>, Fault> {
    let mut lines = Lines {
        all: super::split(patch),
        at: 0,
    };
    let mut sections = Vec::new();
    while lines.at < lines.all.len() {
        let here = lines.header();
        if here.starts_with(b"diff --git ") || lines.begins_plain() {
            sections.push(section(&mut lines, strip)?);
        } else if here.starts_with(b"@@ ") {
            return Err(wrong(
                lines.at,
                "a hunk without the headers of its file: --- a/PATH and +++ b/PATH",
            ));
        } else {
            lines.at += 1;
        }
    }
    if sections.is_empty() {
        return Err(wrong(
            0,
            "nothing to apply: a patch begins with --- a/PATH, +++ b/PATH and @@ -LINE,COUNT +LINE,COUNT @@",
        ));
    }
    Ok(sections)
}

impl<'p> Lines<'p> {
    /// The current line, without its line end.
    fn header(&self) -> &'p [u8] {
        let line = self.all.get(self.at).copied().unwrap_or_default();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line)
    }

    /// Whether the plain headers here belong to the file in a `diff --git` line.
    fn continues(&self, git: &str) -> bool {
        let sides = [self.all.get(self.at), self.all.get(self.at + 1)];
        let names = sides
            .into_iter()
            .flatten()
            .map(|line| String::from_utf8_lossy(&line[4..]));
        let mut names = names
            .map(|name| name.trim_end().to_owned())
            .filter(|name| name != "/dev/null");
        names.all(|name| git.contains(&name))
    }

    fn begins_plain(&self) -> bool {
        let next = self.all.get(self.at + 1).copied().unwrap_or_default();
        self.header().starts_with(b"--- ") && next.starts_with(b"+++ ")
    }
}

fn section<'p>(lines: &mut Lines<'p>, strip: Option<u32>) -> Read<Section<'p>> {
    let head = head(lines)?;
    let mut hunks = Vec::new();
    while lines.header().starts_with(b"@@ ") {
        hunks.push(hunk(lines)?);
    }
    let line = head.line;
    let next = lines.header();
    let signature = next == b"--" || next == b"-- ";
    if !hunks.is_empty()
        && !signature
        && !lines.begins_plain()
        && next.first().is_some_and(|sign| b" +-\\".contains(sign))
    {
        return Err(wrong(
            lines.at,
            "the hunk has more lines than its header counts",
        ));
    }
    let section = head.section(hunks, strip)?;
    if section.hunks.is_empty() && section.action == Action::Modify && section.modes[1].is_none() {
        return Err(wrong(line, format!("{} has no hunk", section.old)));
    }
    Ok(section)
}

fn head(lines: &mut Lines<'_>) -> Read<Head> {
    let mut head = Head {
        line: lines.at,
        ..Head::default()
    };
    if let Some(rest) = lines.header().strip_prefix(b"diff --git ") {
        head.git = Some(utf8(rest, lines.at)?);
        lines.at += 1;
    }
    while lines.at < lines.all.len() {
        let (line, at) = (lines.header(), lines.at);
        let name = |rest: &[u8]| utf8(rest, at).and_then(|name| unquoted(&name, at));
        let mode = |rest: &[u8]| utf8(rest, at).map(Some);
        if lines.begins_plain() {
            if head.git.as_ref().is_some_and(|git| !lines.continues(git)) {
                break;
            }
            let side = |lines: &Lines<'_>| {
                utf8(&lines.header()[4..], lines.at).and_then(|text| unquoted(&text, lines.at))
            };
            let old = side(lines)?;
            lines.at += 1;
            let new = side(lines)?;
            lines.at += 1;
            head.sides = [Some(old), Some(new)];
            break;
        } else if head.git.is_none() {
            break;
        } else if let Some(rest) = line.strip_prefix(b"old mode ") {
            head.modes[0] = mode(rest)?;
        } else if let Some(rest) = line.strip_prefix(b"new mode ") {
            head.modes[1] = mode(rest)?;
        } else if let Some(rest) = line.strip_prefix(b"new file mode ") {
            (head.created, head.modes[1]) = (true, mode(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"deleted file mode ") {
            (head.deleted, head.modes[0]) = (true, mode(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"rename from ") {
            head.renamed[0] = Some(name(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"rename to ") {
            head.renamed[1] = Some(name(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"copy from ") {
            head.copied[0] = Some(name(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"copy to ") {
            head.copied[1] = Some(name(rest)?);
        } else if let Some(rest) = line.strip_prefix(b"index ") {
            if let Some(at) = memchr::memrchr(b' ', rest) {
                head.modes[0] = mode(&rest[at + 1..])?;
            }
        } else if line.starts_with(b"Binary files ") || line.starts_with(b"GIT binary patch") {
            return Err(wrong(
                at,
                "binary patches are not taken; use workspace.write_file with base64: content",
            ));
        } else if !line.starts_with(b"similarity index ")
            && !line.starts_with(b"dissimilarity index ")
        {
            break;
        }
        lines.at += 1;
    }
    Ok(head)
}

impl Head {
    fn section(self, hunks: Vec<Hunk<'_>>, strip: Option<u32>) -> Read<Section<'_>> {
        let line = self.line;
        let absent = |side: &Option<String>| side.as_deref() == Some("/dev/null");
        let prefixed = |side: &String| {
            ["a/", "b/", "/dev/null"]
                .iter()
                .any(|start| side.starts_with(start))
        };
        let git = self.git.is_some();
        let strip =
            strip.unwrap_or_else(|| u32::from(git || self.sides.iter().flatten().all(prefixed)));
        let cut_by = |strip: u32, name: &str| {
            let cut = without(name, strip);
            let short = || wrong(line, format!("{name} has too few names to strip {strip}"));
            cut.map(str::to_owned).ok_or_else(short)
        };
        let cut = |name: &str| cut_by(strip, name);
        let created = self.created || absent(&self.sides[0]);
        let deleted = self.deleted || absent(&self.sides[1]);
        let pair = |action, [from, to]: [Option<String>; 2]| match (from, to) {
            (Some(from), Some(to)) => {
                // These names have no `a/` and `b/`.
                let cut = |name: &str| cut_by(strip.saturating_sub(1), name);
                Ok(Some((action, cut(&from)?, cut(&to)?)))
            }
            (None, None) => Ok(None),
            _ => Err(wrong(line, "a rename or copy needs both `from` and `to`")),
        };
        let moved = pair(Action::Rename, self.renamed)?.or(pair(Action::Copy, self.copied)?);
        let (action, old, new) = if let Some(moved) = moved {
            moved
        } else {
            let [old, new] = match (&self.sides, &self.git) {
                ([Some(old), Some(new)], _) => [old.clone(), new.clone()],
                (_, Some(git)) => both(git, strip, line)?,
                _ => return Err(wrong(line, "the file's name is missing")),
            };
            match (created, deleted) {
                (true, true) => return Err(wrong(line, "both sides are /dev/null")),
                (true, _) => (Action::Create, cut(&new)?, cut(&new)?),
                (_, true) => (Action::Delete, cut(&old)?, cut(&old)?),
                _ => {
                    let (old, new) = (cut(&old)?, cut(&new)?);
                    if old != new {
                        let message = format!(
                            "the sides name two files, {old} and {new}; a rename has `rename from` and `rename to`"
                        );
                        return Err(wrong(line, message));
                    }
                    (Action::Modify, old, new)
                }
            }
        };
        Ok(Section {
            action,
            old,
            new,
            modes: self.modes,
            hunks,
            line: line + 1,
        })
    }
}

/// A name without its first `strip` directories; `None` if it has fewer.
fn without(name: &str, strip: u32) -> Option<&str> {
    let mut rest = name;
    for _ in 0..strip {
        rest = rest.split_once('/')?.1.trim_start_matches('/');
    }
    Some(rest).filter(|rest| !rest.is_empty())
}

/// The two names of a `diff --git` line, which are equal without their first `strip` directories.
fn both(git: &str, strip: u32, line: usize) -> Read<[String; 2]> {
    let unclear = || wrong(line, "the names in `diff --git` are not clear");
    if let Some(quoted) = git.strip_prefix('"') {
        let ends = quoted.match_indices('"').map(|(at, _)| at + 1);
        let mut ends = ends.filter(|end| git.get(end + 1..end + 2) == Some(" "));
        let end = ends.next().ok_or_else(unclear)?;
        return Ok([
            unquoted(&git[..=end], line)?,
            unquoted(&git[end + 2..], line)?,
        ]);
    }
    let mut splits = git
        .match_indices(' ')
        .map(|(at, _)| (&git[..at], &git[at + 1..]));
    let found = splits.find(|(old, new)| {
        let bare = without(old, strip);
        bare.is_some() && bare == without(new, strip)
    });
    let (old, new) = found.ok_or_else(unclear)?;
    Ok([old.to_owned(), new.to_owned()])
}

fn utf8(bytes: &[u8], line: usize) -> Read<String> {
    let text = std::str::from_utf8(bytes).map_err(|_| wrong(line, "a header is not UTF-8"))?;
    Ok(text.to_owned())
}

/// A name without its time, and with its C quotes and escapes decoded.
fn unquoted(text: &str, line: usize) -> Read<String> {
    let Some(rest) = text.strip_prefix('"') else {
        return Ok(text.split('\t').next().unwrap_or_default().to_owned());
    };
    let (mut out, mut bytes) = (Vec::new(), rest.bytes());
    let bad = || wrong(line, "a quoted name has a wrong escape");
    loop {
        match bytes.next().ok_or_else(bad)? {
            b'"' => break,
            b'\\' => out.push(match bytes.next().ok_or_else(bad)? {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                byte @ (b'"' | b'\\') => byte,
                first @ b'0'..=b'3' => {
                    let mut value = first - b'0';
                    for _ in 0..2 {
                        let digit = bytes
                            .next()
                            .filter(|byte| (b'0'..=b'7').contains(byte))
                            .ok_or_else(bad)?;
                        value = value * 8 + (digit - b'0');
                    }
                    value
                }
                _ => return Err(bad()),
            }),
            byte => out.push(byte),
        }
    }
    String::from_utf8(out).map_err(|_| wrong(line, "a quoted name is not UTF-8"))
}

fn hunk<'p>(lines: &mut Lines<'p>) -> Read<Hunk<'p>> {
    let line = lines.at;
    let header = utf8(lines.header(), line)
        .unwrap_or_else(|_| String::from_utf8_lossy(lines.header()).into_owned());
    let bad = || wrong(line, "a hunk header is @@ -LINE,COUNT +LINE,COUNT @@");
    let ranges = header
        .strip_prefix("@@ -")
        .and_then(|rest| rest.split_once(" @@"))
        .ok_or_else(bad)?
        .0;
    let (old, new) = ranges.split_once(" +").ok_or_else(bad)?;
    let range = |text: &str| -> Option<(usize, usize)> {
        let digits = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| text.parse().ok())
                .flatten()
        };
        match text.split_once(',') {
            Some((start, count)) => Some((digits(start)?, digits(count)?)),
            None => Some((digits(text)?, 1)),
        }
    };
    let ((start, mut before), (_, mut after)) =
        (range(old).ok_or_else(bad)?, range(new).ok_or_else(bad)?);
    if start == 0 && before > 0 {
        return Err(wrong(line, "lines are counted from 1"));
    }
    let mut hunk = Hunk {
        start,
        ..Hunk::default()
    };
    lines.at += 1;
    while before > 0
        || after > 0
        || lines
            .all
            .get(lines.at)
            .is_some_and(|line| line.starts_with(b"\\"))
    {
        let short = || wrong(lines.at, "the hunk has fewer lines than its header counts");
        let text = lines.all.get(lines.at).copied().ok_or_else(short)?;
        let (sign, content) = match text {
            b"\n" => (b' ', text),
            _ => text
                .split_first()
                .map(|(sign, content)| (*sign, content))
                .ok_or_else(short)?,
        };
        match sign {
            b' ' if before > 0 && after > 0 => {
                (before, after) = (before - 1, after - 1);
                hunk.old.push(content);
                hunk.new.push(content);
            }
            b'-' if before > 0 => {
                before -= 1;
                hunk.old.push(content);
            }
            b'+' if after > 0 => {
                after -= 1;
                hunk.new.push(content);
            }
            b'\\' => {
                let previous = lines.all.get(lines.at - 1).copied().unwrap_or_default();
                let cut = |side: &mut Vec<&'p [u8]>| {
                    if let Some(last) = side.last_mut() {
                        *last = last.strip_suffix(b"\n").unwrap_or(last);
                    }
                };
                match previous.first() {
                    Some(b'-') => cut(&mut hunk.old),
                    Some(b'+') => cut(&mut hunk.new),
                    _ => {
                        cut(&mut hunk.old);
                        cut(&mut hunk.new);
                    }
                }
            }
            _ => return Err(short()),
        }
        lines.at += 1;
    }
    Ok(hunk)
}
