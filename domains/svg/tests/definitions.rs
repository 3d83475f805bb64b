//! Definitions: their bytes in a file, their pictures, and errors about wrong ones.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::support::Desk;

/// A drawing of 100 by 100 with some content.
fn file(content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\">{content}</svg>"
    )
}

/// The file after some ops. Undoing them all must restore the original bytes.
fn after(text: &str, ops: &[&str]) -> String {
    let mut desk = Desk::open(text);
    desk.run(ops);
    let saved = desk.saved();
    desk.act(&format!("undo {}", ops.len()));
    assert_eq!(desk.saved(), text, "{ops:?}");
    saved
}

/// The pixels of a drawing, at its own size.
fn pixels(text: &str) -> Pixmap {
    let tree = Tree::from_str(text, &Options::default()).unwrap();
    let size = tree.size().to_int_size();
    let mut pixmap = Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    pixmap
}

/// Red, green, blue and opacity of a pixel.
fn at(pixmap: &Pixmap, x: u32, y: u32) -> [u8; 4] {
    let color = pixmap.pixel(x, y).unwrap().demultiply();
    [color.red(), color.green(), color.blue(), color.alpha()]
}

const RED: [u8; 4] = [255, 0, 0, 255];
const NOTHING: [u8; 4] = [0; 4];

#[test]
fn definitions_go_into_the_first_defs_or_a_new_one() {
    let stops =
        "<stop offset=\"0%\" stop-color=\"red\"/><stop offset=\"100%\" stop-color=\"blue\"/>";
    for (before, op, then) in [
        (
            "<g/>",
            "define gradient id:a colors:red,blue",
            format!("<defs><linearGradient id=\"a\">{stops}</linearGradient></defs><g/>"),
        ),
        (
            "\n  <title>x</title>\n  <g/>\n",
            "define gradient id:a colors:red,blue",
            format!(
                "\n  <defs>\n    <linearGradient id=\"a\">{stops}</linearGradient>\n  </defs>\n  <title>x</title>\n  <g/>\n"
            ),
        ),
        (
            "\n<g><defs>\n\t<g/>\n</defs></g><defs/>",
            "define gradient id:a type:radial colors:red,blue r:.5 units:user spread:reflect",
            format!(
                "\n<g><defs>\n\t<g/>\n\t<radialGradient id=\"a\" gradientUnits=\"userSpaceOnUse\" r=\".5\" spreadMethod=\"reflect\">{stops}</radialGradient>\n</defs></g><defs/>"
            ),
        ),
        (
            "<defs><linearGradient id='a' x2 = '0' k='v'><stop style='stop-color:#f00'/><stop offset='1'/></linearGradient></defs>",
            "modify a to:0,1",
            "<defs><linearGradient id='a' x2 = '0' k='v' y2=\"1\"><stop style='stop-color:#f00'/><stop offset='1'/></linearGradient></defs>".to_owned(),
        ),
        (
            "<defs><filter id='f'>\n<feGaussianBlur  stdDeviation='2' k='v'/>\n</filter></defs>",
            "modify f std-dev:3",
            "<defs><filter id='f'>\n<feGaussianBlur  stdDeviation='3' k='v'/>\n</filter></defs>".to_owned(),
        ),
        (
            "<circle id='dot' r='5'/>",
            "clip dot with:none",
            "<circle id='dot' r='5'/>".to_owned(),
        ),
    ] {
        let (text, then) = (file(before), file(&then));
        if text == then {
            let mut desk = Desk::open(&text);
            desk.run(&[op]);
            assert_eq!(desk.saved(), then, "{op}");
        } else {
            assert_eq!(after(&text, &[op]), then, "{op}");
        }
    }
}

#[test]
fn later_colours_are_visible() {
    let text = file(
        "<defs><linearGradient id='a'><stop style='stop-color:lime'/><stop offset='1' style='stop-color:lime'/></linearGradient></defs><rect id='r' width='100' height='100' fill='url(#a)'/>",
    );
    let saved = after(&text, &["modify a colors:red,red"]);
    assert_eq!(at(&pixels(&saved), 50, 50), RED);
}

