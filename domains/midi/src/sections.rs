//! Markers and the sections that begin with them, by what they are called.

use fcp::prelude::*;
use fcp::verb::called;

use crate::model::Song;
use crate::values::Base;

impl Song {
    /// Where the marker of a name stands; nothing if none is called so.
    ///
    /// # Errors
    /// Several are called so: the error offers each, `Chorus~1`, `Chorus~2`.
    pub fn marked(&self, name: &str) -> Result<Option<u64>, ValueError> {
        match called(self, name, "marker") {
            Ok(row) => Ok(self.markers.get(row.of()).map(|row| row.at)),
            Err(error) if error.missing.is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The same for a position that begins with a name.
    ///
    /// # Errors
    /// No marker is called so, or several are; the repair keeps what is said behind the name.
    pub fn named_tick(&self, base: &Base, name: &str) -> Result<u64, ValueError> {
        let found = self
            .marked(name)
            .and_then(|tick| tick.ok_or_else(|| self.no_marker(name)));
        found.map_err(|mut error| {
            if let (Some(fix), Base::Named { marker, whole, .. }) = (&mut error.fix, base) {
                let prefix = if *marker { "marker:" } else { "" };
                let rest = whole.strip_prefix(name).unwrap_or_default();
                *fix = format!("{prefix}{fix}{rest}");
            }
            error
        })
    }

    fn no_marker(&self, name: &str) -> ValueError {
        let shown: String = name.chars().take(60).collect();
        let names = self.markers.iter().map(|(_, row)| row.text.as_str());
        let near = fcp::value::nearest_word(name, names.collect::<Vec<_>>());
        let near = near.or_else(|| fcp::value::nearest_word(name, ["end", "next"]));
        let told = format!("no marker is called \"{shown}\", and it is no bar.beat");
        ValueError::sentence(told).lacking(name).maybe_fix(near)
    }

    /// Where the section that starts at a tick ends: at the next marker, or where the last note does.
    #[must_use]
    pub fn section_end(&self, start: u64) -> u64 {
        let next = self.next_marker(start);
        next.unwrap_or_else(|| self.end_tick(None).max(start + 1))
    }

    /// Where the first marker behind a tick stands.
    #[must_use]
    pub fn next_marker(&self, start: u64) -> Option<u64> {
        let markers = self.markers.iter().map(|(_, row)| row.at);
        markers.filter(|at| *at > start).min()
    }
}
