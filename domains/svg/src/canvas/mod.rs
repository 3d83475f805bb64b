//! The drawing's size, visible area and background.
//! Single objects other than the background are in `edit` and `create`.

use fcp::format::xml::{self, Element, set_attr};
use fcp::prelude::*;
use fcp::value::{Length, LengthUnit, Size};
use fcp::work;
use kurbo::Rect;

use crate::display::lines;
use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::property;
use crate::syntax::number::spell_given;
use crate::values::{Backdrop, ViewBox};

/// The id of the background rectangle.
pub const BACKGROUND: &str = "background";

/// The attributes of objects whose percentages are parts of the canvas.
const LENGTHS: [&str; 14] = [
    "x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "style",
];

/// The number of objects that follow the canvas with a line each.
const FEW: usize = 5;

/// Changes to the canvas.
#[derive(Default)]
pub struct CanvasChange {
    /// Its new size.
    pub size: Option<Size>,
    /// Its new visible area.
    pub viewbox: Option<ViewBox>,
    /// Its new background.
    pub background: Option<Backdrop>,
    /// Fits the canvas to the content, with this padding.
    pub fit: Option<f64>,
}

impl Drawing {
    /// Changes the canvas. The content keeps its size, unless both a size and a viewBox are given.
    ///
    /// # Errors
    /// If there is nothing to fit to, or the background is not a rectangle.
    pub fn change_canvas(&mut self, change: &CanvasChange) -> Result<Reply> {
        let Some(root) = self.nodes.root() else {
            bail!("there is no drawing"; try: "! new")
        };
        let behind = self.background();
        let is_colored = matches!(change.background, Some(Backdrop::Color(_)));
        if let Some(other) = self.with_id(BACKGROUND)
            && behind.is_none()
            && is_colored
        {
            let (kind, name) = (self.nodes.kind_name(other), self.nodes.name(other));
            bail!("background is a {kind}, not a rect"; try: "rename {name} backdrop")
        }
        let before = self.geometry().canvas();
        let after = self.wanted(change, before, behind)?;
        let mut changes = Vec::new();
        let precision = self.geometry().precision();
        let sides = |drawing: &Self| {
            ["width", "height"].map(|name| {
                let own = drawing.nodes.attr(root, name);
                own.map(std::borrow::Cow::into_owned)
            })
        };
        let was = sides(self);
        let after = after.filter(|after| *after != before || change.viewbox.is_some());
        let relative = after.map_or_else(Vec::new, |_| self.relative_boxes(behind));
        if let Some(after) = after {
            self.show(root, before, after, change)?;
        }
        if let Some(size) = change.size.as_ref().filter(|_| change.viewbox.is_some()) {
            for (name, given) in [("width", &size.width), ("height", &size.height)] {
                let unit = self.unit_of(root, name).filter(|unit| !unit.is_empty());
                let value = format!("{given}{}", unit.unwrap_or_default());
                set_attr(self.nodes.tree_mut(), root, name, &value)?;
            }
        }
        let now = self.geometry().canvas();
        if now != before {
            let corner = |of: Rect| of.origin() == kurbo::Point::ORIGIN;
            let shown = |of: Rect| match corner(before) && corner(now) {
                true => lines::size(of, precision),
                false => lines::frame(of, precision),
            };
            changes.push(format!("{} -> {}", shown(before), shown(now)));
        }
        let is = sides(self);
        let has_unit = |name: &&str| {
            let unit = self.unit_of(root, name);
            unit.is_some_and(|unit| !unit.is_empty() && unit != "px")
        };
        if was != is && ["width", "height"].iter().any(has_unit) {
            let [width, height] = is.map(Option::unwrap_or_default);
            changes.push(format!("width {width}, height {height}"));
        }
        changes.extend(self.back(root, behind, change.background.as_ref(), now)?);
        Ok(if changes.is_empty() {
            unchanged!("no change")
        } else {
            let reply = changed!("canvas {}", changes.join(", "));
            self.follow(relative).into_iter().fold(reply, Reply::note)
        })
    }

