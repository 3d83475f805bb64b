//! Parses a text into nodes.

use rustc_hash::FxHashSet;

use super::chars::{is_name_char, is_space};
use super::declared::EntityDecl;
use super::doctype::{Piece, doctype};
use super::element::{Element, End};
use super::entity::{Entities, Expansion, Reference, Within, reference};
use super::error::{Fault, Reason, XmlError};
use super::limits::Limits;
use super::node::{Doctype, EntityRef, Kind, Node, Run};
use super::scan::{Scan, forbidden};
use super::scope::Scope;
use super::slice::{Slice, Source};
use crate::diag::Result;
use crate::model::{Id, RowIndex, Tree};

/// Reads a document that [`crate::format`] has decoded, without its byte order mark.
///
/// # Errors
/// The text is not well-formed, or exceeds a limit; see [`Reason`].
pub fn read(text: String, limits: &Limits) -> Result<Fragment, XmlError> {
    Fragment::of(text, |source| {
        let mut reader = Reader::new(source, limits, None, Scope::default());
        reader.whole = true;
        reader.document()?;
        Ok(reader.items)
    })
}

/// Nodes that are not yet in a tree.
#[derive(Debug)]
pub struct Fragment(Vec<Item>);

/// A node, and its parent's index in the list.
#[derive(Debug)]
pub(super) struct Item {
    pub node: Node,
    pub parent: Option<usize>,
}

impl Fragment {
    fn of(
        text: String,
        read: impl FnOnce(&Source) -> Result<Vec<Item>, Fault>,
    ) -> Result<Self, XmlError> {
        let Some(source) = Source::new(text) else {
            return Err(Fault::new(0, Reason::TooLong).placed(""));
        };
        let read = read(&source);
        let fault = match (read, forbidden(source.text())) {
            (Ok(items), None) => return Ok(Self(items)),
            (Err(fault), Some(other)) if fault.at <= other.at => fault,
            (_, Some(fault)) | (Err(fault), None) => fault,
        };
        Err(fault.placed(source.text()))
    }

    /// Reads the content of an element, with the bindings and entities in effect there.
    pub(super) fn of_content(
        text: String,
        limits: &Limits,
        entities: Option<&Entities>,
        scope: Scope,
        depth: usize,
    ) -> Result<Self, XmlError> {
        Self::of(text, |source| {
            let mut reader = Reader::new(source, limits, entities.cloned(), scope);
            reader.depth = depth;
            reader.content()?;
            Ok(reader.items)
        })
    }

    /// Reads the text of an entity.
    pub(super) fn of_entity(
        entity: &EntityRef,
        limits: &Limits,
        bound: impl Fn(&str) -> bool,
    ) -> Result<Self, XmlError> {
        Self::of(entity.text().to_owned(), |source| {
            let entities = Some(entity.entities.clone());
            let mut reader = Reader::new(source, limits, entities, Scope::default());
            reader.bound = Some(&bound);
            reader.content()?;
            Ok(reader.items)
        })
    }

    /// The same nodes with whitespace before the first, if it is not a text and has none.
    #[must_use]
    pub(super) fn led_by(mut self, lead: &str) -> Self {
        if let Some(first) = self.0.first_mut()
            && first.node.lead().is_empty()
            && !matches!(first.node.kind(), Kind::Text(_))
        {
            first.node = first.node.clone().led_by(lead);
        }
        self
    }

    /// The number of nodes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every node in order, with its parent's index in this order.
    pub fn nodes(&self) -> impl Iterator<Item = (&Node, Option<usize>)> {
        self.0.iter().map(|item| (&item.node, item.parent))
    }

