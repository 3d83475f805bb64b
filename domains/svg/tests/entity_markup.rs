//! Elements and texts from entities: they count as content, and their references count as uses.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::{Desk, opened};

const MARKUP: &str = "<!DOCTYPE svg [<!ENTITY part \"<rect width='50' height='50' y='20'/>\">\
    <!ENTITY u \"<use href='#s1' y='20'/>\"><!ENTITY t \"<tspan>two</tspan>\"><!ENTITY d \"<desc>x</desc>\">]>\
    <svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"s1\" width=\"9\" height=\"9\"/><rect id=\"s2\" width=\"9\" height=\"9\"/>\
    <g id=\"g\">&part;</g><g id=\"h\">&u;</g><g id=\"e\">&d;</g><g id=\"n\" display=\"none\">&part;</g>\
    <text id=\"t\" y=\"90\">one &t; three</text><text id=\"v\" y=\"90\">&t;</text></svg>";

#[test]
fn elements_from_entities_are_content() {
    let (mut server, _root) = opened(MARKUP);
    let reply = server.query("SELECT ref FROM elements WHERE visible=0 AND tag<>'svg'");
    let hidden: Vec<&str> = reply.lines().skip(1).map(str::trim).collect();
    assert_eq!(hidden, ["e", "n", "(2 rows)"], "{reply}");
    let reply = server.query("list @empty");
    assert!(
        reply.starts_with("e ") && reply.lines().count() == 1,
        "{reply}"
    );
    let reply = server.query("SELECT text FROM elements WHERE id='t'");
    assert!(reply.contains("one two three"), "{reply}");
    for (query, begins) in [("find two", "text t "), ("list @text:two", "t text ")] {
        let reply = server.query(query);
        let is_found = reply.lines().any(|line| line.starts_with(begins));
        assert!(is_found, "{query}\n{reply}");
    }
}

#[test]
fn references_from_entities_keep_elements() {
    let (mut server, _root) = opened(MARKUP);
    for op in [
        "remove s1",
        "remove s1 unlink:on",
        "remove s1,s2",
        "DELETE FROM elements WHERE id='s1'",
        "UPDATE elements SET id=NULL WHERE id='s1'",
    ] {
        let reply = server.refused(&[op]);
        let reason = "s1 is used by the markup of &u;, which is edited only as the entity's text";
        assert!(reply.contains(reason), "{op}\n{reply}");
        assert!(
            reply.contains("try: ? describe entity:u\n"),
            "{op}\n{reply}"
        );
    }
    let reply = server.run(&["remove s2", "remove s1,h"]);
    assert!(reply.contains("- 2 objects: s1, h"), "{reply}");
}

#[test]
fn a_text_from_an_entity_may_have_any_character() {
    let file = |text: &str| {
        format!(
            "<!DOCTYPE svg [<!ENTITY lab \"{text}\">]><svg xmlns=\"http://www.w3.org/2000/svg\"><text id=\"t\">&lab;</text></svg>"
        )
    };
    for (new, written) in [
        ("R & D", "R &amp; D"),
        ("R&amp;D", "R&amp;amp;D"),
        ("a < b", "a &lt; b"),
        ("]]>", "]]&gt;"),
        ("\"5\"", "&#34;5&#34;"),
        ("S&les", "S&amp;les"),
    ] {
        let mut desk = Desk::open(&file("Sales"));
        desk.run(&[&format!("UPDATE elements SET text='{new}' WHERE id='t'")]);
        assert_eq!(desk.saved(), file(written), "{new}");
        let mut desk = Desk::open(&file("Sales"));
        desk.run(&[&format!("UPDATE texts SET text='{new}' WHERE ref='t'")]);
        assert_eq!(desk.saved(), file(written), "{new}");
    }
}

#[test]
fn selectors_see_the_elements_of_entities_and_white_space() {
    let doctype = "<!DOCTYPE svg [<!ENTITY part \"<rect class='p' width='5' height='5'/>\"><!ENTITY two \"&part;<g/>\"><!ENTITY lab \"Sales\"><!ENTITY note \"<!--x-->\">]>";
    let text = format!(
        "{doctype}<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"g\">&part;<circle id=\"c\" r=\"3\"/></g>\
         <text id=\"t\">&lab;</text><g id=\"w\"> </g><text id=\"p\" xml:space=\"preserve\">  </text>\
         <g id=\"h\"><circle id=\"c1\"/>&two;<circle id=\"c2\"/></g><g id=\"e\"/><g id=\"n\">&note;</g>\
         <g id=\"m\"><!--x--></g><g id=\"d\"><![CDATA[]]></g></svg>"
    );
    for (selector, refs) in [
        (":empty", "c c1 c2 e n m d"),
        ("circle:first-child", "c1"),
        ("circle:last-child", "c c2"),
        ("circle:nth-child(2)", "c"),
        ("circle:nth-child(4)", "c2"),
        ("circle:nth-of-type(2)", "c2"),
        ("circle:only-child", ""),
        ("circle + circle", ""),
        ("circle ~ circle", "c2"),
        ("rect + circle", "c"),
        ("rect + g + circle", "c2"),
        ("circle + .p:not(:first-child) ~ circle", "c2"),
        ("g > rect.p[width='5']:nth-child(1) + circle", "c"),
        ("g:empty + circle", "c2"),
        ("#h > :nth-child(2)", ""),
    ] {
        let (mut server, _root) = opened(&*text);
        let reply = server.query(&format!("list \"{selector}\""));
        let names = reply.lines().filter_map(|line| line.split_once(' '));
        let names: Vec<&str> = names.map(|(name, _)| name).collect();
        match refs {
            "" => assert!(reply.starts_with("nothing matches"), "{selector}\n{reply}"),
            refs => assert_eq!(names.join(" "), refs, "{selector}\n{reply}"),
        }
    }
    let text = format!(
        "{doctype}<svg xmlns=\"http://www.w3.org/2000/svg\"><style>circle:first-child{{fill:red}} rect + circle{{stroke:blue}}</style>\
         <g id=\"g\">&part;<circle id=\"c\" r=\"3\"/></g></svg>"
    );
    let (mut server, _root) = opened(text);
    let reply = server.query("SELECT fill, stroke FROM elements WHERE id='c'");
    assert!(reply.contains("#000000 | #0000ff"), "{reply}");
}
