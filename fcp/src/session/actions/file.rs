//! Open, save, export.

use super::words::Words;
use super::{Said, missing};
use crate::diag::{Diagnostic, Result};
use crate::domain::{Domain, Format};
use crate::op::{ParsedOp, quote, quote_value};
use crate::session::Session;
use crate::session::document::{Document, OpenFile};
use crate::session::files::{Expect, FileError, Stamp};
use crate::value::nearest_word;

/// How many of a file's warnings are shown when it is opened.
const OPENING_WARNINGS: usize = 5;

impl<M: Domain> Session<M> {
    pub(super) fn open(&mut self, action: &ParsedOp<'_>) -> Result<Said> {
        let syntax = "open PATH";
        let words = Words::of(action, syntax, &["format", "path", "file"], &[], 1)?;
        let keyed = words
            .key("open")
            .or(words.key("path"))
            .or(words.key("file"));
        let path = match (keyed, words.bare.first()) {
            (Some(path), None) => path,
            (None, Some(path)) => path,
            (None, None) => return Err(Diagnostic::new("open needs a path").or_syntax(syntax)),
            (Some(_), Some(_)) => {
                return Err(Diagnostic::new("open takes one path").or_syntax(syntax));
            }
        };
        let limit = self.settings.file_bytes();
        let (bytes, stamp) = self.root.read(path, limit).map_err(|error| match &error {
            FileError::NotFound { nearest, .. } => {
                let near = nearest.first().map(|near| format!("open {}", quote(near)));
                let error: Diagnostic = error.into();
                match near {
                    Some(near) => Diagnostic {
                        repair: crate::diag::Repair::Try(near),
                        ..error
                    },
                    None => error,
                }
            }
            FileError::TooLarge { .. } => {
                Diagnostic::new(format!("{error} (set file-limit:MIB moves it)"))
            }
            _ => error.into(),
        })?;
        let model = M::read(&bytes, path)?;
        let format = match words.key("format") {
            Some(name) => named::<M>(name, action)?,
            None => format_of::<M>(path)
                .or(M::FORMATS.first().map(|format| format.name))
                .unwrap_or(""),
        };
        let mut document = Document::new(model, self.settings.log_bytes(), &self.registry);
        document.log.mark("open");
        document.file = Some(OpenFile {
            path: path.to_owned(),
            format,
            stamp,
        });
        let text = format!("+ Opened {path}: {}", document.model.headline());
        let found = self.settings.shown(document.findings.all(None));
        let mut warnings = self.set_aside(document);
        let more = found.len().saturating_sub(OPENING_WARNINGS);
        warnings.extend(found.into_iter().take(OPENING_WARNINGS));
        if more > 0 {
            warnings.push(format!("? … {more} more (query \"warnings\")"));
        }
        Ok(Said::moved(text, warnings))
    }

    pub(super) fn save(&mut self, action: &ParsedOp<'_>) -> Result<Said> {
        let syntax = "save [PATH] [as:PATH] [format:F] [force]";
        let words = Words::of(
            action,
            syntax,
            &["as", "format", "path", "file"],
            &["force"],
            1,
        )?;
        let document = self.document.as_ref().ok_or_else(missing)?;
        let keyed = words
            .key("as")
            .or(words.key("save"))
            .or(words.key("path"))
            .or(words.key("file"));
        let given = match (keyed, words.bare.first()) {
            (Some(_), Some(_)) => {
                return Err(Diagnostic::new("save takes one path").or_syntax(syntax));
            }
            (Some(path), None) => Some(path),
            (None, path) => path.map(|path| &**path),
        };
        let own = document.file.as_ref();
        let path = match (given, own) {
            (Some(path), _) => path.to_owned(),
            (None, Some(file)) => file.path.clone(),
            (None, None) => {
                return Err(Diagnostic::new("the document has no file yet").or_try(untitled::<M>()));
            }
        };
        let format = match (words.key("format"), given, own) {
            (Some(name), _, _) => named::<M>(name, action)?,
            (None, None, Some(file)) => file.format,
            (None, _, _) => format_of::<M>(&path).ok_or_else(|| unknown_extension::<M>(&path))?,
        };
        let stamp = own.map(|file| file.stamp.clone());
        let expect = match (words.flag("force"), given, stamp) {
            (true, _, _) => Expect::Anything,
            (false, None, Some(stamp)) => Expect::Unchanged(stamp),
            (false, _, or) => Expect::New { or },
        };
        let bytes = document.model.write(format)?;
        let spelled = given.map(|path| format!("save as:{} force", quote_value(path)));
        let stamp = self.write(
            &path,
            &bytes,
            &expect,
            spelled.unwrap_or_else(|| "save force".to_owned()),
        )?;
        let Some(document) = self.document.as_mut() else {
            return Err(missing());
        };
        document.file = Some(OpenFile {
            path: path.clone(),
            format,
            stamp,
        });
        document.mark_saved();
        document.log.mark("save");
        Ok(Said::still(format!(
            "* Saved {path} ({})",
            document.model.written(&bytes)
        )))
    }

