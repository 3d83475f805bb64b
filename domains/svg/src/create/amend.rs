//! Plans the changes of an object by `modify`, key by key.

use fcp::prelude::*;

use super::{Wording, attributes, own_keys, properties};
use crate::define::{self, Change};
use crate::model::kind::BOX;
use crate::model::{Drawing, NodeId};
use crate::property::Property;
use crate::resolve::{Embed, PictureSource, Spot, Toward};
use crate::style::is_paint;
use crate::values::{Classes, Transforms};

/// The changes that `modify` makes to its objects, besides those of their texts.
#[derive(FcpParams)]
#[fcp(inline)]
pub struct Amendment {
    /// The place of its corner, its centre or its point.
    pub at: Option<Spot>,
    /// The place of its centre.
    pub center: Option<Toward>,
    /// The start of a line or a gradient.
    pub from: Option<Toward>,
    /// The end of a line or a gradient; the path that a text follows.
    pub to: Option<Toward>,
    /// The element that a `use` draws.
    pub of: Option<Row>,
    /// The file of an image, or an address that holds it.
    pub picture: Option<PictureSource>,
    /// Its title.
    pub title: Option<Text>,
    /// Its description.
    pub desc: Option<Text>,
    /// Its classes, or one to add or remove.
    pub class: Option<Classes>,
    /// Its transforms.
    pub transform: Option<Transforms>,
    /// Not displayed.
    pub hidden: Option<Switch>,
    /// A picture goes into the drawing itself.
    pub embed: Option<Embed>,
    /// Parameters that `add` takes for its type, and style properties.
    pub others: Keys,
}

/// The planned changes of one object.
pub struct Planned {
    /// The object.
    pub id: NodeId,
    /// The element with the attributes: the object, or the shape of a box.
    pub(super) shape: NodeId,
    /// Its text: itself, or its label.
    pub(super) text: Option<NodeId>,
    /// Whether its label is in its middle.
    pub(super) is_centred: bool,
    pub(super) attributes: Vec<(&'static str, String)>,
    pub(super) styles: Vec<(NodeId, Vec<(&'static Property, String)>)>,
    pub(super) definition: Option<Change>,
    pub(super) original: Option<String>,
    /// The path for a text to follow.
    pub(super) path: Option<NodeId>,
}

impl Amendment {
    /// Plans the changes of an object, without making them.
    ///
    /// # Errors
    /// If the object has no such key, or a value is invalid.
    pub fn plan(&self, drawing: &Drawing, wording: &Wording, id: NodeId) -> Result<Planned> {
        let nodes = &drawing.nodes;
        let (kind, name) = (nodes.kind_name(id), nodes.name(id));
        let defining = define::own_keys(kind);
        let known: Vec<&str> = [own_keys(kind), defining].concat();
        let shape = nodes.box_shape(id).unwrap_or(id);
        let text = wording.text_of(drawing, id)?;
        let original = text.map(|text| drawing.original_text(text, wording));
        let original = original.transpose()?.flatten();

        let mut own_keyed: Vec<&Keyed> = Vec::new();
        let mut path = None;
        let mut own: Vec<(&str, String)> = Vec::new();
        for toward in [&self.from, &self.to].into_iter().flatten() {
            let keyed = toward.keyed();
            match (kind, keyed.key()) {
                (_, key) if defining.contains(&key) => own_keyed.push(keyed),
                ("line", key) => {
                    let parent = nodes.tree().parent(id).unwrap_or(id);
                    let local = toward.spot()?.within(drawing, parent)?;
                    let [x, y] = if key == "from" {
                        ["x1", "y1"]
                    } else {
                        ["x2", "y2"]
                    };
                    own.extend([(x, local.x), (y, local.y)]);
                }
                ("text", "to") => path = Some(drawing.can_follow(id, toward)?),
                ("pattern" | "marker" | "clip" | "mask" | "symbol", "from") => {
                    let object = nodes.name(toward.row()?);
                    bail!("{name} exists; move puts objects into it"; try: "move {object} in:{name}")
                }
                _ => return Err(keyed.unknown(kind, known.iter().copied())),
            }
        }
        own.extend(self.refers(drawing, id)?);
        let (given, others): (Vec<&Keyed>, Vec<&Keyed>) =
            (self.others.iter()).partition(|keyed| defining.contains(&keyed.key()));
        own_keyed.extend(given);
        let mut styled = Vec::new();
        for keyed in others {
            match attributes(kind, keyed)? {
                Some(attrs) => own.extend(attrs),
                None => styled.push(keyed),
            }
        }
        let center = self.center.as_ref();
        own_keyed.extend(
            center
                .map(Toward::keyed)
                .filter(|_| defining.contains(&"center")),
        );
        let center = center.filter(|_| !defining.contains(&"center"));
        own.extend(drawing.placing(id, self.at.as_ref(), center, &own)?);
        for (ix, (key, value)) in own.iter().enumerate() {
            let mut before = own.get(..ix).unwrap_or_default().iter();
            if before.any(|(earlier, other)| earlier == key && other != value) {
                bail!("{key} is given two values; give one")
            }
        }
        let (at, transform) = (self.at.as_ref(), self.transform.as_ref());
        let definition = Change::of(drawing, id, &own_keyed, at, transform)?;

        let values = properties(nodes, kind, styled.into_iter(), &known)?;
        let (inner, outer): (Vec<_>, Vec<_>) =
            (values.into_iter()).partition(|(property, _)| kind == BOX && is_paint(property.name));
        let mut styles = vec![(id, outer), (shape, inner)];
        styles.extend(text.zip(Some(wording.properties(drawing)?)));
        if kind == "text" && own.iter().any(|(name, _)| matches!(*name, "x" | "y")) {
            drawing.lines_move_along(id)?;
        }
        Ok(Planned {
            id,
            shape,
            text,
            is_centred: drawing.is_label_centred(id),
            attributes: own,
            styles,
            definition,
            original,
            path,
        })
    }

    /// The new target of an image or a `use`.
    fn refers(&self, drawing: &Drawing, id: NodeId) -> Result<Option<(&'static str, String)>> {
        let (kind, name) = (drawing.nodes.kind_name(id), drawing.nodes.name(id));
        let foreign = match kind {
            "image" => self.of.is_some().then_some("of"),
            "use" => self.picture.is_some().then_some("picture"),
            _ if self.of.is_some() => Some("of"),
            _ => self.picture.is_some().then_some("picture"),
        };
        if let Some(key) = foreign {
            bail!("{name} is a {kind}, which has no {key}:"; try: "? describe {name}")
        }
        if let Some(of) = self.of {
            let of = NodeId::new(of.id());
            if drawing.nodes.tree().is_within(id, of) {
                bail!("{} would be drawn within itself", drawing.nodes.name(of); try: "? list")
            }
            return Ok(None);
        }
        match (&self.picture, &self.embed) {
            (Some(picture), embed) => {
                let embed = embed.as_ref().is_some_and(|embed| embed.on);
                Ok(Some(("href", picture.address(embed, &drawing.folder))))
            }
            (None, Some(embed)) => embed.embedding(drawing, id),
            (None, None) => Ok(None),
        }
    }
}
