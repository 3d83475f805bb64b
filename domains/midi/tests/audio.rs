//! Songs as sound: measurements of the wave match the song. The program itself plays every note, on
//! a SoundFont of sines.
#![cfg(feature = "audio")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

#[path = "audio/ear.rs"]
mod ear;
#[path = "audio/font.rs"]
mod font;

use std::fs;

use ear::{Heard, same};
use fcp::testing::Server;
use serde_json::json;
use tempfile::{TempDir, tempdir};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-midi");

/// A program with a new song and the SoundFont loaded. The channels have no reverb, which would
/// blur every end.
struct Desk {
    root: TempDir,
    server: Server,
}

impl Desk {
    fn new(tracks: &[&str]) -> Self {
        let root = tempdir().unwrap();
        fs::write(root.path().join("sines.sf2"), font::font()).unwrap();
        let mut server = Server::new(PROGRAM, root.path());
        server.act("new \"Sound\"");
        let reply = server.act("load-soundfont sines.sf2");
        assert!(
            reply.starts_with(
                "* SoundFont sines.sf2: 2 instruments, 1 kit\n  0 Sine, 40 Bright, 0 Beeps (kit)"
            ),
            "{reply}"
        );
        for track in tracks {
            server.run(&[&format!("track add {track}")]);
            let name = track.split(' ').next().unwrap();
            server.run(&[&format!("cc {name} 91 0")]);
        }
        Self { root, server }
    }

    /// The song as played by the program.
    fn hear(&mut self, more: &str) -> Heard {
        let action = format!("export wav as:out.wav rate:22050 force {more}");
        let reply = self.server.act(&action);
        assert!(reply.starts_with("* Exported out.wav ("), "{reply}");
        Heard::read(&fs::read(self.root.path().join("out.wav")).unwrap())
    }
}

#[test]
fn notes_and_chords_sound_when_and_as_long_as_they_are_written() {
    let mut desk = Desk::new(&["Keys instrument:piano"]);
    desk.server.run(&[
        "note Keys A4 at:1.1 dur:q vel:100",
        "note Keys C#5 at:1.2+e dur:e vel:100",
        "note Keys A4,C5,E5 at:1.4 dur:h vel:100",
        "note Keys A6 at:2.3 dur:s vel:100",
    ]);
    let heard = desk.hear("");
    assert_eq!((heard.rate, heard.channels), (22_050, 2));
    // At 120 bpm a quarter lasts half a second.
    let written = [
        (69, 0.0, 0.5),
        (73, 0.75, 0.25),
        (69, 1.5, 1.0),
        (72, 1.5, 1.0),
        (76, 1.5, 1.0),
        (93, 3.0, 0.125),
    ];
    same(&heard.sounds(), &written);
    assert!(heard.seconds() < 3.4, "{}", heard.seconds());
}

#[test]
fn tempo_and_meter_set_the_times() {
    let mut desk = Desk::new(&["Keys instrument:piano"]);
    desk.server.run(&[
        "time-sig 3/4",
        "tempo 90 at:2",
        "tempo 180 at:2.3",
        "phrase Keys \"A4/q r B4 | C5/q D5 E5 | F5/h.\" vel:100",
    ]);
    let (quick, slow, fast) = (60.0 / 120.0, 60.0 / 90.0, 60.0 / 180.0);
    let bar = 3.0 * quick;
    let written = [
        (69, 0.0, quick),
        (71, 2.0 * quick, quick),
        (72, bar, slow),
        (74, bar + slow, slow),
        (76, bar + 2.0 * slow, fast),
        (77, bar + 2.0 * slow + fast, 3.0 * fast),
    ];
    same(&desk.hear("").sounds(), &written);
}

#[test]
fn programs_are_heard_by_their_partials() {
    let mut desk = Desk::new(&["Keys instrument:piano", "Fiddle instrument:violin"]);
    desk.server.run(&[
        "note Keys A4 at:1 dur:w vel:100",
        "note Fiddle A4 at:2 dur:w vel:100",
        "program Fiddle piano at:3",
        "note Fiddle A4 at:3 dur:w vel:100",
    ]);
    let heard = desk.hear("");
    // The level of the octave relative to the fundamental: Sine has none, in Bright both are equal.
    let octave = |around: f64| heard.level(880.0, around) / heard.level(440.0, around);
    assert!(octave(1.0) < 0.02, "{}", octave(1.0));
    assert!((octave(3.0) - 1.0).abs() < 0.05, "{}", octave(3.0));
    assert!(octave(5.0) < 0.02, "{}", octave(5.0));
}

