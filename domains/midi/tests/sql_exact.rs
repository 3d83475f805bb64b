//! Statements change the rows that they name and no others, and their replies show what they did.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use super::tables::ask;
use crate::support::Desk;
use crate::support::smf_build::{END, file, single};

/// A parameter of five controllers, and a note.
fn with_parameter(select: [u8; 2]) -> Desk {
    let [coarse, fine] = select;
    let events: [&[u8]; 7] = [
        &[0, 0xb0, coarse, 0],
        &[0, 0xb0, fine, 0],
        &[0, 0xb0, 6, 12],
        &[0, 0xb0, coarse, 127],
        &[0, 0xb0, fine, 127],
        &[0, 0x90, 60, 64, 96, 0x80, 60, 64],
        END,
    ];
    Desk::on(&single(&events.concat()))
}

#[test]
fn delete_removes_the_rows_of_its_condition_only() {
    for (select, statement, left) in [
        (
            [101, 100],
            "DELETE FROM events WHERE kind='cc' AND number=101 AND value=0",
            "100 0, 6 12, 101 127, 100 127",
        ),
        (
            [101, 100],
            "DELETE FROM events WHERE ref='#3'",
            "100 0, 6 12, 101 127, 100 127",
        ),
        (
            [101, 100],
            "DELETE FROM cc WHERE value=0",
            "6 12, 101 127, 100 127",
        ),
        (
            [101, 100],
            "DELETE FROM cc WHERE number=100 AND value=0",
            "101 0, 6 12, 101 127, 100 127",
        ),
        (
            [99, 98],
            "DELETE FROM cc WHERE number=99 AND value=0",
            "98 0, 6 12, 99 127, 98 127",
        ),
        ([99, 98], "DELETE FROM cc", ""),
    ] {
        let mut desk = with_parameter(select);
        desk.run(statement);
        let rows = ask(&mut desk.session, "SELECT number||' '||value FROM cc");
        let (_, rows) = rows.split_last().unwrap();
        assert_eq!(rows.join(", "), left, "{statement}");
    }
}

#[test]
fn the_aftertouch_of_deleted_notes_is_reported() {
    let mut desk = Desk::blank();
    for op in [
        "track add P",
        "note P C4,E4 at:1",
        "touch P 5 at:1.2 pitch:C4",
        "touch P 6 at:1.2",
        "cc P volume 90",
    ] {
        desk.run(op);
    }
    let reply = desk.run("DELETE FROM notes WHERE pitch=64");
    assert!(!reply.contains("left"), "{reply}");
    let reply = desk.run("DELETE FROM notes");
    assert!(reply.contains("; left: 1 touch\n"), "{reply}");
}

#[test]
fn replies_show_other_channels_and_release_velocities() {
    let mut desk = Desk::blank();
    desk.run("track add Lead ch:1");
    desk.run("note Lead C4 at:1.1");
    for (statement, line) in [
        (
            "INSERT INTO events(kind,track,ch,number,value,tick) VALUES ('cc','Lead',4,7,72,10)",
            "+ CC volume 72 on Lead at 1.1.10 ch:4",
        ),
        (
            "INSERT INTO events(kind,track,ch,number,value,tick) VALUES ('cc','Lead',1,7,72,20)",
            "+ CC volume 72 on Lead at 1.1.20",
        ),
        (
            "INSERT INTO programs(track,channel,program,at) VALUES ('Lead',4,7,10)",
            "+ Program 7 clavinet on Lead at 1.1.10 ch:4",
        ),
        (
            "INSERT INTO bends(track,channel,value,at) VALUES ('Lead',4,7,10)",
            "+ Bend 7 on Lead at 1.1.10 ch:4",
        ),
        (
            "INSERT INTO touches(track,channel,value,at) VALUES ('Lead',4,7,10)",
            "+ Touch 7 on Lead at 1.1.10 ch:4",
        ),
        (
            "INSERT INTO notes(track,pitch,tick,dur,vel,off_vel) VALUES ('Lead',72,960,10,10,99)",
            "+ Note C5 on Lead at 1.3 dur:10 vel:10 off:99",
        ),
        (
            "INSERT INTO notes(track,pitch,tick,dur,vel,off_vel,ch) VALUES ('Lead',74,960,10,10,64,3)",
            "+ Note D5 on Lead at 1.3 dur:10 vel:10 ch:3",
        ),
        (
            "UPDATE notes SET off_vel=5 WHERE pitch=72",
            "* Note C5 on Lead at 1.3 dur:10 vel:10 off:5",
        ),
    ] {
        let reply = desk.run(statement);
        assert_eq!(reply.lines().next(), Some(line), "{statement}");
    }
}

#[test]
fn song_rows_of_patterns_have_the_name_of_their_pattern() {
    let named = |name: u8| {
        [
            &[0, 0xff, 3, 1, name, 0, 0x90, 60, 64, 96, 0x80, 60, 64][..],
            END,
        ]
        .concat()
    };
    let mut desk = Desk::on(&file(2, 96, &[&named(b'A'), &named(b'B')]));
    desk.run("INSERT INTO events(kind,track,value,tick) VALUES ('tempo','A',100,0)");
    desk.run("INSERT INTO events(kind,track,value,tick) VALUES ('tempo','B',150,0)");
    let question = "SELECT track, value FROM events WHERE kind='tempo' ORDER BY value";
    let rows = ask(&mut desk.session, question);
    assert_eq!(rows[..2], ["A | 100", "B | 150"]);
    desk.run("UPDATE events SET track='A', tick=96 WHERE kind='tempo' AND track='B'");
    let rows = ask(&mut desk.session, question);
    assert_eq!(rows[..2], ["A | 100", "A | 150"]);
}

#[test]
fn a_new_track_takes_its_program_by_name() {
    for (program, number) in [
        ("'bass'", "33"),
        ("40", "40"),
        ("'violin'", "40"),
        ("NULL", "NULL"),
    ] {
        let mut desk = Desk::blank();
        desk.run(&format!(
            "INSERT INTO tracks(track,ch,program,nr) VALUES ('Low End',3,{program},1)"
        ));
        let rows = ask(&mut desk.session, "SELECT track, ch, program FROM tracks");
        assert_eq!(rows[0], format!("Low End | 3 | {number}"));
    }
    let reply = Desk::blank().refused("INSERT INTO tracks(track,program) VALUES ('A','viollin')");
    assert!(
        reply.contains("try: INSERT INTO tracks(track,program) VALUES ('A','violin')"),
        "{reply}"
    );
}
