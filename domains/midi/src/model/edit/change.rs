//! Changes to rows of every kind, and to tracks as a whole.

use fcp::prelude::*;

use crate::model::index::flaws::Flaw;
use crate::model::name::prefix;
use crate::model::rows::kinds::{Chunk, Note, Program, RawEvent, Track};
use crate::model::rows::note::{NewNote, Overlaps, Release};
use crate::model::song::Song;
use crate::model::tables::Owner;
use crate::model::{IsKind, Site, Sources, Written, channel_state, row_of};
use crate::values::{Channel, Pitch};

impl Song {
    /// A row as replies show it.
    #[must_use]
    pub fn describe(&self, row: Row) -> String {
        self.line(row).unwrap_or_else(|| self.name_of(row))
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
        // Notes that sound at `from` started earlier, but by no more than the longest note.
        let index = self.notes.index();
        let early = from.saturating_sub(index.longest());
        let starts = index.time.range(chunk, early, to.saturating_sub(1));
        let starts = starts.filter(|(_, spot)| !spot.off);
        let mut ids: Vec<Id<Note>> = starts.map(|(_, spot)| Id::new(spot.id)).collect();
        let mut long = self.flawed_before(Flaw::Stuck, track, early);
        long.append(&mut ids);
        long.retain(|id| {
            self.notes.get(*id).is_some_and(|note| {
                note.track == track
                    && (note.at >= from || note.dur.is_none_or(|dur| note.at + dur > from))
            })
        });
        long
    }

    /// Removes a row. A track goes with everything on it.
    ///
    /// # Errors
    /// Its chunk is damaged.
    pub fn remove_row(&mut self, row: Row) -> Result<()> {
        if row.is::<Track>() {
            return self.remove_track(row.of());
        }
        if let Some(chunk) = self.chunk_of(row) {
            self.writable(chunk)?;
        }
        let own = self.row_as::<Program>(row).map(|row| row.track);
        let played = self.row_as::<Note>(row).map(|row| row.track);
        let named = self.row_as(row).filter(|row: &&RawEvent| row.is_name());
        let named = named.map(|row| row.chunk);
        if let Some(rows) = self.rows_mut(row.part()) {
            rows.remove(row.id());
        }
        // On an empty track, music starts at the beginning again.
        if let Some(track) = played.filter(|track| self.notes.index().count(*track) == 0) {
            self.forget_cursor(track);
        }
        if let Some(track) = own {
            self.relabel(track);
        }
        if let Some(chunk) = named {
            self.relabel_chunk(chunk);
        }
        Ok(())
    }

    /// Updates the names of the tracks of a chunk.
    pub fn relabel_chunk(&mut self, chunk: Id<Chunk>) {
        let tracks: Vec<Id<Track>> = self.tracks.index().of(chunk).collect();
        for track in tracks {
            self.relabel(track);
        }
    }

    /// Removes a track with its events; its chunk too, unless other rows stay in it.
    ///
    /// # Errors
    /// Its chunk is damaged.
    pub fn remove_track(&mut self, track: Id<Track>) -> Result<()> {
        let chunk = self.tracks.need(track)?.chunk;
        self.writable(chunk)?;
        let mut rows = Vec::new();
        self.starting(chunk, 0, u64::MAX, &mut rows);
        let shared = self
            .tracks
            .iter()
            .any(|(id, other)| id != track && other.chunk == chunk);
        let patterns = self.file.header.format == 2;
        let conductor = self.first_chunk().filter(|first| *first != chunk);
        let mut kept = false;
        for (place, row) in rows {
            let own = self.track_of(row) == Some(track);
            let song_row = self.is_of_song(row.part());
            // Song rows of a pattern are removed with it; others belong to the song and move to the
            // conductor.
            if own || (song_row && patterns) {
                if let Some(table) = self.rows_mut(row.part()) {
                    table.remove(row.id());
                }
            } else if let (true, false, Some(conductor)) = (song_row, shared, conductor) {
                self.put(row, conductor, place.tick);
            } else {
                kept = true;
            }
        }
        self.tracks.remove(track);
        self.forget_mute(track);
        if !shared && !kept && self.file.header.format != 0 {
            self.chunks.remove(chunk);
        }
        // Unnamed tracks are named by their place.
        self.relabel_all();
        Ok(())
    }

    /// Renames a track. Returns whether anything changed.
    ///
    /// # Errors
    /// Its chunk is damaged.
    pub fn rename_track(&mut self, track: Id<Track>, name: &Written) -> Result<bool> {
        if self.is_named(self.track_name_event(track), name) {
            return Ok(false);
        }
        self.set_track_name(track, name)?;
        self.relabel(track);
        Ok(true)
    }

