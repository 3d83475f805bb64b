//! Errors of SQL in ops and queries: each has a repair, which runs as it is.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::testing::Server;
use tempfile::{TempDir, tempdir};

/// A server with a song of three notes.
fn song() -> (Server, TempDir) {
    let root = tempdir().unwrap();
    let mut server = Server::new(env!("CARGO_BIN_EXE_fcp-midi"), root.path());
    server.act("new");
    server.run(&[
        "track add Piano",
        "note Piano C4 at:1.1 dur:q vel:80",
        "note Piano E4 at:1.2 dur:q vel:70",
        "track add Bass",
        "note Bass C2 at:1.1 dur:h vel:90",
    ]);
    (server, root)
}

#[test]
fn unknown_columns_are_repaired_or_shown_in_every_form_of_sql() {
    let (mut server, _root) = song();
    let notes = "? tables notes";
    for (sent, repair) in [
        ("UPDATE notes SET velocity=90", "UPDATE notes SET vel=90"),
        ("UPDATE notes SET foo=90", notes),
        ("UPDATE notes SET vel=foo", notes),
        (
            "UPDATE notes SET vel=velocity*2",
            "UPDATE notes SET vel=min(vel*2, 127)",
        ),
        (
            "UPDATE notes SET vel=9 WHERE velocty>3",
            "UPDATE notes SET vel=9 WHERE vel>3",
        ),
        ("UPDATE notes SET vel=9 WHERE foo>3", notes),
        (
            "UPDATE notes SET vel=9 WHERE track ILIKE 'pi%'",
            "UPDATE notes SET vel=9 WHERE track LIKE 'pi%'",
        ),
        ("UPDATE note SET vel=9", "UPDATE notes SET vel=9"),
        ("UPDATE foo SET vel=9", "? tables"),
        ("DELETE FROM notes WHERE foo=3", notes),
        (
            "INSERT INTO notes(track,pitch,pos,velocity) VALUES ('Bass',60,'3.1',9)",
            "INSERT INTO notes(track,pitch,pos,vel) VALUES ('Bass',60,'3.1',9)",
        ),
        (
            "INSERT INTO notes(track,pitch,pos,foo) VALUES ('Bass',60,'3.1',9)",
            notes,
        ),
        (
            "modify @where:\"velocity > 80\" vel:9",
            "modify @where:\"vel > 80\" vel:9",
        ),
        // The condition with the right name selects nothing.
        ("modify @where:\"velocity > 120\" vel:9", notes),
        ("remove @where:\"velocity > 120\"", notes),
        ("modify @where:\"foo > 80\" vel:9", notes),
        (
            "modify @where:\"velocity > 80\" vel:=velocity-9",
            "modify @where:\"vel > 80\" vel:=vel-9",
        ),
        ("modify @where:\"velocity > 80 AND foo=1\" vel:9", notes),
        ("modify @all vel:=velocity-9", "modify @all vel:=vel-9"),
        ("modify @all vel:=foo", notes),
        (
            "modify @all vel:=velocity-9 dur:=duration",
            "modify @all vel:=vel-9 dur:=dur",
        ),
        (
            "each \"SELECT pos, velocity FROM notes\" \"note Bass C5 at:{pos} vel:{velocity}\"",
            "each \"SELECT pos, vel FROM notes\" \"note Bass C5 at:{pos} vel:{vel}\"",
        ),
        (
            "each \"SELECT pos, vel FROM notes\" \"note Bass C5 at:{pos} vel:{velocity}\"",
            "each \"SELECT pos, vel FROM notes\" \"note Bass C5 at:{pos} vel:{vel}\"",
        ),
        (
            "each \"SELECT foo FROM notes\" \"note Bass C5 at:{foo}\"",
            notes,
        ),
        (
            "each \"SELECT pos FROM notes\" \"note Bass C5 at:{foo}\"",
            "? SELECT pos FROM notes",
        ),
        ("? SELECT velocity FROM notes", "SELECT vel FROM notes"),
        ("? SELECT foo FROM notes", notes),
        (
            "? SELECT velocity FROM notes WHERE velocity>3 AND foo=1",
            notes,
        ),
        ("? SELECT * FROM foo", "? tables"),
    ] {
        server.repaired(sent, repair);
    }
    let refused = server.refused(&["modify @where:\"velocity > 120\" vel:9"]);
    assert!(refused.contains("did you mean vel?"), "{refused}");
}

#[test]
fn texts_for_numbers_are_converted_by_functions() {
    let (mut server, _root) = song();
    server.repaired(
        "modify @where:\"pitch='C4'\" vel:9",
        "modify @where:pitch=pitch('C4') vel:9",
    );
    let none = server.run(&["UPDATE notes SET vel=9 WHERE pitch='C4'"]);
    assert!(none.contains("pitch=pitch('C4') has rows"), "{none}");
    let none = server.query("SELECT ref FROM notes WHERE pitch='C4'");
    assert!(none.contains("pitch=pitch('C4') has rows"), "{none}");
}

