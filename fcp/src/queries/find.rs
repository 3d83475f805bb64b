//! `find`.

use super::{field_of, line_of};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{FieldKind, FieldShape, ModelExt, Row};
use crate::op::OpWord;
use crate::reply::Listing;
use crate::value::nearest_word;
use crate::verb::Call;

/// The rows one of whose fields shows the text, whatever the case.
pub(super) fn find<'m, M: Domain>(model: &'m M, call: &Call<'_, M>) -> Result<Listing<'m>> {
    let wanted = wanted(call)?;
    let key = match &wanted.key {
        Some(key) if known::<M>().any(|known| known == key) => Some(key.clone()),
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
    let mut hits = Vec::new();
    for (part, shape, rows) in model.tables().filter(|(_, shape, _)| !shape.view) {
        let Some(entity) = shape.shape else { continue };
        let fields = entity
            .fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.kind != FieldKind::Hidden);
        let fields: Vec<(usize, &str)> = fields
            .filter(|(_, field)| {
                key.as_ref()
                    .is_none_or(|key| spellings(field).any(|own| own == key))
            })
            .map(|(ix, f)| (ix, f.name))
            .collect();
        for id in rows.ids() {
            let row = Row::new(part, id);
            for (ix, name) in &fields {
                if field_of(model, row, *ix)
                    .is_some_and(|value| value.to_lowercase().contains(&needle))
                {
                    hits.push((row, *name));
                    break;
                }
            }
        }
    }
    let line = move |(row, field): (Row, &'static str)| {
        format!("#{} {} ({field})", row.id(), line_of(model, row))
    };
    Ok(Listing::lines(hits.len(), hits.into_iter().map(line)))
}

/// What to look for.
struct Wanted {
    text: String,
    key: Option<String>,
    value: String,
    only_key: bool,
}

/// The text behind `find`, without what pages the answer.
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
            // The text as it was sent, the words that page taken out of it.
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

fn known<M: Domain>() -> impl Iterator<Item = &'static str> {
    M::kinds()
        .flat_map(|(_, shape)| shape.fields)
        .filter(|field| field.kind != FieldKind::Hidden)
        .flat_map(spellings)
}

/// What a field is called.
fn spellings(field: &'static FieldShape) -> impl Iterator<Item = &'static str> {
    std::iter::once(field.name).chain(field.aliases.iter().copied())
}
