//! Open, save, export.

use super::format::{by_extension, format_of, named};
use super::words::{Bare, Form, Words};
use super::{Outcome, missing};
use crate::account::{Account, Pieces};
use crate::diag::{Diagnostic, Repair, Result, one_line};
use crate::domain::{Domain, Saving};
use crate::op::{OpWord, ParsedOp, spell_param};
use crate::session::Session;
use crate::session::document::{Document, OpenFile};
use crate::session::files::{Expect, FileError, Stamp};
use crate::session::query::overview;
use crate::value::is_within;
use crate::work;

const OPEN: Form = Form {
    syntax: "open PATH",
    keys: &["format", "path", "file"],
    flags: &[],
    bare: Bare::Text,
};

pub(super) const SAVE: Form = Form {
    syntax: "save [PATH] [as:PATH] [format:F] [force]",
    keys: &["as", "format", "path", "file"],
    flags: &["force"],
    bare: Bare::Text,
};

/// The form that may still save if the folder cannot be written to: force does not help there.
const ELSEWHERE: &str = "save PATH";

/// A written document.
struct Written {
    /// Description of the document's changes for this, if there were any.
    note: Option<String>,
    /// The file, in pieces.
    pieces: Pieces,
    /// The comparison with the opened file, if the save was audited.
    account: Option<Account>,
    stamp: Stamp,
    /// New warnings about it.
    warnings: Vec<String>,
}

impl<M: Domain> Session<M> {
    pub(super) fn open(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        let words = Words::of(action, &OPEN)?;
        let Some(given) = words.path(action, &OPEN, &["path", "file"])? else {
            return Err(Diagnostic::new("open needs a path").or_syntax(OPEN.syntax));
        };
        let path: &str = &given.text;
        let limit = self.settings.file_bytes();
        let (bytes, stamp) = self.root.read(path, limit).map_err(|error| match &error {
            FileError::NotFound { nearest, .. } => {
                let error_text = error.to_string();
                match nearest.iter().find(|near| is_other_spelling(path, near)) {
                    Some(near) => Diagnostic::new(error_text).or_try(given.replaced(action, near)),
                    None => Diagnostic::new(error_text).or_syntax(OPEN.syntax),
                }
            }
            _ => error.into(),
        })?;
        let model = self.read(&bytes, path).map_err(own_action)?;
        let format = match words.value("format") {
            Some(name) => named::<M>(name, action)?,
            None => model
                .format_read()
                .or_else(|| format_of::<M>(path))
                .or(M::FORMATS.first().map(|format| format.name))
                .unwrap_or(""),
        };
        let mut document = self.document_of(model);
        // The checks of all rows end early with the call.
        work::spend(0)?;
        document.log.mark("open");
        let len = bytes.len();
        document.begin_account((path, len), M::unpack(bytes, limit)?, format);
        document.file = Some(OpenFile {
            path: path.to_owned(),
            format,
            kind: document.model.file_kind(),
            stamp,
        });
        let overview = overview(&document.model, &self.registry);
        let text = format!(
            "+ Opened {}: {}\n{overview}",
            one_line(path),
            one_line(&document.model.headline())
        );
        let found = self.settings.shown(document.warnings(None));
        let mut warnings = self.set_aside(document);
        let more = found.len().saturating_sub(M::OPENING_WARNINGS);
        warnings.extend(found.into_iter().take(M::OPENING_WARNINGS));
        let more = match (more, M::OPENING_WARNINGS) {
            (0, _) => None,
            (1, 0) => Some("1 warning".to_owned()),
            (n, 0) => Some(format!("{n} warnings")),
            (n, _) => Some(format!("… {n} more")),
        };
        warnings.extend(more.map(|more| format!("? {more} (query \"warnings\")")));
        Ok(Outcome::moved(text, warnings))
    }

    pub(super) fn save(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        self.save_as_given(action)
            .map_err(|error| match error.repair {
                Repair::Syntax(ref syntax) if syntax == ELSEWHERE => error,
                Repair::None | Repair::Syntax(_) => {
                    let own: String = M::SAVING
                        .iter()
                        .map(|(key, _)| format!("[{key}] "))
                        .collect();
                    let syntax = SAVE.syntax.replace("[force]", &format!("{own}[force]"));
                    Diagnostic {
                        repair: Repair::Syntax(syntax),
                        ..error
                    }
                }
                _ => error,
            })
    }

