//! `remove`

use fcp::format::xml::remove_entities;
use fcp::prelude::*;
use fcp::work;

use crate::edit::unlink;
use crate::model::{Drawing, NodeId};

/// Remove objects with all that is in them. What something else uses stays, unless its uses go too.
/// Selectors `#id` of style sheets are not uses: they stay, and match nothing.
///
/// ```fcp
/// # raw '<linearGradient id="sky"/>'
/// # raw '<rect id="card" width="40" height="20" fill="url(#sky)"/>'
/// # raw '<circle id="dot" r="5"/>'
/// remove dot
/// > - circle dot
/// remove sky
/// > ! sky fills card; remove sky unlink:on removes such references too, ? refs sky lists them
/// >   syntax: remove SEL [unlink:on|off]
/// remove sky unlink:on
/// > - gradient sky
/// >   * card: fill removed
/// ```
#[fcp_verb(category = "Any object", deletes)]
pub fn remove(
    drawing: &mut Drawing,
    /// The objects.
    rows: Rows,
    /// References to them go too.
    #[fcp(default = Switch(false))]
    unlink: Switch,
) -> Result<Reply> {
    let going = drawing.outermost(&rows);
    if going.iter().any(|id| Some(*id) == drawing.nodes.root()) {
        bail!("the drawing itself cannot be removed")
    }
    let uses = unlink::uses_from_outside(drawing, &going)?;
    if let Some(one) = uses.first().filter(|_| !unlink.0) {
        let name = match one.target_in(drawing, &going) {
            Some(own) => drawing.nodes.name(own),
            None => drawing.names_of(&going),
        };
        bail!(
            "{}; remove {name} unlink:on removes such references too, ? refs {name} lists them",
            one.describe(drawing)
        );
    }
    let titles: Vec<String> = going.iter().map(|id| drawing.titled(*id)).collect();
    let reply = match titles.as_slice() {
        [one] => removed!("{one}"),
        several => removed!("{} objects: {}", several.len(), drawing.names_of(&going)),
    };
    let notes = unlink::remove(drawing, &uses)?;
    let is_entity = |id: &NodeId| drawing.nodes.entity_decl(*id).is_some();
    let (entities, nodes): (Vec<NodeId>, Vec<NodeId>) = going.into_iter().partition(is_entity);
    for id in nodes {
        drawing.nodes.take_out(id)?;
    }
    let removed = remove_entities(drawing.nodes.tree_mut(), &entities);
    removed.map_err(|error| in_use(drawing, &entities).unwrap_or(error))?;
    Ok(notes.into_iter().fold(reply, Reply::note))
}

/// The error that something refers to one of these entities.
fn in_use(drawing: &Drawing, entities: &[NodeId]) -> Option<Diagnostic> {
    entities.iter().find_map(|id| {
        work::spend(drawing.nodes.tree().len()).ok()?;
        let name = drawing.nodes.entity_decl(*id)?.name();
        let users = drawing.entity_users(name);
        let error = Diagnostic::new(format!("entity:{name} is used by {}", users.first()?));
        Some(error.or_try(format!("? refs entity:{name}")))
    })
}
