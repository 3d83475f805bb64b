//! Checkpoint, undo, redo.

use super::words::{Bare, Form, Words};
use super::{Outcome, missing};
use crate::diag::{Diagnostic, Result, breaks};
use crate::domain::Domain;
use crate::op::{ParsedOp, quote, spell_param};
use crate::session::Session;
use crate::session::batch::shown;
use crate::session::document::{Stepped, Undo};
use crate::session::first_save::FIRST_SAVE;
use crate::session::query::checkpoint_error;
use crate::value::nearest_word;
use crate::work;

const CHECKPOINT: Form = Form {
    syntax: "checkpoint NAME",
    keys: &[],
    flags: &[],
    bare: Bare::Text,
};

const UNDO: Form = Form {
    syntax: "undo [N|batch|to:NAME]",
    keys: &["to"],
    flags: &["batch"],
    bare: Bare::Word,
};

const REDO: Form = Form {
    syntax: "redo [N]",
    keys: &[],
    flags: &[],
    bare: Bare::Word,
};

impl<M: Domain> Session<M> {
    pub(super) fn checkpoint(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        let words = Words::of(action, &CHECKPOINT)?;
        let document = self.document.as_mut().ok_or_else(missing)?;
        let name = words.bare.map(|name| name.text).unwrap_or_default();
        if name.trim().is_empty() {
            return Err(Diagnostic::new("a checkpoint needs a name").or_try("checkpoint draft"));
        }
        if name.len() > 256 || name.chars().any(breaks) {
            return Err(
                Diagnostic::new("a checkpoint's name is one line of at most 256 bytes")
                    .or_syntax(CHECKPOINT.syntax),
            );
        }
        if matches!(&*name, "file" | "open" | FIRST_SAVE) {
            let message =
                format!("a checkpoint cannot be named {name}, which names a state already");
            return Err(Diagnostic::new(message).or_syntax(CHECKPOINT.syntax));
        }
        document.leave_undone();
        document.log.checkpoint(&name);
        document.tables.forget();
        self.held = None;
        Ok(Outcome::still(format!("* Checkpoint {}", quote(&name))))
    }

    pub(super) fn undo(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        let words = Words::of(action, &UNDO)?;
        let document = self.document.as_mut().ok_or_else(missing)?;
        let how = match (&words.bare, words.value("to"), words.flag("batch")) {
            (None, Some(name), false) => Undo::To(&name.text),
            (None, None, true) => Undo::Batch,
            (None, None, false) => Undo::Ops(1),
            (Some(n), None, false) => match count(&n.text) {
                Some(n) => Undo::Ops(n),
                None => {
                    let error = no_count(&n.text);
                    let checkpoints = document.log.checkpoints();
                    let near = nearest_word(&n.text, checkpoints.iter().map(|c| c.name));
                    return Err(match near {
                        Some(near) => error.or_try(format!("undo {}", spell_param("to", near))),
                        None => error.or_syntax(UNDO.syntax),
                    });
                }
            },
            _ => {
                return Err(
                    Diagnostic::new("undo takes a number, batch or to:NAME, one of them")
                        .or_syntax(UNDO.syntax),
                );
            }
        };
        let stepped = document.undo(how).map_err(|error| {
            let spelled = |near: &str| format!("undo {}", spell_param("to", near));
            checkpoint_error(error, spelled, UNDO.syntax)
        })?;
        if stepped.verbs.is_empty() && !matches!(how, Undo::Ops(0)) {
            let reach = document.log.reach();
            let what = match reach.dropped {
                0 => "undo",
                _ => "undo: older ops were let go to keep within log-limit",
            };
            return Err(Diagnostic::new(format!("nothing to {what}")));
        }
        Ok(self.stepped("undone", &stepped))
    }

    pub(super) fn redo(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        let words = Words::of(action, &REDO)?;
        let document = self.document.as_mut().ok_or_else(missing)?;
        let n = match &words.bare {
            None => 1,
            Some(n) => count(&n.text).ok_or_else(|| {
                let error = no_count(&n.text);
                match document.log.redoable() {
                    0 => error.or_syntax(REDO.syntax),
                    _ => error.or_try("redo 1"),
                }
            })?,
        };
        let stepped = document.redo(n);
        if stepped.verbs.is_empty() && n > 0 {
            return Err(Diagnostic::new("nothing to redo"));
        }
        Ok(self.stepped("redone", &stepped))
    }

    /// Reports the number of passed ops, and their verbs.
    fn stepped(&mut self, how: &str, stepped: &Stepped) -> Outcome {
        // The steps are taken; a call that has none left ends after them.
        let _ = work::spend(stepped.rows.len());
        let new = match self.document.as_mut() {
            Some(document) => document.findings.update(&mut document.model, &stepped.rows),
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
        let ops = crate::reply::count(n, "op");
        let text = if n == 0 {
            format!("= {how} {ops}")
        } else {
            format!("* {how} {ops}: {names}")
        };
        Outcome::moved(text, self.settings.page_warnings(new))
    }
}

/// The number of ops in a word.
fn count(word: &str) -> Option<usize> {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    // A number too large for the type still means "all".
    digits.then(|| word.parse().unwrap_or(usize::MAX))
}

fn no_count(word: &str) -> Diagnostic {
    Diagnostic::new(format!("{} is not a number of ops", shown(word)))
}
