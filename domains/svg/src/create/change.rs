//! Changes by the keys of `modify`.

use fcp::format::xml;
use fcp::prelude::*;
use fcp::value::{Length, Size, Unsigned};

use crate::model::{Drawing, INKSCAPE, NodeId};
use crate::property::{self, Property};
use crate::style::no_step;
use crate::syntax::number::spell_given;
use crate::values::{Classes, Fit, Link, PathData, PointList};

/// The keys that only a kind of element has.
#[must_use]
pub fn own_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "rect" => &["x", "y", "width", "height", "size", "rx", "ry"],
        "circle" => &["cx", "cy", "r", "size"],
        "ellipse" => &["cx", "cy", "rx", "ry", "size"],
        "line" => &["x1", "y1", "x2", "y2", "from", "to"],
        "box" => &["size", "rx"],
        "layer" => &["name"],
        "polyline" | "polygon" => &["points"],
        "path" => &["d"],
        "text" => &["x", "y"],
        "image" => &["x", "y", "width", "height", "size", "fit"],
        "use" | "svg" => &["x", "y", "width", "height", "size"],
        "a" => &["href"],
        _ => &[],
    }
}

/// The attributes of an element's position: its corner, its centre, or a text's point. `None` if it
/// has none.
#[must_use]
pub fn place_of(kind: &str) -> Option<[&'static str; 2]> {
    match kind {
        "rect" | "image" | "use" | "svg" | "text" => Some(["x", "y"]),
        "circle" | "ellipse" => Some(["cx", "cy"]),
        _ => None,
    }
}

/// The attributes that a key sets on a kind of element; `None` if it is not one of its own keys.
///
/// # Errors
/// If the value is invalid.
pub fn attributes(kind: &str, keyed: &Keyed) -> Result<Option<Vec<(&'static str, String)>>> {
    let Some(key) = own_keys(kind).iter().find(|own| **own == keyed.key()) else {
        return Ok(None);
    };
    no_step(keyed)?;
    let spelled = keyed.value().to_owned();
    Ok(Some(match *key {
        "size" => sides(kind, &keyed.parse::<Size>()?),
        "points" => vec![(*key, keyed.parse::<PointList>()?.to_string())],
        "d" => vec![(*key, keyed.parse::<PathData>()?.to_string())],
        "fit" => vec![(
            "preserveAspectRatio",
            keyed.parse::<Fit>()?.ratio().to_owned(),
        )],
        "name" => vec![("label", keyed.parse::<Name>()?.to_string())],
        "href" => vec![(*key, keyed.parse::<Link>()?.to_string())],
        "width" | "height" | "r" | "rx" | "ry" => {
            keyed.parse::<Unsigned<Length>>()?;
            vec![(*key, spelled)]
        }
        _ => {
            keyed.parse::<Length>()?;
            vec![(*key, spelled)]
        }
    }))
}

fn sides(kind: &str, size: &Size) -> Vec<(&'static str, String)> {
    let (width, height) = (size.width.get(), size.height.get());
    match kind {
        "circle" => vec![("r", spell_given(width.min(height) / 2.0))],
        "ellipse" => vec![
            ("rx", spell_given(width / 2.0)),
            ("ry", spell_given(height / 2.0)),
        ],
        _ => vec![
            ("width", size.width.to_string()),
            ("height", size.height.to_string()),
        ],
    }
}

impl Drawing {
    /// Sets an attribute for a position, size or reference, or the name of a layer. A reference is
    /// `href`, or an existing `xlink:href`. The lines of a text that share its `x` move with it.
    /// Returns whether the attribute changed.
    ///
    /// # Errors
    /// If the element does not exist, or XML forbids a character.
    pub fn reshape(&mut self, id: NodeId, name: &str, value: &str) -> Result<bool> {
        let existing = match name {
            "href" => Some(self.href_name(id)),
            "label" => {
                let bound = xml::prefix_of(self.nodes.tree(), id, INKSCAPE);
                bound.map(|prefix| format!("{prefix}:label"))
            }
            _ => None,
        };
        let name = existing.as_deref().unwrap_or(name);
        if name == "x" {
            for line in self.lines_placed(id) {
                self.put_attr(line, name, value)?;
            }
        }
        self.put_attr(id, name, value)
    }

    /// The lines of a text that have their own position.
    fn lines_placed(&self, text: NodeId) -> Vec<NodeId> {
        let nodes = &self.nodes;
        let placed = |line: &NodeId| {
            let line = nodes.element(*line);
            line.is_some_and(|line| {
                line.local_name() == "tspan"
                    && (line.attr("x").is_some() || line.attr("y").is_some())
            })
        };
        nodes.tree().descendants(text).filter(placed).collect()
    }

    /// Checks that all lines of a text share its position, so that they can move with it.
    ///
    /// # Errors
    /// If a line has another position.
    pub fn lines_move_along(&self, text: NodeId) -> Result<()> {
        let nodes = &self.nodes;
        let own = nodes.attr(text, "x");
        let apart =
            |line: &NodeId| nodes.attr(*line, "y").is_some() || nodes.attr(*line, "x") != own;
        if self.lines_placed(text).iter().any(apart) {
            let name = nodes.name(text);
            bail!("{name} places its lines one by one; move takes them along"; try: "move {name} by:0,10")
        }
        Ok(())
    }

    /// Changes the classes of an element. Returns their description, or `None` if nothing changed.
    ///
    /// # Errors
    /// If the element does not exist.
    pub fn reclass(&mut self, id: NodeId, class: &Classes) -> Result<Option<String>> {
        let old = self
            .nodes
            .attr(id, "class")
            .unwrap_or_default()
            .into_owned();
        let new = class.of(&old);
        let tree = self.nodes.tree_mut();
        let changed = match &new {
            Some(new) => xml::set_attr(tree, id, "class", new)?,
            None => xml::modify_element(tree, id, |element| Ok(element.remove_attr("class")))?,
        };
        let shown = |class: &str| {
            if class.is_empty() {
                "none".to_owned()
            } else {
                class.to_owned()
            }
        };
        let description = || {
            format!(
                "class {} -> {}",
                shown(&old),
                shown(new.as_deref().unwrap_or(""))
            )
        };
        Ok(changed.then(description))
    }

    /// Hides an element or shows it again. Returns the property to write in its style, if one is
    /// necessary. Notes in `changes` if it removed a property.
    ///
    /// # Errors
    /// If the property is in a place where it cannot be removed.
    pub fn hide(
        &mut self,
        id: NodeId,
        hidden: bool,
        changes: &mut Vec<String>,
    ) -> Result<Option<(&'static Property, String)>> {
        let Some(display) = property::named("display") else {
            return Ok(None);
        };
        if hidden {
            return Ok(Some((display, "none".to_owned())));
        }
        if self.unset(id, display.name)? {
            changes.push("shown".to_owned());
        }
        let still = self.styles().computed(id, display.name).value == "none";
        Ok(still.then(|| (display, "inline".to_owned())))
    }
}
