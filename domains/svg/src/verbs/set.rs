//! `set`

use fcp::op::quote_value;
use fcp::prelude::*;

use crate::edit::attributes::Set;
use crate::edit::declared;
use crate::model::{Drawing, NodeId};
use crate::property;
use crate::style::{folded, overridden};

/// Write any attribute; the value of an entity; the text of a `style`, `title` or `desc`.
///
/// An entity has its value in the DOCTYPE, and wherever it is used the new one counts: `set entity:soft value
/// "url(#glow)"`. Of the DOCTYPE itself `public` and `system` are set.
///
/// ```fcp
/// # raw '<rect id="card" transform="scale(2)"/>'
/// set card data-k v
/// > * rect card data-k -> v
/// set card transform "rotat(9)"
/// > ! item 1, column 1: no transform begins like this
/// >   try: set card transform rotate(9)
/// set card width -4
/// > ! "width -4" is below 0
/// >   syntax: set SEL NAME VALUE
/// set card strokeWidth 3
/// > ! the attribute is stroke-width
/// >   try: set card stroke-width 3
/// set card onclick x()
/// > ! onclick runs a script, which no op writes
/// >   try: set card data-k v
/// ```
#[fcp_verb(category = "Style")]
pub fn set(
    drawing: &mut Drawing,
    /// Elements.
    rows: Rows,
    /// The attribute, with its prefix; `value` of an entity; `text` of a part that holds one.
    #[fcp(positional)]
    name: Spanned<Text>,
    /// Its new value.
    #[fcp(positional)]
    value: Text,
) -> Result<Reply> {
    if let Some(property) = property::scripted(name.get().as_str()) {
        let known = property.name;
        let error = ValueError::sentence(format!("the attribute is {known}"));
        return Err(name.wrong(error.fix(known)));
    }
    let (name, text) = (name.get().as_str(), value.as_str());
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    if ids.is_empty() {
        bail!("nothing to write")
    }
    if ids
        .iter()
        .any(|id| drawing.nodes.declared_kind(*id).is_some())
    {
        return declared::set(drawing, &ids, name, text);
    }
    if name == "text" {
        return declared::set_text(drawing, &ids, text);
    }
    let Set { written, changed } = drawing.set_attribute(&ids, name, text)?;
    let ids: Vec<NodeId> = changed.iter().map(|(id, _)| *id).collect();
    let hidden = match overridden(drawing, &ids, name) {
        None => String::new(),
        Some(hidden) if hidden.ids.len() == ids.len() => format!(" (hidden by {})", hidden.by),
        Some(hidden) => format!(" ({} hidden by {})", hidden.ids.len(), hidden.by),
    };
    let nodes = &drawing.nodes;
    let shown = quote_value(&written);
    Ok(match changed.as_slice() {
        [] => unchanged!("no change"),
        [(id, old)] => {
            let old = old
                .as_ref()
                .map_or(String::new(), |old| format!(" {}", quote_value(old)));
            changed!(
                "{} {} {name}{old} -> {shown}{hidden}",
                nodes.kind_name(*id),
                nodes.name(*id)
            )
        }
        several => {
            let names = folded(several.iter().map(|(id, _)| nodes.name(*id)));
            changed!(
                "{} objects {name} -> {shown}{hidden}: {names}",
                several.len()
            )
        }
    })
}
