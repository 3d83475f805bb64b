//! Edits of a lossless XML tree change only the bytes concerned, and can be undone.

use fcp::format::xml::{self, Element, Limits, Node};
use fcp::model::{Journaled, Tree, TreeChange};

use super::{Xml, find, open};

/// An edit of a document, its message, and the document after it.
struct Case(
    &'static str,
    fn(&mut Xml) -> fcp::diag::Result<()>,
    Result<&'static str, &'static str>,
);

fn check(cases: &[Case]) {
    for Case(before, edit, after) in cases {
        let mut tree = open(before);
        let hash = tree.hash();
        let result = edit(&mut tree).map_err(|error| error.message);
        let text = tree.text();
        let changes = tree.drain();
        match after {
            Ok(after) => {
                assert_eq!((result, text.as_str()), (Ok(()), *after), "{before}");
                assert_eq!(changes.is_empty(), before == after, "{before}");
                assert_eq!(open(after).hash(), tree.hash(), "{before}");
            }
            Err(message) => {
                assert_eq!(
                    result.as_ref().map_err(String::as_str),
                    Err(*message),
                    "{before}"
                );
                assert!(
                    changes.is_empty(),
                    "{before}: a failed edit changes nothing"
                );
            }
        }
        let json = serde_json::to_string(&changes).unwrap();
        let changes: Vec<TreeChange<Node>> = serde_json::from_str(&json).unwrap();
        changes.iter().rev().for_each(|change| tree.reverse(change));
        assert_eq!((tree.text().as_str(), tree.hash()), (*before, hash));
        changes.iter().for_each(|change| tree.replay(change));
        assert_eq!(tree.text(), text);
        tree.audit().unwrap();
    }
}

#[test]
fn attributes_are_edited_at_their_own_grain() {
    fn set(tree: &mut Xml, name: &str, value: &str) -> fcp::diag::Result<()> {
        let root = xml::root(tree).unwrap();
        xml::set_attr(tree, root, name, value).map(drop)
    }
    fn change<R>(
        tree: &mut Xml,
        change: impl FnOnce(&mut Element) -> fcp::diag::Result<R>,
    ) -> fcp::diag::Result<()> {
        let root = xml::root(tree).unwrap();
        xml::modify_element(tree, root, change).map(drop)
    }
    check(&[
        Case(
            "<a b = '1'  c='2' />",
            |t| set(t, "b", "3"),
            Ok("<a b = '3'  c='2' />"),
        ),
        Case(
            "<a b='1'\n   c='2'/>",
            |t| set(t, "d", "3"),
            Ok("<a b='1'\n   c='2'\n   d=\"3\"/>"),
        ),
        Case("<a ></a>", |t| set(t, "d", "3"), Ok("<a d=\"3\" ></a>")),
        Case("<a b='&#49;'/>", |t| set(t, "b", "1"), Ok("<a b='&#49;'/>")),
        Case(
            "<a b='' c=\"\"/>",
            |t| {
                set(t, "b", "\"'<>&\n")?;
                set(t, "c", "\"'\t")
            },
            Ok("<a b='\"&apos;&lt;>&amp;&#10;' c=\"&quot;'&#9;\"/>"),
        ),
        Case(
            "<a/>",
            |t| set(t, "b", "\u{1}"),
            Err("the character U+0001 is forbidden in XML"),
        ),
        Case(
            "<a/>",
            |t| set(t, "1", ""),
            Err("\"1\" is not an attribute name"),
        ),
        Case(
            "<a/>",
            |t| set(t, "p:b", ""),
            Err("the prefix p is bound to no namespace"),
        ),
        Case(
            "<a/>",
            |t| set(t, "xml:lang", "de"),
            Ok("<a xml:lang=\"de\"/>"),
        ),
        Case(
            "<a  b='1' c='2'/>",
            |t| change(t, |e| Ok(e.remove_attr("b"))),
            Ok("<a c='2'/>"),
        ),
        Case(
            "<a  b='1' c='2'/>",
            |t| change(t, |e| e.insert_attr(0, "z", "0")),
            Ok("<a  z=\"0\"  b='1' c='2'/>"),
        ),
        Case(
            "<a b='1'/>",
            |t| change(t, |e| e.insert_attr(0, "b", "0")),
            Err("<a> has an attribute b already"),
        ),
        Case(
            "<a d='M0 0 &amp; 1e1'/>",
            |t| change(t, |e| e.replace_in_attr("d", &[(3..4, "<5>")])),
            Ok("<a d='M0 &lt;5> &amp; 1e1'/>"),
        ),
        Case(
            "<a d='M0 0 &amp; 1e1'/>",
            |t| change(t, |e| e.replace_in_attr("d", &[(6..9, "")])),
            Err("bytes 6-9 are outside the value \"M0 0 &amp; 1e1\""),
        ),
        Case(
            "<a d='M0 0 &amp; 1e1'/>",
            |t| {
                change(t, |e| {
                    e.replace_in_attr("d", &[(1..2, "7"), (5..10, "\""), (13..13, "&")])
                })
            },
            Ok("<a d='M7 0 \" 1e&amp;1'/>"),
        ),
        Case(
            "<a d='M0 0 &amp; 1e1'/>",
            |t| change(t, |e| e.replace_in_attr("d", &[(3..4, "7"), (1..2, "7")])),
            Err("bytes 1-2 are outside the value \"M0 0 &amp; 1e1\""),
        ),
        Case(
            "<a d='é'/>",
            |t| change(t, |e| e.replace_in_attr("d", &[(1..2, "")])),
            Err("bytes 1-2 are outside the value \"é\""),
        ),
        Case(
            "<a  b = '1'/>",
            |t| change(t, |e| e.rename_attr("b", "cc")),
            Ok("<a  cc = '1'/>"),
        ),
        Case(
            "<a b='1'>\n</a >",
            |t| change(t, |e| e.rename("xyz")),
            Ok("<xyz b='1'>\n</xyz >"),
        ),
    ]);
}

