//! The program over real pipes: the saved file matches the replies.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;

use crate::support::piped::{digest, notes, server};
use crate::support::smf_build::file;
use fcp::testing::line;
use midly::{MetaMessage, Smf, TrackEventKind};
use serde_json::json;

#[test]
fn the_tools_are_four_and_the_card_is_in_the_first() {
    let (_root, mut server) = server();
    let reply = server.ask("tools/list", json!({}));
    let tools = reply["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["midi", "midi_query", "midi_session", "midi_help"]);
    let card = tools[0]["description"].as_str().unwrap();
    assert!(card.len() <= 2048 && card.contains("note"), "{card}");
    let (help, error) = server.call("midi_help", json!({}));
    assert!(!error && help.contains("transpose"), "{help}");
    let (topic, error) = server.call("midi_help", json!({ "topic": "note" }));
    assert!(!error && topic.contains("note"), "{topic}");
}

#[test]
fn the_examples_of_the_contract_are_answered_to_the_letter() {
    let (root, mut server) = server();
    server.act("new \"My Song\"");
    server.run(&["track add Piano instrument:piano"]);
    let text = server.run(&[
        "note Piano C4 at:1.1 dur:quarter vel:mf",
        "note Piano E4 at:1.2 dur:quarter vel:mf",
        "note Piano G4 at:1.3 dur:quarter vel:mf",
    ]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "+ Note C4 on Piano at 1.1 dur:480 vel:80",
            "+ Note E4 on Piano at 1.2 dur:480 vel:80",
            "+ Note G4 on Piano at 1.3 dur:480 vel:80",
        ]
    );
    assert_eq!(lines.len(), 4, "{text}");
    assert!(
        lines[3].starts_with("[1t 3e tempo:120 4/4 1bars #"),
        "{text}"
    );

    let text = server.run(&["add note C#5 on:track:Piano at:4.1 duration:eighth velocity:90"]);
    assert!(
        text.starts_with("+ Note C#5 on Piano at 4.1 dur:240 vel:90\n"),
        "{text}"
    );
    let text = server.refused(&["noot Piano C4"]);
    assert!(
        text.starts_with("! Unknown verb \"noot\"\n  try: note Piano C4\n["),
        "{text}"
    );
    let text = server.refused(&["note Drums kick"]);
    assert!(
        text.starts_with(
            "! Track \"Drums\" not found\n  try: track add Drums instrument:standard-kit"
        ),
        "{text}"
    );
    let (text, _) = server.call(
        "midi",
        json!({ "ops": ["track add Drums instrument:standard-kit ch:10", "modify track:Drums volume:80"] }),
    );
    assert!(text.contains("\n* Track Drums: volume 80\n"), "{text}");
    let text = server.query("events Piano 1.1-4.4");
    let rows: Vec<String> = text
        .lines()
        .map(|line| line.rsplit_once(" #").unwrap().0.to_owned())
        .collect();
    assert_eq!(
        rows[rows.len() - 4..],
        [
            "1.1 C4 q v80",
            "1.2 E4 q v80",
            "1.3 G4 q v80",
            "4.1 C#5 e v90"
        ]
    );
    let text = server.query("map");
    assert!(
        text.starts_with(
            "Song: My Song\n  tempo:120 | 4/4 | no key | ppqn:480\n  Tracks (2):\n    1. Piano ch:1 acoustic-grand-piano (4 notes)\n"
        ),
        "{text}"
    );
    let text = server.run(&["remove @track:Piano @not:pitch:C4"]);
    assert!(text.starts_with("- Removed 3 notes\n"), "{text}");
    let text = server.act("save as:./my-song.mid");
    assert!(text.starts_with("* Saved ./my-song.mid"), "{text}");
    assert_eq!(notes(&root.path().join("my-song.mid")), [(1, 0, 60, 80)]);
    assert!(server.end().success());
}

