//! `track merge`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::tracks::{contents, setup};
use crate::model::{Overlaps, Song, Track, row_of};
use crate::values::Encoding;

/// Merge several tracks into one. Every event keeps its channel.
///
/// ```fcp
/// # track add Left
/// # track add Right
/// # note Left C3,G3
/// # note Right E4
/// track merge Left,Right as:Piano
/// > @ Merged Left, Right as Piano (3 notes)
/// ? tracks
/// > 1. Piano ch:1,2 no instrument | 3 notes C3-E4 vel 80-80 | bars 1-1
/// ```
#[fcp_verb(category = "Tracks", alias = "merge tracks", deletes)]
pub fn track_merge(
    song: &mut Song,
    /// The tracks: their names, with commas between them.
    #[fcp(positional)]
    tracks: Names,
    /// The name of the result; that of the first if left out.
    r#as: Option<Spanned<Name>>,
    /// The encoding of the name; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    if song.file.header.format == 0 {
        bail!("a file of format 0 has one track a channel, so tracks do not merge"; try: "! save smf:1");
    }
    let [first, others @ ..] = tracks.0.as_slice() else {
        bail!("merge needs the names of two tracks: track merge Left,Right");
    };
    let first = *first;
    if others.is_empty() {
        bail!("merge needs the names of two tracks: track merge Left,Right");
    }
    let names = tracks.0.iter().map(|id| song.name_of_track(*id));
    let names = names.collect::<Vec<_>>().join(", ");
    let chunk = song.tracks.need(first)?.chunk;
    song.writable(chunk)?;
    let mut overlaps = Overlaps::default();
    for other in others {
        let held = contents::held(song, *other)?;
        let mut changes = Vec::with_capacity(held.notes.len());
        for (id, mut note) in held.notes {
            (note.track, note.chunk) = (first, chunk);
            changes.push((id, note));
        }
        let others: Vec<Row> = held.others.iter().map(|(row, _)| *row).collect();
        let (changed, ()) = song.change_rows(changes, &others, |song| {
            let mut others = held.others.into_iter();
            others.try_for_each(|(row, at)| song.take_row(row, chunk, at, first))
        })?;
        overlaps.add(changed);
        song.remove_track(*other)?;
    }
    let mut note = String::new();
    if let Some(name) = &r#as {
        let own = song.chunk_name(chunk);
        if own.as_deref() != Some(name.get().as_str()) {
            setup::untaken(song, name)?;
            let name = song.written(name.get().as_str(), encoding)?;
            note = name.note.clone();
            song.rename_track(first, &name)?;
        }
    }
    song.relabel_all();
    let notes = song.notes.index().count(first);
    Ok(bulk!(
        "Merged {names} as {}{note} ({}){}",
        song.name_of_track(first),
        count(notes, "note"),
        overlaps.describe()
    )
    .about([row_of(first)]))
}

/// Several tracks, by name.
#[derive(Clone, Debug)]
pub struct Names(Vec<Id<Track>>);

impl FromArg<Song> for Names {
    const TAKES: fcp::verb::Takes = fcp::verb::Takes::Reference;

    fn spec() -> ValueSpec {
        ValueSpec::new("REFS", "names with commas between them")
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        let mut ids = Vec::new();
        let names: Vec<&str> = arg.text.split(',').collect();
        for (ix, name) in names.iter().enumerate() {
            let row = scope.row(name.trim(), &["track"]).map_err(|error| {
                let shown = ValueError::sentence(error.about(name.trim()));
                let fixed = error.fix.as_ref().map(|fix| {
                    let mut names = names.clone();
                    names[ix] = fix;
                    names.join(",")
                });
                shown.maybe_fix(fixed)
            })?;
            if !ids.contains(&row.of()) {
                ids.push(row.of());
            }
        }
        Ok(Self(ids))
    }
}
