//! Files that a picture reads besides the drawing: none, or with `--images` those below the root.

use std::process::{Command, Stdio};

use fcp::endpoint::Flags;
use fcp::testing::say;
use fcp_svg::environment::host::IMAGES;
use resvg::tiny_skia::{Color, Pixmap};

use super::{NOTHING, Play, RED, Test, at};

pub const TESTS: &[Test] = &[
    (
        "files_are_drawn_if_asked_for_and_below_the_root",
        only_below_the_root,
    ),
    (
        "the_program_opens_the_file_it_is_told_to_and_no_other",
        nothing_else_is_opened,
    ),
];

fn only_below_the_root() {
    let mut red = Pixmap::new(4, 4).unwrap();
    red.fill(Color::from_rgba8(255, 0, 0, 255));
    let red = red.encode_png().unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.png"), &red).unwrap();
    let secret = outside.path().join("secret.png");
    let secret = secret.to_str().unwrap();
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    for (href, is_drawn) in [
        ("dot.png".to_owned(), true),
        ("in/dot.png".to_owned(), true),
        ("./in/../dot.png".to_owned(), true),
        (format!("../{name}/secret.png"), false),
        (secret.to_owned(), false),
        (format!("file://{secret}"), false),
        ("nothing.png".to_owned(), false),
    ] {
        for flags in [Flags::default(), Flags::default().with(&IMAGES, None)] {
            let asked = flags.has(&IMAGES);
            let mut play = Play::with(flags);
            std::fs::write(play.folder.path().join("dot.png"), &red).unwrap();
            std::fs::create_dir(play.folder.path().join("in")).unwrap();
            std::fs::write(play.folder.path().join("in/dot.png"), &red).unwrap();
            play.open(&format!("<image width='100' height='100' href='{href}'/>"));
            let (reply, picture) = play.render("render width:20");
            let wanted = if asked && is_drawn { RED } else { NOTHING };
            assert_eq!(at(&picture, 0.5, 0.5), wanted, "{href} {asked}");
            assert_eq!(reply.contains("not drawn"), wanted == NOTHING, "{reply}");
        }
    }
}

/// A drawing with every way to request another file or a server.
const GREEDY: &str = "<?xml version='1.0'?><?xml-stylesheet href='canary.css'?>\
    <svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 9 9'>\
    <style>@import url(canary.css); @font-face{font-family:c;src:url(canary.ttf)} rect{fill:url(canary.svg#a)}</style>\
    <image href='canary.png' width='9' height='9'/><image xlink:href='http://127.0.0.1:9/canary.png' width='9' height='9'/>\
    <image href='file:/tmp/canary.png' width='9' height='9'/><use href='canary.svg#a'/><rect width='9' height='9'/>\
    <filter id='f'><feImage href='canary.png'/></filter><g filter='url(#f)'><text y='9' font-family='c'>x</text></g>\
    <script href='canary.js'/></svg>";

/// Observes the files that the program opens with strace, if available.
fn nothing_else_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, text) in [
        ("own.svg", GREEDY),
        ("canary.svg", GREEDY),
        ("canary.png", "x"),
        ("canary.css", "x"),
        ("canary.ttf", "x"),
        ("canary.js", "x"),
        ("play.fcp", "! open own.svg\n? render width:20\n? list\n"),
    ] {
        std::fs::write(path(name), text).unwrap();
    }
    let traced = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=network,open,openat,openat2", "-o"])
        .arg(path("trace"))
        .arg(env!("CARGO_BIN_EXE_fcp-svg"))
        .arg("--root")
        .arg(folder.path())
        .arg("run")
        .arg(path("play.fcp"))
        .stdin(Stdio::null())
        .output();
    let played = traced.as_ref().map(|output| output.status.success());
    let Ok(true) = played else {
        say(&format!(
            "NOTHING WAS CHECKED: strace does not run here: {traced:?}"
        ));
        return;
    };
    let reply = String::from_utf8(traced.unwrap().stdout).unwrap();
    assert!(reply.contains("> render 20x20 image/png"), "{reply}");
    let trace = std::fs::read_to_string(path("trace")).unwrap();
    assert!(trace.contains("own.svg"), "{trace}");
    for line in trace.lines() {
        let reaches_out =
            line.contains("canary") || line.contains("AF_INET") || line.contains("connect(");
        assert!(!reaches_out, "{line}");
    }
}
