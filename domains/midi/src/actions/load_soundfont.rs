//! `load-soundfont`

use std::sync::Arc;

use fcp::prelude::*;

use crate::model::Song;
use crate::soundfont::{Font, Preset};

/// Load the SoundFont that songs are played with; it stays for songs opened later.
///
/// ```fcp
/// ! load-soundfont nowhere.sf2
/// > ! file "nowhere.sf2" not found
/// >   syntax: load-soundfont FILE
/// ```
#[fcp_action(name = "load-soundfont")]
pub fn load_soundfont(
    song: &mut Song,
    /// A `.sf2` file.
    #[fcp(positional)]
    file: Spanned<FileBytes>,
) -> Result<Reply> {
    let read = Font::read(file.get().path(), file.get().bytes());
    let font = read.map_err(|message| file.wrong(ValueError::sentence(message)))?;
    let kits = font.presets.iter().filter(|preset| preset.is_kit()).count();
    let counted = |n: usize, noun: &str| match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    };
    let summary = format!(
        "SoundFont {}: {}, {}",
        font.path,
        counted(font.presets.len() - kits, "instrument"),
        counted(kits, "kit")
    );
    let first: Vec<String> = font.presets.iter().take(3).map(Preset::to_string).collect();
    song.sound.adjust(|sound| sound.font = Some(Arc::new(font)));
    let reply = changed!("{summary}").of_given();
    Ok(if first.is_empty() {
        reply
    } else {
        reply.note(format!("{}, …", first.join(", ")))
    })
}
