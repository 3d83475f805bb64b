//! `import`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::tracks::import::Import;
use crate::model::Song;
use crate::values::Pos;

/// Add the tracks of another file, at its own beats. Its tempo, meter and markers are left out.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano C4
/// # ! save as:one.mid
/// ! import one.mid at:2 prefix:"Old "
/// > + Imported one.mid at 2.1: 1 track, 1 note
/// >   left behind: 1 tempo, 1 meter
/// >   channel 1 -> 2
/// > [2t 2e …
/// ? events "Old Piano"
/// > 1.1 track-name "Old Piano" #13
/// > 2.1 program 0 acoustic-grand-piano #12
/// > 2.1 C4 q v80 #11
/// ! undo
/// > * undone 1 op: import
/// ```
#[fcp_action]
pub fn import(
    song: &mut Song,
    /// A MIDI file.
    #[fcp(positional)]
    file: Spanned<FileBytes>,
    /// Its start; that of the song if left out.
    at: Option<Spanned<Pos>>,
    /// A prefix for the names of its tracks.
    prefix: Option<Text>,
) -> Result<Reply> {
    let path = file.get().path().to_owned();
    let read = Song::read(file.get().bytes(), &path);
    let other = read.map_err(|error| file.wrong(ValueError::sentence(error.message)))?;
    let chunk = song.conductor();
    let start = song.song_tick(at.as_ref(), chunk)?;
    let prefix = prefix.as_ref().map_or("", Text::as_str);
    let import = Import::new(song, &other, chunk, start, prefix)?;
    let done = import.run()?;
    let place = song.shown(chunk, start);
    let reply = created!(
        "Imported {path} at {place}: {}, {}",
        count(done.tracks, "track"),
        count(done.notes, "note")
    );
    Ok(done.remarks.into_iter().fold(reply, Reply::note))
}
