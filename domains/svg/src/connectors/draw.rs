//! Draws and redraws links.

use fcp::format::xml::{self, Element};
use fcp::op::ArrowKind;
use fcp::prelude::*;

use super::route::Course;
use super::{Link, LinkLayout};
use crate::create::{LINE_HEIGHT, Layout, lines_of};
use crate::display::lines;
use crate::geometry::Geometry;
use crate::model::kind::LINK;
use crate::model::{Drawing, LINK_FROM, LINK_TO, MADE, NodeId};
use crate::property::{self, Property};
use crate::syntax::id::next_free;
use crate::syntax::number::spell_given;

/// The default colour and width of a line.
const LINE: [(&str, &str); 2] = [("stroke", "#333"), ("stroke-width", "2")];
/// The font size of a label, in user units.
const LABEL_SIZE: f64 = 14.0;
/// The distance between a label and its line, in canvas units.
const LABEL_GAP: f64 = 6.0;

/// A link to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLink<'a> {
    /// The objects to join.
    pub ends: [NodeId; 2],
    /// The ends with heads.
    pub arrow: ArrowKind,
    /// Its layout.
    pub layout: LinkLayout,
    /// Its id; composed from both ends' ids by default.
    pub id: Option<&'a str>,
    /// Its label.
    pub label: Option<&'a str>,
    /// The style of its line.
    pub style: Vec<(&'static Property, String)>,
}

/// The current appearance of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Redrawn {
    link: Link,
    layout: LinkLayout,
    stroke: String,
    d: String,
    label: Option<Label>,
    summary: String,
}