    fn save_as_given(&mut self, action: &ParsedOp<'_>) -> Result<Outcome> {
        let own_keys: Vec<&'static str> = M::SAVING.iter().map(|(key, _)| name_of(key)).collect();
        let document = self.document.as_ref();
        let words = Words::with(action, &SAVE, &own_keys).map_err(|error| match document {
            Some(document) => error.or_try(plainly(document)),
            None => error.or_syntax(SAVE.syntax),
        })?;
        let document = document.ok_or_else(missing)?;
        let given = words.path(action, &SAVE, &["as", "path", "file"])?;
        let own = document.file.as_ref();
        let path = match (given, own) {
            (Some(path), _) => path.text.to_string(),
            (None, Some(file)) => file.path.clone(),
            (None, None) => {
                let own = own_keys.iter().filter_map(|key| {
                    let value = words.value(key)?;
                    Some(spell_param(key, &value.text))
                });
                let op = std::iter::once(untitled(document))
                    .chain(own)
                    .collect::<Vec<_>>();
                return Err(Diagnostic::new("the document has no file yet").or_try(op.join(" ")));
            }
        };
        let is_own = |file: &&OpenFile| given.is_none() || self.root.is_same(&path, &file.stamp);
        // A file keeps its format under its own name, which may be that of another one.
        let kept = own.filter(is_own).filter(|_| !words.flag("force"));
        let format = match (words.value("format"), given, own) {
            (Some(name), _, _) => named::<M>(name, action)?,
            (None, None, Some(file)) => file.format,
            (None, Some(_), Some(file)) if kept.is_some() => file.format,
            (None, Some(path), _) => by_extension::<M>(path, action)?,
            (None, None, None) => M::FORMATS.first().map_or("", |format| format.name),
        };
        let saving_keys = own_keys.into_iter().filter_map(|key| {
            let value = words.value(key)?;
            Some((key, value.text.to_string()))
        });
        let saving = Saving::new(saving_keys);
        let left_out = document.model.omissions(&saving);
        if !left_out.is_empty() && own.is_some_and(|file| file.path == path) {
            let out = listed(&left_out);
            let message = format!("that leaves out {out}, and {path} is the full file");
            let (name, extension) = path.rsplit_once('.').unwrap_or((&path, "out"));
            let elsewhere = spell_param("as", &format!("{name}-part.{extension}"));
            let keys: String = saving
                .iter()
                .map(|(key, value)| format!(" {key}:{value}"))
                .collect();
            return Err(Diagnostic::new(message).or_try(format!("save {elsewhere}{keys}")));
        }
        if let Some(file) = kept.filter(|file| file.format != format) {
            return Err(self.other_kind(action, &path, (file.format, format)));
        }
        // The kind that the written file must have.
        let kept = kept.and_then(|file| file.kind.clone());
        let stamp = own
            .filter(|_| left_out.is_empty())
            .map(|file| file.stamp.clone());
        let has_changed = |own: &Stamp| self.root.has_changed(&path, own);
        let is_replaced = words.flag("force") && stamp.as_ref().is_some_and(has_changed);
        let expect = match (words.flag("force"), given, stamp) {
            (true, _, _) => Expect::Anything,
            (false, None, Some(stamp)) => Expect::Unchanged(stamp),
            (false, _, or) => Expect::New { or },
        };
        let Written {
            note,
            pieces,
            account,
            stamp,
            warnings,
        } = self.written(action, (&path, format), &saving, (&expect, kept))?;
        let Some(document) = self.document.as_mut() else {
            return Err(missing());
        };
        let written = document.model.file_summary(pieces.file(), &saving);
        let mut text = format!("* Saved {} ({written})", one_line(&path));
        let out = listed(&left_out);
        if left_out.is_empty() {
            document.file = Some(OpenFile {
                path: path.clone(),
                format,
                kind: document.model.file_kind(),
                stamp,
            });
            document.mark_saved();
            document.accept_loss(&pieces)?;
            document.log.mark("save");
            document.tables.forget();
        } else {
            text.push_str(&format!("; left out: {out}"));
        }
        if let Some(note) = &note {
            text.push_str("; ");
            text.push_str(note);
        }
        if is_replaced {
            let shown = one_line(&path);
            text.push_str(&format!(
                "\n  replaced {shown} as it was on disk: it had changed since it was opened"
            ));
        }
        let proof = match left_out.is_empty() {
            true => document.proof(&path, &pieces, account, &self.reported),
            false => document.proof_of_part(&path, (&pieces, format), &out, &self.reported),
        };
        text.extend(proof.iter().flat_map(|line| ["\n", line]));
        if left_out.is_empty() {
            document.keep_first_save(&path, pieces, format);
        }
        Ok(match note {
            Some(_) => Outcome::moved(text, warnings),
            None => Outcome::still(text),
        })
    }

