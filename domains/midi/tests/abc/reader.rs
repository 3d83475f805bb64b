//! An ABC reader, written from standard 2.1 and independent of the writer under test.

use std::collections::{BTreeMap, BTreeSet};

use super::spelling::{Time, in_key, length, number, plain, ratio, sharps, without_comment};

/// Points on which programs that read ABC disagree.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// An accidental holds only in its own octave.
    pub octave_only: bool,
    /// Accidentals end at a key change.
    pub forgets: bool,
    /// A field in one voice also applies to voices read after it.
    pub whole_tune: bool,
}

impl Habits {
    /// All combinations.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self {
            octave_only: bits & 1 > 0,
            forgets: bits & 2 > 0,
            whole_tune: bits & 4 > 0,
        })
    }
}

/// A note, ties joined.
#[derive(Clone, Debug)]
pub struct Note {
    pub voice: String,
    pub pitch: u8,
    pub at: Time,
    pub length: Time,
    /// Its syllable, and whether a hyphen follows.
    pub lyric: Option<(String, bool)>,
    /// Its decorations and annotations.
    pub marks: Vec<String>,
}

/// The content of a tune.
#[derive(Default, Debug)]
pub struct Tune {
    pub title: String,
    /// The voices of each staff.
    pub staves: Vec<Vec<String>>,
    pub notes: Vec<Note>,
    /// Fields and annotations by voice and time.
    pub fields: Vec<(String, Time, String)>,
    /// The ends of measures, by voice.
    pub barlines: BTreeMap<String, Vec<Time>>,
    /// Directives, by voice.
    pub midi: Vec<(String, String)>,
}

#[derive(Clone)]
struct Holding {
    sharps: i32,
    meter: Time,
}

struct Voice {
    at: Time,
    own: Holding,
    accidentals: Vec<(char, i32, i32)>,
    /// Notes with an open tie, by pitch: their index among the notes, and their end.
    tied: BTreeMap<u8, (usize, Time)>,
    /// Notes without lyrics yet; a tied note is listed again.
    unsung: Vec<usize>,
}

pub struct Reader {
    habits: Habits,
    tune: Tune,
    unit: Time,
    start: Holding,
    voices: BTreeMap<String, Voice>,
    voice: String,
    tuplet: (u64, Time),
    marks: Vec<String>,
}

/// Reads a tune. Unknown syntax is an error.
pub fn read(text: &str, habits: Habits) -> Tune {
    let mut reader = Reader {
        habits,
        tune: Tune::default(),
        unit: Time::new(1, 8),
        start: Holding {
            sharps: 0,
            meter: Time::new(1, 1),
        },
        voices: BTreeMap::new(),
        voice: String::new(),
        tuplet: (0, Time::new(1, 1)),
        marks: Vec::new(),
    };
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("%abc-2.1"));
    let mut in_header = true;
    for line in lines {
        assert!(!line.is_empty(), "an empty line ends the tune");
        reader.line(line, &mut in_header);
    }
    assert!(!in_header && reader.tuplet.0 == 0);
    for (name, voice) in &reader.voices {
        assert!(voice.tied.is_empty(), "a tie of {name} leads nowhere");
    }
    reader.tune
}

impl Reader {
    fn line(&mut self, line: &str, in_header: &mut bool) {
        if let Some(directive) = line.strip_prefix("%%") {
            return self.directive(directive);
        }
        let line = without_comment(line);
        let mut chars = line.chars();
        let name = chars.next().filter(char::is_ascii_alphabetic);
        match name.filter(|_| chars.next() == Some(':')) {
            Some(name) => {
                if *in_header && name == 'K' {
                    // It ends the header, and applies to all voices.
                    self.voice.clear();
                    *in_header = false;
                }
                self.field(name, chars.as_str().trim());
            }
            None => {
                assert!(!*in_header, "{line}");
                self.music(&line.chars().collect::<Vec<_>>());
            }
        }
    }

