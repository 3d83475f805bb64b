//! What the words of an op stand for: pitches, lengths, positions, chords, instruments.
//!
//! Nothing here knows a song. What depends on one (ticks, tracks, the key in force) is asked of it
//! through [`Clock`], or is left to who resolves the value.

mod bpm;
mod channel;
mod chord;
mod clock;
mod control;
mod controllers;
mod drums;
mod dur;
mod dur_text;
mod frac;
mod gm;
mod instrument;
mod interval;
mod key;
mod limits;
mod meter;
mod number;
mod pitch;
mod pitch_class;
mod pitch_set;
mod pos;
mod pos_text;
mod qualities;
mod repair;
mod scale;
mod span;
mod velocity;
mod voicing;

pub use bpm::Bpm;
pub use channel::Channel;
pub use chord::{Chord, ChordShape};
pub use clock::{Clock, Steady};
pub use control::{ControlValue, Controller};
pub use controllers::CONTROLLERS;
pub use drums::DRUMS;
pub use dur::{Dur, Gap, Shift, Term};
pub use frac::Frac;
pub use gm::{ALIASES, FAMILIES, KITS, PROGRAMS};
pub use instrument::{Instrument, Program, guess_instrument};
pub use interval::Interval;
pub use key::KeySig;
pub use limits::{BAR, SECOND, TICK};
pub use meter::Meter;
pub use pitch::{Pitch, PitchWord, drum_guesses};
pub use pitch_class::{Letter, PitchClass};
pub use pitch_set::PitchSet;
pub use pos::{Base, Place, Pos};
pub use qualities::{ALTERATIONS, Alteration, QUALITIES, Quality};
pub use scale::{SCALES, Scale};
pub use span::Span;
pub use velocity::{DYNAMICS, Velocity, VelocityStep};
pub use voicing::Voicing;
