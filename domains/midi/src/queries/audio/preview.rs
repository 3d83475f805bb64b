//! `preview`

use fcp::endpoint::Block;
use fcp::prelude::*;

use crate::audio::Wave;
use crate::model::Song;
use crate::values::Span;

/// The longest part to play, in seconds.
const LENGTH: f64 = 30.0;
/// Samples per second: enough to judge music, in a quarter of the bytes.
const RATE: u32 = 22_050;

/// Hear some bars, or the beginning: at most 30 seconds, played on the loaded SoundFont.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano C4 at:1.1
/// ? preview 1
/// > ! no SoundFont is loaded; the session action load-soundfont PATH does it
/// >   syntax: preview [SPAN]
/// ```
#[fcp_query]
pub fn preview(
    song: &Song,
    /// Bars, beats or a section, both ends included.
    #[fcp(positional, key = "range")]
    span: Option<Spanned<Span>>,
) -> Result<Listing<'_>> {
    let (chunk, mut part) = song.part(span.as_ref())?;
    let whole = part.seconds;
    if whole > LENGTH {
        part.seconds = LENGTH;
        let start = song.seconds(chunk, part.ticks.0);
        if song.has_bars() {
            let end = song.tempo_map(chunk).tick(start + LENGTH);
            part.ticks.1 = end.unwrap_or(part.ticks.1);
        }
    }
    let wave = Wave {
        rate: RATE,
        mono: true,
    };
    let bytes = song.wave(&part, &wave)?;
    let mut line = format!(
        "preview from {} {:.1} s audio/wav",
        song.shown(chunk, part.ticks.0),
        part.seconds
    );
    if whole > LENGTH {
        line.push_str(&format!(" (the first of {whole:.1} s)"));
    }
    let mut listing = Listing::of(vec![line]);
    listing.blocks.push(Block::Audio {
        mime: "audio/wav",
        bytes,
    });
    Ok(listing)
}
