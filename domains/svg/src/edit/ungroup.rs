//! Effects of removing a group on its content.

use std::collections::{BTreeSet, HashMap, HashSet};

use fcp::format::xml::{Element, Kind, Node, move_node, remove_node};
use fcp::prelude::*;
use fcp::reply::count;
use fcp::value::{Length, LengthUnit};
use kurbo::Affine;

use crate::edit::comments::is_comment;
use crate::edit::declared::short;
use crate::edit::unlink::{self, Use};
use crate::geometry::Geometry;
use crate::model::kind::{BOX, CONDITIONS, LAYER, LINK, Role};
use crate::model::reference::is_href;
use crate::model::{Drawing, NodeId};
use crate::moving::{Edit, brought, cleared, editable};
use crate::property::{self, Property};
use crate::style::{Origin, StyleSnapshot, Styles, applies};
use crate::syntax::number::Precision;
use crate::transform::Syntax;

/// A group to remove, and the changes to its content.
pub struct Ungrouping {
    /// The group.
    pub group: NodeId,
    /// Its parent.
    parent: NodeId,
    /// Its title, description and metadata, which go with it.
    words: Vec<NodeId>,
    /// The nodes that replace it.
    children: Vec<NodeId>,
    /// The drawn ones of these nodes.
    pub drawn: Vec<NodeId>,
    /// The edits that apply the group's transforms to them.
    edits: Vec<Edit>,
    /// Their computed values, for comparison.
    snapshot: StyleSnapshot,
    /// References to the group.
    uses: Vec<Use>,
    /// The inherited values that the group sets in units of its font, by property, and in pixels.
    by_font: HashMap<&'static str, (String, String)>,
    /// The elements with another font size than the group.
    sized: HashSet<NodeId>,
    /// The texts among its content, with the `xml:space` that it gives them.
    spaced: Option<(Vec<NodeId>, String)>,
    /// Whether the picture may change.
    force: bool,
}

/// Plans the removal of a group.
///
/// # Errors
/// If it is not a group or contains elements that an entity declares; or, without `force`, if the
/// picture would change or something refers to it.
pub fn plan(drawing: &Drawing, group: NodeId, force: bool) -> Result<Ungrouping> {
    let nodes = &drawing.nodes;
    let (kind, name) = (nodes.kind_name(group), nodes.name(group));
    let Some(parent) = nodes.tree().parent(group) else {
        bail!("{name} is the drawing itself"; try: "? list")
    };
    if !matches!(kind, "group" | LAYER | BOX | LINK) {
        bail!("{name} is a {kind}, not a group"; try: "? describe {name}")
    }
    for child in nodes.tree().children(group) {
        if let Some(Kind::Entity(entity)) = nodes.tree().get(child).map(Node::kind)
            && entity.text().contains('<')
        {
            let entity = entity.name();
            bail!("{name} holds &{entity};, whose elements are written in the DOCTYPE and cannot take what {name} gives them"; try: "? svg {name}")
        }
    }
    let uses = uses_of(drawing, group);
    if !force && let Some(lost) = lost(drawing, group, &uses) {
        bail!("{lost}"; try: "ungroup {name} force:on")
    }
    let is_words = |id: &NodeId| {
        let element = nodes.element(*id);
        element.is_some_and(|element| matches!(element.local_name(), "title" | "desc" | "metadata"))
    };
    let children = nodes.tree().children(group);
    let (words, children): (Vec<NodeId>, Vec<NodeId>) = children.partition(is_words);
    let drawn = children.iter().copied();
    let drawn: Vec<NodeId> = drawn
        .filter(|id| matches!(nodes.role(*id), Role::Graphic | Role::Container))
        .collect();
    let geometry = drawing.geometry();
    let mut edits = Vec::new();
    for id in &drawn {
        edits.extend(handed_down(drawing, &geometry, group, *id)?);
    }
    let snapshot = StyleSnapshot::of(drawing, &drawn);
    let styles = drawing.styles();
    let size = styles.font_size(group);
    let sized = drawn.iter().copied();
    let sized = sized.filter(|id| (styles.font_size(*id) - size).abs() > f64::EPSILON);
    let sized = sized.collect();
    Ok(Ungrouping {
        group,
        parent,
        words,
        children,
        edits,
        snapshot,
        uses,
        by_font: by_font(&styles, group),
        sized,
        spaced: spaced(drawing, group, &drawn),
        drawn,
        force,
    })
}

/// The drawn elements that take `xml:space` from a group and have a text, and its value there;
/// `None` if the elements around the group give them the same.
fn spaced(drawing: &Drawing, group: NodeId, drawn: &[NodeId]) -> Option<(Vec<NodeId>, String)> {
    let nodes = &drawing.nodes;
    let own = nodes.attr(group, "xml:space")?.into_owned();
    let parent = nodes.tree().parent(group)?;
    if nodes.keeps_space(parent) == nodes.keeps_space(group) {
        return None;
    }
    let takes = |id: &NodeId| {
        let mut inner = std::iter::once(*id).chain(nodes.tree().descendants(*id));
        nodes.attr(*id, "xml:space").is_none() && inner.any(|id| nodes.is_called(id, "text"))
    };
    let texts: Vec<NodeId> = drawn.iter().copied().filter(takes).collect();
    (!texts.is_empty()).then_some((texts, own))
}

