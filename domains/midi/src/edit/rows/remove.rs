//! Targets of `remove`: rows, or a kind of rows narrowed by other parameters.

use fcp::model::{EntityShape, ModelExt};
use fcp::prelude::*;
use fcp::value::nearest_word;
use fcp::verb::Takes;

use crate::display::event_text;
use crate::model::{ControlChange, IsKind, Note, Song, Track, row_of};
use crate::parameters;
use crate::parameters::{ParameterIndex, SelectedRows};
use crate::resolve::section::section;
use crate::values::{Controller, Parameter, PitchWord, Pos, Span};

/// Rows to remove, given one by one or as a kind.
#[derive(Clone, Debug)]
pub enum RemoveTarget {
    /// Given rows; the row that a parameter is listed by stands for the whole parameter.
    Rows(Rows),
    /// Exactly these rows: those that a `DELETE` matches.
    Exactly(Rows),
    /// All rows of a kind that match the other parameters.
    Kind(usize),
    /// All RPN and NRPN parameters that match the other parameters.
    Parameters,
}

impl FromArg<Song> for RemoveTarget {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Rows as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        let rows = <Rows as FromArg<Song>>::from_arg(arg, scope);
        if arg.picked.is_some() {
            return rows.map(Self::Exactly);
        }
        if let Some(error) = rows.as_ref().ok().and_then(|rows| section(arg, rows)) {
            // Of the two readings, offer the one that removes less.
            return Err(error.fix(format!("marker:{}", arg.text)));
        }
        // A row of that name takes precedence over the kind.
        if rows.is_ok() || !arg.selectors.is_empty() || arg.kind.is_some() {
            return rows.map(Self::Rows);
        }
        match kind(arg.text) {
            Some(part) => Ok(Self::Kind(part)),
            None if arg.text.eq_ignore_ascii_case("rpn") => Ok(Self::Parameters),
            None => rows.map(Self::Rows).map_err(|error| match error.fix {
                None => {
                    let meant = named(arg, scope).or_else(|| sounding(arg.text));
                    error.maybe_fix(meant.or_else(|| slip(arg.text).map(str::to_owned)))
                }
                Some(_) => error,
            }),
        }
    }
}

/// Words of verbs that add rows of a differently named kind.
const ADDED: [(&str, &str); 5] = [
    ("time-sig", "meter"),
    ("key-sig", "key"),
    ("instrument", "program"),
    ("raw", "event"),
    ("sysex", "event"),
];

/// The kinds of rows that have a position.
fn kinds() -> impl Iterator<Item = (usize, &'static EntityShape)> {
    Song::kinds().filter(|(_, shape)| !matches!(shape.kind, "track" | "chunk"))
}

/// All words for kinds.
fn words() -> impl Iterator<Item = &'static str> {
    let own = kinds().map(|(_, shape)| shape.kind);
    own.chain(ADDED.map(|(word, _)| word)).chain(["rpn"])
}

/// A selector of the notes of a pitch or drum. A number is not read as a pitch: it may count
/// anything.
fn sounding(text: &str) -> Option<String> {
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let reads = is_name && PitchWord::parse(text).is_ok();
    reads.then(|| format!("@pitch:{text}"))
}

/// The nearest word for a kind. A word whose length differs by more than one is not a typo: it
/// means something else.
fn slip(text: &str) -> Option<&'static str> {
    let is_word = text.len() > 2 && !text.contains(|c: char| c.is_ascii_digit());
    let near = nearest_word(text, words()).filter(|_| is_word)?;
    (near.len().abs_diff(text.len()) <= 1).then_some(near)
}

/// Splits a kind and a name written as one word: `marker:Chorus` for `markerChorus`.
fn named(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Option<String> {
    let is_row = |kind: &'static str, name: &str| {
        let one = Arg {
            text: name,
            kind: Some(kind),
            ..arg.clone()
        };
        <Rows as FromArg<Song>>::from_arg(&one, scope).is_ok()
    };
    kinds().find_map(|(_, shape)| {
        let (head, rest) = arg.text.split_at_checked(shape.kind.len())?;
        let name = rest.trim_start_matches(['-', '_', '=']);
        let is_kind = head.eq_ignore_ascii_case(shape.kind) && !name.is_empty();
        (is_kind && is_row(shape.kind, name)).then(|| format!("{}:{name}", shape.kind))
    })
}