    /// Adds the nodes to a tree, as children of `parent`, before one of them or last. Returns the
    /// ids of the top-level nodes.
    ///
    /// # Errors
    /// `parent` does not exist, or `before` is not one of its children.
    pub fn place<I: RowIndex<Node>>(
        self,
        tree: &mut Tree<Node, I>,
        parent: Id<Node>,
        before: Option<Id<Node>>,
    ) -> Result<Vec<Id<Node>>> {
        let mut ids: Vec<Id<Node>> = Vec::with_capacity(self.0.len());
        let mut top = Vec::new();
        // A whole document comes at once; later insertions use the room there is.
        if tree.is_empty() {
            tree.reserve(self.0.len());
        }
        for item in self.0 {
            let id = match item.parent.and_then(|at| ids.get(at)) {
                Some(parent) => tree.insert(item.node, *parent, None)?,
                None => {
                    let id = tree.insert(item.node, parent, before)?;
                    top.push(id);
                    id
                }
            };
            ids.push(id);
        }
        Ok(top)
    }
}

pub(super) type Step<T> = std::result::Result<T, Fault>;

/// An element that is not closed yet.
pub(super) struct Open<'a> {
    pub item: usize,
    pub name: &'a str,
    /// Its start.
    pub at: usize,
    /// The mark of the scope before it.
    pub mark: usize,
}

/// Reads a text from beginning to end.
pub(super) struct Reader<'a> {
    pub source: &'a Source,
    pub limits: &'a Limits,
    pub scan: Scan<'a>,
    pub items: Vec<Item>,
    pub open: Vec<Open<'a>>,
    pub scope: Scope,
    /// An additional test of whether a prefix is bound.
    pub bound: Option<&'a dyn Fn(&str) -> bool>,
    pub entities: Option<Entities>,
    /// The names, places and values of the attributes of the current tag.
    pub attrs: Vec<(&'a str, usize, &'a str)>,
    /// The same names, if there are many.
    pub seen: FxHashSet<&'a str>,
    /// The number of bytes that references to entities may still expand to.
    pub left: usize,
    /// The number of nodes in expanded entities.
    nodes: usize,
    /// The depth at which the text begins.
    pub depth: usize,
    /// Whether the text is a whole document.
    whole: bool,
    rooted: bool,
}

impl<'a> Reader<'a> {
    fn new(
        source: &'a Source,
        limits: &'a Limits,
        entities: Option<Entities>,
        scope: Scope,
    ) -> Self {
        Self {
            source,
            limits,
            scan: Scan::new(source.text()),
            items: Vec::new(),
            open: Vec::new(),
            scope,
            bound: None,
            entities,
            attrs: Vec::new(),
            seen: FxHashSet::default(),
            left: limits.entity_bytes,
            nodes: 0,
            depth: 0,
            whole: false,
            rooted: false,
        }
    }

    fn document(&mut self) -> Step<()> {
        let rest = self.scan.rest().strip_prefix("<?xml");
        if rest.is_some_and(|rest| !rest.starts_with(is_name_char)) {
            self.scan.declaration()?;
            let raw = self.source.slice(0..self.scan.at);
            self.add(Node::new(Slice::default(), Kind::Declaration(raw)))?;
        }
        self.content()?;
        if !self.rooted {
            return self.scan.fault(Reason::NoRoot);
        }
        Ok(())
    }

    /// Reads the whole text.
    fn content(&mut self) -> Step<()> {
        loop {
            let start = self.scan.at;
            self.scan.spaces();
            match self.scan.peek() {
                None => break self.end(start)?,
                Some(b'<') => self.markup(start)?,
                Some(_) => self.text(start)?,
            }
        }
        match self.open.last() {
            Some(open) => Err(Fault::new(open.at, Reason::Unclosed(open.name.to_owned()))),
            None => Ok(()),
        }
    }

    /// Whitespace at the end of the text.
    fn end(&mut self, start: usize) -> Step<()> {
        if start < self.scan.at && self.open.is_empty() {
            self.add_run(start, self.scan.at, false)?;
        }
        Ok(())
    }

    pub(super) fn add(&mut self, node: Node) -> Step<usize> {
        if self.nodes + self.items.len() >= self.limits.nodes {
            return self.scan.fault(Reason::Nodes(self.limits.nodes));
        }
        let parent = self.open.last().map(|open| open.item);
        self.items.push(Item { node, parent });
        Ok(self.items.len() - 1)
    }

