//! Session actions: the life of a document from `new` or `open` to `close`.
//! Files are read and written in `files`, questions answered in `query`.

mod export;
pub(super) mod file;
mod format;
mod step;
mod words;

use super::document::Document;
use super::query::{DRAWN_TO_TRY, cut, table_names};
use super::repair_trial::mended;
use super::settings::refused;
use super::{SET_ASIDE, Session};
use crate::diag::{Diagnostic, Repair, Result, one_line};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::memory;
use crate::model::Row;
use crate::op::{ParsedOp, parse_action, parse_action_within};
use crate::verb::{Call, Found, Role, Run, only_respells};
use crate::work;
use words::{Bare, Form, Words};

/// The runtime's own actions, as cards show them. A domain replaces any of them by writing its own.
pub(crate) const BUILTIN: &[(&str, &str)] = &[
    ("new [\"Title\"]", "Start an empty document."),
    ("open PATH", "Read a file."),
    (
        "save [PATH] [as:PATH] [format:F] [force]",
        "Write the file.",
    ),
    ("close [discard]", "End the document."),
    ("resume", "Bring back the document that was set aside last."),
    ("checkpoint NAME", "Name the present state."),
    ("undo [N|batch|to:NAME]", "Take back ops."),
    ("redo [N]", "Do undone ops again."),
    ("status", "File, changes, checkpoints, reach of undo."),
    ("set [KEY:VALUE…]", "Change a setting, or list them."),
    (
        "export [FORMAT] as:PATH",
        "Write another format; the document keeps its own file.",
    ),
];

/// The most bytes of a name or value in the reply of an action.
pub(in crate::session) const NAMED: usize = 1024;

const NEW: Form = Form {
    syntax: "new [\"Title\"]",
    keys: &[],
    flags: &[],
    bare: Bare::Text,
};

const CLOSE: Form = Form {
    syntax: "close [discard]",
    keys: &[],
    flags: &["discard"],
    bare: Bare::None,
};

const RESUME: Form = Form {
    syntax: "resume",
    keys: &[],
    flags: &[],
    bare: Bare::None,
};

const STATUS: Form = Form {
    syntax: "status",
    keys: &[],
    flags: &[],
    bare: Bare::None,
};

/// The answer of an action.
pub(super) struct Outcome {
    text: String,
    /// Whether the document or its position in the log changed: warnings and digest follow.
    moved: bool,
    warnings: Vec<String>,
}

impl Outcome {
    fn still(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            moved: false,
            warnings: Vec::new(),
        }
    }

    fn moved(text: impl Into<String>, warnings: Vec<String>) -> Self {
        Self {
            text: text.into(),
            moved: true,
            warnings,
        }
    }
}

impl<M: Domain> Session<M> {
    /// Runs a session action.
    pub(super) fn action(&mut self, text: &str) -> Answer {
        let (mut answer, moved) = self.act_one(text);
        if let (true, Some(digest)) = (moved, self.digest()) {
            answer.text.push('\n');
            answer.text.push_str(&digest);
        }
        answer
    }

    /// Runs a session action. Returns whether the document or its position in the log changed, so
    /// that the digest follows.
    pub(super) fn act_one(&mut self, text: &str) -> (Answer, bool) {
        let text = text.trim_start().trim_start_matches('!');
        match self.carry_out(text) {
            Ok(outcome) => {
                let mut lines = vec![outcome.text];
                lines.extend(outcome.warnings);
                if outcome.moved {
                    self.held = None;
                }
                let answer = Answer {
                    text: lines.join("\n"),
                    ..Answer::default()
                };
                (answer, outcome.moved)
            }
            Err(error) => {
                let answer = Answer {
                    text: error.to_string(),
                    is_error: true,
                    ..Answer::default()
                };
                // An undo or redo reports the position in the log even if it did not move.
                let verb = text.split_whitespace().next().unwrap_or_default();
                (answer, matches!(verb, "undo" | "redo"))
            }
        }
    }

