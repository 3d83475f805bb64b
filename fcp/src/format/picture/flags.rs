//! The flags of programs that render drawings.

use super::Fonts;
use crate::endpoint::{Flag, FlagValue, Flags};
use crate::worker::Limits;

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

/// `--render-time SECONDS`
pub const RENDER_TIME: Flag = Flag {
    name: "render-time",
    takes: FlagValue::Seconds,
    doc: "How long a picture may take [default: 20]",
};

/// The limits of rendering, from the flags that a program was started with.
#[must_use]
pub fn limits(flags: &Flags) -> Limits {
    let limits = Limits::default();
    Limits {
        time: flags.time(&RENDER_TIME).unwrap_or(limits.time),
        ..limits
    }
}

impl Fonts {
    /// The fonts from a program's flags, including the system's by default.
    #[must_use]
    pub fn given(flags: &Flags) -> Self {
        Self {
            dirs: flags.folders(&FONTS).map(Into::into).collect(),
            system: !flags.has(&NO_SYSTEM_FONTS),
            ..Self::default()
        }
    }
}
