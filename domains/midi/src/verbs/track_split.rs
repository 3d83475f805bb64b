//! `track split`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::tracks::{contents, setup, split};
use crate::model::{Song, Track, row_of};
use crate::values::{Channel, Encoding, Names, SplitBy};

/// Split a track into several: by channel, by drum, the highest voice and the rest, or at a pitch.
///
/// The first part stays on the track, which keeps rows other than notes; but each channel takes its events along. If
/// parts shared a channel, each gets its own, with the same settings from start to end; drums stay on 10.
/// By drum, other notes are a part of their own.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano C3,E4,G4
/// track split Piano by:pitch:C4
/// > @ Split Piano: Piano (2 notes), Piano-2 (1 note)
/// track split Piano by:voice as:Melody,Chords
/// > @ Split Piano: Melody (1 note), Chords (1 note)
/// track split Chords by:voice
/// > = Chords is one part already
/// ```
#[fcp_verb(category = "Tracks", alias = "split track")]
pub fn track_split(
    song: &mut Song,
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
    /// `channel`, `drum`, `voice`, or `pitch:C4`.
    by: SplitBy,
    /// The names of the parts.
    r#as: Option<Spanned<Names>>,
    /// The encoding of the names; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    if song.file.header.format == 0 {
        bail!("a file of format 0 has one track a channel, so tracks do not split"; try: "! save smf:1");
    }
    let id = track.id();
    let name = song.name_of_track(id);
    // Without the number that tells apart tracks of one name.
    let own = song.tracks.need(id)?.name.clone();
    let held = contents::held(song, id)?;
    let parts = split::parts(song, &held, by)?;
    if parts.len() < 2 {
        return Ok(unchanged!("{name} is one part already"));
    }
    if let Some(names) = r#as
        .as_ref()
        .filter(|names| names.get().count() != parts.len())
    {
        let problem = format!(
            "gives {} names, but there are {} parts",
            names.get().count(),
            parts.len()
        );
        return Err(names.wrong(ValueError::new(problem)));
    }
    let named = |ix: usize| r#as.as_ref().and_then(|names| names.get().nth(ix));
    let (mut results, mut note) = (Vec::new(), String::new());
    let mut homes = Vec::with_capacity(parts.len());
    for (ix, part) in parts.iter().enumerate() {
        let channel = part.channel();
        if ix == 0 {
            let is_own = held
                .channel
                .is_some_and(|own| part.channels.contains_key(&own));
            if !is_own {
                song.tracks.modify(id, |row| row.channel = channel);
            }
            homes.push(id);
            continue;
        }
        let channel = channel.unwrap_or(Channel::FIRST);
        let wanted = named(ix).map_or_else(|| format!("{own}-{}", part.name), str::to_owned);
        let name = song.written(&song.free_name(&wanted), encoding)?;
        note.clone_from(&name.note);
        homes.push(setup::make(song, &name, channel)?);
    }
    let overlaps = split::distribute(song, &held, &parts, &homes)?;
    if let Some(first) = named(0) {
        let first = song.written(first, encoding)?;
        song.rename_track(id, &first)?;
    }
    song.relabel_all();
    for home in &homes {
        let notes = count(song.notes.index().count(*home), "note");
        results.push(format!("{} ({notes})", song.name_of_track(*home)));
    }
    Ok(bulk!(
        "Split {name}: {}{}{note}",
        results.join(", "),
        overlaps.describe()
    )
    .about(homes.into_iter().rev().map(row_of)))
}
