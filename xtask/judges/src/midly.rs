//! Standard MIDI Files, read by `midly`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use encoding_rs::{SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use fcp::testing::fidelity::{Fact, Judge, Value, keeps};
use midly::{Format, SmfBytemap, Timing, TrackEventKind};

/// The crate `midly`: format, division, and for each track its events with tick and message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Midly;

impl Judge for Midly {
    fn name(&self) -> &'static str {
        "midly"
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Vec<Fact>, String> {
        let file = SmfBytemap::parse(bytes).map_err(|error| error.to_string())?;
        let mut facts = vec![head(bytes, &file)];
        for track in &file.tracks {
            let ends = |kind| matches!(kind, TrackEventKind::Meta(midly::MetaMessage::EndOfTrack));
            if !track.last().is_some_and(|(_, last)| ends(last.kind)) {
                return Err("a track is not read to its end".to_owned());
            }
            let first = track
                .first()
                .map_or(bytes.len(), |(raw, _)| place(bytes, raw).start);
            let mut heads = bytes.get(..first).unwrap_or_default().windows(4);
            let head = heads.rposition(|four| four == b"MTrk").unwrap_or(0);
            // Lengths of chunks depend on their events, so they are not facts.
            facts.push(Fact::at("track".to_owned(), head..head + 4));
            let mut tick = 0;
            for (raw, event) in track {
                tick += u64::from(event.delta.as_int());
                let mut content = String::new();
                let message = message(raw, &event.kind);
                message.iter().for_each(|byte| {
                    let _ = write!(content, "{byte:02x}");
                });
                // A status byte may be omitted, depending on the event before, so it is not part of
                // the span.
                let data = match event.kind {
                    TrackEventKind::Midi { .. } => raw.get(raw.len() - (message.len() - 1)..),
                    _ => Some(*raw),
                };
                let span = place(bytes, data.unwrap_or(raw));
                facts.push(Fact::at(content, span).with_position(tick));
            }
        }
        Ok(facts)
    }

    fn is_free(&self, fact: &Fact) -> bool {
        !fact.content.starts_with("ff2f")
    }

    /// Of a note its pitch, velocities, channel and length in ticks, of another event its number,
    /// value or text, and of both whether the tick differs.
    fn values_of(&self, row: &[&Fact]) -> Vec<(Cow<'static, str>, Value)> {
        match row {
            [first, rest @ ..] if on(first).is_some() => of_note(first, rest.first().copied()),
            [event] => of_event(event),
            _ => Vec::new(),
        }
    }

    fn laws(&self) -> &[&'static str] {
        &[
            "bars move",
            "track move",
            "title",
            "track rename",
            "lyric",
            "text",
            "marker",
        ]
    }

    /// Moved events keep their messages, and setting a text leaves all other texts unchanged.
    fn law(&mut self, verb: &str, before: &[Fact], after: &[Fact]) -> Result<(), String> {
        let named = |fact: &Fact| {
            matches!(verb, "title" | "track rename") && fact.content.starts_with("ff03")
        };
        // A move may end overlapping or endless notes differently.
        let flawed = flawed(before);
        let loose = |fact: &Fact| off(fact).is_some_and(|key| flawed.contains(&key));
        let kept = |fact: &&Fact| self.is_free(fact) && !named(fact) && !loose(fact);
        // Settings at the start are replaced by settings moved there.
        let stays = |fact: &&Fact| kept(fact) && !(verb == "bars move" && sets_up(fact));
        keeps(before.iter().filter(stays), after.iter().filter(kept))?;
        let names = |facts: &[Fact]| -> Vec<String> {
            let names = facts.iter().filter(|fact| named(fact));
            names.map(|fact| fact.content.clone()).collect()
        };
        let (was, is) = (names(before), names(after));
        let lost = was.iter().filter(|name| !is.contains(name)).count();
        // A track that is stored in several chunks has its name in each of them.
        match lost {
            0 | 1 => Ok(()),
            _ => Err(format!("changed {lost} names")),
        }
    }
}

/// The bytes of a message.
fn bytes(fact: &Fact) -> Vec<u8> {
    let digits = fact.content.as_bytes().chunks(2);
    let byte = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    digits.map_while(byte).collect()
}

fn integer(number: impl Into<i64>) -> Value {
    Value::Told(number.into().to_string())
}

