//! Full descriptions of elements: position, geometry, appearance, and references from and to them.

use std::collections::{HashMap, HashSet};

use fcp::format::xml::{Kind, Node};

use crate::create::own_keys;
use crate::display::lines;
use crate::geometry::Geometry;
use crate::model::kind::Role;
use crate::model::{Drawing, LINK_FROM, LINK_TO, NodeId, aims};
use crate::path::Path;
use crate::property;
use crate::style::{Origin, Styles};
use crate::syntax::points::Points;

/// The most uses and users to list.
const NAMED: usize = 5;
/// The most characters of a value to show.
const SHOWN: usize = 100;

/// The description of an element.
pub struct Description<'d> {
    drawing: &'d Drawing,
    geometry: &'d Geometry<'d>,
    styles: &'d Styles<'d>,
    at: &'d HashMap<NodeId, usize>,
    lines: Vec<String>,
}

impl<'d> Description<'d> {
    /// An empty description; `at` has the line numbers of elements.
    pub fn new(
        drawing: &'d Drawing,
        geometry: &'d Geometry<'d>,
        styles: &'d Styles<'d>,
        at: &'d HashMap<NodeId, usize>,
    ) -> Self {
        Self {
            drawing,
            geometry,
            styles,
            at,
            lines: Vec::new(),
        }
    }

    /// The lines about an element.
    pub fn of(mut self, id: NodeId) -> Vec<String> {
        if self.drawing.nodes.declared_kind(id).is_some() {
            self.declaration(id);
            return self.lines;
        }
        self.place(id);
        self.boxes(id);
        self.properties(id);
        self.transforms(id);
        self.attributes(id);
        self.uses(id);
        self.children(id);
        self.lines
    }

    /// Describes a DOCTYPE, or an entity and its users.
    fn declaration(&mut self, id: NodeId) {
        let nodes = &self.drawing.nodes;
        let line = self.at.get(&id).copied().unwrap_or(1);
        self.lines
            .push(format!("{} line {line}", self.drawing.titled(id)));
        let Some(declared) = nodes.entity_decl(id) else {
            let raw = nodes.tree().get(id).and_then(Node::raw).unwrap_or_default();
            self.say("written", raw);
            let entities = nodes.entities();
            let names: Vec<String> = entities.map(|id| self.drawing.declaration(id)).collect();
            self.several("declares", &names);
            return;
        };
        match declared.text() {
            Some(text) => self.say("value", &text),
            None => self.say("value", "in another file, which is not read"),
        }
        self.several("used by", &self.drawing.entity_users(declared.name()));
    }

    fn say(&mut self, name: &str, value: &str) {
        let cut: String = value.chars().take(SHOWN).collect();
        let more = if cut.len() < value.len() { "…" } else { "" };
        self.lines.push(format!("  {name}: {cut}{more}"));
    }

    /// The name of an element, and its position.
    fn place(&mut self, id: NodeId) {
        let nodes = &self.drawing.nodes;
        let line = self.at.get(&id).copied().unwrap_or(1);
        let (title, inside) = (self.drawing.titled(id), self.drawing.container_suffix(id));
        self.lines.push(format!("{title} line {line}{inside}"));
        if let Some(label) = nodes.label(id) {
            self.say("label", &label);
        }
        let text = Some(id).filter(|id| matches!(nodes.kind_name(*id), "text" | "tspan"));
        if let Some(text) = text.or_else(|| nodes.box_label(id)) {
            let lines = self.drawing.lines(text).join(" / ");
            self.say("text", &lines);
        }
        if matches!(nodes.kind_name(id), "style" | "title" | "desc" | "metadata") {
            self.say("text", &nodes.text_of(id));
        }
    }

    fn boxes(&mut self, id: NodeId) {
        let precision = self.geometry.precision();
        for (name, found) in [
            ("box", self.geometry.bbox(id)),
            ("box with stroke", self.geometry.stroke_box(id)),
        ] {
            if let Some(found) = found {
                self.say(name, &lines::frame(found, precision));
            }
        }
    }

    /// The properties that are set anywhere; for graphics always the paint, and for texts the font
    /// size.
    fn properties(&mut self, id: NodeId) {
        let nodes = &self.drawing.nodes;
        let painted = nodes.painted(id);
        let graphic = nodes.role(id) == Role::Graphic || painted.is_some();
        let is_text = nodes.kind_name(id) == "text";
        for property in property::all() {
            let always = match property.name {
                "fill" | "stroke" => graphic,
                "font-size" => is_text,
                _ => false,
            };
            let mut found = self.styles.computed(id, property.name);
            if let Some(painted) = painted.filter(|_| found.origin == Origin::Initial) {
                found = self.styles.computed(painted, property.name);
            }
            if found.origin != Origin::Initial || always {
                let value = nodes.shown_value(found.value.trim());
                let origin = found.origin.label(nodes);
                let detail = format!("{value} ({origin})");
                self.say(property::short(property.name), &detail);
            }
        }
    }

    fn transforms(&mut self, id: NodeId) {
        let list = self.geometry.transforms(id);
        let from = match self.geometry.transform_source(id) {
            None | Some(Origin::Attribute) => String::new(),
            Some(origin) => format!(" ({})", origin.label(&self.drawing.nodes)),
        };
        for n in 1..=list.items().len() {
            if let Some(item) = list.spelling(n) {
                let detail = format!("{item}{from}");
                self.say(&format!("transform {n}"), &detail);
            }
        }
    }

