//! Boxes of drawn elements, including copies by `use`.

use fcp::format::xml::{Attr, Element, Node};
use fcp::work;
use kurbo::{Affine, Point, Rect, Size};

use super::outline::bounds;
use super::stroked::covered;
use super::system::{GivenSize, System};
use super::viewport::{self, Axis};
use super::{Geometry, MOST_COPIES};
use crate::model::NodeId;
use crate::model::kind::{Role, of_element};
use crate::syntax::href;

/// The maximum nesting of `use`.
const DEEPEST_USE: usize = 512;

/// The steps of placing a copy.
const STEPS_A_COPY: usize = 4;

/// The users that are passed in the time of a step.
const USERS_A_STEP: usize = 16;

/// The cost of copying a text, in copies of shapes, since it needs a new layout.
const TEXT_COPIES: usize = 20;

/// An element drawn by a `use`, to be processed.
#[derive(Clone, Copy)]
struct Copied {
    id: NodeId,
    /// The coordinate system around it.
    outer: System,
    given: GivenSize,
    /// The `use` that draws it, as an index into their chain.
    by: Option<usize>,
}

/// A `use` in a chain that leads to a drawn element.
#[derive(Clone, Copy)]
pub(super) struct Use {
    id: NodeId,
    target: NodeId,
    by: Option<usize>,
    depth: usize,
}

/// The chain of `use` that draws an element, and its position in it.
#[derive(Clone, Copy)]
pub(super) struct Drawn<'c> {
    chain: &'c [Use],
    by: Option<usize>,
}

impl Drawn<'_> {
    /// Drawn directly, without a `use`.
    pub(super) const IN_PLACE: Self = Self {
        chain: &[],
        by: None,
    };

    /// Whether no `use` draws it.
    pub(super) const fn is_in_place(self) -> bool {
        self.by.is_none()
    }

    /// The `use` that draws `id`, if that is its target, and the position of that `use` in turn.
    pub(super) fn user_of(self, id: NodeId) -> Option<(NodeId, Self)> {
        let link = self.by.and_then(|by| self.chain.get(by))?;
        (link.target == id).then_some((
            link.id,
            Self {
                by: link.by,
                ..self
            },
        ))
    }
}

fn joined(one: Option<Rect>, other: Option<Rect>) -> Option<Rect> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.union(other)),
        (one, other) => one.or(other),
    }
}

/// Whether an element's box depends only on its attributes, its ancestors and the style sheets.
fn is_shape(kind: &str) -> bool {
    matches!(
        kind,
        "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon" | "path" | "image"
    )
}

/// Whether an element draws its children.
fn holds(kind: &str) -> bool {
    of_element(kind).is_some_and(|kind| kind.role == Role::Container)
}

