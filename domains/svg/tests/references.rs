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
        (
            "<view id=\"fab\"/><a href=\"#svgView(viewTarget( fab );transform(scale(2)))\"/>",
            vec![("( fab )", "( z )")],
        ),
        (
            "<g id=\"fab\"/><use href=\"#xpointer(id('fab'))\"/>",
            vec![("'fab'", "'z'")],
        ),
        (
            "<foreignObject><label xmlns=\"http://www.w3.org/1999/xhtml\" for=\"fab\">fab<input id=\"fab\" list=\"fabs\" name=\"fab\"/></label></foreignObject>",
            vec![("for=\"fab\"", "for=\"z\"")],
        ),
        (
            "<g id=\"fab\"/><rect><set attributeName=\"aria-owns\" to=\"b fab\"/></rect>",
            vec![("\"b fab\"", "\"b z\"")],
        ),
        (
            "<style>[mask='url(#fab)'],[aria-owns~=fab],[class=fab]{x:y}</style><mask id=\"fab\"/>",
            vec![("url(#fab)", "url(#z)"), ("~=fab", "~=z")],
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
fn an_instruction_that_links_a_style_follows_its_id() {
    let text = |id: &str, link: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<?xml-stylesheet title=\"href='#fab'\" {link}?>\n<?other href=\"#fab\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><style id=\"{id}\">g{{fill:red}}</style></svg>\n"
        )
    };
    for link in [
        "href=\"#fab\" type=\"text/css\"",
        "href = '#fab'",
        "href=\"a.css#fab\"",
    ] {
        let wanted = match link.contains("a.css") {
            true => link.to_owned(),
            false => link.replace("#fab", "#z"),
        };
        let given = text("fab", link);
        for op in ["rename fab z", "UPDATE elements SET id='z' WHERE id='fab'"] {
            assert_eq!(Opened::after(&given, &[op]), text("z", &wanted), "{op}");
        }
    }
    let mut opened = Opened::of(text("fab", "href=\"#fab\"").as_bytes());
    let reply = opened.server.run(&["rename fab z"]);
    assert!(
        reply.starts_with("* style fab -> z (1 reference)"),
        "{reply}"
    );
}

#[test]
fn an_instruction_that_links_a_style_is_a_reference_to_it() {
    let link = "<?xml-stylesheet href=\"#s\"?>\n";
    let rest = |style: &str| {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"a\"/>{style}</svg>\n")
    };
    let text = format!("{link}{}", rest("<style id=\"s\">g{fill:red}</style>"));
    let mut opened = Opened::of(text.as_bytes());
    for op in [
        "remove s",
        "DELETE FROM elements WHERE ref='s'",
        "UPDATE elements SET id=NULL WHERE ref='s'",
    ] {
        let reply = opened.server.refused(&[op]);
        assert!(
            reply.contains("<?xml-stylesheet?> refers to"),
            "{op}: {reply}"
        );
    }
    assert!(
        opened
            .server
            .query("refs s")
            .contains("used by <?xml-stylesheet?>")
    );
    let reply = opened.server.run(&["remove s unlink:on"]);
    assert!(
        reply.starts_with("- style s\n  - <?xml-stylesheet?>\n"),
        "{reply}"
    );
    // The line break belongs to the root.
    assert_eq!(opened.saved(), format!("\n{}", rest("")).as_bytes());
}

#[test]
fn a_move_changes_an_entity_whose_uses_all_change_alike() {
    let text = |p: u32| {
        format!(
            "<!DOCTYPE svg [<!ENTITY p \"{p}\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"a\" x=\"&p;\" y=\"&p;\" width=\"9\" height=\"9\"/></svg>\n"
        )
    };
    assert_eq!(Opened::after(&text(5), &["move a by:3,3"]), text(8));
    let mut opened = Opened::of(text(5).as_bytes());
    let reply = opened.server.refused(&["move a by:3,4"]);
    assert!(reply.contains("try: set a x 5"), "{reply}");
    opened.server.run(&["set a x 5", "move a by:3,4"]);
    let saved = String::from_utf8(opened.saved()).unwrap();
    assert!(
        saved.contains("ENTITY p \"9\"") && saved.contains("x=\"8\" y=\"&p;\""),
        "{saved}"
    );
}

#[test]
fn a_text_that_no_longer_uses_an_entity_says_so() {
    let text = "<!DOCTYPE svg [<!ENTITY a \"A\"><!ENTITY b \"B\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><text id=\"t\" y=\"5\">&a; and &b;</text></svg>\n";
    let mut opened = Opened::of(text.as_bytes());
    for (op, told) in [
        ("modify t text:\"A or B\"", "text A and B -> A or B\n"),
        (
            "modify t text:\"A or C\"",
            "text A or B -> A or C, &a; no longer used in it, &b; no longer used in it\n",
        ),
        ("modify t text:New", "text A or C -> New\n"),
    ] {
        let reply = opened.server.run(&[op]);
        assert!(reply.contains(told), "{op}\n{reply}");
    }
}

