//! The reference card, generated from the registry and the model's shape: compact for tool
//! descriptions, full for help, and as JSON.
//! The words of the session that it lists are defined where they are carried out.

mod brief;
mod codebook;
mod compact;
mod entries;
mod full;
mod tables;

use crate::domain::Domain;
use crate::model::{FieldKind, ModelExt};
use crate::value::ValueSpec;
use crate::verb::{Registry, SelectorDef, Takes, UNIVERSAL, Verb, field_form};

pub use brief::{HELP_BYTES, TOPIC_BYTES, brief, tables_card, topic};
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
    // The universal verbs come last: the domain's own matter more to its users.
    groups.sort_by_key(|(category, _)| *category == "Any type");
    groups
}

/// Every selector as shown on the card, with its description.
fn selectors<M: Domain>(registry: &Registry<M>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = UNIVERSAL
        .iter()
        .filter(|(name, _)| registry.selector(name).is_none())
        .map(|(name, form)| {
            let what = match *name {
                "all" => "every row the verb can act on",
                "recent" => "the last row touched; N rows; the rows of N ops",
                "type" => "rows of a type",
                "where" => "rows for which a condition over their columns is true (? tables)",
                _ => "rows by id",
            };
            ((*form).to_owned(), what.to_owned())
        })
        .collect();
    all.push((
        "@not:SELECTOR".to_owned(),
        "all but the rows that a selector picks: @not:type:KIND".to_owned(),
    ));
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

/// Every kind of value of parameters and fields, by name.
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
