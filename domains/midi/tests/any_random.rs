//! Any text sent to a song, and sessions that any bytes spell: nothing stops, what is refused leaves no trace, and
//! what is done is undone. `FCP_FUZZ_BYTES` says how much of it. The coverage-guided run is in `fuzz/`.

use fcp::testing::fuzz::{Calls, Sessions, mutants};
use fcp_midi::Song;

/// What ops, queries and actions are made of.
const PIECES: &[&str] = &[
    "\n? ",
    "\n! ",
    "\n[\n",
    "\n]\n",
    "batch isolate\n",
    "amend 1 ",
    "undo",
    "undo batch",
    "redo 2",
    "checkpoint c1",
    "undo to:c1",
    "plan ",
    "save as:",
    "open ",
    "export as:",
    "../",
    "/tmp/",
    "out/",
    "up/",
    "sub/",
    "kept.mid",
    " force",
    "set batch:stop",
    "close discard",
    "resume",
    "new",
    "note ",
    "chord ",
    "track add ",
    "track remove ",
    "track rename ",
    "tempo ",
    "time-sig ",
    "key-sig ",
    "marker ",
    "modify ",
    "copy ",
    "remove ",
    "transpose ",
    "add ",
    "rename ",
    "list ",
    "events ",
    "map",
    "tracks",
    "piano-roll ",
    "history ",
    "diff checkpoint:c1",
    "warnings",
    "Piano",
    "Drums",
    "Bass",
    "track:Piano",
    "#1",
    "#9",
    "note~1",
    "C4",
    "C4,E4",
    "kick",
    "H4",
    "60",
    "128",
    "@all",
    "@recent",
    "@recent:2ops",
    "@track:Piano",
    "@range:1-2",
    "@pitch:C4",
    "@velocity:>80",
    "@not:",
    "at:1.1",
    "at:end",
    "at:tick:481",
    "at:99999999.1",
    "at:-1",
    "dur:q",
    "dur:0",
    "dur:999999bar",
    "vel:80",
    "vel:+10",
    "vel:0",
    "pitch:+12",
    "on:Piano",
    "ch:10",
    "to:2",
    "times:3",
    "times:10001",
    "bpm:120",
    "text:x",
    "instrument:piano",
    " 1",
    " -1",
    " 0",
    " 99999999999",
    " NaN",
    "\"a b\"",
    "\"",
    "'",
    ";",
    ":",
    "k:",
    ":v",
    "\\",
    "\u{0}",
    "é",
    "\u{1f4a5}",
];

/// One call costs what thousands of bytes cost a parser.
const COST: usize = 1000;

#[test]
fn no_text_makes_a_session_panic_or_leave_half_a_change() {
    let calls = Calls::<Song>::new(include_str!("../../../fuzz/invariants/midi.fcp"));
    let seeds = mutants::seeds("midi_calls");
    seeds.iter().for_each(|seed| calls.holds(seed));
    mutants::run(
        COST,
        |random| mutants::mutated(random, &seeds, PIECES),
        |bytes, _| calls.holds(bytes),
    );
}

#[test]
fn sessions_of_any_choices_hold_together() {
    let sessions = Sessions::<Song>::new();
    let seeds = mutants::seeds("midi_sessions");
    seeds.iter().for_each(|seed| sessions.holds(seed));
    mutants::run(
        COST,
        |random| mutants::mutated::<str>(random, &seeds, &[]),
        |bytes, _| sessions.holds(bytes),
    );
}
