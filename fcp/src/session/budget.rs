//! The size limit of a call's answer, shared by all its parts.

use std::borrow::Cow;

use super::query::cut;
use crate::diag::plain_lines;
use crate::endpoint::{Answer, Block};
use crate::reply::count;

/// The size limit of a call's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    bytes: usize,
}

impl Budget {
    /// A budget of `bytes` bytes.
    pub const fn new(bytes: usize) -> Self {
        Self { bytes }
    }

    /// The limit of all lines together, in bytes.
    pub const fn bytes(self) -> usize {
        self.bytes
    }

    /// The limit of one line, in bytes.
    pub const fn line(self) -> usize {
        self.bytes / 4
    }

    /// Cuts each line of a text to the limit of a line.
    pub fn lines(self, text: &str) -> Cow<'_, str> {
        if text.len() <= self.line() {
            return text.into();
        }
        let lines = text.split('\n').map(|line| cut(line, self.line()));
        lines.collect::<Vec<_>>().join("\n").into()
    }

    /// Cuts an answer to the budget: keeps its first and last lines with the digest, and as many of
    /// the blocks after the text as fit.
    pub fn fit(self, mut answer: Answer) -> Answer {
        if let Cow::Owned(plain) = plain_lines(&answer.text) {
            answer.text = plain;
        }
        if answer.text.len() > self.line() {
            answer.text = self.for_json(&answer.text).fitting(&answer.text);
        }
        let mut left = self.bytes.saturating_sub(answer.text.len());
        let mut dropped = 0_usize;
        answer.blocks.retain(|block| {
            let Some(bytes) = weight(block) else {
                return true;
            };
            let fits = bytes <= left;
            match fits {
                true => left -= bytes,
                false => dropped += 1,
            }
            fits
        });
        if dropped > 0 {
            let pictures = count(dropped, "picture");
            let line = format!("? {pictures} not shown: the reply is full; ask in another call");
            // The digest remains the last line.
            let (before, digest) = match answer.text.rsplit_once('\n') {
                Some((before, digest)) if digest.starts_with('[') => (before, Some(digest)),
                _ => (&*answer.text, None),
            };
            let lines = [
                Some(before).filter(|text| !text.is_empty()),
                Some(&line),
                digest,
            ];
            let lines: Vec<&str> = lines.into_iter().flatten().collect();
            answer.text = lines.join("\n");
        }
        answer
    }

    /// The budget of a text before JSON escapes its quotes and backslashes, which doubles them.
    fn for_json(self, text: &str) -> Self {
        let doubled = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\'));
        let escaped = text.len() + doubled.count();
        Self::new(self.bytes * text.len() / escaped.max(1))
    }

    /// Cuts a text: first each line at its end, then the text in its middle.
    fn fitting(self, text: &str) -> String {
        let text = self.lines(text);
        if text.len() <= self.bytes {
            return text.into_owned();
        }
        // The end holds the outcome and the digest.
        let most = self.bytes.saturating_sub(100);
        let mut tail = text.len();
        let lines = text.rmatch_indices('\n').map(|(at, _)| at);
        for at in lines {
            if text.len() - at > most / 4 && tail < text.len() {
                break;
            }
            tail = at;
        }
        let room = most.saturating_sub(text.len() - tail);
        let start = text
            .get(..text.floor_char_boundary(room))
            .unwrap_or_default();
        let head = start.rfind('\n').unwrap_or_default();
        let between = text.get(head..tail).unwrap_or_default();
        let count = between.matches('\n').count();
        let (head, tail) = (text.get(..head), text.get(tail..));
        format!(
            "{}\n… {count} more lines{}",
            head.unwrap_or_default(),
            tail.unwrap_or_default()
        )
    }
}

/// The bytes that a picture takes of an answer. Sounds have limits of their own.
pub(super) const fn weight(block: &Block) -> Option<usize> {
    match block {
        Block::Image { bytes, .. } => Some(bytes.len().div_ceil(3) * 4),
        Block::Audio { .. } => None,
    }
}

/// The rest of a budget for the lines of one batch. Errors and successes have half of it each, so
/// that neither hides the other.
#[derive(Debug)]
pub(super) struct Room {
    budget: Budget,
    done: Share,
    failed: Share,
}

/// The rest of a share, and the number of lines that did not fit.
#[derive(Debug)]
struct Share {
    left: usize,
    dropped: usize,
}

