//! The lossless XML tree: reading and its errors; edits and entities have their own files.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod edits;
mod entities;

use fcp::format::xml::{self, Kind, Limits, Node};
use fcp::model::{Id, Ids, Journaled, Tree};

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

/// Documents, each after its label.
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
fn documents_are_written_byte_for_byte() {
    for (_, text) in ODD {
        let tree = open(text);
        let rows: Vec<Node> = tree.ids().map(|id| tree.get(id).unwrap().clone()).collect();
        let json = serde_json::to_string(&rows).unwrap();
        let back: Vec<Node> = serde_json::from_str(&json).unwrap();
        assert_eq!(back, rows, "{text}");
    }
}

#[test]
fn values_and_texts_are_decoded_and_normalized() {
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
fn malformed_documents_are_refused_with_the_place() {
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
            "line 1 column 16: the attribute b occurs twice",
        ),
        (
            "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>",
            "line 1 column 35: the attribute q:b occurs twice",
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
        ("<a>&#0;</a>", "line 1 column 4: &#0; is not a character"),
        (
            "<a>&#xD800;</a>",
            "line 1 column 4: &#xD800; is not a character",
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
        ("<1/>", "line 1 column 2: a name is expected here"),
        (
            "<a:b:c/>",
            "line 1 column 2: a name with one prefix is expected here",
        ),
        ("<a b=1/>", "line 1 column 6: a quote is expected here"),
        ("<a b/>", "line 1 column 5: = is expected here"),
        (
            "<a b=''c=''/>",
            "line 1 column 8: white space is expected here",
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
            "line 1 column 4: XML is not a processing instruction target",
        ),
        (
            " <?xml version='1.0'?><a/>",
            "line 1 column 2: an XML declaration is allowed only at the very start",
        ),
        (
            "<?xml version='2.0'?><a/>",
            "line 1 column 20: version 1.0 is expected here",
        ),
        (
            "<?xml encoding='x'?><a/>",
            "line 1 column 7: version is expected here",
        ),
        (
            "<a/><!DOCTYPE a>",
            "line 1 column 5: a DOCTYPE comes once, before the root element",
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
    let messages = cases.map(|(text, _)| {
        let read = xml::read(text.to_owned(), &Limits::default());
        (
            text,
            read.map_or_else(|error| error.to_string(), |_| "read".to_owned()),
        )
    });
    let other = messages
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

#[test]
fn names_are_resolved_to_their_namespaces() {
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
