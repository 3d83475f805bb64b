//! The ops with which SQL adds notes and events.

use fcp::op::{quote, quote_name, quote_value};
use fcp::prelude::*;
use fcp::table::NewRow;
use fcp::value::{Cell, SetValue};

use super::placed::{Seconds, bytes_of, sysex_of, tempo, tempo_of_micros};
use super::setting_events::PosText;
use crate::model::Song;
use crate::smf::{hex, vlq};

/// Adds a word to an op, if its column is given.
fn key(op: &mut String, row: NewRow<'_>, column: &str, key: &str) {
    if let Some(value) = row.text(column) {
        op.push_str(&format!(" {key}:{}", quote_value(&value)));
    }
}

/// Adds `at:…`, from whichever column gives it.
fn at(op: &mut String, row: NewRow<'_>) -> Result<()> {
    if let Some(tick) = row.text("tick") {
        op.push_str(&format!(" at:tick:{tick}"));
    } else if let Some(cell) = row.cell("seconds").filter(|cell| **cell != Cell::Null) {
        let about = |error: ValueError| {
            let word = cell.word().unwrap_or_default();
            Diagnostic::new(error.about(&format!("seconds:{word}")))
        };
        let seconds = Seconds::read(cell).map_err(about)?;
        op.push_str(&format!(" at:{}", seconds.as_str()));
    } else if let Some(bar) = row.text("bar") {
        let beat = row.text("beat").unwrap_or_else(|| "1".to_owned());
        let sub = row.text("sub").unwrap_or_else(|| "0".to_owned());
        op.push_str(&format!(" at:{bar}.{beat}.{sub}"));
    } else if let Some(pos) = row.cell("pos") {
        let pos = PosText::of(pos).map_err(|error| Diagnostic::new(error.about("pos")))?;
        op.push_str(&format!(" at:{}", quote_value(pos)));
    }
    Ok(())
}

/// The value of a required column.
fn need(row: NewRow<'_>, column: &str, of: &str) -> Result<String> {
    match row.text(column) {
        Some(value) => Ok(value),
        None => bail!("{of} needs {column}"),
    }
}

/// The columns of an event that only some kinds have.
const OWN: [&str; 7] = ["ch", "name", "number", "value", "pitch", "text", "bytes"];

/// Those that a new event of a kind takes.
fn taken(kind: &str) -> &'static [&'static str] {
    match kind {
        "cc" => &["ch", "name", "number", "value"],
        "program" => &["ch", "name", "value"],
        "bend" => &["ch", "value"],
        "touch" | "keytouch" => &["ch", "value", "pitch"],
        "tempo" => &["number", "value"],
        "meta" => &["number", "bytes"],
        "sysex" | "escape" => &["bytes"],
        _ => &["text"],
    }
}

/// The op that adds a track. Its program may be an instrument by name.
pub(super) fn track(_: &Song, row: NewRow<'_>) -> Result<String> {
    let name = need(row, "track", "a track")?;
    let mut op = format!("track add {}", quote_name(&name));
    key(&mut op, row, "ch", "ch");
    let program = row.text("program").unwrap_or_default();
    let is_name = program.starts_with(char::is_alphabetic);
    let own = if is_name { "instrument" } else { "program" };
    key(&mut op, row, "program", own);
    key(&mut op, row, "nr", "to");
    Ok(op)
}

/// The op that adds a note.
pub(super) fn note(song: &Song, row: NewRow<'_>) -> Result<String> {
    let pitch = row.text("pitch").or_else(|| row.text("name"));
    let Some(pitch) = pitch else {
        bail!("a note needs pitch");
    };
    let mut op = format!(
        "note {} {}",
        quote_name(&need(row, "track", "a note")?),
        quote(&pitch)
    );
    at(&mut op, row)?;
    let has_place = ["tick", "seconds", "bar", "pos"]
        .iter()
        .any(|own| row.cell(own).is_some());
    if let (false, Some(name)) = (has_place, row.text("track"))
        && let Ok(track) = fcp::verb::called(song, &name, "track", true)
        && song.onset(track.of(), None).is_err()
    {
        bail!("{name} holds music already; give pos, 'end' for example");
    }
    if let Some(dur) = row.text("dur") {
        // A number is ticks; words such as `q` are lengths too.
        let is_ticks = dur.bytes().all(|byte| byte.is_ascii_digit());
        op.push_str(&format!(
            " dur:{}{dur}",
            if is_ticks { "ticks:" } else { "" }
        ));
    }
    key(&mut op, row, "vel", "vel");
    key(&mut op, row, "ch", "ch");
    key(&mut op, row, "off_vel", "off");
    Ok(op)
}

