//! The lossless XML tree: what it keeps, what it says, what it refuses, and what its edits change.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use fcp::format::xml::{self, Element, Kind, Limits, Node};
use fcp::model::{Id, Ids, Journaled, Tree, TreeChange};

type Xml = Tree<Node>;

fn open(text: &str) -> Xml {
    let mut tree = Xml::attach(&Ids::default());
    let read = xml::read(text.to_owned(), &Limits::default());
    let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
    read.place(&mut tree, Xml::ROOT, None).unwrap();
    tree.drain();
    assert_eq!(tree.text(), text);
    tree.audit().unwrap();
    tree
}

/// The element with this attribute `id`.
fn find(tree: &Xml, id: &str) -> Id<Node> {
    let is = |row: &Id<Node>| {
        let element = tree.get(*row).unwrap().element();
        element.is_some_and(|element| element.attr("id").is_some_and(|own| own == id))
    };
    tree.ids().find(is).unwrap()
}

/// Each is put before what it is said of.
const ODD: [(&str, &str); 16] = [
    ("an empty element", "<a/>"),
    ("a space in the tag", "<a ></a >"),
    ("line ends", "<a>\r\n\t<b/>\r<c/>\n</a>\r\n"),
    (
        "a declaration",
        "<?xml version='1.0' encoding=\"UTF-8\" standalone='no' ?>\n<a/>",
    ),
    ("comments", "<!-- a --><a><!-- - b --></a><!----> "),
    (
        "instructions",
        "<?x?><a><?y z ??></a>\n<?xml-stylesheet href='a'?>\n",
    ),
    ("CDATA", "<a><![CDATA[<&]] >]]]]><![CDATA[>]]></a>"),
    ("attributes", "<a b = 'x\"y' \n  c\t=\t\"&quot;'>\" d=''/>"),
    (
        "references",
        "<a b='&#x41;&#66;&amp;'>&lt;&#13;&gt;x > y</a>",
    ),
    ("a doctype", "<!DOCTYPE a>\n<a/>"),
    (
        "an external one",
        "<!DOCTYPE a PUBLIC \"-//W3C//DTD\" 'x.dtd' [ <!ELEMENT a (b|c)*> ] >\n<a/>",
    ),
    (
        "entities",
        "<!DOCTYPE a [<!ENTITY x 'y&#38;#60;'><!-- > --><?p ]?>]><a b='&x;'> &x; <b/> &x;</a>",
    ),
    (
        "an entity of markup",
        "<!DOCTYPE a [<!ENTITY x '<b>t</b>'>]><a> &x;\n t&x;u </a>",
    ),
    (
        "namespaces",
        "<p:a xmlns:p='u' xmlns='v' xml:lang='de' p:b='1' b='2'><c xmlns=''/></p:a>",
    ),
    ("other letters", "<größe Ünit='µ'>日本 \u{10ffff}</größe>"),
    ("white space only", "<a> \n </a>  \n\n"),
];

#[test]
fn what_is_read_is_written_byte_for_byte() {
    for (_, text) in ODD {
        let tree = open(text);
        let rows: Vec<Node> = tree.ids().map(|id| tree.get(id).unwrap().clone()).collect();
        let json = serde_json::to_string(&rows).unwrap();
        let back: Vec<Node> = serde_json::from_str(&json).unwrap();
        assert_eq!(back, rows, "{text}");
    }
}