    fn carry_out(&mut self, text: &str) -> Result<Outcome> {
        if let Some(error) = self.foreign(text, Role::Action) {
            return Err(error);
        }
        if let Some(first) = self.first_of_actions(text) {
            let message = "this tool takes one action a call; the edit tool takes several, each after ! on a line of its own";
            return Err(Diagnostic::new(message).or_try(first));
        }
        let limits = self.settings.limits();
        let action = parse_action_within(text, limits).map_err(|error| refused(error, ""))?;
        let registry = self.registry.clone();
        if let Some(found) = registry.action(&action) {
            return self.own_action(&action, found).map_err(|mut error| {
                error.repair = mended(error.repair, |text| self.rehearse_action(text));
                let file = self
                    .document
                    .as_ref()
                    .and_then(|document| document.file.as_ref());
                file::saved_elsewhere::<M>(file, error)
            });
        }
        if let Some(text) = self.own_export(&action)
            && let Ok(action) = parse_action_within(&text, limits)
            && let Some(found) = registry.action(&action)
        {
            return self.own_action(&action, found);
        }
        self.builtin(&action).map_err(|mut error| {
            error.repair = mended(error.repair, |text| self.rehearse_builtin(text));
            error
        })
    }

    /// Runs one of the runtime's own actions.
    fn builtin(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        match &*action.verb.text {
            "new" => {
                let words = Words::of(action, &NEW)?;
                let name = words.bare.map(|bare| bare.text.into_owned());
                Ok(self.start(M::default(), name))
            }
            "open" => self.open(action),
            "save" => self.save(action),
            "export" => self.export(action),
            "close" => self.close(action),
            "resume" => self.resume(action),
            "checkpoint" => self.checkpoint(action),
            "undo" => self.undo(action),
            "redo" => self.redo(action),
            "status" => Words::of(action, &STATUS).map(|_| Outcome::still(self.status())),
            "set" => self.set(action),
            _ => Err(super::unknown::unknown(
                &self.registry,
                Role::Action,
                action,
                "session action",
            )),
        }
    }

    /// The domain's action itself if it would work, or its repair. Changes nothing and writes no
    /// file.
    fn rehearse_action(&mut self, text: &str) -> Repair {
        let Ok(action) = parse_action(text) else {
            return Repair::None;
        };
        let registry = self.registry.clone();
        let Some(found) = registry.action(&action) else {
            return Repair::Try(text.to_owned());
        };
        let none = |_, _: &dyn Fn(Row) -> Option<Row>| Vec::new();
        let files = self.files();
        let call = Call {
            op: &action,
            skip: found.skip.clone(),
            qualified: found.qualified,
            verb: found.verb,
            registry: &registry,
            recent: &none,
            files: &files,
            sql: &crate::verb::no_conditions,
            picked: None,
        };
        let (verb, document) = (found.verb, self.document.as_mut());
        let error = match (&verb.run, document) {
            (Run::Make(make), _) => make(&M::default(), &call).err(),
            (Run::Export(export), Some(document)) => {
                let made = work::briefly(DRAWN_TO_TRY, || export(&document.model, &call).err());
                match made {
                    Some(error) => error,
                    None => return Repair::Untried(text.to_owned()),
                }
            }
            (Run::Edit(run), Some(document)) => {
                let savepoint = document.savepoint();
                let result = document.edit(&registry, &action, found, *run);
                document.rollback(savepoint);
                result.err()
            }
            _ => None,
        };
        match error.map(|error| error.in_op(action.raw).or_syntax(verb.syntax())) {
            None => Repair::Try(text.to_owned()),
            Some(error) => match &error.repair {
                // Only another slip of the pen is mended.
                Repair::Try(next) if next == text || !only_respells(text, next) => {
                    Repair::Syntax(verb.syntax())
                }
                _ => error.repair,
            },
        }
    }

