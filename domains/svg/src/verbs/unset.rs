//! `unset`

use fcp::prelude::*;

use crate::edit::rename::remove_ids;
use crate::model::{Drawing, NodeId};
use crate::property;
use crate::style::{Origin, attribute_like, decided, folded, refused};

/// The most objects to list whose property a rule sets.
const RULED: usize = 5;

/// Remove attributes and the declarations of properties.
///
/// ```fcp
/// # raw '<rect id="card" fill="red" data-k="v"/>'
/// unset card fill,data-k
/// > * rect card fill red -> black (default), data-k v -> none
/// # define class id:hot fill:gold stroke:blue
/// # modify card class:hot
/// # style card fill:red
/// unset card fill
/// > * rect card fill red -> gold (rule .hot)
/// unset card fill
/// > ! rule .hot decides the fill of card
/// >   try: style card fill:black
/// # style card fill:red
/// unset card fil
/// > ! card has no fil
/// >   try: unset card fill
/// ```
#[fcp_verb(category = "Style")]
pub fn unset(
    drawing: &mut Drawing,
    /// Elements.
    rows: Rows,
    /// Properties or attributes, between commas.
    #[fcp(positional)]
    names: Spanned<List<Text>>,
) -> Result<Reply> {
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    let mut wanted: Vec<String> = Vec::new();
    for name in names.get().iter().map(Text::as_str) {
        let first = ids
            .first()
            .map_or(String::new(), |id| drawing.nodes.name(*id));
        if name != "id" {
            refused(name, &first)?;
        }
        let is_there = ids.iter().any(|id| drawing.nodes.attr(*id, name).is_some());
        let name = match property::find(name) {
            _ if is_there => name.to_owned(),
            Ok(property) => property.name.to_owned(),
            Err(error) => {
                let wrong = format!("{first} has no {name}");
                let written = attribute_like(drawing, &ids, name);
                let Some(near) = written.or(error.fix) else {
                    bail!("{wrong}"; try: "? describe {first}")
                };
                let all = names.get().iter().map(Text::as_str);
                let all = all.map(|own| if own == name { &*near } else { own });
                return Err(
                    names.wrong(ValueError::sentence(wrong).fix(all.collect::<Vec<_>>().join(",")))
                );
            }
        };
        if !wanted.contains(&name) {
            wanted.push(name);
        }
    }
    if let Some(decided) = decided(drawing, &ids, &wanted)? {
        return Err(decided);
    }
    let (before, nodes) = (drawing.styles(), &drawing.nodes);
    let held = |id: NodeId, name: &str| match property::named(name) {
        Some(_) => before.computed(id, name).value.into_owned(),
        None => nodes.attr(id, name).unwrap_or_default().into_owned(),
    };
    let old: Vec<Vec<String>> = ids
        .iter()
        .map(|id| wanted.iter().map(|name| held(*id, name)).collect())
        .collect();
    if wanted.iter().any(|name| name == "id") {
        remove_ids(drawing, &ids)?;
    }
    let names = wanted.iter().map(String::as_str);
    let names: Vec<&str> = names.filter(|name| *name != "id").collect();
    let mut done = drawing.unset_all(&ids, &names)?.into_iter();
    let mut changed = Vec::new();
    for (id, old) in ids.iter().zip(old) {
        for (name, old) in wanted.iter().zip(old) {
            // The old value of an id that was there is not empty.
            let is_changed = match name.as_str() {
                "id" => !old.is_empty(),
                _ => done.next().unwrap_or_default(),
            };
            if is_changed {
                changed.push((*id, name, old));
            }
        }
    }
    let mut touched: Vec<NodeId> = changed.iter().map(|(id, ..)| *id).collect();
    touched.dedup();
    let nodes = &drawing.nodes;
    Ok(match touched.as_slice() {
        [] => unchanged!("no change"),
        [id] => {
            let styles = drawing.styles();
            let parts = changed.iter().map(|(id, name, old)| {
                let old = nodes.shown_value(old);
                if property::named(name).is_none() {
                    return format!("{name} {old} -> none");
                }
                let now = styles.computed(*id, name);
                let (value, origin) = (nodes.shown_value(&now.value), now.origin.label(nodes));
                format!("{name} {old} -> {value} ({origin})")
            });
            let parts: Vec<String> = parts.collect();
            changed!(
                "{} {} {}",
                nodes.kind_name(*id),
                nodes.name(*id),
                parts.join(", ")
            )
        }
        several => {
            let names = folded(several.iter().map(|id| nodes.name(*id)));
            let reply = changed!(
                "{} objects without {}: {names}",
                several.len(),
                wanted.join(", ")
            );
            let styles = drawing.styles();
            let ruled = changed.iter().filter_map(|(id, name, _)| {
                let now = property::named(name).map(|_| styles.computed(*id, name))?;
                let by = matches!(now.origin, Origin::Rule(_));
                let (called, origin) = (nodes.name(*id), now.origin.label(nodes));
                by.then(|| {
                    format!(
                        "{called}: {name} {} ({origin})",
                        nodes.shown_value(&now.value)
                    )
                })
            });
            ruled.take(RULED).fold(reply, Reply::note)
        }
    })
}