    fn directive(&mut self, text: &str) {
        let (name, rest) = text.split_once(' ').unwrap();
        match name {
            "score" => {
                for part in rest.replace('(', " ( ").replace(')', " ) ").split(" ( ") {
                    let (group, others) = part.split_once(')').unwrap_or(("", part));
                    let group: Vec<String> = group.split_whitespace().map(str::to_owned).collect();
                    self.tune
                        .staves
                        .extend(Some(group).filter(|group| !group.is_empty()));
                    let others = others.split_whitespace();
                    self.tune
                        .staves
                        .extend(others.map(|name| vec![name.to_owned()]));
                }
            }
            "MIDI" => self.tune.midi.push((self.voice.clone(), rest.to_owned())),
            "propagate-accidentals" => {}
            name => panic!("%%{name}"),
        }
    }

    fn field(&mut self, name: char, value: &str) {
        match name {
            'X' => assert!(value.parse::<u32>().is_ok()),
            'T' => self.tune.title = plain(value),
            'V' => {
                let id = value.split_whitespace().next().unwrap().to_owned();
                assert!(id.chars().count() <= 20);
                let is_new = !self.voices.contains_key(&id);
                let own = self.start.clone();
                self.voices.entry(id.clone()).or_insert_with(|| Voice {
                    at: Time::ZERO,
                    own,
                    accidentals: Vec::new(),
                    tied: BTreeMap::new(),
                    unsung: Vec::new(),
                });
                let known = self.tune.staves.iter().flatten().any(|known| *known == id);
                if is_new && !known {
                    self.tune.staves.push(vec![id.clone()]);
                }
                self.voice = id;
                self.add_field(name, value);
            }
            'L' => self.unit = ratio(value),
            'M' => {
                let meter = ratio(value);
                self.hold(|holding| holding.meter = meter);
                self.add_field(name, value);
            }
            'K' => {
                let sharps = sharps(value);
                self.hold(|holding| holding.sharps = sharps);
                if self.habits.forgets
                    && let Some(voice) = self.voices.get_mut(&self.voice)
                {
                    voice.accidentals.clear();
                }
                self.add_field(name, value);
            }
            'Q' => self.add_field(name, value),
            'w' => self.sing(value),
            name => panic!("{name}:"),
        }
    }

    fn add_field(&mut self, name: char, value: &str) {
        let at = self
            .voices
            .get(&self.voice)
            .map_or(Time::ZERO, |voice| voice.at);
        let field = (self.voice.clone(), at, format!("{name}:{value}"));
        self.tune.fields.push(field);
    }

    /// Changes a value: for the tune if no music was read yet, else for a voice.
    fn hold(&mut self, change: impl Fn(&mut Holding)) {
        let begun = self.tune.barlines.values().any(|bars| !bars.is_empty());
        let begun = begun || !self.tune.midi.is_empty();
        if self.habits.whole_tune || !begun {
            change(&mut self.start);
            self.voices
                .values_mut()
                .for_each(|voice| change(&mut voice.own));
        } else {
            change(&mut self.now().own);
        }
    }

    fn now(&mut self) -> &mut Voice {
        self.voices.get_mut(&self.voice).unwrap()
    }