#[test]
fn values_and_texts_are_said_as_they_are_meant() {
    let doctype =
        "<!DOCTYPE a [<!ENTITY x '1&y;3'><!ENTITY y \"'&#38;#60;&#x9;2'\"><!ENTITY y 'no'>]>";
    let source = "<a b='&x;&#10;\r\n\t&lt;' c=\"&unused\">".replace(" c=\"&unused\"", "");
    let tree = open(&format!("{doctype}{source}x&x;\r\n&#13;</a>"));
    let root = xml::root(&tree).unwrap();
    assert_eq!(
        xml::element(&tree, root).unwrap().attr("b").unwrap(),
        "1'< 2'3\n  <"
    );
    let text = tree.first_child(root).unwrap();
    assert_eq!(tree.get(text).unwrap().text().unwrap(), "x1'<\t2'3\n\r");

    let tree = open("<!DOCTYPE a [<!ENTITY x '<b c=\"&y;\">&y;</b>'><!ENTITY y 'z'>]><a>&x;</a>");
    let root = xml::root(&tree).unwrap();
    let node = tree.get(tree.first_child(root).unwrap()).unwrap();
    let Kind::Entity(entity) = node.kind() else {
        panic!("{node:?}")
    };
    assert_eq!(
        (entity.name(), entity.text()),
        ("x", "<b c=\"&y;\">&y;</b>")
    );
    let mut inner = Xml::attach(&Ids::default());
    let nodes = entity.expansion(|_| false).unwrap();
    nodes.place(&mut inner, Xml::ROOT, None).unwrap();
    let b = xml::root(&inner).unwrap();
    assert_eq!(xml::element(&inner, b).unwrap().attr("c").unwrap(), "z");
    let text = inner.first_child(b).unwrap();
    assert_eq!(inner.get(text).unwrap().text().unwrap(), "z");
}

#[test]
fn what_is_not_well_formed_is_refused_with_its_place() {
    let cases = [
        ("<a><b></a></b>", "line 1 column 7: <b> is closed by </a>"),
        ("<a>\n <b>\n</b>", "line 1 column 1: <a> is never closed"),
        (
            "<a/>\r\n<b/>",
            "line 2 column 1: content outside the root element",
        ),
        ("<a/>x", "line 1 column 5: content outside the root element"),
        ("x<a/>", "line 1 column 1: content outside the root element"),
        ("<a/></a>", "line 1 column 5: </a> closes nothing"),
        ("", "line 1 column 1: there is no root element"),
        ("<!-- a -->", "line 1 column 11: there is no root element"),
        (
            "<a b='1' c='2' b='3'/>",
            "line 1 column 16: the attribute b is there twice",
        ),
        (
            "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>",
            "line 1 column 35: the attribute q:b is there twice",
        ),
        ("<a b='<'/>", "line 1 column 7: < in an attribute's value"),
        (
            "<a>&x;</a>",
            "line 1 column 4: the entity &x; is not defined",
        ),
        (
            "<a b='é&x;'/>",
            "line 1 column 8: the entity &x; is not defined",
        ),
        ("<a>& b</a>", "line 1 column 4: & begins no reference"),
        ("<a>&#0;</a>", "line 1 column 4: &#0; is no character"),
        (
            "<a>&#xD800;</a>",
            "line 1 column 4: &#xD800; is no character",
        ),
        (
            "<a>\u{1}</a>",
            "line 1 column 4: the character U+0001 is forbidden",
        ),
        (
            "<a>\u{ffff}</a>",
            "line 1 column 4: the character U+FFFF is forbidden",
        ),
        (
            "<a><!-- a -- b --></a>",
            "line 1 column 11: -- in a comment",
        ),
        ("<a><!-- a ---></a>", "line 1 column 11: -- in a comment"),
        ("<a>]]></a>", "line 1 column 4: ]]> in text"),
        (
            "<p:a/>",
            "line 1 column 1: the prefix p is bound to no namespace",
        ),
        (
            "<a p:b=''/>",
            "line 1 column 4: the prefix p is bound to no namespace",
        ),
        (
            "<a xmlns:p=''/>",
            "line 1 column 4: the prefix p is bound to an empty namespace",
        ),
        (
            "<a xmlns:xml='u'/>",
            "line 1 column 4: xmlns:xml is reserved",
        ),
        ("<xmlns:a/>", "line 1 column 1: xmlns:a is reserved"),
        ("<1/>", "line 1 column 2: a name must stand here"),
        (
            "<a:b:c/>",
            "line 1 column 2: a name with one prefix must stand here",
        ),
        ("<a b=1/>", "line 1 column 6: a quote must stand here"),
        ("<a b/>", "line 1 column 5: = must stand here"),
        (
            "<a b=''c=''/>",
            "line 1 column 8: white space must stand here",
        ),
        (
            "<a b='",
            "line 1 column 4: the text ends within an attribute's value",
        ),
        ("<a ", "line 1 column 1: the text ends within a tag"),
        (
            "<a><![CDATA[ ]] ></a>",
            "line 1 column 13: the text ends within a CDATA section",
        ),
        (
            "<a><?XML x?></a>",
            "line 1 column 4: XML is no target of a processing instruction",
        ),
        (
            " <?xml version='1.0'?><a/>",
            "line 1 column 2: an XML declaration stands at the very beginning or nowhere",
        ),
        (
            "<?xml version='2.0'?><a/>",
            "line 1 column 20: version 1.0 must stand here",
        ),
        (
            "<?xml encoding='x'?><a/>",
            "line 1 column 7: version must stand here",
        ),
        (
            "<a/><!DOCTYPE a>",
            "line 1 column 5: a DOCTYPE stands once, before the root element",
        ),
        (
            "<!DOCTYPE a [<!ENTITY x SYSTEM 'y'>]>\n<a>&x;</a>",
            "line 2 column 4: the entity &x; is in another file, which is not read",
        ),
        (
            "<!DOCTYPE a [\n%x;]><a/>",
            "line 2 column 1: the parameter entity %x; is not read",
        ),
        (
            "<!DOCTYPE a [<!ENTITY x '%y;'>]><a/>",
            "line 1 column 26: the parameter entity %y; is not read",
        ),
        (
            "<!DOCTYPE a [<!ENTITY x '&y;'><!ENTITY y '&x;'>]><a b='&x;'/>",
            "line 1 column 56: the entity &x; refers to itself",
        ),
        (
            "<!DOCTYPE a [<!ENTITY x '<b>'>]><a>&x;</a>",
            "line 1 column 36: in the entity &x; <b> is never closed",
        ),
        (
            "<!DOCTYPE a [<!ENTITY x '<b/>'>]><a c='&x;'/>",
            "line 1 column 40: in the entity &x; < in an attribute's value",
        ),
    ];
    let said = cases.map(|(text, _)| {
        let read = xml::read(text.to_owned(), &Limits::default());
        (
            text,
            read.map_or_else(|error| error.to_string(), |_| "read".to_owned()),
        )
    });
    let other = said
        .iter()
        .zip(&cases)
        .filter(|((_, said), (_, message))| said != message);
    let other: Vec<_> = other.collect();
    assert!(other.is_empty(), "{other:#?}");
}

