//! Errors of drawing and measuring.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{MOST_COPIES, MOST_PIXELS, WIDEST};
use crate::worker::WorkerError;

/// The reason why nothing was drawn or measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Error {
    /// The picture would have no pixels, or too many.
    Size {
        /// The width in pixels.
        width: u64,
        /// The height in pixels.
        height: u64,
        /// The largest allowed width, if there is one.
        fits: Option<u32>,
    },
    /// The part to draw is empty or not an area.
    Region,
    /// `use` elements make more copies than [`MOST_COPIES`].
    Copies(u64),
    /// The SVG cannot be drawn, for this reason.
    Svg(String),
    /// Fonts cannot be loaded, for this reason.
    Fonts(String),
    /// The text cannot be measured, for this reason.
    Text(String),
    /// The rendering process gave no answer.
    #[serde(skip)]
    Worker(WorkerError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height, .. } if *width == 0 || *height == 0 => {
                write!(f, "a picture of {width}x{height} pixels shows nothing")
            }
            Self::Size { width, height, .. } => write!(
                f,
                "a picture of {width}x{height} pixels is too large: at most {WIDEST} wide, {} Mpx in all",
                MOST_PIXELS >> 20
            ),
            Self::Region => f.write_str("the region to draw is empty"),
            Self::Copies(count) => {
                write!(
                    f,
                    "use elements make {count} copies, at most {MOST_COPIES} are drawn"
                )
            }
            Self::Svg(why) => write!(f, "the SVG cannot be drawn: {why}"),
            Self::Fonts(why) | Self::Text(why) => f.write_str(why),
            // A library's panic message does not help the author of the drawing.
            Self::Worker(WorkerError::Died(how)) if !how.starts_with("it ") => {
                f.write_str("render failed: a number in the drawing is too large to draw with")
            }
            Self::Worker(error) => write!(f, "render {error}"),
        }
    }
}

impl std::error::Error for Error {}
