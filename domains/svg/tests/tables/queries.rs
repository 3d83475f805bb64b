//! Questions in SQL, and selections by CSS and by conditions.

use std::fs;

use resvg::usvg;

use super::{given, server};
use crate::support::{fresh, opened};

#[test]
fn a_selector_of_css_is_a_selection() {
    let (mut server, _root) = server();
    for (op, wanted) in [
        (
            "style \"g > .hot\" opacity:0.3",
            "* rect rect~1 opacity 1 -> 0.3 (attr)",
        ),
        (
            "style \".hot\" opacity:0.3",
            "* rect rect~1 opacity 1 -> 0.3 (attr)",
        ),
        (
            "style rect:not(.cold) opacity:0.3",
            "* rect rect~1 opacity 1 -> 0.3 (attr)",
        ),
        (
            "style \"#one rect:nth-of-type(2)\" stroke:red",
            "* rect rect~2 stroke none -> red (attr)",
        ),
        (
            "style \"rect ~ circle, #again\" fill:red",
            "* 2 objects fill -> red: sun (style), again (attr)",
        ),
        ("remove \"text > tspan\"", "- tspan tspan~1"),
        // An existing name is a name, not a selector.
        ("move \"sun\" by:1,1", "* circle sun @(51,41 20x20)"),
        (
            "move \"rect\" by:0,1",
            "@ 2 objects moved by 0,1: rect~1, rect~2",
        ),
        // A rule in the style sheet is written without quotes.
        (
            "style .hot fill:gold",
            "* rule .hot fill red -> gold (1 object)",
        ),
        (
            "set \"[offset]\" offset 0.5",
            "* stop stop~1 offset 0 -> 0.5",
        ),
    ] {
        let reply = server.run(&[op]);
        assert_eq!(reply.lines().next(), Some(wanted), "{op}");
        server.act("undo");
    }
    for (op, wanted, repair) in [
        (
            "move \".hott\" by:1,1",
            "! \".hott\" matches nothing: no class hott (there are hot, cold)",
            Some("move .hot by:1,1"),
        ),
        (
            "move \"#one > line\" by:1,1",
            "! \"#one > line\" matches nothing: no element line (there are svg, style, linearGradient, stop, g, rect, circle, text, …)",
            None,
        ),
        (
            "move \"rect:frist-child\" by:1,1",
            "! \"rect:frist-child\" is not a selector: at 6 :frist-child is not known",
            Some("move rect:first-child by:1,1"),
        ),
    ] {
        let reply = server.refused(&[op]);
        assert_eq!(reply.lines().next(), Some(wanted), "{op}");
        let offered = reply.lines().find_map(|line| line.strip_prefix("  try: "));
        assert_eq!(offered, repair, "{op}\n{reply}");
    }
    assert_eq!(
        server.query("list \"#one > :not(rect)\""),
        "sun circle @(50,40 20x20) black red in:one\nsays text @(15,90) black none in:one"
    );
    assert_eq!(server.query("list \".nothing\""), "nothing matches");
    let refused = server.no_query("list \".a >\"");
    assert!(
        refused.starts_with("! \".a >\" is not a selector"),
        "{refused}"
    );
}

