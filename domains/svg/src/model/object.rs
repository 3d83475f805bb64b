//! Kinds, roles and names of a drawing's elements.

use std::borrow::Cow;
use std::sync::Arc;

use fcp::format::xml::{self, Element, EntityDecl};
use fcp::model::{Level, Step, Tree};

use super::entity_markup;
use super::index::{LABEL, handle_kind};
use super::kind::{self, BOX, DOCTYPE, ENTITY, FOREIGN, LAYER, LINK, Role};
use super::{INKSCAPE, NodeId, Nodes};

/// The attribute that marks elements made by this domain from several others.
pub const MADE: &str = "data-fcp";
/// The attributes of a link with the ids of its ends.
pub const LINK_FROM: &str = "data-fcp-from";
/// See [`LINK_FROM`].
pub const LINK_TO: &str = "data-fcp-to";

/// The characters of a text, a comment or an entity.
#[must_use]
pub fn characters(node: &xml::Node) -> Option<Cow<'_, str>> {
    match node.kind() {
        xml::Kind::EntityDecl(declared) => declared.text(),
        xml::Kind::Comment(_) => node.comment_text().map(Into::into),
        _ => node.text(),
    }
}

impl Nodes {
    /// The root element.
    #[must_use]
    pub fn root(&self) -> Option<NodeId> {
        self.tree().index().root().map(NodeId::new)
    }

    /// An element, if the node is one.
    #[must_use]
    pub fn element(&self, id: NodeId) -> Option<&Element> {
        self.tree().get(id)?.element()
    }

    /// Whether an element contains text directly, or is there for it.
    #[must_use]
    pub fn holds_text(&self, id: NodeId) -> bool {
        let tree = self.tree();
        let is_text = |inner: NodeId| {
            let kind = tree.get(inner).map(xml::Node::kind);
            matches!(kind, Some(xml::Kind::Text(_) | xml::Kind::CData(_)))
        };
        let mut kinds = ["text", "tspan", "title", "desc", "style"].iter();
        kinds.any(|kind| self.is_called(id, kind)) || tree.children(id).any(is_text)
    }

