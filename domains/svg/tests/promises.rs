//! Promises to users of the program, checked from outside.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::path::Path;
use std::process::{Command, Stdio};

use fcp::testing::{Server, line, say};
use serde_json::json;
use tempfile::tempdir;

use crate::support::fresh;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-svg");

/// The visible state of a session, except for the batch that can still be amended.
fn seen(server: &mut Server) -> Vec<String> {
    let queries = ["svg *", "list", "list @recent:9", "history 50", "warnings"];
    let mut seen = queries.map(|query| server.query(query)).to_vec();
    let status = server.query("status");
    let lines = status.lines().filter(|line| !line.contains("amend"));
    seen.extend(lines.map(str::to_owned));
    seen
}

/// Checks that the visible state has not changed.
fn unchanged(server: &mut Server, before: &[String], context: &str) {
    let now = seen(server);
    assert_eq!(now.len(), before.len(), "{context}");
    for (now, before) in now.iter().zip(before) {
        assert_eq!(now, before, "{context}");
    }
}

#[test]
fn undo_of_removing_a_converted_element_restores_every_name() {
    let (mut server, _root) = fresh();
    server.run(&["add rect size:9x9 at:1,1", "add circle r:5 at:20,20"]);
    server.run(&["add text Hi at:5,5", "convert rect~1 to:path"]);
    let before = server.query("SELECT ref FROM elements");
    server.run(&["remove rect~1"]);
    server.act("undo");
    assert_eq!(server.query("SELECT ref FROM elements"), before);
    let refused = server.refused(&["remove rect~1", "remove nobody"]);
    assert!(refused.contains("rolled back"), "{refused}");
    assert_eq!(server.query("SELECT ref FROM elements"), before);
    server.run(&["style text~1 fill:red", "style circle~1 fill:red"]);
    server.act("undo 2");
    server.run(&["add rect size:3x3 at:4,4"]);
    assert!(server.query("list").contains("rect~2"));
}

#[test]
fn failed_ops_leave_no_trace() {
    let (mut server, _root) = fresh();
    server.run(&[
        "add rect size:9x9 at:1,1",
        "add circle r:5 at:20,20",
        "add text Hi at:5,5",
    ]);
    server.run(&[
        "add box A id:a size:40x20 at:0,50",
        "add box B id:b near:a",
        "connect a -> b",
    ]);
    server.run(&["move rect~1 by:5,0"]);
    server.act("undo");
    let before = seen(&mut server);
    for ops in [
        &["add rect size:3x3 at:0,0", "style rect~2 fil:red"] as &[&str],
        &["remove a", "add circle r:1 at:0,0", "modify nothing r:3"],
        &[
            "rename circle~1 sun",
            "define gradient id:g colors:red,blue",
            "style sun fill:gradient:gg",
        ],
        &[
            "repeat circle~1 count:50 every:3,0",
            "group @type:circle as:many",
            "ungroup a,many,nothing",
        ],
        &[
            "move a by:0,40",
            "modify text~1 text:\"other words\"",
            "canvas size:0x1",
        ],
        &[
            "animate rect~1 attribute:rx from:1 to:2 duration:1s",
            "raw '<g>'",
        ],
        &["style @fill:pink fill:red"],
        &["add rect id:a size:1x1"],
    ] {
        let reply = server.refused(ops);
        assert!(reply.contains("! "), "{reply}");
        unchanged(&mut server, &before, &format!("{ops:?}\n{reply}"));
    }
    for query in ["describe nothing", "list @fil:red", "render width:0"] {
        server.no_query(query);
        unchanged(&mut server, &before, query);
    }
    server.query("plan add rect size:4x4 at:1,1; remove a; rename b c");
    unchanged(&mut server, &before, "plan");
    // Undone ops can still be redone, and the next handle is the expected one.
    server.act("redo");
    let made = server.run(&["add rect size:3x3 at:0,0"]);
    assert!(made.starts_with("+ rect rect~4 "), "{made}");
}

#[test]
fn a_link_follows_whatever_changes_its_ends() {
    for op in [
        "move db by:0,60",
        "move db to:300,10 corner:center",
        "scale db by:2",
        "rotate db by:45",
        "align db bottom to:canvas",
        "modify db at:250,30",
        "modify db size:90x70",
        "modify note text:\"a much longer text\"",
        "transform outer insert 1 \"translate(30,20)\"",
        "move outer by:5,5",
        "scale outer by:1.5",
        "distribute api,db,mid h gap:30",
        "order api front",
    ] {
        let root = tempdir().unwrap();
        let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
        server.act("new size:400x300");
        server.run(&[
            "add box API id:api size:60x30 at:10,10",
            "add group id:outer",
            "add box DB id:db size:60x30 at:200,120 in:outer",
            "add text short id:note at:30,250",
            "add rect id:mid size:20x20 at:120,200",
            "connect api -> db label:SQL",
            "connect mid -> note route:elbow",
        ]);
        let before = server.query("svg *");
        let text = server.run(&[op]);
        let after = server.query("svg *");
        if op.starts_with("order") {
            assert!(!text.contains('~'), "{op}\n{text}");
        } else {
            assert!(text.contains("~ "), "{op}\n{text}");
            let boxed = |server: &mut Server, what: &str| server.query(&format!("bbox {what}"));
            // Removing it and drawing it again at its ends' new positions gives the same result.
            let (link, name) = if op.starts_with("modify note") {
                ("mid-note", "mid -> note route:elbow")
            } else {
                ("api-db", "api -> db label:SQL")
            };
            let followed = boxed(&mut server, link);
            server.run(&[&format!("remove {link}"), &format!("connect {name}")]);
            assert_eq!(boxed(&mut server, link), followed, "{op}");
            server.act("undo 2");
            assert_eq!(server.query("svg *"), after, "{op}");
        }
        server.act("undo");
        assert_eq!(server.query("svg *"), before, "{op}");
        server.act("redo");
        assert_eq!(server.query("svg *"), after, "{op}");
    }
}

