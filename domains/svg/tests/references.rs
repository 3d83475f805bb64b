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
