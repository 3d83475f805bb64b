//! The table `changes` gives values as a SELECT gave them, and only those that changed; what changed nothing has no entry
//! in the log.

use crate::support::Desk;
use crate::support::smf_build::{file, single, track};

/// The rows of `changes`: field, before, after, and the types of the values.
fn changes(desk: &mut Desk) -> Vec<String> {
    let rows = desk.ask("SELECT tbl, field, before, after FROM changes ORDER BY ref, field");
    let lines = rows.lines().skip(1).map(str::to_owned);
    lines.filter(|line| !line.starts_with('(')).collect()
}

#[test]
fn the_number_of_a_controller_is_a_field() {
    let events: [(u32, &[u8]); 2] = [(0, &[0xb0, 6, 12]), (0, &[0xb0, 7, 100])];
    let mut desk = Desk::on(&single(&track(&events)));
    desk.run("UPDATE events SET number=11 WHERE number=6");
    assert_eq!(changes(&mut desk), ["events | number | 6 | 11"]);
    desk.run("UPDATE events SET value=90 WHERE number=11");
    assert_eq!(
        changes(&mut desk),
        ["events | number | 6 | 11", "events | value | 12 | 90"]
    );
    desk.run("UPDATE events SET value=80 WHERE number=7");
    assert_eq!(changes(&mut desk)[2..], ["events | value | 100 | 80"]);
}

#[test]
fn bytes_of_the_same_number_are_told_as_the_table_shows_them() {
    let mut long = vec![0xf0, 0x82, 0x2c];
    long.extend([7; 300]);
    let end = long.len() - 1;
    long[end] = 0xf7;
    let events: [(u32, &[u8]); 3] = [
        (0, &[0xf0, 5, 0x7e, 0x7f, 9, 1, 0xf7]),
        (0, &[0xff, 0x21, 1, 2]),
        (0, &long),
    ];
    let mut desk = Desk::on(&single(&track(&events)));
    desk.run("UPDATE events SET bytes='7e7f0903f7' WHERE bytes='7e7f0901f7'");
    desk.run("UPDATE events SET bytes='05' WHERE number=33");
    assert_eq!(
        changes(&mut desk),
        [
            "events | bytes | 7e7f0901f7 | 7e7f0903f7",
            "events | bytes | 02 | 05"
        ]
    );
    let listed = desk.ask("diff open");
    assert!(
        listed.contains("bytes 7e 7f 09 01 f7 -> 7e 7f 09 03 f7"),
        "{listed}"
    );
    desk.run("UPDATE events SET bytes=substr(bytes, 1, 400)||'08'||substr(bytes, 403) WHERE length(bytes)>100");
    let told = changes(&mut desk);
    let rows = told.iter().filter(|line| line.contains("08")).count();
    assert!(told.len() == 3 && rows == 1, "{told:?}");
}

#[test]
fn tracks_are_told_by_their_columns() {
    let lead: [(u32, &[u8]); 1] = [(0, b"\xff\x03\x04Lead")];
    let lead = track(&lead);
    let mut desk = Desk::on(&file(1, 96, &[&lead, &lead, &lead]));
    let names = desk.ask("SELECT track FROM tracks WHERE nr=1");
    let name = names.lines().nth(1).unwrap_or_default().to_owned();
    assert!(name.ends_with("~1"), "{names}");
    desk.run("UPDATE tracks SET track='Bass' WHERE nr=1");
    let told = changes(&mut desk);
    let line = format!("tracks | track | {name} | Bass");
    assert!(told.contains(&line), "{told:?}");
}

#[test]
fn equal_lengths_in_other_ticks_are_told_by_their_columns() {
    let events: [(u32, &[u8]); 3] = [
        (480, &[0x90, 60, 64]),
        (960, &[0x80, 60, 64]),
        (960, &[0xb0, 7, 100]),
    ];
    let mut desk = Desk::on(&file(0, 480, &[&track(&events)]));
    desk.run("retime ppqn:240");
    let told = changes(&mut desk);
    for row in [
        "notes | tick | 480 | 240",
        "notes | dur | 480 | 240",
        "events | tick | 960 | 480",
    ] {
        assert!(told.iter().any(|line| line == row), "{row}: {told:?}");
    }
    assert!(told.iter().all(|line| !line.contains("ticks")), "{told:?}");
}

