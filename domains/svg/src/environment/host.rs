//! The environment of a drawing, set by the program that opened it.

use std::path::PathBuf;
use std::time::Duration;

use fcp::domain::IsFolder;
use fcp::endpoint::{Config, Flag, FlagValue};
use fcp::format::picture::{self, Fonts};
use fcp::format::xml;
use fcp::prelude::*;
use fcp::worker::Limits;

use crate::environment::limits::Bounds;
use crate::syntax::number::Precision;

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
pub const SETTINGS: &[(&str, &str)] = &[
    (
        "precision",
        "decimals of computed numbers, 0 to 8; by the canvas's size if it is default",
    ),
    (
        "fonts",
        "a folder of fonts below the root, which come before the others",
    ),
    DEPTH,
    NODES,
    ATTRIBUTES,
    Bounds::SETTING,
    (
        RENDER,
        "the seconds of processor time that a picture may take (2)",
    ),
];

/// The key of the setting that limits the time of a picture.
pub const RENDER: &str = "render-limit";

const XML: [(&str, &str); 3] = xml::Limits::SETTINGS;
const DEPTH: (&str, &str) = XML[0];
const NODES: (&str, &str) = XML[1];
const ATTRIBUTES: (&str, &str) = XML[2];

/// The environment of a drawing, set by the program. By default it has the bundled fonts and no
/// images.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// The fonts for drawing and measuring texts.
    pub fonts: Fonts,
    /// The font folders from the program's command line.
    given: Vec<PathBuf>,
    /// The root folder, which no path may leave.
    root: PathBuf,
    /// The limits on drawing a picture.
    pub limits: Limits,
    /// Those limits by the program's command line.
    given_limits: Limits,
    /// The decimals of computed numbers; if not set, the canvas size determines them.
    pub precision: Option<Precision>,
    /// The folder with image files, if images are drawn at all.
    pub images: Option<PathBuf>,
    /// The limits on a drawing's content.
    pub bounds: Bounds,
}

impl Host {
    /// The environment from a program's configuration.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let limits = picture::limits(&config.flags);
        let fonts = Fonts {
            root: Some(config.root.clone()),
            ..Fonts::given(&config.flags)
        };
        Self {
            given: fonts.dirs.clone(),
            fonts,
            root: config.root.clone(),
            given_limits: limits,
            limits,
            precision: None,
            images: config.flags.has(&IMAGES).then(|| config.root.clone()),
            bounds: Bounds::default(),
        }
    }

    /// Checks a value of a setting.
    ///
    /// # Errors
    /// If it is not a value of this setting.
    pub fn check_setting(
        key: &str,
        value: &str,
        is_folder: IsFolder<'_>,
    ) -> Result<(), ValueError> {
        match (key, Bounds::check(key, value)) {
            (_, Some(checked)) => checked,
            ("fonts", None) => is_folder(value),
            (RENDER, None) => Int::<1, 3600>::parse(value).map(drop),
            _ => Int::<0, 8>::parse(value).map(drop),
        }
    }

    /// Applies a setting's value, or restores the default.
    pub fn adjust(&mut self, key: &str, value: Option<&str>) {
        if key == "precision" {
            let decimals = value.and_then(|value| value.parse().ok());
            self.precision = decimals.map(Precision::decimals);
        }
        if key == "fonts" {
            let own = value.map(|folder| self.root.join(folder));
            self.fonts.dirs = own.into_iter().chain(self.given.iter().cloned()).collect();
        }
        if key == RENDER {
            let seconds = value.and_then(|value| value.parse().ok());
            let timed = |seconds| picture::timed(Duration::from_secs(seconds));
            self.limits = seconds.map_or(self.given_limits, timed);
        }
        self.bounds.adjust(key, value);
    }
}