#[test]
fn a_gradient_keeps_everything_else_of_its_stops() {
    let first = "<stop id='s0' offset='0' class='q' stop-color='red'><animate attributeName='offset' dur='1s'/></stop>";
    let last = "<stop id='s1' offset='1.00' style='stop-color:blue;stop-opacity:.5'/>";
    let with = |stops: &str| {
        file(&format!(
            "<defs><linearGradient id='a'>{stops}</linearGradient></defs>"
        ))
    };
    let text = with(&format!("{first}{last}"));
    let same = [
        "modify a colors:red,blue",
        "modify a colors:\"0%:red 100%:blue\"",
    ];
    for op in same {
        let mut desk = Desk::open(&text);
        desk.run(&[op]);
        assert_eq!(desk.saved(), text, "{op}");
    }
    let middle = "<stop offset=\"50%\" stop-color=\"green\"/>";
    for (op, stops) in [
        (
            "modify a colors:gold,blue",
            format!("{}{last}", first.replace("red", "gold")),
        ),
        (
            "modify a colors:red,gold",
            format!("{first}{}", last.replace("blue", "gold")),
        ),
        (
            "modify a colors:red,blue@1",
            format!("{first}{}", last.replace("opacity:.5", "opacity:1")),
        ),
        (
            "modify a colors:red,green,blue",
            format!("{first}{middle}{last}"),
        ),
        (
            "modify a colors:\"20%:red 100%:blue\"",
            format!("{}{last}", first.replace("offset='0'", "offset='20%'")),
        ),
    ] {
        assert_eq!(after(&text, &[op]), with(&stops), "{op}");
    }
    let more = with(&format!(
        "{first}<stop offset='.5' stop-color='lime'/>{last}"
    ));
    assert_eq!(after(&more, &["modify a colors:red,blue"]), text);
}

#[test]
fn a_gradient_follows_its_angle() {
    let text = file("<rect id='r' width='100' height='100'/>");
    for (angle, first, last) in [
        ("0", (1, 50), (98, 50)),
        ("90", (50, 1), (50, 98)),
        ("180", (98, 50), (1, 50)),
        ("45", (1, 1), (98, 98)),
    ] {
        let define = format!("define gradient id:a colors:red,blue angle:{angle}");
        let saved = after(&text, &[&define, "style r fill:gradient:a"]);
        let pixels = pixels(&saved);
        let (first, last) = (at(&pixels, first.0, first.1), at(&pixels, last.0, last.1));
        assert!(first[0] > 240 && first[2] < 15, "{angle} {first:?}");
        assert!(last[2] > 240 && last[0] < 15, "{angle} {last:?}");
    }
}

#[test]
fn every_effect_is_drawn_and_read_back() {
    let text = file("<rect id='r' x='30' y='30' width='40' height='40' fill='red'/>");
    let plain = pixels(&text);
    for effect in [
        "gaussian-blur std-dev:5",
        "drop-shadow",
        "glow",
        "inner-shadow",
        "outline",
        "grayscale amount:0.4",
        "sepia amount:60%",
        "saturate amount:0.5",
        "brightness amount:0.5",
        "contrast amount:0.5",
        "invert amount:0.9",
        "hue-rotate angle:90",
        "noise amount:0.8",
    ] {
        let mut desk = Desk::open(&text);
        desk.run(&[
            &format!("define filter id:f type:{effect}"),
            "style r filter:f",
        ]);
        let saved = desk.saved();
        let tree = Tree::from_str(&saved, &Options::default()).unwrap();
        assert_eq!(tree.filters().len(), 1, "{effect}");
        let drawn = pixels(&saved);
        assert_ne!(drawn.data(), plain.data(), "{effect}");
        // Its settings survive a save and reload: setting them again changes nothing.
        let mut again = Desk::open(&saved);
        let words: Vec<&str> = effect.split(' ').skip(1).collect();
        let op = format!("modify f type:{effect}");
        let answer = again.session.run(&[op], None).text;
        let rounded = words.iter().any(|word| word.contains('%'));
        assert!(
            answer.starts_with("= no change") || rounded,
            "{effect}: {answer}"
        );
        let chained = ["modify f add-effect type:outline color:lime width:3"];
        desk.run(&chained);
        let drawn = pixels(&desk.saved());
        let edge = at(&drawn, 28, 50);
        assert!(edge[3] > 0, "{effect}: {edge:?}");
    }
}