#[test]
fn drums_are_played_by_the_kit() {
    let mut desk = Desk::new(&["Drums instrument:standard-kit"]);
    desk.server.run(&[
        "note Drums kick at:1.1 dur:e vel:100",
        "note Drums hat at:1.2 dur:e vel:100",
    ]);
    same(&desk.hear("").sounds(), &[(81, 0.0, 0.25), (93, 0.5, 0.25)]);
}

#[test]
fn bends_and_volume_are_heard() {
    let mut desk = Desk::new(&["Lead instrument:piano"]);
    desk.server.run(&[
        "note Lead A4 at:1.1 dur:w vel:100",
        "bend Lead +2st at:1.2",
        "bend Lead center at:1.4",
        "cc Lead volume 100",
        "cc Lead volume 50 at:3",
        "note Lead A4 at:3 dur:w vel:100",
    ]);
    let heard = desk.hear("");
    let first: Vec<_> = heard
        .sounds()
        .into_iter()
        .filter(|sound| sound.1 < 3.9)
        .collect();
    same(&first, &[(69, 0.0, 0.5), (71, 0.5, 1.0), (69, 1.5, 0.5)]);
    // Volume is squared (General MIDI Level 2, 3.3.2).
    let ratio = heard.level(440.0, 5.0) / heard.level(440.0, 0.25);
    assert!((ratio - 0.25).abs() < 0.01, "{ratio}");
}

#[test]
fn a_range_begins_with_the_settings_in_effect_there() {
    let mut desk = Desk::new(&["Fiddle instrument:violin"]);
    desk.server.run(&[
        "tempo 60",
        "cc Fiddle volume 50 at:1.2",
        "note Fiddle A4 at:1.4 dur:h vel:100",
        "note Fiddle A5 at:2.2 dur:h vel:100",
        "note Fiddle A4 at:2.4 dur:w vel:100",
        "note Fiddle A4 at:3.2 dur:q vel:100",
    ]);
    let (whole, part) = (desk.hear(""), desk.hear("range:2"));
    assert!(
        part.seconds() > 4.0 && part.seconds() < 4.5,
        "{}",
        part.seconds()
    );
    // The note that began earlier is left out; the one that continues after the part ends with it.
    let level = |heard: &Heard, frequency, around| heard.level(frequency, around);
    assert!(level(&part, 440.0, 0.5) < 0.001);
    for (frequency, around) in [(880.0, 2.0), (1760.0, 2.0), (440.0, 3.5), (880.0, 3.5)] {
        let (here, there) = (
            level(&part, frequency, around),
            level(&whole, frequency, around + 4.0),
        );
        assert!(
            there > 0.01 && (here / there - 1.0).abs() < 0.02,
            "{here} {there}"
        );
    }
}

#[test]
fn a_muted_track_is_silent_and_a_solo_silences_the_others() {
    let mut desk = Desk::new(&["Keys instrument:piano", "Lead instrument:piano"]);
    desk.server.run(&[
        "note Keys A4 at:1.1 dur:q vel:100",
        "note Lead A5 at:1.3 dur:q vel:100",
    ]);
    let (keys, lead) = ((69, 0.0, 0.5), (81, 1.0, 0.5));
    let digest = |desk: &mut Desk| {
        desk.server
            .query("status")
            .lines()
            .last()
            .unwrap()
            .to_owned()
    };
    let before = digest(&mut desk);
    same(&desk.hear("").sounds(), &[keys, lead]);
    desk.server.run(&["mute Keys"]);
    same(&desk.hear("").sounds(), &[lead]);
    desk.server.run(&["mute Lead"]);
    let silence = desk.hear("");
    assert!(silence.samples.iter().all(|sample| sample.abs() < 1e-4));
    assert!(silence.seconds() > 1.4, "{}", silence.seconds());
    desk.server.act("undo 2");
    same(&desk.hear("").sounds(), &[keys, lead]);
    desk.server.run(&["solo Keys"]);
    same(&desk.hear("").sounds(), &[keys]);
    desk.server.run(&["solo Keys off"]);
    same(&desk.hear("").sounds(), &[keys, lead]);
    assert_eq!(digest(&mut desk), before);
}