/// The kind that a word names.
fn kind(word: &str) -> Option<usize> {
    let word = word.to_ascii_lowercase();
    let added = ADDED.iter().find(|(own, _)| *own == word);
    let word = added.map_or(&*word, |(_, kind)| kind);
    let mut kinds = kinds().filter(|(_, shape)| shape.kind == word || shape.plural == word);
    kinds.next().map(|(part, _)| part)
}

/// Parameters that narrow a kind to some of its rows.
pub struct RemoveFilter<'a> {
    /// A controller, a drum or pitch, or a text.
    pub name: Option<&'a Spanned<Text>>,
    /// Their position.
    pub at: Option<&'a Spanned<Pos>>,
    /// Their track, or the pattern they belong to.
    pub on: Option<&'a Spanned<Ref<Track>>>,
}

impl RemoveFilter<'_> {
    /// The tick of `at`.
    fn tick(&self, song: &Song) -> Result<Option<u64>> {
        let Some(at) = self.at else { return Ok(None) };
        let chunk = match self.track() {
            Some(on) => song.tracks.need(on)?.chunk,
            None => song.first_chunk().unwrap_or(Id::new(0)),
        };
        song.tick(at, chunk, self.track()).map(Some)
    }

    /// The track of `on`.
    fn track(&self) -> Option<Id<Track>> {
        self.on.map(|on| on.get().id())
    }

    /// Whether a row is on the given track, if there is one; the song rows of a pattern count as on
    /// its track.
    fn is_on(&self, song: &Song, row: Row) -> bool {
        self.track().is_none_or(|on| song.owner_of(row) == Some(on))
    }
}

/// The control changes of the matching parameters.
fn parameters(song: &Song, narrowed: &RemoveFilter<'_>) -> Result<Vec<Row>> {
    let tick = narrowed.tick(song)?;
    let parameter = match narrowed.name {
        Some(name) => {
            let read = Parameter::parse(name.get().as_str());
            Some(read.map_err(|error| name.wrong(error))?)
        }
        None => None,
    };
    let tracks: Vec<Id<Track>> = match narrowed.track() {
        Some(on) => vec![on],
        None => song.tracks.iter().map(|(track, _)| track).collect(),
    };
    let all = tracks
        .into_iter()
        .flat_map(|track| parameters::of_track(song, track, u64::MAX));
    let meant = all.filter(|group| {
        tick.is_none_or(|tick| tick == group.site.at)
            && parameter.is_none_or(|own| own == group.parameter)
    });
    let groups: Vec<_> = meant.collect();
    let says_nothing = tick.is_none() && narrowed.on.is_none() && parameter.is_none();
    match groups.as_slice() {
        [] => bail!("there is no such rpn to remove"),
        [_, _, ..] if says_nothing => {
            bail!("there are {} rpn; say which, or all", groups.len(); try: "remove @type:rpn")
        }
        groups => {
            let ids = groups.iter().flat_map(|group| &group.rows);
            Ok(ids.map(|id| row_of(*id)).collect())
        }
    }
}

/// Whether a row has this name: its whole text, the pitch of a note, or for other rows a word after
/// the kind.
fn has_name(song: &Song, row: Row, name: &str) -> bool {
    let is = |word: &str| word.trim().to_lowercase() == name.trim().to_lowercase();
    match song.text_of(row) {
        Some((text, _)) => is(text),
        None => event_text::event_text(song, row).is_some_and(|text| {
            let mut words = text.split(' ');
            match row.is::<Note>() {
                true => words.next().is_some_and(is),
                false => words.skip(1).any(is),
            }
        }),
    }
}