    /// The value of an attribute, with references expanded.
    #[must_use]
    pub fn attr(&self, id: NodeId, name: &str) -> Option<Cow<'_, str>> {
        self.element(id)?.attr(name)
    }

    /// Whether an element belongs to SVG. In a drawing whose root has no namespace, elements
    /// without one do.
    #[must_use]
    pub fn is_svg(&self, id: NodeId) -> bool {
        self.svg_element(id).is_some()
    }

    /// An element that belongs to SVG; see [`Self::is_svg`].
    #[must_use]
    pub fn svg_element(&self, id: NodeId) -> Option<&Element> {
        self.element(id).filter(|element| self.is_own(id, element))
    }

    /// See [`Self::is_svg`].
    pub(crate) fn is_own(&self, id: NodeId, element: &Element) -> bool {
        let bindings = self.tree().index().bindings();
        let is_plain = self.root().is_some_and(|root| bindings.is_plain(root));
        if is_plain && !element.name().contains(':') {
            return true;
        }
        let is_svg = |id: NodeId, element: &Element| {
            let (prefix, _) = element.name().split_once(':').unwrap_or_default();
            self.is_bound_to_svg(id, prefix)
        };
        is_svg(id, element).unwrap_or_else(|| {
            let root = self
                .root()
                .and_then(|root| Some((root, self.element(root)?)));
            root.is_some_and(|(root, element)| is_svg(root, element).is_none())
        })
    }

    /// The kind of an element in replies, and in qualified references to it.
    #[must_use]
    pub fn kind_name(&self, id: NodeId) -> &'static str {
        if let Some(declared) = self.declared_kind(id) {
            return declared;
        }
        let element = self.element(id).filter(|element| self.is_own(id, element));
        let Some(element) = element else {
            return FOREIGN;
        };
        let Some(kind) = kind::of_element(element.local_name()) else {
            return FOREIGN;
        };
        if kind.element != "g" {
            return kind.name;
        }
        match element.attr(MADE).as_deref() {
            Some("box") => BOX,
            Some("link") => LINK,
            _ if self.is_layer(id, element) => LAYER,
            _ => kind.name,
        }
    }

    fn is_layer(&self, id: NodeId, element: &Element) -> bool {
        element.values().any(|(name, value)| {
            name.ends_with(":groupmode")
                && value == "layer"
                && xml::attr_namespace(self.tree(), id, name).is_some_and(|uri| uri == INKSCAPE)
        })
    }

    /// The role of an element: from its kind, and whether it is in a definition.
    #[must_use]
    pub fn role(&self, id: NodeId) -> Role {
        let own = match self.element(id).filter(|element| self.is_own(id, element)) {
            Some(element) => kind::of_element(element.local_name()).map_or(Role::Part, |k| k.role),
            None => Role::Part,
        };
        match own {
            Role::Graphic | Role::Container if self.is_defined(id) => Role::Part,
            own => own,
        }
    }

    /// Whether an element is inside a definition or `<defs>`.
    #[must_use]
    pub fn is_defined(&self, id: NodeId) -> bool {
        let holds = |outer: NodeId| {
            let outer = self.element(outer);
            outer.is_some_and(|outer| kind::holds_definitions(outer.local_name()))
        };
        self.tree().index().has_definitions() && self.tree().ancestors(id).any(holds)
    }

    /// Whether selectors include an element by default: drawn elements and their containers, except
    /// the root.
    #[must_use]
    pub fn is_object(&self, id: NodeId) -> bool {
        self.root() != Some(id) && matches!(self.role(id), Role::Graphic | Role::Container)
    }

    /// An element's label: the one Inkscape shows, or else its `<title>`. The root's title is the
    /// drawing's.
    #[must_use]
    pub fn label(&self, id: NodeId) -> Option<Cow<'_, str>> {
        if let Some(label) = self.attr(id, LABEL).filter(|label| !label.is_empty()) {
            return Some(label);
        }
        if self.root() == Some(id) {
            return None;
        }
        let title = self.child_called(id, "title")?;
        let text = self.text_of(title);
        (!text.is_empty()).then_some(Cow::Owned(text))
    }

    /// Whether an element has a local name, in any namespace.
    #[must_use]
    pub fn is_called(&self, id: NodeId, local: &str) -> bool {
        let element = self.element(id);
        element.is_some_and(|element| element.local_name() == local)
    }

    /// The first child element with a local name.
    #[must_use]
    pub fn child_called(&self, id: NodeId, local: &str) -> Option<NodeId> {
        let mut children = self.tree().children(id);
        children.find(|id| self.is_called(*id, local))
    }

    /// The shape of a box: its first drawn child that is not a text. `None` if the element is not a
    /// box.
    #[must_use]
    pub fn box_shape(&self, id: NodeId) -> Option<NodeId> {
        let shape =
            |child: &NodeId| self.kind_name(*child) != "text" && self.role(*child) == Role::Graphic;
        let own = (self.kind_name(id) == BOX).then_some(id)?;
        self.tree().children(own).find(shape)
    }

    /// The element that paints a box or a link: its shape or line. `None` for other elements.
    #[must_use]
    pub fn painted(&self, id: NodeId) -> Option<NodeId> {
        match self.kind_name(id) {
            BOX => self.box_shape(id),
            LINK => self.child_called(id, "path"),
            _ => None,
        }
    }

    /// The label text of a box. `None` if the element is not a box.
    #[must_use]
    pub fn box_label(&self, id: NodeId) -> Option<NodeId> {
        let own = (self.kind_name(id) == BOX).then_some(id)?;
        self.child_called(own, "text")
    }

    /// The text whose lines an object shows: itself, or the label of a box or a link.
    #[must_use]
    pub fn shown_text(&self, id: NodeId) -> Option<NodeId> {
        match self.kind_name(id) {
            "text" => Some(id),
            BOX => self.box_label(id),
            LINK => self.child_called(id, "text"),
            _ => None,
        }
    }

    /// Whether an element is a style sheet.
    #[must_use]
    pub fn is_sheet(&self, id: NodeId) -> bool {
        self.is_called(id, "style")
    }

    /// The ids that an element refers to, including those in a style sheet's text.
    #[must_use]
    pub fn targets(&self, id: NodeId) -> Vec<String> {
        let mut found = self.element(id).map(super::targets).unwrap_or_default();
        if self.is_sheet(id) {
            let content = self.sheet_references(id).into_iter().map(|(one, _)| one);
            found.extend(content.filter(|one| one.refers).map(|one| one.id));
        }
        found
    }

    /// The DOCTYPE.
    #[must_use]
    pub fn doctype(&self) -> Option<NodeId> {
        let mut top = self.tree().children(Tree::<xml::Node, super::Index>::ROOT);
        top.find(|id| {
            let node = self.tree().get(*id);
            node.is_some_and(|node| matches!(node.kind(), xml::Kind::Doctype(_)))
        })
    }

    /// The declarations of entities in the DOCTYPE, without parameter entities.
    pub fn entities(&self) -> impl Iterator<Item = NodeId> + '_ {
        let inside = self
            .doctype()
            .into_iter()
            .flat_map(|id| self.tree().children(id));
        inside.filter(|id| self.entity_decl(*id).is_some())
    }

    /// The declaration of a general entity, if the node is one.
    #[must_use]
    pub fn entity_decl(&self, id: NodeId) -> Option<&EntityDecl> {
        let declared = self.tree().get(id)?.entity_decl();
        declared.filter(|declared| !declared.is_parameter())
    }

    /// The declaration in effect for an entity name.
    #[must_use]
    pub fn entity(&self, name: &str) -> Option<NodeId> {
        let mut declared = self.entities();
        declared.find(|id| self.entity_decl(*id).is_some_and(|one| one.name() == name))
    }

    /// The style sheet that contains a text, if it is in one.
    #[must_use]
    pub fn sheet_of(&self, text: NodeId) -> Option<NodeId> {
        let own = self.element(text).is_none();
        self.tree()
            .parent(text)
            .filter(|outer| own && self.is_sheet(*outer))
    }

    /// The text in an element at any depth, also from entities, without surrounding whitespace.
    #[must_use]
    pub fn text_of(&self, id: NodeId) -> String {
        let mut text = String::new();
        self.read_text(id, |_, piece| text.push_str(piece));
        text.trim().to_owned()
    }

    /// Passes the pieces of the text in an element to `read`, in order, also those from entities.
    /// With each is the step of its node; `None` for whitespace before a node.
    pub(crate) fn read_text(&self, id: NodeId, mut read: impl FnMut(Option<Step<NodeId>>, &str)) {
        for step in self.tree().walk(id) {
            let (Step::Enter(inner) | Step::Leave(inner)) = step;
            let Some(node) = self.tree().get(inner) else {
                continue;
            };
            if let Step::Leave(_) = step {
                read(Some(step), node.element().map_or("", Element::trail));
                continue;
            }
            read(None, node.lead());
            match entity_markup::text_of(node) {
                Some(inner) => read(Some(step), &inner),
                None => read(Some(step), &node.text().unwrap_or_default()),
            }
        }
    }

    /// An element's `id`, if it is unique.
    #[must_use]
    pub fn own_id(&self, id: NodeId) -> Option<Cow<'_, str>> {
        let own = self.attr(id, "id").filter(|own| !own.is_empty())?;
        (self.tree().index().count_of_id(&own) == 1).then_some(own)
    }

    /// An element's `id`, if references to it mean this element: of several with one id, the first.
    #[must_use]
    pub fn referred_id(&self, id: NodeId) -> Option<Cow<'_, str>> {
        let own = self.attr(id, "id").filter(|own| !own.is_empty())?;
        (self.first_called(&own) == Some(id)).then_some(own)
    }

    /// `circle~2`: a name for an element that does not depend on other names. It stays if the
    /// element's kind changes.
    #[must_use]
    pub fn handle(&self, id: NodeId) -> String {
        let kind = self.element(id).map_or(FOREIGN, handle_kind);
        let index = self.tree().index();
        let number = index.numbers().number(kind, id.number());
        let (kind, number) = number
            .map(|number| (kind, number))
            .or_else(|| index.numbers().first_number(id.number()))
            .unwrap_or((kind, 0));
        format!("{kind}~{number}")
    }

    /// The kind of a row that is not an element: the DOCTYPE, or an entity that it declares.
    #[must_use]
    pub fn declared_kind(&self, id: NodeId) -> Option<&'static str> {
        match self.tree().get(id)?.kind() {
            xml::Kind::Doctype(_) => Some(DOCTYPE),
            xml::Kind::EntityDecl(declared) if !declared.is_parameter() => Some(ENTITY),
            _ => None,
        }
    }

    /// All rows that are not elements.
    pub fn declared(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.doctype().into_iter().chain(self.entities())
    }

    /// The rows that are not elements and match a name at a level: `soft` and `&soft;` for an
    /// entity.
    pub(super) fn declared_as(&self, text: &str, level: Level) -> Vec<u32> {
        let bare = text
            .strip_prefix('&')
            .and_then(|text| text.strip_suffix(';'));
        let called = |id: &NodeId| match self.entity_decl(*id) {
            Some(declared) => level.matches(declared.name(), bare.unwrap_or(text)),
            None => level.matches("DOCTYPE", text),
        };
        self.declared().filter(called).map(NodeId::number).collect()
    }

    /// The name of an element: its `id`, or its handle if the id is missing, not unique or hard to
    /// write. A text or comment has the name of its element.
    #[must_use]
    pub fn name(&self, id: NodeId) -> String {
        let id = match self.tree().parent(id) {
            Some(outer) if self.element(id).is_none() && self.element(outer).is_some() => outer,
            _ => id,
        };
        match self.tree().get(id).map(xml::Node::kind) {
            Some(xml::Kind::EntityDecl(declared)) => {
                return format!("{ENTITY}:{}", declared.name());
            }
            Some(xml::Kind::Doctype(_)) => return "DOCTYPE".to_owned(),
            _ => {}
        }
        let plain = |name: &Cow<'_, str>| {
            let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
            name.chars().all(plain) && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        };
        let means_it = |name: &Cow<'_, str>| self.called(name, Level::Exact) == [id.number()];
        match self.own_id(id).filter(plain).filter(means_it) {
            Some(own) => own.into_owned(),
            None => self.handle(id),
        }
    }

    /// The name of an element, as in [`Self::name`], cached for repeated requests.
    #[must_use]
    pub fn name_once(&self, id: NodeId) -> Arc<str> {
        let known = self.derived().name(id);
        known.unwrap_or_else(|| {
            let name: Arc<str> = self.name(id).into();
            self.derived().keep_name(id, &name);
            name
        })
    }

    /// The element with a handle.
    #[must_use]
    pub fn with_handle(&self, text: &str) -> Option<NodeId> {
        let (kind, number) = text.rsplit_once('~')?;
        let number = number.parse().ok()?;
        let id = NodeId::new(self.tree().index().numbers().numbered(kind, number)?);
        self.tree().contains(id).then_some(id)
    }

    /// The elements that match a name at a level, in order of creation.
    #[must_use]
    pub fn called(&self, text: &str, level: Level) -> Vec<u32> {
        let index = self.tree().index();
        // A handle means its element even if another has it as its id: tables name elements by it.
        if level == Level::Exact
            && let Some(handled) = self.with_handle(text)
        {
            return vec![handled.number()];
        }
        let mut found = index.with_id(text, level);
        if level == Level::Exact {
            // Ids take precedence over labels, since references use them.
            if !found.is_empty() {
                found.sort_unstable();
                found.dedup();
                return found;
            }
        }
        found.extend(index.with_label(text, level));
        for title in index.titles_like(text, level) {
            let title = NodeId::new(title);
            let Some(titled) = self.tree().parent(title) else {
                continue;
            };
            if self.attr(titled, LABEL).is_none()
                && self
                    .label(titled)
                    .is_some_and(|label| level.matches(&label, text))
            {
                found.push(titled.number());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl super::index::Index {
    /// The number of elements with exactly this `id`.
    #[must_use]
    pub fn count_of_id(&self, text: &str) -> usize {
        self.ids.count(text)
    }
}
