//! Ends of notes, by a position or a bar.

use fcp::prelude::*;

use crate::model::{Chunk, Note, Song};
use crate::values::EndAt;

impl Song {
    /// The tick at which the bar that contains a tick ends.
    #[must_use]
    pub fn bar_end(&self, chunk: Id<Chunk>, tick: u64) -> u64 {
        let bars = self.bars(chunk);
        bars.bar(bars.place(tick).bar + 1)
    }

    /// The length of a note that ends at a position.
    ///
    /// # Errors
    /// There is no such position, or it is not after the start of the note.
    pub fn length_to(&self, end: &Spanned<EndAt>, note: &Note) -> Result<u64> {
        let tick = match end.get() {
            EndAt::Bar if self.has_bars() => Ok(self.bar_end(note.chunk, note.at)),
            EndAt::Bar => Err(ValueError::sentence(
                "this file counts SMPTE frames, so it has no bars",
            )),
            EndAt::Pos(pos) => self.pos_tick(pos, note.chunk, Some(note.track)),
        };
        let tick = tick.map_err(|error| end.wrong(error))?;
        let length = tick.checked_sub(note.at).filter(|length| *length > 0);
        length.ok_or_else(|| {
            let start = self.shown(note.chunk, note.at);
            end.wrong(ValueError::new(format!(
                "is not after {start}, where a note starts"
            )))
        })
    }
}