/// The values of a note that begins with one event, and ends with another.
fn of_note(first: &Fact, last: Option<&Fact>) -> Vec<(Cow<'static, str>, Value)> {
    let start = first.position.unwrap_or_default();
    let mut values = vec![(
        "notes.pos|notes.tick".into(),
        Value::Other(start.to_string()),
    )];
    if let [status, key, velocity] = *bytes(first) {
        values.push(("notes.ch".into(), integer((status & 15) + 1)));
        values.push(("notes.pitch".into(), integer(key)));
        values.push(("notes.vel".into(), integer(velocity)));
    }
    if let Some((end, last)) = last.and_then(|last| Some((last.position?, last)))
        && let [status, _, velocity] = *bytes(last)
    {
        // A note-on with velocity 0 ends a note like a note-off with velocity 64 (MIDI 1.0).
        let velocity = if status >> 4 == 9 { 64 } else { velocity };
        values.push(("notes.dur".into(), Value::Told((end - start).to_string())));
        values.push(("notes.off_vel".into(), integer(velocity)));
    }
    values
}

/// The values of an event that belongs to no note.
fn of_event(event: &Fact) -> Vec<(Cow<'static, str>, Value)> {
    let tick = event.position.unwrap_or_default();
    let mut values = vec![(
        "events.pos|events.tick".into(),
        Value::Other(tick.to_string()),
    )];
    let mut value = |name: &'static str, value: Value| values.push((name.into(), value));
    match *bytes(event) {
        [status, number, of] if status >> 4 == 0xb => {
            value("events.number", integer(number));
            value("events.value", integer(of));
        }
        [status, low, high] if status >> 4 == 0xe => {
            let bend = i64::from(high) << 7 | i64::from(low);
            value("events.value", integer(bend - 0x2000));
        }
        [status, of] if matches!(status >> 4, 0xc | 0xd) => value("events.value", integer(of)),
        // Reserved for texts, without a meaning: a row shows its bytes.
        [0xff, 0x0a..=0x0f, ref text @ ..] => {
            value("events.text|events.bytes", Value::Text(readings(text)));
        }
        [0xff, 0x01..=0x09, ref text @ ..] => {
            let plain = text.iter().all(|byte| (b' '..=b'~').contains(byte));
            value(
                "events.text",
                if plain {
                    Value::Told(latin(text))
                } else {
                    Value::Text(readings(text))
                },
            );
        }
        // 0 µs a quarter sets no tempo.
        [0xff, 0x51, 0, 0, 0] => {}
        [0xff, 0x51, ..] => value("events.value", Value::Other(event.content.clone())),
        [0xff, 0x58 | 0x59, ..] => value("events.text", Value::Other(event.content.clone())),
        _ => {}
    }
    values
}

/// A text in ISO 8859-1, where each byte is a character.
fn latin(text: &[u8]) -> String {
    text.iter().map(|byte| char::from(*byte)).collect()
}

/// A text in each encoding in which its bytes are valid.
fn readings(text: &[u8]) -> Vec<String> {
    let others = [UTF_8, SHIFT_JIS, WINDOWS_1252, UTF_16LE, UTF_16BE].into_iter();
    let others = others
        .filter_map(|encoding| encoding.decode_without_bom_handling_and_without_replacement(text));
    let others = others.map(|text| text.trim_start_matches('\u{feff}').to_owned());
    std::iter::once(latin(text)).chain(others).collect()
}

/// Channel and key of a note-on, or of a note-off.
type Key = [u8; 2];

/// The key of a note-off, in six hexadecimal digits: `8n kk vv`, or `9n kk 00`.
fn off(fact: &Fact) -> Option<Key> {
    note(fact).filter(|(_, ends)| *ends).map(|(key, _)| key)
}

/// The key of a note-on.
fn on(fact: &Fact) -> Option<Key> {
    note(fact).filter(|(_, ends)| !*ends).map(|(key, _)| key)
}

/// Whether it is a tempo, meter, key or channel setting at the start of a track.
fn sets_up(fact: &Fact) -> bool {
    let starts = |start: &str| fact.content.starts_with(start);
    fact.position == Some(0)
        && ["b", "c", "d", "e", "ff51", "ff58", "ff59"]
            .into_iter()
            .any(starts)
}

