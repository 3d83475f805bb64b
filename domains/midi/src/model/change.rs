//! Changes to rows of every kind, and to tracks as a whole.

use fcp::prelude::*;

use super::mark::Rank;
use super::note::{NewNote, Overlaps};
use super::rows::{Chunk, Control, Key, Marker, Meter, Note, Other, Program, Tempo, Track};
use super::song::Song;
use crate::values::{Channel, Pitch, Pos, Shift};

/// The index of the table of a kind.
const fn part<T: Entity>() -> usize
where
    Song: HasTable<T>,
{
    <Song as HasTable<T>>::PART
}

impl Song {
    /// A row as replies tell it.
    #[must_use]
    pub fn told(&self, row: Row) -> String {
        self.line(row).unwrap_or_else(|| self.name_of(row))
    }

    /// `3 notes, 1 tempo`
    pub fn counted(&self, rows: impl Iterator<Item = Row>) -> String {
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for row in rows {
            match counts.iter_mut().find(|(part, _)| *part == row.part()) {
                Some((_, count)) => *count += 1,
                None => counts.push((row.part(), 1)),
            }
        }
        let shape = |part: usize| Self::SHAPE.parts.get(part).and_then(|part| part.shape);
        let told = counts
            .into_iter()
            .filter_map(|(part, n)| shape(part).map(|shape| shape.count(n)));
        told.collect::<Vec<_>>().join(", ")
    }

    /// The chunk that a row stands in.
    #[must_use]
    pub fn chunk_of(&self, row: Row) -> Option<Id<Chunk>> {
        self.rows(row.part())
            .and_then(|rows| rows.parent(row.id()))
            .map(Id::new)
    }

    /// The rows of all kinds but tracks that start in a chunk from `from` up to, not including, `to`.
    pub fn starting(&self, chunk: Id<Chunk>, from: u64, to: u64, rows: &mut Vec<Row>) {
        let last = to.saturating_sub(1);
        let timelines = [
            (part::<Note>(), &self.notes.index().time),
            (part::<Control>(), &self.controls.index().time),
            (part::<Program>(), &self.programs.index().time),
            (part::<Tempo>(), &self.tempos.index().time),
            (part::<Meter>(), &self.meters.index().time),
            (part::<Key>(), self.keys.index()),
            (part::<Marker>(), self.markers.index()),
            (part::<Other>(), &self.others.index().time),
        ];
        for (part, timeline) in timelines {
            let starts = timeline
                .range(chunk, from, last)
                .filter(|(_, spot)| !spot.off);
            rows.extend(starts.map(|(_, spot)| Row::new(part, spot.id)));
        }
    }

    /// The notes of a track that sound between two ticks, in order of their starts.
    #[must_use]
    pub fn sounding(
        &self,
        chunk: Id<Chunk>,
        track: Id<Track>,
        from: u64,
        to: u64,
    ) -> Vec<Id<Note>> {
        // What sounds at `from` has started before; how long before nobody knows, so all that went before is looked at.
        let starts = self
            .notes
            .index()
            .time
            .range(chunk, 0, to.saturating_sub(1))
            .filter(|(_, spot)| !spot.off);
        let ids = starts.map(|(_, spot)| Id::new(spot.id));
        ids.filter(|id| {
            self.notes.get(*id).is_some_and(|note| {
                note.track == track
                    && (note.at >= from || note.dur.is_none_or(|dur| note.at + dur > from))
            })
        })
        .collect()
    }

    /// Removes a row. A track goes with everything on it.
    ///
    /// # Errors
    /// Its chunk is damaged.
    pub fn remove_row(&mut self, row: Row) -> Result<()> {
        if row.part() == part::<Track>() {
            return self.remove_track(row.of());
        }
        if let Some(chunk) = self.chunk_of(row) {
            self.writable(chunk)?;
        }
        let own = (row.part() == part::<Program>())
            .then(|| self.programs.get(row.of()))
            .flatten()
            .map(|row| row.track);
        let named = (row.part() == part::<Other>())
            .then(|| self.others.get(row.of()).filter(|row| row.is_name()))
            .flatten()
            .map(|row| row.chunk);
        if let Some(rows) = self.rows_mut(row.part()) {
            rows.remove(row.id());
        }
        if let Some(track) = own {
            self.relabel(track);
        }
        if let Some(chunk) = named {
            self.relabel_chunk(chunk);
        }
        Ok(())
    }

    /// The note that a note-off which ended none would end where it stands.
    fn stray_ends(&self, id: Id<Other>) -> Option<Id<Note>> {
        let row = self.others.get(id)?;
        let crate::smf::Body::Channel { status, data } = row.body else {
            return None;
        };
        if row.rank() != Rank::Off {
            return None;
        }
        let (channel, pitch) = (Channel::new(status & 15)?, Pitch::new(data[0])?);
        self.ended_by(row.chunk, (channel, pitch), row.at, row.mark)
    }

