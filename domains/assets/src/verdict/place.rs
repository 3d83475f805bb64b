//! The keyword that an error is about, in the text of its schema.

use std::sync::Arc;

use jsonschema::ValidationError;

use crate::json::{Json, Pointer, read};
use crate::library::Library;

/// Where a keyword stands: the text of its schema, and the keys that lead to it.
pub(super) struct Place {
    text: Option<Arc<str>>,
    keys: Vec<String>,
}

impl Place {
    /// Where the keyword of an error stands. If that cannot be told it stands nowhere, and less is said of it.
    pub fn of(library: &Library, error: &ValidationError<'_>) -> Self {
        let known = error.absolute_keyword_location().and_then(|at| {
            let (address, pointer) = at.as_str().split_once('#')?;
            let schema = library
                .schemas()
                .iter()
                .find(|schema| schema.base == address)?;
            let pointer = Pointer::read(&decoded(pointer)?)?;
            Some((Arc::clone(&schema.text), pointer.keys().to_vec()))
        });
        match known {
            Some((text, keys)) => Self {
                text: Some(text),
                keys,
            },
            None => Self {
                text: None,
                keys: Vec::new(),
            },
        }
    }

    /// What the keyword says, by its text.
    pub fn said<T>(&self, look: impl FnOnce(&Json<'_>) -> T) -> Option<T> {
        let schema = read(self.text.as_ref()?).ok()?;
        schema.at(&self.keys).map(look)
    }

    /// The properties that the object around the keyword declares.
    pub fn declared(&self) -> Vec<String> {
        let names = || {
            let schema = read(self.text.as_ref()?).ok()?;
            let (_, around) = self.keys.split_last()?;
            let Json::Object(properties) = schema.at(around)?.get("properties")? else {
                return None;
            };
            Some(
                properties
                    .keys()
                    .map(|key| key.clone().into_owned())
                    .collect(),
            )
        };
        names().unwrap_or_default()
    }
}

/// A fragment without its codes.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        if *first == b'%' {
            let code = str::from_utf8(more.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = more.get(2..)?;
        } else {
            bytes.push(*first);
            rest = more;
        }
    }
    String::from_utf8(bytes).ok()
}
