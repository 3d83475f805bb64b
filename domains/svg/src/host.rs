//! What a drawing is given by the program that opened it.

use std::path::PathBuf;

use fcp::endpoint::{Config, Flag, FlagValue};
use fcp::format::picture::{self, Fonts};
use fcp::worker::Limits;

use crate::number::Precision;

/// `--images`
pub const IMAGES: Flag = Flag {
    name: "images",
    takes: FlagValue::None,
    doc: "Draw the image files below the root that drawings refer to",
};

/// The flags of the program.
pub const FLAGS: &[Flag] = &[
    picture::FONTS,
    picture::NO_SYSTEM_FONTS,
    picture::RENDER_TIME,
    IMAGES,
];

/// The settings of a session that only drawings have.
pub const SETTINGS: &[(&str, &str)] = &[(
    "precision",
    "decimals of computed numbers, 0 to 8; by the canvas's size if it is default",
)];

/// What a drawing is given by the program that opened it. Without a program it is the bundled fonts and no images.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// What texts are drawn and measured with.
    pub fonts: Fonts,
    /// What drawing a picture may use.
    pub limits: Limits,
    /// How many decimals computed numbers have; as many as the canvas needs if that is not set.
    pub precision: Option<Precision>,
    /// The folder that image files are read from, if they are drawn at all.
    pub images: Option<PathBuf>,
}

impl Host {
    /// What a program was started with.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        Self {
            fonts: Fonts::given(&config.flags),
            limits: picture::limits(&config.flags),
            precision: None,
            images: config.flags.has(&IMAGES).then(|| config.root.clone()),
        }
    }
}