#[test]
fn the_same_song_is_the_same_wave() {
    let mut desk = Desk::new(&["Keys instrument:piano"]);
    desk.server
        .run(&["chord Keys Am7 at:1 dur:h", "cc Keys 91 100"]);
    let first = desk.hear("").samples;
    assert!(first == desk.hear("").samples);
}

#[test]
fn a_preview_is_a_block_of_sound() {
    let mut desk = Desk::new(&["Keys instrument:piano"]);
    desk.server.run(&[
        "note Keys A4 at:1 dur:h vel:100",
        "note Keys B4 at:31 dur:h vel:100",
    ]);
    let heard = |desk: &mut Desk, query: &str| {
        let arguments = json!({ "name": "midi_query", "arguments": { "q": query } });
        let reply = desk.server.ask("tools/call", arguments);
        let content = reply["result"]["content"].as_array().unwrap().clone();
        assert_eq!(content[1]["type"], "audio");
        assert_eq!(content[1]["mimeType"], "audio/wav");
        let text = content[0]["text"].as_str().unwrap().to_owned();
        (
            text,
            Heard::read(&decoded(content[1]["data"].as_str().unwrap())),
        )
    };
    let (text, wave) = heard(&mut desk, "preview 1");
    assert!(
        text.starts_with("preview from 1.1 2.0 s audio/wav"),
        "{text}"
    );
    assert_eq!(wave.channels, 1);
    same(&wave.sounds(), &[(69, 0.0, 1.0)]);
    let (text, wave) = heard(&mut desk, "preview");
    assert!(
        text.starts_with("preview from 1.1 30.0 s audio/wav (the first of 61.0 s)"),
        "{text}"
    );
    assert!(wave.seconds() < 30.5, "{}", wave.seconds());
}

/// The bytes of a base64 text.
fn decoded(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, c| bits << 6 | u32::from(value(*c)));
        let bits = bits << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

#[test]
fn a_soundfont_that_is_broken_is_an_error_and_nothing_is_written() {
    let mut desk = Desk::new(&["Keys instrument:piano"]);
    desk.server.run(&["note Keys A4 at:1"]);
    let whole = font::font();
    let path = desk.root.path().join("broken.sf2");
    let mut played = 0;
    // Truncated, and with flipped bytes in the tables of zones, generators and samples.
    for at in (whole.len() - 700..whole.len()).step_by(23) {
        for cut in [true, false] {
            let mut bytes = whole.clone();
            if cut {
                bytes.truncate(at);
            } else {
                bytes[at] ^= 0xff;
            }
            fs::write(&path, bytes).unwrap();
            let load = json!({ "action": "load-soundfont broken.sf2" });
            let (_, refused) = desk.server.call("midi_session", load);
            if refused {
                continue;
            }
            let export = json!({ "action": "export wav as:broken.wav" });
            let (text, error) = desk.server.call("midi_session", export);
            let wave = desk.root.path().join("broken.wav");
            assert_eq!(wave.exists(), !error, "{text}");
            if error {
                assert!(text.starts_with("! playing on broken.sf2 "), "{text}");
            } else {
                played += 1;
                fs::remove_file(wave).unwrap();
            }
        }
    }
    assert!(played < 62, "none was refused");
    desk.server.act("load-soundfont sines.sf2");
    assert!(desk.hear("").seconds() > 0.5);
    let text = desk.server.no_act("export wav as:out.wav");
    assert!(text.contains("exists already"), "{text}");
}

#[test]
fn the_soundfont_stays_for_the_next_song() {
    let mut desk = Desk::new(&["Keys instrument:piano"]);
    desk.server.act("new \"Other\"");
    desk.server.run(&[
        "track add Keys instrument:piano",
        "cc Keys 91 0",
        "note Keys A4 vel:100",
    ]);
    same(&desk.hear("").sounds(), &[(69, 0.0, 0.5)]);
}