    /// Works out anew what the tracks of a chunk are called.
    fn relabel_chunk(&mut self, chunk: Id<Chunk>) {
        let tracks = self.tracks.iter().filter(|(_, row)| row.chunk == chunk);
        let tracks: Vec<Id<Track>> = tracks.map(|(id, _)| id).collect();
        for track in tracks {
            self.relabel(track);
        }
    }

    /// Removes a track: its chunk, or in a file of format 0 the events of its channel.
    ///
    /// # Errors
    /// Its chunk is damaged, or holds events of the song.
    pub fn remove_track(&mut self, track: Id<Track>) -> Result<()> {
        let chunk = self.tracks.need(track)?.chunk;
        self.writable(chunk)?;
        let mut rows = Vec::new();
        self.starting(chunk, 0, u64::MAX, &mut rows);
        let shared = self
            .tracks
            .iter()
            .any(|(id, other)| id != track && other.chunk == chunk);
        let song_rows = [
            part::<Tempo>(),
            part::<Meter>(),
            part::<Key>(),
            part::<Marker>(),
        ];
        let patterns = self.file.header.format == 2;
        let conductor = self.first_chunk().filter(|first| *first != chunk);
        let mut kept = false;
        for row in rows {
            let own = match self.rows(row.part()) {
                Some(table) => {
                    let field = table.shape().field("track");
                    field.and_then(|field| table.reference(row.id(), field)) == Some(track.number())
                }
                None => false,
            };
            let song_row = song_rows.contains(&row.part());
            // Song rows of a pattern are its own; others hold for the song, and go on in the conductor.
            if own || (song_row && patterns) {
                if let Some(table) = self.rows_mut(row.part()) {
                    table.remove(row.id());
                }
            } else if let (true, false, Some(conductor)) = (song_row, shared, conductor) {
                self.move_to(row, conductor);
            } else {
                kept = true;
            }
        }
        self.tracks.remove(track);
        if !shared && !kept && self.file.header.format != 0 {
            self.chunks.remove(chunk);
        }
        // Tracks without a name are called by their place.
        self.relabel_all();
        Ok(())
    }

    /// Moves a song row to the same tick of another chunk.
    fn move_to(&mut self, row: Row, chunk: Id<Chunk>) {
        macro_rules! moved {
            ($($kind:ty => $table:ident),*) => {$(
                if row.part() == part::<$kind>()
                    && let Some(at) = self.$table.get(row.of()).map(|row: &$kind| row.at)
                {
                    let mark = self.place(chunk, at, Rank::Song, None);
                    self.$table.modify(row.of(), |row: &mut $kind| {
                        row.chunk = chunk;
                        row.mark = mark;
                    });
                }
            )*};
        }
        moved!(Tempo => tempos, Meter => meters, Key => keys, Marker => markers);
    }

    /// Gives a track another name. Says whether that changed anything.
    ///
    /// # Errors
    /// Its chunk is damaged, or the file has no place for names of tracks.
    pub fn rename_track(&mut self, track: Id<Track>, name: &str) -> Result<bool> {
        let row = self.tracks.need(track)?.clone();
        if self.file.header.format == 0 {
            bail!("a file of format 0 has no names of tracks");
        }
        if self.chunk_name(row.chunk).as_deref() == Some(name) {
            return Ok(false);
        }
        self.set_chunk_name(row.chunk, Some(track), name)?;
        self.relabel(track);
        Ok(true)
    }

    /// Moves a track to another channel, with all its events. Says whether that changed anything.
    ///
    /// # Errors
    /// The chunk is damaged, or in a file of format 0 the channel has a track.
    pub fn set_channel(&mut self, track: Id<Track>, channel: Channel) -> Result<bool> {
        let row = self.tracks.need(track)?.clone();
        if row.channel == Some(channel) {
            return Ok(false);
        }
        let taken =
            |(id, other): (Id<Track>, &Track)| id != track && other.channel == Some(channel);
        if self.file.header.format == 0 && self.tracks.iter().any(taken) {
            bail!("a file of format 0 has one track a channel, and channel {channel} has one");
        }
        let own = row.channel;
        let mut rows = Vec::new();
        self.starting(row.chunk, 0, u64::MAX, &mut rows);
        let notes = rows.iter().filter(|row| row.part() == part::<Note>());
        let notes = notes.filter_map(|row| {
            let note = self.notes.get(row.of())?;
            let here = note.track == track && Some(note.channel) == own;
            here.then(|| {
                (
                    row.of(),
                    Note {
                        channel,
                        ..note.clone()
                    },
                )
            })
        });
        self.change_notes(notes.collect())?;
        for row in rows {
            if row.part() == part::<Control>() {
                let here = |row: &Control| row.track == track && Some(row.channel) == own;
                self.controls.modify(row.of(), |row| {
                    if here(row) {
                        row.channel = channel;
                    }
                });
            } else if row.part() == part::<Program>() {
                let here = |row: &Program| row.track == track && Some(row.channel) == own;
                self.programs.modify(row.of(), |row| {
                    if here(row) {
                        row.channel = channel;
                    }
                });
            } else if row.part() == part::<Other>() {
                self.others.modify(row.of(), |row| {
                    if let crate::smf::Body::Channel { status, .. } = &mut row.body
                        && row.track == Some(track)
                        && Channel::new(*status & 15) == own
                    {
                        *status = *status & 0xf0 | channel.get();
                    }
                });
                // An off that ended nothing would end a note of the other channel.
                if self.stray_ends(row.of()).is_some() {
                    self.others.remove(row.of());
                }
            }
        }
        self.tracks.modify(track, |row| row.channel = Some(channel));
        self.relabel(track);
        Ok(true)
    }