#[test]
fn an_effect_that_becomes_another_keeps_its_place_in_the_chain() {
    let text = file("<rect id='r' x='30' y='30' width='40' height='40' fill='red'/>");
    let ops = [
        "define filter id:f type:sepia",
        "modify f add-effect type:noise amount:0",
        "modify f effect:1 type:drop-shadow color:lime opacity:1 offset:25,0 std-dev:0",
        "style r filter:f",
    ];
    let saved = after(&text, &ops);
    assert!(saved.contains("in2=\"effect-1\"") && saved.contains("result=\"effect-1\""));
    // The shadow extends beyond the default filter region.
    let pixels = pixels(&saved);
    assert_eq!(at(&pixels, 50, 50), RED);
    assert_eq!(at(&pixels, 85, 50), [0, 255, 0, 255]);
}

#[test]
fn a_shape_clips_where_it_lay() {
    let content = "<g transform='translate(20 10) scale(2)' fill='red'><rect id='r' width='30' height='30' transform='rotate(10)'/></g><g transform='translate(10 10)'><circle id='dot' cx='40' cy='40' r='10'/></g>";
    let saved = after(&file(content), &["clip r with:dot"]);
    assert!(saved.contains("<clipPath id=\"dot-clip\">"), "{saved}");
    let pixels = pixels(&saved);
    assert_eq!(at(&pixels, 50, 50), RED);
    for (x, y) in [(50, 36), (36, 50), (30, 30), (64, 50), (60, 60)] {
        assert_eq!(at(&pixels, x, y), NOTHING, "{x},{y}");
    }
    for (x, y) in [(50, 42), (42, 50), (57, 50)] {
        assert_eq!(at(&pixels, x, y), RED, "{x},{y}");
    }
}

#[test]
fn masks_keep_their_original_paint() {
    let content = "<rect id='r' width='100' height='100' fill='red'/><g fill='white'><circle id='dot' cx='50' cy='50' r='20'/></g>";
    let saved = after(&file(content), &["mask r with:dot"]);
    let pixels = pixels(&saved);
    assert_eq!(at(&pixels, 50, 50), RED);
    assert_eq!(at(&pixels, 10, 10), NOTHING);
}

#[test]
fn a_symbol_is_drawn_where_it_is_used() {
    let content =
        "<g fill='red' transform='translate(20 0)'><circle id='dot' cx='40' cy='40' r='10'/></g>";
    let ops = [
        "define symbol id:spot from:dot",
        "add use of:spot at:0,0",
        "add use of:spot at:50,50 size:50x50",
    ];
    let pixels = pixels(&after(&file(content), &ops));
    assert_eq!(at(&pixels, 10, 10), RED);
    assert_eq!(at(&pixels, 60, 40), NOTHING);
    assert_eq!(at(&pixels, 75, 75), RED);
    assert_eq!(at(&pixels, 53, 75), RED);
}

#[test]
fn patterns_and_markers_are_drawn() {
    let text = file("<rect id='r' width='100' height='100'/><path id='p' d='M10 50h60'/>");
    let empty = pixels(&file(""));
    for kind in ["dots", "stripes", "grid", "checks", "hatch", "crosshatch"] {
        let define = format!("define pattern id:a type:{kind} color:red size:20");
        let saved = after(&text, &[&define, "remove p", "style r fill:pattern:a"]);
        let drawn = pixels(&saved);
        let red = drawn
            .pixels()
            .iter()
            .filter(|one| one.alpha() == 255)
            .count();
        assert!((200..9000).contains(&red), "{kind} {red}");
        assert_ne!(drawn.data(), empty.data());
    }
    for kind in ["triangle", "open", "dot", "square", "diamond", "bar"] {
        let define = format!("define marker id:m type:{kind} size:10");
        let ops = [&define, "remove r", "style p stroke:red sw:2 marker-end:m"];
        let drawn = pixels(&after(&text, &ops));
        let beside = (50..80).any(|x| at(&drawn, x, 44) == RED || at(&drawn, x, 46) == RED);
        assert!(beside, "{kind}");
    }
}

