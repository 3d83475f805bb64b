//! The flags of programs that render drawings.

use std::time::Duration;

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
    doc: "How long a picture may take, in processor time [default: 2]",
};

/// The processor time that a picture may take, unless a flag or a setting says otherwise.
const USUAL: Duration = Duration::from_secs(2);

/// The wall time in relation to it: a busy machine gives a process a part of a processor.
const WALL: u32 = 10;

/// The limits of rendering with a processor time.
#[must_use]
pub fn timed(work: Duration) -> Limits {
    Limits {
        time: work.saturating_mul(WALL),
        work,
        ..Limits::default()
    }
}

/// The limits of rendering, from the flags that a program was started with.
#[must_use]
pub fn limits(flags: &Flags) -> Limits {
    timed(flags.time(&RENDER_TIME).unwrap_or(USUAL))
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
