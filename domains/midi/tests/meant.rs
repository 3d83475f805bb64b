//! Invalid ops and their repairs: what was meant, or none.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::Endpoint;

use crate::support::Desk;

const SONG: [&str; 10] = [
    "track add P instrument:piano",
    "track add E instrument:bass",
    "track add D instrument:standard-kit",
    "track add \"Piano, left\" instrument:piano",
    "track add X2",
    "track add X3",
    "note P C4,E4 at:1",
    "note E C2 at:1",
    "marker Verse at:1",
    "marker \"Verse one\" at:3",
];

/// Checks that each op is rejected with this repair, or with this message (`! …`) and no repair.
fn check_repairs(table: &[(&str, &str)]) {
    let mut desk = Desk::blank();
    for op in SONG {
        desk.run(op);
    }
    let mut wrong = String::new();
    for (op, wanted) in table {
        let found = repair(&mut desk, op);
        if found != *wanted {
            wrong += &format!("{op}\n  {found}\n  wanted: {wanted}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn items_of_a_phrase_are_repaired_as_meant() {
    check_repairs(&[
        ("phrase P \"E4 C4>/e\"", "phrase P \"E4 C4/e>\""),
        ("phrase P \"C4-E4\"", "phrase P \"C4 E4\""),
        ("phrase P \"C4/q- C4/e E4\"", "phrase P \"C4/q _/e E4\""),
        ("phrase P \"C4/q~ C4\"", "phrase P \"C4/q _\""),
        (
            "phrase P \"C4/q- D4/q\"",
            "! C4/q- has a tie, which is a _ after the note",
        ),
        ("phrase P \"CC4 E4/h\"", "phrase P \"C4 E4/h\""),
        ("phrase P \"C4 [C4 E4 G4]/q\"", "phrase P \"C4 C4+E4+G4/q\""),
        ("phrase P C4,E4,G4/h", "phrase P C4+E4+G4/h"),
        ("phrase P \"C4 rest/q\"", "phrase P \"C4 r/q\""),
        ("phrase P \"C4:q E4\"", "phrase P \"C4/q E4\""),
        ("phrase P \"C4q E4\"", "phrase P \"C4/q E4\""),
        ("phrase P \"C4(q) E4\"", "phrase P \"C4/q E4\""),
        (
            "phrase P \"C4 kick\"",
            "track add Drums instrument:standard-kit",
        ),
        ("phrase P C4/q>>", "phrase P C4/q>"),
        ("phrase P C5/h!>", "phrase P C5/h>!"),
        ("phrase P \"(C4 E4)*10001\"", "phrase P \"(C4 E4)*10000\""),
    ]);
}

#[test]
fn expressions_of_several_words_are_quoted() {
    let quoted = "modify @track:P vel:=\"vel - 10\"";
    check_repairs(&[
        ("modify @track:P vel:=vel - 10", quoted),
        ("modify @track:P vel := vel - 10", quoted),
        ("modify @track:P vel = vel - 10", quoted),
        ("modify @track:P vel:vel-10", "modify @track:P vel:=vel-10"),
        ("modify @track:P \"vel:=vel - 10\"", quoted),
        (
            "modify @track:P vel:=iif(vel > 70, 60, 50), dur:e",
            "modify @track:P vel:=\"iif(vel > 70, 60, 50)\" dur:e",
        ),
        (
            "modify @track:P vel:=case when vel>70 then 60 else 50 end",
            "modify @track:P vel:=\"case when vel>70 then 60 else 50 end\"",
        ),
        (
            "modify @where vel > 70 vel:=vel / 2",
            "modify @where:\"vel > 70\" vel:=\"vel / 2\"",
        ),
        (
            "modify @where:vel > 70 and track = 'P' vel:60",
            "modify @where:\"vel > 70 and track = 'P'\" vel:60",
        ),
    ]);
}

#[test]
fn a_short_type_is_repaired_if_one_is_near() {
    let mut desk = Desk::blank();
    for op in ["track add Keys", "cc Keys volume 90", "cc Keys pan 20"] {
        desk.run(op);
    }
    for (op, wanted) in [
        ("remove cm volume on:Keys", "remove cc volume on:Keys"),
        ("remove xx volume on:Keys", "? map"),
    ] {
        assert_eq!(repair(&mut desk, op), wanted);
    }
}

#[test]
fn a_missing_track_is_the_only_one() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:piano");
    for (op, wanted) in [
        ("phrase \"C4/q D4 E4/h\"", "phrase Keys \"C4/q D4 E4/h\""),
        (
            "progression \"ii7 V7 | I\" key:C-major",
            "progression Keys \"ii7 V7 | I\" key:C-major",
        ),
        (
            "note C5 at:1.3 dur:q vel:mf",
            "note Keys C5 at:1.3 dur:q vel:mf",
        ),
        // A name that is misspelt is not a text.
        ("phrase Kyes \"C4/q\"", "phrase Keys \"C4/q\""),
    ] {
        assert_eq!(repair(&mut desk, op), wanted, "{op}");
    }
    let no_notes = repair(&mut desk, "phrase \"Keys and more\"");
    assert!(no_notes.starts_with("! "), "{no_notes}");
    desk.run("track add Bass");
    let two = repair(&mut desk, "phrase \"C4/q D4 E4/h\"");
    assert!(two.starts_with("! "), "{two}");
}

#[test]
fn a_word_that_is_the_value_of_one_key_gets_that_key() {
    check_repairs(&[
        ("track add Foo violin", "track add Foo instrument:violin"),
        ("track add Solo Violin", "track add \"Solo Violin\""),
        ("arp P C updown", "arp P C pattern:updown"),
        ("note P C4 mf", "note P C4 vel:mf"),
        // Both may be meant.
        ("arp P C e", "! arp takes no e here"),
        ("marker The end", "marker \"The end\""),
        ("track merge P E as:M", "track merge P,E as:M"),
    ]);
}

#[test]
fn words_that_say_which_way_keep_their_meaning() {
    check_repairs(&[
        ("transpose P down 2", "transpose P -2"),
        ("transpose P 8vb", "transpose P -8ve"),
        ("set tempo 140", "tempo 140"),
        ("transpose @track:P 2 down", "transpose @track:P -2"),
        ("velocity P up 10", "velocity P +10"),
        ("velocity @track:P -20%", "velocity @track:P 80%"),
        ("bend P +2", "bend P +2st"),
        ("stretch @track:P 50", "stretch @track:P 50%"),
        ("stretch @track:P 150", "stretch @track:P 150%"),
        ("stretch P 1/2", "stretch P 50%"),
        ("stretch P 2", "! 2 is not a percentage like 200%"),
        (
            "transpose P not 2",
            "! not is not an interval; +2 is two semitones up, -P5 a fifth down; transpose takes no 2 here",
        ),
        ("unmute E", "mute E off"),
        ("unmute Nope", "! Unknown verb \"unmute\""),
    ]);
}

#[test]
fn keys_of_rows_and_of_tracks_are_distinguished() {
    check_repairs(&[
        ("modify track:P vel:60", "modify @track:P vel:60"),
        ("modify track:P tempo:3", "! a track has no tempo:"),
        ("modify track:P bar:3", "! a track has no bar:"),
        ("modify track:P volum:3", "modify track:P volume:3"),
        ("modify P volume:60", "modify track:P volume:60"),
        ("modify @track:P volume:60", "modify track:P volume:60"),
        (
            "ramp P tempo from:60 to:90 at:1 until:2",
            "ramp tempo from:60 to:90 at:1 until:2",
        ),
        ("track add W pan:12 pan:12", "track add W pan:12"),
        (
            "track add W pan:12 pan:13",
            "! pan: is given twice, at bytes 12 and 19",
        ),
        (
            "track add W vol:5 volume:6",
            "! volume: and vol: both set volume; give one",
        ),
        ("arp P C steps:4", "! arp has no steps:"),
    ]);
    let mut desk = Desk::blank();
    desk.run("track add P");
    desk.run("note P C4");
    assert!(
        desk.run("copy track:P to:20")
            .contains("Copied 1 note from 1.1 to 20.1")
    );
    assert!(
        desk.run("move track:P by:+q")
            .contains("Moved 2 notes from 1.1 to 1.2")
    );
    assert!(desk.run("copy track:P as:Q").contains("Track Q"));
}

#[test]
fn repairs_delete_nothing_that_was_not_named() {
    check_repairs(&[
        (
            "track remove P,E",
            "! P,E names several, and one is wanted here",
        ),
        ("track remove X1", "? map"),
        ("track remove Q", "? map"),
        ("track remove \"Piano, lefft\"", "track remove #17"),
        ("remove @track:Q", "? map"),
        ("remove @trck:flute", "? map"),
        ("remove @trck:P", "remove @track:P"),
        ("remove @recent:x", "! @recent:x is not a count"),
        ("remove @channel:0", "! 0 is below 1"),
        ("remove @measure:1", "remove @range:1"),
        ("mute Nope", "? map"),
        ("mute *", "! Track \"*\" not found"),
        ("mute P,E", "! P,E names several, and one is wanted here"),
        ("mute off", "? map"),
        ("transpose track:Nope +2", "? map"),
        ("note Nope C4", "track add Nope"),
    ]);
}

#[test]
fn another_number_or_place_is_not_suggested() {
    check_repairs(&[
        ("bars copy 1-2 from:1 to:3", "! bars copy has no from:"),
        ("bars move 4-5 from:4 to:8", "! bars move has no from:"),
        (
            "bars move 4-5 by:2",
            "! bars move has no by:; bars move needs to:POS",
        ),
        (
            "bars copy 2-3 by:4",
            "! bars copy has no by:; bars copy needs to:POS",
        ),
        (
            "bars insert 2 after:4",
            "! bars insert has no after:; bars insert needs at:POS",
        ),
        (
            "bars move 2 after:4",
            "! bars move has no after:; bars move needs to:POS",
        ),
        (
            "bars copy 1 after:3",
            "! bars copy has no after:; bars copy needs to:POS",
        ),
        ("bars copy 1 at:3", "bars copy 1 to:3"),
        ("bars delete 0", "! 0 has a 0, bars count from 1"),
        ("bars delete 0-2", "! 0 has a 0, bars count from 1"),
        (
            "bars delete 1.2-1.4",
            "! 1.2-1.4 is not a span of whole bars",
        ),
        ("retime tempo:0", "! tempo:0 is below 4 bpm"),
        ("stretch @track:P 0%", "! 0% is not 1% to 1000%"),
        (
            "quantize @track:P grid:0",
            "! grid:0 lasts no time, a length is above 0",
        ),
        (
            "transpose @track:P +200",
            "! +200 is more than 127 semitones",
        ),
        ("time-sig 4/3", "! 4/3 needs a denominator of 1, 2, 4 … 64"),
        ("note P C4 dur:192t", "note P C4 dur:192"),
        ("note P C4 dur:12th", "! dur:12th is not a length"),
        ("note P C4 dur:q.5", "! dur:q.5 is not a length"),
        ("note P Cb-2", "! Cb-2 is below C-1, the lowest pitch (0)"),
        ("note P C44", "! C44 is above G9, the highest pitch (127)"),
    ]);
}

#[test]
fn keys_and_chords_keep_their_tonic() {
    check_repairs(&[
        ("key-sig Db minor", "key-sig C#-minor"),
        ("key-sig C dorian", "key-sig Bb-major"),
        ("key-sig key:Am", "key-sig A-minor"),
        (
            "progression P \"i iv\" key:D-dorian",
            "progression P \"i iv\" key:D-minor",
        ),
        ("chord P C/B oct:-1", "chord P C/B oct:0"),
        ("copy @pitch:H2 to:3", "! H2 is not a pitch or a drum"),
    ]);
    let mut desk = Desk::blank();
    desk.run("track add P");
    assert!(desk.run("chord P C+7").contains("C4 E4 G#4 A#4"));
    assert!(desk.run("chord P Caug7").contains("C4 E4 G#4 A#4"));
    desk.run("note P B4");
    let text = desk.refused("copy @pitch:H4 to:3");
    assert!(text.contains("try: copy @pitch:B4 to:3"), "{text}");
}

#[test]
fn texts_and_verbs_are_repaired_as_meant() {
    check_repairs(&[
        ("lyric P a:b", "lyric P \"a:b\""),
        ("marker A:E", "marker \"A:E\""),
        ("grid D \"kick x...\"", "grid D kick x..."),
        ("add pedal P 1-2", "pedal P 1-2"),
        ("raw P \"90 3C 40\" at:2", "note P C4 vel:64 at:2"),
    ]);
    let mut desk = Desk::blank();
    desk.run("track add P");
    for (op, syntax) in [
        ("bars", "bars copy|delete|insert|move …"),
        ("bars repeat 1-2", "bars copy|delete|insert|move …"),
        (
            "fix foo",
            "fix damage|duplicates|offs|overlaps|stuck|zero …",
        ),
        ("raw P \"90 3C\"", "raw TRACK [TEXT…] [at:POS]"),
    ] {
        let text = desk.refused(op);
        assert!(text.contains(&format!("  syntax: {syntax}\n")), "{text}");
    }
}

#[test]
fn invalid_actions_and_queries_list_their_parameters() {
    let mut desk = Desk::blank();
    desk.run("track add \"Bass gtr\"");
    desk.run("track add Lead");
    desk.run("track add \"Piano, left\"");
    for track in ["\"Bass gtr\"", "Lead", "\"Piano, left\""] {
        desk.run(&format!("note {track} C4 at:1"));
    }
    desk.act("save as:song.mid");
    let save = "syntax: save [PATH] [as:PATH] [format:F] [smf:0|1] [audible:on] [force]";
    for (action, wanted) in [
        ("save smf:2", save),
        ("save audible:maybe", save),
        ("save as:../x.mid", save),
        ("resume", "syntax: resume"),
        ("open nope.mid", "syntax: open PATH"),
        ("open song.midi", "try: open song.mid"),
    ] {
        let answer = desk.session.act(action);
        assert!(
            answer.is_error && answer.text.contains(wanted),
            "{action}\n{}",
            answer.text
        );
    }
    for (query, wanted) in [
        ("list @track:", "syntax: list [SEL]"),
        ("at 1:02.5", "try: at \"1:02.5\""),
        ("list @measure:1", "try: list @range:1"),
    ] {
        let answer = desk.session.query(query);
        assert!(
            answer.is_error && answer.text.contains(wanted),
            "{query}\n{}",
            answer.text
        );
    }
    desk.run("marker \"Verse one\" at:1");
    desk.run("marker Chorus at:3");
    desk.run("note Lead D4 at:3");
    for (selectors, count) in [
        ("@track:\"Lead|Bass gtr\"", 3),
        ("@track:\"Piano, left|Lead\"", 3),
        ("@track:\"Piano, left\"", 1),
        ("@section:\"Verse one|Chorus\"", 4),
        ("@section:\"Verse one\"", 3),
    ] {
        let text = desk.ask(&format!("list {selectors}"));
        assert_eq!(text.lines().count(), count, "{selectors}\n{text}");
    }
}

#[test]
fn words_that_say_which_rows_go_are_not_left_out() {
    let mut desk = Desk::blank();
    for op in [
        "track add P instrument:piano",
        "cc P volume 90",
        "note P C4 at:1",
        "lyric P \"a b\"",
        "text P \"x y\"",
        "marker Chorus",
        "marker Verse at:3",
    ] {
        desk.run(op);
    }
    for (op, wanted) in [
        (
            "remove cc expression on:P",
            "! there is no such cc to remove",
        ),
        (
            "remove marker Bridge",
            "! there is no such marker to remove",
        ),
        ("remove lyric lo", "! there is no such lyric to remove"),
        ("remove lyric a", "! there is no such lyric to remove"),
        ("remove lyric P", "! there is no such lyric to remove"),
        ("remove lyric please", "! there is no such lyric to remove"),
        ("remove text bye", "! there is no such text to remove"),
        ("remove note q", "! there is no such note to remove"),
        ("remove cc cc", "! cc is not a controller"),
        ("remove @track:P lyric", "! lyric is an extra word"),
        (
            "transpose lyric @track:P +2",
            "! lyric is not an interval; +2 is two semitones up, -P5 a fifth down; +2 and selectors both name rows; use one of them",
        ),
        ("track remove", "! track remove needs SEL"),
        ("remove please lyric \"a b\"", "remove lyric \"a b\""),
        ("remove the @pitch:C4", "remove @pitch:C4"),
        ("remove markerChorus", "remove marker:Chorus"),
        ("remove marker-verse", "remove marker:verse"),
        ("remove markerBridge", "? map"),
        ("remove lyrc \"a b\"", "remove lyric \"a b\""),
    ] {
        assert_eq!(repair(&mut desk, op), wanted, "{op}");
    }
    assert!(desk.run("remove lyric \"A b\"").contains("Lyric \"a b\""));
    assert!(desk.run("remove text \"x y\"").contains("Text \"x y\""));
}

/// The repair of an op that is rejected, or the message (`! …`) if there is none.
fn repair(desk: &mut Desk, op: &str) -> String {
    let text = desk.refused(op);
    let repair = text.lines().find_map(|line| line.strip_prefix("  try: "));
    let message = || text.lines().next().unwrap_or_default();
    repair.unwrap_or_else(message).to_owned()
}

#[test]
fn selectors_are_not_widened() {
    check_repairs(&[
        (
            "velocity @pitch:C44 90",
            "! C44 is above G9, the highest pitch (127)",
        ),
        (
            "velocity @pitch:C10 90",
            "! C10 is above G9, the highest pitch (127)",
        ),
        ("velocity @pitch:C4-4 90", "! C4-4 is reversed"),
        ("remove@pitch:C4 @range:1", "remove @pitch:C4 @range:1"),
        ("modify@track:P vel:90", "modify @track:P vel:90"),
        (
            "velocity @track:P@range:1 90",
            "velocity @track:P @range:1 90",
        ),
        (
            "velocity @track:P@not:pitch:E4@range:1 90",
            "velocity @track:P @not:pitch:E4 @range:1 90",
        ),
        (
            "velocity @track:P@stuck 90",
            "! Track \"P@stuck\" not found",
        ),
        (
            "velocity @track:P@range:9 90",
            "! Track \"P@range:9\" not found",
        ),
        ("remove@recent", "remove @recent"),
        ("velocity @range:1--2 90", "velocity @range:1-2 90"),
        ("velocity @range:1...2 90", "velocity @range:1..2 90"),
        ("pedal P 3--4", "pedal P 3-4"),
        ("bars move 1--2 to:5", "bars move 1-2 to:5"),
    ]);
}

#[test]
fn numbers_keep_what_they_count() {
    check_repairs(&[
        ("move @track:P by:-e", "! by:-e goes before the start"),
        ("transpose @all -2oct", "transpose @all -24"),
        ("transpose @all -1 octave", "transpose @all -12"),
        ("transpose @all 3 semitones", "transpose @all +3"),
        ("move @all by:+1 bar", "move @all by:+1bar"),
        (
            "transpose @all 2 bars",
            "! bars and selectors both name rows; use one of them",
        ),
        (
            "transpose @all 2 3",
            "! 3 and selectors both name rows; use one of them",
        ),
        ("program P x piano", "! program takes no piano here"),
        ("program P please piano", "program P piano"),
        ("lyric P oh at:2 here", "! lyric takes no here here"),
        ("lyric P oh at:2 bars", "! lyric takes no bars here"),
        ("note P C4 at:1.2%", "note P C4 at:1.2"),
        (
            "progression P \"Am7 | C\" at:2 rhythm:q. e h lead:on",
            "progression P \"Am7 | C\" at:2 rhythm:\"q. e h\" lead:on",
        ),
        ("bars insert 2 bars at:3", "bars insert 2 at:3"),
        ("repeat @all times:2 times", "repeat @all times:2"),
        ("transpose @all 2 please", "transpose @all 2"),
        (
            "note P D4 at:2 vel:0.5",
            "! vel:0.5 is not a velocity, 1-127 or ppp to fff",
        ),
        ("cc P volume 0.5", "! 0.5 is not a value, 0-127, on or off"),
        ("tempo +10", "! +10 is a step, and a tempo is 4 to 999.999"),
        ("tempo -10", "! -10 is a step, and a tempo is 4 to 999.999"),
        ("tempo 96 bpm", "tempo 96"),
        ("note P C4 at:1.1+0", "note P C4 at:1.1"),
        ("note P C4 at:1.1+e+0", "note P C4 at:1.1+e"),
        ("note P C4 at:+0", "! 0 lasts no time, a length is above 0"),
        ("move @all by:+0", "! 0 lasts no time, a length is above 0"),
        ("note P D4 at:2 dur:h+0", "note P D4 at:2 dur:h"),
        ("note P D4 at:2 dur:0+e", "note P D4 at:2 dur:e"),
        ("note P D4 at:2 dur:8", "note P D4 at:2 dur:e"),
        ("note P D4 at:2 dur:h+8", "note P D4 at:2 dur:h+e"),
        (
            "note P D4 at:2 dur:7",
            "! dur:7 is 7 ticks, less than a 64th note; write ticks:7 if so",
        ),
        (
            "note P D4 at:2 dur:1",
            "! dur:1 is 1 ticks, less than a 64th note; write ticks:1 if so",
        ),
        ("note P D4 at:1.1+8", "note P D4 at:1.1+e"),
        ("quantize @all grid:16", "quantize @all grid:s"),
        ("grid D kick x... step:16", "grid D kick x... step:s"),
        (
            "phrase P \"C4 D\" dur:8 at:2",
            "phrase P \"C4 D\" dur:e at:2",
        ),
        ("quantize @all strength:0.5", "quantize @all strength:50"),
        ("quantize @all swing:0.66", "quantize @all swing:66"),
        ("quantize @all strength:50%", "quantize @all strength:50"),
        ("arp P C gate:.8 at:2", "arp P C gate:80 at:2"),
        ("repeat @all times:0.5", "! times:0.5 is not a whole number"),
        ("decrescendo @all from:100 to:550", "! to:550 is above 127"),
        (
            "decrescendo @all from:p to:ff",
            "crescendo @all from:p to:ff",
        ),
    ]);
    let mut desk = Desk::blank();
    desk.run("track add P");
    desk.run("note P C4,E4 at:1.3");
    let text = repair(&mut desk, "move @range:1 by:-3b");
    assert_eq!(text, "move @range:1 by:-h");
    let text = desk.run("move @range:1 by:-e");
    assert!(text.contains("Moved 2 notes from 1.3 to 1.2.240"), "{text}");
}

#[test]
fn pitches_and_chords_are_repaired_as_meant() {
    check_repairs(&[
        ("note P Cl5", "note P C5"),
        ("note P F#k5", "note P F#5"),
        ("note P 4C", "note P C4"),
        ("note P 5Bb", "note P Bb5"),
        ("note P x2", "! x2 is not a pitch or a drum"),
        ("note D snar", "note D snare"),
        ("progression P \"C at9\" at:2", "! at9 is not a chord"),
        ("progression P C,F,G at:2", "! C has no octave"),
        (
            "progression P \"|C|F|G|\" at:2",
            "progression P \"| C | F | G |\" at:2",
        ),
        ("chord P \"Am F\" at:2", "! \"Am F\" is not a chord"),
        ("chord P \"C m\" at:2", "chord P Cm at:2"),
        (
            "progression P \"Am7| F\" at:2",
            "progression P \"Am7 | F\" at:2",
        ),
        (
            "progression P \"Am7|F|\" at:2",
            "progression P \"Am7 | F |\" at:2",
        ),
        (
            "progression P \"Am77 F\" at:2",
            "progression P \"Am7 F\" at:2",
        ),
        (
            "progression P \"AM77 F\" at:2",
            "progression P \"AM7 F\" at:2",
        ),
        (
            "progression P \"Am7 F\" lead:o at:2",
            "! lead:o is not one of the words here (on, off)",
        ),
        (
            "progression P \"Am7 F\" lead:onn at:2",
            "progression P \"Am7 F\" lead:on at:2",
        ),
        ("grid D kick,snare x...", "grid D kick x... snare x..."),
        ("grid D kick/snare x...", "grid D kick x... snare x..."),
        (
            "grid D kick|snar x...",
            "! kick|snar names several pitches, and each has a row",
        ),
        (
            "grid D hat x kick+snare x...",
            "grid D hat x kick x... snare x...",
        ),
        (
            "grid D kick x... xX",
            "! each name has a row of steps: kick x...x... snare ..x...x.",
        ),
        (
            "grid D kick x... snare x.x. xX",
            "! each name has a row of steps: kick x...x... snare ..x...x.",
        ),
    ]);
}

#[test]
fn lines_keep_their_items_and_lengths() {
    check_repairs(&[
        (
            "phrase P \"C4/q D/7\" at:9",
            "! D/7 is 7 ticks, less than a 64th note; write ticks:7 if so",
        ),
        ("phrase P \"C4/q D/0.5\" at:9", "! D/0.5 is not a length"),
        ("phrase P \"G4/2\" at:9", "phrase P G4/h at:9"),
        ("phrase P \"C4/4 D4/8\" at:9", "phrase P \"C4/q D4/e\" at:9"),
        (
            "phrase P \"C4/8 D/16 E F/8 G/16 A B/8\" at:9",
            "phrase P \"C4/e D/s E F/e G/s A B/e\" at:9",
        ),
        (
            "phrase P \"C4/e DE\" at:9",
            "! DE is not a phrase item: C4/q, C4+E4, r, _, |, v90, kick",
        ),
        (
            "phrase P \"C4/q x2\" at:9",
            "! x2 is not a phrase item: C4/q, C4+E4, r, _, |, v90, kick",
        ),
        (
            "phrase P \"C4/q|D E F\" at:9.4",
            "phrase P \"C4/q | D E F\" at:9.4",
        ),
        ("phrase P \"C4/w|D|\" at:9", "phrase P \"C4/w | D |\" at:9"),
        (
            "phrase P \"C4/h D/h. | E/q F G A |\" at:9",
            "phrase P \"C4/h D/h | E/q F G A |\" at:9",
        ),
        (
            "phrase P \"C4/q D | E F G A |\" at:9",
            "phrase P \"C4/q D/h. | E/q F G A |\" at:9",
        ),
        (
            "phrase P \"C4/q D | vf _ F G A |\" at:9",
            "phrase P \"C4/q D/h. | vf _/q F G A |\" at:9",
        ),
        (
            "phrase P C4/q D \"|\" E F G A \"|\" at:9",
            "phrase P C4/q D/h. \"|\" E/q F G A \"|\" at:9",
        ),
        (
            "phrase P \"C4/q D/h. E/q F G A |\" at:9",
            "phrase P \"C4/q D/h. | E/q F G A |\" at:9",
        ),
        (
            "phrase P \"C4/w D E vf F |\" at:9",
            "phrase P \"C4/w | D | E | vf F |\" at:9",
        ),
        (
            "phrase P \"(C4/q D E F/h | )*2\" at:9",
            "phrase P \"(C4/q D E F/q | )*2\" at:9",
        ),
        // In the second round the length of C would differ.
        (
            "phrase P \"(C4 D E/h F/e | )*2\" at:9",
            "! phrase: bar 9 holds 4.5 beats before \"|\", meter is 4/4 (C4/q D/q E/h F/e)",
        ),
    ]);
}

#[test]
fn repairs_of_deletions_keep_every_word() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys instrument:piano",
        "track add Low instrument:bass",
        "track add D instrument:standard-kit",
        "note Keys C4,E4 at:1",
        "note Keys C4 at:5",
        "note Low C2 at:1",
        "note D kick at:1",
        "cc Keys volume 90",
        "cc Low volume 90",
        "cc D pan 40",
    ] {
        desk.run(op);
    }
    let id = |desk: &mut Desk, pitch: &str| {
        let text = desk.ask(&format!("list @pitch:{pitch}"));
        let id = text.split('#').nth(1).unwrap();
        id.split_whitespace().next().unwrap().to_owned()
    };
    let (one, two) = (id(&mut desk, "E4"), id(&mut desk, "C2"));
    for (op, wanted) in [
        ("remove Low volume", "! volume is an extra word"),
        ("remove D cc", "! cc is an extra word"),
        ("remove notes 2", "! there is no such note to remove"),
        ("remove @track:Low 2", "! 2 is an extra word"),
        ("remove C4", "remove @pitch:C4"),
        ("remove kick", "remove @pitch:kick"),
        ("remove 60", "? map"),
        ("remove @range:1 Low", "remove @range:1 @track:Low"),
        (
            "remove @range:7 Low",
            "! @range:7 matches nothing; there are 5 notes",
        ),
        ("remove @track:Keys,Low", "remove @track:Keys|Low"),
        (
            "remove @track:Keys,Nope",
            "! Keys,Nope names several, and one is wanted here",
        ),
        (
            "track remove Keys,Low",
            "! Keys,Low names several, and one is wanted here",
        ),
        ("bars delete 2 3", "bars delete 2-3"),
        ("bars delete 2 4", "! bars delete takes no 4 here"),
        ("bars delete 2,3", "bars delete 2-3"),
        ("bars delete 2,4", "! 2,4 is a list, not a span like 5-8"),
    ] {
        assert_eq!(repair(&mut desk, op), wanted, "{op}");
    }
    for (ids, wanted) in [
        (format!("#{one},{two}"), format!("@id:{one},{two}")),
        (format!("#{one}-{two}"), format!("@id:{one}-{two}")),
    ] {
        let repaired = repair(&mut desk, &format!("remove {ids}"));
        assert_eq!(repaired, format!("remove {wanted}"));
    }
}

