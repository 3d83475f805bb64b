//! A note on rows that a condition selects and that selectors leave out by default.

use super::document::Document;
use crate::domain::Domain;
use crate::op::{OpWord, ParsedOp};
use crate::reply::Reply;

/// The note, after the number of rows.
const LEFT_OUT: &str =
    "match that selectors leave out by default; @where:\"SELECT ref FROM …\" takes these too";

impl<M: Domain> Document<M> {
    /// The reply of an op with the note, if its condition left out rows since their number was last
    /// taken.
    pub(super) fn with_left_out(&self, op: &ParsedOp<'_>, reply: Reply) -> Reply {
        let left_out = self.tables.left_out.take();
        if left_out == 0 {
            return reply;
        }
        // Next to others, a condition only narrows what they select.
        let mut plain = op.words.iter().filter_map(OpWord::plain);
        let is_alone = op.selectors().count() == 1
            && !plain.any(|text| self.model.select_native(text).is_some());
        let mut selectors = op.selectors();
        let is_condition = selectors.any(|own| own.kind == "where" && !own.negated);
        match is_alone && is_condition {
            true => reply.note(format!("{left_out} more {LEFT_OUT}")),
            false => reply,
        }
    }
}
