//! `find`.

use std::borrow::Cow;

use super::{numbered_line, shown};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{FieldKind, FieldShape, ModelExt, Row};
use crate::op::OpWord;
use crate::reply::Listing;
use crate::value::nearest_word;
use crate::verb::Call;
use crate::work;

/// The rows with the text in a field, in any case.
pub(super) fn find<'m, M: Domain>(model: &'m M, call: &Call<'_, M>) -> Result<Listing<'m>> {
    let wanted = wanted(call)?;
    let key = match &wanted.key {
        Some(key) if known::<M>().any(|known| known == key) || free::<M>() => Some(key.clone()),
        Some(key) if wanted.only_key => {
            let error = Diagnostic::new(format!("no field is called {key}"));
            return Err(match nearest_word(key, known::<M>()) {
                Some(near) => error.or_try(format!(
                    "find {near}:{}",
                    crate::op::quote_value(&wanted.value)
                )),
                None => error.or_try(format!("find {}", crate::op::quote(&wanted.text))),
            });
        }
        _ => None,
    };
    let needle = if key.is_some() {
        wanted.value.to_lowercase()
    } else {
        wanted.text.to_lowercase()
    };
    if needle.is_empty() {
        return Err(Diagnostic::new("find needs a text").or_syntax("find TEXT"));
    }
    if key.is_none()
        && let Some(found) = model.find_text(&wanted.text)
    {
        return Ok(found);
    }
    let mut hits = Vec::new();
    for (part, shape, rows) in model.tables().filter(|(_, shape, _)| !shape.view) {
        let Some(entity) = shape.shape else { continue };
        let asked = |name: &str| {
            key.as_ref().is_none_or(|key| {
                let mut fields = entity.fields.iter().filter(|field| field.name == name);
                name == key || fields.any(|field| spellings(field).any(|own| own == key))
            })
        };
        work::spend(rows.len())?;
        for id in rows.ids() {
            let row = Row::new(part, id);
            let mut wanted = |name: &str, value: &str| asked(name) && shows(value, &needle);
            if let Some(hit) = rows.detail(id, &mut wanted) {
                hits.extend(hit.map(|name| (row, name.into())));
                continue;
            }
            let mut shown = shown(model, row).into_iter();
            let hit = shown.find(|(name, value)| wanted(name, value));
            hits.extend(hit.map(|(name, _)| (row, name)));
        }
    }
    // A key that is not a field may be part of the text: `xml:lang`.
    let is_field = key.is_some_and(|key| known::<M>().any(|known| known == key));
    if hits.is_empty()
        && !is_field
        && let Some(found) = model.find_text(&wanted.text)
    {
        return Ok(found);
    }
    let line = move |(row, field): (Row, Cow<'static, str>)| {
        format!("{} ({field})", numbered_line(model, row))
    };
    Ok(Listing::lines(hits.len(), hits.into_iter().map(line)))
}

/// Whether a value contains a lower-case text, in any case.
fn shows(value: &str, needle: &str) -> bool {
    if !value.is_ascii() {
        return value.to_lowercase().contains(needle);
    }
    let (Some(first), needle) = (needle.bytes().next(), needle.as_bytes()) else {
        return true;
    };
    // Values are short and many, so they are searched without copying.
    let starts = value.bytes().enumerate();
    let mut starts = starts.filter(|(_, byte)| byte.to_ascii_lowercase() == first);
    starts.any(|(at, _)| {
        let here = value.as_bytes().get(at..at + needle.len());
        here.is_some_and(|here| here.eq_ignore_ascii_case(needle))
    })
}

/// The text to search for.
struct Wanted {
    text: String,
    key: Option<String>,
    value: String,
    only_key: bool,
}

/// The text after `find`, without the paging parameters.
fn wanted<M: Domain>(call: &Call<'_, M>) -> Result<Wanted> {
    let mut words: Vec<&OpWord<'_>> = call.op.words.iter().collect();
    words.retain(
        |word| !matches!(word, OpWord::Param(param) if matches!(&*param.key, "limit" | "from")),
    );
    match words.as_slice() {
        [OpWord::Param(param)] => Ok(Wanted {
            text: param.span.of(call.op.raw).to_owned(),
            key: Some(param.key.to_string()),
            value: param.value.to_string(),
            only_key: true,
        }),
        [OpWord::Positional(word)] => Ok(Wanted {
            text: word.text.to_string(),
            key: None,
            value: String::new(),
            only_key: false,
        }),
        _ => {
            // The text as it was sent, without the paging parameters.
            let raw = call.op.raw;
            let (mut text, mut at) = (String::new(), call.op.verb.span.end);
            for word in &call.op.words {
                let span = word.span();
                if words.iter().any(|kept| std::ptr::eq(*kept, word)) {
                    text.push_str(raw.get(at..span.end).unwrap_or(""));
                }
                at = span.end;
            }
            Ok(Wanted {
                text: text.trim().to_owned(),
                key: None,
                value: String::new(),
                only_key: false,
            })
        }
    }
}

/// Whether some rows have details under names that are not fields.
fn free<M: Domain>() -> bool {
    M::kinds().any(|(_, shape)| !shape.sorts.is_empty())
}

fn known<M: Domain>() -> impl Iterator<Item = &'static str> {
    M::kinds()
        .flat_map(|(_, shape)| shape.fields)
        .filter(|field| field.kind != FieldKind::Hidden)
        .flat_map(spellings)
}

/// The names of a field.
fn spellings(field: &'static FieldShape) -> impl Iterator<Item = &'static str> {
    std::iter::once(field.name).chain(field.aliases.iter().copied())
}
