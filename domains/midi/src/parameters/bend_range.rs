//! The range of pitch bends.

use crate::model::{PitchBend, START, Site, Song};
use crate::values::{Controller, Frac};

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
        let (mut coarse, mut fine) = (None, None);
        let (mut semitones, mut cents) = (2_u8, 0_u8);
        let rows = super::events(self, (site.track, site.channel), START);
        for (_, row) in rows.take_while(|(_, row)| row.at <= site.at) {
            match row.number {
                n if n == Controller::RPN_MSB.get() => coarse = Some(row.value),
                n if n == Controller::RPN_LSB.get() => fine = Some(row.value),
                98 | 99 => (coarse, fine) = (None, None),
                n if (coarse, fine) == (Some(0), Some(0)) => {
                    if n == Controller::DATA.get() {
                        semitones = row.value;
                    } else if n == Controller::DATA_LSB.get() {
                        cents = row.value.min(99);
                    }
                }
                _ => {}
            }
        }
        let reach = i128::from(semitones) * 100 + i128::from(cents);
        Frac::new(reach, 100)
            .filter(|reach| *reach > Frac::ZERO)
            .unwrap_or(Frac::whole(2))
    }
}
