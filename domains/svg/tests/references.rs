//! References by the grammar of their place: followed by `rename`, and removed with their target.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::accounted::{Opened, with};

fn file(inner: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">\n  {inner}\n</svg>\n")
}

#[test]
fn every_form_of_reference_is_renamed() {
    for (inner, old) in [
        (
            "<g id=\"fab\"/><use href=\"#a\"><animate attributeName=\"href\" values=\"#a;#fab\"/></use>",
            vec![("#fab", "#z")],
        ),
        (
            "<g id=\"fab\"/><use href=\"#a\"><set attributeName=\"xlink:href\" to=\"#fab\"/></use>",
            vec![("#fab", "#z")],
        ),
        (
            "<g id=\"fab\"/><use href=\"#a\"><set attributeName=\"fill\" to=\"#fab\"/></use>",
            vec![],
        ),
        (
            "<style>#fa<![CDATA[b]]>{x:y} a{fill:<![CDATA[#fab]]>}</style><g id=\"fab\"/>",
            vec![("#fa<![CDATA[b]]>", "#z<![CDATA[]]>")],
        ),
        (
            "<style>a{fill:url(\"\\#fab\")}</style><g id=\"fab\"/>",
            vec![("\\#fab", "\\#z")],
        ),
        (
            "<rect fill=\"url(\\23 fab)\"/><linearGradient id=\"fab\"/>",
            vec![("\\23 fab", "\\23 z")],
        ),
    ] {
        let text = file(inner);
        let saved = Opened::after(&text, &["rename fab z"]);
        let mut all = vec![("id=\"fab\"", "id=\"z\"")];
        all.extend(old);
        assert_eq!(saved, with(&text, &all), "{inner}");
    }
}

#[test]
fn an_animated_link_uses_its_targets() {
    let text = file(
        "<g id=\"b\"/><use href=\"#a\"><set attributeName=\"href\" to=\"#b\"/></use><g id=\"a\"/>",
    );
    let reply = Opened::refused(&text, "remove b");
    assert!(reply.contains("b is used by set~1"), "{reply}");
}

#[test]
fn what_a_label_or_an_animation_uses_stays_unless_its_uses_go() {
    let text = file(
        "<style>#x1{fill:red}</style><g id=\"x1\"/><g id=\"x2\"/><rect aria-labelledby=\"x1 x2\"><set begin=\"x1.click\" end=\"x2.click; x1.end\"/></rect>",
    );
    let reply = Opened::refused(&text, "remove x1");
    assert!(reply.contains("try: remove x1 unlink:on"), "{reply}");
    let saved = Opened::after(&text, &["remove x1 unlink:on"]);
    let wanted = [
        ("<g id=\"x1\"/>", ""),
        ("x1 x2", "x2"),
        ("x1.click", "indefinite"),
        ("x2.click; x1.end", "x2.click"),
    ];
    assert_eq!(saved, with(&text, &wanted));
}

#[test]
fn only_the_reference_goes_with_its_target() {
    for (old, new) in [
        (
            "<animate attributeName=\"fill\" values=\"url(#x1); url(#x2) ; red\"/>",
            "<animate attributeName=\"fill\" values=\"none; url(#x2) ; red\"/>",
        ),
        (
            "<use href=\"#x2\"><animate attributeName=\"href\" values=\"#x2;#x1\"/></use>",
            "<use href=\"#x2\"><animate attributeName=\"href\" values=\"#x2\"/></use>",
        ),
        (
            "<rect style=\"mask:url(#x1),url(#x2) !important\"/>",
            "<rect style=\"mask:url(#x2) !important\"/>",
        ),
        ("<rect fill=\"url(#x1) red\"/>", "<rect fill=\"red\"/>"),
        (
            "<style>a{fill:url(#x1) red;stroke:url(#x1)}</style>",
            "<style>a{fill:red}</style>",
        ),
        ("<rect style=\"fill:url(#x1)\" x=\"1\"/>", "<rect x=\"1\"/>"),
    ] {
        let text = file(&format!("<mask id=\"x1\"/><mask id=\"x2\"/>{old}"));
        let saved = Opened::after(&text, &["remove x1 unlink:on"]);
        let wanted = with(&text, &[("<mask id=\"x1\"/>", ""), (old, new)]);
        assert_eq!(saved, wanted);
    }
    let text = file(
        "<mask id=\"x1\"/><mask id=\"x2\"/><style>a{fill:url(#x1)} b{fill:url(#x2);x:y}</style>",
    );
    let saved = Opened::after(&text, &["remove x1,x2 unlink:on"]);
    assert!(saved.contains("<style>a{} b{x:y}</style>"), "{saved}");
}
