//! Checkpoint, undo, redo.

use super::words::Words;
use super::{Said, missing};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::op::{ParsedOp, quote, quote_value};
use crate::session::Session;
use crate::session::document::{Stepped, Undo};
use crate::session::query::checkpoint_error;

impl<M: Domain> Session<M> {
    pub(super) fn checkpoint(&mut self, action: &ParsedOp<'_>) -> Result<Said> {
        let syntax = "checkpoint NAME";
        let words = Words::of(action, syntax, &[], &[], 1)?;
        let document = self.document.as_mut().ok_or_else(missing)?;
        let name = words
            .key("checkpoint")
            .or(words.bare.first().map(|name| &**name))
            .unwrap_or("");
        if name.trim().is_empty() {
            return Err(Diagnostic::new("a checkpoint needs a name").or_try("checkpoint draft"));
        }
        if name.len() > 256 || name.chars().any(char::is_control) {
            return Err(
                Diagnostic::new("a checkpoint's name is one line of at most 256 bytes")
                    .or_syntax(syntax),
            );
        }
        document.log.checkpoint(name);
        self.held = None;
        Ok(Said::still(format!("* Checkpoint {}", quote(name))))
    }

    pub(super) fn undo(&mut self, action: &ParsedOp<'_>) -> Result<Said> {
        let syntax = "undo [N|batch|to:NAME]";
        let words = Words::of(action, syntax, &["to"], &["batch"], 1)?;
        let document = self.document.as_mut().ok_or_else(missing)?;
        let how = match (words.bare.first(), words.key("to"), words.flag("batch")) {
            (None, Some(name), false) => Undo::To(name),
            (None, None, true) => Undo::Batch,
            (None, None, false) => Undo::Ops(1),
            (Some(n), None, false) => Undo::Ops(count(n, action)?),
            _ => {
                return Err(
                    Diagnostic::new("undo takes a number, batch or to:NAME, one of them")
                        .or_syntax(syntax),
                );
            }
        };
        let stepped = document.undo(how).map_err(|error| {
            checkpoint_error(error, |near| format!("undo to:{}", quote_value(near)))
        })?;
        if stepped.verbs.is_empty() && !matches!(how, Undo::Ops(0)) {
            return Err(nothing("undo", document.log.redoable(), "redo"));
        }
        Ok(self.stepped("undone", &stepped))
    }

    pub(super) fn redo(&mut self, action: &ParsedOp<'_>) -> Result<Said> {
        let words = Words::of(action, "redo [N]", &[], &[], 1)?;
        let document = self.document.as_mut().ok_or_else(missing)?;
        let n = words.bare.first().map_or(Ok(1), |n| count(n, action))?;
        let stepped = document.redo(n);
        if stepped.verbs.is_empty() && n > 0 {
            return Err(nothing("redo", document.log.undoable(), "undo"));
        }
        Ok(self.stepped("redone", &stepped))
    }

    /// Says how many ops were gone over, and which.
    fn stepped(&mut self, how: &str, stepped: &Stepped) -> Said {
        let new = match self.document.as_mut() {
            Some(document) => document.findings.update(&document.model, &stepped.rows),
            None => Vec::new(),
        };
        let n = stepped.verbs.len();
        let mut names = stepped
            .verbs
            .iter()
            .take(8)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(", ");
        if n > 8 {
            names.push_str(&format!(", and {} more", n - 8));
        }
        let ops = if n == 1 { "op" } else { "ops" };
        let text = if n == 0 {
            format!("= {how} 0 ops")
        } else {
            format!("* {how} {n} {ops}: {names}")
        };
        Said::moved(text, self.settings.page_warnings(new))
    }
}

fn count(word: &str, action: &ParsedOp<'_>) -> Result<usize> {
    if word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty() {
        // More digits than a number holds still mean "all there is".
        return Ok(word.parse().unwrap_or(usize::MAX));
    }
    let verb = &action.verb.text;
    let error = Diagnostic::new(format!("{word} is no number of ops"));
    Err(if &**verb == "undo" {
        error.or_try(format!("undo to:{}", quote_value(word)))
    } else {
        error.or_try("redo 1")
    })
}

fn nothing(what: &str, other_way: usize, other: &str) -> Diagnostic {
    let error = Diagnostic::new(format!("nothing to {what}"));
    if other_way > 0 {
        error.or_try(other)
    } else {
        error
    }
}
