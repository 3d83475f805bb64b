//! The reference card, written from the registry and the model's shape: compact for tool descriptions, full for help,
//! and as JSON.

mod codebook;
mod compact;
mod full;

use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{FieldKind, ModelExt};
use crate::value::{ValueSpec, fold, nearest_word};
use crate::verb::{Registry, SelectorDef, Takes, UNIVERSAL, Verb, field_form};

pub use codebook::{codebook, schema};
pub use compact::{CARD_BYTES, compact};
pub use full::full;

/// The signs that reply lines start with.
const SIGNS: &str =
    "+ new  ~ connection or row  * property  - gone  @ many  = same  ? warning  ! error";

/// Verbs of one category, in order.
fn categories<M: Domain>(
    verbs: impl Iterator<Item = &'static Verb<M>>,
) -> Vec<(&'static str, Vec<&'static Verb<M>>)> {
    let mut groups: Vec<(&'static str, Vec<&'static Verb<M>>)> = Vec::new();
    for verb in verbs {
        match groups.last_mut() {
            Some((category, verbs)) if *category == verb.category => verbs.push(verb),
            _ => groups.push((verb.category, vec![verb])),
        }
    }
    // What every domain has comes last: the domain's own is why one is here.
    groups.sort_by_key(|(category, _)| *category == "Any type");
    groups
}

/// Every selector as the card shows it, with what it picks.
fn selectors<M: Domain>(registry: &Registry<M>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = UNIVERSAL
        .iter()
        .filter(|(name, _)| registry.selector(name).is_none())
        .map(|(name, form)| {
            let what = match *name {
                "all" => "every row the verb can act on",
                "recent" => "the last row touched; N rows; the rows of N ops",
                "type" => "rows of a type",
                _ => "rows by id",
            };
            ((*form).to_owned(), what.to_owned())
        })
        .collect();
    all.extend(
        registry
            .selectors()
            .map(|def| (own_form(def), def.summary.to_owned())),
    );
    let mut seen: Vec<&str> = Vec::new();
    for (_, shape) in M::kinds() {
        for field in shape.fields {
            if let Some((name, kind)) = field.selector
                && !seen.contains(&name)
            {
                seen.push(name);
                let value = match field.kind {
                    FieldKind::Refers(_) => "NAME",
                    _ => (field.spec)().name,
                };
                all.push((field_form(name, kind, value), field.doc.to_owned()));
            }
        }
    }
    all
}

fn own_form<M: Domain>(def: &SelectorDef<M>) -> String {
    match (def.spec)().name {
        "" => format!("@{}", def.name),
        value => format!("@{}:{value}", def.name),
    }
}

/// Every kind of value that a parameter or a field has, by name.
fn values<M: Domain>(registry: &Registry<M>) -> Vec<ValueSpec> {
    let params = registry
        .verbs()
        .chain(registry.queries())
        .chain(registry.actions())
        .flat_map(|verb| verb.params);
    let of_params = params
        .filter(|param| param.takes == Takes::Value)
        .map(|param| (param.spec)());
    let fields = M::kinds()
        .flat_map(|(_, shape)| shape.fields)
        .filter(|field| field.kind == FieldKind::Value);
    let mut specs: Vec<ValueSpec> = of_params
        .chain(fields.map(|field| (field.spec)()))
        .collect();
    specs.sort_by_key(|spec| spec.name);
    specs.dedup_by_key(|spec| spec.name);
    specs
        .retain(|spec| !spec.doc.is_empty() && !matches!(spec.name, "N" | "NAME" | "TEXT" | "SEL"));
    specs
}

/// One topic of the card: a verb, query, action, type, value, `selectors`, `examples`, `types`, `values`, `session`.
///
/// # Errors
/// There is no such topic; the nearest is named.
pub fn topic<M: Domain>(registry: &Registry<M>, topic: &str) -> Result<String> {
    let wanted = fold(topic);
    let card = full::Sections::of(registry);
    let mut names: Vec<String> = Vec::new();
    for (name, text) in card.topics() {
        if fold(&name) == wanted {
            return Ok(text);
        }
        names.push(name);
    }
    let mut begins = card
        .topics()
        .into_iter()
        .filter(|(name, _)| fold(name).starts_with(&wanted));
    if let (Some((_, text)), None) = (begins.next(), begins.next()) {
        return Ok(text);
    }
    // A family, such as `bars`, and a kind, such as the `circle` of `add circle`.
    let asked = topic.trim().to_lowercase();
    let topics = card.topics();
    let words = |name: &str| -> Vec<String> {
        let name = name.to_lowercase();
        name.split(' ').map(str::to_owned).collect()
    };
    let family: Vec<&(String, String)> = topics
        .iter()
        .filter(|(name, _)| words(name).len() > 1 && words(name).first() == Some(&asked))
        .collect();
    if !family.is_empty() {
        return Ok(outline(&asked, &family));
    }
    let mut kinds = topics
        .iter()
        .filter(|(name, _)| words(name).get(1) == Some(&asked));
    if let (Some((_, text)), None) = (kinds.next(), kinds.next()) {
        return Ok(text.clone());
    }
    let near = nearest_word(topic, names.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| format!("; {near:?} is one"));
    let shown: String = topic.chars().take(60).collect();
    Err(Diagnostic::new(format!("no help on {shown:?}{near}"))
        .or_syntax("topics: a verb, query, action, type or value, selectors, tables, examples"))
}

/// The most bytes of the help on a family.
const FAMILY: usize = 4000;

/// The verbs of a family, each with its syntax and its summary, as far as there is room.
fn outline(family: &str, topics: &[&(String, String)]) -> String {
    let mut text = format!(
        "{family}: {} verbs; help \"{family} …\" says more of one",
        topics.len()
    );
    for (ix, (_, own)) in topics.iter().enumerate() {
        let lines: Vec<&str> = own.lines().take(2).collect();
        let lines = lines.join("\n");
        if text.len() + lines.len() > FAMILY {
            text.push_str(&format!("\n… {} more", topics.len() - ix));
            break;
        }
        text.push('\n');
        text.push_str(&lines);
    }
    text
}