#[test]
fn the_canvas_changes_and_the_drawing_stays_as_large() {
    let svg = |attrs: &str, content: &str| {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\"{attrs}>{content}</svg>")
    };
    for (before, op, then) in [
        (
            svg(" width=\"48px\" height=\"48px\" viewBox=\"0 0 24 24\"", ""),
            "canvas size:32x16",
            svg(" width=\"64px\" height=\"32px\" viewBox=\"0 0 32 16\"", ""),
        ),
        (
            svg(" width=\"100%\" viewBox=\"0,0,24,24\"", ""),
            "canvas size:12x12",
            svg(" width=\"100%\" viewBox=\"0 0 12 12\"", ""),
        ),
        (
            svg(" width=\"40\" height=\"30\"", ""),
            "canvas size:20x10",
            svg(" width=\"20\" height=\"10\"", ""),
        ),
        (
            svg(" width=\"40\" height=\"30\"", ""),
            "canvas size:80x60 viewbox:\"0 0 40 30\"",
            svg(" width=\"80\" height=\"60\" viewBox=\"0 0 40 30\"", ""),
        ),
        (
            svg(" viewBox=\"0 0 9 9\"", "<title>x</title><g/>"),
            "canvas background:#eee",
            svg(
                " viewBox=\"0 0 9 9\"",
                "<title>x</title><rect id=\"background\" width=\"100%\" height=\"100%\" fill=\"#eee\"/><g/>",
            ),
        ),
        (
            svg(
                " viewBox=\"0 0 9 9\"",
                "<rect id=\"background\" width=\"100%\" height=\"100%\"/><rect x=\"2\" y=\"3\" width=\"4\" height=\"4\"/>",
            ),
            "canvas fit:on pad:1",
            svg(
                " viewBox=\"1 2 6 6\"",
                "<rect id=\"background\" width=\"100%\" height=\"100%\" x=\"1\" y=\"2\"/><rect x=\"2\" y=\"3\" width=\"4\" height=\"4\"/>",
            ),
        ),
    ] {
        assert_eq!(after(&before, &[op]), then, "{op}");
    }
}

#[test]
fn objects_that_follow_the_canvas_are_told() {
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><rect id='background' width='100%' height='100%'/><rect id='a' x='20' y='20' width='50%' height='5'/><rect id='b' width='9' height='9'/><svg width='40' height='40'><rect id='c' width='50%' height='5'/></svg></svg>";
    let (mut server, _root) = crate::support::opened(svg);
    let reply = server.run(&["canvas size:200x100"]);
    assert!(
        reply.starts_with(
            "* canvas 100x100 -> 200x100\n  * rect a: @(20,20 50x5) -> @(20,20 100x5)\n["
        ),
        "{reply}"
    );
    let reply = server.run(&["canvas background:gold"]);
    assert!(!reply.contains("rect a"), "{reply}");
}

#[test]
fn animations_are_inside_their_targets() {
    for (op, wanted) in [
        (
            "animate dot attribute:fill values:\"red;gold;red\" duration:3s ease:in begin:1s freeze:on",
            "<animate attributeName=\"fill\" values=\"red;gold;red\" dur=\"3s\" begin=\"1s\" fill=\"freeze\" calcMode=\"spline\" keyTimes=\"0;0.5;1\" keySplines=\"0.42 0 1 1;0.42 0 1 1\"/>",
        ),
        (
            "animate dot attribute:rotate from:0 to:360 duration:2s",
            "<animateTransform attributeName=\"transform\" type=\"rotate\" from=\"0 10 10\" to=\"360 10 10\" dur=\"2s\" additive=\"sum\"/>",
        ),
        (
            "animate dot motion:path:p duration:2s repeat:3",
            "<animateMotion dur=\"2s\" repeatCount=\"3\"><mpath href=\"#p\"/></animateMotion>",
        ),
        (
            "animate dot attribute:sw to:5 duration:1s id:grow",
            "<animate id=\"grow\" attributeName=\"stroke-width\" to=\"5\" dur=\"1s\"/>",
        ),
    ] {
        let dot = "<circle id='dot' cx='10' cy='10' r='5' transform='scale(2)'";
        let text = file(&format!("{dot}/><path id='p' d='M0 0h9'/>"));
        let then = file(&format!("{dot}>{wanted}</circle><path id='p' d='M0 0h9'/>"));
        assert_eq!(after(&text, &[op]), then, "{op}");
    }
}

