//! Rows by their kind.

use fcp::prelude::*;

use super::kinds::{
    Chunk, ControlChange, Key, Marker, Meter, Note, Program, RawEvent, Tempo, Track,
};
use super::voice::{Aftertouch, PitchBend};
use super::words::{Lyric, TextEvent};
use crate::model::Song;
use crate::smf::Bytes;

/// The index of the table of a kind.
pub(crate) const fn part<T: Entity>() -> usize
where
    Song: HasTable<T>,
{
    <Song as HasTable<T>>::PART
}

/// The row of a kind that has an id.
pub(crate) const fn row_of<T: Entity>(id: Id<T>) -> Row
where
    Song: HasTable<T>,
{
    Row::new(part::<T>(), id.number())
}

/// Tests of the kind of a row.
pub(crate) trait IsKind {
    /// Whether a row is of a kind. It need not exist.
    fn is<T: Entity>(self) -> bool
    where
        Song: HasTable<T>;
}

impl IsKind for Row {
    fn is<T: Entity>(self) -> bool
    where
        Song: HasTable<T>,
    {
        self.part() == part::<T>()
    }
}

/// The kinds of rows, with their tables.
macro_rules! kinds {
    ($($kind:ident: $row:ty = $table:ident,)*) => {
        /// A row by its kind. Code that differs by kind matches it and names every kind, so that a
        /// new kind is an error wherever it needs a decision.
        #[derive(Clone, Copy)]
        pub enum RowRef<'s> {
            $(
                #[doc = concat!("A row of `", stringify!($table), "`.")]
                $kind(&'s $row),
            )*
        }

        impl Song {
            /// A row by its kind, if it exists.
            #[must_use]
            pub fn row_ref(&self, row: Row) -> Option<RowRef<'_>> {
                $(
                    if row.is::<$row>() {
                        return self.$table.get(row.of()).map(RowRef::$kind);
                    }
                )*
                None
            }
        }

        // A table without a kind would have rows that no match sees.
        const _: () = assert!([$(stringify!($kind)),*].len() == tables());
    };
}

kinds! {
    Chunk: Chunk = chunks,
    Track: Track = tracks,
    Note: Note = notes,
    Control: ControlChange = controls,
    Program: Program = programs,
    Bend: PitchBend = bends,
    Touch: Aftertouch = touches,
    Lyric: Lyric = lyrics,
    Text: TextEvent = texts,
    Tempo: Tempo = tempos,
    Meter: Meter = meters,
    Key: Key = keys,
    Marker: Marker = markers,
    Raw: RawEvent = others,
}

/// The number of tables of a song.
const fn tables() -> usize {
    let mut parts = Song::SHAPE.parts;
    let mut count = 0;
    while let [part, rest @ ..] = parts {
        if part.shape.is_some() {
            count += 1;
        }
        parts = rest;
    }
    count
}

impl Song {
    /// A row as one of a kind, if it is of that kind.
    #[must_use]
    pub fn row_as<T: Entity>(&self, row: Row) -> Option<&T>
    where
        Self: HasTable<T>,
    {
        let table = HasTable::<T>::table(self);
        row.is::<T>().then(|| table.get(row.of())).flatten()
    }

    /// The text of a marker, a lyric or a text event, and its bytes.
    #[must_use]
    pub fn text_of(&self, row: Row) -> Option<(&str, &Bytes)> {
        match self.row_ref(row)? {
            RowRef::Marker(row) => Some((&row.text, &row.bytes)),
            RowRef::Lyric(row) => Some((&row.text, &row.bytes)),
            RowRef::Text(row) => Some((&row.text, &row.bytes)),
            RowRef::Chunk(_)
            | RowRef::Track(_)
            | RowRef::Note(_)
            | RowRef::Control(_)
            | RowRef::Program(_)
            | RowRef::Bend(_)
            | RowRef::Touch(_)
            | RowRef::Tempo(_)
            | RowRef::Meter(_)
            | RowRef::Key(_)
            | RowRef::Raw(_) => None,
        }
    }

    /// Sets the text of a marker, a lyric or a text event. Returns whether that changed the row.
    pub fn set_text(&mut self, row: Row, text: String, bytes: Bytes) -> bool {
        macro_rules! set {
            ($table:ident) => {
                self.$table
                    .modify(row.of(), |row| (row.text, row.bytes) = (text, bytes))
            };
        }
        if row.is::<Marker>() {
            set!(markers)
        } else if row.is::<Lyric>() {
            set!(lyrics)
        } else {
            row.is::<TextEvent>() && set!(texts)
        }
    }
}
