//! Facts about a song, for its digest, headline and map.

use fcp::prelude::*;
use fcp::reply::count;

use crate::display::row_line;
use crate::model::{Chunk, Song, Track};
use crate::smf::{Body, Container};
use crate::time::Division;

impl Song {
    /// Number of rows on tracks, without each track's own instrument.
    #[must_use]
    pub fn track_rows(&self) -> usize {
        let programs =
            self.programs.len() - self.programs.index().tracks().min(self.programs.len());
        let index = self.others.index();
        let mut others = self.others.len() - index.names();
        if self.file.header.format == 0 {
            others -= index.owned_prefixes();
        }
        let voice = self.controls.len() + self.bends.len() + self.touches.len();
        let words = self.lyrics.len() + self.texts.len();
        self.notes.len() + voice + words + programs + others
    }

    /// Number of tracks that a file of the song shows. A track in a shared chunk, or in the first
    /// one, which may hold only the song's own rows, shows only by its channel messages, or in
    /// format 0 by its name. In a file of patterns every chunk counts.
    #[must_use]
    pub fn tracks_in_use(&self) -> usize {
        if self.file.header.format == 2 {
            let chunks = self.chunks.iter();
            return chunks.filter(|(_, chunk)| chunk.is_track()).count();
        }
        let first = self.first_chunk();
        let shows = |id: Id<Track>, row: &Track| match self.file.header.format {
            0 => self.track_name(id).is_some() || self.plays(id, row.chunk),
            1 if Some(row.chunk) == first => self.plays(id, row.chunk),
            _ => true,
        };
        self.tracks
            .iter()
            .filter(|(id, row)| shows(*id, row))
            .count()
    }

    /// Whether a track has channel messages.
    fn plays(&self, id: Id<Track>, chunk: Id<Chunk>) -> bool {
        if self.notes.index().count(id) > 0
            || self.controls.index().count(id) > 0
            || self.programs.index().count(id) > 0
        {
            return true;
        }
        let mut rows = Vec::new();
        self.starting(chunk, 0, u64::MAX, &mut rows);
        rows.into_iter()
            .any(|(_, row)| self.track_of(row) == Some(id) && self.channel_of(row).is_some())
    }

    /// Number of bars. A last bar that is entered by less than half an eighth is not counted.
    #[must_use]
    pub fn bar_count(&self) -> u64 {
        let Some((chunk, tick)) = self.last_sound().filter(|_| self.track_rows() > 0) else {
            return 0;
        };
        let bars = self.bars(chunk);
        let bar = bars.place(tick).bar;
        let into = tick - bars.bar(bar);
        if into < u64::from(self.ppqn() / 8).max(1) {
            (bar - 1).max(1)
        } else {
            bar
        }
    }

    /// `tempo:96+4`, `4/4`, `A-minor`: the values at the start, with their numbers of changes.
    #[must_use]
    pub fn start(&self) -> Vec<String> {
        let changed = |n: usize| {
            if n == 0 {
                String::new()
            } else {
                format!("+{n}")
            }
        };
        let chunk = self.first_chunk().unwrap_or(Id::new(0));
        let mut words = Vec::new();
        if self.has_bars() {
            let tempos = self.tempo_map(chunk);
            words.push(format!(
                "tempo:{}{}",
                row_line::bpm(tempos.micros(0)),
                changed(tempos.changes())
            ));
            let bars = self.bars(chunk);
            let first = bars.at(0);
            words.push(format!(
                "{}/{}{}",
                first.beats,
                first.unit,
                changed(bars.spans().len() - 1)
            ));
        }
        if let Some(key) = self.first_key() {
            let later = self.keys.iter().filter(|(_, row)| row.at > 0);
            let at_start = match key.at {
                0 => row_line::key_text(key),
                _ => "no-key".to_owned(),
            };
            words.push(format!("{at_start}{}", changed(later.count())));
        }
        words
    }

    /// Words of the digest between the counts and the hash.
    #[must_use]
    pub fn measures(&self) -> Vec<String> {
        let mut words = self.start();
        words.push(match self.division() {
            Division::Quarter(_) => format!("{}bars", self.bar_count()),
            Division::Second(_) => {
                let seconds = self
                    .last_sound()
                    .map_or(0.0, |(chunk, tick)| self.seconds(chunk, tick));
                format!("{seconds:.1}s")
            }
        });
        words
    }

    /// `SMF 1, ppqn 480, 3 tracks, 204 events, 8 bars; kept as found: 1 sysex`
    #[must_use]
    pub fn summary(&self) -> String {
        let header = &self.file.header;
        let mut parts = vec![format!("SMF {}", header.format)];
        parts.push(match self.division() {
            Division::Quarter(ppqn) => format!("ppqn {ppqn}"),
            Division::Second(_) => {
                let [frames, subframes] = header.division.to_be_bytes();
                format!("SMPTE {}x{subframes}", frames.cast_signed().unsigned_abs())
            }
        });
        parts.push(count(self.tracks.len(), "track"));
        parts.push(count(self.track_rows(), "event"));
        if self.has_bars() {
            parts.push(count(self.bar_count(), "bar"));
        }
        let kept = self.kept();
        let kept = if kept.is_empty() {
            String::new()
        } else {
            format!("; kept as found: {}", kept.join(", "))
        };
        format!("{}{kept}", parts.join(", "))
    }

    /// Content of the file that no verb handles.
    #[must_use]
    pub fn kept(&self) -> Vec<String> {
        self.kept_as(|chunk| format!("1 chunk {}", String::from_utf8_lossy(&chunk.name)))
    }

    /// This content, with the sizes of other chunks.
    #[must_use]
    pub fn kept_whole(&self) -> Vec<String> {
        self.kept_as(|chunk| {
            let name = String::from_utf8_lossy(&chunk.name);
            format!("chunk {name} {}", count(chunk.bytes.len(), "byte"))
        })
    }

    fn kept_as(&self, describe: impl Fn(&Chunk) -> String) -> Vec<String> {
        let of = |test: fn(&Body) -> bool| {
            self.others
                .iter()
                .filter(|(_, row)| test(&row.body))
                .count()
        };
        let mut kept = Vec::new();
        for (n, what) in [
            (of(|body| matches!(body, Body::Sysex(_))), "sysex"),
            (of(|body| matches!(body, Body::Escape(_))), "escape"),
        ] {
            if n > 0 {
                kept.push(format!("{n} {what}"));
            }
        }
        for (_, chunk) in self
            .chunks
            .iter()
            .filter(|(_, chunk)| !chunk.is_track())
            .take(5)
        {
            kept.push(describe(chunk));
        }
        if matches!(self.file.container, Container::Riff(_)) {
            kept.push("a RIFF wrapper".to_owned());
        }
        if !self.file.trailing.is_empty() {
            kept.push(format!(
                "{} bytes after the last chunk",
                self.file.trailing.len()
            ));
        }
        kept
    }
}
