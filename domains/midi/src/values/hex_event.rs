//! A single event, written as bytes in hexadecimal.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::channel::Channel;
use super::pitch::Pitch;
use super::velocity::Velocity;
use crate::smf::Body;

/// An event, as its bytes in a file, with an explicit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexEvent(Body);

/// The longest event, in bytes.
const LONGEST: usize = 65_536;

impl HexEvent {
    /// The channel, pitch and velocity of a text that is a note-on: only half of a note, so not an
    /// event of its own.
    #[must_use]
    pub fn note_on(text: &str) -> Option<(Channel, Pitch, Velocity)> {
        let [status @ 0x90..=0x9f, pitch, velocity @ 1..=127] = *bytes(text)?.as_slice() else {
            return None;
        };
        let channel = Channel::new(status & 15)?;
        Some((
            channel,
            Pitch::new(pitch)?,
            Velocity::clamped(velocity.into()),
        ))
    }

    /// Its content.
    #[must_use]
    pub const fn body(&self) -> &Body {
        &self.0
    }
}

fn spelled(bytes: &[u8]) -> String {
    let words: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    words.join(" ")
}

/// The bytes of a text of hexadecimal digits, ignoring whitespace.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let whole = digits.len().is_multiple_of(2) && digits.len() <= 2 * LONGEST;
    whole.then(|| {
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect()
    })
}

impl fmt::Display for HexEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match &self.0 {
            // As in transmission: the length that a file adds is not shown.
            Body::Sysex(bytes) => format!("F0 {}", spelled(bytes)),
            Body::Escape(bytes) => format!("F7 {}", spelled(bytes)),
            body => spelled(&body.bytes()),
        })
    }
}

impl FcpValue for HexEvent {
    const SPEC: ValueSpec = ValueSpec::new(
        "HEX",
        "one event: F0 … F7, F7 …, FF kind length …, or a channel message, B0 07 64",
    );

    fn parse(text: &str) -> Result<Self, ValueError> {
        let Some(bytes) = bytes(text) else {
            return Err(ValueError::new(
                "is not bytes in hexadecimal: F0 7E 7F 09 01 F7",
            ));
        };
        let fixed = |error: &str, bytes: &[u8]| ValueError::new(error).fix(spelled(bytes));
        let data = |bytes: &[u8]| bytes.iter().all(|byte| *byte < 128);
        match bytes.as_slice() {
            [0xf0, rest @ ..] => {
                let inner = rest.strip_suffix(&[0xf7]);
                match inner {
                    Some(inner) if data(inner) => Ok(Self(Body::Sysex(rest.into()))),
                    Some(_) => Err(ValueError::new("holds a byte above 7F inside the sysex")),
                    None => Err(fixed(
                        "does not end: a sysex is F0 … F7",
                        &[&bytes, &[0xf7][..]].concat(),
                    )),
                }
            }
            [0xf7, rest @ ..] => Ok(Self(Body::Escape(rest.into()))),
            [0xff, kind, rest @ ..] => {
                if *kind == 0x2f {
                    return Err(ValueError::new(
                        "is the end of a track, which every track has",
                    ));
                }
                if *kind > 127 {
                    return Err(ValueError::new("is not a meta event: kinds go up to 7F"));
                }
                let Some((length, inner)) = sized(rest) else {
                    return Err(fixed("lacks its length", &[&bytes[..], &[0][..]].concat()));
                };
                if length != inner.len() {
                    let problem = format!("says {length} bytes but holds {}", inner.len());
                    let body = Body::Meta {
                        kind: *kind,
                        bytes: inner.into(),
                    };
                    return Err(fixed(&problem, &body.bytes()));
                }
                whole(*kind, inner)?;
                Ok(Self(Body::Meta {
                    kind: *kind,
                    bytes: inner.into(),
                }))
            }
            [status @ 0x80..=0x9f, rest @ ..] => {
                let lacks = match rest {
                    [] => " and lacks its pitch and its velocity",
                    [_] => " and lacks its velocity",
                    _ => "",
                };
                Err(ValueError::new(format!(
                    "is half of a note (status {status:02X}){lacks}; note adds whole ones"
                )))
            }
            [status @ 0xa0..=0xef, rest @ ..] => {
                let wanted = if (0xc0..=0xdf).contains(status) { 1 } else { 2 };
                if rest.len() != wanted || !data(rest) {
                    let mut fit: Vec<u8> = rest.iter().map(|byte| (*byte).min(127)).collect();
                    fit.resize(wanted, 0);
                    let fit = [&[*status][..], &fit].concat();
                    let problem = format!("needs {wanted} data bytes, 00 to 7F");
                    return Err(fixed(&problem, &fit));
                }
                let second = rest.get(1).copied().unwrap_or(0);
                Ok(Self(Body::Channel {
                    status: *status,
                    data: [rest[0], second],
                }))
            }
            _ => Err(ValueError::new(
                "is not an event: it begins with F0, F7, FF, or a status from A0 to EF",
            )),
        }
    }
}

