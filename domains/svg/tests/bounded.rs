//! With any input, the program answers in bounded time and size.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::{Duration, Instant};

use crate::support::{drawing, endless_picture, serving as server};
use serde_json::json;

/// The time limit for a debug build on a busy machine. Quadratic algorithms would take minutes.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_collection_that_declares_too_many_fonts_holds_nothing_up() {
    let mut bytes = b"ttcf\0\x01\0\0".to_vec();
    bytes.extend(u32::MAX.to_be_bytes());
    let (_root, mut server) = server(&[("letters/a.ttc", &bytes), ("a.svg", &drawing(""))]);
    server.act("open a.svg");
    let start = Instant::now();
    server.act("set fonts:letters");
    let reply = server.query("fonts");
    assert!(reply.contains("DejaVu Sans"), "{reply}");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn many_elements_with_one_id_are_opened_and_removed_fast() {
    let rects = r##"<rect id="x" width="9" height="9" fill="#f00"/>"##.repeat(10_000);
    let (_root, mut server) = server(&[("a.svg", &drawing(&rects))]);
    let start = Instant::now();
    server.act("open a.svg");
    server.run(&["remove @all"]);
    server.act("undo");
    let warnings = server.query("warnings");
    assert!(warnings.contains("duplicate id \"x\""), "{warnings}");
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}

#[test]
fn boxes_in_one_column_are_not_looked_at_in_pairs() {
    let boxes = (0..20_000).map(|at| format!("<rect y=\"{}\" width=\"9\" height=\"9\"/>", at * 10));
    let all = drawing(&boxes.collect::<String>());
    let same = drawing(&"<rect width=\"9\" height=\"9\"/>".repeat(20_000));
    let (_root, mut server) = server(&[("a.svg", &all), ("b.svg", &same)]);
    server.act("open a.svg");
    let start = Instant::now();
    assert_eq!(server.query("overlap"), "nothing matches");
    server.act("open b.svg");
    let (reply, is_error) = server.call("svg_query", json!({ "q": "overlap" }));
    assert!(
        is_error && reply.contains("takes more than 20 million steps"),
        "{reply}"
    );
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}

#[test]
fn elements_in_many_groups_are_opened_fast() {
    let nested = format!(
        "{}{}{}",
        "<g>".repeat(400),
        "<rect width=\"1\" height=\"1\"/>".repeat(20_000),
        "</g>".repeat(400)
    );
    let (_root, mut server) = server(&[("a.svg", &drawing(&nested))]);
    let start = Instant::now();
    let reply = server.act("open a.svg");
    assert!(
        reply.contains("20000 shapes, 0 texts, 400 groups"),
        "{reply}"
    );
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}

#[test]
fn many_siblings_are_removed_and_come_back_fast() {
    let cost = |siblings: usize| {
        let all = drawing(&"<rect width=\"9\" height=\"9\"/>".repeat(siblings));
        let (_root, mut server) = server(&[("a.svg", &all)]);
        server.act("set work-limit:1000");
        let before = server.act("open a.svg");
        server.run(&["remove @all"]);
        let start = server.processor_time();
        server.act("undo");
        let took = server.processor_time() - start;
        assert_eq!(digest(&server.query("status")), digest(&before));
        took
    };
    // An undo of more than these does less, and would hide the growth.
    let (few, many) = (cost(6_250), cost(25_000));
    assert!(many < 9 * few, "{few:?}, {many:?}");
}

fn digest(reply: &str) -> &str {
    reply.lines().last().unwrap()
}

#[test]
fn a_text_of_enormous_size_is_drawn_or_refused_in_words() {
    for size in ["1e9", "1e30", "1e-30"] {
        let text = format!("<text y=\"9\" font-size=\"{size}\" stroke=\"red\">A</text>");
        let (_root, mut server) = server(&[("a.svg", &drawing(&text))]);
        server.act("open a.svg");
        let (reply, is_error) = server.call("svg_query", json!({ "q": "render width:10" }));
        let is_told = reply.starts_with("render 10x10 image/png")
            || is_error && reply.starts_with("! ") && !reply.contains("unwrap");
        assert!(is_told, "{size}: {reply}");
    }
}

