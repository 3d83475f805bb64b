//! Pitches and drums by a word, as a track plays them.

use fcp::prelude::*;

use crate::model::Track;
use crate::values::{Channel, Pitch, PitchWord};

/// The pitch that a word means on a track and channel: drum names are for drum tracks, and for channel 10 of others.
///
/// # Errors
/// It names a drum, and there are none.
pub fn on_track(word: PitchWord, track: &Track, channel: Channel) -> Result<Pitch> {
    if word.drum && !track.is_drums() && channel != Channel::DRUMS {
        let error = no_drums(word, track);
        let told = Diagnostic::new(error.about(""));
        return Err(told.or_try(error.first.map(String::from).unwrap_or_default()));
    }
    Ok(word.pitch)
}

/// That a word names a drum, and the track is none for drums; with the op that makes one.
#[must_use]
pub fn no_drums(word: PitchWord, track: &Track) -> ValueError {
    let told = format!("{word} is a drum, and {} is no drum track", track.name);
    ValueError::sentence(told).first("track add Drums instrument:standard-kit")
}
