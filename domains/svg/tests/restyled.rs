//! Changes of styles that an op causes on other objects, and the places where styles are written.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::sheets::server;

/// The reply of an op, without the digest.
fn reply(inner: &str, ops: &[&str]) -> String {
    let (mut server, _root) = server(inner);
    let (last, before) = ops.split_last().unwrap();
    for op in before {
        server.run(&[op]);
    }
    server.run(&[last])
}

/// Objects whose styles depend on their neighbours.
const NEIGHBOURS: &str = "<style>svg &gt; rect{fill:orange}#a + #b{fill:white}\
    rect:first-of-type{stroke:blue}.row > :nth-child(2){fill:red}.row .hot{fill:lime}</style>\
    <rect id=\"a\" width=\"3\" height=\"3\"/><rect id=\"b\" x=\"4\" width=\"3\" height=\"3\"/>\
    <circle id=\"c\" r=\"1\" fill=\"teal\"/>\
    <g id=\"row\" class=\"row\"><circle id=\"d1\" r=\"1\"/><circle id=\"d2\" r=\"1\"/><circle id=\"d3\" r=\"1\"/></g>";

#[test]
fn an_op_tells_of_the_objects_that_it_restyles() {
    let mut wrong = Vec::new();
    let white = "  * b: fill white -> orange (rule svg > rect)";
    for (op, lines) in [
        (
            "group a,c as:g",
            vec![
                "  * a: fill orange -> black (default)",
                white,
                "  * b: stroke none -> blue (rule rect:first-of-type)",
            ],
        ),
        (
            "remove a",
            vec![
                white,
                "  * b: stroke none -> blue (rule rect:first-of-type)",
            ],
        ),
        ("order c below:b", vec![white]),
        ("UPDATE elements SET nth=2 WHERE id='c'", vec![]),
        (
            "move a in:row",
            vec!["  * a: fill orange -> black (default)", white],
        ),
        ("move c in:row", vec![]),
        (
            "order d1 front",
            vec![
                "  * d2: fill red -> black (default)",
                "  * d3: fill black -> red (rule .row > :nth-child(2))",
            ],
        ),
        (
            "mask c with:b",
            vec!["  * b: fill white -> black (default)"],
        ),
        (
            "define symbol id:sy from:b",
            vec!["  * b: fill white -> black (default)"],
        ),
        (
            "define pattern id:pa from:d1",
            vec![
                "  * d2: fill red -> black (default)",
                "  * d3: fill black -> red (rule .row > :nth-child(2))",
            ],
        ),
        ("raw '<path d=\"M0 0\"/>' after:a", vec![white]),
        ("insert '<path d=\"M0 0\"/>' after:a", vec![white]),
        (
            "set d3 class hot",
            vec!["  * d3: fill black -> lime (rule .row .hot)"],
        ),
        (
            "unset row class",
            vec!["  * d2: fill red -> black (default)"],
        ),
        (
            "copy a by:1,1",
            vec!["  * a-2: stroke blue -> none (default)"],
        ),
        (
            "copy b by:1,1",
            vec!["  * b-2: fill white -> orange (rule svg > rect)"],
        ),
        ("rename a z", vec![]),
        ("style b fill:red", vec![]),
        ("move b by:1,1", vec![]),
        ("remove c", vec![]),
    ] {
        let reply = reply(NEIGHBOURS, &[op]);
        let told: Vec<&str> = reply
            .lines()
            .filter(|line| line.starts_with("  * "))
            .collect();
        let is_told = lines.iter().all(|line| told.contains(line));
        if !is_told || lines.is_empty() != told.is_empty() {
            wrong.push(format!("{op}\n{reply}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn many_restyled_objects_are_one_line() {
    let rects = "<rect width=\"1\" height=\"1\"/>".repeat(12);
    let inner = format!(
        "<style>#a ~ rect{{fill:red}}</style><rect id=\"a\" width=\"1\" height=\"1\"/>{rects}"
    );
    let reply = reply(&inner, &["remove a"]);
    assert!(
        reply.contains("\n  * 12 objects: fill red -> black\n"),
        "{reply}"
    );
}

#[test]
fn styles_are_written_over_rules_in_at_rules() {
    let mut wrong = Vec::new();
    let inner = "<style>@media screen{.m{fill:purple}}@supports (fill:red){@layer x{.s{fill:red}}}\
        @media print{#i{fill:red!important}}</style>\
        <path id=\"m\" class=\"m\" d=\"M0 0h5v5z\"/><path id=\"s\" class=\"s\" fill=\"lime\" d=\"M0 0h5v5z\"/>\
        <path id=\"i\" d=\"M0 0h5v5z\"/>";
    for (op, line) in [
        (
            "style m fill:lime",
            "* path m fill black -> lime (style, over rule .m in @media screen)",
        ),
        (
            "modify m fill:lime",
            "* path m @(0,0 5x5) fill black -> lime (style, over rule .m in @media screen)",
        ),
        (
            "style s fill:lime",
            "* path s fill nothing -> lime (style, over rule .s in @layer x)",
        ),
        ("style m stroke:lime", "* path m stroke none -> lime (attr)"),
        (
            "style i fill:lime",
            "  ? rule #i in @media print is !important, and conditions of at-rules are not evaluated",
        ),
    ] {
        let reply = reply(inner, &[op]);
        if !reply.lines().any(|own| own == line) {
            wrong.push(format!("{op}\n{reply}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn groups_are_refused_where_they_would_be_ineffective() {
    let inner = "<clipPath id=\"cl\"><rect id=\"a\" width=\"3\" height=\"3\"/></clipPath>\
        <switch id=\"sw\"><text id=\"t\" systemLanguage=\"de\">a</text><text id=\"u\">b</text></switch>";
    let (mut server, _root) = server(inner);
    for (op, lines) in [
        (
            "group a as:g",
            "! g would be a group in cl; a clip holds shapes and texts\n  try: define mask id:g-mask from:a",
        ),
        (
            "group t as:g",
            "! sw is a switch, which draws the first of its children whose conditions hold; a group of t has none\n  try: raw '<g id=\"g\" systemLanguage=\"de\"/>' in:sw",
        ),
    ] {
        let reply = server.refused(&[op]);
        assert!(reply.starts_with(lines), "{op}\n{reply}");
    }
    server.run(&["group u as:g"]);
}

#[test]
fn groups_are_refused_in_clips_and_switches_however_they_come_there() {
    let inner = "<clipPath id=\"cl\"><rect id=\"a\" width=\"3\" height=\"3\"/></clipPath>\
        <switch id=\"sw\"><text id=\"t\" systemLanguage=\"de\">a</text><text id=\"u\">b</text></switch>\
        <switch id=\"open\"><text id=\"v\" systemLanguage=\"de\">a</text></switch>\
        <g id=\"g\"><rect id=\"r\" width=\"3\" height=\"3\"/></g>";
    let (mut server, _root) = server(inner);
    let clip = |name: &str, kind: &str| {
        format!("! {name} would be a {kind} in cl; a clip holds shapes and texts\n")
    };
    let switch = |name: &str| {
        format!(
            "! sw is a switch, which draws the first of its children whose conditions hold; {name} has none\n"
        )
    };
    for (op, message, repair) in [
        (
            "add group id:k in:cl",
            clip("k", "group"),
            "add group id:k in:svg~1",
        ),
        (
            "add group in:cl",
            clip("the group", "group"),
            "add group in:svg~1",
        ),
        (
            "add layer Top in:cl",
            clip("the layer", "layer"),
            "add layer Top in:svg~1",
        ),
        (
            "move g in:cl",
            clip("g", "group"),
            "define mask id:g-mask from:g",
        ),
        (
            "copy g in:cl",
            clip("g", "group"),
            "define mask id:g-mask from:g keep:on",
        ),
        (
            "add group id:k in:sw",
            switch("k"),
            "raw '<g id=\"k\" systemLanguage=\"en\"/>' in:sw",
        ),
        ("move g in:sw", switch("g"), "set g systemLanguage en"),
        (
            "copy g in:sw",
            switch("g"),
            "raw '<g systemLanguage=\"en\"/>' in:sw",
        ),
    ] {
        let reply = server.refused(&[op]);
        let wanted = format!("{message}  try: {repair}\n");
        assert!(reply.starts_with(&wanted), "{op}\n{reply}");
    }
    let reply = server.refused(&["UPDATE elements SET parent='cl' WHERE ref='g'"]);
    assert!(reply.starts_with(&clip("g", "group")), "{reply}");
    // A group after children with conditions is drawn if none of these hold.
    for op in [
        "copy g in:open as:g2",
        "move r in:cl",
        "copy r in:sw",
        "undo 3",
    ] {
        let op = op.replace("undo 3", "! undo 3");
        server.run(&[&op]);
    }
    server.run(&["set g systemLanguage en", "move g in:sw"]);
}

#[test]
fn ops_tell_of_the_styles_that_they_hand_down() {
    let inner = "<g id=\"g\" fill=\"maroon\" font-size=\"20\"><rect id=\"x\" width=\"3\" height=\"3\"/>\
        <text id=\"t\">a</text></g>";
    for (op, lines, svg) in [
        (
            "ungroup g",
            "  * x: fill:maroon (attr)\n  * t: fill:maroon font-size:20 (attr)\n",
            "<rect id=\"x\" width=\"3\" height=\"3\" fill=\"maroon\"/>",
        ),
        (
            "define clip id:cl from:x",
            "  * x: fill:maroon (attr)\n",
            "<rect id=\"x\" width=\"3\" height=\"3\" fill=\"maroon\"/>",
        ),
    ] {
        let (mut server, _root) = server(inner);
        let reply = server.run(&[op]);
        assert!(reply.contains(lines), "{op}\n{reply}");
        assert!(!reply.contains("font-size 20"), "{op}\n{reply}");
        assert_eq!(server.query("svg x").trim(), svg);
    }
}

#[test]
fn moves_between_containers_tell_of_the_effects_of_groups() {
    let inner = "<clipPath id=\"c\"><circle r=\"9\"/></clipPath><g id=\"g\" clip-path=\"url(#c)\">\
        <g id=\"i\" opacity=\".3\"><rect id=\"r\" width=\"3\" height=\"3\"/><text id=\"t\">a</text></g></g>\
        <g id=\"h\" style=\"text-decoration:underline\" overflow=\"hidden\"/><g id=\"n\" display=\"none\"/>";
    for (op, lines) in [
        (
            "move r in:svg~1",
            "\n  * r: no longer under opacity .3 of i\n  * r: no longer under clip-path url(#c) of g\n",
        ),
        ("move r in:g", "\n  * r: no longer under opacity .3 of i\n"),
        (
            "UPDATE elements SET parent='h' WHERE parent='i'",
            "\n  * r, t: no longer under opacity .3 of i\n  \
             * r, t: no longer under clip-path url(#c) of g\n  \
             * r, t: now under text-decoration underline of h\n",
        ),
        (
            "move h in:i",
            "\n  * h: now under opacity .3 of i\n  * h: now under clip-path url(#c) of g\n",
        ),
        ("move h in:n", "in:n\n"),
    ] {
        let (mut server, _root) = server(inner);
        let reply = server.run(&[op]);
        assert!(reply.contains(lines), "{op}\n{reply}");
        assert!(!reply.contains("display none of"), "{op}\n{reply}");
    }
}

#[test]
fn a_style_written_in_an_entity_names_it() {
    let (mut server, _root) = crate::support::opened(
        "<!DOCTYPE svg [<!ENTITY st \"fill:red;stroke:blue\"><!ENTITY col \"red\">]>\
         <svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"a\" style=\"&st;;opacity:.5\"/>\
         <rect id=\"b\" fill=\"&col;\"/></svg>",
    );
    for (op, line) in [
        (
            "style a fill:green",
            "* rect a fill red -> green (entity &st;)",
        ),
        ("style a opacity:.4", "* rect a opacity .5 -> .4 (style)"),
        (
            "style b fill:green",
            "* rect b fill red -> green (entity &col;)",
        ),
    ] {
        let reply = server.run(&[op]);
        assert!(reply.starts_with(line), "{op}\n{reply}");
    }
}

#[test]
fn a_canvas_keeps_its_unit() {
    let (mut server, root) = crate::support::opened(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"210mm\" height=\"297mm\" viewBox=\"0 0 210 297\"/>",
    );
    let reply = server.run(&["canvas size:100x90 viewbox:0,0,50,50"]);
    assert!(
        reply.starts_with("* canvas 210x297 -> 50x50, width 100mm, height 90mm"),
        "{reply}"
    );
    server.act("save as:b.svg");
    let text = std::fs::read_to_string(root.path().join("b.svg")).unwrap();
    assert!(text.contains("width=\"100mm\" height=\"90mm\""), "{text}");
}

#[test]
fn copies_have_no_xml_id_of_their_originals() {
    let inner = "<rect id=\"a\" xml:id=\"k\" width=\"3\" height=\"3\"/>\
        <rect id=\"b\" xml:id=\"l\"/><rect id=\"c\" xml:id=\"l\"/><rect id=\"l\"/>";
    let (mut server, _root) = server(inner);
    let warnings = server.query("warnings");
    assert!(
        warnings.contains("duplicate xml:id \"l\": b, c, l"),
        "{warnings}"
    );
    let reply = server.run(&["copy a by:1,1"]);
    assert!(reply.contains("\n  - xml:id of a-2\n"), "{reply}");
    let reply = server.run(&["repeat a count:2 every:4,0"]);
    assert!(reply.contains("\n  - xml:id of a-3, a-4\n"), "{reply}");
    let svg = server.query("svg a-2");
    assert!(!svg.contains("xml:id"), "{svg}");
}

#[test]
fn repeated_copies_tell_of_the_rules_that_they_leave() {
    let r = "<rect id=\"r\" width=\"3\" height=\"3\"/>";
    for (style, op, lines) in [
        (
            "#r{fill:red}",
            "repeat r count:2 every:10,0",
            "  * r-2: fill red -> black (default)\n  * r-3: fill red -> black (default)\n",
        ),
        (
            "rect+rect{fill:red}",
            "repeat r count:1 every:10,0 rotate:5",
            "  * r-2: fill black -> red (rule rect+rect)\n",
        ),
    ] {
        let (mut server, _root) = server(&format!("<style>{style}</style>{r}"));
        let reply = server.run(&[op]);
        let (_, told) = reply.split_once('\n').unwrap();
        let told = told
            .split_inclusive('\n')
            .filter(|line| line.starts_with("  "));
        let told: String = told.collect();
        assert_eq!(told, lines, "{op}\n{reply}");
    }
    let (mut server, _root) = server(&format!("<style>rect{{fill:red}}</style>{r}"));
    let reply = server.run(&["repeat r count:2 every:10,0 scale:2"]);
    assert!(!reply.contains("  *"), "{reply}");
}

#[test]
fn a_reference_that_follows_a_new_id_is_not_a_new_style() {
    let content = "<style>#p{fill:url(#lg);filter:url('#f') blur(2px)} #q{fill:red}</style>\
        <linearGradient id=\"lg\"/><filter id=\"f\"/><path id=\"p\" d=\"M0 0h9v9z\"/><path id=\"q\" d=\"M0 0h9v9z\"/>";
    for op in [
        "UPDATE elements SET id='NEW' WHERE ref='lg'",
        "UPDATE elements SET id=id||'-new' WHERE ref IN ('lg','f')",
        "rename lg NEW",
        "rename q s",
    ] {
        let reply = reply(content, &[op]);
        assert!(
            !reply.contains("* p:") && !reply.contains("* s:"),
            "{op}\n{reply}"
        );
    }
}

#[test]
fn a_rename_follows_links_in_selectors() {
    let inner = "<style>[href='#q'],a[href=\"#q\"],[xlink|href=\"#q\"],a[href^=\"http\"]{fill:red}</style>\
        <rect id=\"q\" width=\"3\" height=\"3\"/><a href=\"#q\"/>";
    let (mut server, root) = server(inner);
    server.run(&["rename q z", "! save as:b.svg"]);
    let text = std::fs::read_to_string(root.path().join("b.svg")).unwrap();
    assert!(
        text.contains("[href='#z'],a[href=\"#z\"],[xlink|href=\"#z\"],a[href^=\"http\"]"),
        "{text}"
    );
    let inner = "<style>a[href$=\"q\"]{fill:red}</style><rect id=\"q\"/>";
    let (mut server, _root) = crate::sheets::server(inner);
    let reply = server.refused(&["rename q z"]);
    assert!(
        reply.starts_with("! a rule picks elements by parts of their ids"),
        "{reply}"
    );
}

#[test]
fn an_id_changes_if_the_rules_for_parts_of_ids_pick_the_same() {
    for (rule, kept, refused) in [
        ("[id^=layer]", "rename r box1", "rename r layer2"),
        (
            "[id$='-x']",
            "UPDATE elements SET id='y' WHERE id='r'",
            "rename r r-x",
        ),
        (
            "[id*=ox]",
            "rename r rest",
            "UPDATE elements SET id='box' WHERE id='r'",
        ),
        ("[id|=r]", "rename r r-2", "rename r s"),
        ("[id=R i]", "rename r R", "unset r id"),
        (
            "[id^=q]",
            "unset r id",
            "UPDATE attributes SET value='q' WHERE name='id'",
        ),
        ("a[href*='#r']", "rename r r2", "rename r s"),
    ] {
        let inner = format!("<style>{rule}{{fill:red}}</style><rect id=\"r\"/>");
        let (mut server, _root) = server(&inner);
        let reply = server.refused(&[refused]);
        assert!(
            reply.starts_with("! a rule picks elements by parts of their ids"),
            "{rule} {refused}: {reply}"
        );
        server.run(&[kept]);
    }
}

#[test]
fn an_unchanged_compressed_file_keeps_its_bytes() {
    let text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"a\" width=\"3\" height=\"3\"/></svg>";
    let mut file = fcp::format::encoding::deflate(text.as_bytes()).unwrap();
    // The time, the speed and the system, which a new file would not have.
    file[4..10].copy_from_slice(&[77, 1, 2, 3, 4, 3]);
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("a.svgz"), &file).unwrap();
    let mut server = fcp::testing::Server::new(env!("CARGO_BIN_EXE_fcp-svg"), root.path());
    server.act("open a.svgz");
    let saved = |name: &str| std::fs::read(root.path().join(name)).unwrap();
    server.act("save as:b.svgz");
    assert_eq!(saved("b.svgz"), file);
    server.run(&["style a fill:red", "! save as:c.svgz"]);
    let changed = saved("c.svgz");
    assert_eq!((&changed[3..8], changed[9]), (&file[3..8], file[9]));
    assert_ne!(saved("c.svgz"), file);
    server.act("undo");
    server.act("save as:d.svgz");
    assert_eq!(saved("d.svgz"), file);
}

#[test]
fn an_edit_of_a_sheet_tells_of_the_objects_that_it_restyles() {
    let inner = "<style>.a{fill:red}.b{stroke:blue}g .a{fill:lime}</style>\
        <rect id=\"r1\" class=\"a\" width=\"5\" height=\"5\"/><rect id=\"r2\" class=\"a b\" y=\"6\" width=\"5\" height=\"5\"/>\
        <g id=\"g\"><rect id=\"r3\" class=\"a\" x=\"6\" width=\"5\" height=\"5\"/></g>";
    let mut wrong = Vec::new();
    for (op, lines) in [
        (
            "UPDATE rules SET value='navy' WHERE selector='.a'",
            vec![
                "* r1: fill red -> navy (rule .a)",
                "* r2: fill red -> navy (rule .a)",
            ],
        ),
        (
            "UPDATE rules SET selector='.b' WHERE selector='.a'",
            vec!["* r1: fill red -> black (default)"],
        ),
        (
            "DELETE FROM rules WHERE selector='.b'",
            vec!["* r2: stroke blue -> none (default)"],
        ),
        (
            "INSERT INTO rules(selector,property,value) VALUES('g rect','stroke','teal')",
            vec!["* r3: stroke none -> teal (rule g rect)"],
        ),
        (
            "style .a fill:gold",
            vec![
                "* r1: fill red -> gold (rule .a)",
                "* r2: fill red -> gold (rule .a)",
            ],
        ),
        (
            "replace 'g .a{' 'g .q{'",
            vec!["* r3: fill lime -> red (rule .a)"],
        ),
        (
            "UPDATE texts SET text='.b{fill:red}' WHERE ref='style~1'",
            vec![
                "* r1: fill red -> black (default)",
                "* r2: stroke blue -> none (default)",
                "* r3: fill lime -> black (default)",
            ],
        ),
        (
            "insert '<style>#r1{fill:tan}</style>' before:r1",
            vec!["* r1: fill red -> tan (rule #r1)"],
        ),
        (
            "DELETE FROM elements WHERE tag='style'",
            vec![
                "* r1: fill red -> black (default)",
                "* r2: fill red -> black (default)",
                "* r2: stroke blue -> none (default)",
                "* r3: fill lime -> black (default)",
            ],
        ),
        (
            "INSERT INTO rules(selector,property,value) VALUES('.z','fill','red')",
            vec![],
        ),
        ("replace '.b{stroke' '.b { stroke'", vec![]),
        ("rename g h", vec![]),
    ] {
        let reply = reply(inner, &[op]);
        let told = reply.lines().filter_map(|line| line.strip_prefix("  "));
        let told: Vec<&str> = told.filter(|line| line.starts_with("* ")).collect();
        if told != lines {
            wrong.push(format!("{op}\n{reply}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_edit_of_a_large_sheet_says_what_it_does_not_compare() {
    let rects = "<rect class=\"a\" width=\"1\" height=\"1\"/>".repeat(2_100);
    let reply = reply(
        &format!("<style>.a{{fill:red}}</style>{rects}"),
        &["style .a fill:gold"],
    );
    assert!(
        reply.contains("\n  ? only the styles of 2000 objects are compared\n"),
        "{reply}"
    );
    assert!(reply.contains(" objects: fill red -> gold\n"), "{reply}");
}

#[test]
fn a_new_container_is_told_by_the_op_that_makes_it() {
    let inner = "<rect id=\"r\" width=\"3\" height=\"3\"/><rect id=\"s\" x=\"9\" width=\"3\" height=\"3\"/>\
        <circle id=\"c\" r=\"1\"/>";
    let mut wrong = Vec::new();
    for (op, name) in [
        ("define gradient id:d colors:red,blue", "defs"),
        ("define pattern id:d type:dots size:4", "defs"),
        ("define pattern id:d from:c", "defs"),
        ("define filter id:d type:shadow", "defs"),
        ("define marker id:d type:triangle", "defs"),
        ("define marker id:d from:c", "defs"),
        ("define clip id:d type:rect size:5x5", "defs"),
        ("define mask id:d from:c", "defs"),
        ("define symbol id:d from:c", "defs"),
        ("clip r with:c", "defs"),
        ("connect r -> s", "defs"),
        ("define class id:hot fill:red", "style"),
        (
            "INSERT INTO rules(selector,property,value) VALUES('.x','fill','red')",
            "style",
        ),
    ] {
        let (mut server, _root) = server(inner);
        let reply = server.run(&[op]);
        let line = format!(", in a new <{name}>\n");
        let again = op.replace("id:d", "id:e").replace("id:hot", "id:hotter");
        let again = again
            .replace("with:c", "with:s")
            .replace("r -> s", "s -> r")
            .replace("from:c", "from:s");
        let second = server.run(&[&again]);
        if reply.matches(&line).count() != 1 || second.contains("a new <") {
            wrong.push(format!("{op}\n{reply}{second}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
