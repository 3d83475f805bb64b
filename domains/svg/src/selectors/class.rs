//! `@class`

use std::cmp::Reverse;
use std::collections::HashMap;

use fcp::prelude::*;
use fcp::work;

use crate::model::{Drawing, NodeId};
use crate::style::tallied;

/// The bytes of an attribute that are compared in the time of a step.
const BYTES_A_STEP: usize = 64;

/// Elements that carry a class.
#[fcp_selector]
pub fn class(drawing: &Drawing, name: Text) -> Pick<'_> {
    let carries = move |row: Row| {
        let own = drawing.nodes.attr(NodeId::new(row.id()), "class");
        own.is_some_and(|own| {
            // The call fails at its next check.
            let _ = work::spend(own.len() / BYTES_A_STEP);
            own.split_ascii_whitespace().any(|own| own == name.as_str())
        })
    };
    Pick::test(carries).or_tell(|| tallied("classes", &classes(drawing)))
}

/// The classes of objects, the most frequent first.
fn classes(drawing: &Drawing) -> Vec<(String, usize)> {
    let mut counts: HashMap<String, (usize, usize)> = HashMap::new();
    for id in drawing
        .nodes
        .elements()
        .filter(|id| drawing.nodes.is_object(*id))
    {
        let own = drawing.nodes.attr(id, "class").unwrap_or_default();
        for class in own.split_ascii_whitespace() {
            match counts.get_mut(class) {
                Some((_, n)) => *n += 1,
                None => drop(counts.insert(class.to_owned(), (counts.len(), 1))),
            }
        }
    }
    let mut counts: Vec<(String, (usize, usize))> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (first, n))| (Reverse(*n), *first));
    let counts = counts.into_iter();
    counts.map(|(class, (_, n))| (class, n)).collect()
}
