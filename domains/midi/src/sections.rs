//! Markers and the sections that begin with them, by what they are called.

use fcp::prelude::*;
use fcp::verb::{Takes, called};

use crate::model::{Marker, Song};
use crate::values::Base;

/// Rows that are given with no section meant: by selectors, as tracks, or as what they are, `marker:Chorus`, `#12`.
#[derive(Clone, Debug)]
pub struct SureRows(pub Rows);

impl FromArg<Song> for SureRows {
    const TAKES: Takes = Takes::Rows;

    fn spec() -> ValueSpec {
        <Rows as FromArg<Song>>::spec()
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Song>) -> Result<Self, ValueError> {
        let rows = <Rows as FromArg<Song>>::from_arg(arg, scope)?;
        match section(arg, &rows) {
            Some(error) => Err(error.fix(selector(arg.text))),
            None => Ok(Self(rows)),
        }
    }
}

/// That a name is the one of a section, which holds more than its marker, where it does not say which is meant.
#[must_use]
pub fn section(arg: &Arg<'_>, rows: &Rows) -> Option<ValueError> {
    let is_sure = !arg.selectors.is_empty() || arg.kind.is_some() || arg.text.starts_with('#');
    let mut parts = rows.iter().map(Row::part);
    let is_marker = parts.all(|part| part == <Song as HasTable<Marker>>::PART);
    let name = fcp::op::quote_value(arg.text);
    (is_marker && !is_sure).then(|| {
        ValueError::sentence(format!(
            "{name} is a section: @section:{name} is what it holds, marker:{name} its marker alone"
        ))
    })
}

/// The selector of what a section holds.
#[must_use]
pub fn selector(name: &str) -> String {
    format!("@section:{}", fcp::op::quote_value(name))
}

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
