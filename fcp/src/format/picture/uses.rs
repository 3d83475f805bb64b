//! The number of copies that a drawing's `use` elements make, counted before any is made.

use resvg::usvg::roxmltree::{Document, Node, NodeId};
use std::collections::HashMap;

use super::Error;

/// The most elements that `use` may add to a drawing.
pub const MOST_COPIES: u64 = 1_000_000;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

#[derive(Clone, Copy)]
enum State {
    New,
    /// Its own parts are being counted; meeting it again means a cycle, which is not drawn.
    Open,
    Counted(u64),
}

enum Step {
    Enter(NodeId),
    Leave(NodeId),
}

/// Rejects a drawing whose `use` elements make more than [`MOST_COPIES`] copies of elements. Takes
/// time in proportion to the document.
pub(super) fn check(document: &Document<'_>) -> Result<(), Error> {
    let copies = copies(document);
    if copies > MOST_COPIES {
        return Err(Error::Copies(copies));
    }
    Ok(())
}

fn copies(document: &Document<'_>) -> u64 {
    let elements = || document.descendants().filter(Node::is_element);
    let uses: Vec<Node<'_, '_>> = elements()
        .filter(|node| node.has_tag_name((SVG, "use")))
        .collect();
    if uses.is_empty() {
        return 0;
    }
    let mut ids: HashMap<&str, NodeId> = HashMap::new();
    for node in elements() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert_with(|| node.id());
        }
    }
    let target = |node: Node<'_, '_>| {
        if !node.has_tag_name((SVG, "use")) {
            return None;
        }
        let href = node
            .attribute("href")
            .or_else(|| node.attribute((XLINK, "href")))?;
        ids.get(href.trim().strip_prefix('#')?).copied()
    };
    let mut states = vec![State::New; document.descendants().count() + 1];
    let state =
        |states: &[State], id: NodeId| states.get(id.get_usize()).copied().unwrap_or(State::Open);
    let set = |states: &mut Vec<State>, id: NodeId, to: State| {
        if let Some(slot) = states.get_mut(id.get_usize()) {
            *slot = to;
        }
    };
    let counted = |states: &[State], id: NodeId| match state(states, id) {
        State::Counted(size) => size,
        State::New | State::Open => 0,
    };
    let mut steps = vec![Step::Enter(document.root_element().id())];
    let mut copies = 0u64;
    while let Some(step) = steps.pop() {
        match step {
            Step::Enter(id) => {
                let (State::New, Some(node)) = (state(&states, id), document.get_node(id)) else {
                    continue;
                };
                set(&mut states, id, State::Open);
                steps.push(Step::Leave(id));
                let parts = node
                    .children()
                    .filter(Node::is_element)
                    .map(|child| child.id());
                steps.extend(parts.chain(target(node)).map(Step::Enter));
            }
            Step::Leave(id) => {
                let Some(node) = document.get_node(id) else {
                    continue;
                };
                let copied = target(node).map_or(0, |target| counted(&states, target));
                let parts = node.children().map(|child| counted(&states, child.id()));
                let size = parts.fold(copied.saturating_add(1), u64::saturating_add);
                copies = copies.saturating_add(copied);
                set(&mut states, id, State::Counted(size));
            }
        }
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(body: &str) -> u64 {
        let text = format!("<svg xmlns='{SVG}' xmlns:xlink='{XLINK}'>{body}</svg>");
        copies(&Document::parse(&text).unwrap())
    }

    #[test]
    fn copies_are_counted_through_copies_and_cycles_add_nothing() {
        let cases = [
            ("<rect id='a'/>", 0),
            ("<rect id='a'/><use href='#a'/>", 1),
            ("<use xlink:href='#a'/><g id='a'><rect/><rect/></g>", 3),
            (
                "<use href='#b'/><g id='b'><use href='#a'/></g><rect id='a'/>",
                4,
            ),
            ("<use href='#nowhere'/><use href='other.svg#a'/><use/>", 0),
            ("<g id='a'><use href='#a'/></g>", 0),
            (
                "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
                2,
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(counted(body), expected, "{body}");
        }
    }

    #[test]
    fn doubling_is_counted_without_being_done() {
        let mut body = "<rect id='n0'/>".to_owned();
        for n in 1..=80 {
            let before = n - 1;
            body += &format!("<g id='n{n}'><use href='#n{before}'/><use href='#n{before}'/></g>");
        }
        assert_eq!(counted(&body), u64::MAX);
        // Without recursion: a chain deeper than any stack.
        let mut body = "<rect id='n0'/>".to_owned();
        for n in 1..=100_000 {
            body += &format!("<use id='n{n}' href='#n{}'/>", n - 1);
        }
        assert_eq!(counted(&body), 100_000 * 100_001 / 2);
    }
}