#[test]
fn a_picture_over_the_limit_names_one_that_fits() {
    let noise = (0..40 * 40).map(|at| {
        let color = (at * 7_919 % 0xff_ffff) ^ (at * 104_729 % 0xff_ffff);
        let (x, y) = (at % 40 * 22, at / 40 * 22);
        format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"17.3\" opacity=\"0.7\" fill=\"#{color:06x}\"/>")
    });
    let (_root, mut server) = server(&[("a.svg", &drawing(&noise.collect::<String>()))]);
    server.act("open a.svg");
    let (reply, is_error) = server.call("svg_query", json!({ "q": "render width:2000" }));
    assert!(
        is_error && reply.contains("(set reply-limit:KIB moves it)"),
        "{reply}"
    );
    let (_, smaller) = reply.rsplit_once("try: ").unwrap();
    let (reply, is_error) = server.call("svg_query", json!({ "q": smaller }));
    assert!(!is_error && reply.starts_with("render "), "{reply}");
    server.act("set reply-limit:4096");
    let (reply, is_error) = server.call("svg_query", json!({ "q": "render width:2000" }));
    assert!(!is_error, "{reply}");
}

#[test]
fn a_value_is_cut_in_every_reply() {
    let title = "t".repeat(5_000_000);
    let class = "c".repeat(5_000_000);
    let inner = format!(
        "<title>{title}</title><rect id=\"a\" class=\"{class}\" width=\"9\" height=\"9\"/>"
    );
    let (_root, mut server) = server(&[("a.svg", &drawing(&inner))]);
    let long = format!("modify a class:{}", "c".repeat(500_000));
    let mut texts = vec![
        server.act("open a.svg"),
        server.run(&["modify a class:b"]),
        server.act("undo"),
        server.run(&["copy a"]),
        server.refused(&["UPDATE attributes SET value=value || 'd' WHERE name='class'"]),
        server.run(&["remove a"]),
        server.act("undo"),
        server.refused(&[&long]),
        server.act("status"),
    ];
    for query in [
        "status",
        "map",
        "tree",
        "describe a",
        "find c",
        "diff checkpoint:open",
        "history",
    ] {
        texts.push(server.query(query));
    }
    for text in texts {
        assert!(text.len() <= 64 * 1024, "{} {text:.200}", text.len());
    }
}

#[test]
fn a_picture_that_takes_too_long_names_the_setting_and_exports_are_refused_before() {
    let all = drawing(&endless_picture());
    let (_root, mut server) = server(&[("a.svg", &all), ("e.png", b"x")]);
    server.act("open a.svg");
    server.act("set render-limit:1");
    let limit = "stopped after 1 s (set render-limit:SECONDS moves it)";
    let reply = server.no_query("render");
    assert!(reply.contains(limit), "{reply}");
    let reply = server.no_act("export as:q.png");
    assert!(reply.contains(limit), "{reply}");
    let reply = server.no_act("export as:e.png");
    assert!(reply.contains("exists already"), "{reply}");
    let reply = server.no_act("export as:nowhere/q.png");
    assert!(!reply.contains("stopped"), "{reply}");
}

#[test]
fn a_list_of_transforms_that_grows_with_each_op_is_counted() {
    let (_root, mut server) = server(&[]);
    server.act("new");
    server.run(&["add rect id:card size:40x30"]);
    server.act("set work-limit:1");
    let refused = server.refused(&["skew card x:45"; 500]);
    assert!(
        refused.contains("takes more than 1 million steps"),
        "{refused:.300}"
    );
    server.run(&["skew card x:45"; 100]);
}

#[test]
fn long_styles_that_take_the_renderer_long_are_not_given_to_it() {
    let many = format!(
        "<rect width=\"9\" height=\"9\" style=\"{}\"/>",
        "a:b;".repeat(200_000)
    );
    let sheet = format!(
        "<style>rect {{{}}}</style><rect width=\"9\" height=\"9\"/>",
        "a:b;".repeat(200_000)
    );
    let value = format!(
        "<rect width=\"9\" height=\"9\" style=\"stroke-dasharray:{}\"/>",
        "1 ".repeat(400_000)
    );
    let usual = format!(
        "<rect width=\"9\" height=\"9\" style=\"{}\"/>",
        "fill:red;stroke-width:1;".repeat(400)
    );
    let files = [many, sheet, value, usual].map(|inner| drawing(&inner));
    let names = ["many.svg", "sheet.svg", "value.svg", "usual.svg"];
    let files: Vec<(&str, &[u8])> = names
        .into_iter()
        .zip(files.iter().map(|file| &file[..]))
        .collect();
    let (_root, mut server) = server(&files);
    let start = Instant::now();
    let over = "the call takes more than 20 million steps";
    for name in &names[..2] {
        server.act(&format!("open {name}"));
        let reply = server.no_act("export png as:a.png");
        assert!(reply.contains(over), "{reply}");
    }
    let reply = server.no_act("open value.svg");
    assert!(reply.contains(over), "{reply}");
    server.act("open usual.svg");
    server.act("export png as:a.png");
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}