#[test]
fn columns_that_cannot_be_empty_show_their_form() {
    let (mut server, _root) = song();
    for (set, form) in [
        ("vel=NULL", "vel cannot be NULL: Velocity, 1 to 127"),
        (
            "pitch=NULL",
            "pitch cannot be NULL: MIDI pitch, 0 to 127; 60 is middle C",
        ),
        (
            "name=NULL",
            "name cannot be NULL: The pitch by name: C4, F#3",
        ),
        (
            "pos=NULL",
            "pos cannot be NULL: The start as ops take it: 5.3.240",
        ),
        (
            "tick=NULL",
            "tick cannot be NULL: Ticks from the start of the track",
        ),
        ("track=NULL", "track cannot be NULL: The track's name"),
        ("dur=NULL", "dur cannot be NULL: Length in ticks"),
    ] {
        let refused = server.refused(&[&format!("UPDATE notes SET {set}")]);
        assert!(
            refused.starts_with(&format!("! {form}\n  try: ? tables notes")),
            "{refused}"
        );
    }
    // Rows for which nothing is computed keep their value.
    server.repaired(
        "UPDATE notes SET vel=CASE WHEN pitch=60 THEN 9 END",
        "UPDATE notes SET vel=coalesce(CASE WHEN pitch=60 THEN 9 END, vel)",
    );
}

#[test]
fn clauses_of_sql_that_are_not_taken_have_another_form() {
    let (mut server, _root) = song();
    let added = "INSERT INTO notes(track,pitch,pos) VALUES ('Bass',60,'3.1')";
    for (sent, repair) in [
        (
            "UPDATE notes SET vel=9 WHERE pitch>50 ORDER BY vel LIMIT 1",
            "UPDATE notes SET vel=9 WHERE rowid IN (SELECT rowid FROM notes WHERE pitch>50 ORDER BY vel LIMIT 1)",
        ),
        (
            "DELETE FROM notes LIMIT 1;",
            "DELETE FROM notes WHERE rowid IN (SELECT rowid FROM notes LIMIT 1);",
        ),
        (
            "UPDATE notes SET vel=9 WHERE vel=80 RETURNING ref, vel",
            "UPDATE notes SET vel=9 WHERE vel=80",
        ),
        ("UPDATE OR IGNORE notes SET vel=9", "UPDATE notes SET vel=9"),
        (&*added.replace("INSERT", "REPLACE"), added),
        (&*added.replace("INSERT", "INSERT OR REPLACE"), added),
        (&*format!("{added} ON CONFLICT DO UPDATE SET vel=3"), added),
        (&*format!("{added} RETURNING *"), added),
    ] {
        server.repaired(sent, repair);
    }
    let refused = server.refused(&[&format!("{added} ON CONFLICT DO NOTHING")]);
    assert!(!refused.contains("try:"), "{refused}");
}

#[test]
fn of_two_values_for_a_key_none_is_chosen() {
    let (mut server, _root) = song();
    let refused = server.refused(&["modify @all vel:80 vel:90"]);
    assert!(
        refused.contains("given twice") && !refused.contains("try:"),
        "{refused}"
    );
    server.repaired("modify @all vel:80 vel:80", "modify @all vel:80");
}

#[test]
fn a_failed_insert_is_not_what_later_ops_need() {
    let (mut server, _root) = song();
    let insert = "INSERT INTO notes(track,pitch,pos,vel) VALUES ('Violin',60,'3.1',200)";
    let refused = server.refused(&[insert, "note Violin D4"]);
    assert!(!refused.contains("needs op 1"), "{refused}");
    assert!(
        refused.contains("Track \"Violin\" not found\n"),
        "{refused}"
    );
    // A statement that fails to add a track is.
    let tracks = "INSERT INTO tracks(track, ch) VALUES ('Viola', 99)";
    let refused = server.refused(&[tracks, "note Viola D4"]);
    assert!(refused.contains("needs op 1"), "{refused}");
}

#[test]
fn events_without_a_channel_belong_to_the_song_in_one_chunk() {
    let (mut server, _root) = song();
    server.act("save smf:0 as:one.mid");
    server.act("open one.mid");
    let lyric = "INSERT INTO events(kind,track,text,pos) VALUES ('lyric','Bass','la','1.1')";
    server.repaired(lyric, "lyric song la at:1.1");
    let refused = server.refused(&[lyric]);
    assert!(
        refused.contains("a lyric belongs to the song; leave track out"),
        "{refused}"
    );
    server.run(&["INSERT INTO events(kind,track,number,value,pos) VALUES ('cc','Bass',7,9,'1.1')"]);
}
