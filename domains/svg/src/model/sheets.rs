//! References in style sheets, whose text may be in several nodes.

use std::collections::BTreeSet;
use std::ops::Range;

use fcp::format::xml::Node;
use fcp::work;

use super::reference::{Reference, in_sheet};
use super::{NodeId, Nodes};

/// The bytes of a style sheet that are read in the time of a step.
const BYTES_A_STEP: usize = 8;

/// Bytes in the text of a node.
type Part = (NodeId, Range<usize>);

/// A reference in a style sheet, with the bytes that spell its id. These are in several nodes if a
/// CDATA section begins or ends within the id.
pub(crate) type SheetReference = (Reference, Vec<Part>);

impl Nodes {
    /// The nodes of a `<style>` element with text.
    pub(crate) fn sheet_texts(&self, sheet: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let tree = self.tree();
        let texts = tree.children(sheet);
        texts.filter(|id| tree.get(*id).and_then(Node::raw_text).is_some())
    }

    /// The references in a style sheet, in order: its text is all text in the element, also after a
    /// comment (CSS Object Model, section 6.9; HTML, "child text content").
    pub(crate) fn sheet_references(&self, sheet: NodeId) -> Vec<SheetReference> {
        let (mut whole, mut texts) = (String::new(), Vec::new());
        for id in self.sheet_texts(sheet) {
            let Some(node) = self.tree().get(id) else {
                continue;
            };
            whole.push_str(node.lead());
            let start = whole.len();
            whole.push_str(&node.text().unwrap_or_default());
            texts.push((id, start..whole.len()));
        }
        // The call fails at its next check.
        if work::spend(whole.len() / BYTES_A_STEP).is_err() {
            return Vec::new();
        }
        let mut first = 0;
        let found = in_sheet(&whole).into_iter().map(|reference| {
            let span = reference.span.clone();
            while texts
                .get(first)
                .is_some_and(|(_, own)| own.end <= span.start)
            {
                first += 1;
            }
            let rest = texts.get(first..).unwrap_or_default().iter();
            let parts = rest.take_while(|(_, own)| own.start < span.end);
            let parts = parts.map(|(id, own)| {
                let start = span.start.max(own.start) - own.start;
                (*id, start..span.end.min(own.end) - own.start)
            });
            let parts = parts.filter(|(_, part)| !part.is_empty()).collect();
            (reference, parts)
        });
        found.collect()
    }

    /// The texts of style sheets with several texts. An id in them may be in two, and what is an id
    /// depends on the text before, so that the index of single texts misses some.
    pub(crate) fn pieced_sheets(&self) -> BTreeSet<NodeId> {
        let sheets = self.tree().index().styles().map(NodeId::new);
        let pieced = sheets.filter(|sheet| self.sheet_texts(*sheet).nth(1).is_some());
        pieced.flat_map(|sheet| self.sheet_texts(sheet)).collect()
    }
}
