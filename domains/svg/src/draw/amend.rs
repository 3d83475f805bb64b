//! What `modify` makes of an object: what each key says of it, and how that is done.

use fcp::prelude::*;

use super::{attributes, own_keys, place_of, properties};
use crate::define::{self, Change};
use crate::image::taken_in;
use crate::model::{Drawing, NodeId};
use crate::property::Property;
use crate::values::{Classes, Embed, Spot, Transforms};

/// What an op says of the objects that it modifies.
pub struct Amendment {
    /// Where its corner, its centre or its point is.
    pub at: Option<Spot>,
    /// What a text says.
    pub text: Option<Text>,
    /// Which run of a text says it, counted from 1.
    pub run: Option<usize>,
    /// The width that the lines of a text are broken at.
    pub width: Option<String>,
    /// Its classes.
    pub class: Option<Classes>,
    /// Its transforms.
    pub transform: Option<Transforms>,
    /// Not displayed.
    pub hidden: Option<Switch>,
    /// A picture goes into the drawing itself.
    pub embed: Option<Embed>,
    /// What `add` takes for its type, and style properties.
    pub others: Keys,
}

/// What becomes of one object.
pub struct Planned {
    /// The object.
    pub id: NodeId,
    attributes: Vec<(&'static str, String)>,
    style: Vec<(&'static Property, String)>,
    definition: Option<Change>,
    said: Option<String>,
}

impl Amendment {
    /// Looks what it makes of an object; nothing changes.
    ///
    /// # Errors
    /// The object has no such key, or a value is wrong.
    pub fn plan(&self, drawing: &Drawing, id: NodeId) -> Result<Planned> {
        let (kind, name) = (drawing.nodes.kind_name(id), drawing.nodes.name(id));
        let defining = define::own_keys(kind);
        if kind != "text" && (self.text.is_some() || self.width.is_some()) {
            let key = if self.text.is_some() { "text" } else { "wrap" };
            bail!("{name} is a {kind}, which has no {key}:"; try: "? describe {name}")
        }
        if let Some(text) = &self.text {
            drawing.is_rewritable(id, self.run, text.as_str())?;
        }
        let said = match kind {
            "text" => drawing.said_before(id, self.width.is_some())?,
            _ => None,
        };
        let mut own: Vec<(&str, String)> = Vec::new();
        let is_holder = matches!(kind, "clip" | "mask" | "symbol");
        if let Some(at) = self.at.as_ref().filter(|_| !is_holder) {
            let Some([x, y]) = place_of(kind) else {
                bail!("{name} is a {kind}, which has no at:"; try: "move {name} to:0,0")
            };
            let parent = drawing.nodes.tree().parent(id).unwrap_or(id);
            let stand = at.within(drawing, parent)?;
            own.extend([(x, stand.x), (y, stand.y)]);
        }
        if let Some(embed) = &self.embed {
            own.extend(taken_in(drawing, id, embed)?);
        }
        let is_own = |keyed: &&Keyed| defining.contains(&keyed.key());
        let (own_keyed, others): (Vec<&Keyed>, Vec<&Keyed>) = self.others.iter().partition(is_own);
        let (at, transform) = (self.at.as_ref(), self.transform.as_ref());
        let definition = Change::of(drawing, id, &own_keyed, at, transform)?;
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
            drawing.lines_move_along(id)?;
        }
        Ok(Planned {
            id,
            attributes: own,
            style,
            definition,
            said,
        })
    }

    /// Does what was planned. Hands back what to tell of it beside the place; nothing if all was so before.
    ///
    /// # Errors
    /// A property stands where it cannot be written, or XML forbids a character.
    pub fn make(&self, drawing: &mut Drawing, planned: Planned) -> Result<Option<Vec<String>>> {
        let (id, mut told, mut any) = (planned.id, Vec::new(), false);
        if let Some(change) = &planned.definition {
            told.extend(change.make(drawing)?);
        }
        for (name, value) in planned.attributes {
            let is_new = drawing.reshape(id, name, &value)?;
            any |= is_new;
            if is_new && self.embed.is_some() && name == "href" {
                told.push("embedded".to_owned());
            }
        }
        let apart = matches!(drawing.nodes.kind_name(id), "gradient" | "pattern");
        if let Some(transform) = self.transform.as_ref().filter(|_| !apart) {
            any |= drawing.reshape(id, "transform", &transform.to_string())?;
        }
        if let Some(class) = &self.class {
            told.extend(drawing.reclass(id, class)?);
        }
        let mut values = planned.style;
        if let Some(Switch(hidden)) = self.hidden {
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
        let text = self.text.as_ref().zip(Some(self.run));
        if let Some(done) = drawing.retext(id, text, self.width.as_deref(), planned.said)? {
            any = true;
            told.splice(..0, done);
        }
        Ok((any || !told.is_empty()).then_some(told))
    }
}
