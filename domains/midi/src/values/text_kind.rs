//! Kinds of texts.

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The purpose of a text.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[fcp(name = "TEXTKIND")]
pub enum TextKind {
    /// Any text.
    Text,
    /// A copyright notice.
    Copyright,
    /// The instrument.
    #[fcp(alias = "instrument-name")]
    Instrument,
    /// A cue for a stage or a screen.
    #[fcp(alias = "cue-point")]
    Cue,
    /// The name of a program.
    ProgramName,
    /// The device that plays it.
    #[fcp(alias = "device-name")]
    Device,
}

/// Each kind of text and the type byte of its meta event, from RP-001 and RP-019.
const KINDS: [(TextKind, u8); 6] = [
    (TextKind::Text, 1),
    (TextKind::Copyright, 2),
    (TextKind::Instrument, 4),
    (TextKind::Cue, 7),
    (TextKind::ProgramName, 8),
    (TextKind::Device, 9),
];

impl TextKind {
    /// The kind of a meta event that holds a text.
    #[must_use]
    pub fn of(meta: u8) -> Option<Self> {
        let found = KINDS.iter().find(|(_, own)| *own == meta);
        found.map(|(kind, _)| *kind)
    }

    /// The type byte of its meta event.
    #[must_use]
    pub fn meta(self) -> u8 {
        let found = KINDS.iter().find(|(own, _)| *own == self);
        found.map_or(1, |(_, meta)| *meta)
    }
}