/// The op that adds an event.
pub(super) fn event(song: &Song, row: NewRow<'_>) -> Result<String> {
    let kind = need(row, "kind", "an event")?;
    let of = format!("a {kind}");
    let track = || need(row, "track", &of).map(|track| quote_name(&track).into_owned());
    // There, what has no channel belongs to the song.
    let is_one = song.file.header.format == 0;
    let track_or_song = || {
        let track = row.text("track").filter(|_| !is_one);
        track.map_or_else(
            || "song".to_owned(),
            |track| quote_name(&track).into_owned(),
        )
    };
    let named = |column: &str| -> Result<String> {
        let own = row.text(column).or_else(|| row.text("name"));
        match own {
            Some(own) => Ok(quote(&own).into_owned()),
            None => bail!("{of} needs {column} or name"),
        }
    };
    let value = || need(row, "value", &of).map(|value| quote(&value).into_owned());
    let text = || need(row, "text", &of).map(|text| quote(&text).into_owned());
    let mut has_channel = true;
    let mut op = match &*kind {
        "cc" => format!("cc {} {} {}", track()?, named("number")?, value()?),
        "program" => format!("program {} {}", track()?, named("value")?),
        "bend" => format!("bend {} {}", track()?, value()?),
        "touch" | "keytouch" => {
            let mut op = format!("touch {} {}", track()?, value()?);
            if kind == "keytouch" {
                need(row, "pitch", &of)?;
            }
            key(&mut op, row, "pitch", "pitch");
            op
        }
        _ => {
            has_channel = false;
            match &*kind {
                "tempo" => {
                    let bpm = match row.text("value") {
                        Some(value) => tempo(&value)?,
                        None => tempo_of_micros(&need(row, "number", &of)?)?,
                    };
                    format!("tempo {bpm}")
                }
                "meter" => format!("time-sig {}", text()?),
                "key" => format!(
                    "key-sig {}",
                    quote(&need(row, "text", &of)?.replace(' ', "-"))
                ),
                "marker" => format!("marker {}", text()?),
                "lyric" => format!("lyric {} {}", track_or_song(), text()?),
                "text" | "copyright" | "instrument" | "cue" | "program-name" | "device" => {
                    format!("text {} {} kind:{kind}", track_or_song(), text()?)
                }
                "meta" => {
                    let number = need(row, "number", &of)?;
                    let bytes = need(row, "bytes", &of)?;
                    let Some(number) = number.parse::<u8>().ok().filter(|number| *number < 128)
                    else {
                        bail!("number of a meta is 0 to 127, not {number}");
                    };
                    let bytes = bytes_of(&bytes)?;
                    let mut event = vec![0xff, number];
                    vlq::write(bytes.len() as u64, 0, &mut event);
                    event.extend(bytes);
                    format!("raw {} {}", track_or_song(), hex(&event))
                }
                "sysex" => {
                    let bytes = sysex_of(&need(row, "bytes", &of)?, false)?;
                    format!("raw {} F0{}", track_or_song(), hex(&bytes))
                }
                "escape" => {
                    let bytes = bytes_of(&need(row, "bytes", &of)?)?;
                    format!("raw {} F7{}", track_or_song(), hex(&bytes))
                }
                "track-name" => {
                    bail!("a track is named by track rename, or by UPDATE of the text of its track-name";
                    try: "track rename TRACK NAME")
                }
                _ => bail!(
                    "{kind} is not a kind of event that can be added: cc, program, bend, touch, keytouch, tempo, \
                            meter, key, marker, lyric, text, copyright, instrument, cue, program-name, device, meta, sysex, escape"
                ),
            }
        }
    };
    let own = taken(&kind);
    let given = |column: &&str| row.text(column).is_some();
    if let Some(column) = OWN
        .iter()
        .find(|column| !own.contains(*column) && given(column))
    {
        let (last, rest) = own.split_last().unwrap_or((&"", &[]));
        let has = match rest {
            [] => (*last).to_owned(),
            rest => format!("{} and {last}", rest.join(", ")),
        };
        bail!("{of} has no {column}, only {has}; leave it out, or make it NULL");
    }
    at(&mut op, row)?;
    let track = row.text("track").filter(|_| !has_channel);
    let is_of_song = matches!(&*kind, "tempo" | "meter" | "key" | "marker");
    if let Some(track) = track.filter(|_| is_of_song || is_one) {
        // Each pattern has its own.
        if !song.is_patterns() {
            bail!("{of} belongs to the song; leave track out"; try: "{op}");
        }
        op.push_str(&format!(" on:{}", quote_value(&track)));
    }
    if has_channel {
        key(&mut op, row, "ch", "ch");
    }
    Ok(op)
}
