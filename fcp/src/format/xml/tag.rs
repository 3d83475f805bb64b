//! Start tags: attributes, and the namespaces they bind.

use std::collections::BTreeSet;

use super::attr::{Attr, Attrs};
use super::element::{Element, End};
use super::error::{Fault, Reason};
use super::node::{Kind, Node};
use super::read::{Open, Reader, Step};
use super::scope::{XML, XMLNS, declared, split};
use super::slice::Slice;

/// The number of attributes from which names are looked up instead of compared pairwise.
const MANY: usize = 12;

impl<'a> Reader<'a> {
    /// A start tag, after the whitespace before it.
    pub(super) fn start_tag(&mut self, lead: Slice) -> Step<()> {
        let at = self.scan.at;
        self.scan.expect("<")?;
        let name = self.scan.qualified()?;
        let name_at = at + 1..self.scan.at;
        self.attrs.clear();
        let (mut attrs, mut refers) = (Vec::new(), false);
        let (gap, empty) = loop {
            let start = self.scan.at;
            let spaced = self.scan.spaces();
            let gap = start..self.scan.at;
            match self.scan.peek() {
                None => return Err(Fault::new(at, Reason::Ends("a tag"))),
                Some(b'>') => {
                    self.scan.at += 1;
                    break (gap, false);
                }
                Some(b'/') => {
                    self.scan.expect("/>")?;
                    break (gap, true);
                }
                Some(_) if !spaced => return self.scan.fault(Reason::Expected("white space")),
                Some(_) => {
                    refers |= self.attr()?;
                    attrs.push(Attr::read(self.source.slice(start..self.scan.at)));
                }
            }
        };
        self.distinct()?;
        let mark = self.scope.mark();
        let plain = |name: &str| name != "xmlns" && !name.contains(':');
        if !plain(name) || !self.attrs.iter().all(|(name, ..)| plain(name)) {
            self.bind(at, name)?;
        }
        let element = Element {
            name: self.source.slice(name_at),
            attrs: Attrs::from_iter(attrs),
            gap: self.source.slice(gap),
            end: End::Empty,
            entities: self.entities.clone().filter(|_| refers),
        };
        if self.depth + self.open.len() >= self.limits.depth {
            return Err(Fault::new(at, Reason::Depth(self.limits.depth)));
        }
        let item = self.add(Node::new(lead, Kind::Element(element)))?;
        if empty {
            self.scope.release(mark);
        } else {
            let open = Open {
                item,
                name,
                at,
                mark,
            };
            self.open.push(open);
        }
        Ok(())
    }

    /// An attribute, after the whitespace before it. Returns whether it refers to entities of the
    /// document.
    fn attr(&mut self) -> Step<bool> {
        let at = self.scan.at;
        let name = self.scan.qualified()?;
        if self.attrs.len() >= self.limits.attributes {
            return Err(Fault::new(at, Reason::Attributes(self.limits.attributes)));
        }
        self.scan.spaces();
        self.scan.expect("=")?;
        self.scan.spaces();
        let quote = match self.scan.peek() {
            Some(quote @ (b'"' | b'\'')) => quote,
            _ => return self.scan.fault(Reason::Expected("a quote")),
        };
        self.scan.at += 1;
        let (start, mut special) = (self.scan.at, false);
        let text = self.scan.text;
        let Some(bytes) = text.as_bytes().get(start..) else {
            return self.scan.fault(Reason::Ends("an attribute's value"));
        };
        let end = bytes.iter().position(|byte| {
            special |= *byte == b'&';
            *byte == quote || *byte == b'<'
        });
        let Some(len) = end else {
            return Err(Fault::new(at, Reason::Ends("an attribute's value")));
        };
        self.scan.at += len;
        if self.scan.peek() == Some(b'<') {
            return self.scan.fault(Reason::LessInValue);
        }
        self.scan.at += 1;
        let value = text.get(start..start + len).unwrap_or("");
        self.attrs.push((name, at, value));
        if !special {
            return Ok(false);
        }
        let left = self.left;
        self.value(start, value)?;
        Ok(self.left < left)
    }

    /// Checks that no two attributes have the same name.
    fn distinct(&mut self) -> Step<()> {
        let twice = |(name, at, _): &(&str, usize, &str)| {
            Fault::new(*at, Reason::DuplicateAttribute((*name).to_owned()))
        };
        if self.attrs.len() < MANY {
            for (ix, attr) in self.attrs.iter().enumerate() {
                if self.attrs[..ix].iter().any(|(name, ..)| *name == attr.0) {
                    return Err(twice(attr));
                }
            }
            return Ok(());
        }
        self.seen.clear();
        match self.attrs.iter().find(|(name, ..)| !self.seen.insert(name)) {
            Some(attr) => Err(twice(attr)),
            None => Ok(()),
        }
    }

    /// Binds the prefixes that a tag declares, and checks those that it uses.
    fn bind(&mut self, at: usize, name: &'a str) -> Step<()> {
        let attrs = std::mem::take(&mut self.attrs);
        for (name, at, raw) in &attrs {
            if let Some(prefix) = declared(name) {
                let uri = self.value(*at, raw)?;
                let fault = |reason| Err(Fault::new(*at, reason));
                let xml = prefix == "xml";
                if prefix == "xmlns" || uri == XMLNS || xml != (uri == XML) {
                    return fault(Reason::ReservedName((*name).to_owned()));
                }
                if uri.is_empty() && !prefix.is_empty() {
                    return fault(Reason::EmptyNamespace(prefix.to_owned()));
                }
                self.scope.bind(prefix, &uri);
            }
        }
        let (prefix, _) = split(name);
        if prefix == "xmlns" {
            return Err(Fault::new(at, Reason::ReservedName(name.to_owned())));
        }
        self.look_up(at, prefix)?;
        let mut expanded = BTreeSet::new();
        for (name, at, _) in &attrs {
            let (prefix, local) = split(name);
            if prefix.is_empty() || prefix == "xmlns" {
                continue;
            }
            self.look_up(*at, prefix)?;
            let uri = self.scope.uri(prefix).unwrap_or(prefix);
            if !expanded.insert((uri.to_owned(), local)) {
                let reason = Reason::DuplicateAttribute((*name).to_owned());
                return Err(Fault::new(*at, reason));
            }
        }
        self.attrs = attrs;
        Ok(())
    }

    /// Checks that a prefix is bound.
    fn look_up(&self, at: usize, prefix: &str) -> Step<()> {
        let elsewhere = |bound: &dyn Fn(&str) -> bool| bound(prefix);
        if prefix.is_empty()
            || self.scope.uri(prefix).is_some()
            || self.bound.is_some_and(elsewhere)
        {
            return Ok(());
        }
        let reason = Reason::UnboundPrefix(prefix.to_owned());
        Err(Fault::new(at, reason))
    }
}