    /// Moves a track to another channel, with all its events. Returns the effect on notes that
    /// collided there, or `None` if the track has this channel already. In a file of format 0 no
    /// other track may have that channel.
    ///
    /// # Errors
    /// The chunk is damaged.
    pub fn set_channel(&mut self, track: Id<Track>, channel: Channel) -> Result<Option<Overlaps>> {
        let row = self.tracks.need(track)?.clone();
        if row.channel == Some(channel) {
            return Ok(None);
        }
        let own = row.channel;
        self.writable(row.chunk)?;
        let named = self
            .others
            .iter()
            .filter(|(_, other)| other.track == Some(track));
        let named = named.filter(|(_, other)| self.is_own_prefix(other));
        let named: Vec<Id<RawEvent>> = named.map(|(id, _)| id).collect();
        for id in named {
            self.others.modify(id, |other| other.body = prefix(channel));
        }
        let mut rows = Vec::new();
        self.starting(row.chunk, 0, u64::MAX, &mut rows);
        let here = rows
            .into_iter()
            .map(|(_, row)| row)
            .filter(|row| self.track_of(*row) == Some(track) && self.channel_of(*row) == own);
        let (notes, others): (Vec<Row>, Vec<Row>) = here.partition(|row| row.is::<Note>());
        let mut changes = Vec::with_capacity(notes.len());
        for row in notes {
            let id: Id<Note> = row.of();
            let note = self.notes.need(id)?.clone();
            changes.push((id, Note { channel, ..note }));
        }
        // Before its notes: in a file of format 0 they belong to the track of their channel.
        self.tracks.modify(track, |row| row.channel = Some(channel));
        let overlaps = self.change_notes_with(changes, &others)?;
        for row in others.into_iter().filter(|_| own.is_some()) {
            self.put_channel(row, channel);
            // A note-off that ended nothing would end a note on the new channel.
            if row.is::<RawEvent>() && self.stray_ends(row.of()).is_some() {
                self.others.remove(row.of());
            }
        }
        self.relabel(track);
        Ok(Some(overlaps))
    }

    /// Sets the first change of a controller on the channel of a track, or adds one at the start.
    /// Returns whether anything changed.
    ///
    /// # Errors
    /// The chunk is damaged.
    pub fn set_control(&mut self, track: Id<Track>, number: u8, value: u8) -> Result<bool> {
        let row = self.tracks.need(track)?.clone();
        self.writable(row.chunk)?;
        let index = self.controls.index();
        if let Some(first) = index.first_of(track, row.channel, number) {
            return Ok(self.controls.modify(first, |row| row.value = value));
        }
        let site = Site {
            track,
            chunk: row.chunk,
            channel: row.channel.unwrap_or(Channel::FIRST),
            at: 0,
        };
        channel_state::put(self, site.control(number, value));
        Ok(true)
    }

    /// The pitch of a note, moved by a number of semitones.
    ///
    /// # Errors
    /// It is out of range.
    pub fn shifted(&self, note: &Note, semitones: i32) -> Result<Pitch> {
        match note.pitch.shifted(semitones) {
            Some(pitch) => Ok(pitch),
            None => {
                let (name, at) = (self.pitch_of(note), self.shown(note.chunk, note.at));
                bail!("{name} at {at} would leave the range of MIDI, C-1 to G9")
            }
        }
    }

    /// Changes the pitches of notes at once: none is in the way of another that moves too.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn repitch(&mut self, moving: &[(Id<Note>, Pitch)]) -> Result<Overlaps> {
        let mut going = Vec::with_capacity(moving.len());
        for (id, pitch) in moving {
            let voice = self.notes.need(*id)?.voice();
            going.push((voice, (voice.0, voice.1, *pitch)));
        }
        let whole = self.whole(going.iter().map(|(from, to)| (Some(*from), *to)));
        if !self.gathers() && going.iter().all(|(from, _)| whole.contains(from)) {
            for (chunk, ..) in &whole {
                self.writable(*chunk)?;
            }
            let followers = self.followers(moving.iter().map(|(id, _)| *id), &[]);
            self.notes.brace(moving.len());
            for (id, pitch) in moving {
                self.notes.modify(*id, |note| note.pitch = *pitch);
            }
            let mut overlaps = Overlaps::default();
            self.follow(followers, &mut overlaps)?;
            return Ok(overlaps);
        }
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

