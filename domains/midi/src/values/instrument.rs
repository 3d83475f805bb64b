//! Instruments and drum kits.

use std::collections::BTreeSet;
use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, is_typo, nearest};
use serde::{Deserialize, Serialize};

use super::gm::{ALIASES, FAMILIES, KITS, PROGRAMS};
use super::number::{held, rounded, within};
use super::pitch::Pitch;
use super::repair::{begins, same};

/// A program number, 0 to 127, as in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Program(u8);

held!(Program, 0..=127);

impl Program {
    /// Its General MIDI sound: `violin`.
    #[must_use]
    pub fn name(self) -> &'static str {
        PROGRAMS[usize::from(self.0 & 127)]
    }

    /// The General MIDI sound of a program.
    #[must_use]
    pub fn name_of(number: u8) -> &'static str {
        Self::new(number).map_or("", Self::name)
    }

    /// Its General MIDI family of eight programs: `strings`.
    #[must_use]
    pub fn family(self) -> &'static str {
        FAMILIES[usize::from(self.0 >> 3 & 15)]
    }

    /// Its kit on a drum channel, if that has a name.
    #[must_use]
    pub fn kit_name(self) -> Option<&'static str> {
        let kit = KITS.iter().find(|(number, _)| *number == self.0);
        kit.map(|(_, names)| names[0])
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Program {
    const SPEC: ValueSpec = ValueSpec::new("PROGRAM", "0-127");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match within(text, 0, 127) {
            Some(number) => number.map(Self),
            None => {
                let named = Instrument::parse(text)
                    .ok()
                    .map(|it| it.program.to_string());
                let near = rounded(text).filter(|near| Self::parse(near).is_ok());
                Err(ValueError::new("is not a program, 0-127").maybe_fix(near.or(named)))
            }
        }
    }
}

/// An instrument of General MIDI, or a drum kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instrument {
    /// Its program number.
    pub program: Program,
    /// Whether it is a kit, for the drum channel.
    pub kit: bool,
    /// Whether it was named. A number means a kit or a sound, depending on the channel.
    pub named: bool,
}

impl fmt::Display for Instrument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.program.kit_name() {
            Some(name) if self.kit => f.write_str(name),
            _ if self.kit || !self.named => write!(f, "program:{}", self.program),
            _ => f.write_str(self.program.name()),
        }
    }
}

/// All names with their instruments.
fn names() -> impl Iterator<Item = (&'static str, Instrument)> {
    let sound = |program| Instrument {
        program: Program(program),
        kit: false,
        named: true,
    };
    let kit = |program| Instrument {
        program: Program(program),
        kit: true,
        named: true,
    };
    let programs = PROGRAMS
        .iter()
        .zip(0..)
        .map(move |(name, n)| (*name, sound(n)));
    let aliases = ALIASES.iter().map(move |(name, n)| (*name, sound(*n)));
    let kits = KITS
        .iter()
        .flat_map(move |(n, names)| names.iter().map(move |name| (*name, kit(*n))));
    programs.chain(aliases).chain(kits)
}

/// The probable instrument of a track, from its name or a word in it.
///
/// `Drums` is the standard kit, `Lead Violin 2` a violin. A drum's name also means the standard
/// kit.
#[must_use]
pub fn guess_instrument(name: &str) -> Option<&'static str> {
    if name.len() > 256 {
        return None;
    }
    let known = |text: &str| {
        let exact = names().find(|(name, _)| same(name, text));
        let drum =
            || Pitch::of_drum(text).and_then(|_| names().find(|(name, _)| *name == KITS[0].1[0]));
        let (_, instrument) = exact.or_else(drum)?;
        let kit = instrument.program.kit_name().filter(|_| instrument.kit);
        Some(kit.unwrap_or(instrument.program.name()))
    };
    let words = name
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| word.len() > 2);
    let singular = |word: &str| word.strip_suffix('s').and_then(known);
    known(name).or_else(|| {
        words
            .rev()
            .find_map(|word| known(word).or_else(|| singular(word)))
    })
}

