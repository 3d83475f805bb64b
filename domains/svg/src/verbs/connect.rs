//! `connect`

use fcp::prelude::*;
use fcp::value::Decimal;

use crate::connectors::{LinkLayout, NewLink, joinable, pairs};
use crate::create::properties;
use crate::model::Drawing;
use crate::model::kind::LINK;
use crate::resolve::LinkWord;
use crate::syntax::id::ElementId;
use crate::values::{Edge, Head, Route};

/// Draw links between objects, which follow them wherever they go.
///
/// `->` points one way, `<->` both, `--` none. Styles are those of the line: #333, 2 wide.
///
/// ```fcp
/// # add box API id:api at:400,40 size:100x40
/// # add box DB id:db at:480,140 size:100x40
/// # add box Disk id:disk at:700,140 size:100x40
/// connect api -> db
/// > ~ api->db straight (450,80)-(530,140)
/// >   + marker triangle-333, in a new <defs>
/// connect db <-> disk route:elbow stroke:red label:reads
/// > ~ db<->disk elbow (580,160)-(700,160) "reads"
/// connect api -- db -- disk
/// > ~ api--db straight (450,80)-(530,140)
/// >   ~ db--disk straight (580,160)-(700,160)
/// move api by:20,0
/// > * box api @(420,40 100x40)
/// >   ~ api->db straight (470,80)-(530,140)
/// >   ~ api--db straight (470,80)-(530,140)
/// remove disk
/// > - box disk
/// >   - link db-disk
/// >   - link db-disk-2
/// connect api db
/// > ! an arrow goes between api and db
/// >   try: connect api -> db
/// connect api -> api
/// > ! a link joins two objects, and api is one
/// >   try: ? list
/// connect api -> db hed:dot
/// > ! link has no hed:
/// >   try: connect api -> db head:dot
/// ```
#[fcp_verb(category = "Draw")]
pub fn connect(
    drawing: &mut Drawing,
    /// Objects, and the arrows between them.
    #[fcp(rest)]
    ends: Vec<LinkWord>,
    /// The text next to the line.
    label: Option<Text>,
    /// The way the line takes.
    #[fcp(default = Route::Straight)]
    route: Route,
    /// The side that it leaves the first by; the nearest if left out.
    from_side: Option<Edge>,
    /// The side that it meets the second at; the nearest if left out.
    to_side: Option<Edge>,
    /// The gap to both, in canvas units; 0 if left out.
    gap: Option<Decimal>,
    /// The shape of its heads.
    #[fcp(default = Head::Triangle)]
    head: Head,
    /// Its id; that of both ends with a hyphen between if left out.
    id: Option<Spanned<ElementId>>,
    /// Style properties of the line.
    style: Keys,
) -> Result<Reply> {
    let pairs = pairs(drawing, &ends)?;
    for (from, _, to) in &pairs {
        joinable(drawing, *from, *to)?;
    }
    if let Some(id) = &id {
        if pairs.len() > 1 {
            bail!("id: names one link, not {}", pairs.len())
        }
        drawing.is_free(id, LINK, "")?;
    }
    let values = properties(&drawing.nodes, LINK, style.iter(), &[])?;
    let layout = LinkLayout {
        route,
        sides: [from_side, to_side],
        gap: gap.map_or(0.0, |gap| gap.get()),
        head,
    };
    let (mut lines, mut notes) = (Vec::new(), Vec::new());
    for (from, arrow, to) in pairs {
        let (group, given) = drawing.link(NewLink {
            ends: [from, to],
            arrow,
            layout: layout.clone(),
            id: id.as_ref().map(|id| id.get().as_str()),
            label: label.as_ref().map(Text::as_str),
            style: values.clone(),
        })?;
        lines.extend(drawing.describe_link(group));
        notes.extend(given);
    }
    let mut lines = lines.into_iter();
    let reply = linked!("{}", lines.next().unwrap_or_default());
    let rest = lines.map(|line| format!("~ {line}"));
    Ok(rest.chain(notes).fold(reply, Reply::note))
}
