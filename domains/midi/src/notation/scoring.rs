//! Converts a song to a score, with the range and the grid to write.

use std::sync::Arc;

use fcp::prelude::*;

use super::directions::Over;
use super::score::{Part, Score, lyrics};
use super::score_grid::Placing;
use super::voices::voices;
use crate::display::row_line;
use crate::model::{Song, Track};
use crate::resolve::export_span::asked_bars;
use crate::values::{Channel, Rounding, Span};

/// The most measures, in all voices together.
const MEASURES: u64 = 131_072;

/// The most keys, in all voices together.
const KEYS: usize = 1 << 20;

/// The part of the song to write, and its grid.
#[derive(FcpParams)]
pub struct Scoring {
    /// The grid for starts and ends: `auto`, `exact`, or a length.
    #[fcp(default = Rounding::Auto)]
    pub grid: Rounding,
    /// The only track to write; all that are heard if left out.
    pub on: Option<Spanned<Ref<Track>>>,
    /// Bars or a section, both ends included; all if left out.
    pub range: Option<Spanned<Span>>,
}

impl Scoring {
    /// The score of a song as a file, and the tracks that were left out because they are not heard.
    ///
    /// # Errors
    /// As for [`Self::score`].
    pub fn exported(
        &self,
        song: &Song,
        write: impl FnOnce(&Score<'_>) -> String,
    ) -> Result<Exported> {
        let bytes = write(&self.score(song)?).into_bytes();
        let left_out = match self.on {
            Some(_) => Vec::new(),
            None => row_line::unheard(song),
        };
        Ok(Exported { bytes, left_out })
    }

    /// The score of a song.
    ///
    /// # Errors
    /// There are no notes, no bars, or too many of them; or the file holds patterns, and none is
    /// named.
    pub fn score<'a>(&self, song: &'a Song) -> Result<Score<'a>> {
        let playing = |id: &Id<Track>| song.notes.index().count(*id) > 0;
        let ids = song.ordered().map(|(id, _)| id);
        let mut ids: Vec<Id<Track>> = ids.filter(playing).collect();
        let (Some(first), Some(mut chunk)) = (ids.first().copied(), song.first_chunk()) else {
            bail!("there are no notes to write")
        };
        if !song.has_bars() {
            bail!("this file counts SMPTE frames, so it has no bars"; try: "retime ppqn:480");
        }
        let named = |id| song.name_of_track(id);
        if self.on.is_none() {
            ids.retain(|id| song.is_heard(*id));
            if ids.is_empty() {
                let name = fcp::op::quote_value(&named(first)).into_owned();
                bail!("no track with notes is heard"; add: "on:{name}");
            }
        }
        if song.is_patterns() && self.on.is_none() {
            let name = fcp::op::quote_value(&named(first)).into_owned();
            bail!("each pattern of this file is a score of its own"; add: "on:{name}");
        }
        let drums = |id: &Id<Track>| {
            let mut channels = song.notes.index().channels(*id);
            channels.all(|channel| channel == Channel::DRUMS)
        };
        // Lyrics of no track go to the first track with pitches.
        let mut singer = ids.iter().find(|id| !drums(id)).copied();
        let mut end = None;
        if let Some(on) = &self.on {
            let id = on.get().id();
            if !playing(&id) {
                let error = ValueError::sentence(format!("there are no notes on {}", named(id)));
                return Err(on.wrong(error.fix(named(first))));
            }
            ids = vec![id];
            if song.is_patterns() {
                chunk = song.tracks.need(id)?.chunk;
                (singer, end) = (Some(id), Some(id));
            }
        }
        let (from, to) = asked_bars(song, chunk, end, self.range.as_ref())?;
        let bars = song.bars(chunk);
        let (first, last) = (bars.place(from).bar, bars.place(to.saturating_sub(1)).bar);
        self.bounded((first, last), ids.len(), "parts")?;
        let span = (bars.bar(first), bars.bar(last + 1));
        let placing = Placing::new(song, chunk, Arc::clone(&bars), &self.grid);
        let mut parts = Vec::with_capacity(ids.len());
        for id in ids {
            let track = song.tracks.need(id)?;
            let mut lyrics = lyrics(song, id, track, singer == Some(id));
            for (ix, channel) in channels(song, id, track).into_iter().enumerate() {
                let mut voices = voices(song, (id, channel), span, &placing, &lyrics);
                if voices.is_empty() {
                    voices.push(Vec::new());
                }
                let name = match ix {
                    0 => track.name.clone(),
                    _ => format!("{} ch:{channel}", track.name),
                };
                parts.push(Part {
                    id,
                    name,
                    channel,
                    voices,
                });
                // Lyrics are written once.
                lyrics.clear();
            }
        }
        let count = parts.iter().map(|part| part.voices.len()).sum();
        self.bounded((first, last), count, "voices")?;
        let over = Over::new(song, chunk, span, &placing);
        self.steady(first, over.keys.len(), count)?;
        let title = match end {
            Some(pattern) => song.tracks.get(pattern).map(|row| row.name.clone()),
            None => song.title(),
        };
        Ok(Score {
            song,
            title,
            over,
            parts_of_tick: placing.parts(),
            bars,
            span: (first, last),
            parts,
        })
    }

    /// Rejects a score that is too long.
    fn bounded(&self, (first, last): (u64, u64), count: usize, what: &str) -> Result<()> {
        let most = (MEASURES / (count as u64).max(1)).max(1);
        let bars = (last + 1).saturating_sub(first);
        if bars <= most {
            return Ok(());
        }
        let message = format!("it has {bars} bars in {count} {what}; a score has at most {most}");
        self.refuse(message, (first, first + most - 1))
    }

    /// Rejects a score whose voices have too many changes of key.
    fn steady(&self, first: u64, keys: usize, count: usize) -> Result<()> {
        let most = (KEYS / count.max(1)).max(1);
        if keys <= most {
            return Ok(());
        }
        let message = format!("it has {keys} keys in {count} voices; a score has at most {most}");
        self.refuse(message, (first, first))
    }

    /// Rejects a score; the repair is the largest allowed range of bars.
    fn refuse(&self, message: String, (first, last): (u64, u64)) -> Result<()> {
        let fix = format!("{first}-{last}");
        match &self.range {
            Some(range) => Err(range.wrong(ValueError::sentence(message).fix(fix))),
            None => bail!("{message}"; add: "range:{fix}"),
        }
    }
}

/// A channel for the tones of a track and one for its drums, if it has such notes; the kind that
/// the track itself plays comes first.
fn channels(song: &Song, id: Id<Track>, track: &Track) -> Vec<Channel> {
    let all: Vec<Channel> = song.notes.index().channels(id).collect();
    let own = track.channel.filter(|own| all.contains(own));
    let is_tone = |channel: &Channel| *channel != Channel::DRUMS;
    let tones = own
        .filter(is_tone)
        .or_else(|| all.iter().copied().find(is_tone));
    let drums = all.contains(&Channel::DRUMS).then_some(Channel::DRUMS);
    let mut channels: Vec<Channel> = [tones, drums].into_iter().flatten().collect();
    if track.is_drums() {
        channels.reverse();
    }
    channels
}
