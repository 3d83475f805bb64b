//! `instruments`

use fcp::prelude::*;

use crate::model::Song;
use crate::values::{ALIASES, KITS, PROGRAMS, Program};

/// List instruments by their General MIDI programs, with their families, the drum kits, and the sounds of a loaded SoundFont.
///
/// ```fcp
/// ? instruments violin
/// > 40 violin (strings)
/// ? instruments rhodes
/// > 4 electric-piano-1 (piano)
/// ? instruments jazz
/// > 26 electric-guitar-jazz (guitar)
/// > 32 jazz-kit (drums)
/// ```
#[fcp_query]
pub fn instruments(
    song: &Song,
    /// Part of a name, of another name, or of a family.
    #[fcp(positional)]
    filter: Option<Text>,
) -> Result<Listing<'_>> {
    let sought = filter.map_or(String::new(), |text| {
        text.as_str().trim().to_lowercase().replace([' ', '_'], "-")
    });
    let mut lines = Vec::new();
    for number in 0..PROGRAMS.len() {
        let Some(program) = u8::try_from(number).ok().and_then(Program::new) else {
            continue;
        };
        let others = ALIASES.iter().filter(|(_, own)| *own == program.get());
        let mut names = others.map(|(name, _)| *name);
        let hit = program.name().contains(&sought)
            || program.family().contains(&sought)
            || names.any(|name| name.contains(&sought));
        if hit {
            lines.push(format!(
                "{number} {} ({})",
                program.name(),
                program.family()
            ));
        }
    }
    for (number, names) in KITS {
        if names.iter().any(|name| name.contains(&sought)) {
            lines.push(format!("{number} {} (drums)", names[0]));
        }
    }
    let presets = song.sound.presets().iter();
    let named = presets.filter(|preset| preset.name.to_lowercase().contains(&sought));
    lines.extend(named.map(|preset| format!("{preset}, SoundFont")));
    Ok(Listing::of(lines))
}
