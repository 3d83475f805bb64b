//! Converts a song to messages for a synthesizer.

use fcp::prelude::*;

use super::part::{Message, Part};
use crate::format::for_each_event;
use crate::model::{Chunk, Song};
use crate::smf::Body;
use crate::values::Span;

impl Song {
    /// The part that a span names, or the whole song, with the chunk whose time it uses.
    ///
    /// # Errors
    /// The span is invalid here, nothing sounds, or the file holds pieces that are not played
    /// together.
    pub fn part(&self, span: Option<&Spanned<Span>>) -> Result<(Id<Chunk>, Part)> {
        let chunk = self.chunks.iter().find(|(_, chunk)| chunk.is_track());
        let Some((chunk, _)) = chunk.filter(|_| !self.notes.is_empty()) else {
            bail!("there is no note to be heard")
        };
        if self.is_patterns() {
            bail!("the file holds patterns (SMF 2), which are not one piece")
        }
        let ticks = match span {
            Some(span) => self
                .span_time(span.get(), chunk)
                .map(|(from, to)| (from, to.max(from + 1)))
                .map_err(|error| span.wrong(error))?,
            None => (0, self.end_tick(None)),
        };
        let seconds = self.seconds(chunk, ticks.1) - self.seconds(chunk, ticks.0);
        Ok((chunk, Part { ticks, seconds }))
    }

    /// The messages that play a part, in order. Notes that began earlier are left out; controllers,
    /// bends and programs stay in effect.
    pub fn messages(&self, (from, to): (u64, u64), rate: u32) -> Vec<Message> {
        let mut messages = Vec::new();
        let chunks = self.chunks.iter().filter(|(_, chunk)| chunk.is_track());
        for (chunk, _) in chunks {
            let start = self.seconds(chunk, from);
            let heard = |track| self.is_heard(track);
            for_each_event(self, chunk, &heard, &mut |key, _, body, _| {
                let Body::Channel { status, data } = *body else {
                    return;
                };
                let (note, tick) = (status & 0xf0 <= 0x90, key.tick);
                let starts = status & 0xf0 == 0x90 && data[1] > 0;
                if tick >= to && (starts || !note) || note && tick < from {
                    return;
                }
                let seconds = self.seconds(chunk, tick.clamp(from, to)) - start;
                // At most LONGEST seconds at a rate below 2^20.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let frame = (seconds * f64::from(rate)).round() as u64;
                messages.push(Message {
                    frame,
                    bytes: [status, data[0], data[1]],
                });
            });
        }
        // A stable sort keeps the order of the file within a frame.
        messages.sort_by_key(|message| message.frame);
        messages
    }
}