#[test]
fn a_saved_file_matches_the_replies() {
    let (root, mut server) = server();
    server.act("new \"Études\" tempo:96 key:A-minor");
    let text = server.run(&[
        "track add Keys instrument:rhodes",
        "track add Drums instrument:standard-kit",
        "note Keys A3,C4,E4 at:1.1 dur:h vel:64",
        "note Keys A2 at:1.3 dur:q.",
        "note Drums kick at:1.1 vel:f",
        "note Drums snare at:1.2",
        "tempo 72 at:2",
        "time-sig 3/4 at:3",
        "marker \"Überleitung\" at:2",
        "transpose @track:Keys @pitch:A2 +12",
        "modify @pitch:snare vel:+20",
        "copy @range:1 to:2",
    ]);
    assert!(!text.contains('!'), "{text}");
    let before = digest(&text).to_owned();
    server.act("undo 3");
    let again = server.act("redo 3");
    assert_eq!(digest(&again), before);
    server.act("save as:etudes.mid");
    let path = root.path().join("etudes.mid");
    let found = notes(&path);
    let bar = |tick: u32| {
        vec![
            (1, tick, 57, 64),
            (1, tick, 60, 64),
            (1, tick, 64, 64),
            (1, tick + 960, 57, 80),
            (2, tick, 36, 96),
            (2, tick + 480, 38, 100),
        ]
    };
    let mut wanted = [bar(0), bar(1920)].concat();
    wanted.sort_unstable();
    let mut sorted = found;
    sorted.sort_unstable();
    assert_eq!(sorted, wanted);

    let bytes = fs::read(&path).unwrap();
    let smf = Smf::parse(&bytes).unwrap();
    assert_eq!(smf.tracks.len(), 3);
    let metas: Vec<MetaMessage<'_>> = smf.tracks[0]
        .iter()
        .filter_map(|event| match event.kind {
            TrackEventKind::Meta(meta) => Some(meta),
            _ => None,
        })
        .collect();
    assert!(metas.contains(&MetaMessage::TrackName("Études".as_bytes())));
    assert!(metas.contains(&MetaMessage::Tempo(625_000.into())));
    assert!(metas.contains(&MetaMessage::Tempo(833_333.into())));
    assert!(metas.contains(&MetaMessage::TimeSignature(3, 2, 24, 8)));
    assert!(metas.contains(&MetaMessage::KeySignature(0, true)));
    assert!(metas.contains(&MetaMessage::Marker("Überleitung".as_bytes())));

    let opened = server.act("open etudes.mid");
    assert_eq!(digest(&opened), before);
}

#[test]
fn a_failing_op_ends_a_call_as_its_policy_says() {
    let (_root, mut server) = server();
    server.act("new");
    server.run(&["track add Piano"]);
    let start = server.query("status");
    let ops = [
        "note Piano C4 at:1.1",
        "note Piano H4 at:1.2",
        "note Piano E4 at:1.3",
    ];
    let text = server.refused(&ops);
    assert!(
        text.contains("\n! batch rolled back: op 2 of 3 failed\n"),
        "{text}"
    );
    let held = server.query("status");
    let unheld: Vec<&str> = held
        .lines()
        .filter(|line| !line.starts_with("held for amend"))
        .collect();
    assert_eq!(unheld.join("\n"), start);
    let text = server.run(&["amend 2 note Piano B4 at:1.2"]);
    assert_eq!(text.matches("\n+ Note").count() + 1, 3, "{text}");
    server.act("undo batch");

    // Some ops were applied: an ordinary result with `!` lines.
    for (tool, arguments) in [
        ("fcp_edit", json!({ "ops": ops })),
        (
            "midi",
            json!({ "ops": ["batch isolate", ops[0], ops[1], ops[2]] }),
        ),
    ] {
        let (text, error) = server.call(tool, arguments);
        assert!(!error, "{text}");
        assert!(
            text.contains("+ Note C4") && text.contains("! H4") && text.contains("+ Note E4"),
            "{text}"
        );
        assert!(digest(&text).starts_with("[1t 2e "), "{text}");
        server.act("undo batch");
    }
    let (text, error) = server.call(
        "midi",
        json!({ "ops": ["batch stop", ops[0], ops[1], ops[2]] }),
    );
    assert!(!error, "{text}");
    assert!(
        text.contains("! stopped: op 2 of 3 failed, 1 not run"),
        "{text}"
    );
    assert!(digest(&text).starts_with("[1t 1e "), "{text}");
    server.act("undo batch");
    // No op was applied: an error.
    let (_, error) = server.call("fcp_edit", json!({ "ops": ["noot", "H4"] }));
    assert!(error);
    server.act("set batch:isolate");
    let (text, error) = server.call("midi", json!({ "ops": ops }));
    assert!(!error && digest(&text).starts_with("[1t 2e "), "{text}");
    let (text, error) = server.call("fcp_query", json!({ "q": "map" }));
    assert!(!error && text.contains("Piano"), "{text}");
    let (text, error) = server.call("fcp_session", json!({ "op": "undo" }));
    assert!(!error && text.starts_with("* undone 1 op"), "{text}");
}

