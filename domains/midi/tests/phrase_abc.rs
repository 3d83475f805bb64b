//! `phrase` with `abc:on` reads ABC notation, and nothing that readers disagree on.

use crate::support::Desk;

/// The notes of a phrase in a song with a track, and the reply.
fn notes(op: &str) -> (Vec<String>, String) {
    let mut desk = Desk::blank();
    desk.run("track add Flute");
    let reply = desk.run(op);
    let notes = desk.ask("SELECT tick, name, dur FROM notes ORDER BY 1, pitch");
    (notes.lines().map(str::to_owned).collect(), reply)
}

#[test]
fn abc_means_the_same_as_items() {
    for (abc, items) in [
        ("C2 E2 G2 c2|", "C4/q E4 G4 C5 |"),
        ("CDEF GABc|d8", "C4/e D4 E4 F4 G4 A4 B4 C5 | D5/w"),
        ("C,2 C,,2 c'2 c''2", "C3/q C2 C6 C7"),
        (
            "C/ D/2 E// F3/2 G3 z2 A",
            "C4/s D4 E4/1/32 F4/e. G4/q. r/q A4/e",
        ),
        ("[CEG]4 [ce]2- [ce]2", "C4+E4+G4/h C5+E5/h"),
        ("C4- C4-|C8", "C4/h _/h | _/w"),
        ("(3CDE (3c/d/e/ z5", "C4/e3 D4 E4 C5/s3 D5 E5 r/h r/e"),
        (
            "C>D E<F G>>A B<<c",
            "C4/e. D4/s E4 F4/e. G4/7/32 A4/1/32 B4 C5/7/32",
        ),
        ("C > D z6", "C4/e. D4/s r/h."),
        ("^F2 F2 _B2 =B2|F8", "F#4/q F#4 Bb4 B4 | F4/w"),
        ("^F8-|F4 G4", "F#4/w | _/h G4/h"),
        ("^^C4 __D4", "C##4/h Dbb4"),
        ("|C8|]", "| C4/w |"),
        ("C8||D8", "C4/w | D4/w"),
    ] {
        let (read, reply) = notes(&format!("phrase Flute \"{abc}\" abc:on"));
        let (wanted, _) = notes(&format!("phrase Flute \"{items}\""));
        assert_eq!(read, wanted, "{abc}");
        assert!(reply.contains(", in C-major)"), "{abc}: {reply}");
    }
}

#[test]
fn the_key_and_the_unit_are_those_of_the_op_or_of_the_song() {
    for (op, items) in [
        ("\"F2 C2 _B2 B2\" abc:on key:D dur:e", "F#4/q C#4 Bb4 Bb4"),
        ("\"FCBE\" abc:on key:C-minor dur:q", "F4/q C4 Bb4 Eb4"),
    ] {
        let (read, _) = notes(&format!("phrase Flute {op}"));
        let (wanted, _) = notes(&format!("phrase Flute \"{items}\""));
        assert_eq!(read, wanted, "{op}");
    }
    let mut desk = Desk::blank();
    desk.run("track add Flute");
    desk.run("key-sig G");
    let reply = desk.run("phrase Flute \"F8\" abc:on");
    assert!(reply.contains("(1 note, in G-major)"), "{reply}");
    assert!(desk.ask("list @type:note").contains("F#4"));
}

#[test]
fn other_signs_of_abc_are_refused_by_name() {
    for (abc, part) in [
        ("C2|:D2", "repeats and endings are not read"),
        ("C8:|", "repeats are not read"),
        ("C8|1 D8", "repeats and endings are not read"),
        ("(CD)", "slurs are not read"),
        ("{c}D", "grace notes are not read"),
        ("!f!D", "decorations are not read"),
        (".D", "staccato is not read"),
        ("~D", "ornaments are not read"),
        ("Z2", "rests of whole bars are not read"),
        ("K:G", "fields are not read; key: sets the key"),
        ("[K:G]C", "fields are not read; key: sets the key"),
        ("H2", "not read; ABC is"),
        ("^", "not read; ABC is"),
        ("^_C", "accidentals are"),
        ("C0", "a length is"),
        ("C2/0", "a length is"),
        ("C4-D4", "a tie leads to the same notes"),
        ("C4-z4", "a tie leads to the same notes"),
        ("z4-z4", "a rest has no tie"),
        ("C4-", "the tie leads to no note"),
        ("C>", "> and < need a note after them"),
        ("C>>>>D", "at most three >"),
        ("(3CD", "a triplet has three notes"),
        ("(3CD|E", "end within their bar"),
        ("[CEG", "notes at once are written"),
        ("^f F", "readers disagree"),
        ("^^^C", "accidentals are"),
        ("C4 D4 E4|", "bar 1 holds 6 beats before"),
        ("C,,,,,,,,", "is not a MIDI pitch"),
        ("é", "not read; ABC is"),
    ] {
        let mut desk = Desk::blank();
        desk.run("track add Flute");
        let error = desk.refused(&format!("phrase Flute \"{abc}\" abc:on"));
        assert!(error.contains(part), "{abc}: {error}");
        assert!(!error.contains("try:"), "{abc}: {error}");
    }
    let mut desk = Desk::blank();
    desk.run("track add Flute");
    let error = desk.refused("phrase Flute C4/q key:D");
    assert!(error.contains("key: is that of ABC notation"), "{error}");
    let error = desk.refused("phrase Flute C2 abc:on dur:1beat");
    assert!(error.contains("a note value: dur:e"), "{error}");
}