    fn music(&mut self, line: &[char]) {
        let mut ix = 0;
        while let Some(c) = line.get(ix).copied() {
            let next = line.get(ix + 1).copied().unwrap_or('\n');
            ix += 1;
            match c {
                ' ' => {}
                '[' if line.get(ix + 1) == Some(&':') => {
                    let end = ix + line[ix..].iter().position(|c| *c == ']').unwrap();
                    let value: String = line[ix + 2..end].iter().collect();
                    assert_eq!(self.tuplet.0, 0, "a field in a tuplet");
                    self.field(next, &value);
                    ix = end + 1;
                }
                '"' | '!' => {
                    let end = ix + line[ix..].iter().position(|end| *end == c).unwrap();
                    let text: String = line[ix..end].iter().collect();
                    let text = if c == '"' { plain(&text) } else { text };
                    if c == '"' {
                        assert!(text.starts_with('^'));
                        self.add_field('"', &text[1..]);
                    }
                    self.marks.push(text);
                    ix = end + 1;
                }
                '|' => {
                    assert_eq!(self.tuplet.0, 0, "a barline in a tuplet");
                    ix += usize::from(next == ']');
                    self.barline();
                }
                '(' => ix = self.tuplet(line, ix),
                'z' | 'x' => {
                    let length = length(line, &mut ix);
                    let length = self.lasts(length);
                    self.pass(length);
                }
                'Z' | 'X' => {
                    let count = number(line, &mut ix).unwrap_or(1);
                    for n in 1..=count {
                        let meter = self.now().own.meter;
                        self.pass(meter);
                        // The barline after the rest ends its last bar.
                        if n < count {
                            self.barline();
                        }
                    }
                }
                '[' => {
                    let mut pitches = Vec::new();
                    let mut inner = None;
                    while line[ix] != ']' {
                        pitches.push(self.pitch(line, &mut ix));
                        inner.get_or_insert(length(line, &mut ix));
                    }
                    ix += 1;
                    let outer = length(line, &mut ix);
                    self.sound(&pitches, inner.unwrap() * outer, line, &mut ix);
                }
                _ => {
                    ix -= 1;
                    let pitch = self.pitch(line, &mut ix);
                    let length = length(line, &mut ix);
                    self.sound(&[pitch], length, line, &mut ix);
                }
            }
        }
    }

    fn barline(&mut self) {
        let voice = self.now();
        voice.accidentals.clear();
        let at = voice.at;
        self.tune
            .barlines
            .entry(self.voice.clone())
            .or_default()
            .push(at);
    }

    fn tuplet(&mut self, line: &[char], mut ix: usize) -> usize {
        assert_eq!(self.tuplet.0, 0, "a tuplet in a tuplet");
        let mut parts = [None; 3];
        for (n, part) in parts.iter_mut().enumerate() {
            if n > 0 {
                if line[ix] != ':' {
                    break;
                }
                ix += 1;
            }
            *part = number(line, &mut ix);
        }
        let many = parts[0].unwrap();
        // If left out, 3 notes are as long as 2. No other tuplet leaves it out.
        let time = parts[1].unwrap_or_else(|| {
            assert_eq!(many, 3);
            2
        });
        self.tuplet = (
            parts[2].unwrap_or(many),
            Time::new(time.into(), many.into()),
        );
        ix
    }

    /// The length of a note as written, in its tuplet.
    fn lasts(&mut self, written: Time) -> Time {
        let length = written * self.unit;
        match self.tuplet.0 {
            0 => length,
            _ => {
                self.tuplet.0 -= 1;
                length * self.tuplet.1
            }
        }
    }

    fn pass(&mut self, length: Time) {
        assert!(length > Time::ZERO);
        let voice = self.now();
        voice.at = voice.at + length;
    }

    fn pitch(&mut self, line: &[char], ix: &mut usize) -> u8 {
        let mut alter = None;
        while let Some(sign @ ('^' | '_' | '=')) = line.get(*ix) {
            let step = match sign {
                '^' => 1,
                '_' => -1,
                _ => 0,
            };
            alter = Some(alter.unwrap_or(0) + step);
            *ix += 1;
        }
        let letter = line[*ix];
        *ix += 1;
        let upper = letter.to_ascii_uppercase();
        let semitone = [0, 2, 4, 5, 7, 9, 11]["CDEFGAB".find(upper).unwrap()];
        let mut octave = i32::from(letter.is_lowercase());
        while let Some(mark @ (',' | '\'')) = line.get(*ix) {
            octave += if *mark == ',' { -1 } else { 1 };
            *ix += 1;
        }
        let only = self.habits.octave_only;
        let voice = self.now();
        let alter = match alter {
            Some(alter) => {
                voice.accidentals.push((upper, octave, alter));
                alter
            }
            None => {
                let mut held = voice.accidentals.iter().rev();
                let held = held.find(|(at, own, _)| *at == upper && (!only || *own == octave));
                held.map_or_else(|| in_key(voice.own.sharps, upper), |(_, _, alter)| *alter)
            }
        };
        u8::try_from(60 + 12 * octave + semitone + alter).unwrap()
    }