    fn add_run(&mut self, start: usize, end: usize, refers: bool) -> Step<()> {
        let run = Run {
            raw: self.source.slice(start..end),
            entities: self.entities.clone().filter(|_| refers),
        };
        self.add(Node::new(Slice::default(), Kind::Text(run)))
            .map(drop)
    }

    const fn outside(&self) -> bool {
        self.whole && self.open.is_empty()
    }

    /// Markup, with the whitespace before it from `start`.
    fn markup(&mut self, start: usize) -> Step<()> {
        let at = self.scan.at;
        let lead = self.source.slice(start..at);
        let kind: fn(Slice) -> Kind = match self.scan.text.as_bytes().get(at + 1) {
            Some(b'/') => return self.end_tag(start),
            Some(b'?') => {
                self.scan.instruction()?;
                Kind::Instruction
            }
            Some(b'!') if self.scan.sees("<!--") => {
                self.scan.comment()?;
                Kind::Comment
            }
            Some(b'!') if self.scan.take("<![CDATA[") => {
                if self.outside() {
                    return Err(Fault::new(at, Reason::OutsideRoot));
                }
                self.scan.until("]]>", "a CDATA section")?;
                Kind::CData
            }
            Some(b'!') if self.scan.sees("<!DOCTYPE") => return self.doctype(lead),
            _ => {
                if self.outside() && std::mem::replace(&mut self.rooted, true) {
                    return Err(Fault::new(at, Reason::OutsideRoot));
                }
                return self.start_tag(lead);
            }
        };
        let raw = self.source.slice(at..self.scan.at);
        self.add(Node::new(lead, kind(raw))).map(drop)
    }

    fn doctype(&mut self, lead: Slice) -> Step<()> {
        let at = self.scan.at;
        if !self.outside() || self.rooted || self.entities.is_some() {
            return Err(Fault::new(at, Reason::LateDoctype));
        }
        let read = doctype(&mut self.scan)?;
        self.entities = Some(read.entities.clone());
        let end = self.scan.at;
        let doctype = Doctype {
            head: self.source.slice(at..read.open.unwrap_or(end)),
            tail: self.source.slice(match read.open {
                Some(_) => read.close..end,
                None => end..end,
            }),
            entities: read.entities,
        };
        let outer = self.add(Node::new(lead, Kind::Doctype(doctype)))?;
        for (space, range, piece) in read.pieces {
            let lead = self.source.slice(space..range.start);
            let raw = self.source.slice(range);
            let kind = match piece {
                Piece::Comment => Kind::Comment(raw),
                Piece::Instruction => Kind::Instruction(raw),
                Piece::Entity => Kind::EntityDecl(EntityDecl::read(raw)),
                Piece::Other => Kind::Markup(raw),
            };
            let inner = self.add(Node::new(lead, kind))?;
            if let Some(item) = self.items.get_mut(inner) {
                item.parent = Some(outer);
            }
        }
        Ok(())
    }

    fn end_tag(&mut self, start: usize) -> Step<()> {
        let at = self.scan.at;
        self.scan.expect("</")?;
        let name = self.scan.qualified()?;
        self.scan.spaces();
        self.scan.expect(">")?;
        let fault = |reason| Err(Fault::new(at, reason));
        let Some(open) = self.open.pop() else {
            return fault(Reason::StrayEnd(name.to_owned()));
        };
        if open.name != name {
            return fault(Reason::Mismatch {
                open: open.name.to_owned(),
                close: name.to_owned(),
            });
        }
        self.scope.release(open.mark);
        let tag = self.source.slice(start..self.scan.at);
        let item = self.items.get_mut(open.item);
        if let Some(Element { end, .. }) = item.and_then(|item| item.node.element_mut()) {
            *end = End::Tag(tag);
        }
        Ok(())
    }

