//! What queries look at: tracks by name, the song itself, or rows by selectors.

use fcp::prelude::*;
use fcp::verb::Takes;

use crate::Song;
use crate::model::Track;
use crate::values::Span;

/// Tracks by their names, the song's own rows, or the rows that selectors match.
#[derive(Clone, Debug)]
pub enum Parts {
    /// Tracks: a name, several between commas, or `*`.
    Tracks(Vec<Id<Track>>),
    /// The rows of the song: `song`.
    Song,
    /// What selectors match.
    Rows(Vec<Row>),
}

impl FromArg<Song> for Parts {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Selection<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        if !arg.selectors.is_empty() {
            let rows = <Rows as FromArg<Song>>::from_arg(arg, scope)?;
            return Ok(Self::Rows(rows.iter().collect()));
        }
        match <Selection<Track> as FromArg<Song>>::from_arg(arg, scope) {
            Err(_) if arg.kind.is_none() && arg.text.eq_ignore_ascii_case("song") => Ok(Self::Song),
            tracks => tracks.map(|tracks| Self::Tracks(tracks.iter().collect())),
        }
    }
}

/// Tracks, which may be left out before a span: `Keys`, or at once `5-8`, `Chorus`.
#[derive(Clone, Debug)]
pub enum Players {
    /// Tracks.
    These(Vec<Id<Track>>),
    /// All of them, in a span.
    All(Box<Spanned<Span>>),
}

impl FromArg<Song> for Players {
    const TAKES: Takes = <Selection<Track> as FromArg<Song>>::TAKES;

    fn spec() -> ValueSpec {
        <Selection<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        <Selection<Track> as FromArg<Song>>::from_arg(arg, scope)
            .map(|tracks| Self::These(tracks.iter().collect()))
            .or_else(|error| {
                let place = arg.text.starts_with(|c: char| c.is_ascii_digit());
                let place = place || matches!(scope.model.marked(arg.text), Ok(Some(_)));
                match <Spanned<Span> as FromArg<Song>>::from_arg(arg, scope) {
                    Ok(span) if place && arg.selectors.is_empty() => Ok(Self::All(Box::new(span))),
                    _ => Err(error),
                }
            })
    }
}
