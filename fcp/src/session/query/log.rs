//! `status` and `history`: the state of the session and its log.

use super::words;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::op::ParsedOp;
use crate::reply::count;
use crate::reply::{Listing, one_line};
use crate::session::Session;
use crate::session::batch::shown;

/// The most bytes of an op's text in a history of several; with its number a line has 60.
const OP: usize = 55;

/// The number of newest checkpoints that `status` lists.
const CHECKPOINTS: usize = 8;

impl<M: Domain> Session<M> {
    /// The state of the session: file, changes, checkpoints, reach of undo, policy, digest.
    pub(in crate::session) fn status(&self) -> String {
        let mut lines = Vec::new();
        match &self.document {
            None => lines.push("no document is open".to_owned()),
            Some(document) => {
                let kind = document.model.file_kind();
                lines.push(match (&document.file, kind) {
                    (Some(file), Some(kind)) => format!("file: {} ({kind})", one_line(&file.path)),
                    (Some(file), None) => {
                        format!("file: {} ({})", one_line(&file.path), file.format)
                    }
                    (None, Some(kind)) => format!("file: none yet ({kind})"),
                    (None, None) => "file: none yet".to_owned(),
                });
                let title = document.title();
                lines.extend(title.map(|title| format!("title: {}", one_line(&title))));
                lines.push(format!(
                    "unsaved changes: {}",
                    if document.is_unsaved() { "yes" } else { "no" }
                ));
                let reach = document.log.reach();
                let dropped = match reach.dropped {
                    0 => String::new(),
                    n => format!("; {n} older ops were let go to keep within log-limit"),
                };
                lines.push(format!(
                    "undo: {}, redo: {}{dropped}",
                    count(reach.undo, "op"),
                    count(reach.redo, "op")
                ));
                let checkpoints = document.log.checkpoints();
                let older = checkpoints.len().saturating_sub(CHECKPOINTS);
                let mut names: Vec<String> = checkpoints
                    .iter()
                    .skip(older)
                    .map(|c| format!("{} ({})", c.name, place(c.place)))
                    .collect();
                if older > 0 {
                    names.insert(0, format!("{older} older"));
                }
                lines.push(format!(
                    "checkpoints: {}",
                    if names.is_empty() {
                        "none".into()
                    } else {
                        names.join(", ")
                    }
                ));
            }
        }
        let policy = self.settings.batch.unwrap_or(M::BATCH);
        lines.push(format!("batch: {}", policy.word()));
        let changed = self.settings.changed();
        if !changed.is_empty() {
            lines.push(format!("set: {}", changed.join(", ")));
        }
        if !self.aside.is_empty() {
            lines.push(format!(
                "set aside: {} (resume brings the last one back)",
                self.aside.len()
            ));
        }
        if let Some(held) = &self.held {
            lines.push(format!("held for amend: a batch of {} ops", held.len()));
        }
        lines.extend(self.digest());
        lines.join("\n")
    }

    pub(super) fn history(&self, op: &ParsedOp<'_>) -> Result<Answer> {
        let document = self
            .document
            .as_ref()
            .ok_or_else(|| Diagnostic::new("no document is open"))?;
        let syntax = "history [N]";
        let n = match words(op, syntax, &[], 1)?.first() {
            None => 10,
            Some(word) if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) => {
                word.parse().unwrap_or(usize::MAX)
            }
            Some(word) => {
                let message = format!("{} is not a number of ops", shown(word));
                return Err(Diagnostic::new(message).or_try("history 10"));
            }
        };
        let entries = document.log.recent(n);
        let last = entries.len();
        let lines = entries.iter().enumerate().map(|(ix, entry)| {
            let op = one_line(&entry.event.op);
            let shown = if n == 1 { &op } else { begun(&op) };
            let more = if shown.len() < op.len() { "…" } else { "" };
            format!("{:>3}  {shown}{more}", last - ix)
        });
        let reach = document.log.reach();
        let mut listing = Listing::lines(last, lines);
        if n == 0 {
            listing = listing.under("no ops were asked for");
        } else if n > last && reach.dropped > 0 {
            let dropped = reach.dropped;
            listing = listing.under(format!(
                "{dropped} older ops were let go to keep within log-limit"
            ));
        } else if last == 0 {
            listing = listing.under("nothing was done yet");
        }
        Ok(self.page(op)?.of(listing, op))
    }
}

/// The first words of an op that fit a line of the history. `history 1` shows all.
fn begun(op: &str) -> &str {
    if op.len() <= OP {
        return op;
    }
    let end = op.floor_char_boundary(OP - '…'.len_utf8());
    let (text, next) = op.split_at(end);
    let cut = match text.rfind(char::is_whitespace) {
        // A word that takes most of the line is itself cut.
        Some(at) if at > OP / 2 && !next.starts_with(char::is_whitespace) => &text[..at],
        _ => text,
    };
    cut.trim_end()
}

fn place(place: crate::event::Place) -> String {
    match place {
        crate::event::Place::Back(n) => format!("{n} back"),
        crate::event::Place::Ahead(n) => format!("{n} ahead"),
        crate::event::Place::Dropped => "out of reach".to_owned(),
    }
}