/// The key of a note-on or note-off, and whether it is a note-off.
fn note(fact: &Fact) -> Option<(Key, bool)> {
    let digits = Some(&*fact.content).filter(|digits| digits.len() == 6)?;
    let status = u8::from_str_radix(digits.get(..2)?, 16).ok()?;
    let key = u8::from_str_radix(digits.get(2..4)?, 16).ok()?;
    match status >> 4 {
        8 => Some(([status & 15, key], true)),
        9 => Some(([status & 15, key], digits.ends_with("00"))),
        _ => None,
    }
}

/// The keys whose note-ons and note-offs do not alternate in some track.
fn flawed(facts: &[Fact]) -> BTreeSet<Key> {
    let (mut flawed, mut sounding) = (BTreeSet::new(), BTreeSet::new());
    for fact in facts {
        if fact.content == "track" {
            flawed.append(&mut sounding);
        } else if let Some(key) = off(fact) {
            if !sounding.remove(&key) {
                flawed.insert(key);
            }
        } else if let Some(key) = on(fact)
            && !sounding.insert(key)
        {
            flawed.insert(key);
        }
    }
    flawed.append(&mut sounding);
    flawed
}

/// Format and division.
fn head(bytes: &[u8], file: &SmfBytemap<'_>) -> Fact {
    let format = match file.header.format {
        Format::SingleTrack => 0,
        Format::Parallel => 1,
        Format::Sequential => 2,
    };
    let division = match file.header.timing {
        Timing::Metrical(ticks) => format!("{} a quarter", ticks.as_int()),
        Timing::Timecode(fps, ticks) => format!("{ticks} a frame, {} frames", fps.as_int()),
    };
    let at = bytes
        .windows(4)
        .position(|four| four == b"MThd")
        .unwrap_or(0);
    let span = at + 8..(at + 14).min(bytes.len());
    Fact::at(format!("format {format}, {division}"), span)
}

/// The place of a part of a file.
fn place(bytes: &[u8], piece: &[u8]) -> Range<usize> {
    let start = (piece.as_ptr() as usize).saturating_sub(bytes.as_ptr() as usize);
    start..start + piece.len()
}

/// A message with its status, but without a length field.
fn message(raw: &[u8], kind: &TrackEventKind<'_>) -> Vec<u8> {
    match kind {
        TrackEventKind::Midi { channel, message } => {
            let mut bytes = Vec::new();
            let live = midly::live::LiveEvent::Midi {
                channel: *channel,
                message: *message,
            };
            // Writing to a vector cannot fail.
            let _ = live.write_std(&mut bytes);
            bytes
        }
        TrackEventKind::SysEx(data) => [&[0xf0][..], data].concat(),
        TrackEventKind::Escape(data) => [&[0xf7][..], data].concat(),
        TrackEventKind::Meta(_) => match raw {
            [status, kind, rest @ ..] => [&[*status, *kind][..], sized(rest)].concat(),
            other => other.to_vec(),
        },
    }
}

/// The bytes after a variable-length number.
fn sized(bytes: &[u8]) -> &[u8] {
    let width = bytes.iter().take_while(|byte| **byte >= 0x80).count() + 1;
    bytes.get(width..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_with_their_bytes() {
        let track = b"\x00\x90\x3c\x40\x60\x3c\x00\x00\xff\x03\x01A\x00\xff\x2f\x00";
        let mut file = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x10".to_vec();
        file.extend_from_slice(track);
        let facts = Midly.read(&file).unwrap();
        let contents: Vec<&str> = facts.iter().map(|fact| &*fact.content).collect();
        let expected = [
            "format 0, 96 a quarter",
            "track",
            "903c40",
            "903c00",
            "ff0341",
            "ff2f",
        ];
        assert_eq!(contents, expected);
        assert_eq!(
            (facts[3].span.clone(), facts[3].position),
            (Some(27..29), Some(96))
        );
        assert!(Midly.is_free(&facts[3]) && !Midly.is_free(&facts[5]));
    }

    #[test]
    fn a_text_in_two_encodings_has_a_reading_in_common() {
        let [then, now] = [&b"\x8f\\"[..], b"\xc2\x8f\\"].map(readings);
        assert!(then.iter().any(|own| now.contains(own)), "{then:?} {now:?}");
        let other = readings("\u{8f}/".as_bytes());
        assert!(
            !then.iter().any(|own| other.contains(own)),
            "{then:?} {other:?}"
        );
    }
}