impl RemoveTarget {
    /// The matching rows.
    ///
    /// # Errors
    /// There are none, or narrowing parameters come with rows instead of a kind.
    pub fn rows(&self, song: &Song, narrowed: &RemoveFilter<'_>) -> Result<Vec<Row>> {
        let part = match self {
            Self::Rows(rows) => {
                if let Some(at) = narrowed.at {
                    return Err(at.wrong(ValueError::new("needs a kind: remove tempo at:5")));
                }
                if let Some(name) = narrowed.name {
                    return Err(name.wrong(ValueError::new("is an extra word")));
                }
                if narrowed.on.is_some() {
                    bail!("on: needs a kind: remove cc volume on:Keys");
                }
                return Ok(SelectedRows::of(song, rows).rows);
            }
            Self::Exactly(rows) => return Ok(rows.iter().collect()),
            Self::Parameters => return parameters(song, narrowed),
            Self::Kind(part) => *part,
        };
        let Some((_, shape)) = Song::kinds().find(|(own, _)| *own == part) else {
            bail!("there is no such kind");
        };
        if song.is_of_song(part) {
            song.scored(narrowed.on)?;
        }
        let tick = narrowed.tick(song)?;
        let is_control = part == crate::model::part::<ControlChange>();
        let controller = match narrowed.name.filter(|_| is_control) {
            Some(name) => {
                let read = Controller::parse(name.get().as_str());
                Some(read.map_err(|error| name.wrong(error))?)
            }
            None => None,
        };
        let is_named = |row: Row| match (narrowed.name, controller) {
            (None, _) => true,
            (_, Some(controller)) => {
                let row = song.controls.get(row.of());
                row.is_some_and(|row| row.number == controller.get())
            }
            (Some(name), None) => has_name(song, row, name.get().as_str()),
        };
        let ids = song.rows(part).map(|rows| rows.ids().collect::<Vec<_>>());
        let rows = ids
            .unwrap_or_default()
            .into_iter()
            .map(|id| Row::new(part, id));
        // Control changes that belong to a parameter are left out, unless the controller is named.
        let grouped = (is_control && controller.is_none()).then(|| ParameterIndex::of(song));
        let rows: Vec<Row> = rows
            .filter(|row| match tick {
                Some(tick) => song.starts(*row).is_some_and(|(_, at)| at == tick),
                None => true,
            })
            .filter(|row| narrowed.is_on(song, *row) && !song.names_track(*row))
            .filter(|row| is_named(*row))
            .filter(|row| grouped.as_ref().is_none_or(|all| !all.contains(*row)))
            .collect();
        if rows.is_empty() {
            bail!("there is no such {} to remove", shape.kind);
        }
        let says_nothing = tick.is_none() && narrowed.on.is_none() && narrowed.name.is_none();
        if says_nothing && rows.len() > 1 {
            let kind = shape.kind;
            bail!("there are {}; say which, or all", shape.count(rows.len()); try: "remove @type:{kind}");
        }
        Ok(rows)
    }

    /// `; left: 3 cc, 1 lyric`: the remaining rows of other kinds on the tracks of removed notes,
    /// within the selected span; for a `DELETE` the key aftertouch of the removed notes.
    #[must_use]
    pub fn left(&self, song: &Song, gone: &[Row]) -> String {
        match self {
            Self::Rows(rows) => left_in_span(song, rows, gone),
            Self::Exactly(_) => left_touches(song, gone),
            Self::Kind(_) | Self::Parameters => String::new(),
        }
    }
}

/// `; left: 8 touches`: the remaining key aftertouch of removed notes.
fn left_touches(song: &Song, gone: &[Row]) -> String {
    let notes = gone.iter().filter(|row| row.is::<Note>());
    let touches = song.followers(notes.map(|row| row.of()), gone);
    left(song, touches.rows())
}

/// `; left: 3 cc, 1 lyric`
fn left(song: &Song, rows: impl Iterator<Item = Row>) -> String {
    match song.counted(rows) {
        counted if counted.is_empty() => counted,
        counted => format!("; left: {counted}"),
    }
}

/// The remaining rows of other kinds on the tracks of removed notes, within the selected span.
fn left_in_span(song: &Song, rows: &Rows, gone: &[Row]) -> String {
    let typed = ["type", "cc", "text", "id", "recent"];
    let clauses = rows.clauses();
    let spans = ["range", "bar", "section"];
    let named = clauses
        .iter()
        .find(|clause| spans.contains(&&*clause.name) && !clause.negated);
    let is_typed = clauses.iter().any(|clause| typed.contains(&&*clause.name));
    let Some(span) = named.filter(|_| !is_typed) else {
        return String::new();
    };
    let mut tracks: Vec<Id<Track>> = gone.iter().filter_map(|row| song.track_of(*row)).collect();
    tracks.sort_unstable();
    tracks.dedup();
    let mut remaining = Vec::new();
    for track in tracks {
        let chunk = song.tracks.get(track).map_or(Id::new(0), |row| row.chunk);
        let ticks = Span::parse(&span.value).and_then(|span| song.span_ticks(&span, chunk));
        let Ok((from, to)) = ticks else { continue };
        let mut here = Vec::new();
        song.starting(chunk, from, to, &mut here);
        here.sort_unstable_by_key(|(key, row)| (row.part(), *key));
        let stays = |row: &Row| {
            !row.is::<Note>() && song.track_of(*row) == Some(track) && !song.names_track(*row)
        };
        remaining.extend(here.into_iter().map(|(_, row)| row).filter(stays));
    }
    left(song, remaining.into_iter())
}
