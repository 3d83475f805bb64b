//! Pitches and drums by a word, as a track plays them.

use fcp::prelude::*;

use crate::model::Track;
use crate::values::{Channel, Pitch, PitchWord};

/// The pitch that a word means on a track and channel: drum names are only valid on drum tracks,
/// and on channel 10 of other tracks.
///
/// # Errors
/// It names a drum, and there are none.
pub fn on_track(word: PitchWord, track: &Track, channel: Channel) -> Result<Pitch> {
    if word.drum && !track.is_drums() && channel != Channel::DRUMS {
        let error = no_drums(word, track);
        let shown = Diagnostic::new(error.about(""));
        return Err(shown.or_try(error.first.map(String::from).unwrap_or_default()));
    }
    Ok(word.pitch)
}

/// Error that a word names a drum but the track is not a drum track, with the op that adds one.
#[must_use]
pub fn no_drums(word: PitchWord, track: &Track) -> ValueError {
    let problem = format!("{word} is a drum, and {} is not a drum track", track.name);
    ValueError::sentence(problem).first("track add Drums instrument:standard-kit")
}