    fn sound(&mut self, pitches: &[u8], written: Time, line: &[char], ix: &mut usize) {
        let tied = line.get(*ix) == Some(&'-');
        *ix += usize::from(tied);
        let length = self.lasts(written);
        let marks = std::mem::take(&mut self.marks);
        let name = self.voice.clone();
        let voice = self.voices.get_mut(&name).unwrap();
        let (at, end) = (voice.at, voice.at + length);
        voice.at = end;
        let mut own = Vec::new();
        for pitch in pitches {
            let before = voice.tied.remove(pitch);
            own.push(match before {
                Some((note, until)) => {
                    assert_eq!(until, at, "a tie goes over a gap");
                    let note_of = &mut self.tune.notes[note];
                    note_of.length = note_of.length + length;
                    note
                }
                None => {
                    let note = Note {
                        voice: name.clone(),
                        pitch: *pitch,
                        at,
                        length,
                        lyric: None,
                        marks: marks.clone(),
                    };
                    self.tune.notes.push(note);
                    self.tune.notes.len() - 1
                }
            });
        }
        assert!(voice.tied.is_empty(), "a tie leads to another note");
        if tied {
            voice.tied.extend(
                pitches
                    .iter()
                    .zip(&own)
                    .map(|(pitch, note)| (*pitch, (*note, end))),
            );
        }
        voice.unsung.push(own[0]);
    }

    /// Assigns a line of lyrics to the notes that have none yet.
    fn sing(&mut self, text: &str) {
        let notes = std::mem::take(&mut self.now().unsung);
        let mut notes = notes.into_iter();
        let mut syllable = String::new();
        let mut chars = text.chars().peekable();
        let mut after_break = true;
        let mut set = |reader: &mut Self, text: &mut String, hyphen: bool| {
            let note = notes.next().unwrap();
            if !text.is_empty() {
                let sung = &mut reader.tune.notes[note].lyric;
                assert!(sung.is_none(), "two syllables on a note");
                *sung = Some((std::mem::take(text), hyphen));
            }
        };
        while let Some(c) = chars.next() {
            let breaks = matches!(c, ' ' | '-' | '_' | '*');
            if breaks && !syllable.is_empty() {
                set(self, &mut syllable, c == '-');
            } else if c == '-' && after_break {
                set(self, &mut String::new(), false);
            }
            match c {
                '_' | '*' => set(self, &mut String::new(), false),
                '~' => syllable.push(' '),
                '|' => panic!("a bar in lyrics"),
                '\\' if chars.peek() == Some(&'-') => syllable.extend(chars.next()),
                '\\' => {
                    let count = if chars.peek() == Some(&'u') { 5 } else { 1 };
                    let escape: String = chars.by_ref().take(count).collect();
                    syllable.push_str(&plain(&format!("\\{escape}")));
                }
                c if !breaks => syllable.push(c),
                _ => {}
            }
            after_break = matches!(c, ' ' | '-');
        }
        if !syllable.is_empty() {
            set(self, &mut syllable, false);
        }
    }
}

impl Tune {
    /// The notes: staff, pitch, start and length.
    pub fn heard(&self, whole: u32) -> BTreeSet<(usize, u8, u64, u64)> {
        let heard = self.notes.iter().map(|note| {
            let own = |voices: &Vec<String>| voices.contains(&note.voice);
            let staff = self.staves.iter().position(own).unwrap();
            (
                staff,
                note.pitch,
                note.at.ticks(whole),
                note.length.ticks(whole),
            )
        });
        heard.collect()
    }

    /// The fields with a name in a voice, with their times and texts.
    pub fn fields(&self, voice: &str, name: &str, whole: u32) -> Vec<(u64, &str)> {
        let own = self.fields.iter().filter(|(own, _, _)| own == voice);
        let texts =
            own.filter_map(|(_, at, text)| Some((at.ticks(whole), text.strip_prefix(name)?)));
        texts.collect()
    }
}
