//! Adds, moves and copies tracks, with all their rows.

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use crate::holding::begins;
use crate::lines;
use crate::model::{Chunk, NewNote, Note, Overlaps, Program, Rank, Song, Track};
use crate::values::{Bank, CONTROLLERS, Channel, ControlValue, Controller};
use crate::wording::Written;

/// A track as a row of any kind.
#[must_use]
pub fn row(track: Id<Track>) -> Row {
    Row::new(<Song as HasTable<Track>>::PART, track.number())
}

/// The channels of tracks, and all channels with any rows: a track of a file may play on several.
#[must_use]
pub fn used_channels(song: &Song) -> BTreeSet<Channel> {
    let tracks = song.tracks.iter().filter_map(|(_, row)| row.channel);
    let notes = song.notes.index().all_channels();
    let programs = song.programs.iter().map(|(_, row)| row.channel);
    let controls = song.controls.index().all_channels();
    let bends = song.bends.iter().map(|(_, row)| row.channel);
    let touches = song.touches.iter().map(|(_, row)| row.channel);
    let others = song.others.iter().filter_map(|(_, row)| row.channel());
    let played = tracks.chain(notes).chain(programs).chain(controls);
    played.chain(bends).chain(touches).chain(others).collect()
}

/// The lowest unused channel, drums excluded.
///
/// # Errors
/// All are taken.
pub fn free_channel(song: &Song) -> Result<Channel> {
    free_channel_outside(song, &used_channels(song))
}

/// The lowest channel outside `used`, drums excluded.
///
/// # Errors
/// All are taken.
pub fn free_channel_outside(song: &Song, used: &BTreeSet<Channel>) -> Result<Channel> {
    let free = |channel: &Channel| *channel != Channel::DRUMS && !used.contains(channel);
    match Channel::all().find(free) {
        Some(channel) => Ok(channel),
        None if song.file.header.format == 0 => bail!(
            "all fifteen channels for pitched tracks are taken, and a file of format 0 has one track a channel";
            try: "! save smf:1"
        ),
        None => {
            let notes = song.notes.index();
            let first = song.ordered().find(|(id, track)| {
                track.channel == Some(Channel::FIRST) || notes.plays(*id, Channel::FIRST)
            });
            let who = first.map_or_else(String::new, |(id, _)| {
                format!(", which {} plays on", lines::name(song, id))
            });
            bail!("all fifteen channels for pitched tracks are taken; share one{who}"; add: "ch:1")
        }
    }
}

/// Rejects a channel that another track has, in a file of format 0, where each track is a channel.
///
/// # Errors
/// It is taken.
pub fn untaken_channel(
    song: &Song,
    wanted: &Spanned<Channel>,
    track: Option<Id<Track>>,
) -> Result<()> {
    let channel = *wanted.get();
    let Some(problem) = taken(song, channel, track) else {
        return Ok(());
    };
    let error = ValueError::sentence(problem);
    // No other channel plays drums.
    let free = free_channel(song).ok();
    Err(match free.filter(|_| channel != Channel::DRUMS) {
        Some(free) => wanted.wrong(error.fix(free.to_string())),
        None => wanted.wrong(error).or_try("! save smf:1"),
    })
}

/// The error for a channel of a track, if another track has it in a file of format 0.
fn taken(song: &Song, channel: Channel, track: Option<Id<Track>>) -> Option<String> {
    let has = |(id, row): &(Id<Track>, &Track)| Some(*id) != track && row.channel == Some(channel);
    let (other, _) = song.tracks.iter().find(has)?;
    let name = lines::name(song, other);
    (song.file.header.format == 0).then(|| {
        format!("a file of format 0 has one track a channel, and channel {channel} has {name}")
    })
}

/// Rejects a taken name; suggests a free one.
///
/// # Errors
/// It is taken.
pub fn untaken(song: &Song, name: &Spanned<Name>) -> Result<()> {
    let text = name.get().to_string();
    let taken = |name: &str| {
        let level = fcp::model::Level::Normalised;
        song.tracks.by_label(name, level).first().copied()
    };
    let Some(other) = taken(&text) else {
        return Ok(());
    };
    let free = (2..).map(|n| format!("{text}-{n}"));
    let free = free.take(70_000).find(|name| taken(name).is_none());
    let other = lines::name(song, Id::new(other));
    let problem = match other == text {
        true => format!("there is a track {text} already"),
        false => format!("there is a track \"{other}\" already, which {text} means too"),
    };
    let error = ValueError::sentence(problem);
    Err(name.wrong(error.maybe_fix(free)))
}