    pub(super) fn export(&self, action: &ParsedOp<'_>) -> Result<Said> {
        let syntax = "export [FORMAT] as:PATH";
        let words = Words::of(action, syntax, &["as", "format"], &["force"], 1)?;
        let document = self.document.as_ref().ok_or_else(missing)?;
        let path = words
            .key("as")
            .ok_or_else(|| Diagnostic::new("export needs as:PATH").or_syntax(syntax))?;
        let name = words
            .key("format")
            .or(words.bare.first().map(|name| &**name));
        let format = match name {
            Some(name) => named::<M>(name, action)?,
            None => format_of::<M>(path).ok_or_else(|| unknown_extension::<M>(path))?,
        };
        let bytes = document.model.write(format)?;
        self.deliver(action, &bytes)
    }

    /// Writes what an export made.
    pub(super) fn deliver(&self, action: &ParsedOp<'_>, bytes: &[u8]) -> Result<Said> {
        let path = action.param("as").map(|param| &*param.value);
        let path = path.ok_or_else(|| {
            Diagnostic::new("export needs as:PATH").or_try(format!("{} as:out", action.raw))
        })?;
        let force = action
            .words
            .iter()
            .any(|word| word.plain() == Some("force"));
        let expect = if force {
            Expect::Anything
        } else {
            Expect::New { or: None }
        };
        self.write(path, bytes, &expect, format!("{} force", action.raw))?;
        Ok(Said::still(format!(
            "* Exported {path} ({} bytes)",
            bytes.len()
        )))
    }

    fn write(&self, path: &str, bytes: &[u8], expect: &Expect, forced: String) -> Result<Stamp> {
        self.root
            .write(path, bytes, expect)
            .map_err(|error| match &error {
                FileError::Changed { .. }
                | FileError::Vanished { .. }
                | FileError::Exists { .. } => {
                    let error: Diagnostic = error.into();
                    Diagnostic {
                        repair: crate::diag::Repair::Try(forced),
                        ..error
                    }
                }
                _ => error.into(),
            })
    }
}

/// The action that saves a document which has no file.
pub(super) fn untitled<M: Domain>() -> String {
    let extension = M::FORMATS
        .first()
        .and_then(|format| format.extensions.first())
        .unwrap_or(&"out");
    format!("save as:./untitled.{extension}")
}

/// The format that a path's extension stands for.
pub(in crate::session) fn format_of<M: Domain>(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next()?.to_lowercase();
    let ends = |extension: &&str| name.ends_with(&format!(".{extension}"));
    M::FORMATS
        .iter()
        .find(|format| format.extensions.iter().any(|e| ends(e)))
        .map(|format| format.name)
}

fn named<M: Domain>(name: &str, action: &ParsedOp<'_>) -> Result<&'static str> {
    let of = |format: &&Format| {
        format.name.eq_ignore_ascii_case(name) || format.extensions.contains(&name)
    };
    if let Some(format) = M::FORMATS.iter().find(of) {
        return Ok(format.name);
    }
    let names: Vec<&str> = M::FORMATS.iter().map(|format| format.name).collect();
    let error = Diagnostic::new(format!("no format {name}; there are {}", names.join(", ")));
    let span = action.param("format").map(|param| param.value_span);
    let near = nearest_word(name, names.iter().copied()).or(names.first().copied());
    Err(match (near, span) {
        (Some(near), Some(span)) => error.or_try(span.replace(action.raw, near)),
        _ => error,
    })
}

fn unknown_extension<M: Domain>(path: &str) -> Diagnostic {
    let known: Vec<String> = M::FORMATS
        .iter()
        .flat_map(|format| format.extensions)
        .map(|extension| format!(".{extension}"))
        .collect();
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name
        .rsplit_once('.')
        .map_or(path.len(), |(_, ext)| path.len() - ext.len() - 1);
    let fixed = path.get(..stem).unwrap_or(path);
    let extension = M::FORMATS
        .first()
        .and_then(|format| format.extensions.first())
        .unwrap_or(&"out");
    Diagnostic::new(format!(
        "{path} ends like none of the formats here ({})",
        known.join(", ")
    ))
    .or_try(format!(
        "save as:{}",
        quote_value(&format!("{fixed}.{extension}"))
    ))
}