impl Geometry<'_> {
    pub(super) fn drawn_box(&self, id: NodeId, stroked: bool) -> Option<Rect> {
        if let Some(known) = self.known_box(id, stroked) {
            return known;
        }
        let kind = self.kind(id).unwrap_or_default();
        if !Self::opens(kind) {
            let found = self.leaf_box(id, kind, stroked);
            self.remember(id, stroked, found, is_shape(kind));
            return found;
        }
        // Children before their container, without recursion.
        let mut steps = vec![id];
        while let Some(id) = steps.last().copied() {
            let kind = self.kind(id).unwrap_or_default();
            let (mut found, mut kept) = (None, is_shape(kind));
            if Self::opens(kind) {
                let before = steps.len();
                // A `switch` depends on the order of its children too.
                kept = kind != "switch";
                for child in self.shown_children(id, kind) {
                    let _ = work::spend(1);
                    let own = self.nodes.derived().shape(child, stroked);
                    kept &= own.is_some();
                    match own.or_else(|| self.known_box(child, stroked)) {
                        Some(known) => found = joined(found, known),
                        None => steps.push(child),
                    }
                }
                if steps.len() > before {
                    continue;
                }
            } else {
                found = self.leaf_box(id, kind, stroked);
            }
            self.remember(id, stroked, found, kept);
            steps.pop();
        }
        self.known_box(id, stroked).flatten()
    }

    /// Caches a box: beyond this query, if it depends on shapes only.
    fn remember(&self, id: NodeId, stroked: bool, found: Option<Rect>, of_shapes: bool) {
        if of_shapes && self.styles.are_kept() {
            self.nodes.derived().keep_shape(id, stroked, found);
        } else {
            let mut boxes = self.boxes[usize::from(stroked)].borrow_mut();
            boxes.insert(id, found);
        }
    }

    /// The cached box of an element.
    fn known_box(&self, id: NodeId, stroked: bool) -> Option<Option<Rect>> {
        let kept = self.nodes.derived().shape(id, stroked);
        kept.or_else(|| self.boxes[usize::from(stroked)].borrow().get(&id).copied())
    }

    /// Whether an element's box is that of its children, for containers and for definitions.
    fn opens(kind: &str) -> bool {
        let role = of_element(kind).map(|kind| kind.role);
        matches!(role, Some(Role::Container | Role::Definition))
    }

    /// The children that a container draws: for a `switch`, the first one that qualifies.
    fn shown_children(&self, id: NodeId, kind: &str) -> impl Iterator<Item = NodeId> + '_ {
        let most = if kind == "switch" { 1 } else { usize::MAX };
        let first = kind == "switch";
        let tree = self.nodes.tree();
        let elements = tree
            .children(id)
            .filter(|id| self.nodes.element(*id).is_some());
        elements
            .filter(move |id| !first || self.meets_conditions(*id))
            .take(most)
            .filter(|id| self.is_drawn(*id))
    }

    /// The child that a `switch` draws, if one qualifies.
    pub(crate) fn chosen_in(&self, id: NodeId) -> Option<NodeId> {
        self.shown_children(id, "switch").next()
    }

    /// Whether an element is drawn if its parent is.
    pub(crate) fn is_drawn(&self, id: NodeId) -> bool {
        let known = self.nodes.derived().drawn(id);
        if let Some(known) = known {
            return known;
        }
        let drawn = self.may_be_drawn(id);
        if self.styles.are_kept() {
            self.nodes.derived().keep_drawn(id, drawn);
        }
        drawn
    }

    fn may_be_drawn(&self, id: NodeId) -> bool {
        let drawn = |kind| {
            let role = of_element(kind).map(|kind| kind.role);
            matches!(role, Some(Role::Graphic | Role::Container))
        };
        self.kind(id).is_some_and(drawn)
            && (self.is_surely_displayed(id) || self.is_displayed_here(id))
    }

    /// Whether neither an element's attributes nor any rule can stop it from being drawn.
    fn is_surely_displayed(&self, id: NodeId) -> bool {
        let attrs = self
            .nodes
            .element(id)
            .map(Element::attrs)
            .unwrap_or_default();
        let hides = |attr: &Attr| {
            matches!(
                attr.name(),
                "display"
                    | "requiredExtensions"
                    | "requiredFeatures"
                    | "style"
                    | "systemLanguage"
                    | "transform"
            )
        };
        !attrs.iter().any(hides) && !self.styles.rule("display") && !self.styles.rule("transform")
    }

    fn is_displayed_here(&self, id: NodeId) -> bool {
        self.specified(id, "display")
            .is_none_or(|display| display.trim() != "none")
            && self.meets_conditions(id)
            && self
                .read_transforms(id)
                .is_none_or(|list| list.affine().determinant() != 0.0)
    }

    /// Whether the `requiredExtensions`, `requiredFeatures` and `systemLanguage` of an element
    /// allow it to be drawn, as in the renderer: in English, without extensions.
    fn meets_conditions(&self, id: NodeId) -> bool {
        let attr = |name| self.nodes.attr(id, name);
        let english = |text: &str| {
            let mut languages = text.split(',').map(str::trim);
            languages.any(|language| language == "en" || language.starts_with("en-"))
        };
        let known = |text: &str| {
            let mut features = text.split(' ');
            features.all(|name| name.starts_with("http://www.w3.org/TR/SVG11/feature#"))
        };
        attr("requiredExtensions").is_none()
            && attr("requiredFeatures").is_none_or(|text| known(&text))
            && attr("systemLanguage").is_none_or(|text| english(&text))
    }

    /// The box of an element without drawn children.
    fn leaf_box(&self, id: NodeId, kind: &str, stroked: bool) -> Option<Rect> {
        let outer = self.around(id);
        if kind == "use" {
            return self.use_box(id, outer, stroked);
        }
        self.shape_box(id, kind, outer, Drawn::IN_PLACE, stroked)
    }

    fn shape_box(
        &self,
        id: NodeId,
        kind: &str,
        outer: System,
        drawn: Drawn<'_>,
        stroked: bool,
    ) -> Option<Rect> {
        let to_canvas = outer.to_canvas * self.own_transform(id, outer.viewport);
        if kind == "text" {
            let own = self.text_box(id, outer, drawn, stroked);
            return Some(to_canvas.transform_rect_bbox(own)).filter(Rect::is_finite);
        }
        let lengths = self.lengths(id, outer.viewport);
        let pen = stroked
            .then(|| self.pen(id, outer.viewport, drawn))
            .flatten();
        let Some(pen) = pen else {
            let found = match lengths.simple_box(kind, to_canvas) {
                Some(found) => found,
                None => bounds(&(to_canvas * lengths.outline(kind)?)),
            };
            return found.filter(Rect::is_finite);
        };
        let outline = lengths.outline(kind)?;
        let lined = covered(&outline, &pen).and_then(|stroke| bounds(&(to_canvas * stroke)));
        joined(bounds(&(to_canvas * outline)), lined).filter(Rect::is_finite)
    }

    /// The position of a text's first character, in the coordinate system of its attributes.
    pub(super) fn text_point(&self, id: NodeId, outer: System) -> Point {
        let tree = self.nodes.tree();
        let has_characters = |id: &NodeId| {
            let node = tree.get(*id).filter(|node| node.element().is_none());
            let text = node.and_then(Node::text);
            text.is_some_and(|text| !text.trim().is_empty())
        };
        // The innermost element around that character with a position determines it.
        let inside = tree.descendants(id).find(has_characters);
        let around: Vec<NodeId> = match inside {
            Some(first) => tree
                .ancestors(first)
                .take_while(|outer| tree.is_within(*outer, id))
                .collect(),
            None => vec![id],
        };
        let first = |name: &str, axis: Axis| {
            let says = |id: &NodeId| {
                let text = self.nodes.attr(*id, name)?;
                let text = text
                    .split([' ', ',', '\t', '\n', '\r'])
                    .find(|text| !text.is_empty())?;
                let whole = axis.of(outer.viewport);
                viewport::length(text, || self.styles.font_size(*id), whole)
            };
            around.iter().find_map(says).unwrap_or(0.0)
        };
        Point::new(first("x", Axis::X), first("y", Axis::Y))
    }

    /// The element that a `use` draws, or the path of a text.
    pub(crate) fn target(&self, id: NodeId) -> Option<NodeId> {
        let href = self.nodes.attr(id, "href").or_else(|| {
            let element = self.nodes.element(id)?;
            let mut values = element.values();
            values
                .find(|(name, _)| name.ends_with(":href"))
                .map(|(_, value)| value)
        })?;
        let target = href::local(&href)?;
        // An element that refers to its own ancestor draws nothing.
        let found = self.nodes.first_called(target);
        found.filter(|target| !self.nodes.tree().is_within(id, *target))
    }

    /// The box of a `use`.
    fn use_box(&self, id: NodeId, outer: System, stroked: bool) -> Option<Rect> {
        if self.copied(id) > MOST_COPIES as u64 {
            return None;
        }
        let mut chain: Vec<Use> = Vec::new();
        let mut pending = vec![Copied {
            id,
            outer,
            given: GivenSize::default(),
            by: None,
        }];
        let mut found = None;
        while let Some(next) = pending.pop() {
            let kind = self.kind(next.id).unwrap_or_default();
            let copies = self.copies.get() + if kind == "text" { TEXT_COPIES } else { 1 };
            self.copies.set(copies);
            // The call fails at its next check.
            if copies > MOST_COPIES || work::spend(STEPS_A_COPY).is_err() {
                return None;
            }
            if kind == "use" {
                pending.extend(self.used(next, &mut chain));
            } else if holds(kind) || kind == "symbol" {
                let system = if kind == "symbol" {
                    next.outer
                        .then(self.own_transform(next.id, next.outer.viewport))
                } else {
                    self.content(next.id, kind, next.outer, next.given)
                };
                pending.extend(self.shown_children(next.id, kind).map(|id| Copied {
                    id,
                    outer: system,
                    given: GivenSize::default(),
                    by: next.by,
                }));
            } else {
                let drawn = Drawn {
                    chain: &chain,
                    by: next.by,
                };
                found = joined(
                    found,
                    self.shape_box(next.id, kind, next.outer, drawn, stroked),
                );
            }
        }
        found
    }

    /// The element that one `use` draws, unless it has no target or is in a cycle.
    fn used(&self, user: Copied, chain: &mut Vec<Use>) -> Option<Copied> {
        let target = self.target(user.id)?;
        let kind = self.kind(target)?;
        let mut by = user.by;
        let depth = by
            .and_then(|by| chain.get(by))
            .map_or(0, |link| link.depth + 1);
        while let Some(link) = by.and_then(|by| chain.get(by)) {
            if link.target == target || depth > DEEPEST_USE {
                return None;
            }
            by = link.by;
        }
        if kind != "symbol" && !self.is_drawn(target) {
            return None;
        }
        // The call fails at its next check.
        let _ = work::spend(depth / USERS_A_STEP);
        chain.push(Use {
            id: user.id,
            target,
            by: user.by,
            depth,
        });
        let lengths = self.lengths(user.id, user.outer.viewport);
        let corner = lengths.point("x", "y").to_vec2();
        let system = user
            .outer
            .then(self.own_transform(user.id, user.outer.viewport));
        let system = system.then(Affine::translate(corner));
        let given = GivenSize {
            width: lengths.get("width", Axis::X),
            height: lengths.get("height", Axis::Y),
        };
        let by = Some(chain.len() - 1);
        if kind != "symbol" {
            return Some(Copied {
                id: target,
                outer: system,
                given,
                by,
            });
        }
        let size = Size::new(
            given.width.unwrap_or(user.outer.viewport.width),
            given.height.unwrap_or(user.outer.viewport.height),
        );
        Some(Copied {
            id: target,
            outer: self.framed(target, system, size),
            given,
            by,
        })
    }
}
