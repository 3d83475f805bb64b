//! The division of a file: ticks in a quarter note, or in a second.

/// Ticks of a quarter note that a file without a usable division is read with.
const FALLBACK_PPQN: u32 = 480;

/// What the file's division says.
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
        // 29 stands for 30 frames with dropped numbers: 30000/1001 a second (RP-001, SMPTE 12M).
        let frames = match high.cast_signed().unsigned_abs() {
            29 => 30_000.0 / 1001.0,
            0 => 25.0,
            frames => f64::from(frames),
        };
        Self::Second(frames * f64::from(low.max(1)))
    }
}
