//! `export`, and the files that actions of a domain write.

use super::file::listed;
use super::format::{by_extension, format_of, named};
use super::words::{Bare, Form, Given, Words};
use super::{Outcome, missing};
use crate::diag::{Diagnostic, Result, one_line};
use crate::domain::Domain;
use crate::op::{OpWord, ParsedOp};
use crate::reply::Exported;
use crate::session::Session;
use crate::session::batch::shown;
use crate::session::files::Expect;
use crate::value::nearest_word;
use crate::verb::Role;
use crate::work;

const EXPORT: Form = Form {
    syntax: "export [FORMAT] as:PATH",
    keys: &["as", "format"],
    flags: &["force"],
    bare: Bare::Word,
};

/// The steps of making a file: a picture, a score, a sound.
const AN_EXPORT: usize = 400_000;

impl<M: Domain> Session<M> {
    pub(super) fn export(&self, action: &ParsedOp<'_>) -> Result<Outcome> {
        let words = Words::of(action, &EXPORT)?;
        let document = self.document.as_ref().ok_or_else(missing)?;
        let path = words
            .value("as")
            .ok_or_else(|| Diagnostic::new("export needs as:PATH").or_syntax(EXPORT.syntax))?;
        let format = match (words.value("format"), &words.bare) {
            (Some(_), Some(_)) => {
                return Err(Diagnostic::new("export takes one format").or_syntax(EXPORT.syntax));
            }
            (Some(name), None) | (None, Some(name)) => self.named_export(name, path, action)?,
            (None, None) => by_extension::<M>(path, action)?,
        };
        self.check_delivery(action)?;
        let bytes = document.model.file(format)?;
        self.deliver(action, &bytes.into())
    }

    /// The format of a name. To the caller of `export`, the domain's own exports count as formats.
    fn named_export(
        &self,
        given: &Given<'_>,
        path: &Given<'_>,
        action: &ParsedOp<'_>,
    ) -> Result<&'static str> {
        named::<M>(given, action).map_err(|error| {
            let own: Vec<&str> = self.own_exports().collect();
            if own.is_empty() {
                return error;
            }
            let formats = || M::FORMATS.iter().map(|format| format.name);
            let names: Vec<&str> = formats().chain(own.iter().copied()).collect();
            let name: &str = &given.text;
            let message = format!("no format {}; there are {}", shown(name), names.join(", "));
            let error = Diagnostic::new(message);
            // Prefer the format of the path's extension.
            let ending = |name: &str| own.iter().find(|own| ends_in(name, own)).copied();
            let near = nearest_word(name, names.iter().copied());
            let near = near.or_else(|| ending(&path.text));
            let near = near.or_else(|| format_of::<M>(&path.text));
            match near {
                Some(near) if own.contains(&near) => error.or_try(exported(near, action)),
                Some(near) => error.or_try(given.replaced(action, near)),
                None => error.or_syntax(EXPORT.syntax),
            }
        })
    }

    /// The domain's own export that is meant by `format:` or, without a format, by the extension.
    pub(super) fn own_export(&self, action: &ParsedOp<'_>) -> Option<String> {
        if action.verb.text != "export" {
            return None;
        }
        let value = |key: &str| action.param(key).map(|param| &*param.value);
        let mut words = action.words.iter();
        let is_bare = words.any(|word| word.plain().is_some_and(|word| word != "force"));
        let path = value("as").filter(|path| format_of::<M>(path).is_none());
        let name = match (value("format"), is_bare) {
            (Some(format), false) => self
                .own_exports()
                .find(|own| own.eq_ignore_ascii_case(format)),
            (None, false) => self
                .own_exports()
                .find(|own| ends_in(path.unwrap_or_default(), own)),
            (_, true) => None,
        };
        Some(exported(name?, action))
    }

    /// The domain's own exports, by the word after `export`.
    fn own_exports(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.registry.following(Role::Action, "export")
    }

    /// Checks that the result of an export can be written, before it is made.
    pub(super) fn check_delivery(&self, action: &ParsedOp<'_>) -> Result<()> {
        work::spend(AN_EXPORT)?;
        let Some(path) = action.param("as").map(|param| &*param.value) else {
            return Ok(());
        };
        let checked = self.root.check_target(path, &expected(action));
        checked.map_err(|error| self.unwritten(action, path, error))
    }

    /// Writes the result of an export.
    pub(super) fn deliver(&self, action: &ParsedOp<'_>, exported: &Exported) -> Result<Outcome> {
        let path = action.param("as").map(|param| &*param.value);
        let path = path.ok_or_else(|| {
            Diagnostic::new("export needs as:PATH").or_try(format!("{} as:out", action.raw))
        })?;
        let Exported { bytes, left_out } = exported;
        self.write(action, path, bytes, &expected(action))?;
        let mut text = format!("* Exported {} ({} bytes)", one_line(path), bytes.len());
        if !left_out.is_empty() {
            text.push_str(&format!("; left out: {}", listed(left_out)));
        }
        Ok(Outcome::still(text))
    }
}

/// The file that an export may replace.
pub(super) fn expected(action: &ParsedOp<'_>) -> Expect {
    let mut words = action.words.iter();
    match words.any(|word| word.plain() == Some("force")) {
        true => Expect::Anything,
        false => Expect::New { or: None },
    }
}

/// Returns whether a path has this word as its extension.
fn ends_in(path: &str, word: &str) -> bool {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case(word))
}

/// An export by one of the domain's names, with all other words as sent.
fn exported(name: &str, action: &ParsedOp<'_>) -> String {
    let rest = action.words.iter().filter(|word| match word {
        OpWord::Param(param) => param.key != "format",
        OpWord::Selector(_) => true,
        other => other.plain() == Some("force"),
    });
    let rest = rest.map(|word| word.span().of(action.raw));
    let words: Vec<&str> = ["export", name].into_iter().chain(rest).collect();
    words.join(" ")
}