#[test]
fn steps_stay_steps() {
    check_repairs(&[
        ("cc P volume +10", "! +10 is not a value, 0-127, on or off"),
        ("cc P volume -5", "! -5 is below 0"),
        ("note P D4 at:9 vel:-5", "! vel:-5 is below 1"),
        (
            "ramp P volume from:+10 to:90 at:1 until:2",
            "! from:+10 is not a level: 0-127, on, off, or a bend, +2st, center",
        ),
        (
            "length P -e",
            "! -e has a sign, a length has none; modify makes notes longer: dur:+e",
        ),
        (
            "length P +e",
            "! +e has a sign, a length has none; modify makes notes longer: dur:+e",
        ),
        ("velocity P 1.2", "velocity P 120%"),
        ("velocity P 0.5", "velocity P 50%"),
        ("velocity P 64.5", "velocity P 65"),
        ("cc P volume 1.5", "! 1.5 is not a value, 0-127, on or off"),
        (
            "copy @track:P by:+1bar",
            "! copy has no by:; copy needs to:POS",
        ),
        (
            "velocity P 5.5",
            "! 5.5 is not a velocity, 1-127 or ppp to fff",
        ),
        (
            "note P D4 at:9 vel:1.5",
            "! vel:1.5 is not a velocity, 1-127 or ppp to fff",
        ),
        ("move P +1bar", "move P by:+1bar"),
        ("move @track:P +e", "move @track:P by:+e"),
        (
            "copy @track:P +e",
            "! +e and selectors both name rows; use one of them; copy needs to:POS",
        ),
        ("move P 2", "move P to:2"),
        ("modify @track:P pitch:+8ve", "modify @track:P pitch:+12"),
        ("modify @track:P pitch:-2oct", "modify @track:P pitch:-24"),
        (
            "copy @track:P to:5 transpose:-P5",
            "copy @track:P to:5 transpose:-7",
        ),
    ]);
}

