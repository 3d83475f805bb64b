//! `@class`

use fcp::prelude::*;

use crate::Drawing;
use crate::model::NodeId;
use crate::style::tallied;

/// Elements that carry a class.
#[fcp_selector]
pub fn class(drawing: &Drawing, name: Text) -> Pick<'_> {
    let carries = move |row: Row| {
        let own = drawing.nodes.attr(NodeId::new(row.id()), "class");
        own.is_some_and(|own| own.split_ascii_whitespace().any(|own| own == name.as_str()))
    };
    Pick::test(carries).or_tell(|| tallied("classes", &classes(drawing)))
}

/// The classes of objects, the most used first.
fn classes(drawing: &Drawing) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for id in drawing
        .nodes
        .elements()
        .filter(|id| drawing.nodes.is_object(*id))
    {
        let own = drawing.nodes.attr(id, "class").unwrap_or_default();
        for class in own.split_ascii_whitespace() {
            match counts.iter_mut().find(|(known, _)| known == class) {
                Some((_, n)) => *n += 1,
                None => counts.push((class.to_owned(), 1)),
            }
        }
    }
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts
}
