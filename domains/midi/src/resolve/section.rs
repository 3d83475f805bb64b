//! Markers and the sections that begin with them, by what they are called.

use fcp::model::Level;
use fcp::prelude::*;
use fcp::verb::{Takes, called};

use crate::model::{Chunk, Marker, Song};
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
    /// The markers that are beside the events of a chunk: all, but in a file of patterns those of its own.
    fn markers_by(&self, chunk: Id<Chunk>) -> impl Iterator<Item = (Id<Marker>, &Marker)> {
        let markers = self.markers.iter();
        markers.filter(move |(_, row)| !self.is_patterns() || row.chunk == chunk)
    }

    /// Where the marker of a name stands, beside the events of a chunk; nothing if none is called so. Where it is
    /// `strict` the beginning of a name will not do.
    ///
    /// # Errors
    /// Several are called so: the error offers each, `Chorus~1`, `Chorus~2`. Or the name is only begun.
    pub fn marked(
        &self,
        name: &str,
        strict: bool,
        chunk: Id<Chunk>,
    ) -> Result<Option<u64>, ValueError> {
        let row = |id: u32| self.markers.get(Id::new(id));
        let is_own = |row: &&Marker| !self.is_patterns() || row.chunk == chunk;
        match called(self, name, "marker", strict) {
            Ok(found) => Ok(row(found.id()).filter(is_own).map(|row| row.at)),
            Err(error) if error.missing.is_some() => Ok(None),
            // What patterns call alike is told apart by the pattern.
            Err(error) => {
                let named = |level| {
                    let rows = self.markers.by_label(name, level);
                    rows.into_iter().filter_map(row).filter(is_own)
                };
                let mut levels = Level::WHOLE
                    .into_iter()
                    .map(|level| named(level).map(|row| row.at));
                let first = levels.find_map(|mut own| own.next().map(|at| (at, own.next())));
                match first {
                    Some((at, None)) => Ok(Some(at)),
                    Some((_, Some(_))) => Err(error),
                    None if strict => Err(error),
                    None => Ok(None),
                }
            }
        }
    }

    /// Whether a marker is called so, whatever the pattern.
    #[must_use]
    pub fn is_section(&self, name: &str) -> bool {
        called(self, name, "marker", false).is_ok()
    }

    /// The same for a position that begins with a name.
    ///
    /// # Errors
    /// No marker is called so, or several are; the repair keeps what is said behind the name.
    pub fn named_tick(&self, base: &Base, name: &str, chunk: Id<Chunk>) -> Result<u64, ValueError> {
        let found = self
            .marked(
                name,
                matches!(base, Base::Named { strict: true, .. }),
                chunk,
            )
            .and_then(|tick| tick.ok_or_else(|| self.no_marker(name, chunk)));
        found.map_err(|mut error| {
            if let (Some(fix), Base::Named { marker, whole, .. }) = (&mut error.fix, base) {
                let prefix = if *marker { "marker:" } else { "" };
                let rest = whole.strip_prefix(name).unwrap_or_default();
                *fix = format!("{prefix}{fix}{rest}");
            }
            error
        })
    }

    fn no_marker(&self, name: &str, chunk: Id<Chunk>) -> ValueError {
        let shown: String = name.chars().take(60).collect();
        let names = self.markers_by(chunk).map(|(_, row)| row.text.as_str());
        let near = fcp::value::nearest_word(name, names.collect::<Vec<_>>());
        let near = near.or_else(|| fcp::value::nearest_word(name, ["end", "next"]));
        let told = format!("no marker is called \"{shown}\", and it is no bar.beat");
        ValueError::sentence(told).lacking(name).maybe_fix(near)
    }

    /// Where the section that starts at a tick ends: at the next marker, or where the last note does.
    #[must_use]
    pub fn section_end(&self, start: u64, chunk: Id<Chunk>) -> u64 {
        let next = self.next_marker(start, chunk);
        next.unwrap_or_else(|| self.end_tick(self.pattern(chunk)).max(start + 1))
    }

    /// Where the first marker behind a tick stands.
    #[must_use]
    pub fn next_marker(&self, start: u64, chunk: Id<Chunk>) -> Option<u64> {
        let markers = self.markers_by(chunk).map(|(_, row)| row.at);
        markers.filter(|at| *at > start).min()
    }
}