#[test]
fn lists_and_spans_keep_their_parts() {
    check_repairs(&[
        (
            "cc P,E volume 50",
            "! P,E names several, and one is wanted here",
        ),
        (
            "cc P|X2 volume 50",
            "! P|X2 names several, and one is wanted here",
        ),
        ("mute P,X2", "! P,X2 names several, and one is wanted here"),
        ("transpose P|E +2", "transpose P,E +2"),
        ("transpose @track:P,E +2", "transpose @track:P|E +2"),
        ("transpose @range:1,3 +2", "transpose @range:1|3 +2"),
        ("velocity @pitch:C4,H4 90", "velocity @pitch:C4,B4 90"),
        ("velocity P mf..f", "velocity P mf-f"),
        ("velocity P 40 100", "velocity P 40-100"),
        ("pedal P 1 4", "pedal P 1-4"),
        ("pedal P 4 1", "! pedal takes no 1 here"),
        ("tempo 120 140", "! tempo takes no 140 here"),
        ("tempo 140 120", "! tempo takes no 120 here"),
        ("tempo 120 5", "tempo 120 at:5"),
        (
            "copy @range:1 to:5-8",
            "! to:5-8 is 8 ticks, less than a 64th note; write ticks:8 if so",
        ),
        (
            "note P D4 at:5-8",
            "! at:5-8 is 8 ticks, less than a 64th note; write ticks:8 if so",
        ),
        (
            "modify @range:1 P vel:90",
            "modify @range:1 @track:P vel:90",
        ),
        (
            "modify @track:P E vel:90",
            "! E and selectors both name rows; use one of them",
        ),
        ("progression P Am7-D7", "progression P \"Am7 D7\""),
        ("progression P C,F", "! C has no octave"),
        ("progression P C-F", "progression P \"C F\""),
        ("progression P Am7/D7", "progression P \"Am7 D7\""),
        ("progression P C-F-", "! C-F- is not a chord"),
        ("progression P \"G/B C/F#x\"", "! C/F#x is not a chord"),
        ("repeat P 2 times:3", "! repeat takes no 2 here"),
        (
            "grid D kick \"x..x snare x...\"",
            "! \"x..x snare x...\" holds  ; a step is x X g o 1-9 . or -",
        ),
        ("chord P C-F", "! C-F is not a chord"),
        ("chord P Am7/D7", "! Am7/D7 is not a chord"),
        ("phrase P \"C4/q~ C4/q\" at:9", "phrase P \"C4/q _/q\" at:9"),
        ("phrase P \"C4/q+E4\" at:9", "phrase P C4+E4/q at:9"),
        ("grid D kick \"x . x .\"", "grid D kick x.x."),
        ("grid D kick 1010", "grid D kick x.x."),
    ]);
}

#[test]
fn names_are_taken_for_their_meaning() {
    check_repairs(&[
        ("track rename E as:Low", "track rename E Low"),
        ("track rename E to Low", "track rename E Low"),
        ("track rename E to Low Down", "track rename E \"Low Down\""),
        ("track rename E => Low", "track rename E Low"),
        ("marker to Coda", "marker \"to Coda\""),
        (
            "phrase P \"C4/q tie D4\"",
            "! tie is not a phrase item: C4/q, C4+E4, r, _, |, v90, kick",
        ),
        ("cc * volume 50", "! Track \"*\" not found"),
        (
            "raw song \"90 3C 40\"",
            "! \"90 3C 40\" is half of a note (status 90); note adds whole ones",
        ),
        ("note 9 C4", "! Track \"9\" not found"),
        ("note Flute C4", "track add Flute instrument:flute"),
        (
            "modify track:P program:violin",
            "modify track:P instrument:violin",
        ),
        ("note P D4 at:9 dur:mf", "note P D4 at:9 vel:mf"),
        ("note P E-4", "note P Eb4"),
        ("note P C-2", "note P C-1"),
        ("track add Y instrument:kti", "track add Y instrument:kit"),
    ]);
}