    /// The geometry first, then the remaining attributes that no other line shows.
    fn attributes(&mut self, id: NodeId) {
        let nodes = &self.drawing.nodes;
        let Some(element) = nodes.element(id) else {
            return;
        };
        let kind = nodes.kind_name(id);
        let own = own_keys(kind);
        let values: Vec<(&str, String)> = element
            .values()
            .map(|(name, value)| (name, value.into_owned()))
            .collect();
        for (name, value) in values.iter().filter(|(name, _)| own.contains(name)) {
            self.say(name, value);
        }
        match kind {
            "path" => {
                let path = Path::parse(nodes.attr(id, "d").unwrap_or_default());
                let closed = if path.is_closed() { "closed" } else { "open" };
                let length = self.geometry.precision().spell(path.length());
                let count = path.segments().len();
                let detail = format!("{count}, {closed}, length {length}");
                self.say("segments", &detail);
            }
            "polygon" | "polyline" => {
                let points = Points::parse(nodes.attr(id, "points").unwrap_or_default());
                self.say("vertices", &points.vertices().len().to_string());
            }
            _ => {}
        }
        let known = |name: &str| {
            matches!(name, "id" | "style" | "transform")
                || own.contains(&name)
                || property::named(name).is_some()
        };
        for (name, value) in values.iter().filter(|(name, _)| !known(name)) {
            self.say(name, value);
        }
    }

    /// The references from an element, and to it.
    fn uses(&mut self, id: NodeId) {
        let drawing = self.drawing;
        let nodes = &drawing.nodes;
        let index = nodes.tree().index();
        let (mut uses, mut known) = (Vec::new(), HashSet::new());
        let element = nodes.element(id).into_iter();
        let values = element.flat_map(|own| own.values().map(move |value| (own, value)));
        for (element, (name, value)) in values {
            let ends = [LINK_FROM, LINK_TO].contains(&name);
            let end = Some(value.trim().to_owned()).filter(|_| ends);
            for aim in aims(element, name, &value).into_iter().chain(end) {
                let found = index.first_with_id(&aim);
                let target = found.map_or_else(
                    || format!("{aim}, which is missing"),
                    |found| drawing.titled(NodeId::new(found)),
                );
                let detail = format!("{target} ({name})");
                if known.insert(detail.clone()) {
                    uses.push(detail);
                }
            }
        }
        if nodes.is_sheet(id) {
            for aim in nodes.targets(id) {
                let found = index.first_with_id(&aim);
                let target = found.map_or_else(
                    || format!("{aim}, which is missing"),
                    |found| drawing.titled(NodeId::new(found)),
                );
                let detail = format!("{target} (css)");
                if known.insert(detail.clone()) {
                    uses.push(detail);
                }
            }
        }
        self.several("uses", &uses);
        let own = nodes.own_id(id).map(std::borrow::Cow::into_owned);
        let users = drawing.users(own.as_slice()).into_iter();
        let mut users: Vec<String> = users
            .map(|(user, name)| format!("{} ({name})", drawing.titled(user)))
            .collect();
        let links = own.iter().flat_map(|own| index.links_of(own));
        users.extend(links.map(|link| drawing.titled(NodeId::new(link))));
        self.several("used by", &users);
    }

    fn several(&mut self, name: &str, all: &[String]) {
        for one in all.iter().take(NAMED) {
            self.say(name, one);
        }
        if let Some(more) = all.len().checked_sub(NAMED).filter(|more| *more > 0) {
            self.say(name, &format!("… {more} more"));
        }
    }

    fn children(&mut self, id: NodeId) {
        let nodes = &self.drawing.nodes;
        let children = nodes.tree().children(id);
        let children: Vec<NodeId> = children
            .filter(|inner| nodes.element(*inner).is_some())
            .collect();
        if !children.is_empty() {
            let names = self.drawing.names_of(&children);
            self.say("children", &format!("{}: {names}", children.len()));
        }
        let inside = nodes
            .tree()
            .children(id)
            .filter_map(|id| nodes.tree().get(id));
        let pieces: Vec<String> = inside
            .filter(|node| matches!(node.kind(), Kind::Comment(_) | Kind::Instruction(_)))
            .filter_map(|node| Some(node.raw()?.split_whitespace().collect::<Vec<_>>().join(" ")))
            .collect();
        self.several("comment", &pieces);
    }
}

impl Drawing {
    /// The users of an entity: attributes, texts and other entities.
    #[must_use]
    pub fn entity_users(&self, name: &str) -> Vec<String> {
        let reference = format!("&{name};");
        let mut users = Vec::new();
        for user in self.nodes.tree().ids() {
            let Some(node) = self.nodes.tree().get(user) else {
                continue;
            };
            match node.kind() {
                Kind::Element(element) => {
                    let attrs = element.attrs().iter();
                    let own = attrs.filter(|attr| attr.raw_value().contains(&reference));
                    users
                        .extend(own.map(|attr| format!("{} ({})", self.titled(user), attr.name())));
                }
                Kind::Text(_) | Kind::Entity(_) => {
                    let raw = node.raw().unwrap_or_default();
                    let outer = self.nodes.tree().parent(user);
                    if let Some(outer) = outer.filter(|_| raw.contains(&reference)) {
                        users.push(format!("{} (text)", self.titled(outer)));
                    }
                }
                Kind::EntityDecl(other) if other.raw().contains(&reference) => {
                    users.push(format!("entity {}", other.name()));
                }
                _ => {}
            }
        }
        users
    }
}