impl Ungrouping {
    /// The content that the group held, for the reply: ` of a, b and 1 comment`.
    #[must_use]
    pub fn describe(&self, drawing: &Drawing) -> String {
        let (tree, drawn) = (drawing.nodes.tree(), HashSet::<_>::from_iter(&self.drawn));
        let (mut comments, mut texts, mut others) = (0, 0, 0);
        for id in self.children.iter().filter(|id| !drawn.contains(id)) {
            let Some(node) = tree.get(*id) else { continue };
            match node.text() {
                _ if is_comment(node) => comments += 1,
                Some(text) if !text.trim().is_empty() => texts += 1,
                None if node.element().is_some() => others += 1,
                _ => {}
            }
        }
        let rest = [
            (others, "other element"),
            (comments, "comment"),
            (texts, "text"),
        ];
        let rest = rest.into_iter().filter(|(number, _)| *number > 0);
        let rest: Vec<String> = rest.map(|(number, noun)| count(number, noun)).collect();
        let names = drawing.names_of(&self.drawn);
        match (names.is_empty(), rest.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!(" of {}", rest.join(", ")),
            (false, true) => format!(" of {names}"),
            (false, false) => format!(" of {names} and {}", rest.join(", ")),
        }
    }

    /// Removes the group. Returns lines for the reply.
    ///
    /// # Errors
    /// If a value comes from an entity, or something else draws what changes, without `force`.
    pub fn make(self, drawing: &mut Drawing) -> Result<Vec<String>> {
        let mut notes = unlink::remove(drawing, &self.uses)?;
        let name = drawing.nodes.name(self.group);
        for id in self.words {
            let (kind, text) = (drawing.nodes.kind_name(id), drawing.nodes.text_of(id));
            notes.push(format!("- {kind} {} of {name}", short(&text)));
        }
        let element = drawing.nodes.element(self.group);
        let attributes = element.into_iter().flat_map(Element::values);
        // They have no effect by themselves, so no other change shows that they are gone.
        let marks = attributes.filter(|(name, _)| *name == "class" || name.starts_with("data-"));
        let marks: Vec<String> = marks
            .map(|(name, value)| format!("{name} {}", short(&value)))
            .collect();
        if !marks.is_empty() {
            notes.push(format!("- {} of {name}", marks.join(", ")));
        }
        for child in self.children {
            move_node(
                drawing.nodes.tree_mut(),
                child,
                self.parent,
                Some(self.group),
            )?;
        }
        remove_node(drawing.nodes.tree_mut(), self.group)?;
        let mut edited: BTreeSet<NodeId> = self.edits.iter().map(|edit| edit.id).collect();
        let turned = edited.clone();
        drawing.make(self.edits)?;
        if let Some((texts, space)) = &self.spaced {
            for id in texts {
                drawing.put_attr(*id, "xml:space", space)?;
            }
            let texts = drawing.names_of(texts);
            notes.push(format!("* {texts}: xml:space {space}"));
        }
        for change in self.snapshot.compared(drawing, &self.drawn) {
            let (id, property) = (change.id, change.property);
            // The group's transforms are in front of the element's own now.
            let is_edited = property.name == "transform" && turned.contains(&id);
            if is_edited || !applies(&drawing.nodes, id, property.name) {
                continue;
            }
            let by_font = self.by_font.get(property.name);
            let by_font = by_font
                .filter(|(written, _)| *written == change.before && self.sized.contains(&id));
            let value = by_font.map_or(change.before, |(_, pixels)| pixels.clone());
            drawing.write_style(id, property, &value, None)?;
            edited.insert(id);
        }
        if !self.force {
            let edited: Vec<NodeId> = edited.into_iter().collect();
            unmoved(drawing, &name, &edited)?;
        }
        Ok(notes)
    }
}

