//! A DOCTYPE and its entities, as nodes that can be found and set.

use fcp::format::xml::{self, Node};
use fcp::model::{Id, Journaled};

use super::{Xml, open};

/// A document whose DOCTYPE has every kind of declaration.
const DECLARED: &str = "<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM \"a.dtd\" [\n  <!-- c --><?p i?>\n  <!ENTITY  x  'ab&#99;' >\r\n  <!ENTITY y \"&x;-&x;\"><!ENTITY m \"<b/>\"><!ENTITY % p 'q'>\n  <!ENTITY far SYSTEM 'f.xml'><!ATTLIST a k CDATA #IMPLIED>\n ]\n>\n<a k=\"1 &x; 2\" l='&y;'>t &y; u<c/>&m;</a>";

/// The declaration of an entity.
fn declared(tree: &Xml, name: &str) -> Id<Node> {
    let is = |row: &Id<Node>| {
        let declared = tree.get(*row).unwrap().entity_decl();
        declared.is_some_and(|declared| declared.name() == name)
    };
    tree.ids().find(is).unwrap()
}

#[test]
fn a_doctype_is_cut_into_its_declarations() {
    let tree = open(DECLARED);
    let doctype = tree.parent(declared(&tree, "x")).unwrap();
    assert_eq!(
        tree.get(doctype).unwrap().raw(),
        Some("<!DOCTYPE a SYSTEM \"a.dtd\" [")
    );
    assert_eq!(tree.child_count(doctype), 8);
    let text = |name| {
        let id = declared(&tree, name);
        let declared = tree.get(id).unwrap().entity_decl().unwrap();
        declared.text().map(std::borrow::Cow::into_owned)
    };
    assert_eq!(text("x").as_deref(), Some("abc"));
    assert_eq!(text("y").as_deref(), Some("&x;-&x;"));
    assert_eq!(text("far"), None);
    for text in [
        "<!DOCTYPE a><a/>",
        "<!DOCTYPE a[]><a/>",
        "<!DOCTYPE a [ ] >\n<a/>",
    ] {
        open(text);
    }
}

#[test]
fn an_entity_is_set_where_it_is_declared_and_counts_where_it_is_used() {
    let mut tree = open(DECLARED);
    let (root, x) = (xml::root(&tree).unwrap(), declared(&tree, "x"));
    assert!(xml::set_entities(&mut tree, &[(x, "abd")]).unwrap()[0]);
    assert!(!xml::set_entities(&mut tree, &[(x, "abd")]).unwrap()[0]);
    assert_eq!(tree.text(), DECLARED.replace("ab&#99;", "abd"));
    let element = xml::element(&tree, root).unwrap();
    assert_eq!(element.attr("k").unwrap(), "1 abd 2");
    assert_eq!(element.attr("l").unwrap(), "abd-abd");
    for (text, literal) in [
        ("5% 'a'", "5&#37; &#39;a&#39;"),
        ("&#60;", "&#38;#60;"),
        ("&amp;", "&#38;amp;"),
    ] {
        xml::set_entities(&mut tree, &[(x, text)]).unwrap();
        assert_eq!(
            tree.get(x).unwrap().entity_decl().unwrap().literal(),
            Some(literal)
        );
    }
    // Undoing change by change restores the written text.
    for change in tree.drain().iter().rev() {
        tree.reverse(change);
    }
    assert_eq!(tree.text(), DECLARED);
    for (name, text) in [
        ("x", "a<"),
        ("x", "&y;"),
        ("x", "a&"),
        ("m", "b"),
        ("y", "<b/>"),
        ("far", "a"),
        ("p", "a"),
    ] {
        let id = declared(&tree, name);
        assert!(
            xml::set_entities(&mut tree, &[(id, text)]).is_err(),
            "{name} {text}"
        );
        assert_eq!(tree.text(), DECLARED);
    }
    assert!(xml::remove_entities(&mut tree, &[x]).is_err());
    assert!(xml::remove_node(&mut tree, x).is_err());
}

#[test]
fn entities_expand_to_no_more_than_in_a_file_that_is_opened() {
    let uses = "&x;".repeat(40);
    let mut tree = open(&format!("<!DOCTYPE a [<!ENTITY x 'b'>]><a>{uses}</a>"));
    let x = declared(&tree, "x");
    let long = "b".repeat(40_000);
    assert!(xml::set_entities(&mut tree, &[(x, &long)]).is_err());
    let half = "b".repeat(20_000);
    assert!(xml::set_entities(&mut tree, &[(x, &half)]).unwrap()[0]);
    open(&tree.text());
}

#[test]
fn entities_are_set_and_removed_together() {
    let mut tree = open("<!DOCTYPE a [<!ENTITY x 'a'><!ENTITY y '&x;'>]><a k='&y;'/>");
    let (x, y) = (declared(&tree, "x"), declared(&tree, "y"));
    let changed = xml::set_entities(&mut tree, &[(x, "&y;"), (y, "b")]).unwrap();
    assert_eq!(changed, [true, true]);
    assert_eq!(tree.drain().len(), 4);
    assert_eq!(
        tree.text(),
        "<!DOCTYPE a [<!ENTITY x '&y;'><!ENTITY y 'b'>]><a k='&y;'/>"
    );
    let root = xml::root(&tree).unwrap();
    xml::modify_element(&mut tree, root, |element| Ok(element.remove_attr("k"))).unwrap();
    xml::remove_entities(&mut tree, &[x, y]).unwrap();
    assert_eq!(tree.text(), "<!DOCTYPE a []><a/>");
}