#[test]
fn conditions_take_what_other_selectors_reach() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title class=\"a\">T</title><script>1</script><defs><linearGradient id=\"lg\" class=\"a\"><stop id=\"s\" class=\"a\"/></linearGradient><rect id=\"d\"/></defs><g id=\"g\"><rect id=\"r\" class=\"a\"/></g><rect id=\"q\" class=\"a\"/></svg>";
    let listed = |selectors: &str| {
        let (mut server, _root) = opened(text);
        let found = server.query("SELECT count(*) FROM elements");
        assert!(found.contains("10"), "{found}");
        let found = server.query(&format!("list {selectors}"));
        let refs = found.lines().filter_map(|line| line.split_once(' '));
        refs.map(|(name, _)| name.to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (selectors, refs) in [
        ("@where:\"fill='#000000'\"", "g r q"),
        ("@all @where:\"1\"", "g r q"),
        ("@class:a @where:\"id IS NULL OR id<>'q'\"", "r"),
        ("@all @where:\"tag='rect'\"", "r q"),
        ("@where:\"tag='rect'\" @not:id:q", "r"),
        ("@not:where:\"tag<>'rect'\"", "r q"),
        // A type reaches further, and so does a question, which names its rows; but only alone.
        ("@type:stop @where:\"class='a'\"", "s"),
        (
            "@where:\"SELECT ref FROM elements WHERE tag='rect'\"",
            "d r q",
        ),
        ("@class:a @where:\"SELECT ref FROM elements\"", "r q"),
        (
            "@not:class:b @where:\"SELECT ref FROM elements WHERE tag='rect'\"",
            "d r q",
        ),
    ] {
        assert_eq!(listed(selectors), refs, "{selectors}");
    }
    let (mut server, _root) = opened(text);
    let more = "\n  1 more match that selectors leave out by default; @where:\"SELECT ref FROM …\" takes these too\n";
    for (op, says) in [
        ("style @where:\"tag='rect'\" opacity:.5", true),
        ("style @where:\"tag='rect'\" opacity:=1.0/4", true),
        ("copy @where:\"tag='rect'\" by:1,1 set opacity:.3", true),
        (
            "style @where:\"SELECT ref FROM elements WHERE tag='rect'\" opacity:.7",
            false,
        ),
        ("style @class:a @where:\"tag='rect'\" opacity:.6", false),
        ("style rect @where:\"1\" opacity:.8", false),
        ("style @where:\"ref='r'\" opacity:.9", false),
    ] {
        let reply = server.run(&[op]);
        assert_eq!(reply.contains(more), says, "{op}: {reply}");
        server.act("undo");
    }
    for (op, error, repair) in [
        (
            "remove @where:\"tag='stop'\"",
            "@where:tag='stop' matches only 1 object that selectors leave out",
            Some("remove @where:\"SELECT ref FROM elements WHERE tag='stop'\""),
        ),
        (
            "remove @class:a @where:\"tag='stop'\"",
            "@where:tag='stop' matches only 1 object that selectors leave out",
            None,
        ),
    ] {
        let refused = server.refused(&[op]);
        assert!(refused.contains(error), "{refused}");
        match repair {
            Some(repair) => assert!(refused.contains(&format!("try: {repair}\n")), "{refused}"),
            None => assert!(!refused.contains("try:"), "{refused}"),
        }
    }
    // Statements reach all rows of their table, and so do their repairs.
    let refused = server.refused(&["UPDATE elements SET fill='red' WHERE tag='rect'"]);
    let repair = "style @where:\"SELECT ref FROM elements WHERE tag='rect'\" fill:red";
    assert!(refused.contains(&format!("try: {repair}\n")), "{refused}");
    let reply = server.run(&[repair]);
    assert!(reply.contains("d (attr), r (attr), q (attr)"), "{reply}");
    let reply = server.run(&["DELETE FROM elements WHERE tag='rect'"]);
    assert!(reply.starts_with("- 3 objects: d, r, q"), "{reply}");
}

#[test]
fn a_whole_task_is_one_call() {
    let (mut server, root) = server();
    let reply = server.run(&[
        "? SELECT ref, x, w, fill, color('Gold') FROM elements WHERE tag='rect'",
        "UPDATE elements SET x=(SELECT max(x+w) FROM elements WHERE tag='circle') WHERE class='hot'",
        "? SELECT ref, x, source FROM elements JOIN declarations USING (ref) WHERE class='hot' AND property='fill'",
        "! save as:b.svg",
    ]);
    for wanted in [
        "rect~1 | 11.0 | 10.0 | #ff0000 | #ffd700",
        "rect~2 | 40.0 | 10.0 | url(#sky) | #ffd700",
        "* 1 row of elements: x 70",
        "rect~1 | 70.0 | rule .hot",
    ] {
        assert!(reply.contains(wanted), "{wanted}\n{reply}");
    }
    let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
    assert_eq!(saved, given().replace("x=\"1\"", "x=\"60\""));
}

#[test]
fn an_absent_value_is_told_apart_from_none() {
    let (mut server, _root) =
        opened("<svg xmlns=\"http://www.w3.org/2000/svg\"><circle id=\"c\" r=\"5\"/></svg>");
    let reply = server.run(&["style c stroke:none"]);
    assert!(reply.contains("stroke nothing -> none (attr)"), "{reply}");
    server.run(&["modify c hidden:on"]);
    let diff = server.query("diff file");
    assert!(
        diff.contains("stroke nothing -> none") && diff.contains("display nothing -> none"),
        "{diff}"
    );
}

#[test]
fn changes_name_a_text_element_by_itself() {
    let (mut server, _root) = fresh();
    server.run(&["raw '<g id=\"g\"><text id=\"t\" y=\"9\">Hi</text><text id=\"u\" y=\"9\"/></g>'"]);
    server.run(&["! checkpoint a", "! set since:a"]);
    server.run(&[
        "style t fill:red",
        "insert '<text id=\"n\" y=\"9\"/>' last:g",
        "remove u",
    ]);
    let changes = server.query("SELECT ref, tbl, kind, field FROM changes ORDER BY ref");
    assert_eq!(
        changes,
        "ref | tbl | kind | field\nn | elements | added | NULL\nt | attributes | added | fill\nu | elements | removed | NULL\n(3 rows)"
    );
}

#[test]
fn changes_name_a_text_by_its_element_and_its_table() {
    let (mut server, _root) = fresh();
    server.run(&["add text Hi at:5,5", "! checkpoint a", "! set since:a"]);
    server.run(&["UPDATE texts SET text='Ho' WHERE ref='text~1'"]);
    assert_eq!(
        server.query("SELECT ref, tbl, field, before, after FROM changes"),
        "ref | tbl | field | before | after\ntext~1 | texts | text | Hi | Ho\n(1 row)"
    );
}

#[test]
fn the_examples_of_help_work() {
    use fcp::domain::Domain;
    let (mut server, _root) = fresh();
    server
        .run(&["raw '<rect id=\"q1\" data-k=\"1\" stroke=\"black\" width=\"200\" height=\"9\"/>'"]);
    assert!(!fcp_svg::Drawing::SQL_EXAMPLES.is_empty());
    for example in fcp_svg::Drawing::SQL_EXAMPLES {
        server.run(&[example]);
    }
}

#[test]
fn a_cdata_section_shows_its_characters() {
    let text = "<svg xmlns=\"http://www.w3.org/2000/svg\"><text>a<![CDATA[b]]></text></svg>";
    let (mut server, root) = opened(text);
    server.run(&["UPDATE texts SET text=replace(text, 'b', 'B]]>') WHERE kind='cdata'"]);
    let reply = server.query("SELECT text FROM texts WHERE kind='cdata'");
    assert_eq!(reply, "text\nB]]>\n(1 row)");
    server.run(&["UPDATE texts SET text=replace(text, 'B', 'c') WHERE kind='cdata'"]);
    server.act("save as:b.svg");
    let saved = fs::read_to_string(root.path().join("b.svg")).unwrap();
    let wanted = text.replace("[b]", "[c]]]]><![CDATA[>]");
    assert_eq!(saved, wanted);
}

#[test]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 255"
)]
fn colours_are_those_of_the_renderer() {
    let colours = [
        "red",
        "DarkSlateGrey",
        "#0f08",
        "#12345678",
        "rgb(1, 2, 3)",
        "rgb(255 0 128)",
        "rgb(10% 20% 30%)",
        "rgb(255 0 0 / 0.5)",
        "rgba(1,2,3,0.25)",
        "hsl(120, 100%, 25%)",
        "hsl(0.5turn 100% 50%)",
        "hsl(200grad 50% 50% / 0.5)",
        "hsla(3rad, 20%, 70%, 0.1)",
        "hwb(0 0% 0%)",
        "hwb(120deg 20% 40%)",
        "hwb(300 10% 5% / 50%)",
        "hwb(60 80% 120%)",
        "currentColor",
        "transparent",
        " teal ",
    ];
    let rects = colours.iter().enumerate().map(|(at, colour)| {
        format!("<rect id=\"r{at}\" width=\"3\" height=\"3\" fill=\"{colour}\" stroke=\"#000\"/>")
    });
    let rects: String = rects.collect();
    let text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\" color=\"#123456\">{rects}</svg>"
    );
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).unwrap();
    let (mut server, _root) = opened(&text);
    for (at, colour) in colours.iter().enumerate() {
        let Some(usvg::Node::Path(path)) = tree.node_by_id(&format!("r{at}")) else {
            panic!("{colour} is not drawn")
        };
        let fill = path.fill().unwrap();
        let usvg::Paint::Color(drawn) = fill.paint() else {
            panic!("{colour}")
        };
        let alpha = match (fill.opacity().get() * 255.0).round() {
            255.0 => String::new(),
            alpha => format!("{:02x}", alpha as u8),
        };
        let wanted = format!(
            "#{:02x}{:02x}{:02x}{alpha}",
            drawn.red, drawn.green, drawn.blue
        );
        let fill = server.query(&format!("SELECT fill FROM elements WHERE id='r{at}'"));
        assert_eq!(fill.lines().nth(1), Some(&*wanted), "{colour}");
        let selected = server.query(&format!("list @fill:{wanted}"));
        assert!(selected.contains(&format!("r{at}")), "{colour}: {selected}");
    }
    server.run(&["style r0 fill:'hwb(120 0% 0%)'"]);
    assert!(server.query("describe r0").contains("hwb(120 0% 0%)"));
}

