//! What `remove` takes: rows, or a kind of rows that its other words narrow down.

use fcp::model::ModelExt;
use fcp::prelude::*;
use fcp::verb::Takes;

use crate::model::{Control, Marker, Note, Song, Track};
use crate::values::{Controller, Pos, Span};

/// Rows, or a kind of rows.
#[derive(Clone, Debug)]
pub enum Doomed {
    /// These.
    Rows(Rows),
    /// All of a kind, as far as nothing else is said.
    Kind(usize),
}

impl FromArg<Song> for Doomed {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Rows as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        let rows = <Rows as FromArg<Song>>::from_arg(arg, scope);
        // What is called like a kind is meant before the kind is.
        let kind = match &rows {
            Err(_) if arg.selectors.is_empty() && arg.kind.is_none() => kind(arg.text),
            _ => None,
        };
        match kind {
            Some(part) => Ok(Self::Kind(part)),
            None => rows.map(Self::Rows).map_err(|mut error| {
                if error.fix.is_none() && arg.selectors.is_empty() && arg.kind.is_none() {
                    let kinds = Song::kinds().map(|(_, shape)| shape.kind);
                    let kinds = kinds.filter(|word| self::kind(word).is_some());
                    error.fix = fcp::value::nearest_word(arg.text, kinds).map(str::to_owned);
                }
                error
            }),
        }
    }
}

/// The kind of a word, of those that stand at a place.
fn kind(word: &str) -> Option<usize> {
    // The words of verbs that add them.
    let word = match word.to_ascii_lowercase().as_str() {
        "time-sig" => "meter".to_owned(),
        "key-sig" => "key".to_owned(),
        "instrument" => "program".to_owned(),
        other => other.to_owned(),
    };
    let mut kinds = Song::kinds().filter(|(_, shape)| {
        !matches!(shape.kind, "track" | "chunk") && (shape.kind == word || shape.plural == word)
    });
    kinds.next().map(|(part, _)| part)
}

/// Which rows of a kind are meant.
pub struct Narrowed<'a> {
    /// A controller, a drum or pitch, or what a text says.
    pub name: Option<&'a Spanned<Text>>,
    /// Where they stand.
    pub at: Option<&'a Spanned<Pos>>,
    /// The track they stand on.
    pub on: Option<Id<Track>>,
}

impl Doomed {
    /// The rows that are meant.
    ///
    /// # Errors
    /// There are none, or what narrows a kind down stands beside rows.
    pub fn rows(&self, song: &Song, narrowed: &Narrowed<'_>) -> Result<Vec<Row>> {
        let part = match self {
            Self::Rows(rows) => {
                if let Some(at) = narrowed.at {
                    return Err(at.wrong(ValueError::new("is for a kind: remove tempo at:5")));
                }
                if let Some(name) = narrowed.name {
                    return Err(name.wrong(ValueError::new("is one word too many")));
                }
                if narrowed.on.is_some() {
                    bail!("on: is for a kind: remove cc volume on:Keys");
                }
                return Ok(rows.iter().collect());
            }
            Self::Kind(part) => *part,
        };
        let Some((_, shape)) = Song::kinds().find(|(own, _)| *own == part) else {
            bail!("there is no such kind");
        };
        let tick = match narrowed.at {
            Some(at) => {
                let chunk = match narrowed.on {
                    Some(on) => song.tracks.need(on)?.chunk,
                    None => song.first_chunk().unwrap_or(Id::new(0)),
                };
                Some(song.tick(at, chunk, narrowed.on)?)
            }
            None => None,
        };
        let controller = match narrowed
            .name
            .filter(|_| part == <Song as HasTable<Control>>::PART)
        {
            Some(name) => {
                let read = Controller::parse(name.get().as_str());
                Some(read.map_err(|error| name.wrong(error))?)
            }
            None => None,
        };
        let says = |row: Row| match (narrowed.name, controller) {
            (None, _) => true,
            (_, Some(controller)) => {
                let row = song.controls.get(row.of());
                row.is_some_and(|row| row.number == controller.get())
            }
            (Some(name), None) if part == <Song as HasTable<Marker>>::PART => {
                let row = song.markers.get(row.of());
                row.is_some_and(|row| row.text.eq_ignore_ascii_case(name.get().as_str()))
            }
            (Some(name), None) => {
                let told = song.told(row).to_lowercase();
                let name = name.get().as_str().to_lowercase();
                told.split([' ', '"']).any(|word| word == name)
            }
        };
        let ids = song.rows(part).map(|rows| rows.ids().collect::<Vec<_>>());
        let rows = ids
            .unwrap_or_default()
            .into_iter()
            .map(|id| Row::new(part, id));
        let rows: Vec<Row> = rows
            .filter(|row| match tick {
                Some(tick) => song.starts(*row).is_some_and(|(_, at)| at == tick),
                None => true,
            })
            .filter(|row| narrowed.on.is_none_or(|on| song.track_of(*row) == Some(on)))
            .filter(|row| says(*row))
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

    /// `; left: 3 cc, 1 lyric`: what stays of other kinds on the tracks whose notes go, in the span they were picked by.
    #[must_use]
    pub fn left(&self, song: &Song, gone: &[Row]) -> String {
        let Self::Rows(rows) = self else {
            return String::new();
        };
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
        let mut tracks: Vec<Id<Track>> =
            gone.iter().filter_map(|row| song.track_of(*row)).collect();
        tracks.sort_unstable();
        tracks.dedup();
        let mut left = Vec::new();
        for track in tracks {
            let chunk = song.tracks.get(track).map_or(Id::new(0), |row| row.chunk);
            let ticks = Span::parse(&span.value).and_then(|span| song.span_ticks(&span, chunk));
            let Ok((from, to)) = ticks else { continue };
            let mut here = Vec::new();
            song.starting(chunk, from, to, &mut here);
            here.sort_unstable_by_key(|(key, row)| (row.part(), *key));
            let stays = |row: &Row| {
                row.part() != <Song as HasTable<Note>>::PART
                    && song.track_of(*row) == Some(track)
                    && !song.names_track(*row)
            };
            left.extend(here.into_iter().map(|(_, row)| row).filter(stays));
        }
        match song.counted(left.into_iter()) {
            counted if counted.is_empty() => counted,
            counted => format!("; left: {counted}"),
        }
    }
}
