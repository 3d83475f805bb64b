//! Target of non-note events: a track or the song.

use fcp::prelude::*;
use fcp::verb::Takes;

use crate::model::{Chunk, Site, Song, Track};
use crate::values::{Channel, Pos};

/// The explanation for files of format 2.
const PATTERNS: &str = "each pattern of this file is a song of its own";

/// The word for the song itself.
const SONG: &str = "song";

/// A track by its name, or the song itself: `song`.
#[derive(Clone, Copy, Debug)]
pub struct Target(Option<Ref<Track>>);

impl FromArg<Song> for Target {
    const TAKES: Takes = Takes::Reference;

    fn spec() -> ValueSpec {
        <Ref<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        let is_song = arg.kind.is_none() && arg.text.eq_ignore_ascii_case(SONG);
        let has_its_name = |track: &Track| {
            let start = track.name.get(..SONG.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(SONG))
        };
        // Nearly always no track has this name, and the error of a missing one takes long to make.
        if is_song
            && !scope
                .model
                .tracks
                .iter()
                .any(|(_, track)| has_its_name(track))
        {
            return Ok(Self(None));
        }
        match <Ref<Track> as FromArg<Song>>::from_arg(arg, scope) {
            Err(_) if is_song => Ok(Self(None)),
            track => track.map(|track| Self(Some(track))),
        }
    }
}

impl Target {
    /// The channel of the track, if it is a track.
    #[must_use]
    pub fn channel(self, song: &Song) -> Option<Channel> {
        song.tracks.get(self.0?.id())?.channel
    }

    /// Whether it is the song itself.
    #[must_use]
    pub const fn is_song(self) -> bool {
        self.0.is_none()
    }

    /// The chunk for its events, and the track, if it is a track.
    ///
    /// # Errors
    /// The chunk is damaged, or the target is the song of a file whose patterns are songs of their
    /// own.
    pub fn home(own: &Spanned<Self>, song: &mut Song) -> Result<(Id<Chunk>, Option<Id<Track>>)> {
        let home = match (own.get().0, song.first_pattern()) {
            (Some(track), _) => (song.tracks.need(track.id())?.chunk, Some(track.id())),
            // Song rows in the chunk of a track are read as that track's.
            (None, None) => {
                let chunk = song.conductor();
                (chunk, song.tracks.index().of(chunk).next())
            }
            (None, Some(first)) => {
                let error = ValueError::sentence(format!("{PATTERNS}, so say which"));
                return Err(own.wrong(error.fix(song.name_of_track(first))));
            }
        };
        song.writable(home.0)?;
        // In a file of format 0, rows without a channel belong to the song.
        let own = home.1.filter(|_| song.file.header.format != 0);
        Ok((home.0, own))
    }
}

impl Song {
    /// The chunk of the pattern whose tempo, meter, key or markers are meant; `None` if the file is
    /// one song.
    ///
    /// # Errors
    /// No pattern is named in a file of patterns, or a track in another.
    pub fn scored(&self, on: Option<&Spanned<Ref<Track>>>) -> Result<Option<Id<Chunk>>> {
        match (on, self.first_pattern()) {
            (Some(on), Some(_)) => Ok(Some(self.tracks.need(on.get().id())?.chunk)),
            (Some(on), None) => {
                let problem =
                    "is extra: tempo, meter, key, markers and bars belong to the whole song";
                Err(on.surplus(&ValueError::new(problem)))
            }
            (None, None) => Ok(None),
            (None, Some(first)) => {
                let name = fcp::op::quote_value(&self.name_of_track(first)).into_owned();
                bail!("{PATTERNS}, so say which"; add: "on:{name}");
            }
        }
    }

    /// The chunk for tempo, meter, key and markers: in a file of patterns that of the named
    /// pattern.
    ///
    /// # Errors
    /// As for [`Self::scored`], or the chunk is damaged.
    pub fn score(&mut self, on: Option<&Spanned<Ref<Track>>>) -> Result<Id<Chunk>> {
        let chunk = match self.scored(on)? {
            Some(chunk) => chunk,
            None => self.conductor(),
        };
        self.writable(chunk)?;
        Ok(chunk)
    }

    /// The place of an event on a track: at the start if none is given.
    ///
    /// # Errors
    /// The position is invalid here, or the chunk is damaged.
    pub fn site(
        &self,
        track: Ref<Track>,
        at: Option<&Spanned<Pos>>,
        channel: Option<Channel>,
    ) -> Result<Site> {
        let row = self.tracks.need(track.id())?;
        self.writable(row.chunk)?;
        if self.file.header.format == 0 && channel.is_some_and(|own| row.channel != Some(own)) {
            bail!("a file of format 0 has one track a channel; name the track of that channel");
        }
        let at = match at {
            Some(at) => self.tick(at, row.chunk, Some(track.id()))?,
            None => 0,
        };
        Ok(Site {
            track: track.id(),
            chunk: row.chunk,
            channel: channel.or(row.channel).unwrap_or(Channel::FIRST),
            at,
        })
    }
}