/// Adds an empty track after all others.
///
/// # Errors
/// The last track is damaged, or in a file of format 0 the channel already has a track.
pub fn make(song: &mut Song, name: &Written, channel: Channel) -> Result<Id<Track>> {
    let format = song.file.header.format;
    let chunk = if format == 0 {
        if let Some(problem) = taken(song, channel, None) {
            bail!("{problem}"; try: "! save smf:1");
        }
        song.conductor()
    } else {
        song.conductor();
        // A track after a truncated one would be read as the rest of it.
        let last = song.chunks.iter().next_back().map(|(id, _)| id);
        last.map_or(Ok(()), |last| song.writable(last))?;
        song.chunks.insert(Chunk::track())
    };
    song.writable(chunk)?;
    let id = song.tracks.insert(Track {
        chunk,
        name: name.text.clone(),
        channel: Some(channel),
    });
    song.set_track_name(id, name)?;
    Ok(id)
}

/// Sets the instrument of a track: changes its first program, or adds one at the start. Returns
/// whether anything changed.
///
/// # Errors
/// The track is gone.
pub fn set_program(song: &mut Song, id: Id<Track>, program: u8) -> Result<bool> {
    let Track { chunk, channel, .. } = song.tracks.need(id)?.clone();
    let differs = match song.own_program(id) {
        Some(first) => song.programs.modify(first, |row| row.program = program),
        None => {
            let mark = song.place(chunk, 0, Rank::Program, None);
            let channel = channel.unwrap_or(Channel::FIRST);
            song.programs.insert(Program {
                chunk,
                track: id,
                at: 0,
                program,
                channel,
                mark,
            });
            true
        }
    };
    song.relabel(id);
    Ok(differs)
}

/// Sets the first changes of controllers on a track, and its bank. Returns the differences.
///
/// # Errors
/// A key is not a controller, or a value is invalid.
pub fn set_controllers(
    song: &mut Song,
    id: Id<Track>,
    bank: Option<Bank>,
    keys: &Keys,
) -> Result<Vec<String>> {
    let mut settings = Vec::new();
    if let Some(bank) = bank {
        let mut differs = song.set_control(id, 0, bank.coarse)?;
        if let Some(fine) = bank.fine {
            differs |= song.set_control(id, 32, fine)?;
        }
        if differs {
            settings.push(format!("bank {bank}"));
        }
    }
    let mut given: Vec<(Controller, &str)> = Vec::new();
    for keyed in keys.iter() {
        let Ok(controller) = Controller::parse(keyed.key()) else {
            let names = CONTROLLERS.iter().flat_map(|(_, names)| names.iter());
            return Err(keyed.unknown("a track", names.copied()));
        };
        if let Some((_, other)) = given.iter().find(|(other, _)| *other == controller) {
            bail!(
                "{}: and {other}: both set {controller}; give one",
                keyed.key()
            );
        }
        given.push((controller, keyed.key()));
        let value: ControlValue = match keyed.parse()? {
            Change::Set(value) => value,
            Change::By(step) => stepped(song, (id, controller), keyed, step)?,
        };
        let value = value
            .of(Some(controller))
            .map_err(|error| keyed.wrong(error))?;
        if song.set_control(id, controller.get(), value)? {
            settings.push(format!("{controller} {value}"));
        }
    }
    Ok(settings)
}

/// The first value of a controller on a track, changed by a step and clamped to its range.
///
/// # Errors
/// It is not set there. The repair is the result of the step from the General MIDI default.
fn stepped(
    song: &Song,
    (id, controller): (Id<Track>, Controller),
    keyed: &Keyed,
    step: Int<-127, 127>,
) -> Result<ControlValue> {
    let number = controller.get();
    let own = song.tracks.need(id)?.channel;
    let first = song.controls.index().first_of(id, own, number);
    match first.and_then(|first| song.controls.get(first)) {
        Some(row) => Ok(ControlValue::clamped(i64::from(row.value) + step.get())),
        None => {
            let begins = i64::from(begins(number).unwrap_or(0));
            let value = ControlValue::clamped(begins + step.get());
            let problem = "steps from a value that is not set";
            Err(keyed.wrong(ValueError::new(problem).fix(value.to_string())))
        }
    }
}

/// Moves a track to a number in the track order.
///
/// # Errors
/// There are fewer tracks, or the file determines their order.
pub fn put_at(song: &mut Song, id: Id<Track>, to: &Spanned<Int<1, 65_535>>) -> Result<()> {
    let mut order: Vec<Id<Track>> = song.ordered().map(|(id, _)| id).collect();
    let count = order.len();
    let number = usize::try_from(to.get().get()).unwrap_or(1);
    if number > count {
        let problem = format!("is beyond the last track, number {count}");
        return Err(to.wrong(ValueError::new(problem).fix(count.to_string())));
    }
    order.retain(|own| *own != id);
    order.insert(number - 1, id);
    reorder(song, &order, id)
}

/// Content of a track: its notes, and rows of other kinds with their ticks, without its name.
pub struct Held {
    /// The track's channel.
    pub channel: Option<Channel>,
    /// The notes, in the order they start.
    pub notes: Vec<(Id<Note>, Note)>,
    /// The others, in the order of the file.
    pub others: Vec<(Row, u64)>,
}