    /// The action itself, unless it would save over another file. Its other effects on files and
    /// log cannot be tried.
    fn rehearse_builtin(&self, text: &str) -> Repair {
        let Ok(action) = parse_action(text) else {
            return Repair::None;
        };
        let path = action.param("as").map(|param| &*param.value);
        let path = path.filter(|_| &*action.verb.text == "save");
        let own = self.document.as_ref().and_then(|it| it.file.as_ref());
        let is_other = |path: &&str| own.is_none_or(|own| own.path != **path);
        let is_free = |path| {
            let target = self.root.check_target(path, &export::expected(&action));
            target.is_ok()
        };
        match path.filter(is_other).is_none_or(is_free) {
            true => Repair::Try(text.to_owned()),
            false => Repair::Syntax(file::SAVE.syntax.to_owned()),
        }
    }

    /// Runs an action written by the domain.
    fn own_action(&mut self, action: &ParsedOp<'_>, found: Found<M>) -> Result<Outcome> {
        let registry = self.registry.clone();
        let none = |_, _: &dyn Fn(Row) -> Option<Row>| Vec::new();
        let files = self.files();
        let call = Call {
            op: action,
            skip: found.skip.clone(),
            qualified: found.qualified,
            verb: found.verb,
            registry: &registry,
            recent: &none,
            files: &files,
            sql: &crate::verb::no_conditions,
            picked: None,
        };
        let syntax = |error: Diagnostic| error.in_op(action.raw).or_syntax(found.verb.syntax());
        match found.verb.run {
            Run::Make(make) => {
                let model = make(&M::default(), &call).map_err(syntax)?;
                Ok(self.start(model, None))
            }
            Run::Edit(run) => {
                let document = self.document.as_mut().ok_or_else(missing)?;
                let batch = document.savepoint();
                document.log.begin_batch();
                let before = document.log.undoable();
                let reply = match document.edit(&registry, action, found, run) {
                    Ok(reply) => reply,
                    Err(error) => {
                        document.rollback(batch);
                        return Err(error);
                    }
                };
                let entries = document.log.undoable().saturating_sub(before);
                let touched = document.touched(entries);
                document.release(batch);
                let new = document.findings.update(&mut document.model, &touched);
                let new = self.settings.page_warnings(new);
                Ok(Outcome::moved(reply.to_string(), new))
            }
            Run::Export(export) => {
                let document = self.document.as_ref().ok_or_else(missing)?;
                self.check_delivery(action)?;
                let exported = export(&document.model, &call).map_err(syntax)?;
                self.deliver(action, &exported)
            }
            Run::Ask(_) => Err(Diagnostic::new(format!(
                "{} is not a session action",
                found.verb.phrase
            ))),
        }
    }

    /// Makes `model` the document. A previous one with unsaved changes is set aside. A document
    /// without a title gets `name`.
    fn start(&mut self, model: M, name: Option<String>) -> Outcome {
        let mut document = self.document_of(model);
        document.name = name;
        document.log.mark("open");
        let title = document.title();
        let named = title.map_or(String::new(), |title| format!(" {:?}", cut(&title, NAMED)));
        // The line of a new document already describes it.
        let tables = table_names(&self.registry);
        let made = document.model.initial_values();
        let text = format!("+ New {}{named} {made}\n{tables}", M::NOUN);
        let warnings = self.set_aside(document);
        Outcome::moved(text, warnings)
    }

    /// Replaces the present document.
    fn set_aside(&mut self, document: Document<M>) -> Vec<String> {
        let mut warnings = Vec::new();
        self.settings.since.clone_from(&document.since);
        if let Some(old) = self.document.replace(document)
            && old.is_unsaved()
        {
            self.aside.push_back(old);
            warnings
                .push("? the unsaved document was set aside (resume brings it back)".to_owned());
            if self.aside.len() > SET_ASIDE {
                self.aside.pop_front();
                warnings.push(format!(
                    "? more than {SET_ASIDE} were set aside: the oldest is gone"
                ));
            }
        }
        warnings.extend(self.share_log());
        warnings
    }

