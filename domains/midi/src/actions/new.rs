//! `new`

use fcp::prelude::*;

use crate::model::{Envelope, KeyChange, MeterChange, Rank, Song, Tempo};
use crate::smf::Header;
use crate::values::{Bpm, KeySig, Meter};

/// Start an empty song.
#[fcp_action]
pub fn new(
    /// Its title.
    #[fcp(positional)]
    title: Option<Name>,
    /// Quarter notes a minute.
    tempo: Option<Bpm>,
    /// Beats over the beat's note value.
    #[fcp(alias = "meter")]
    time_sig: Option<Spanned<Meter>>,
    /// The key signature.
    key: Option<KeySig>,
    /// Ticks in a quarter note.
    #[fcp(default = Int::clamped(480))]
    ppqn: Int<24, 32767>,
    /// The format: 0 one chunk, 1 a chunk a track, 2 patterns.
    #[fcp(default = Int::clamped(1))]
    smf: Int<0, 2>,
) -> Result<Song> {
    let mut song = Song::default();
    let (format, division) = (
        u16::try_from(smf.get()).unwrap_or(1),
        u16::try_from(ppqn.get()).unwrap_or(480),
    );
    let meter = match &time_sig {
        Some(meter) => {
            let fits = meter.get().fits(division.into());
            fits.map_err(|error| meter.wrong(error))?;
            *meter.get()
        }
        None => Meter::COMMON,
    };
    song.file.set(Envelope {
        header: Header::new(format, 0, division),
        ..Envelope::default()
    });
    let chunk = song.conductor();
    if let Some(title) = title {
        let title = song.written(title.as_str(), None)?;
        song.set_chunk_name(chunk, None, &title)?;
    }
    let micros = tempo.map_or(crate::time::DEFAULT_MICROS, Bpm::micros);
    let mark = song.place(chunk, 0, Rank::Song, None);
    song.tempos.insert(Tempo {
        chunk,
        at: 0,
        micros,
        mark,
    });
    let mark = song.place(chunk, 0, Rank::Song, None);
    song.meters.insert(MeterChange {
        mark,
        ..MeterChange::of(chunk, meter)
    });
    if let Some(key) = key {
        let mark = song.place(chunk, 0, Rank::Song, None);
        let (sharps, mode) = (i32::from(key.sharps()), u8::from(key.minor()));
        song.keys.insert(KeyChange {
            chunk,
            at: 0,
            sharps,
            mode,
            mark,
        });
    }
    Ok(song)
}