    /// Moves a row that is not a note to a tick, and to another track if one is given. Returns
    /// whether anything changed.
    ///
    /// # Errors
    /// The row has no position, a chunk is damaged, or the row would end a note there.
    pub fn move_row_to(&mut self, row: Row, tick: u64, on: Option<Id<Track>>) -> Result<bool> {
        let place = self.chunk_of(row).zip(self.tick_and_rank(row));
        let Some((chunk, (present, _))) = place else {
            bail!("{} has no position of its own", self.describe(row))
        };
        self.writable(chunk)?;
        // Texts of the song move to the chunk of a track; in a file of patterns, other rows of the
        // song move to another pattern too.
        let can_move = self.is_patterns() || !self.is_of_song(row.part());
        let is_other = |on: &Id<Track>| match self.track_of(row) {
            Some(own) => own != *on,
            None => can_move && self.tracks.get(*on).is_some_and(|on| on.chunk != chunk),
        };
        let on = on.filter(is_other);
        if tick == present && on.is_none() {
            return Ok(false);
        }
        if self.gathers() {
            let from = self.places(row);
            self.keep_places(row, from);
        }
        match on {
            Some(track) => {
                let Track { chunk, channel, .. } = self.tracks.need(track)?.clone();
                self.writable(chunk)?;
                self.give_row(row, chunk, tick, (track, channel));
                if self.track_of(row).is_none() {
                    self.assign(row, Some(track));
                }
            }
            None => self.put(row, chunk, tick),
        }
        if row.is::<RawEvent>()
            && let Some(note) = self.stray_ends(row.of())
        {
            let (off, note) = (self.describe(row), self.describe(row_of(note)));
            bail!("{off} ended nothing where it was, but would end {note}");
        }
        // A row that names a track may no longer be the first of its kind.
        if row.is::<RawEvent>() || row.is::<Program>() {
            self.relabel_chunk(chunk);
            if let Some(chunk) = self.chunk_of(row).filter(|own| *own != chunk) {
                self.relabel_chunk(chunk);
            }
        }
        Ok(true)
    }

    /// Copies a row that is not a note to a tick, for another track and its channel if one is
    /// given. The copy is added to `sources`, for [`Song::keep_order`].
    ///
    /// # Errors
    /// A chunk is damaged, or the copy would be after the last tick. A copy that would end a note
    /// is not made.
    pub fn copy_to(
        &mut self,
        row: Row,
        chunk: Id<Chunk>,
        tick: u64,
        on: Option<Owner>,
        sources: &mut Sources,
    ) -> Result<Option<Row>> {
        if tick > super::notes::LAST_TICK {
            bail!("a copy would go beyond the last tick of a file");
        }
        let is_song = self.is_of_song(row.part());
        let owner = on.filter(|_| !is_song);
        // In a file of patterns each has rows of its own.
        let chunk = match self
            .chunk_of(row)
            .filter(|_| is_song && !self.is_patterns())
        {
            Some(own) => own,
            None => chunk,
        };
        self.writable(chunk)?;
        let from = self.places(row);
        let copy = self.copy_row(row, chunk, tick, owner);
        if let Some(copy) = copy.filter(|copy| copy.is::<RawEvent>())
            && self.stray_ends(copy.of()).is_some()
        {
            // A note-off that ended nothing would end a note here.
            self.others.remove(copy.of());
            return Ok(None);
        }
        if let Some(copy) = copy {
            sources.add(copy, from);
        }
        Ok(copy)
    }

    /// Moves a row that is not a note to another track at its tick; it keeps its channel.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn take_row(
        &mut self,
        row: Row,
        chunk: Id<Chunk>,
        tick: u64,
        track: Id<Track>,
    ) -> Result<()> {
        self.writable(chunk)?;
        if self.is_of_song(row.part()) {
            return Ok(());
        }
        self.give_row(row, chunk, tick, (track, None));
        if row.is::<RawEvent>() && self.stray_ends(row.of()).is_some() {
            // A note-off that ended nothing would end a note here.
            self.others.remove(row.of());
        }
        Ok(())
    }

    /// The data for a copy of a note. A note without an end gets one.
    #[must_use]
    pub fn like(&self, note: &Note) -> NewNote {
        let release = match note.dur {
            Some(_) => Release {
                velocity: note.off,
                by_on: note.off_by_on,
            },
            None => self.usual_end(note),
        };
        NewNote {
            track: note.track,
            channel: note.channel,
            pitch: note.pitch,
            at: note.at,
            dur: note.dur.unwrap_or_else(|| u64::from(self.ppqn())),
            velocity: note.velocity,
            release,
        }
    }
}