impl Share {
    const fn new(left: usize) -> Self {
        Self { left, dropped: 0 }
    }

    fn take(&mut self, bytes: usize) -> bool {
        // Once a line is dropped, all later ones are: short lines do not fill the gap by chance.
        let fits = self.dropped == 0 && bytes < self.left;
        match fits {
            true => self.left -= bytes + 1,
            false => self.dropped += 1,
        }
        fits
    }
}

impl Room {
    pub const fn new(budget: Budget) -> Self {
        // Leaves room for the lines that follow: the outcome, warnings and the digest.
        let half = budget.bytes() / 2 - budget.bytes() / 16;
        Self {
            budget,
            done: Share::new(half),
            failed: Share::new(half),
        }
    }

    /// Returns the lines of a success, cut, if they fit.
    pub fn done(&mut self, text: String) -> Option<String> {
        let text = match self.budget.lines(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(cut) => cut,
        };
        self.done.take(text.len()).then_some(text)
    }

    /// Returns the lines of a query's answer, cut, if they fit in either share.
    pub fn asked(&mut self, text: &str) -> Option<String> {
        let text = self.budget.lines(text);
        let fits = text.len() < self.failed.left && self.failed.left > self.done.left;
        let share = if fits {
            &mut self.failed
        } else {
            &mut self.done
        };
        share.take(text.len()).then(|| text.into_owned())
    }

    /// Returns the lines of an error, cut, if they fit.
    pub fn failed(&mut self, text: &str) -> Option<String> {
        let text = self.budget.lines(text);
        self.failed.take(text.len()).then(|| text.into_owned())
    }

    /// Takes the notes on lines that did not fit since the last call.
    pub fn take_dropped(&mut self) -> impl Iterator<Item = String> + use<> {
        let done = std::mem::take(&mut self.done.dropped);
        let failed = std::mem::take(&mut self.failed.dropped);
        let counted = [("…", "replies", done), ("! …", "errors", failed)];
        let counted = counted.into_iter().filter(|(_, _, count)| *count > 0);
        counted.map(|(sign, what, count)| {
            format!("{sign} {count} more {what} (set reply-limit:KIB shows more)")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(lines: &[String]) -> String {
        let text = lines.join("\n");
        let answer = Answer {
            text,
            ..Answer::default()
        };
        Budget::new(4096).fit(answer).text
    }

    #[test]
    fn the_last_line_is_kept_and_the_middle_is_left_out() {
        let mut lines: Vec<String> = (0..10_000).map(|n| format!("+ line {n}")).collect();
        lines.push("[10000l #abcdef]".to_owned());
        let text = fit(&lines);
        assert!(text.len() <= 4096, "{}", text.len());
        assert!(text.starts_with("+ line 0\n+ line 1\n"), "{text}");
        assert!(text.ends_with("+ line 9999\n[10000l #abcdef]"), "{text}");
        let shown = text.lines().filter(|line| line.starts_with("+ ")).count();
        assert!(
            text.contains(&format!("\n… {} more lines\n", 10_000 - shown)),
            "{text}"
        );
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = fit(&["é".repeat(10_000), "[1l]".to_owned()]);
        let (line, digest) = text.split_once('\n').unwrap_or_default();
        assert!(line.len() <= 1024 && line.ends_with('…'), "{}", line.len());
        assert_eq!(digest, "[1l]");
    }

    #[test]
    fn quotes_and_backslashes_count_twice() {
        let lines: Vec<String> = (0..100).map(|_| r#""\""#.repeat(20)).collect();
        let text = fit(&lines);
        assert!(text.len() > 1500, "{}", text.len());
        let json = serde_json::to_string(&text).unwrap();
        assert!(json.len() < 4096 + 100, "{}", json.len());
    }

    #[test]
    fn pictures_share_the_room_with_the_text() {
        let block = |bytes: usize| Block::Image {
            mime: "image/png",
            bytes: vec![0; bytes],
        };
        let answer = Answer {
            text: "? render\nrender 1x1 image/png\n[1l]".to_owned(),
            blocks: vec![block(1500), block(3000), block(90)],
            ..Answer::default()
        };
        let fitted = Budget::new(4096).fit(answer);
        assert_eq!(fitted.blocks.len(), 2);
        assert!(
            fitted
                .text
                .ends_with("? 1 picture not shown: the reply is full; ask in another call\n[1l]"),
            "{}",
            fitted.text
        );
    }
}
