//! The text of a `<style>` element, and the source bytes of each part.

use std::borrow::Cow;
use std::ops::Range;

use fcp::format::xml::{Kind, Place, Places};
use fcp::prelude::*;
use fcp::work;

use crate::model::{NodeId, Nodes};

/// A style sheet as browsers read it: all text in the element, also after a comment or an
/// instruction. The renderer reads only the text before those.
pub(super) struct Sheet<'d> {
    /// Its text, with references expanded and original line ends.
    pub text: Cow<'d, str>,
    /// The end of the text that the renderer reads.
    pub drawn: usize,
    /// Nodes other than texts: their offsets in the text, and their numbers of line breaks.
    gaps: Vec<(usize, usize)>,
    /// The sources of the text, in order and without gaps.
    pieces: Vec<Piece<'d>>,
}

struct Piece<'d> {
    /// Its offset in the text.
    start: usize,
    len: usize,
    node: NodeId,
    /// Its offset in the node's raw text; `None` if the bytes differ there.
    at: Option<usize>,
    /// The sources of a text with entity references.
    refers: Option<Places<'d>>,
}

impl<'d> Sheet<'d> {
    /// The sheet of a `<style>` element. `None` if its type is not CSS.
    pub fn of(nodes: &'d Nodes, element: NodeId) -> Option<Self> {
        if nodes
            .attr(element, "type")
            .is_some_and(|own| own != "text/css")
        {
            return None;
        }
        let all: Vec<NodeId> = nodes.tree().children(element).collect();
        if let [only] = all.as_slice()
            && let Some(raw) = raw_text(nodes, *only).filter(|raw| is_literal(nodes, *only, raw))
        {
            let piece = Piece {
                start: 0,
                len: raw.len(),
                node: *only,
                at: Some(0),
                refers: None,
            };
            return Some(Self {
                text: Cow::Borrowed(raw),
                drawn: raw.len(),
                gaps: Vec::new(),
                pieces: vec![piece],
            });
        }
        let mut sheet = Self {
            text: Cow::Owned(String::new()),
            drawn: usize::MAX,
            gaps: Vec::new(),
            pieces: Vec::new(),
        };
        for id in all {
            if raw_text(nodes, id).is_some() {
                sheet.add_node(nodes, id);
                continue;
            }
            let at = sheet.text.len();
            sheet.drawn = sheet.drawn.min(at);
            let lines = nodes.tree().text_of(id).matches('\n').count();
            sheet.gaps.push((at, lines));
        }
        sheet.drawn = sheet.drawn.min(sheet.text.len());
        Some(sheet)
    }

    fn add_node(&mut self, nodes: &'d Nodes, id: NodeId) {
        let (Some(node), Some(raw)) = (nodes.tree().get(id), raw_text(nodes, id)) else {
            return;
        };
        self.add(id, node.lead(), None);
        if is_literal(nodes, id, raw) {
            self.add(id, raw, Some(0));
            return;
        }
        let Some(parts) = parts(raw) else {
            self.add(id, &node.text().unwrap_or_default(), None);
            if let Some(piece) = self.pieces.last_mut() {
                piece.refers = node.places_in_text();
            }
            return;
        };
        for part in parts {
            match part {
                Part::Literal(range) => {
                    let text = raw.get(range.clone()).unwrap_or_default();
                    self.add(id, text, Some(range.start));
                }
                Part::Char(c) => self.add(id, c.encode_utf8(&mut [0; 4]), None),
            }
        }
    }

    fn add(&mut self, node: NodeId, text: &str, at: Option<usize>) {
        let start = self.text.len();
        self.text.to_mut().push_str(text);
        self.pieces.push(Piece {
            start,
            len: text.len(),
            node,
            at,
            refers: None,
        });
    }

    /// The node that contains some bytes of the text, and their range in its raw text.
    ///
    /// # Errors
    /// If they are not within one node, or are partly written as references.
    pub fn place(&self, range: &Range<usize>) -> Result<(NodeId, Range<usize>)> {
        work::spend(1)?;
        let ends = |piece: &Piece<'_>| piece.start + piece.len;
        let first = self.pieces.partition_point(|piece| ends(piece) < range.end);
        // An empty range at a border may belong to either side.
        let candidates = self.pieces.get(first..).unwrap_or_default().iter();
        let around = candidates.take_while(|piece| piece.start <= range.start);
        let referring = around
            .clone()
            .find_map(|piece| Some((piece, piece.refers.as_ref()?)));
        if let Some((piece, places)) = referring {
            let part = range.start - piece.start..range.end - piece.start;
            return match places.of(&part) {
                Place::Here(part) => Ok((piece.node, part)),
                Place::Entity(name, _) | Place::Split(name) => {
                    bail!("that place of the <style> comes from the entity &{name};"; try: "? describe entity:{name}")
                }
            };
        }
        let mut around = around;
        let Some((piece, at)) = around.find_map(|piece| Some((piece, piece.at?))) else {
            bail!(
                "that place of the <style> is written with references or in pieces, and cannot be edited"
            )
        };
        let start = at + range.start - piece.start;
        Ok((piece.node, start..start + range.len()))
    }

    /// The first node with text of the sheet.
    pub fn first(&self) -> Option<NodeId> {
        self.pieces.first().map(|piece| piece.node)
    }

    /// Whether the text includes the whitespace before the first node.
    pub const fn has_lead(&self) -> bool {
        matches!(self.text, Cow::Owned(_))
    }

    /// The number of line breaks in the file between two offsets in the sheet.
    pub fn lines_in(&self, part: &Range<usize>) -> usize {
        let text = self.text.get(part.clone()).unwrap_or_default();
        let first = self.gaps.partition_point(|(at, _)| *at <= part.start);
        let gaps = self.gaps.get(first..).unwrap_or_default().iter();
        let gaps = gaps.take_while(|(at, _)| *at <= part.end);
        text.matches('\n').count() + gaps.map(|(_, lines)| lines).sum::<usize>()
    }

    /// The end of the last node's editable text, as an offset in the sheet; of the last that the
    /// renderer reads, if it reads any.
    pub fn end(&self) -> Option<usize> {
        let drawn = self
            .pieces
            .iter()
            .rev()
            .find(|piece| piece.start < self.drawn);
        let last = drawn.or(self.pieces.last());
        let last = last.filter(|piece| piece.at.is_some() || piece.refers.is_some())?;
        Some(last.start + last.len)
    }
}

fn raw_text(nodes: &Nodes, id: NodeId) -> Option<&str> {
    nodes.tree().get(id)?.raw_text()
}

/// Whether a text is equal to its source.
fn is_literal(nodes: &Nodes, id: NodeId, raw: &str) -> bool {
    let node = nodes.tree().get(id);
    node.is_some_and(|node| matches!(node.kind(), Kind::CData(_))) || !raw.contains('&')
}

enum Part {
    Literal(Range<usize>),
    Char(char),
}

/// A raw text split at its references; `None` if one refers to an entity of the DOCTYPE.
fn parts(raw: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(found) = raw.get(at..)?.find('&') {
        let start = at + found;
        let rest = raw.get(start + 1..)?;
        let len = rest.find(';')?;
        parts.push(Part::Literal(at..start));
        parts.push(Part::Char(character(rest.get(..len)?)?));
        at = start + len + 2;
    }
    parts.push(Part::Literal(at..raw.len()));
    Some(parts)
}

/// The character of a reference that XML predefines.
pub(super) fn character(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let number = match digits.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(number)
        }
    }
}
