//! Elements with one id: a reference means the first of them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::sheets::server;
use crate::support::Desk;

const TWINS: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>#a{fill:red}#u{clip-path:url(#a)}</style>\
    <rect id=\"a\"/><rect id=\"a\"/><use id=\"u\" href=\"#a\"/></svg>";

#[test]
fn references_follow_the_first_of_several_with_one_id() {
    for (op, elements, target) in [
        ("rename rect~1 b", "<rect id=\"b\"/><rect id=\"a\"/>", "b"),
        ("rename rect~2 b", "<rect id=\"a\"/><rect id=\"b\"/>", "a"),
        (
            "UPDATE elements SET id='r'||nth WHERE tag='rect'",
            "<rect id=\"r2\"/><rect id=\"r3\"/>",
            "r2",
        ),
        (
            "UPDATE elements SET id=NULL WHERE ref='rect~2'",
            "<rect id=\"a\"/><rect/>",
            "a",
        ),
    ] {
        let mut desk = Desk::open(TWINS);
        desk.run(&[op]);
        // The selector matches the other one too.
        let wanted = TWINS
            .replace("<rect id=\"a\"/><rect id=\"a\"/>", elements)
            .replace("href=\"#a\"", &format!("href=\"#{target}\""))
            .replace("url(#a)", &format!("url(#{target})"));
        assert_eq!(desk.saved(), wanted, "{op}");
    }
}

#[test]
fn the_first_of_several_with_one_id_is_in_use() {
    let inner = "<rect id=\"a\"/><rect id=\"a\"/><use href=\"#a\"/>";
    for (op, reason) in [
        (
            "remove rect~1",
            "! a is used by use~1; remove rect~1 unlink:on removes such references too, ? refs rect~1 lists them\n",
        ),
        (
            "remove \"rect\"",
            "! a is used by use~1; remove rect~1 unlink:on removes such references too, ? refs rect~1 lists them\n",
        ),
        (
            "UPDATE elements SET id=NULL WHERE ref='rect~1'",
            "! a cannot lose its id: href of use use~1 refers to it\n",
        ),
    ] {
        let (mut server, _root) = server(inner);
        let reply = server.refused(&[op]);
        assert!(reply.starts_with(reason), "{op}\n{reply}");
    }
    let (mut server, _root) = server(inner);
    let reply = server.run(&["remove rect~2"]);
    assert!(reply.starts_with("- rect rect~2\n"), "{reply}");
    let reply = server.run(&["remove rect~1 unlink:on"]);
    assert!(
        reply.starts_with("- rect a\n  * use~1: href removed\n"),
        "{reply}"
    );
}

#[test]
fn references_in_copies_are_spelled_as_in_the_originals() {
    for (reference, copied) in [("#a b", "#a b-2"), ("#a%20b", "#a%20b-2")] {
        let mut desk = Desk::open(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"g\"><rect id=\"a b\"/><use href=\"{reference}\"/></g></svg>"
        ));
        desk.run(&["copy g by:1,1"]);
        let saved = desk.saved();
        let wanted = format!("<rect id=\"a b-2\"/><use href=\"{copied}\"/>");
        assert!(saved.contains(&wanted), "{saved}");
    }
}
