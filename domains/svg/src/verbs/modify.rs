//! `modify`

use fcp::prelude::*;

use crate::create::{Amendment, Wording};
use crate::define;
use crate::edit::declared;
use crate::model::{Drawing, NodeId};

/// Change what objects are: the keys that `add` takes for their type, and style properties.
///
/// ```fcp
/// # add circle id:dot r:5 at:50,50 fill:red
/// modify dot r:8
/// > * circle dot @(42,42 16x16)
/// modify dot at:60,50 fill:blue
/// > * circle dot @(52,42 16x16) fill red -> blue (attr)
/// modify dot r:8
/// > = no change
/// modify dot rr:8
/// > ! circle has no rr:
/// >   try: modify dot r:8
/// modify dot data-k:v
/// > ! circle has no data-k:; set writes it
/// >   try: set dot data-k v
/// modify dot id:spot
/// > ! ids are given by rename, which follows every use
/// >   try: rename dot spot
/// # add text Hello at:10,20
/// modify text~1 text:Hi
/// > * text text~1 @(10,20) text Hello -> Hi
/// # add text "one\ntwo" id:lines at:10,20
/// modify lines at:30,40
/// > * text lines @(30,40)
/// # raw '<text id="t" y="9">See <tspan fill="red">this</tspan>, please</text>'
/// modify t text:Hi
/// > ! t has 3 runs
/// >   try: modify t run:1 text:Hi
/// modify t run:2 text:that
/// > * text t @(0,9) text this -> that
/// # add text "The quick brown fox" id:fox at:10,100 wrap:90
/// modify fox size:8
/// > * text fox @(10,100) 1 line, font-size medium -> 8 (attr)
/// ? svg lines
/// > <text id="lines" x="30" y="40"><tspan x="30">one</tspan><tspan x="30" dy="1.2em">two</tspan></text>
/// ```
#[fcp_verb(category = "Draw")]
pub fn modify(
    drawing: &mut Drawing,
    /// The objects.
    rows: Rows,
    #[fcp(flatten)] amendment: Amendment,
    #[fcp(flatten)] wording: Wording,
) -> Result<Reply> {
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    let Some(first) = ids.first().copied() else {
        bail!("nothing to change"; try: "? list")
    };
    if let Some(id) = amendment.others.iter().find(|keyed| keyed.key() == "id") {
        let (name, id) = (drawing.nodes.name(first), fcp::op::quote(id.value()));
        bail!("ids are given by rename, which follows every use"; try: "rename {name} {id}")
    }
    if ids
        .iter()
        .any(|id| drawing.nodes.declared_kind(*id).is_some())
    {
        return match amendment.others.iter().collect::<Vec<_>>().as_slice() {
            [keyed] => declared::set(drawing, &ids, keyed.key(), keyed.value()),
            _ => {
                let name = drawing.nodes.name(first);
                bail!("{} has only a value", drawing.titled(first); try: "? describe {name}")
            }
        };
    }
    let plans: Result<Vec<_>> = ids
        .iter()
        .map(|id| amendment.plan(drawing, &wording, *id))
        .collect();
    let mut changes: Vec<(NodeId, Vec<String>)> = Vec::new();
    for planned in plans? {
        let id = planned.id;
        if let Some(description) = amendment.make(drawing, &wording, planned)? {
            changes.push((id, description));
        }
    }
    Ok(match changes.as_slice() {
        [] => unchanged!("no change"),
        [(id, description)] => {
            let place = match define::own_keys(drawing.nodes.kind_name(*id)) {
                [] => drawing.placed(&drawing.geometry(), *id),
                // The content of a definition is positioned by its users.
                _ => drawing.titled(*id),
            };
            changed!(
                "{}",
                format!("{place} {}", description.join(", ")).trim_end()
            )
        }
        several => {
            let ids: Vec<NodeId> = several.iter().map(|(id, _)| *id).collect();
            bulk!("{} objects modified: {}", ids.len(), drawing.names_of(&ids))
        }
    })
}
