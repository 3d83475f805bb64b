//! A part of a song in seconds, and the messages that play it.

/// A part of a song in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its ticks: the first inside, and the first after it.
    pub ticks: (u64, u64),
    /// Its length in seconds.
    pub seconds: f64,
}

/// A channel message with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Samples since the start.
    pub frame: u64,
    /// Status and data.
    pub bytes: [u8; 3],
}