impl FcpValue for Instrument {
    const SPEC: ValueSpec = ValueSpec::new(
        "INST",
        "a General MIDI name, violin, rhodes, standard-kit, or program:N",
    );

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.len() > 256 {
            return Err(ValueError::new("is not an instrument"));
        }
        if let Some(number) = text.strip_prefix("program:") {
            let program = Program::parse(number).map_err(|error| {
                let fix = error.fix.as_ref().map(|fix| format!("program:{fix}"));
                ValueError::sentence(error.about(number)).maybe_fix(fix)
            })?;
            return Ok(Self {
                program,
                kit: false,
                named: false,
            });
        }
        if let Some((_, instrument)) = names().find(|(name, _)| same(name, text)) {
            return Ok(instrument);
        }
        if let Some(number) = within(text, 0, 127) {
            return number.map(|number| Self {
                program: Program(number),
                kit: false,
                named: false,
            });
        }
        let lettered = text.contains(char::is_alphanumeric);
        let begun: Vec<(&str, Self)> = names()
            .filter(|(name, _)| lettered && begins(name, text))
            .collect();
        let meant: BTreeSet<Self> = begun.iter().map(|(_, instrument)| *instrument).collect();
        if let (1, Some(instrument)) = (meant.len(), meant.first()) {
            return Ok(*instrument);
        }
        let mut near = if begun.is_empty() {
            nearest(text, names().map(|(name, _)| name), 12)
        } else {
            begun.iter().map(|(name, _)| *name).collect()
        };
        let mut seen = BTreeSet::new();
        near.retain(|name| names().any(|(known, it)| known == *name && seen.insert(it)));
        near.truncate(3);
        let problem = match (begun.is_empty(), near.is_empty()) {
            (_, true) => "is not an instrument".to_owned(),
            (true, _) => format!("is not an instrument; near: {}", near.join(", ")),
            (false, _) => format!("is the start of several: {} …", near.join(", ")),
        };
        let mut near = near.into_iter();
        let fix = match begun.is_empty() {
            true => near.find(|name| is_typo(text, name)),
            false => near.next(),
        };
        Err(ValueError::new(problem).maybe_fix(fix))
    }
}

#[cfg(test)]
mod tests {
    use fcp::value::fold;

    use super::*;

    fn parse(text: &str) -> Instrument {
        Instrument::parse(text).unwrap()
    }

    #[test]
    fn every_name_is_one_instrument() {
        for (number, name) in PROGRAMS.iter().enumerate() {
            let instrument = parse(name);
            assert_eq!(usize::from(instrument.program.get()), number);
            assert!(!instrument.kit);
            assert_eq!(instrument.to_string(), *name);
            assert_eq!(parse(&name.replace('-', " ").to_uppercase()), instrument);
        }
        for (name, number) in ALIASES {
            assert_eq!(parse(name).program.get(), number, "{name}");
            assert!(!parse(name).kit);
        }
        for (number, names) in KITS {
            for name in names {
                let kit = parse(name);
                assert!(kit.kit, "{name}");
                assert_eq!(kit.program.get(), number);
                assert_eq!(kit.to_string(), names[0]);
            }
        }
        let mut all: Vec<String> = names().map(|(name, _)| fold(name)).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count, "a name stands for two");
    }

    #[test]
    fn numbers_and_prefixes_name_instruments() {
        assert_eq!(parse("program:40").program.name(), "violin");
        assert_eq!(parse("40").to_string(), "program:40");
        assert_eq!(parse("808").to_string(), "tr-808-kit");
        assert_eq!(parse("glock").to_string(), "glockenspiel");
        assert_eq!(parse("sitar").program.family(), "ethnic");
        assert_eq!(parse("gunshot").program.family(), "sound-effects");
    }

    #[test]
    fn a_track_name_suggests_its_instrument() {
        let table = [
            ("Drums", Some("standard-kit")),
            ("Snare", Some("standard-kit")),
            ("Bass", Some("electric-bass-finger")),
            ("Lead Violin 2", Some("violin")),
            ("violins", Some("violin")),
            ("Piano_left", Some("acoustic-grand-piano")),
            ("Track 1", None),
            ("", None),
        ];
        for (name, wanted) in table {
            assert_eq!(guess_instrument(name), wanted, "{name}");
        }
    }

    #[test]
    fn invalid_instruments_get_three_suggestions() {
        let piono = Instrument::parse("piono").unwrap_err();
        assert_eq!(piono.fix.as_deref(), Some("piano"));
        let pad = Instrument::parse("pad-").unwrap();
        assert_eq!(pad.to_string(), "pad-2-warm");
        let many = Instrument::parse("elec").unwrap_err();
        assert!(
            many.about("elec")
                .contains("electric-grand-piano, electric-piano-1")
        );
        assert_eq!(
            Instrument::parse("program:128").unwrap_err().fix.as_deref(),
            Some("program:127")
        );
        assert_eq!(
            Instrument::parse("200").unwrap_err().fix.as_deref(),
            Some("127")
        );
        assert_eq!(Instrument::parse("xyzzy").unwrap_err().fix, None);
        assert_eq!(Instrument::parse("").unwrap_err().fix, None);
        assert_eq!(
            Program::parse("violin").unwrap_err().fix.as_deref(),
            Some("40")
        );
    }
}