#[test]
fn targets_of_labels_and_animations_stay_unless_their_uses_go() {
    let text = file(
        "<style>#x1{fill:red}</style><g id=\"x1\"/><g id=\"x2\"/><rect aria-labelledby=\"x1 x2\"><set begin=\"x1.click\" end=\"x2.click; x1.end\"/></rect>",
    );
    let reply = Opened::refused(&text, "remove x1");
    assert!(
        reply.contains("unlink:on removes such references too, ? refs x1 lists them"),
        "{reply}"
    );
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
fn animations_go_with_the_target_of_their_link() {
    // Without a link they would animate their parent.
    for animation in [
        "<animate id=\"a\" href=\"#x1\" attributeName=\"opacity\" to=\"0\"/>",
        "<set id=\"a\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xlink:href=\"#x1\" attributeName=\"opacity\"/>",
        "<animateMotion id=\"a\" href=\"#x1\" begin=\"x1.click\" path=\"M0 0h9\"/>",
        "<animateTransform id=\"a\" href=\"#x1\" attributeName=\"transform\"/>",
    ] {
        let (next, last) = (
            "<set begin=\"a.end\" id=\"b\"/>",
            "<set href=\"#a\" begin=\"b.end\"/>",
        );
        let text = file(&format!(
            "<g><rect id=\"x1\"/><circle id=\"k\">{next}</circle>{animation}{last}</g>"
        ));
        let saved = Opened::after(&text, &["remove x1 unlink:on"]);
        let wanted = [
            ("<rect id=\"x1\"/>", ""),
            ("a.end", "indefinite"),
            (animation, ""),
            (last, ""),
        ];
        assert_eq!(saved, with(&text, &wanted), "{animation}");
    }
    let text = file("<rect id=\"x1\"/><g><animate id=\"a\" href=\"#x1\" attributeName=\"x\"/></g>");
    let (mut server, _root) = crate::support::opened(&text);
    let reply = server.run(&["remove x1 unlink:on"]);
    assert!(reply.starts_with("- rect x1\n  - animate a\n"), "{reply}");
    let text = file(
        "<rect id=\"x1\"/><g><animate id=\"a\" href=\"#x1\" attributeName=\"x\"><set href=\"#x1\"/></animate></g>",
    );
    let saved = Opened::after(&text, &["remove x1 unlink:on"]);
    assert!(
        saved.contains("<g></g>") && !saved.contains("x1"),
        "{saved}"
    );
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

#[test]
fn selectors_of_a_copied_style_sheet_match_the_copies() {
    let text = file(
        "<g id=\"g\"><style>#fab,#other{fill:url(#p)}</style><pattern id=\"p\"/><rect id=\"fab\"/></g>",
    );
    let saved = Opened::after(&text, &["copy g as:g2"]);
    let copy = "<g id=\"g2\" transform=\"translate(20 20)\"><style>#fab-2,#other{fill:url(#p-2)}</style><pattern id=\"p-2\"/><rect id=\"fab-2\"/></g>";
    assert!(saved.contains(copy), "{saved}");
}

#[test]
fn a_link_is_redrawn_only_if_an_end_may_have_moved() {
    let text = file(
        "<style>.hot{fill:red} #fab{stroke:red}</style><rect id=\"fab\" width=\"9\" height=\"9\" style=\"opacity:1\"/><rect id=\"two\" x=\"50\" width=\"9\" height=\"9\"/><g data-fcp=\"link\" data-fcp-from=\"fab\" data-fcp-to=\"two\"><path d=\"M 9,4.0 L 30 30 L 50 4.5\"/></g>",
    );
    let drawn = "M 9,4.0 L 30 30 L 50 4.5";
    for op in [
        "set fab data-k 1",
        "modify fab title:x",
        "modify fab class:z",
        "rename fab fb",
        "UPDATE elements SET id='fb' WHERE id='fab'",
        "order fab front",
        "style fab fill:red",
        "style fab opacity:.5",
    ] {
        let saved = Opened::after(&text, &[op]);
        assert!(saved.contains(drawn), "{op}\n{saved}");
    }
    let titled = text.replace("opacity:1\"/>", "opacity:1\"><title>a</title></rect>");
    for op in [
        "modify fab title:y",
        "UPDATE texts SET text='c' WHERE text='a'",
    ] {
        let saved = Opened::after(&titled, &[op]);
        assert!(saved.contains(drawn), "{op}\n{saved}");
    }
    for op in [
        "set fab width 8",
        "move fab by:1,0",
        "set fab style \"transform:scale(2)\"",
    ] {
        let saved = Opened::after(&text, &[op]);
        assert!(!saved.contains(drawn), "{op}\n{saved}");
    }
}

#[test]
fn an_id_from_an_entity_is_renamed_in_its_declaration() {
    let file = |declared: &str, inner: &str| {
        format!(
            "<!DOCTYPE svg [{declared}]>\n<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}</svg>\n"
        )
    };
    let inner = "<g id=\"&i;\"/><use href=\"#&i;\"/><rect fill=\"url(#&i;)\"/>";
    let text = file("<!ENTITY i \"fab\">", inner);
    for op in ["rename fab z", "UPDATE elements SET id='z' WHERE id='fab'"] {
        assert_eq!(
            Opened::after(&text, &[op]),
            text.replace("fab", "z"),
            "{op}"
        );
    }
    for (declared, inner, reason) in [
        (
            "<!ENTITY i \"fab\">",
            "<g id=\"&i;\"/><text>&i;</text>",
            "it comes from the entity &i;, and text text~1 uses it too and would change",
        ),
        (
            "<!ENTITY i \"fa\">",
            "<g id=\"&i;b\"/>",
            "id of group fab takes only a part of it from the entity &i;",
        ),
        (
            "<!ATTLIST rect id ID #IMPLIED fill CDATA \"url(#fab)\">",
            "<g id=\"fab\"/>",
            "the default value of fill in the DOCTYPE refers to fab",
        ),
    ] {
        let mut opened = Opened::of(file(declared, inner).as_bytes());
        let reply = opened.server.refused(&["rename fab z"]);
        assert!(reply.contains(reason), "{reply}");
    }
    let declared = "<!ATTLIST rect fill CDATA \"#fab\">";
    let text = file(declared, "<g id=\"fab\"/>");
    let wanted = text.replace("id=\"fab\"", "id=\"z\"");
    assert_eq!(Opened::after(&text, &["rename fab z"]), wanted);
}

#[test]
fn ids_in_the_markup_of_an_entity_are_known() {
    let text = "<!DOCTYPE svg [<!ENTITY el \"<rect id='inner' width='9'/>\">]>\n<svg xmlns=\"http://www.w3.org/2000/svg\">&el;<use href=\"#inner\"/><g id=\"fab\"/></svg>\n";
    let mut opened = Opened::of(text.as_bytes());
    let refs = opened.server.query("SELECT target, found FROM refs");
    assert!(refs.contains("inner | 1"), "{refs}");
    let warnings = opened.server.query("warnings");
    assert!(!warnings.contains("no target"), "{warnings}");
    for op in [
        "rename fab inner",
        "UPDATE elements SET id='inner' WHERE id='fab'",
        "add rect id:inner size:9x9",
        "raw '<g id=\"inner\"/>'",
        "insert '<g id=\"inner\"/>' last:fab",
        "replace 'id=\"fab\"' 'id=\"inner\"'",
        "copy fab as:inner",
    ] {
        let reply = opened.server.refused(&[op]);
        assert!(reply.contains("already in the markup"), "{op}\n{reply}");
    }
    opened.server.run(&[
        "set entity:el value \"<rect id='other'/>\"",
        "rename fab inner",
    ]);
    let refs = opened.server.query("SELECT target, found FROM refs");
    assert!(refs.contains("inner | 1"), "{refs}");
    opened.server.act("undo 2");
    assert!(
        opened
            .server
            .refused(&["rename fab inner"])
            .contains("already")
    );
}

#[test]
fn find_knows_the_names_of_attributes_and_elements() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:foo=\"urn:x\" viewBox=\"0 0 9 9\"><g id=\"a\" foo:baz=\"1\" xml:lang=\"de\"/><foo:bar id=\"b\"/></svg>\n";
    let mut opened = Opened::of(text.as_bytes());
    for (query, part) in [
        ("find foo:baz", "(name foo:baz)"),
        ("find foo:bar", "(name foo:bar)"),
        ("find viewBox", "(name viewBox)"),
        ("find xml:lang", "(name xml:lang)"),
        ("find foo:nothing", "nothing"),
        ("find fill:red", "nothing"),
    ] {
        let found = opened.server.query(query);
        assert!(found.contains(part), "{query}\n{found}");
    }
}

#[test]
fn each_name_of_a_list_means_what_it_means_alone() {
    let text = file(
        "<rect id=\"line\"/><line id=\"l1\"/><rect id=\"text\"/><text id=\"t1\">a</text><g id=\"g\"/><g id=\"h\"/><path id=\"a\" class=\"c\"/><path id=\"b\" class=\"c\"/>",
    );
    let mut opened = Opened::of(text.as_bytes());
    for (list, expected) in [
        ("line,text", vec!["line", "text"]),
        ("g,a", vec!["g", "a"]),
        ("line,l1", vec!["line", "l1"]),
        ("a,.c", vec!["a", "b"]),
        ("a,circle", vec![]),
        ("rect,path", vec!["line", "text", "a", "b"]),
    ] {
        for spelled in [list.to_owned(), format!("\"{list}\"")] {
            let (reply, _) = opened.server.call(
                "svg_query",
                serde_json::json!({ "q": format!("list {spelled}") }),
            );
            let names: Vec<&str> = reply
                .lines()
                .filter(|line| !line.starts_with(['!', '[', ' ']))
                .filter_map(|line| line.split(' ').next())
                .collect();
            assert_eq!(names, expected, "{spelled}: {reply}");
        }
    }
}