#[test]
fn values_that_stay_are_not_told() {
    // A program on the channel of drums has the name of a kit.
    let events: [(u32, &[u8]); 3] = [
        (0, &[0xc9, 38]),
        (0, &[0x99, 60, 64]),
        (96, &[0x89, 60, 64]),
    ];
    let mut desk = Desk::on(&file(1, 96, &[&track(&events)]));
    desk.run("UPDATE events SET ch=3 WHERE kind='program'");
    assert_eq!(changes(&mut desk), ["events | ch | 10 | 3"]);
    let saved = desk.act("save as:b.mid");
    assert!(!saved.contains("38"), "{saved}");
    // In a file of format 0 another channel is another track, which may have the same name.
    let events: [(u32, &[u8]); 3] = [
        (0, &[0xc0, 48]),
        (0, &[0x90, 60, 64]),
        (96, &[0x80, 60, 64]),
    ];
    let mut desk = Desk::on(&file(0, 96, &[&track(&events)]));
    desk.run("UPDATE events SET ch=3 WHERE ch IS NOT NULL");
    let told = changes(&mut desk);
    let sides = |line: &String| line.split(" | ").map(str::to_owned).collect::<Vec<_>>();
    for line in &told {
        let sides = sides(line);
        assert_ne!(sides[2], sides[3], "{told:?}");
    }
    let saved = desk.act("save as:c.mid");
    assert!(
        saved.contains("~ program on string-ensemble-1 at 1.1: ch 1 -> 3\n"),
        "{saved}"
    );
}

#[test]
fn values_have_the_types_of_their_columns() {
    let events: [(u32, &[u8]); 3] = [
        (0, &[0xff, 0x51, 3, 0, 0, 0]),
        (0, &[0x90, 60, 64]),
        (96, &[0xb0, 7, 100]),
    ];
    let mut desk = Desk::on(&file(1, 96, &[&track(&events)]));
    desk.run("fix stuck");
    desk.run("UPDATE events SET ch=5 WHERE kind='cc'");
    desk.run("UPDATE events SET value=120 WHERE kind='tempo'");
    let types = "SELECT field, before, typeof(before), typeof(after) FROM changes ORDER BY field";
    let told = desk.ask(types);
    for row in [
        "ch | 1 | integer | integer",
        "dur | NULL | null | integer",
        "off_vel | NULL | null | integer",
        "value | NULL | null | ",
    ] {
        assert!(told.contains(row), "{row}: {told}");
    }
}

#[test]
fn an_op_that_changes_nothing_leaves_the_undone_ones() {
    for op in [
        "copy @range:1 to:1",
        "repeat @range:1 times:1",
        "note P C4 at:2.1 dur:q",
    ] {
        let mut desk = Desk::blank();
        for op in [
            "track add P instrument:piano",
            "note P C4 at:1.1 dur:q",
            "repeat @all times:1",
            "cc P volume 90 at:1",
        ] {
            desk.run(op);
        }
        desk.act("undo");
        let reply = desk.run(op);
        assert!(reply.starts_with("= "), "{op}: {reply}");
        let redone = desk.act("redo");
        assert!(redone.contains("redone 1 op"), "{op}: {redone}");
    }
}

#[test]
fn quantize_tells_of_notes_that_are_nearly_on_the_grid() {
    let mut desk = Desk::blank();
    for op in [
        "track add P instrument:piano",
        "note P C4 at:1.1 dur:q",
        "note P C4 at:1.2.1 dur:q",
    ] {
        desk.run(op);
    }
    let reply = desk.run("quantize @all grid:s strength:50");
    assert!(
        reply.starts_with("= 2 notes on P: 1 off the grid, but so little that strength 50"),
        "{reply}"
    );
    desk.run("quantize @all grid:s");
    let reply = desk.run("quantize @all grid:s strength:50");
    assert!(
        reply.starts_with("= 2 notes on P are on the grid already"),
        "{reply}"
    );
}

#[test]
fn tables_of_any_size_are_counted_within_bounds() {
    let far: [(u32, &[u8]); 2] = [(0, &[0x90, 60, 64]), (0x0fff_ffff, &[0x80, 60, 64])];
    let mut desk = Desk::on(&file(1, 1, &[&track(&far)]));
    let edit = ["note 1 C5 at:1.1".to_owned(), "? tables".to_owned()];
    let answer = fcp::endpoint::Endpoint::run(&mut desk.session, &edit, None);
    assert!(!answer.is_error, "{}", answer.text);
    assert!(
        answer.text.contains("more rows than are counted"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("+ Note C5"), "{}", answer.text);
}

#[test]
fn tracks_that_are_renamed_together_are_not_reported_by_names_in_between() {
    let named = |name: &[u8]| track(&[(0, &[&[0xff, 3, 5], name].concat())]);
    let tracks = [named(b"Viola"), named(b"Viola"), named(b"Cello")];
    let mut desk = Desk::on(&file(1, 96, &[&tracks[0], &tracks[1], &tracks[2]]));
    let reply = desk.run("rename @type:track name:=\"'Part '||nr\"");
    assert!(reply.starts_with("* rename "), "{reply}");
    assert!(!reply.contains("Viola"), "{reply}");
    assert!(reply.contains("* Part 2 "), "{reply}");
}
