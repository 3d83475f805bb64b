//! Invariants of any bytes opened as XML.

// A broken promise is a panic; that is what the tests and the fuzzer look for.
#![allow(clippy::panic, clippy::unwrap_used)]

use fcp::format::encoding;
use fcp::format::xml::{self, Limits, Node};
use fcp::model::{Id, Ids, Journaled, Tree};

type Nodes = Tree<Node>;

/// Limits that a mutant of a small file can reach.
fn limits() -> Limits {
    Limits {
        depth: 40,
        nodes: 2_000,
        attributes: 40,
        entity_depth: 4,
        entity_bytes: 4_096,
    }
}

/// Panics if the reader, the tree or an edit breaks a promise on these bytes.
pub fn holds(bytes: &[u8]) {
    let Ok((text, encoding)) = encoding::decode(bytes) else {
        return;
    };
    assert!(encoding.encode(&text) == bytes, "other bytes come back");
    let Ok(fragment) = xml::read(text.clone(), &limits()) else {
        return;
    };
    let mut tree = Nodes::attach(&Ids::default());
    fragment.place(&mut tree, Nodes::ROOT, None).unwrap();
    assert!(tree.text() == text, "another text comes back");
    tree.drain();
    edits_hold(&mut tree, &text);
}

/// Edits succeed or are refused; what they leave is XML, and undoing them brings the text back.
fn edits_hold(tree: &mut Nodes, text: &str) {
    let ids: Vec<Id<Node>> = tree.ids().take(40).collect();
    for id in ids {
        let _ = xml::set_attr(tree, id, "data-k", "<\"&'\t>");
        again(tree, text);
        let parent = tree.parent(id).unwrap_or(Nodes::ROOT);
        let before = tree.next_sibling(id);
        let _ = xml::insert_raw(tree, "<a b='c'/><!-- d -->", id, None, &limits());
        again(tree, text);
        if let Ok(root) = xml::root(tree).ok_or(()) {
            let _ = xml::move_node(tree, id, root, None);
            again(tree, text);
        }
        let _ = xml::insert_element(tree, xml::Element::new("e").unwrap(), parent, before);
        let _ = xml::remove_node(tree, id);
        again(tree, text);
    }
    tree.audit().unwrap();
}

/// Checks that the text after an edit reads as the same tree, and undoes the edit.
fn again(tree: &mut Nodes, text: &str) {
    let edited = tree.text();
    if let Err(error) = xml::read(edited.clone(), &Limits::default()) {
        panic!("an edit left invalid XML: {error}\n{edited}");
    }
    for change in tree.drain().iter().rev() {
        tree.reverse(change);
    }
    assert!(tree.text() == text, "undo gave another text");
}
