//! Parses text into segments.

use super::{Command, Fault, MOST, Segment};
use crate::syntax::number::{scan, skip_blanks, skip_separator};

/// The segments before the first fault, and the fault.
pub(super) fn parse(text: &str) -> (Vec<Segment>, Option<Fault>) {
    let mut segments: Vec<Segment> = Vec::new();
    let mut at = skip_blanks(text, 0);
    while at < text.len() {
        match segment(text, at, segments.last()) {
            Ok(read) => {
                at = if read.command == Command::Close {
                    skip_blanks(text, read.span.end)
                } else {
                    skip_separator(text, read.span.end)
                };
                segments.push(read);
            }
            Err((at, problem)) => {
                let before = text.get(..at).unwrap_or(text);
                let fault = Fault {
                    segment: segments.len() + 1,
                    column: before.chars().count() + 1,
                    at,
                    problem,
                };
                return (segments, Some(fault));
            }
        }
    }
    (segments, None)
}

/// The segment that begins at `start`, which is not whitespace; or the wrong byte and the problem.
fn segment(
    text: &str,
    start: usize,
    before: Option<&Segment>,
) -> Result<Segment, (usize, &'static str)> {
    let byte = text.as_bytes().get(start).copied().unwrap_or_default();
    let written = Command::of_letter(byte);
    let (command, relative) = match (written, before) {
        (Some(Command::Move), None) => (Command::Move, byte.is_ascii_lowercase()),
        (_, None) => return Err((start, "path data begins with M")),
        (Some(command), Some(_)) => (command, byte.is_ascii_lowercase()),
        (None, Some(before)) => {
            if !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.') {
                return Err((start, "no segment begins like this"));
            }
            let command = before
                .command
                .repeated()
                .ok_or((start, "a letter is needed after Z"))?;
            (command, before.relative)
        }
    };
    let lettered = written.is_some();
    let mut numbers = [0.0; MOST];
    let mut end = start + usize::from(lettered);
    for (place, slot) in numbers.iter_mut().take(command.arity()).enumerate() {
        let from = if place == 0 {
            skip_blanks(text, end)
        } else {
            skip_separator(text, end)
        };
        (*slot, end) = if command == Command::Arc && is_flag(place) {
            match text.as_bytes().get(from) {
                Some(b'0') => (0.0, from + 1),
                Some(b'1') => (1.0, from + 1),
                _ => return Err((from, "a flag must be 0 or 1")),
            }
        } else {
            let read = scan(text, from).ok_or((from, missing(text, from)))?;
            (read.value, read.span.end)
        };
    }
    Ok(Segment {
        command,
        relative,
        lettered,
        span: start..end,
        numbers,
    })
}

/// Whether the number at `place` of an arc is a flag, which is one character.
pub(super) const fn is_flag(place: usize) -> bool {
    matches!(place, 3 | 4)
}

fn missing(text: &str, at: usize) -> &'static str {
    match text.as_bytes().get(at) {
        None => "a number is missing",
        Some(byte) if Command::of_letter(*byte).is_some() => "a number is missing",
        Some(_) => "this is not a number",
    }
}

#[cfg(test)]
mod tests {
    use crate::path::{Path, PathError};

    fn shown(text: &str) -> String {
        let path = Path::parse(text);
        let mut shown: Vec<String> = Vec::new();
        for segment in path.segments() {
            let numbers: Vec<String> = segment.numbers().iter().map(ToString::to_string).collect();
            shown.push(format!("{}{}", segment.letter(), numbers.join(" ")));
        }
        if let Some(fault) = path.fault() {
            shown.push(format!("! {fault}"));
        }
        shown.join("; ")
    }

    #[test]
    fn the_whole_grammar_is_read() {
        for (text, wanted) in [
            ("M10-20l30.1.5.1-20z", "M10 -20; l30.1 0.5; l0.1 -20; z"),
            ("m1 2 3 4 5 6", "m1 2; l3 4; l5 6"),
            ("M0 0a1 2 3 01.5.5", "M0 0; a1 2 3 0 1 0.5 0.5"),
            (
                "M0,0A1,2,3,1,0,4,5 1 2 3 10 4 5",
                "M0 0; A1 2 3 1 0 4 5; A1 2 3 1 0 4 5",
            ),
            ("M1-2.5.5.5", "M1 -2.5; L0.5 0.5"),
            (" M +1e1 , 2E-1 H3V4", "M10 0.2; H3; V4"),
            ("M0 0zM1 1Z", "M0 0; z; M1 1; Z"),
            ("", ""),
            ("L1 2", "! segment 1, column 1: path data begins with M"),
            (
                "M1 2 L3",
                "M1 2; ! segment 2, column 8: a number is missing",
            ),
            (
                "M1 2 L3 4 5 H6",
                "M1 2; L3 4; ! segment 3, column 13: a number is missing",
            ),
            (
                "M1 2,,3 4",
                "M1 2; ! segment 2, column 6: no segment begins like this",
            ),
            (
                "M1 2zü",
                "M1 2; z; ! segment 3, column 6: no segment begins like this",
            ),
            (
                "M1 2z3 4",
                "M1 2; z; ! segment 3, column 6: a letter is needed after Z",
            ),
            (
                "M0 0A1 2 3 2 0 4 5",
                "M0 0; ! segment 2, column 12: a flag must be 0 or 1",
            ),
            (
                "M0 0L1 1e",
                "M0 0; ! segment 2, column 8: this is not a number",
            ),
            ("M1 NaN", "! segment 1, column 4: this is not a number"),
        ] {
            assert_eq!(shown(text), wanted, "{text}");
        }
    }

    #[test]
    fn incomplete_paths_are_rejected() {
        assert!(Path::checked("M0 0").is_ok());
        assert_eq!(Path::checked("").unwrap_err().column, 1);
        assert_eq!(Path::checked("M0 0x").unwrap_err().column, 5);
        assert_eq!(
            Path::parse("M0 0").index(2),
            Err(PathError::NoSegment { count: 1 })
        );
    }
}