    /// Writes a file as its keys demand. Changes made to the document for that are logged as an op;
    /// if writing fails, the document is as before.
    fn written(
        &mut self,
        action: &ParsedOp<'_>,
        (path, format): (&str, &str),
        saving: &Saving,
        (expect, kept): (&Expect, Option<String>),
    ) -> Result<Written> {
        let document = self.document.as_mut().ok_or_else(missing)?;
        let savepoint = document.savepoint();
        let before = document.log.undoable();
        let converted = match saving.is_empty() {
            true => Ok(None),
            false => document.alter(action.raw, |model| model.convert(saving)),
        };
        let result = converted.and_then(|note| {
            let document = self.document.as_ref().ok_or_else(missing)?;
            if let (Some(old), Some(new)) = (&kept, &document.model.file_kind())
                && old != new
            {
                return Err(self.other_kind(action, path, (old, new)));
            }
            let mut pieces = document.empty_pieces(format);
            document.model.write_as(format, saving, &mut pieces)?;
            let audited =
                *expect != Expect::Anything && document.model.omissions(saving).is_empty();
            let account = match audited {
                true => document
                    .audit_bytes(&pieces, format)
                    .map_err(|error| error.or_try(format!("{} force", action.raw)))?,
                false => None,
            };
            let stamp = self.root.write(path, pieces.file(), expect);
            let stamp = stamp.map_err(|error| {
                let is_closed = error.is_closed();
                let error = self.unwritten(action, path, error);
                match is_closed {
                    true => error.or_syntax(ELSEWHERE),
                    false => error,
                }
            })?;
            let warnings = Vec::new();
            Ok(Written {
                note,
                pieces,
                account,
                stamp,
                warnings,
            })
        });
        let document = self.document.as_mut().ok_or_else(missing)?;
        match result {
            Ok(mut written) => {
                let entries = document.log.undoable().saturating_sub(before);
                let touched = document.touched(entries);
                document.release(savepoint);
                let new = document.findings.update(&mut document.model, &touched);
                written.warnings = self.settings.page_warnings(new);
                Ok(written)
            }
            Err(error) => {
                document.rollback(savepoint);
                Err(error)
            }
        }
    }

    /// The error of a save that would change the kind of the document's file.
    fn other_kind(
        &self,
        action: &ParsedOp<'_>,
        path: &str,
        (old, new): (&str, &str),
    ) -> Diagnostic {
        let shown = one_line(path);
        let message = format!("{shown} is {old}; force makes it {new}");
        // A format of another name has another extension.
        let extension = M::FORMATS.iter().find(|format| format.name == new);
        let extension = extension.and_then(|format| format.extensions.first());
        let path = match (extension, path.rsplit_once('.')) {
            (Some(extension), Some((stem, _))) => format!("{stem}.{extension}"),
            _ => path.to_owned(),
        };
        match self.free_path(&path, extension.is_some()) {
            Some(path) => Diagnostic::new(message).or_try(elsewhere(action, &path)),
            None => Diagnostic::new(message),
        }
    }

    /// A path without a file: this one if `or_itself`, or this one with a number.
    fn free_path(&self, path: &str, or_itself: bool) -> Option<String> {
        let new = Expect::New { or: None };
        let is_free = |path: &String| self.root.check_target(path, &new).is_ok();
        let itself = or_itself.then(|| path.to_owned());
        let mut paths = itself
            .into_iter()
            .chain((2..100).map(|n| numbered(path, n)));
        paths.find(is_free)
    }

    /// The error of a file that is not written. No repair overwrites a file: it names a free one.
    pub(super) fn unwritten(
        &self,
        action: &ParsedOp<'_>,
        path: &str,
        error: FileError,
    ) -> Diagnostic {
        let repair = match &error {
            FileError::Vanished { .. } => Some(format!("{} force", action.raw)),
            FileError::Changed { .. } | FileError::Exists { .. } | FileError::ReadOnly { .. } => {
                let path = self.free_path(path, false);
                path.map(|path| elsewhere(action, &path))
            }
            FileError::NoFolder { folder, .. } if action.raw.contains(path) => {
                Some(action.raw.replacen(path, &beside(path, folder), 1))
            }
            _ => None,
        };
        let diagnostic: Diagnostic = error.into();
        match repair {
            Some(repair) => Diagnostic {
                repair: Repair::Try(repair),
                ..diagnostic
            },
            None => diagnostic,
        }
    }

