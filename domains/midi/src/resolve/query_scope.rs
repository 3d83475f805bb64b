//! Targets of queries: tracks by name, the song itself, or rows by selectors.

use std::collections::BTreeMap;

use fcp::prelude::*;
use fcp::verb::Takes;

use crate::display::row_list::of_song;
use crate::model::{Note, Song, Track};
use crate::values::Span;

/// Tracks by their names, the song's own rows, or the rows that selectors match.
#[derive(Clone, Debug)]
pub enum QueryScope {
    /// Tracks: a name, several between commas, or `*`.
    Tracks(Vec<Id<Track>>),
    /// The rows of the song: `song`.
    Song,
    /// Rows that selectors match.
    Rows(Rows),
}

impl FromArg<Song> for QueryScope {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Selection<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        if !arg.selectors.is_empty() {
            let rows = <Rows as FromArg<Song>>::from_arg(arg, scope)?;
            return Ok(Self::Rows(rows));
        }
        match <Selection<Track> as FromArg<Song>>::from_arg(arg, scope) {
            Err(_) if arg.kind.is_none() && arg.text.eq_ignore_ascii_case("song") => Ok(Self::Song),
            tracks => tracks.map(|tracks| Self::Tracks(ordered(scope.model, &tracks))),
        }
    }
}

/// Named tracks, in the order of the file.
fn ordered(song: &Song, tracks: &Selection<Track>) -> Vec<Id<Track>> {
    let mut tracks: Vec<Id<Track>> = tracks.iter().collect();
    tracks.sort_by_key(|id| song.tracks.get(*id).map(|row| row.chunk));
    tracks
}

/// Notes by track: all notes of named tracks, or those that selectors match.
#[derive(Clone, Debug)]
pub struct NoteScope(Vec<(Id<Track>, Picked)>);

/// The selected notes; `None` for all.
type Picked = Option<Vec<Id<Note>>>;

impl FromArg<Song> for NoteScope {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Selection<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        if arg.selectors.is_empty() {
            let tracks = <Selection<Track> as FromArg<Song>>::from_arg(arg, scope)?;
            let tracks = ordered(scope.model, &tracks).into_iter();
            return Ok(Self(tracks.map(|id| (id, None)).collect()));
        }
        let notes = <Selection<Note> as FromArg<Song>>::from_arg(arg, scope)?;
        let mut tracks: BTreeMap<Id<Track>, Vec<Id<Note>>> = BTreeMap::new();
        for id in notes.iter() {
            if let Some(note) = scope.model.notes.get(id) {
                tracks.entry(note.track).or_default().push(id);
            }
        }
        let own = |id: Id<Track>| tracks.remove(&id).map(|notes| (id, Some(notes)));
        let order = scope.model.ordered().map(|(id, _)| id);
        Ok(Self(order.filter_map(own).collect()))
    }
}

impl NoteScope {
    /// All tracks, with all notes.
    #[must_use]
    pub fn all(song: &Song) -> Self {
        Self(song.ordered().map(|(id, _)| (id, None)).collect())
    }

    /// The tracks with their notes that sound in a span of their time, in the order they start. A
    /// track without selected notes there is left out.
    ///
    /// # Errors
    /// The span is invalid on one of them.
    pub fn sounding<'s>(
        &self,
        song: &'s Song,
        span: Option<&Spanned<Span>>,
    ) -> Result<Vec<Sounding<'s>>> {
        let mut heard = Vec::new();
        for (track, picked) in &self.0 {
            let chunk = song.tracks.need(*track)?.chunk;
            let (from, to) = song.asked(span, chunk)?;
            let ids = match picked {
                Some(ids) => ids.clone(),
                None => song.sounding(chunk, *track, from, to),
            };
            let notes = ids.into_iter().filter_map(|id| song.notes.get(id));
            let ends = |note: &Note| note.dur.is_none_or(|dur| note.at + dur > from);
            let mut notes: Vec<&Note> = notes
                .filter(|note| note.at < to && (note.at >= from || ends(note)))
                .collect();
            notes.sort_by_key(|note| note.at);
            if picked.is_none() || !notes.is_empty() {
                heard.push(Sounding {
                    track: *track,
                    span: (from, to),
                    notes,
                });
            }
        }
        Ok(heard)
    }
}

/// Notes of a track that sound in a span.
pub struct Sounding<'s> {
    /// The track.
    pub track: Id<Track>,
    /// The first tick of the span, and the first tick after it.
    pub span: (u64, u64),
    /// The notes, in the order they start.
    pub notes: Vec<&'s Note>,
}

/// Tracks, optional before a span: `Keys`, or just a span: `5-8`, `Chorus`.
#[derive(Clone, Debug)]
pub enum Players {
    /// Tracks, or notes that selectors match.
    These(NoteScope),
    /// All tracks, in a span.
    All(Box<Spanned<Span>>),
}

impl FromArg<Song> for Players {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Selection<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        <NoteScope as FromArg<Song>>::from_arg(arg, scope)
            .map(Self::These)
            .or_else(|error| {
                let place = arg.text.starts_with(|c: char| c.is_ascii_digit());
                let place = place || scope.model.is_section(arg.text);
                match <Spanned<Span> as FromArg<Song>>::from_arg(arg, scope) {
                    Ok(span) if place && arg.selectors.is_empty() => Ok(Self::All(Box::new(span))),
                    _ => Err(error),
                }
            })
    }
}

/// Rows that are named or selected, or the rows of the song: `song`.
#[derive(Clone, Debug)]
pub struct Described(Vec<Row>);

impl FromArg<Song> for Described {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Rows as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        let rows = <Rows as FromArg<Song>>::from_arg(arg, scope);
        let is_song = arg.kind.is_none() && arg.text.eq_ignore_ascii_case("song");
        if rows.is_err() && is_song && arg.selectors.is_empty() {
            let song = scope.model;
            let chunks = song.chunks.iter().map(|(id, _)| (id, (0, u64::MAX)));
            return Ok(Self(of_song(song, chunks).collect()));
        }
        rows.map(|rows| Self(rows.iter().collect()))
    }
}

impl Described {
    /// The rows.
    #[must_use]
    pub fn rows(self) -> Vec<Row> {
        self.0
    }
}