/// Checks the bytes of a meta event of fixed form, which readers depend on: a sequence number, a
/// channel, a port, an SMPTE offset (Standard MIDI Files 1.0, "Meta-Events").
///
/// # Errors
/// Their number is wrong, or they are not a valid time.
pub fn whole(kind: u8, bytes: &[u8]) -> Result<(), ValueError> {
    let lengths: &[usize] = match kind {
        0x00 => &[0, 2],
        0x20 | 0x21 => &[1],
        0x54 => &[5],
        _ => return Ok(()),
    };
    if !lengths.contains(&bytes.len()) {
        let wanted: Vec<String> = lengths.iter().map(usize::to_string).collect();
        let wanted = wanted.join(" or ");
        let problem = format!(
            "holds {} bytes, and meta {kind:02x} has {wanted}",
            bytes.len()
        );
        return Err(ValueError::new(problem));
    }
    let [hour, minute, second, frame, subframe] = bytes else {
        return Ok(());
    };
    let frames = [24, 25, 30, 30][usize::from(hour >> 5 & 3)];
    let is_time = hour & 31 < 24 && hour >> 7 == 0 && *minute < 60 && *second < 60;
    if !is_time || *frame >= frames || *subframe >= 100 {
        return Err(ValueError::new(
            "is not an SMPTE time: hour with the frame rate, minute, second, frame, hundredth",
        ));
    }
    Ok(())
}

/// A length in the form of files, and the bytes after it.
fn sized(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut length = 0_usize;
    for (ix, byte) in bytes.iter().take(4).enumerate() {
        length = length << 7 | usize::from(byte & 127);
        if byte & 128 == 0 {
            return Some((length, &bytes[ix + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_read_back() {
        for text in [
            "F0 43 10 4C F7",
            "F7 F3 01",
            "FF 7F 02 01 02",
            "B0 07 64",
            "C1 05",
            "E0 00 40",
        ] {
            let event = HexEvent::parse(text).unwrap();
            assert_eq!(event.to_string(), text);
            assert_eq!(
                HexEvent::parse(&text.replace(' ', "").to_lowercase()),
                Ok(event)
            );
        }
    }

    #[test]
    fn invalid_events_are_repaired() {
        let table = [
            ("F0 43", Some("F0 43 F7")),
            ("FF 01", Some("FF 01 00")),
            ("FF 01 05 61", Some("FF 01 01 61")),
            ("B0 07", Some("B0 07 00")),
            ("B0 07 64 00", Some("B0 07 64")),
            ("B0 80 00", Some("B0 7F 00")),
            ("90 3C 40", None),
            ("FF 2F 00", None),
            ("F0 90 F7", None),
            ("F8", None),
            ("zz", None),
            ("F", None),
            ("", None),
        ];
        for (text, fix) in table {
            let error = HexEvent::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }
}