    /// The boxes of objects with lengths that are percentages, and so follow the canvas, except that of the background.
    fn relative_boxes(&self, behind: Option<NodeId>) -> Vec<(NodeId, Option<Rect>)> {
        let geometry = self.geometry();
        let is_relative = |id: &NodeId| {
            let element = self.nodes.element(*id);
            element.is_some_and(|own| {
                let _ = work::spend(1 + own.attrs().len());
                let mut attrs = own.attrs().iter();
                attrs.any(|attr| attr.raw_value().contains('%') && LENGTHS.contains(&attr.name()))
            })
        };
        let found = self.nodes.elements();
        let found = found.filter(|id| Some(*id) != behind && self.nodes.is_object(*id));
        let found = found.filter(is_relative);
        found.map(|id| (id, geometry.bbox(id))).collect()
    }

    /// The lines on objects that have another box than before.
    fn follow(&self, before: Vec<(NodeId, Option<Rect>)>) -> Vec<String> {
        let geometry = self.geometry();
        let precision = geometry.precision();
        let shown = |of: Option<Rect>| match of {
            Some(of) => format!("@({})", lines::frame(of, precision)),
            None => "nothing drawn".to_owned(),
        };
        let both = before.into_iter();
        let both = both.map(|(id, was)| (id, shown(was), shown(geometry.bbox(id))));
        let moved: Vec<_> = both.filter(|(_, was, is)| was != is).collect();
        if moved.len() > FEW {
            let ids: Vec<NodeId> = moved.iter().map(|(id, ..)| *id).collect();
            let (count, names) = (ids.len(), self.names_of(&ids));
            return vec![format!(
                "* {count} objects with percentages follow the canvas: {names}"
            )];
        }
        let lines = moved.into_iter();
        let lines = lines.map(|(id, was, is)| format!("* {}: {was} -> {is}", self.titled(id)));
        lines.collect()
    }

    /// The requested canvas, or `None` if it stays as it is.
    fn wanted(
        &self,
        change: &CanvasChange,
        before: Rect,
        behind: Option<NodeId>,
    ) -> Result<Option<Rect>> {
        if let Some(pad) = change.fit {
            let Some(content) = self.content(behind) else {
                bail!("nothing is drawn, so there is nothing to fit to"; try: "canvas size:800x600")
            };
            return Ok(Some(content.inflate(pad, pad)));
        }
        let size = change
            .size
            .as_ref()
            .map(|size| (size.width.get(), size.height.get()));
        Ok(match (&change.viewbox, size) {
            (Some(view), _) => Some(view.rect()),
            (None, Some(size)) => Some(Rect::from_origin_size(before.origin(), size)),
            (None, None) => None,
        })
    }

    /// The box of the content, including strokes but not the background.
    fn content(&self, behind: Option<NodeId>) -> Option<Rect> {
        let root = self.nodes.root()?;
        let geometry = self.geometry();
        let all = self.nodes.tree().children(root);
        let drawn = all.filter(|id| Some(*id) != behind && self.nodes.is_object(*id));
        let boxes = drawn.filter_map(|id| {
            // The call fails at its next check.
            let _ = work::spend(1);
            geometry.stroke_box(id)
        });
        let content = boxes.reduce(|all, one| all.union(one))?;
        let precision = geometry.precision();
        let [x0, y0, x1, y1] =
            [content.x0, content.y0, content.x1, content.y1].map(|n| precision.round(n));
        (x1 > x0 && y1 > y0).then(|| Rect::new(x0, y0, x1, y1))
    }

    /// Writes the viewBox, and scales width and height with it.
    fn show(
        &mut self,
        root: NodeId,
        before: Rect,
        after: Rect,
        change: &CanvasChange,
    ) -> Result<()> {
        let spelled =
            |given: Option<String>, value: f64| given.unwrap_or_else(|| spell_given(tidied(value)));
        let size = change.size.as_ref().filter(|_| change.viewbox.is_none());
        let width = spelled(size.map(|size| size.width.to_string()), after.width());
        let height = spelled(size.map(|size| size.height.to_string()), after.height());
        let view = match &change.viewbox {
            Some(view) => view.to_string(),
            None => format!(
                "{} {} {width} {height}",
                spell_given(tidied(after.x0)),
                spell_given(tidied(after.y0))
            ),
        };
        if change.viewbox.is_none() {
            let sides = [
                ("width", width, before.width(), after.width()),
                ("height", height, before.height(), after.height()),
            ];
            for (name, plain, old, new) in sides {
                let length = self
                    .nodes
                    .attr(root, name)
                    .and_then(|length| Length::parse(length.trim()).ok());
                // A percentage of the surroundings applies to any size.
                let Some(length) = length.filter(|length| length.unit() != LengthUnit::Percent)
                else {
                    continue;
                };
                let value = if length.number() == old {
                    plain
                } else {
                    spell_given(tidied(length.number() / old * new))
                };
                let value = format!("{value}{}", length.unit().as_str());
                set_attr(self.nodes.tree_mut(), root, name, &value)?;
            }
        }
        let is_plain = self.nodes.attr(root, "viewBox").is_none()
            && after.origin() == kurbo::Point::ORIGIN
            && change.viewbox.is_none()
            && self.nodes.attr(root, "width").is_some()
            && self.nodes.attr(root, "height").is_some();
        if !is_plain {
            set_attr(self.nodes.tree_mut(), root, "viewBox", &view)?;
        }
        Ok(())
    }