    pub(super) fn write(
        &self,
        action: &ParsedOp<'_>,
        path: &str,
        bytes: &[u8],
        expect: &Expect,
    ) -> Result<Stamp> {
        let written = self.root.write(path, bytes, expect);
        written.map_err(|error| self.unwritten(action, path, error))
    }
}

/// A repair that saves a document over its file in another way, with another path: the save could
/// change the file's kind.
pub(in crate::session) fn saved_elsewhere<M: Domain>(
    file: Option<&OpenFile>,
    mut error: Diagnostic,
) -> Diagnostic {
    if let (Repair::Try(text) | Repair::Untried(text), Some(file)) = (&mut error.repair, file)
        && let Some((sign, keys)) = text.split_once("save ")
        && ["", "! "].contains(&sign)
        && !keys.contains(' ')
        && let Some((key, _)) = keys.split_once(':')
        && M::SAVING.iter().any(|(own, _)| name_of(own) == key)
    {
        let path = spell_param("as", &numbered(&file.path, 2));
        *text = format!("{sign}save {path} {keys}");
    }
    error
}

/// A path like this one, with a number.
fn numbered(path: &str, n: usize) -> String {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    let dot = path.get(name..).and_then(|name| name.rfind('.'));
    let stem = dot
        .filter(|dot| *dot > 0)
        .map_or(path.len(), |dot| name + dot);
    let (stem, extension) = path.split_at(stem);
    format!("{stem}-{n}{extension}")
}

/// The action with another path to write to.
fn elsewhere(action: &ParsedOp<'_>, path: &str) -> String {
    let keyed = action.words.iter().find_map(|word| match word {
        OpWord::Param(param) if ["as", "path", "file"].contains(&&*param.key) => Some(param.span),
        _ => None,
    });
    let is_flag = |word: &OpWord<'_>| word.plain() == Some("force");
    let bare = action.words.iter().find_map(|word| match word {
        OpWord::Positional(own) if !is_flag(word) => Some(own.span),
        _ => None,
    });
    let path = spell_param("as", path);
    match keyed.or(bare) {
        Some(span) => span.replace(action.raw, &path),
        None => format!("{} {path}", action.raw),
    }
}

/// Returns whether a path equals another except for one typo or its extension. A file that is only
/// similar is another file.
fn is_other_spelling(path: &str, other: &str) -> bool {
    let (path, other) = (path.to_lowercase(), other.to_lowercase());
    let stem = |path: &str| {
        path.rsplit_once('.')
            .map_or(path.to_owned(), |(stem, _)| stem.to_owned())
    };
    is_within(&path, &other, 1) || stem(&path) == stem(&other)
}

/// The key in `key:VALUE`.
fn name_of(written: &'static str) -> &'static str {
    written.split(':').next().unwrap_or(written)
}

/// A path to the same name next to a missing folder.
fn beside(path: &str, folder: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let above = folder.rsplit_once('/').map_or(".", |(above, _)| above);
    format!("{above}/{name}")
}

/// The first ten names, separated by commas.
pub(super) fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(10);
    let first = names.get(..10).unwrap_or(names).join(", ");
    match more {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// The action that saves a document without a file: under its title, if that can be a file name.
fn untitled<M: Domain>(document: &Document<M>) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let sound = |name: &String| !name.is_empty() && name.len() <= 60 && name.chars().all(plain);
    let name = document.title().filter(sound);
    let name = name
        .as_deref()
        .unwrap_or("untitled")
        .trim()
        .to_lowercase()
        .replace(' ', "-");
    let extension = M::FORMATS
        .first()
        .and_then(|format| format.extensions.first())
        .unwrap_or(&"out");
    format!("save as:./{name}.{extension}")
}

/// The action that saves a document in the default way.
pub(super) fn plainly<M: Domain>(document: &Document<M>) -> String {
    match &document.file {
        Some(_) => "save".to_owned(),
        None => untitled(document),
    }
}

/// An error whose repair is an action, without its sign: the session tool takes actions bare.
fn own_action(mut error: Diagnostic) -> Diagnostic {
    if let Repair::Try(text) = &mut error.repair
        && let Some(action) = text.strip_prefix("! ")
    {
        *text = action.to_owned();
    }
    error
}
