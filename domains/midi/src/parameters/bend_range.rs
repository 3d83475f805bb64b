//! The range of pitch bends.

use fcp::work;

use super::DATA;
use crate::model::{PitchBend, Site, Song};
use crate::values::{Frac, Parameter};

/// The parameter that sets the range.
const RANGE: Parameter = Parameter {
    coarse: 0,
    fine: 0,
    registered: true,
};

/// The steps to find the parameter that a value is for.
const STEPS_A_VALUE: usize = 8;

impl Song {
    /// The bend range at a bend, in semitones: the range set before it, else two.
    #[must_use]
    pub fn bend_range(&self, bend: &PitchBend) -> Frac {
        self.bend_reach(Site {
            track: bend.track,
            chunk: bend.chunk,
            channel: bend.channel,
            at: bend.at,
        })
    }

    /// The bend range at a site, in semitones.
    #[must_use]
    pub fn bend_reach(&self, site: Site) -> Frac {
        // RP-001 and the MIDI 1.0 specification: registered parameter 0 is the bend range, two semitones by default.
        let value = |number: u8| {
            let behind = (site.at, u32::MAX, u32::MAX);
            let voice = (site.track, site.channel);
            let mut data = self.controls.index().before(voice, number, behind);
            // Many other parameters may be set between: they count, and the call fails.
            let (_, id) = data.find(|(moment, _)| {
                work::spend(STEPS_A_VALUE).is_err()
                    || super::locate::selected(self, voice, *moment) == Some(RANGE)
            })?;
            Some(self.controls.get(id)?.value)
        };
        let semitones = value(DATA.0).unwrap_or(2);
        let cents = value(DATA.1).map_or(0, |cents| cents.min(99));
        let reach = i128::from(semitones) * 100 + i128::from(cents);
        Frac::new(reach, 100)
            .filter(|reach| *reach > Frac::ZERO)
            .unwrap_or(Frac::whole(2))
    }
}