    /// Sets the first change of a controller on a track, or adds one at the start. Says whether that changed anything.
    ///
    /// # Errors
    /// The chunk is damaged.
    pub fn set_control(&mut self, track: Id<Track>, number: u8, value: u8) -> Result<bool> {
        let row = self.tracks.need(track)?.clone();
        self.writable(row.chunk)?;
        let first = self.controls.index().of(track, number).next();
        if let Some(first) = first {
            return Ok(self.controls.modify(first, |row| row.value = value));
        }
        let rank = if matches!(number, 0 | 32) {
            Rank::Bank
        } else {
            Rank::Control
        };
        let mark = self.place(row.chunk, 0, rank, None);
        let channel = row.channel.unwrap_or(Channel::FIRST);
        self.controls.insert(Control {
            chunk: row.chunk,
            track,
            at: 0,
            number,
            value,
            channel,
            mark,
        });
        Ok(true)
    }

    /// The pitch of a note some semitones away.
    ///
    /// # Errors
    /// There is none.
    pub fn shifted(&self, note: &Note, semitones: i32) -> Result<Pitch> {
        match note.pitch.shifted(semitones) {
            Some(pitch) => Ok(pitch),
            None => {
                let (name, at) = (
                    crate::lines::pitch(self, note),
                    self.shown(note.chunk, note.at),
                );
                bail!("{name} at {at} would leave the range of MIDI, C-1 to G9")
            }
        }
    }

    /// Gives notes other pitches, all at once: none is in the way of another that moves too.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn repitch(&mut self, moving: &[(Id<Note>, Pitch)]) -> Result<Overlaps> {
        let mut changes = Vec::with_capacity(moving.len());
        for (id, pitch) in moving {
            let note = self.notes.need(*id)?.clone();
            changes.push((
                *id,
                Note {
                    pitch: *pitch,
                    ..note
                },
            ));
        }
        self.change_notes(changes)
    }

    /// Moves a row that is no note. Says whether that changed anything.
    ///
    /// # Errors
    /// The place makes no sense, the row has none, or its chunk is damaged.
    pub fn move_row(&mut self, row: Row, at: &Spanned<Change<Pos, Shift>>) -> Result<bool> {
        let moved = self.shift_row(row, at)?;
        if !moved {
            return Ok(false);
        }
        if row.part() == part::<Other>()
            && let Some(note) = self.stray_ends(row.of())
        {
            let (off, note) = (
                self.told(row),
                self.told(Row::new(part::<Note>(), note.number())),
            );
            bail!("{off} ends nothing where it was, and would end {note}");
        }
        // What names a track may be the first of its kind no longer.
        if (row.part() == part::<Other>() || row.part() == part::<Program>())
            && let Some(chunk) = self.chunk_of(row)
        {
            self.relabel_chunk(chunk);
        }
        Ok(true)
    }

    fn shift_row(&mut self, row: Row, at: &Spanned<Change<Pos, Shift>>) -> Result<bool> {
        let Some(chunk) = self.chunk_of(row) else {
            bail!("{} stands at no place", self.told(row))
        };
        self.writable(chunk)?;
        macro_rules! moved {
            ($($kind:ty => $table:ident, $rank:expr);* $(;)?) => {$(
                if row.part() == part::<$kind>() {
                    let id: Id<$kind> = row.of();
                    let present = self.$table.need(id)?.at;
                    let tick = self.changed_tick(at, chunk, None, present)?;
                    if tick == present {
                        return Ok(false);
                    }
                    let rank: fn(&$kind) -> Rank = $rank;
                    let rank = rank(self.$table.need(id)?);
                    let mark = self.place(chunk, tick, rank, None);
                    return Ok(self.$table.modify(id, |row| {
                        row.at = tick;
                        row.mark = mark;
                    }));
                }
            )*};
        }
        moved! {
            Control => controls, |row| if matches!(row.number, 0 | 32) { Rank::Bank } else { Rank::Control };
            Program => programs, |_| Rank::Program;
            Tempo => tempos, |_| Rank::Song;
            Meter => meters, |_| Rank::Song;
            Key => keys, |_| Rank::Song;
            Marker => markers, |_| Rank::Song;
            Other => others, Other::rank;
        }
        bail!("{} stands at no place of its own", self.told(row))
    }

    /// A note like another, for a copy.
    #[must_use]
    pub fn like(&self, note: &Note) -> NewNote {
        NewNote {
            track: note.track,
            channel: note.channel,
            pitch: note.pitch,
            at: note.at,
            dur: note.dur.unwrap_or_else(|| u64::from(self.ppqn())).max(1),
            velocity: note.velocity,
            off: note.off,
        }
    }
}
