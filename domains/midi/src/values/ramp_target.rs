//! The target of a ramp: a controller, bends, aftertouch or the tempo.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::control::Controller;
use super::controllers::CONTROLLERS;

/// A value that can move on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RampTarget {
    /// A controller.
    Controller(Controller),
    /// The pitch bend.
    Bend,
    /// The aftertouch of the channel.
    Touch,
    /// The tempo, which belongs to the song, not to a track.
    Tempo,
}

impl fmt::Display for RampTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Controller(controller) => controller.fmt(f),
            Self::Bend => f.write_str("bend"),
            Self::Touch => f.write_str("touch"),
            Self::Tempo => f.write_str("tempo"),
        }
    }
}

impl FcpValue for RampTarget {
    const SPEC: ValueSpec = ValueSpec::new("WHAT", "bend, touch, or a controller: expression, 11");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text.to_ascii_lowercase().as_str() {
            "bend" => return Ok(Self::Bend),
            "touch" => return Ok(Self::Touch),
            "tempo" => return Ok(Self::Tempo),
            _ => {}
        }
        Controller::parse(text)
            .map(Self::Controller)
            .map_err(|error| {
                let names = CONTROLLERS
                    .iter()
                    .flat_map(|(_, names)| names.iter().copied());
                let near = nearest_word(text, names.chain(["bend", "touch"]));
                ValueError::new("is not a controller, bend or touch")
                    .maybe_fix(near.map(str::to_owned).or(error.fix))
            })
    }
}