    /// The unit of one of the root's lengths, unless it is a percentage.
    fn unit_of(&self, root: NodeId, name: &str) -> Option<&'static str> {
        let own = self.nodes.attr(root, name)?;
        let length = Length::parse(own.trim()).ok()?;
        let unit = length.unit();
        (unit != LengthUnit::Percent).then(|| unit.as_str())
    }

    /// Adds, recolours or removes the background, and aligns it with the whole canvas. Returns the
    /// text for the reply.
    fn back(
        &mut self,
        root: NodeId,
        behind: Option<NodeId>,
        wanted: Option<&Backdrop>,
        canvas: Rect,
    ) -> Result<Option<String>> {
        let place = [("x", canvas.x0), ("y", canvas.y0)];
        let mut changes = None;
        let rect = match (behind, wanted) {
            (None, None | Some(Backdrop::None)) => return Ok(None),
            (Some(rect), Some(Backdrop::None)) => {
                xml::remove_node(self.nodes.tree_mut(), rect)?;
                return Ok(Some("background none".to_owned()));
            }
            (Some(rect), None) => rect,
            (Some(rect), Some(Backdrop::Color(color))) => {
                if let Some(fill) = property::named("fill") {
                    let written = self.write_style(rect, fill, color.as_str(), None)?;
                    let was = self.nodes.shown_value(&written.before);
                    changes = written
                        .place
                        .map(|_| format!("background {was} -> {color}"));
                }
                rect
            }
            (None, Some(Backdrop::Color(color))) => {
                let nodes = &self.nodes;
                let drawn =
                    |id: &NodeId| matches!(nodes.role(*id), Role::Graphic | Role::Container);
                let first = nodes.tree().children(root).find(drawn);
                let name = xml::qualified_like(nodes.tree(), root, "rect");
                let rect = Element::new(&name)?
                    .with("id", BACKGROUND)?
                    .with("width", "100%")?
                    .with("height", "100%")?
                    .with("fill", color.as_str())?;
                changes = Some(format!("background {color}"));
                xml::insert_element(self.nodes.tree_mut(), rect, root, first)?
            }
        };
        // A background as wide as the canvas starts at its corner.
        let whole = ["width", "height"].iter().all(|name| {
            let own = self.nodes.attr(rect, name);
            own.is_some_and(|own| own.trim() == "100%")
        });
        for (name, at) in place.into_iter().filter(|_| whole) {
            if at != 0.0 || self.nodes.attr(rect, name).is_some() {
                set_attr(self.nodes.tree_mut(), rect, name, &spell_given(tidied(at)))?;
            }
        }
        Ok(changes)
    }

    /// The background rectangle.
    fn background(&self) -> Option<NodeId> {
        self.with_id(BACKGROUND)
            .filter(|id| self.nodes.kind_name(*id) == "rect")
    }

    fn with_id(&self, id: &str) -> Option<NodeId> {
        let found = self.nodes.tree().index().first_with_id(id);
        found.map(NodeId::new)
    }
}

/// The error for a size without an area; the repair uses the other side for both.
#[must_use]
pub fn empty(size: &Size) -> ValueError {
    let sides = [&size.width, &size.height];
    let side = sides.into_iter().find(|side| side.get() > 0.0);
    let side = side.map_or_else(|| "100".to_owned(), ToString::to_string);
    ValueError::sentence(format!("size: {size} is empty")).fix(format!("{side}x{side}"))
}

/// Rounds off the noise of arithmetic.
fn tidied(value: f64) -> f64 {
    crate::syntax::number::Precision::EXACT.round(value)
}
