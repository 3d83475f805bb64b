//! A new id, and what refers to the old one.

use fcp::format::xml::{self, Kind};
use fcp::prelude::*;

use crate::href;
use crate::model::mention::{ENDS, LISTS, TIMES};
use crate::model::{Drawing, NodeId};

/// Gives an element an id, and everything that refers to its old one. Answers how many places did. Where others have the
/// old id too, nothing else changes: which of them is meant cannot be told.
///
/// # Errors
/// A text cannot be written.
pub fn rename(drawing: &mut Drawing, node: NodeId, new: &str) -> Result<usize> {
    let old = drawing.nodes.own_id(node).map(std::borrow::Cow::into_owned);
    xml::set_attr(drawing.nodes.tree_mut(), node, "id", new)?;
    let Some(old) = old else {
        return Ok(0);
    };
    let mut edits = Vec::new();
    for id in drawing.mentioning(std::slice::from_ref(&old)) {
        let element = drawing.nodes.element(id);
        for (name, value) in element.into_iter().flat_map(xml::Element::values) {
            let follows = |id: &str| (id == old).then(|| new.to_owned());
            if let Some(value) = followed(name, &value, follows) {
                edits.push((id, name.to_owned(), value));
            }
        }
    }
    let mut texts = Vec::new();
    for style in drawing.nodes.tree().index().styles().map(NodeId::new) {
        for inner in drawing.nodes.tree().children(style) {
            let node = drawing.nodes.tree().get(inner);
            let text = node.filter(|node| matches!(node.kind(), Kind::Text(_) | Kind::CData(_)));
            let text = text.and_then(xml::Node::text);
            if let Some(text) = text.and_then(|text| in_css(&text, &old, new)) {
                texts.push((inner, text));
            }
        }
    }
    let count = edits.len() + texts.len();
    for (id, name, value) in edits {
        xml::set_attr(drawing.nodes.tree_mut(), id, &name, &value)?;
    }
    for (id, text) in texts {
        let mut result = Ok(false);
        drawing
            .nodes
            .tree_mut()
            .modify(id, |node| result = node.set_text(&text));
        result?;
    }
    Ok(count)
}

/// An attribute's value with other ids in its references, if `new` has one for any of them.
pub(crate) fn followed(
    name: &str,
    value: &str,
    new: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    if name == "href" || name.ends_with(":href") {
        let old = href::local(value)?;
        return Some(value.replacen(old, &new(old)?, 1));
    }
    if ENDS.contains(&name) {
        return new(value);
    }
    if LISTS.contains(&name) {
        let has = value.split_whitespace().any(|word| new(word).is_some());
        return has.then(|| words(value, ' ', new));
    }
    if TIMES.contains(&name) {
        let event = |word: &str| {
            // An id may have dots of its own.
            let mut dots = word.match_indices('.');
            dots.find_map(|(at, _)| {
                let (old, rest) = word.split_at(at);
                Some(format!("{}{rest}", new(old)?))
            })
        };
        let has = value.split(';').any(|word| event(word.trim()).is_some());
        return has.then(|| words(value, ';', event));
    }
    let mut text = value.to_owned();
    let mut any = false;
    for url in href::urls(value).into_iter().rev() {
        if let Some(id) = value.get(url.id.clone()).and_then(&new) {
            text.replace_range(url.id, &id);
            any = true;
        }
    }
    any.then_some(text)
}

/// A text with some of the words between separators replaced; the white space round them stays.
fn words(text: &str, separator: char, replaced: impl Fn(&str) -> Option<String>) -> String {
    let parts = text.split(separator).map(|part| {
        let word = part.trim();
        match replaced(word) {
            Some(new) => part.replacen(word, &new, 1),
            None => part.to_owned(),
        }
    });
    parts.collect::<Vec<_>>().join(&separator.to_string())
}

/// A style sheet with the new id in its selectors and references, if it has the old one.
fn in_css(text: &str, old: &str, new: &str) -> Option<String> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let forms = [
        (format!("#{old}"), format!("#{new}"), true),
        (format!("[id={old}]"), format!("[id={new}]"), false),
        (format!("[id=\"{old}\"]"), format!("[id=\"{new}\"]"), false),
        (format!("[id='{old}']"), format!("[id='{new}']"), false),
    ];
    let (mut out, mut rest, mut hit) = (String::with_capacity(text.len()), text, false);
    loop {
        let found = forms
            .iter()
            .filter_map(|form| Some((rest.find(&form.0)?, form)));
        let Some((at, (wanted, given, open))) = found.min_by_key(|(at, _)| *at) else {
            break;
        };
        let behind = rest.get(at + wanted.len()..).unwrap_or("");
        out.push_str(rest.get(..at).unwrap_or(""));
        if *open && behind.starts_with(inside) {
            out.push_str(wanted);
        } else {
            out.push_str(given);
            hit = true;
        }
        rest = behind;
    }
    out.push_str(rest);
    hit.then_some(out)
}

/// Whether a style sheet tells elements apart by a part of their ids: `[id^=a]`. A new id may change what it picks.
#[must_use]
pub fn is_told_by_parts(drawing: &Drawing) -> bool {
    let mut sheets = drawing.nodes.tree().index().styles().map(NodeId::new);
    sheets.any(|sheet| {
        let text = drawing.nodes.text_of(sheet);
        ["~=", "|=", "^=", "$=", "*="]
            .iter()
            .any(|sign| text.contains(&format!("[id{sign}")))
    })
}