    /// Keeps all logs together within `log-limit`: documents that are set aside have half of it at most, and the open
    /// one has what they leave. Reports how many ops those set aside can no longer undo.
    fn share_log(&mut self) -> Option<String> {
        let limit = self.settings.log_bytes();
        let most_aside = limit / 2;
        let mut aside: usize = self.aside.iter().map(|old| old.log.weight()).sum();
        let mut dropped = 0;
        // The one set aside first is the last that is resumed.
        for old in &mut self.aside {
            if aside <= most_aside {
                break;
            }
            let (before, reach) = (old.log.weight(), old.log.reach());
            old.log.set_limit(before.saturating_sub(aside - most_aside));
            old.note_dropped();
            aside -= before - old.log.weight();
            dropped += old.log.reach().dropped - reach.dropped;
        }
        if let Some(document) = &mut self.document {
            document
                .log
                .set_limit(limit.saturating_sub(aside).max(limit - most_aside));
        }
        let ops = match dropped {
            0 => return None,
            n => crate::reply::count(n, "op"),
        };
        Some(format!(
            "? {ops} of documents that are set aside can no longer be undone, to keep within log-limit"
        ))
    }

    fn close(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        let words = Words::of(action, &CLOSE)?;
        let document = self.document.as_ref().ok_or_else(missing)?;
        if document.is_unsaved() && !words.flag("discard") {
            return Err(Diagnostic::new(
                "the document has unsaved changes; close discard lets them go",
            )
            .or_try(file::plainly(document)));
        }
        self.document = None;
        memory::release();
        Ok(Outcome::moved("* Closed", Vec::new()))
    }

    fn resume(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        Words::of(action, &RESUME)?;
        let mut document = self
            .aside
            .pop_back()
            .ok_or_else(|| Diagnostic::new("nothing is set aside").or_syntax(RESUME.syntax))?;
        let name = document
            .file
            .as_ref()
            .map_or_else(|| M::NOUN.to_owned(), |file| file.path.clone());
        document.row_limit = self.settings.row_limit;
        let text = format!(
            "+ Resumed {}: {}",
            one_line(&name),
            one_line(&document.model.headline())
        );
        let warnings = self.set_aside(document);
        Ok(Outcome::moved(text, warnings))
    }

    fn set(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        if action.words.is_empty() {
            return Ok(Outcome::still(self.settings.lines().join("\n")));
        }
        if action.params().count() < action.words.len() {
            let wrong = action
                .words
                .iter()
                .find(|word| !matches!(word, crate::op::OpWord::Param(_)));
            let text = wrong.map_or("", |word| word.span().of(action.raw));
            let error = Diagnostic::new(format!("set takes KEY:VALUE, not {text}"));
            return Err(match (wrong, text.split_once('=')) {
                (Some(word), Some((key, value))) => {
                    error.or_try(word.span().replace(action.raw, &format!("{key}:{value}")))
                }
                _ => error.or_syntax("set [KEY:VALUE…]"),
            });
        }
        let codes: Vec<&'static str> = self.registry.lints().map(|lint| lint.code).collect();
        let checkpoints: Vec<String> = self.document.as_ref().map_or_else(Vec::new, |document| {
            let all = document.log.checkpoints();
            all.iter().map(|own| own.name.to_owned()).collect()
        });
        let before = self.settings.changed();
        let changes = {
            let root = self.root.clone();
            let is_folder = move |path: &str| Ok(root.is_folder(path)?);
            self.settings
                .set(action, (&codes, &checkpoints), &is_folder)?
        };
        let mut lines = vec![format!("* Set {changes}")];
        lines.extend(self.share_log());
        if let Some(document) = self.document.as_mut() {
            document.row_limit = self.settings.row_limit;
            document.keep_base()?;
            self.settings.adjust(&mut document.model);
            document.tables.bound(self.settings.sql);
            document.since.clone_from(&self.settings.since);
            document.tables.forget();
            // Settings that change the reading of a document may cause new warnings.
            if before != self.settings.changed() {
                let new = document.findings.afresh(&document.model);
                lines.extend(self.settings.page_warnings(new));
            }
        }
        Ok(Outcome::still(lines.join("\n")))
    }
}

/// The error of an action that needs a document.
fn missing() -> Diagnostic {
    Diagnostic {
        repair: Repair::Try("new \"Untitled\"".into()),
        ..Diagnostic::new("no document is open")
    }
}

pub(super) use format::format_of;
