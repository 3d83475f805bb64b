//! Elements as replies show them.

use fcp::format::xml::{Kind, Node};
use kurbo::{Point, Rect};

use crate::geometry::Geometry;
use crate::model::kind::{BOX, Role};
use crate::model::{Drawing, NodeId};
use crate::style::Origin;
use crate::syntax::number::Precision;

/// The most names on a line of a reply.
const NAMES: usize = 5;
/// The most characters of a text in a reply.
const SHOWN: usize = 60;

/// `10,20`
#[must_use]
pub fn point(point: Point, precision: Precision) -> String {
    format!("{},{}", precision.spell(point.x), precision.spell(point.y))
}

/// `320x180`
#[must_use]
pub fn size(of: Rect, precision: Precision) -> String {
    format!(
        "{}x{}",
        precision.spell(of.width()),
        precision.spell(of.height())
    )
}

/// `40,60 320x180`
#[must_use]
pub fn frame(of: Rect, precision: Precision) -> String {
    format!("{} {}", point(of.origin(), precision), size(of, precision))
}

/// `group logo transform: rotate(45) scale(.5)`
#[must_use]
pub fn transforms(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> String {
    let list = geometry.transforms(id);
    let items = (1..=list.items().len()).filter_map(|n| list.spelling(n));
    let items = items.collect::<Vec<_>>().join(" ");
    let items = if items.is_empty() { "none" } else { &items };
    format!("{} transform: {items}", drawing.titled(id))
}

impl Drawing {
    /// The title of an element in replies: `rect card`.
    #[must_use]
    pub fn titled(&self, id: NodeId) -> String {
        if self.nodes.declared_kind(id).is_some() {
            return self.nodes.name(id).replacen(':', " ", 1);
        }
        format!("{} {}", self.nodes.kind_name(id), self.nodes.name(id))
    }

    /// The title and position of an element: `rect card @(40,60 320x180)`,
    /// `text t @(300,600) middle`.
    #[must_use]
    pub fn placed(&self, geometry: &Geometry<'_>, id: NodeId) -> String {
        format!("{}{}", self.titled(id), self.lying(geometry, id))
    }

    /// The position of an element, after a space: ` @(40,60 320x180)`; for a text its point and
    /// anchor, or its path. Empty if it draws nothing.
    #[must_use]
    pub fn lying(&self, geometry: &Geometry<'_>, id: NodeId) -> String {
        let precision = geometry.precision();
        if self.nodes.kind_name(id) == "text" {
            if let Some(path) = self.follows(id) {
                return format!(" on {path}");
            }
            let anchor = geometry.anchor(id);
            let anchor = anchor.map_or(String::new(), |anchor| format!(" {anchor}"));
            return format!(" @({}){anchor}", point(geometry.text_at(id), precision));
        }
        let found = geometry.bbox(id);
        found.map_or(String::new(), |found| {
            format!(" @({})", frame(found, precision))
        })
    }

    /// The content of a text or of a part of it, after a space, in quotes, with `/` between lines
    /// and cut to a reply's length. Empty if there is none.
    #[must_use]
    pub fn quoted(&self, text: NodeId) -> String {
        let content: String = self.lines(text).join(" / ").chars().take(SHOWN).collect();
        match content.trim() {
            "" => String::new(),
            content => format!(" \"{content}\""),
        }
    }

    /// The container of an element, after a space: ` in:logo`. Empty for children of the root.
    #[must_use]
    pub fn container_suffix(&self, id: NodeId) -> String {
        let parent = self.nodes.tree().parent(id);
        let parent = parent.filter(|outer| {
            self.nodes.root() != Some(*outer) && self.nodes.element(*outer).is_some()
        });
        parent.map_or(String::new(), |outer| {
            format!(" in:{}", self.nodes.name(outer))
        })
    }

    /// A row that is not an element, with its content: `entity soft "url(#glow)"`, `DOCTYPE svg`.
    #[must_use]
    pub fn declaration(&self, id: NodeId) -> String {
        let title = self.titled(id);
        let node = self.nodes.tree().get(id);
        let cut = |text: &str| text.chars().take(SHOWN).collect::<String>();
        match self.nodes.entity_decl(id) {
            Some(declared) => match declared.text() {
                Some(text) => format!("{title} \"{}\"", cut(&text)),
                None => format!("{title} in another file"),
            },
            None => {
                let head = node.and_then(Node::raw).unwrap_or_default();
                let head = head
                    .trim_start_matches("<!DOCTYPE")
                    .trim_end_matches(['[', '>']);
                let words: Vec<&str> = head.split_whitespace().collect();
                let entities = match self.nodes.entities().count() {
                    0 => String::new(),
                    1 => ", 1 entity".to_owned(),
                    n => format!(", {n} entities"),
                };
                format!("{title} {}{entities}", cut(&words.join(" ")))
            }
        }
    }

    /// The shown content of an element or a DOCTYPE.
    #[must_use]
    pub fn shown_in(&self, id: NodeId) -> Vec<NodeId> {
        let tree = self.nodes.tree();
        let shown = |id: &NodeId| {
            let kind = tree.get(*id).map(Node::kind);
            matches!(
                kind,
                Some(
                    Kind::Element(_)
                        | Kind::Comment(_)
                        | Kind::Instruction(_)
                        | Kind::Doctype(_)
                        | Kind::EntityDecl(_)
                        | Kind::Markup(_)
                )
            )
        };
        tree.children(id).filter(shown).collect()
    }

    /// An element in an outline: its title, position, paint and container.
    #[must_use]
    pub fn outlined(&self, id: NodeId) -> String {
        if self.nodes.declared_kind(id).is_some() {
            return self.declaration(id);
        }
        let geometry = self.geometry();
        let mut line = self.placed(&geometry, id);
        if self.nodes.role(id) == Role::Graphic {
            let styles = self.styles();
            let fill = styles.computed(id, "fill");
            line.push(' ');
            line.push_str(&fill.value);
        }
        let outer = self.nodes.tree().parent(id);
        if let Some(outer) = outer.filter(|outer| self.nodes.is_object(*outer)) {
            line.push_str(&format!(" in:{}", self.nodes.name(outer)));
        }
        line
    }

    /// The names of elements, five at most: `a, b, c, d, e … 2 more`.
    #[must_use]
    pub fn names_of(&self, ids: &[NodeId]) -> String {
        let names = ids.iter().take(NAMES).map(|id| self.nodes.name(*id));
        let names = names.collect::<Vec<_>>().join(", ");
        match ids.len().saturating_sub(NAMES) {
            0 => names,
            more => format!("{names} … {more} more"),
        }
    }

    /// The title, position, paint and container of an element:
    /// `circle dot @(17.875,12.5 5x5) red in:logo`.
    #[must_use]
    pub fn summary(&self, geometry: &Geometry<'_>, id: NodeId) -> String {
        if self.nodes.declared_kind(id).is_some() {
            return self.declaration(id);
        }
        let mut line = self.placed(geometry, id);
        let kind = self.nodes.kind_name(id);
        if kind == "text" {
            let lines = self.lines(id);
            if lines.len() > 1 {
                line.push_str(&format!(" {} lines", lines.len()));
            }
            let text: String = lines.join(" / ").chars().take(SHOWN).collect();
            line.push_str(&format!(" \"{text}\""));
        }
        let shape = self.nodes.box_shape(id);
        let painted = match kind {
            "line" => Some(("stroke", "stroke:")),
            "image" | "use" => None,
            BOX => shape.map(|_| ("fill", "")),
            _ if self.nodes.role(id) == Role::Graphic => Some(("fill", "")),
            _ => None,
        };
        if let Some((property, prefix)) = painted {
            let styles = self.styles();
            let paint = styles.computed(shape.unwrap_or(id), property);
            if paint.origin != Origin::Initial {
                let paint = self.nodes.shown_value(&paint.value);
                line.push_str(&format!(" {prefix}{paint}"));
            }
        }
        if let Some(label) = self.nodes.box_label(id) {
            line.push_str(&self.quoted(label));
        }
        line + &self.container_suffix(id)
    }
}