/// The end points of a path's segments, as query `path` lists them.
fn ends(server: &mut Server) -> Vec<String> {
    let listed = server.query("path p");
    let lines = listed.lines().skip(1);
    let ends = lines.map(|line| line.split(' ').nth(2).unwrap_or_default().to_owned());
    ends.collect()
}

#[test]
fn one_point_moves_and_all_others_stay() {
    let before = "M 5,5 L 20,10";
    let after = "h 7 v 3 L 50 40 l 1 1 c 1 1 2 2 3 0 t 4 4 a 2 2 0 0 1 3 3 z";
    for segment in [
        "M 30 30",
        "m 10 20",
        "L 30 30",
        "l 10 20",
        "H 30",
        "h 10",
        "V 30",
        "v 20",
        "C 21 11 25 25 30 30",
        "c 1 1 5 15 10 20",
        "S 25 25 30 30",
        "s 5 15 10 20",
        "Q 25 25 30 30",
        "q 5 15 10 20",
        "T 30 30",
        "t 10 20",
        "A 9 9 0 0 1 30 30",
        "a 9 9 0 0 1 10 20",
    ] {
        let root = tempdir().unwrap();
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 99 99\"><path id=\"p\" d=\"{before} {segment} {after}\"/></svg>"
        );
        std::fs::write(root.path().join("p.svg"), text).unwrap();
        let mut server = Server::with(PROGRAM, root.path(), &["--no-system-fonts"]);
        server.act("open p.svg");
        let old = ends(&mut server);
        assert_eq!(old.len(), 11, "{segment}\n{old:?}");
        server.run(&["modify p move-point 3 by:2,3"]);
        let new = ends(&mut server);
        for (at, (old, new)) in old.iter().zip(&new).enumerate() {
            let moves = at == 2;
            assert_eq!(
                old != new,
                moves,
                "{segment}: segment {}\n{old}\n{new}",
                at + 1
            );
        }
        let (x, y) = old[2].split_once(',').unwrap();
        let moved = |n: &str, by: f64| n.parse::<f64>().unwrap() + by;
        assert_eq!(
            new[2],
            format!("{},{}", moved(x, 2.0), moved(y, 3.0)),
            "{segment}"
        );
        let written = server.query("svg p");
        let d = written.split('"').nth(3).unwrap();
        assert!(d.starts_with(&format!("{before} ")), "{segment}: {d}");
        // The next segment may be spelled differently, but later ones not.
        assert!(
            d.ends_with("v 3 L 50 40 l 1 1 c 1 1 2 2 3 0 t 4 4 a 2 2 0 0 1 3 3 z"),
            "{segment}: {d}"
        );
    }
}

/// The files and connections that the program opens while it answers calls, from `strace`.
fn traced(root: &Path, calls: &[String]) -> Option<String> {
    let log = root.join("trace.log");
    let child = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=%file,%network", "-o"])
        .arg(&log)
        .arg(PROGRAM)
        .args(["--root", root.to_str()?, "--no-system-fonts"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.ok()?;
    let mut input = child.stdin.take()?;
    for call in calls {
        use std::io::Write;
        writeln!(input, "{call}").ok()?;
    }
    drop(input);
    let answered = child.wait_with_output().ok()?;
    let reply = String::from_utf8_lossy(&answered.stdout).into_owned();
    let trace = std::fs::read_to_string(&log).unwrap_or_default();
    if trace.contains("ptrace") || !reply.contains("image/png") {
        return None;
    }
    Some(trace)
}

#[test]
fn opening_and_drawing_touch_no_other_file_and_no_network() {
    let root = tempdir().unwrap();
    let place = root.path().canonicalize().unwrap();
    std::fs::write(place.join("secret.png"), "none").unwrap();
    std::fs::write(
        place.join("secret.svg"),
        "<svg xmlns='http://www.w3.org/2000/svg'/>",
    )
    .unwrap();
    let text = "<?xml-stylesheet href=\"secret.css\"?><!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n\
        <svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 99 99\">\
        <style>@import url(http://example.com/secret.css); @font-face { font-family: x; src: url(secret.woff) }</style>\
        <image href=\"secret.png\" width=\"9\" height=\"9\"/><image xlink:href=\"http://example.com/secret.png\" width=\"9\" height=\"9\"/>\
        <image href=\"/etc/passwd\" width=\"9\" height=\"9\"/><use href=\"secret.svg#a\"/><rect fill=\"url(secret.svg#b)\" width=\"9\" height=\"9\"/>\
        <text font-family=\"x\" y=\"20\">Hi</text></svg>";
    std::fs::write(place.join("it.svg"), text).unwrap();
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" } } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let calls = [
        hello.to_string(),
        ready.to_string(),
        line(1, "svg_session", json!({ "action": "open it.svg" }))
            .trim()
            .to_owned(),
        line(2, "svg_query", json!({ "q": "render width:50" }))
            .trim()
            .to_owned(),
    ];
    let Some(trace) = traced(&place, &calls) else {
        say(
            "NOTHING WAS CHECKED of the files that are opened: strace is not there or may not trace",
        );
        return;
    };
    let opened = trace.contains("it.svg");
    assert!(opened, "{trace}");
    for call in trace.lines() {
        assert!(!call.contains("AF_INET"), "{call}");
        assert!(
            !call.contains("secret") && !call.contains("/etc/passwd"),
            "{call}"
        );
    }
}
