//! Values in an action `set`, read by their kind.

use super::own_setting::{DEFAULT, OwnSetting};
use crate::diag::{Diagnostic, Result};
use crate::domain::IsFolder;
use crate::op::{Param, quote_value};
use crate::value::nearest_word;

/// A `KEY:VALUE` of an action `set`.
pub(super) struct Given<'a> {
    pub action: &'a str,
    pub param: &'a Param<'a>,
}

impl Given<'_> {
    /// The error of a wrong value, with another one as its repair.
    pub fn wrong(&self, message: String, fix: &str) -> Diagnostic {
        let span = self.param.value_span;
        Diagnostic::new(message).or_try(span.replace(self.action, fix))
    }

    /// A number from 1 to `most`; `usual` replaces what is not one.
    pub fn number(&self, unit: &str, most: usize, usual: usize) -> Result<usize> {
        let value = &*self.param.value;
        let n = value.parse::<usize>().ok();
        n.filter(|n| (1..=most).contains(n)).ok_or_else(|| {
            let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
            let near = match n {
                Some(0) => 1,
                _ if digits => most,
                _ => usual,
            };
            let key = &self.param.key;
            let message = format!("{key}:{value} is not a number{unit} from 1 to {most}");
            self.wrong(message, &near.to_string())
        })
    }

    /// One of some words; the first one replaces what resembles none.
    pub fn word<const N: usize, T>(
        &self,
        words: [&str; N],
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T> {
        let value = &*self.param.value;
        read(value).ok_or_else(|| {
            let near = nearest_word(value, words).unwrap_or(words[0]);
            let message = format!(
                "{}:{value} is not one of {}",
                self.param.key,
                words.join(", ")
            );
            self.wrong(message, near)
        })
    }

    /// A checkpoint; `None` for the state at the opening.
    pub fn checkpoint(&self, checkpoints: &[String]) -> Result<Option<String>> {
        let value = &*self.param.value;
        if matches!(value, "open" | DEFAULT) {
            return Ok(None);
        }
        if checkpoints.iter().any(|own| own == value) {
            return Ok(Some(value.to_owned()));
        }
        let names = checkpoints.iter().map(String::as_str).chain(["open"]);
        let near = nearest_word(value, names).unwrap_or("open");
        Err(self.wrong(
            format!("checkpoint {value:?} not found"),
            &quote_value(near),
        ))
    }

    /// A value of a domain's setting; `None` for the usual one.
    pub fn own_value(&self, own: &OwnSetting, is_folder: IsFolder<'_>) -> Result<Option<String>> {
        let (key, value) = (own.key, &*self.param.value);
        if value == DEFAULT || value.eq_ignore_ascii_case(own.usual) {
            return Ok(None);
        }
        (own.check)(key, value, is_folder).map_err(|error| {
            let message = error.about(&format!("{key}:{value}"));
            let near = error.fix.unwrap_or_else(|| own.usual.to_owned());
            self.wrong(message, &near)
        })?;
        Ok(Some(value.to_owned()))
    }
}
