//! New tracks, their instruments and controllers, and their order.

use std::collections::BTreeMap;

use fcp::prelude::*;

use super::channels::taken;
use crate::model::{Chunk, Program, Rank, Song, Track, Written};
use crate::values::{Bank, CONTROLLERS, Channel, ControlValue, Controller};

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
    let numbered = |n: u64| format!("{text}-{n}");
    let free = numbered(fcp::model::next_free(1, |n| taken(&numbered(n)).is_some()));
    let other = song.name_of_track(Id::new(other));
    let problem = match other == text {
        true => format!("there is a track {text} already"),
        false => format!("there is a track \"{other}\" already, which {text} means too"),
    };
    let error = ValueError::sentence(problem);
    Err(name.wrong(error.fix(free)))
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
            let begins = i64::from(Controller::default_of(number).unwrap_or(0));
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
                let name = song.name_of_track(*id);
                bail!(
                    "{name} cannot change places with the first chunk of the file, which holds the song's title and tempo"
                );
            }
            chunks.insert(own, *place);
        }
    }
    song.exchange(&chunks, moved)
}
