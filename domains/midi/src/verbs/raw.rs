//! `raw`

use fcp::prelude::*;

use crate::model::Song;
use crate::resolve::owner::Target;
use crate::smf::Body;
use crate::values::{HexEvent, Pos};

/// Add one event as its bytes in hexadecimal: a sysex, a meta, a channel message.
///
/// ```fcp
/// # track add Keys
/// raw song "F0 43 10 4C 00 00 7E 00 F7"
/// > + sysex 8 bytes at 1.1
/// raw Keys "FF 7F 02 01 02" at:2
/// > + meta 7f 2 bytes on Keys at 2.1
/// raw Keys B0 07 64
/// > + CC volume 100 on Keys at 1.1
/// raw Keys "F0 43 10"
/// > ! "F0 43 10" does not end: a sysex is F0 … F7
/// >   try: raw Keys "F0 43 10 F7"
/// raw Keys "90 3C 40" at:3
/// > ! "90 3C 40" is half of a note (status 90); note adds whole ones
/// >   try: note Keys C4 vel:64 at:3
/// raw song "FF 51 03 00 00 00" at:2
/// > ! a quarter of 0 microseconds has no tempo
/// >   try: tempo 120 at:2
/// raw Keys "90 3C"
/// > ! "90 3C" is half of a note (status 90) and lacks its velocity; note adds whole ones
/// >   syntax: raw TRACK [TEXT…] [at:POS]
/// sysex song F07E7F0901F7
/// > + sysex 5 bytes at 1.1
/// ```
#[fcp_verb(
    category = "Sound",
    alias = "sysex",
    alias = "add raw",
    alias = "add sysex"
)]
pub fn raw(
    song: &mut Song,
    /// The track, or `song`.
    #[fcp(positional, key = "on")]
    track: Spanned<Target>,
    /// The bytes: `F0 … F7`, `F7 …`, `FF kind length …`, or a channel message.
    #[fcp(rest)]
    bytes: Vec<Spanned<Text>>,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
) -> Result<Reply> {
    let words: Vec<&str> = bytes.iter().map(|word| word.get().as_str()).collect();
    let read = HexEvent::parse(&words.join(" "));
    let event = read.map_err(|error| {
        let error = match bytes.as_slice() {
            [word] => word.wrong(error),
            _ => Diagnostic::new(error.about(&words.join(" "))),
        };
        match HexEvent::note_on(&words.join(" ")) {
            Some((channel, pitch, velocity)) if !track.get().is_song() => {
                let at = at
                    .as_ref()
                    .map_or(String::new(), |at| format!(" at:{}", at.text()));
                let own = track.get().channel(song) == Some(channel);
                let ch = if own {
                    String::new()
                } else {
                    format!(" ch:{channel}")
                };
                let on = track.text();
                error.or_try(format!("note {on} {pitch} vel:{velocity}{at}{ch}"))
            }
            _ => error,
        }
    })?;
    let of_song = track.get().is_song();
    let (chunk, track) = Target::home(&track, song)?;
    let tick = song.song_tick(at.as_ref(), chunk)?;
    let body = event.body().clone();
    // Such a tempo in a file is kept, but no op writes one: its bars would have no length.
    if matches!(&body, Body::Meta { kind: 0x51, bytes } if bytes[..] == [0, 0, 0]) {
        bail!("a quarter of 0 microseconds has no tempo"; try: "tempo 120{}", at.as_ref().map_or(String::new(), |at| format!(" at:{}", at.text())))
    }
    let track = match body.channel() {
        None => track,
        Some(_) if of_song => bail!("a channel message needs a track; this one has none"),
        Some(channel) => song.player(chunk, track, channel)?,
    };
    let row = crate::format::enter(song, (chunk, track), tick, body)?;
    Ok(created!("{}", song.describe(row)))
}