#[test]
fn texts_are_edited_and_stay_what_they_are() {
    fn set(tree: &mut Xml, text: &str) -> fcp::diag::Result<()> {
        let id = tree.first_child(xml::root(tree).unwrap()).unwrap();
        let mut result = Ok(true);
        tree.modify(id, |node| result = node.set_text(text));
        result.map(drop)
    }
    check(&[
        Case(
            "<a>x&amp;y<b/></a>",
            |t| set(t, "<z>"),
            Ok("<a>&lt;z><b/></a>"),
        ),
        Case(
            "<a>x&amp;y<b/></a>",
            |t| set(t, "x&y"),
            Ok("<a>x&amp;y<b/></a>"),
        ),
        Case(
            "<a>x</a>",
            |t| set(t, "]]>\r\n"),
            Ok("<a>]]&gt;&#13;\n</a>"),
        ),
        Case(
            "<a><![CDATA[x]]></a>",
            |t| set(t, "<&]]>"),
            Ok("<a><![CDATA[<&]]]]><![CDATA[>]]></a>"),
        ),
        Case(
            "<a>x</a>",
            |t| set(t, "\u{0}"),
            Err("the character U+0000 is forbidden in XML"),
        ),
        Case(
            "<a><!--x--></a>",
            |t| set(t, "y"),
            Err("this is not a text"),
        ),
    ]);
}