#[test]
fn limits_are_refused_by_name() {
    let limits = Limits {
        depth: 3,
        nodes: 6,
        attributes: 2,
        entity_depth: 2,
        entity_bytes: 40,
    };
    let entities = "<!DOCTYPE a [<!ENTITY x '0123456789'><!ENTITY y '&x;'><!ENTITY z '&y;'>]>";
    let cases = [
        ("<a><b><c/></b></a>".to_owned(), None),
        (
            "<a><b><c><d/></c></b></a>".to_owned(),
            Some("elements nest more than 3 deep (set depth-limit:N moves it)"),
        ),
        (
            "<a><b/><b/><b/><b/><b/><b/></a>".to_owned(),
            Some("more than 6 nodes (set node-limit:N moves it)"),
        ),
        (
            "<a b='' c='' d=''/>".to_owned(),
            Some("more than 2 attributes in an element (set attribute-limit:N moves it)"),
        ),
        (format!("{entities}<a>&x;&y;</a>"), None),
        (
            format!("{entities}<a>&z;</a>"),
            Some("entities within entities more than 2 deep"),
        ),
        (
            format!("{entities}<a b='&x;&x;'>&x;&x;</a>"),
            Some("entities expand to more than 40 bytes"),
        ),
    ];
    for (text, message) in cases {
        let reason = xml::read(text.clone(), &limits).err().map(|error| {
            assert!(error.reason.is_limit());
            error.reason.to_string()
        });
        assert_eq!(reason.as_deref(), message, "{text}");
    }
    let laughs: String = (1..9)
        .map(|n| format!("<!ENTITY l{n} '{}'>", format!("&l{};", n - 1).repeat(10)))
        .collect();
    let bomb = format!("<!DOCTYPE a [<!ENTITY l0 'lol'>{laughs}]><a>&l8;</a>");
    assert!(
        xml::read(bomb, &Limits::default())
            .unwrap_err()
            .reason
            .is_limit()
    );
}