    /// Text from `start` to the next markup.
    fn text(&mut self, start: usize) -> Step<()> {
        if self.outside() {
            return self.scan.fault(Reason::OutsideRoot);
        }
        let mut refers = false;
        loop {
            let stop = |byte| matches!(byte, b'<' | b'&' | b']');
            let plain = self.scan.rest().bytes().position(stop);
            self.scan.at += plain.unwrap_or(self.scan.rest().len());
            let at = self.scan.at;
            match self.scan.peek() {
                Some(b'&') => {
                    let rest = self.scan.rest();
                    let (len, found) = reference(rest).map_err(|reason| Fault::new(at, reason))?;
                    if let Reference::Entity(_) = found {
                        if self.is_markup(&rest[..len])? {
                            return self.entity(start, len, refers);
                        }
                        refers = true;
                    }
                    self.scan.at += len;
                }
                Some(b']') if self.scan.sees("]]>") => return self.scan.fault(Reason::CDataEnd),
                Some(b']') => self.scan.at += 1,
                _ => break,
            }
        }
        self.add_run(start, self.scan.at, refers)
    }

    /// Whether a referenced entity contains markup. Counts the bytes it expands to.
    fn is_markup(&mut self, raw: &str) -> Step<bool> {
        let mut expansion = self.expansion(Within::Content);
        let added = expansion.add(raw);
        let (left, markup) = (expansion.left(), expansion.markup);
        self.left = left;
        added.map_err(|fault| Fault::new(self.scan.at, fault.reason))?;
        Ok(markup)
    }

    pub(super) fn expansion(&self, within: Within) -> Expansion<'_> {
        let Limits {
            entity_depth,
            entity_bytes,
            ..
        } = *self.limits;
        let entities = self.entities.as_ref();
        Expansion::new(within, entities, entity_depth, self.left, entity_bytes)
    }

    /// An attribute's decoded value. Counts the bytes that entities expand to.
    pub(super) fn value(&mut self, at: usize, raw: &str) -> Step<String> {
        let mut expansion = self.expansion(Within::Value);
        let added = expansion.add(raw);
        let (left, text) = (expansion.left(), std::mem::take(&mut expansion.text));
        self.left = left;
        added.map_err(|fault| Fault::new(at + fault.at, fault.reason))?;
        Ok(text)
    }

    /// A reference to an entity with markup, and the text before it.
    fn entity(&mut self, start: usize, len: usize, refers: bool) -> Step<()> {
        let at = self.scan.at;
        let before = self.scan.text.get(start..at).unwrap_or("");
        let lead = if before.bytes().all(is_space) {
            self.source.slice(start..at)
        } else {
            self.add_run(start, at, refers)?;
            Slice::default()
        };
        self.scan.at += len;
        let entity = EntityRef {
            raw: self.source.slice(at..self.scan.at),
            entities: self.entities.clone().unwrap_or_default(),
        };
        self.check(at, &entity)?;
        self.add(Node::new(lead, Kind::Entity(entity))).map(drop)
    }

    /// Checks that an entity's text is well-formed. Recurses once for each entity within an entity,
    /// whose depth was found to be within the limit.
    fn check(&mut self, at: usize, entity: &EntityRef) -> Step<()> {
        let Some(source) = Source::new(entity.text().to_owned()) else {
            return self.scan.fault(Reason::TooLong);
        };
        let scope = std::mem::take(&mut self.scope);
        let mut inner = Reader::new(&source, self.limits, self.entities.clone(), scope);
        inner.bound = self.bound;
        inner.depth = self.depth + self.open.len();
        inner.nodes = self.nodes + self.items.len();
        let read = inner.content();
        self.nodes += inner.items.len();
        self.scope = inner.scope;
        read.map_err(|fault| match fault.reason {
            reason if reason.is_limit() => Fault::new(at, reason),
            reason => Fault::new(
                at,
                Reason::InEntity(entity.name().to_owned(), Box::new(reason)),
            ),
        })
    }
}
