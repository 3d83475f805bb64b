//! Distributes what sounds to voices that each play one thing at a time.

use std::collections::BTreeSet;

/// The voices that sound, by the tick at which they become silent, and those that are silent.
#[derive(Debug, Default)]
pub struct Voices {
    busy: BTreeSet<(u64, usize)>,
    silent: BTreeSet<usize>,
}

impl Voices {
    /// The first voice that is silent at a tick, or `next` if there is none. It sounds until `end`
    /// from then on. Ticks come in order.
    pub fn take(&mut self, at: u64, end: u64, next: usize) -> usize {
        while let Some(&(until, voice)) = self.busy.first()
            && until <= at
        {
            self.busy.pop_first();
            self.silent.insert(voice);
        }
        let voice = self.silent.pop_first().unwrap_or(next);
        self.busy.insert((end, voice));
        voice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_silent_voice_is_taken() {
        let mut voices = Voices::default();
        // Start, end, the number of the next new voice, and the voice taken.
        for (at, end, next, voice) in [
            (0, 4, 0, 0),
            (0, 2, 1, 1),
            (2, 9, 2, 1),
            (3, 5, 2, 2),
            (5, 6, 3, 0),
            (5, 7, 3, 2),
        ] {
            assert_eq!(voices.take(at, end, next), voice, "{at}");
        }
    }
}
