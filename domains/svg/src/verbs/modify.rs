//! `modify`

use fcp::prelude::*;
use fcp::value::{Decimal, Unsigned};

use crate::define::{self, Change};
use crate::draw::{attributes, own_keys, place_of, properties};
use crate::image::taken_in;
use crate::model::{Drawing, NodeId};
use crate::values::{Classes, Embed, Spot, Transforms};

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
    /// Where its corner, its centre or its point is.
    at: Option<Spot>,
    /// What a text says.
    text: Option<Text>,
    /// Which run of a text says it, where several have styles of their own.
    run: Option<Int<1, 20_000>>,
    /// The width that the lines of a text are broken at.
    wrap: Option<Spanned<Unsigned<Decimal>>>,
    /// Its classes, or one that comes or goes.
    class: Option<Classes>,
    /// Its transforms.
    transform: Option<Transforms>,
    /// Not displayed.
    hidden: Option<Switch>,
    /// A picture goes into the drawing itself.
    embed: Option<Embed>,
    /// Refused: `rename` gives ids.
    id: Option<Text>,
    /// What `add` takes for its type, and style properties.
    others: Keys,
) -> Result<Reply> {
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    let Some(first) = ids.first().copied() else {
        bail!("nothing to change")
    };
    if let Some(id) = id {
        let (name, id) = (
            drawing.nodes.name(first),
            fcp::op::quote(id.as_str()).into_owned(),
        );
        bail!("ids are given by rename, which follows every use"; try: "rename {name} {id}")
    }
    if let Some(wrap) = wrap.as_ref().filter(|wrap| wrap.get().get().get() == 0.0) {
        return Err(wrap.wrong(ValueError::new("leaves no room").fix("200")));
    }
    let run = run.map(|run| usize::try_from(run.get()).unwrap_or(usize::MAX));
    if run.is_some() && text.is_none() {
        bail!("run: is about text:"; add: "text:Text")
    }
    let width = wrap.map(|wrap| wrap.get().to_string());
    let mut edits = Vec::new();
    let mut styled = Vec::new();
    let mut redefined = Vec::new();
    for id in &ids {
        let (kind, name) = (drawing.nodes.kind_name(*id), drawing.nodes.name(*id));
        let defining = define::own_keys(kind);
        if kind != "text" && (text.is_some() || width.is_some()) {
            let key = if text.is_some() { "text" } else { "wrap" };
            bail!("{name} is a {kind}, which has no {key}:"; try: "? describe {name}")
        }
        if let Some(text) = &text {
            drawing.is_rewritable(*id, run, text.as_str())?;
        }
        let said = match kind {
            "text" => drawing.said_before(*id, width.is_some())?,
            _ => None,
        };
        let mut own: Vec<(&str, String)> = Vec::new();
        let is_holder = matches!(kind, "clip" | "mask" | "symbol");
        if let Some(at) = at.as_ref().filter(|_| !is_holder) {
            let Some([x, y]) = place_of(kind) else {
                bail!("{name} is a {kind}, which has no at:"; try: "move {name} to:0,0")
            };
            let parent = drawing.nodes.tree().parent(*id).unwrap_or(*id);
            let stand = at.within(drawing, parent)?;
            own.extend([(x, stand.x), (y, stand.y)]);
        }
        if let Some(embed) = &embed {
            own.extend(taken_in(drawing, *id, embed)?);
        }
        let is_own = |keyed: &&Keyed| defining.contains(&keyed.key());
        let (own_keyed, others): (Vec<&Keyed>, Vec<&Keyed>) = others.iter().partition(is_own);
        let (at, transform) = (at.as_ref(), transform.as_ref());
        redefined.push(Change::of(drawing, *id, &own_keyed, at, transform)?);
        let mut style = Vec::new();
        for keyed in others {
            match attributes(kind, keyed)? {
                Some(attrs) => own.extend(attrs),
                None => style.push(keyed),
            }
        }
        let known: Vec<&str> = [own_keys(kind), defining].concat();
        let style = properties(&drawing.nodes, kind, style.into_iter(), &known)?;
        if kind == "text" && own.iter().any(|(name, _)| matches!(*name, "x" | "y")) {
            drawing.lines_move_along(*id)?;
        }
        edits.push((*id, own, said));
        styled.push((*id, style));
    }
    let mut changes: Vec<(NodeId, Vec<String>)> = Vec::new();
    let edits = edits.into_iter().zip(styled).zip(redefined);
    for (((id, own, said), (_, style)), redefined) in edits {
        let mut told = Vec::new();
        let mut any = false;
        if let Some(change) = &redefined {
            told.extend(change.make(drawing)?);
        }
        for (name, value) in own {
            let is_new = drawing.reshape(id, name, &value)?;
            any |= is_new;
            if is_new && embed.is_some() && name == "href" {
                told.push("embedded".to_owned());
            }
        }
        let kind = drawing.nodes.kind_name(id);
        let apart = matches!(kind, "gradient" | "pattern");
        if let Some(transform) = transform.as_ref().filter(|_| !apart) {
            any |= drawing.reshape(id, "transform", &transform.to_string())?;
        }
        if let Some(class) = &class {
            told.extend(drawing.reclass(id, class)?);
        }
        let mut values = style;
        if let Some(Switch(hidden)) = hidden {
            values.extend(drawing.hide(id, hidden, &mut told)?);
        }
        for written in drawing.write_styles(&[id], &values, None)? {
            if let Some(place) = &written.place {
                let shown = |value: &str| drawing.nodes.shown_value(value);
                let (before, after) = (shown(&written.before), shown(&written.after));
                told.push(format!(
                    "{} {before} -> {after} ({place})",
                    written.property
                ));
            }
        }
        // Lines are broken by what the text looks like now.
        if let Some(done) =
            drawing.retext(id, text.as_ref().zip(Some(run)), width.as_deref(), said)?
        {
            any = true;
            told.splice(..0, done);
        }
        if any || !told.is_empty() {
            changes.push((id, told));
        }
    }
    Ok(match changes.as_slice() {
        [] => unchanged!("no change"),
        [(id, told)] => {
            let place = match define::own_keys(drawing.nodes.kind_name(*id)) {
                [] => drawing.placed(&drawing.geometry(), *id),
                // What is in a definition lies where that is used.
                _ => drawing.titled(*id),
            };
            changed!("{}", format!("{place} {}", told.join(", ")).trim_end())
        }
        several => {
            let ids: Vec<NodeId> = several.iter().map(|(id, _)| *id).collect();
            bulk!("{} objects modified: {}", ids.len(), drawing.names_of(&ids))
        }
    })
}
