//! `retime`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::tracks::retime::{self, TickScale};
use crate::model::{Rank, Song, Tempo};
use crate::time::DEFAULT_MICROS;
use crate::values::Bpm;

/// Change how time is counted: more or fewer ticks in a quarter, or other bars under the same seconds.
///
/// With `tempo:` all sounds at the same time as before, at one tempo throughout. Either turns SMPTE frames into bars.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4 at:2.3 dur:e
/// retime ppqn:96
/// > @ Retimed to ppqn 96: 4 rows, none rounded
/// ? events Piano 2
/// > 2.3 C4 e v80 #*
/// retime tempo:60
/// > @ Retimed to tempo 60: 4 rows, none rounded
/// ? events Piano 1
/// > 1.1 track-name "Piano" #*
/// > 1.4 C4 s v80 #*
/// retime tempo:60
/// > = the tempo is 60 throughout already
/// retime
/// > ! retime needs ppqn: or tempo:
/// >   try: retime ppqn:480
/// time-sig 6/8
/// retime ppqn:25
/// > ! ppqn:25 gives a beat of 6/8 fractional ticks
/// >   try: retime ppqn:26
/// ```
#[fcp_verb(category = "Song")]
pub fn retime(
    song: &mut Song,
    /// Ticks in a quarter note, 24 to 32,767.
    ppqn: Option<Spanned<Int<24, 32_767>>>,
    /// The tempo to write all in, with the same seconds.
    tempo: Option<Bpm>,
) -> Result<Reply> {
    if song.is_patterns() && tempo.is_some() {
        bail!("each pattern of this file has a tempo of its own");
    }
    let counted = song.has_bars();
    if let Some(ppqn) = &ppqn {
        let own = u32::try_from(ppqn.get().get()).unwrap_or_default();
        retime::whole_beats(song, own).map_err(|error| ppqn.wrong(error))?;
    }
    let division = ppqn.and_then(|ppqn| u16::try_from(ppqn.get().get()).ok());
    let (scale, division, target) = match (division, tempo) {
        (None, None) => bail!("retime needs ppqn: or tempo:"; add: "ppqn:480"),
        (Some(_), Some(_)) => bail!("ppqn: and tempo: are two ways to retime; give one"),
        (Some(ppqn), None) if song.file.header.division == ppqn => {
            return Ok(unchanged!("ppqn is {ppqn} already"));
        }
        (None, Some(tempo)) if counted && is_steady(song, tempo) => {
            return Ok(unchanged!("the tempo is {tempo} throughout already"));
        }
        (Some(ppqn), None) => (
            retime::to_division(song, ppqn),
            ppqn,
            format!("ppqn {ppqn}"),
        ),
        (None, Some(tempo)) => {
            let ppqn = u16::try_from(song.ppqn()).unwrap_or(480);
            let rate = f64::from(ppqn) * 1e6 / f64::from(tempo.micros());
            (TickScale::Seconds(rate), ppqn, format!("tempo {tempo}"))
        }
    };
    let retimed = retime::apply(song, &scale)?;
    song.file.modify(|shell| shell.header.division = division);
    let given = tempo.is_none() && !counted;
    if tempo.is_some() || given {
        set_tempo(song, tempo.map_or(DEFAULT_MICROS, Bpm::micros))?;
    }
    let rounded = match retimed.rounded {
        0 => "none".to_owned(),
        n => n.to_string(),
    };
    let emptied = match retimed.emptied {
        0 => String::new(),
        n => format!(", {} without length now", count(n, "note")),
    };
    let rows = count(retimed.rows, "row");
    // Seconds have had no tempo.
    let given = if given { ", tempo 120 added" } else { "" };
    Ok(bulk!(
        "Retimed to {target}: {rows}, {rounded} rounded{emptied}{given}"
    ))
}

/// Whether the song already has this tempo throughout.
fn is_steady(song: &Song, tempo: Bpm) -> bool {
    let chunk = song.first_chunk().unwrap_or(Id::new(0));
    song.tempo_map(chunk).is_steady(tempo.micros())
}

/// Leaves one tempo, from the start on. If it is there already, its row stays.
fn set_tempo(song: &mut Song, micros: u32) -> Result<()> {
    let chunk = song.conductor();
    song.writable(chunk)?;
    let at_start = |row: &Tempo| row.at == 0 && row.chunk == chunk;
    let tempos: Vec<(Id<Tempo>, bool)> = song
        .tempos
        .iter()
        .map(|(id, row)| (id, at_start(row)))
        .collect();
    let kept = tempos.iter().rfind(|(_, stays)| *stays).map(|(id, _)| *id);
    for (id, _) in tempos.into_iter().filter(|(id, _)| Some(*id) != kept) {
        song.tempos.remove(id);
    }
    if let Some(id) = kept {
        song.tempos.modify(id, |row| row.micros = micros);
        return Ok(());
    }
    let mark = song.place(chunk, 0, Rank::Song, None);
    song.tempos.insert(Tempo {
        chunk,
        at: 0,
        micros,
        mark,
    });
    Ok(())
}
