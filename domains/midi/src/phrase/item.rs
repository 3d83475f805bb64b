//! One item of a line.

use fcp::value::{FcpValue, ValueError};

use crate::values::{Dur, Pitch, PitchClass, PitchWord, Velocity};

/// A pitch of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tone {
    /// A class, and its octave unless that is the one before.
    Class(PitchClass, Option<i8>),
    /// A number or a drum.
    Word(PitchWord),
}

/// One item of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A barline, which is checked.
    Bar,
    /// Notes that start together.
    Notes {
        /// Their pitches.
        tones: Vec<Tone>,
        /// How long they last; as long as what came before if left out.
        dur: Option<Dur>,
        /// Struck harder.
        accent: bool,
        /// Only half as long as its place.
        short: bool,
    },
    /// Silence.
    Rest(Option<Dur>),
    /// What came before lasts longer.
    Hold(Option<Dur>),
    /// How hard notes are struck from here on.
    Loud(Velocity),
}

impl Item {
    /// Reads an item.
    ///
    /// # Errors
    /// It is none; the fix is the whole item.
    pub fn read(text: &str) -> Result<Self, ValueError> {
        if text == "|" {
            return Ok(Self::Bar);
        }
        let ends = text.find(['/', '>', '!', '+']).unwrap_or(text.len());
        if let Some(loud) = text.strip_prefix('v')
            && !loud.is_empty()
            && Pitch::of_drum(&text[..ends]).is_none()
        {
            return Velocity::parse(loud)
                .map(Self::Loud)
                .map_err(|error| refit(error, |fix| format!("v{fix}")));
        }
        let bare = text.trim_end_matches(['>', '!']);
        let marks = &text[bare.len()..];
        let (head, length) = match bare.split_once('/') {
            Some((head, length)) => (head, Some(length)),
            None => (bare, None),
        };
        let dur = length
            .map(Dur::parse)
            .transpose()
            .map_err(|error| {
                // A length that is like no other is a quarter, as one that nothing is said of.
                let fix = error.fix.clone().unwrap_or_else(|| "q".to_owned());
                error.fix(fix)
            })
            .map_err(|error| refit(error, |fix| format!("{head}/{fix}{marks}")))?;
        let (accent, short) = (marks.contains('>'), marks.contains('!'));
        match head {
            "r" | "R" => return Ok(Self::Rest(dur)),
            "_" => return Ok(Self::Hold(dur)),
            _ => {}
        }
        let names: Vec<&str> = head.split('+').collect();
        let mut tones = Vec::with_capacity(names.len());
        for (ix, name) in names.iter().enumerate() {
            tones.push(tone(name).map_err(|error| {
                refit(error, |fix| {
                    let mut names = names.clone();
                    names[ix] = fix;
                    let tail = &bare[head.len()..];
                    format!("{}{tail}{marks}", names.join("+"))
                })
            })?);
        }
        Ok(Self::Notes {
            tones,
            dur,
            accent,
            short,
        })
    }
}

/// An error about a part, made one about the whole.
fn refit(mut error: ValueError, whole: impl FnOnce(&str) -> String) -> ValueError {
    error.fix = error.fix.map(|fix| whole(&fix));
    error
}

fn tone(name: &str) -> Result<Tone, ValueError> {
    if let Some((class, rest)) = PitchClass::prefix(name) {
        let octave = rest.parse::<i8>().ok();
        let fits = octave.is_none_or(|octave| class.at(octave).is_some());
        let spelled = rest.is_empty() || octave.is_some() && !rest.starts_with('+');
        if spelled && fits {
            return Ok(Tone::Class(class, octave));
        }
    }
    PitchWord::parse(name).map(Tone::Word).map_err(|error| {
        let told = "is no item of a phrase: C4/q, C4+E4, r, _, |, v90, kick";
        ValueError::new(told).maybe_fix(error.fix)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_item_is_mended() {
        let table = [
            ("H4/q", Some("B4/q")),
            ("C4+H4/q!", Some("C4+B4/q!")),
            ("C4/qq", Some("C4/q")),
            ("C4/quater>", Some("C4/quarter>")),
            ("snair/e", Some("snare/e")),
            ("v128", Some("v127")),
            ("vmff", Some("vff")),
            ("C12", Some("C9")),
            ("", None),
            ("/q", None),
            ("C4+", None),
        ];
        for (text, fix) in table {
            let error = Item::read(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }

    #[test]
    fn items_are_read() {
        assert_eq!(Item::read("|"), Ok(Item::Bar));
        assert_eq!(Item::read("vmf"), Ok(Item::Loud(Velocity::MF)));
        assert_eq!(Item::read("_"), Ok(Item::Hold(None)));
        assert!(matches!(Item::read("vibraslap/e"), Ok(Item::Notes { .. })));
        assert_eq!(Item::read("r/1/8"), Ok(Item::Rest(Dur::note(1, 8))));
        let Ok(Item::Notes {
            tones,
            dur,
            accent,
            short,
        }) = Item::read("Eb+G-1+60+kick/q.>!")
        else {
            panic!("no notes");
        };
        assert_eq!(tones.len(), 4);
        assert!(matches!(tones[0], Tone::Class(_, None)));
        assert!(matches!(tones[1], Tone::Class(_, Some(-1))));
        assert_eq!((dur, accent, short), (Dur::note(3, 8), true, true));
    }
}
