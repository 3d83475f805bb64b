//! The division of a file: ticks in a quarter note, or in a second.

/// Ticks per quarter note to assume in a file without a usable division.
const FALLBACK_PPQN: u32 = 480;

/// The time division of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// Ticks in a quarter note.
    Quarter(u32),
    /// Ticks in a second: SMPTE frames times subframes.
    Second(f64),
}

impl Division {
    /// Reads the division of a header.
    #[must_use]
    pub fn of(bits: u16) -> Self {
        let [high, low] = bits.to_be_bytes();
        if high & 0x80 == 0 {
            return Self::Quarter(if bits == 0 {
                FALLBACK_PPQN
            } else {
                u32::from(bits)
            });
        }
        // 29 means 30 drop-frame: 30000/1001 frames a second (RP-001, SMPTE 12M).
        let frames = match high.cast_signed().unsigned_abs() {
            29 => 30_000.0 / 1001.0,
            0 => 25.0,
            frames => f64::from(frames),
        };
        Self::Second(frames * f64::from(low.max(1)))
    }
}
