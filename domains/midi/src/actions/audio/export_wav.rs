//! `export wav`

use fcp::prelude::*;

use crate::audio::{LONGEST, Wave};
use crate::display::row_line;
use crate::model::Song;
use crate::values::Span;

/// Write the song, or some bars of it, as sound: a WAV file, played on the loaded SoundFont.
///
/// ```fcp
/// # track add Piano instrument:piano
/// ! export wav as:song.wav
/// > ! there is no note to be heard
/// >   syntax: export wav as:TEXT [range:SPAN] [rate:N]
/// # note Piano C4 at:1.1
/// ! export wav as:song.wav
/// > ! no SoundFont is loaded; the session action load-soundfont PATH does it
/// >   syntax: export wav as:TEXT [range:SPAN] [rate:N]
/// # note Piano C4 at:999.1
/// ! export wav as:song.wav
/// > ! it lasts 1996.5 s; a wave has at most 600 s
/// >   try: export wav as:song.wav range:1-300 rate:44100
/// ```
#[fcp_action]
pub fn export_wav(
    song: &Song,
    /// The output file.
    #[fcp(key = "as")]
    path: Text,
    /// Bars, beats or a section, both ends included; all if left out.
    range: Option<Spanned<Span>>,
    /// Samples a second.
    #[fcp(default = Int::clamped(44_100))]
    rate: Int<16_000, 96_000>,
) -> Result<Exported> {
    let (chunk, part) = song.part(range.as_ref())?;
    if part.seconds > LONGEST {
        let message = format!(
            "it lasts {:.1} s; a wave has at most {LONGEST} s",
            part.seconds
        );
        if !song.has_bars() {
            bail!("{message}");
        }
        let bars = song.bars(chunk);
        let first = bars.place(part.ticks.0).bar;
        let start = song.seconds(chunk, part.ticks.0);
        let end = song.tempo_map(chunk).tick(start + LONGEST).unwrap_or(0);
        let last = bars.place(end).bar.saturating_sub(1).max(first);
        let path = fcp::op::quote_value(path.as_str());
        let again = format!("export wav as:{path} range:{first}-{last} rate:{rate}");
        // A repair is not tried here: that would play the part.
        return Err(Diagnostic::new(message).or_untried(again));
    }
    let wave = Wave {
        rate: u32::try_from(rate.get()).unwrap_or(44_100),
        mono: false,
    };
    Ok(Exported {
        bytes: song.wave(&part, &wave)?,
        left_out: row_line::unheard(song),
    })
}