/// An edit of a document, what it says, and the document after it.
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
            Err("\"1\" is no name of an attribute"),
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
            |t| change(t, |e| e.replace_in_attr("d", 3..4, "<5>")),
            Ok("<a d='M0 &lt;5> &amp; 1e1'/>"),
        ),
        Case(
            "<a d='M0 0 &amp; 1e1'/>",
            |t| change(t, |e| e.replace_in_attr("d", 6..9, "")),
            Err("bytes 6-9 are no part of the value \"M0 0 &amp; 1e1\""),
        ),
        Case(
            "<a d='é'/>",
            |t| change(t, |e| e.replace_in_attr("d", 1..2, "")),
            Err("bytes 1-2 are no part of the value \"é\""),
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
        Case("<a><!--x--></a>", |t| set(t, "y"), Err("this is no text")),
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
            Err("a document has one root element, and nothing is put beside it"),
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
            Err("line 1 column 1: an XML declaration stands at the very beginning or nowhere"),
        ),
        Case(
            "<!DOCTYPE a [<!ENTITY e 'x'>]><a/>",
            |t| raw(t, "&e;"),
            Ok("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"),
        ),
    ]);
}

#[test]
fn names_are_told_with_their_namespaces() {
    let tree = open(
        "<p:a xmlns:p='u' id='r'><b id='b' xmlns='v' xmlns:q='w' xmlns:p='x'><p:c id='c'/></b></p:a>",
    );
    let (root, b, c) = (find(&tree, "r"), find(&tree, "b"), find(&tree, "c"));
    let uri = |id| xml::namespace_of(&tree, id).unwrap().into_owned();
    assert_eq!([uri(root), uri(b), uri(c)], ["u", "v", "x"]);
    assert_eq!(xml::prefix_of(&tree, c, "w").as_deref(), Some("q"));
    assert_eq!(
        xml::prefix_of(&tree, c, "u"),
        None,
        "p is bound to something else by then"
    );
    assert_eq!(xml::namespace(&tree, root, ""), None);
    assert_eq!(xml::attr_namespace(&tree, c, "id"), None);
    assert_eq!(xml::attr_namespace(&tree, c, "q:z").unwrap(), "w");
    assert_eq!(xml::qualified_like(&tree, c, "d"), "p:d");
    assert_eq!(xml::qualified_like(&tree, b, "d"), "d");
}

#[test]
fn slices_are_small_and_share_their_text() {
    assert_eq!(size_of::<xml::Slice>(), 16);
    assert_eq!(size_of::<xml::Attr>(), 16);
    let source = xml::Source::new("äbc".to_owned()).unwrap();
    assert_eq!(&*source.slice(0..2), "ä");
    assert_eq!(&*source.slice(1..2), "", "half a character");
    assert_eq!(&*source.slice(2..9), "");
    assert_eq!(source.slice(2..4), xml::Slice::from("bc"));
}

/// A document whose DOCTYPE declares all there is to declare.
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
    assert!(xml::set_entity(&mut tree, x, "abd").unwrap());
    assert!(!xml::set_entity(&mut tree, x, "abd").unwrap());
    assert_eq!(tree.text(), DECLARED.replace("ab&#99;", "abd"));
    let element = xml::element(&tree, root).unwrap();
    assert_eq!(element.attr("k").unwrap(), "1 abd 2");
    assert_eq!(element.attr("l").unwrap(), "abd-abd");
    for (text, literal) in [
        ("5% 'a'", "5&#37; &#39;a&#39;"),
        ("&#60;", "&#38;#60;"),
        ("&amp;", "&#38;amp;"),
    ] {
        xml::set_entity(&mut tree, x, text).unwrap();
        assert_eq!(
            tree.get(x).unwrap().entity_decl().unwrap().literal(),
            Some(literal)
        );
    }
    // What was written comes back change by change.
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
            xml::set_entity(&mut tree, id, text).is_err(),
            "{name} {text}"
        );
        assert_eq!(tree.text(), DECLARED);
    }
    assert!(xml::remove_entity(&mut tree, x).is_err());
    assert!(xml::remove_node(&mut tree, x).is_err());
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