/// Collects the content of a track.
///
/// # Errors
/// The track is gone.
pub fn held(song: &Song, track: Id<Track>) -> Result<Held> {
    let Track { chunk, channel, .. } = *song.tracks.need(track)?;
    let mut rows = Vec::new();
    song.starting(chunk, 0, u64::MAX, &mut rows);
    rows.retain(|(_, row)| song.track_of(*row) == Some(track));
    rows.sort_unstable_by_key(|(key, _)| *key);
    let mut held = Held {
        channel,
        notes: Vec::new(),
        others: Vec::new(),
    };
    for (key, row) in rows {
        if row.part() == <Song as HasTable<Note>>::PART {
            held.notes
                .push((row.of(), song.notes.need(row.of())?.clone()));
        } else if !song.names_track(row) {
            held.others.push((row, key.tick));
        }
    }
    Ok(held)
}

/// Replacements of channels.
pub type Channels = BTreeMap<Channel, Channel>;

impl Held {
    /// The channels of the track's content.
    fn channels(&self, song: &Song) -> BTreeSet<Channel> {
        let notes = self.notes.iter().map(|(_, note)| note.channel);
        let others = self.others.iter();
        let others = others.filter_map(|(row, _)| song.channel_of(*row));
        notes.chain(others).collect()
    }

    /// The channels of a copy whose own channel is `to`: drums keep their channel, and content of
    /// each other channel gets a free one, or stays if there is none.
    ///
    /// # Errors
    /// Content of two channels would share one: the first is the track's own, the second is `to`.
    pub fn copied(&self, song: &Song, to: Channel) -> Result<Channels, (Channel, Channel)> {
        let mut used = used_channels(song);
        used.insert(to);
        let mut channels = Channels::new();
        for channel in self.channels(song) {
            let free = || free_channel_outside(song, &used).unwrap_or(channel);
            let copied = match channel {
                own if Some(own) == self.channel => to,
                Channel::DRUMS => Channel::DRUMS,
                _ => free(),
            };
            used.insert(copied);
            channels.insert(channel, copied);
        }
        let is_mixed =
            |(from, copied): &(&Channel, &Channel)| Some(**from) != self.channel && **copied == to;
        match (self.channel, channels.iter().find(is_mixed)) {
            (Some(own), Some((other, _))) => Err((own, *other)),
            _ => Ok(channels),
        }
    }
}

/// `1 -> 3`: the channels that change.
#[must_use]
pub fn moved(channels: &Channels) -> Vec<String> {
    let moved = channels.iter().filter(|(from, to)| from != to);
    moved.map(|(from, to)| format!("{from} -> {to}")).collect()
}

/// Copies the content of a track to another, with replaced channels. Returns the effect on notes
/// that collided.
///
/// # Errors
/// A chunk is damaged.
pub fn copy_all(
    song: &mut Song,
    from: &Held,
    to: Id<Track>,
    channels: &Channels,
) -> Result<Overlaps> {
    let chunk = song.tracks.need(to)?.chunk;
    for (row, at) in &from.others {
        let own = song.channel_of(*row);
        let channel = own.and_then(|own| channels.get(&own)).copied();
        song.copy_to(*row, chunk, *at, Some((to, channel)))?;
    }
    let mut notes = Vec::with_capacity(from.notes.len());
    for (id, note) in &from.notes {
        let copy = NewNote {
            track: to,
            channel: *channels.get(&note.channel).unwrap_or(&note.channel),
            ..song.like(note)
        };
        notes.push((*id, copy));
    }
    song.add_copies(notes)
}

/// Reorders tracks, one of which has moved; tracks between its two places move up or down.
///
/// The file orders chunks by id, so their content moves instead.
///
/// # Errors
/// A chunk is damaged.
pub fn reorder(song: &mut Song, order: &[Id<Track>], moved: Id<Track>) -> Result<()> {
    if song.file.header.format == 0 {
        bail!("the tracks of a file of format 0 are in the order of their channels"; try: "! save smf:1");
    }
    let homes: Vec<Id<Chunk>> = song.ordered().map(|(_, row)| row.chunk).collect();
    let first = song.first_chunk();
    let mut chunks = BTreeMap::new();
    for (place, id) in homes.iter().zip(order) {
        let own = song.tracks.need(*id)?.chunk;
        if own != *place {
            song.writable(*place)?;
            song.writable(own)?;
            if [own, *place].contains(&first.unwrap_or(*place)) && song.file.header.format == 1 {
                let name = lines::name(song, *id);
                bail!(
                    "{name} cannot change places with the first chunk of the file, which holds the song's title and tempo"
                );
            }
            chunks.insert(own, *place);
        }
    }
    song.exchange(&chunks, moved)
}