#[test]
fn an_element_is_visible_if_it_or_something_in_it_draws() {
    let (mut server, _root) = fresh();
    let drawn = [
        "<rect id=\"a1\" width=\"9\" height=\"9\"/>",
        "<line id=\"a2\" x2=\"9\" stroke=\"red\"/>",
        "<path id=\"a3\" d=\"M5 5L5 5\" stroke=\"red\" stroke-linecap=\"round\"/>",
        "<g id=\"a4\" visibility=\"hidden\"><rect id=\"a5\" visibility=\"visible\" width=\"9\" height=\"9\"/></g>",
        "<text id=\"a6\" y=\"9\" fill=\"none\">no <tspan id=\"a7\" fill=\"red\">yes</tspan></text>",
        "<switch id=\"a8\"><rect id=\"a9\" width=\"9\" height=\"9\"/></switch>",
        "<g id=\"b1\"><g id=\"b2\"><use id=\"b3\" href=\"#a1\"/></g></g>",
        "<rect id=\"b4\" width=\"9\" height=\"9\" fill=\"none\" stroke=\"red\"/>",
    ];
    let not = [
        "<g id=\"z1\"/>",
        "<rect id=\"z2\" width=\"0\" height=\"9\"/>",
        "<circle id=\"z3\" r=\"0\"/>",
        "<line id=\"z4\" x2=\"9\" y2=\"9\"/>",
        "<rect id=\"z5\" width=\"9\" height=\"9\" fill=\"none\"/>",
        "<rect id=\"z6\" width=\"9\" height=\"9\" fill=\"none\" stroke=\"red\" stroke-width=\"0\"/>",
        "<g id=\"z7\" display=\"none\"><rect id=\"z8\" width=\"9\" height=\"9\"/></g>",
        "<g id=\"z9\" opacity=\"0\"><rect id=\"y1\" width=\"9\" height=\"9\"/></g>",
        "<g id=\"y2\"><text id=\"y3\">  </text></g>",
        "<switch id=\"y4\"><rect id=\"y5\" systemLanguage=\"fr\" width=\"9\" height=\"9\"/></switch>",
        "<defs id=\"y6\"><rect id=\"y7\" width=\"9\" height=\"9\"/></defs>",
        "<use id=\"y8\" href=\"#nothing\"/>",
        "<rect id=\"y9\" transform=\"scale(0)\" width=\"9\" height=\"9\"/>",
        "<path id=\"x1\" d=\"M5 5h9\"/>",
        "<g id=\"x2\"><title id=\"x3\">T</title></g>",
    ];
    let raws = drawn.iter().chain(&not).map(|xml| format!("raw '{xml}'"));
    let raws: Vec<String> = raws.collect();
    let raws: Vec<&str> = raws.iter().map(String::as_str).collect();
    server.run(&raws);
    let wrong = server
        .query("SELECT id, visible FROM elements WHERE visible <> (id < 'c') AND id IS NOT NULL");
    assert!(wrong.ends_with("(0 rows)"), "{wrong}");
    let all = server.query("SELECT count(*) FROM elements WHERE visible");
    // And the drawing itself.
    assert!(all.contains("\n14\n"), "{all}");
}

#[test]
fn a_ref_means_its_row_whatever_ids_there_are() {
    let (mut server, _root) = opened(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect id=\"rect~3\" width=\"1\" height=\"1\"/>\
         <rect width=\"2\" height=\"2\"/><rect width=\"3\" height=\"3\"/></svg>",
    );
    for width in 1..=3 {
        let answer = server.query(&format!(
            "SELECT ref FROM elements WHERE tag='rect' AND w={width}"
        ));
        let name = answer.lines().nth(1).unwrap().to_owned();
        server.run(&[&format!("modify {name} height:9{width}")]);
        let answer = server.query(&format!(
            "SELECT h FROM elements WHERE tag='rect' AND w={width}"
        ));
        assert_eq!(
            answer.lines().nth(1),
            Some(&*format!("9{width}.0")),
            "{name}"
        );
    }
}