#[test]
fn nodes_come_and_go_with_their_white_space() {
    fn add(tree: &mut Xml, parent: &str, before: Option<&str>) -> fcp::diag::Result<()> {
        let (parent, before) = (find(tree, parent), before.map(|id| find(tree, id)));
        xml::insert_element(tree, Element::new("n")?, parent, before).map(drop)
    }
    fn remove(tree: &mut Xml, id: &str) -> fcp::diag::Result<()> {
        let id = find(tree, id);
        xml::remove_node(tree, id).map(drop)
    }
    fn shift(tree: &mut Xml, id: &str, to: &str, before: Option<&str>) -> fcp::diag::Result<()> {
        let (id, to, before) = (
            find(tree, id),
            find(tree, to),
            before.map(|id| find(tree, id)),
        );
        xml::move_node(tree, id, to, before).map(drop)
    }
    fn raw(tree: &mut Xml, text: &str) -> fcp::diag::Result<()> {
        let root = xml::root(tree).unwrap();
        xml::insert_raw(tree, text, root, None, &Limits::default()).map(drop)
    }
    check(&[
        Case(
            "<a id='r'/>",
            |t| {
                let root = find(t, "r");
                let top = Tree::<Node>::ROOT;
                xml::insert_element(t, Element::new("n")?, top, Some(root)).map(drop)
            },
            Err("a document has one root element, and nothing next to it"),
        ),
        Case(
            "<a id='r'>\r\n\r\n  <b id='b'/>\r\n</a>",
            |t| add(t, "r", None),
            Ok("<a id='r'>\r\n\r\n  <b id='b'/>\r\n  <n/>\r\n</a>"),
        ),
        Case(
            "<a id='r'>\n\t<b id='b'/>\n</a>",
            |t| add(t, "r", Some("b")),
            Ok("<a id='r'>\n\t<n/>\n\t<b id='b'/>\n</a>"),
        ),
        Case(
            "<a id='r'> <b/></a>",
            |t| add(t, "r", None),
            Ok("<a id='r'> <b/><n/></a>"),
        ),
        Case(
            "<a id='r' />",
            |t| add(t, "r", None),
            Ok("<a id='r' ><n/></a>"),
        ),
        Case(
            "<a id='r'></a>",
            |t| add(t, "r", None),
            Ok("<a id='r'><n/></a>"),
        ),
        Case(
            "<a>\n   <g id='g'>\n   </g>\n</a>",
            |t| add(t, "g", None),
            Ok("<a>\n   <g id='g'>\n      <n/>\n   </g>\n</a>"),
        ),
        Case(
            "<a id='r'>\n</a>",
            |t| add(t, "r", None),
            Ok("<a id='r'>\n  <n/>\n</a>"),
        ),
        Case(
            "<a id='r'>\n x\n</a>",
            |t| add(t, "r", None),
            Ok("<a id='r'>\n x\n<n/></a>"),
        ),
        Case(
            "<a>\n <b/>\n <c id='c'/>\n</a>",
            |t| remove(t, "c"),
            Ok("<a>\n <b/>\n</a>"),
        ),
        Case(
            "<a>\n <b id='b'/><c/>\n</a>",
            |t| remove(t, "b"),
            Ok("<a>\n <c/>\n</a>"),
        ),
        Case(
            "<a>\n <b id='b'/>x\n</a>",
            |t| remove(t, "b"),
            Ok("<a>\n x\n</a>"),
        ),
        Case(
            "<a>\n <b id='b'/>\nx</a>",
            |t| remove(t, "b"),
            Ok("<a>\nx</a>"),
        ),
        Case(
            "<a>\n <b id='b'/></a>",
            |t| remove(t, "b"),
            Ok("<a>\n </a>"),
        ),
        Case(
            "<a><b id='b'><c/></b></a>",
            |t| remove(t, "b"),
            Ok("<a></a>"),
        ),
        Case(
            "<a id='r'/>",
            |t| remove(t, "r"),
            Err("a document needs its root element"),
        ),
        Case(
            "<a id='r'>\n <b id='b'><c/></b>\n <d id='d' />\n</a>",
            |t| shift(t, "b", "d", None),
            Ok("<a id='r'>\n <d id='d' >\n <b id='b'><c/></b></d>\n</a>"),
        ),
        Case(
            "<a id='r'>\n <b id='b'/>\n  <d id='d'/>\n</a>",
            |t| shift(t, "d", "r", Some("b")),
            Ok("<a id='r'>\n  <d id='d'/>\n <b id='b'/>\n</a>"),
        ),
        Case(
            "<a id='r'><b id='b'/></a>",
            |t| shift(t, "r", "b", None),
            Err("#1 cannot be moved into itself"),
        ),
        Case(
            "<a id='r'><b xmlns:p='u'><c id='c' p:x='1'/></b></a>",
            |t| shift(t, "c", "r", None),
            Err("the prefix p means something else there"),
        ),
        Case(
            "<a id='r'><b xmlns='u'><c id='c'/></b></a>",
            |t| shift(t, "c", "r", None),
            Err("the default namespace means something else there"),
        ),
        Case(
            "<a id='r'><b xmlns:p='u'><c id='c'><p:d xmlns:p='v'/></c></b></a>",
            |t| shift(t, "c", "r", None),
            Ok("<a id='r'><b xmlns:p='u'></b><c id='c'><p:d xmlns:p='v'/></c></a>"),
        ),
        Case(
            "<a xmlns:p='u'/>",
            |t| raw(t, " <p:b  x='&amp;'/>y<!-- z -->\n"),
            Ok("<a xmlns:p='u'> <p:b  x='&amp;'/>y<!-- z -->\n</a>"),
        ),
        Case(
            "<a/>",
            |t| raw(t, "<b>"),
            Err("line 1 column 1: <b> is never closed"),
        ),
        Case(
            "<a/>",
            |t| raw(t, "</a>"),
            Err("line 1 column 1: </a> closes nothing"),
        ),
        Case(
            "<a/>",
            |t| raw(t, "<q:b/>"),
            Err("line 1 column 1: the prefix q is bound to no namespace"),
        ),
        Case(
            "<a/>",
            |t| raw(t, "<?xml version='1.0'?>"),
            Err("line 1 column 1: an XML declaration is allowed only at the very start"),
        ),
        Case(
            "<!DOCTYPE a [<!ENTITY e 'x'>]><a/>",
            |t| raw(t, "&e;"),
            Ok("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"),
        ),
    ]);
}

