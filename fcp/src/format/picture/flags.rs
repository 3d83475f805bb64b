//! The flags of programs that draw.

use super::Fonts;
use crate::endpoint::{Flag, FlagValue, Flags};

/// `--fonts DIR`
pub const FONTS: Flag = Flag {
    name: "fonts",
    takes: FlagValue::Folder,
    doc: "A folder of fonts; they come before the others",
};

/// `--no-system-fonts`
pub const NO_SYSTEM_FONTS: Flag = Flag {
    name: "no-system-fonts",
    takes: FlagValue::None,
    doc: "Without the fonts of the system: texts look the same on every machine",
};

impl Fonts {
    /// Those that a program was started with. The system's are among them unless it was told otherwise.
    #[must_use]
    pub fn given(flags: &Flags) -> Self {
        Self {
            dirs: flags.folders(&FONTS).map(Into::into).collect(),
            system: !flags.has(&NO_SYSTEM_FONTS),
            ..Self::default()
        }
    }
}
