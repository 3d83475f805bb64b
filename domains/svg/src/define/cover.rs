//! The verbs `clip` and `mask`.

use fcp::prelude::*;
use kurbo::Affine;

use super::Holder;
use crate::model::{Drawing, NodeId};
use crate::moving::movable;
use crate::property;
use crate::resolve::Cover;
use crate::style::Origin;
use crate::syntax::href::url_id;

/// Clips or masks objects, or stops doing so.
///
/// # Errors
/// If the cover is not such a definition and cannot become one, covers itself, or the objects have
/// different coordinate systems.
pub fn cover(drawing: &mut Drawing, holder: Holder, rows: &Rows, with: Cover) -> Result<Reply> {
    let ids = movable(drawing, rows)?;
    let name = match holder {
        Holder::Clip => "clip-path",
        Holder::Mask | Holder::Symbol => "mask",
    };
    let Some(property) = property::named(name) else {
        bail!("there is no property {name}")
    };
    let before: Vec<String> = ids.iter().map(|id| shown(drawing, *id, name)).collect();
    let mut note = None;
    match with {
        Cover::None => {
            for id in &ids {
                let origin = drawing.styles().computed(*id, name).origin;
                if matches!(origin, Origin::Rule(_)) {
                    drawing.write_style(*id, property, "none", None)?;
                } else {
                    drawing.unset(*id, name)?;
                }
            }
        }
        Cover::By(row) => {
            let by = NodeId::new(row.id());
            let definition = if drawing.nodes.kind_name(by) == holder.kind() {
                drawing.referable(by)?.0
            } else {
                let title = drawing.titled(by);
                let (made, new) = define(drawing, holder, &ids, by)?;
                note = Some(format!("+ {} {made} of {title}{new}", holder.kind()));
                made
            };
            let value = format!("url(#{definition})");
            drawing.write_styles(&ids, &[(property, value)], None)?;
        }
    }
    let after: Vec<String> = ids.iter().map(|id| shown(drawing, *id, name)).collect();
    let changed: Vec<(NodeId, &String)> = ids
        .iter()
        .copied()
        .zip(&before)
        .zip(&after)
        .filter_map(|((id, before), after)| (before != after).then_some((id, before)))
        .collect();
    let after = after.first().map_or("none", String::as_str);
    let kind = holder.kind();
    let reply = match changed.as_slice() {
        [] => unchanged!("no change"),
        [(id, before)] => changed!("{} {kind} {before} -> {after}", drawing.titled(*id)),
        several => {
            let ids: Vec<NodeId> = several.iter().map(|(id, _)| *id).collect();
            let names = drawing.names_of(&ids);
            bulk!("{} objects {kind} -> {after}: {names}", ids.len())
        }
    };
    Ok(note.into_iter().fold(reply, Reply::note))
}

/// Makes a definition of an object, which keeps its position on the covered objects. Returns its
/// id, and the words of [`Drawing::defs`].
fn define(
    drawing: &mut Drawing,
    holder: Holder,
    ids: &[NodeId],
    by: NodeId,
) -> Result<(String, &'static str)> {
    let kind = holder.kind();
    let (own, name) = (drawing.nodes.kind_name(by), drawing.nodes.name(by));
    let tree = drawing.nodes.tree();
    if let Some(id) = ids.iter().find(|id| tree.is_within(**id, by)) {
        let covered = drawing.nodes.name(*id);
        if *id == by {
            bail!("{name} cannot {kind} itself"; try: "? describe {name}")
        }
        bail!("{name} cannot {kind} {covered}, which is in it"; try: "? describe {name}")
    }
    if drawing.nodes.role(by) == crate::model::kind::Role::Definition {
        // A name that exists is not misspelt, so another object was not meant.
        let error = Diagnostic::new(format!("{name} is a {own}"));
        let nodes = &drawing.nodes;
        return Err(
            match nodes.elements().any(|id| nodes.kind_name(id) == kind) {
                true => error.or_try(format!("? list @type:{kind}")),
                false => error.or_try("? list"),
            },
        );
    }
    drawing.can_define(by, kind)?;
    let geometry = drawing.geometry();
    let systems: Vec<Affine> = ids.iter().map(|id| geometry.inner(*id)).collect();
    let Some(system) = systems.first().copied() else {
        bail!("nothing to {kind}")
    };
    if let Some(at) = systems.iter().position(|other| *other != system) {
        let names = [0, at].map(|at| {
            ids.get(at)
                .map_or(String::new(), |id| drawing.nodes.name(*id))
        });
        let [one, other] = names;
        bail!("{one} and {other} have transforms of their own, so one {kind} lies differently on each"; try: "{kind} {one} with:{name}")
    }
    if system.determinant() == 0.0 || !system.is_finite() {
        let covered = ids
            .first()
            .map_or(String::new(), |id| drawing.nodes.name(*id));
        bail!("{covered} is squeezed flat"; try: "? describe {covered}")
    }
    let onto = system.inverse();
    drop(geometry);
    let definition = drawing.id_made_of(by, kind);
    let (_, new) = drawing.define_of(by, holder.element(), &definition, &[], onto, false)?;
    Ok((definition, new))
}

/// The name of an object's cover: `dot-clip`, `none`.
fn shown(drawing: &Drawing, id: NodeId, property: &str) -> String {
    let styles = drawing.styles();
    let value = styles.computed(id, property).value;
    url_id(&value).map_or_else(|| value.trim().to_owned(), str::to_owned)
}