impl Redrawn {
    /// The link's group.
    #[must_use]
    pub const fn group(&self) -> NodeId {
        self.link.group
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Label {
    text: NodeId,
    x: String,
    y: String,
    anchor: &'static str,
}

impl Drawing {
    /// Draws a link in front of everything. Returns its group, and notes about ids that its ends
    /// got.
    ///
    /// # Errors
    /// If a style does not take effect, or there is no drawing.
    pub fn link(&mut self, new: NewLink<'_>) -> Result<(NodeId, Vec<String>)> {
        let Some(root) = self.nodes.root() else {
            bail!("there is no drawing"; try: "! new")
        };
        let mut notes = Vec::new();
        let mut names = Vec::with_capacity(2);
        for end in new.ends {
            let called = self.nodes.name(end);
            let (id, is_new) = self.referable(end)?;
            if is_new {
                notes.push(format!("{called} now has the id {id}"));
            }
            names.push(id);
        }
        let id = match new.id {
            Some(id) => id.to_owned(),
            None => {
                let index = self.nodes.tree().index();
                let is_taken = |id: &str| index.has_id(id);
                let both = names.join("-");
                if is_taken(&both) {
                    next_free(&both, is_taken)
                } else {
                    both
                }
            }
        };
        let tree = self.nodes.tree_mut();
        let mut group = Element::new(&xml::qualified_like(tree, root, "g"))?
            .with("id", &id)?
            .with(MADE, LINK)?;
        for (name, end) in [LINK_FROM, LINK_TO].into_iter().zip(&names) {
            group = group.with(name, end)?;
        }
        for (name, value) in new.layout.attributes() {
            group = group.with(name, &value)?;
        }
        let group = xml::insert_element(tree, group, root, None)?;
        let line = Element::new(&xml::qualified_like(tree, group, "path"))?
            .with("d", "")?
            .with("fill", "none")?;
        let line = xml::insert_element(tree, line, group, None)?;
        if let Some(label) = new.label {
            let text = Element::new(&xml::qualified_like(tree, group, "text"))?
                .with("x", "0")?
                .with("y", "0")?
                .with("text-anchor", "middle")?
                .with("font-size", &spell_given(LABEL_SIZE))?;
            let text = xml::insert_element(tree, text, group, None)?;
            let label = lines_of(label).join(" ");
            self.write_lines(text, &[&label], "0", Layout::of(LINE_HEIGHT))?;
        }
        let mut values: Vec<(&'static Property, String)> = Vec::new();
        for (name, value) in LINE {
            let known = property::named(name);
            let given = new.style.iter().any(|(own, _)| own.name == name);
            values.extend(known.filter(|_| !given).map(|own| (own, value.to_owned())));
        }
        values.extend(new.style);
        self.write_styles(&[line], &values, None)?;
        let stroke = self.styles().computed(line, "stroke").value.into_owned();
        let heads = match new.arrow {
            ArrowKind::Line => &[][..],
            ArrowKind::Forward => &["marker-end"],
            ArrowKind::Both => &["marker-start", "marker-end"],
        };
        for name in heads {
            let (id, made) = self.head(new.layout.head, &stroke)?;
            if !made.is_empty() {
                notes.push(format!("+ marker {id}{made}"));
            }
            xml::set_attr(self.nodes.tree_mut(), line, name, &format!("url(#{id})"))?;
        }
        let drawn = self.redrawn(&self.geometry(), group);
        if let Some(drawn) = drawn {
            self.redraw(&drawn)?;
        }
        Ok((group, notes))
    }

    /// Calculates a link's current appearance. `None` if the group is not a link, or one of its
    /// ends draws nothing.
    #[must_use]
    pub fn redrawn(&self, geometry: &Geometry<'_>, group: NodeId) -> Option<Redrawn> {
        let nodes = &self.nodes;
        let link = Link::of(nodes, group)?;
        let [from, to] = link.ends;
        // A link inside one of its ends would change that end's box.
        if link
            .ends
            .iter()
            .any(|end| nodes.tree().is_within(group, *end))
        {
            return None;
        }
        let boxes = [self.joint(geometry, from)?, self.joint(geometry, to)?];
        let to_local = geometry.within(group);
        if to_local.determinant() == 0.0 || !to_local.is_finite() {
            return None;
        }
        let to_local = to_local.inverse();
        let layout = LinkLayout::of(nodes, group);
        let styles = self.styles();
        let width = styles.computed(link.line, "stroke-width").value;
        let width: f64 = width.trim().trim_end_matches("px").parse().unwrap_or(1.0);
        let arrow = link.arrow(nodes);
        let reach = layout.head.reach() * width.clamp(0.0, 1e6);
        let heads = match arrow {
            ArrowKind::Line => [0.0, 0.0],
            ArrowKind::Forward => [0.0, reach],
            ArrowKind::Both => [reach, reach],
        };
        let course = Course::between(boxes, &layout, heads);
        let precision = geometry.precision();
        let label = nodes.child_called(group, "text").map(|text| {
            let (middle, across) = course.middle();
            let (by, anchor) = if across {
                (kurbo::Vec2::new(0.0, -LABEL_GAP), "middle")
            } else {
                (kurbo::Vec2::new(LABEL_GAP, 0.0), "start")
            };
            let at = to_local * (middle + by);
            Label {
                text,
                x: precision.spell(at.x),
                y: precision.spell(at.y),
                anchor,
            }
        });
        let tips = course.tips.map(|tip| lines::point(tip, precision));
        Some(Redrawn {
            stroke: styles.computed(link.line, "stroke").value.into_owned(),
            d: course.path(to_local, precision),
            summary: format!(
                "{}{}{} {} ({})-({})",
                nodes.name(from),
                arrow.as_str(),
                nodes.name(to),
                layout.route,
                tips[0],
                tips[1]
            ),
            link,
            layout,
            label,
        })
    }

    /// Writes the appearance of a link. Returns its description, or `None` if nothing changed.
    ///
    /// # Errors
    /// If an element does not exist.
    pub fn redraw(&mut self, drawn: &Redrawn) -> Result<Option<String>> {
        let line = drawn.link.line;
        let mut any = xml::set_attr(self.nodes.tree_mut(), line, "d", &drawn.d)?;
        for name in ["marker-start", "marker-end"] {
            let Some(old) = self
                .nodes
                .attr(line, name)
                .map(std::borrow::Cow::into_owned)
            else {
                continue;
            };
            if !self.has_head(&old) {
                continue;
            }
            let (id, _) = self.head(drawn.layout.head, &drawn.stroke)?;
            if xml::set_attr(self.nodes.tree_mut(), line, name, &format!("url(#{id})"))? {
                self.drop_heads(&[old])?;
            }
        }
        if let Some(Label { text, x, y, anchor }) = &drawn.label {
            for (name, value) in [("x", x.as_str()), ("y", y), ("text-anchor", *anchor)] {
                any |= self.reshape(*text, name, value)?;
            }
        }
        Ok(any.then(|| drawn.summary.clone()))
    }

    /// Describes a link by its ends, its route, its end points and its label.
    #[must_use]
    pub fn describe_link(&self, group: NodeId) -> Option<String> {
        let drawn = self.redrawn(&self.geometry(), group)?;
        let label = self.nodes.child_called(group, "text");
        let label = label.map_or(String::new(), |label| self.quoted(label));
        Some(drawn.summary + &label)
    }
}