#[test]
fn a_value_keeps_the_spelling_of_what_it_says_as_before() {
    let document = "<!DOCTYPE a [<!ENTITY x 'one'>]><a k=\"&#65; &x;\n b &amp; c\"/>";
    for (value, raw) in [
        ("A one  b & d", Some("&#65; &x;\n b &amp; d")),
        ("B one  b & c", Some("B &x;\n b &amp; c")),
        ("A one, b & c", Some("&#65; &x;, b &amp; c")),
        ("A once b & c", None),
        ("A ones  b & c", None),
        ("none", None),
    ] {
        let mut tree = open(document);
        let root = xml::root(&tree).unwrap();
        let done = xml::set_attr(&mut tree, root, "k", value);
        let element = xml::element(&tree, root).unwrap();
        match raw {
            Some(raw) => assert_eq!(element.raw_attr("k"), Some(raw), "{value}"),
            None => assert!(done.is_err(), "{value}"),
        }
        assert!(raw.is_none() || element.attr("k").unwrap() == value);
        assert!(xml::replace_attr(&mut tree, root, "k", value).unwrap());
        assert_eq!(
            xml::element(&tree, root).unwrap().raw_attr("k").unwrap(),
            value.replace('&', "&amp;")
        );
    }
}

#[test]
fn characters_that_an_encoding_lacks_are_given_by_number_or_refused() {
    let latin = fcp::format::encoding::decode(b"<?xml version='1.0' encoding='iso-8859-1'?><a/>")
        .unwrap()
        .1;
    let tree =
        open("<!DOCTYPE a [<!ENTITY x 'ж'>]><a k='éж'>ж<!-- ж --><![CDATA[ж]]><?p ж?><ж/></a>");
    let mut texts = Vec::new();
    for id in tree.ids() {
        let mut node = tree.get(id).unwrap().clone();
        let raw = |node: &Node| match node.element() {
            Some(element) => element.raw_attr("k").unwrap_or_default().to_owned(),
            None => node.raw().unwrap().to_owned(),
        };
        match node.respell(latin) {
            Ok(true) => texts.push(raw(&node)),
            Ok(false) => {}
            Err(error) => texts.push(error.message.split(':').next().unwrap().to_owned()),
        }
    }
    assert_eq!(
        texts,
        [
            "<!ENTITY x '&#1078;'>",
            "é&#1078;",
            "&#1078;",
            "ISO-8859-1 has no ж, and a comment takes no &#1078;",
            "ISO-8859-1 has no ж, and a CDATA section takes no &#1078;",
            "ISO-8859-1 has no ж, and a processing instruction takes no &#1078;",
            "ISO-8859-1 has no ж, and the name of an element takes no &#1078;",
        ]
    );
}

/// The nodes inside the root element that are lost when its text is rewritten.
fn lost(before: &str, after: &str) -> Vec<String> {
    let mut tree = open(before);
    let root = xml::root(&tree).unwrap();
    let old: Vec<_> = tree.descendants(root).collect();
    let texts: Vec<String> = old.iter().map(|id| tree.text_of(*id)).collect();
    xml::rewrite(&mut tree, after, &Limits::default()).unwrap();
    assert_eq!(tree.text(), after);
    let gone = old
        .iter()
        .zip(texts)
        .filter(|(id, _)| tree.get(**id).is_none());
    gone.map(|(_, text)| text).collect()
}

#[test]
fn elements_that_are_alike_stay_where_text_between_them_moves() {
    let before = "<a>\n  <f/>\n  <b/>\n  <b/>2\n</a>";
    let after = "<a>\n  <f/>\n  <b/>2\n  <b/>\n</a>";
    assert_eq!(lost(before, after), Vec::<String>::new());
}

#[test]
fn an_element_keeps_its_row_where_another_goes_around_it_or_away() {
    let flat = "<a>\n  <b x=\"1\"><c/></b>\n  <d>\n    <e/>\n  </d>\n</a>";
    let deep = "<a>\n  <g>\n    <b x=\"1\"><c/></b>\n    <d>\n      <e/>\n    </d>\n  </g>\n</a>";
    assert_eq!(lost(flat, deep), Vec::<String>::new());
    let gone = lost(deep, flat);
    assert!(gone.len() == 1 && gone[0].contains("<g>"), "{gone:?}");
}