/// The inherited values of a group in units of its font, as written and in pixels.
fn by_font(styles: &Styles<'_>, group: NodeId) -> HashMap<&'static str, (String, String)> {
    let inherited = property::all().iter().filter(|one| one.inherited);
    let found = inherited.filter_map(|one| {
        let written = styles.specified(group, one.name)?.value.into_owned();
        let length = Length::parse(written.trim()).ok()?;
        let is_by_font = matches!(length.unit(), LengthUnit::Em | LengthUnit::Ex);
        let pixels = length.to_user(styles.font_size(group), 0.0);
        let pixels = format!("{}px", Precision::decimals(4).spell(pixels));
        (is_by_font && one.name != "font-size").then_some((one.name, (written, pixels)))
    });
    found.collect()
}

/// Checks that nothing else draws elements that changed.
fn unmoved(drawing: &Drawing, group: &str, edited: &[NodeId]) -> Result<()> {
    let nodes = &drawing.nodes;
    let own = edited.iter().filter_map(|id| nodes.referred_id(*id));
    let own: Vec<String> = own.map(std::borrow::Cow::into_owned).collect();
    if own.is_empty() {
        return Ok(());
    }
    for one in unlink::uses_of(drawing, &own) {
        let user = nodes.element(one.user);
        let draws = user.is_some_and(|user| {
            matches!(user.local_name(), "use" | "textPath" | "feImage" | "mpath")
        });
        if draws {
            let what = one.describe(drawing);
            bail!("{what}, which would change"; try: "ungroup {group} force:on")
        }
    }
    Ok(())
}

/// The references to a group itself.
fn uses_of(drawing: &Drawing, group: NodeId) -> Vec<Use> {
    let Some(id) = drawing.nodes.referred_id(group) else {
        return Vec::new();
    };
    unlink::uses_of(drawing, &[id.into_owned()])
}

/// The loss from removing a group, as a sentence; `None` if there is none.
fn lost(drawing: &Drawing, group: NodeId, uses: &[Use]) -> Option<String> {
    let nodes = &drawing.nodes;
    let (kind, name) = (nodes.kind_name(group), nodes.name(group));
    if let Some(one) = uses.first() {
        return Some(one.describe(drawing));
    }
    if matches!(kind, LAYER | BOX | LINK) {
        return Some(format!("{name} is a {kind}, which would no longer be one"));
    }
    let element = nodes.element(group)?;
    // Besides styles, these affect all content of a group.
    let condition = CONDITIONS.iter().chain(&["xml:base"]).find_map(|name| {
        let value = element.attr(name)?;
        Some(format!("{name} {}", nodes.shown_value(&value)))
    });
    if let Some(condition) = condition {
        return Some(format!(
            "{name} has {condition}, which its contents would lose"
        ));
    }
    let parent = nodes.tree().parent(group);
    if let Some(switch) = parent.filter(|id| nodes.is_called(*id, "switch")) {
        let switch = nodes.name(switch);
        return Some(format!("{name} is a choice of {switch}, which draws one"));
    }
    if let Some(effect) = effects(&drawing.styles(), group).first() {
        return Some(format!(
            "{name} has {effect}, which its contents would lose"
        ));
    }
    let moves = |id: &NodeId| {
        let element = nodes.element(*id);
        element.is_some_and(|element| {
            let is_animation =
                element.local_name() == "set" || element.local_name().starts_with("animate");
            // One with a link animates what that names.
            is_animation && !element.values().any(|(name, _)| is_href(name))
        })
    };
    let animated = nodes.tree().children(group).find(moves)?;
    let animation = nodes.tree().get(animated).and_then(Node::element)?;
    Some(format!("{name} is animated by {}", animation.name()))
}

/// The properties that a group has and that its contents do not inherit, with their values: effects
/// on all of them together.
pub fn effects(styles: &Styles<'_>, group: NodeId) -> Vec<String> {
    let apart = |one: &&Property| {
        let moves = matches!(one.name, "transform" | "transform-origin");
        !moves && !one.inherited && applies(styles.nodes(), group, one.name)
    };
    let own = property::all().iter().filter(apart);
    let own = own.filter_map(|one| {
        let specified = styles.specified(group, one.name)?;
        let is_set = specified.value.trim() != one.initial;
        is_set.then(|| format!("{} {}", one.name, specified.value))
    });
    own.collect()
}

/// The edits that add a group's transforms to one of its children: in front of the child's own and
/// with their spelling, if both are in attributes.
fn handed_down(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    group: NodeId,
    child: NodeId,
) -> Result<Vec<Edit>> {
    let list = editable(drawing, geometry, group)?;
    if let Some(fault) = list.fault() {
        let name = drawing.nodes.name(group);
        let repair = cleared(&name, &list);
        bail!("{name}: the transform is broken at {fault}"; try: "{repair}")
    }
    if list.items().is_empty() {
        return Ok(Vec::new());
    }
    let own = editable(drawing, geometry, child)?;
    let origins = [group, child].map(|id| geometry.transform_origin(id).to_vec2());
    let plain = |id: NodeId| {
        let origin = geometry.transform_source(id);
        origin.is_none_or(|origin| origin == Origin::Attribute)
    };
    let [there, here] = origins;
    let is_plain = plain(group) && plain(child) && there == kurbo::Vec2::ZERO && here == there;
    if is_plain && own.fault().is_none() && own.syntax() == Syntax::Attribute {
        let transform = |id: NodeId| drawing.nodes.attr(id, "transform").unwrap_or_default();
        let (outer, inner) = (transform(group), transform(child));
        let text = format!("{} {}", outer.trim(), inner.trim());
        return Ok(vec![Edit::transform(child, &own, text.trim().to_owned())]);
    }
    let whole = Affine::translate(there) * list.affine() * Affine::translate(-there);
    let change = Affine::translate(-here) * whole * Affine::translate(here);
    brought(drawing, geometry, child, change)
}