#[test]
fn wrong_definitions_are_refused_and_change_nothing() {
    let content = "<linearGradient id='sky'><stop/><stop offset='1'/></linearGradient><circle id='dot' r='5'/><g id='pair'><rect id='card' width='9' height='9'/><rect id='turned' width='9' height='9' transform='rotate(9)'/></g><pattern id='own'><g/></pattern>";
    for (op, error) in [
        (
            "define gradient id:a colors:red",
            "! a gradient needs two colours or more\n  try: define gradient id:a colors:red,white",
        ),
        (
            "define gradient id:dot colors:red,blue",
            "! id:dot is already a circle\n  try: define gradient id:dot-2 colors:red,blue",
        ),
        (
            "define gradient id:a type:linear colors:red,blue center:0,0",
            "! center: is for a radial gradient",
        ),
        (
            "modify sky focus:0,0",
            "! focus: is for a radial gradient\n  try: modify sky focus:0,0 type:radial",
        ),
        (
            "modify sky colours:red,blue",
            "! gradient has no colours:\n  try: modify sky colors:red,blue",
        ),
        (
            "define filter id:f type:blurr",
            "! filter type \"blurr\"\n  try: define filter id:f type:gaussian-blur",
        ),
        (
            "define filter id:f type:sepia amount:2",
            "! amount:2 is above 1\n  try: define filter id:f type:sepia amount:2%",
        ),
        (
            "define filter id:f type:glow std-dev:-1",
            "! std-dev:-1 is below 0\n  syntax: ",
        ),
        (
            "define pattern id:p type:dots from:dot",
            "! from: and type: both set what is repeated; give one",
        ),
        (
            "modify own color:red",
            "! own repeats content drawn by hand; style that directly\n  try: ? svg own",
        ),
        (
            "clip card with:pair",
            "! pair cannot clip card, which is in it\n  try: ? describe pair",
        ),
        (
            "clip card,turned with:dot",
            "! card and turned have transforms of their own, so one clip lies differently on each\n  try: clip card with:dot",
        ),
        ("clip card with:sky", "! sky is a gradient\n  try: ? list"),
        ("mask dot with:nothing", "! Object \"nothing\" not found"),
        (
            "define clip id:c from:dot at:0,0",
            "! at: and size: are for a shape; dot has its own\n  try: define clip id:c from:dot",
        ),
        (
            "canvas fit:on size:10x10",
            "! fit: cannot go with size: or viewbox:\n  try: canvas fit:on",
        ),
        (
            "canvas size:0x10",
            "! size: 0x10 is empty\n  try: canvas size:10x10",
        ),
        (
            "animate dot attribute:onclick to:1 duration:1s",
            "! circle has no onclick\n  try: animate dot attribute:",
        ),
        (
            "animate dot attribute:href to:#x duration:1s",
            "! circle has no href",
        ),
        ("animate dot motion:path:card duration:1s", "!"),
        (
            "animate dot attribute:r from:1 duration:1s",
            "! from: needs to:, the last value\n  try: animate dot attribute:r from:1 duration:1s to:0",
        ),
        (
            "animate dot duration:1s",
            "! animate needs attribute: or motion:\n  try: animate dot duration:1s attribute:opacity from:0 to:1",
        ),
        (
            "animate dot attribute:r to:1 duration:1s begin:no.click",
            "! begin: waits for no, which is missing\n  try: animate dot attribute:r to:1 duration:1s begin:0s",
        ),
    ] {
        let text = file(content);
        let mut desk = Desk::open(&text);
        let answer = desk.session.run(&[op.to_owned()], None);
        assert!(answer.is_error, "{op}: {}", answer.text);
        assert!(answer.text.starts_with(error), "{op}: {}", answer.text);
        assert_eq!(desk.saved(), text, "{op}");
    }
}
