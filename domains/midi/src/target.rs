//! Where what is no note goes: a track, or the song; and what stands there already.

use fcp::prelude::*;
use fcp::verb::Takes;

use crate::model::{Bend, Chunk, START, Song, Track};
use crate::rpn;
use crate::values::{Channel, Controller, Frac, Pos};

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
    /// Whether it is the song itself.
    #[must_use]
    pub const fn is_song(self) -> bool {
        self.0.is_none()
    }

    /// The chunk that its events stand in, and the track, if it is one.
    ///
    /// # Errors
    /// The chunk is damaged.
    pub fn home(self, song: &mut Song) -> Result<(Id<Chunk>, Option<Id<Track>>)> {
        let home = match self.0 {
            Some(track) => (song.tracks.need(track.id())?.chunk, Some(track.id())),
            None => (song.conductor(), None),
        };
        song.writable(home.0)?;
        // In a file of format 0 what is on no channel is the song's.
        let own = home.1.filter(|_| song.file.header.format != 0);
        Ok((home.0, own))
    }
}

/// Where an event of a track is to stand.
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
    /// The track that a channel message in a chunk belongs to: in a file of format 0 that of its channel.
    ///
    /// # Errors
    /// There is none.
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

    /// Where an event of a track is to stand: at the start if no place is given.
    ///
    /// # Errors
    /// The place makes no sense here, or the chunk is damaged.
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

    /// How many semitones a bend reaches where it stands: by the range that was set before it, else two.
    #[must_use]
    pub fn bend_range(&self, bend: &Bend) -> Frac {
        self.bend_reach(Site {
            track: bend.track,
            chunk: bend.chunk,
            channel: bend.channel,
            at: bend.at,
        })
    }

    /// How many semitones bends at a site reach.
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