#[test]
fn failures_are_errors_with_repairs() {
    let (_root, mut server) = server();
    for text in [
        server.refused(&["note Piano C4"]),
        server.no_query("map"),
        server.no_act("save"),
    ] {
        assert!(text.starts_with("! no document is open\n  try: "), "{text}");
    }
    server.act("new");
    for action in [
        "save",
        "open nowhere.mid",
        "undo",
        "opne x.mid",
        "undo to:x",
        "new tempo:0",
        "close now",
        "set speed:9",
    ] {
        let text = server.no_act(action);
        assert!(text.starts_with("! "), "{action}: {text}");
    }
    for query in [
        "mpa",
        "events Nobody",
        "events * 8-5",
        "list @trck:x",
        "describe #99",
        "diff checkpoint:x",
    ] {
        let text = server.no_query(query);
        assert!(text.starts_with("! "), "{query}: {text}");
    }
    assert!(server.query("plan tempo 90").contains("would leave ["));
}

#[test]
fn resources_show_the_vocabulary_and_the_song() {
    let (_root, mut server) = server();
    server.act("new \"Harbor\"");
    server.run(&["track add Piano", "note Piano C4"]);
    let reply = server.ask("resources/list", json!({}));
    let uris: Vec<String> = reply["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["uri"].as_str().unwrap().to_owned())
        .collect();
    assert!(uris.contains(&"fcp://midi/codebook".to_owned()), "{uris:?}");
    let mut all = String::new();
    for uri in &uris {
        let reply = server.ask("resources/read", json!({ "uri": uri }));
        let text = reply["result"]["contents"][0]["text"].as_str().unwrap();
        assert!(!text.is_empty(), "{uri}");
        all.push_str(text);
    }
    assert!(
        all.contains("schema_map") && all.contains("Harbor"),
        "{all}"
    );
}

#[test]
fn calls_that_come_all_at_once_are_done_in_their_order() {
    let (_root, mut server) = server();
    server.act("new");
    server.run(&["track add Piano"]);
    // Each op changes the result of earlier ones, so another order gives another song.
    let op = |n: usize| match n % 4 {
        0 => format!("note Piano {} at:1.1", 30 + n % 60),
        1 => "transpose @all +1".to_owned(),
        2 => format!("modify @all vel:{}", 1 + n % 120),
        _ => format!("remove @pitch:{}", 31 + n % 7),
    };
    let ops: Vec<String> = (0..400).map(op).collect();
    let mut burst = String::new();
    for (ix, op) in ops.iter().enumerate() {
        burst += &line(i64::try_from(ix).unwrap(), "midi", json!({ "ops": [op] }));
    }
    server.write(burst.as_bytes());
    let mut texts = Vec::new();
    for ix in 0..400 {
        let reply = server.hear();
        assert_eq!(reply["id"], ix, "{reply}");
        let text = reply["result"]["content"][0]["text"].as_str().unwrap();
        texts.push(text.to_owned());
    }
    let (_other_root, mut other) = self::server();
    other.act("new");
    other.run(&["track add Piano"]);
    for (op, text) in ops.iter().zip(&texts) {
        let (alone, _) = other.call("midi", json!({ "ops": [op] }));
        assert_eq!(&alone, text, "{op}");
    }
    let shown = digest(&texts[399]);
    assert!(other.query("status").ends_with(shown));
}

#[test]
fn checkpoints_lead_back_and_list_changes() {
    let (_root, mut server) = server();
    server.act("new");
    server.run(&["track add Piano", "note Piano C4 at:1.1"]);
    let text = server.act("checkpoint draft");
    assert!(text.starts_with("* Checkpoint draft"), "{text}");
    let here = server.query("status");
    server.run(&[
        "note Piano E4 at:1.2",
        "modify @pitch:C4 vel:100",
        "tempo 99",
    ]);
    let text = server.query("diff checkpoint:draft");
    assert!(text.lines().count() >= 3 && text.contains("E4"), "{text}");
    let text = server.act("undo to:draft");
    assert!(text.starts_with("* undone 3 ops: "), "{text}");
    assert_eq!(digest(&server.query("status")), digest(&here));
    let text = server.no_act("undo to:draff");
    assert!(text.contains("try: undo to:draft"), "{text}");
}

#[test]
fn limits_name_the_setting_that_moves_them() {
    let (_root, mut server) = server();
    server.act("new");
    let long = format!("marker \"{}\"", "x".repeat(1 << 20));
    let text = server.refused(&[&long]);
    assert!(
        text.contains("op-limit"),
        "{}",
        text.chars().take(300).collect::<String>()
    );
    assert!(text.len() < 1000, "{} bytes", text.len());
    // After that much, the server works as before.
    let text = server.run(&["marker short"]);
    assert!(text.starts_with("+ Marker \"short\" at 1.1"), "{text}");
}

#[test]
fn bars_that_move_keep_the_form_of_their_note_offs() {
    let (root, mut server) = server();
    let mut track = vec![0, 0xff, 3, 1, b'P'];
    for bar in 0..4_u8 {
        for beat in 0..4_u8 {
            track.extend([
                0,
                0x90,
                40 + 4 * bar + beat,
                64,
                0x60,
                0x90,
                40 + 4 * bar + beat,
                0,
            ]);
        }
    }
    track.extend(b"\0\xff\x2f\0");
    let bytes = file(1, 96, &[b"\0\xff\x2f\0", &track]);
    fs::write(root.path().join("offs.mid"), &bytes).unwrap();
    server.act("open offs.mid");
    let ids = |text: String| -> Vec<String> {
        let mut ids: Vec<String> = text
            .lines()
            .map(|line| line.rsplit_once('#').unwrap().1.to_owned())
            .collect();
        ids.sort();
        ids
    };
    let before = ids(server.query("list @type:note"));
    let reply = server.run(&["bars move 2 to:4"]);
    assert!(
        reply.starts_with("@ Moved bar 2 to 3.1 (4 notes)\n"),
        "{reply}"
    );
    assert_eq!(ids(server.query("list @type:note")), before);
    server.act("save as:moved.mid");
    let moved = fs::read(root.path().join("moved.mid")).unwrap();
    assert_eq!(moved.len(), bytes.len());
    let events = |bytes: &[u8]| {
        let smf = Smf::parse(bytes).unwrap();
        let mut events: Vec<String> = smf.tracks[1]
            .iter()
            .map(|event| format!("{:?}", event.kind))
            .collect();
        events.sort();
        events
    };
    assert_eq!(events(&moved), events(&bytes));
}
