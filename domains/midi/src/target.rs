//! Target of non-note events: a track or the song.

use fcp::prelude::*;
use fcp::verb::Takes;

use crate::lines;
use crate::model::{Bend, Chunk, START, Song, Timeline, Track};
use crate::rpn;
use crate::values::{Channel, Controller, Frac, Pos};

/// The explanation for files of format 2.
const PATTERNS: &str = "each pattern of this file is a song of its own";

/// A track by its name, or the song itself: `song`.
#[derive(Clone, Copy, Debug)]
pub struct Target(Option<Ref<Track>>);

impl FromArg<Song> for Target {
    const TAKES: Takes = Takes::Reference;

    fn spec() -> ValueSpec {
        <Ref<Track> as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        let track = <Ref<Track> as FromArg<Song>>::from_arg(arg, scope);
        match track {
            Err(_) if arg.kind.is_none() && arg.text.eq_ignore_ascii_case("song") => Ok(Self(None)),
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
                let mut tracks = song.tracks.iter();
                let owner = tracks.find(|(_, row)| row.chunk == chunk);
                (chunk, owner.map(|(id, _)| id))
            }
            (None, Some(first)) => {
                let error = ValueError::sentence(format!("{PATTERNS}, so say which"));
                return Err(own.wrong(error.fix(lines::name(song, first))));
            }
        };
        song.writable(home.0)?;
        // In a file of format 0, rows without a channel belong to the song.
        let own = home.1.filter(|_| song.file.header.format != 0);
        Ok((home.0, own))
    }
}

/// The place of a channel event of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The track.
    pub track: Id<Track>,
    /// Its chunk.
    pub chunk: Id<Chunk>,
    /// The channel.
    pub channel: Channel,
    /// The tick.
    pub at: u64,
}

impl Song {
    /// The track of a chunk in a file of patterns. In other files a chunk is not a song of its own.
    #[must_use]
    pub fn pattern(&self, chunk: Id<Chunk>) -> Option<Id<Track>> {
        if !self.is_patterns() {
            return None;
        }
        let mut tracks = self.tracks.iter();
        tracks.find(|(_, row)| row.chunk == chunk).map(|(id, _)| id)
    }

    /// The first pattern of a file of patterns.
    fn first_pattern(&self) -> Option<Id<Track>> {
        let first = self.ordered().next().filter(|_| self.is_patterns());
        first.map(|(id, _)| id)
    }

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
                let name = fcp::op::quote_value(&lines::name(self, first)).into_owned();
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

    /// Whether the rows of one chunk also apply to another: in a file of patterns each has its own.
    #[must_use]
    pub fn shares(&self, chunk: Id<Chunk>, other: Id<Chunk>) -> bool {
        !self.is_patterns() || chunk == other
    }

    /// The song row in effect among those exactly at a tick: the last of several.
    #[must_use]
    pub fn holds_at<T>(&self, time: &Timeline, chunk: Id<Chunk>, tick: u64) -> Option<Id<T>> {
        let here = time
            .iter()
            .filter(|(key, _)| key.tick == tick && self.shares(chunk, Id::new(key.chunk)));
        here.map(|(_, spot)| Id::new(spot.id)).last()
    }

    /// The track that a channel message in a chunk belongs to: in a file of format 0 the track of
    /// its channel.
    ///
    /// # Errors
    /// There is no such track.
    pub fn player(
        &self,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
        channel: u8,
    ) -> Result<Option<Id<Track>>> {
        if self.file.header.format != 0 {
            return Ok(track);
        }
        let own = |(_, row): &(Id<Track>, &Track)| {
            row.chunk == chunk && row.channel.is_some_and(|own| own.get() == channel)
        };
        match self.tracks.iter().find(own) {
            Some((track, _)) => Ok(Some(track)),
            None => bail!("no track of this file plays on that channel"),
        }
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

    /// The bend range at a bend, in semitones: the range set before it, else two.
    #[must_use]
    pub fn bend_range(&self, bend: &Bend) -> Frac {
        self.bend_reach(Site {
            track: bend.track,
            chunk: bend.chunk,
            channel: bend.channel,
            at: bend.at,
        })
    }

    /// The bend range at a site, in semitones.
    #[must_use]
    pub fn bend_reach(&self, site: Site) -> Frac {
        // RP-001 and the MIDI 1.0 specification: registered parameter 0 is the bend range, two semitones by default.
        let (mut coarse, mut fine) = (None, None);
        let (mut semitones, mut cents) = (2_u8, 0_u8);
        let rows = rpn::events(self, (site.track, site.channel), START);
        for (_, row) in rows.take_while(|(_, row)| row.at <= site.at) {
            match row.number {
                n if n == Controller::RPN_MSB.get() => coarse = Some(row.value),
                n if n == Controller::RPN_LSB.get() => fine = Some(row.value),
                98 | 99 => (coarse, fine) = (None, None),
                n if (coarse, fine) == (Some(0), Some(0)) => {
                    if n == Controller::DATA.get() {
                        semitones = row.value;
                    } else if n == Controller::DATA_LSB.get() {
                        cents = row.value.min(99);
                    }
                }
                _ => {}
            }
        }
        let reach = i128::from(semitones) * 100 + i128::from(cents);
        Frac::new(reach, 100)
            .filter(|reach| *reach > Frac::ZERO)
            .unwrap_or(Frac::whole(2))
    }
}
