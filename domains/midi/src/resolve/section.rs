//! Markers and the sections that begin with them, by name.

use fcp::model::Level;
use fcp::prelude::*;
use fcp::verb::{Takes, called};

use crate::model::{Chunk, IsKind, Marker, Song};
use crate::values::Base;

/// Rows given without any doubt about sections: by selectors, as tracks, or explicitly as
/// `marker:Chorus`, `#12`.
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

/// Error for a name that could mean a section or only its marker.
#[must_use]
pub fn section(arg: &Arg<'_>, rows: &Rows) -> Option<ValueError> {
    let is_sure = !arg.selectors.is_empty() || arg.kind.is_some() || arg.text.starts_with('#');
    let is_marker = rows.iter().all(Row::is::<Marker>);
    let name = fcp::op::quote_value(arg.text);
    (is_marker && !is_sure).then(|| {
        ValueError::sentence(format!(
            "{name} is a section: @section:{name} is its content, marker:{name} only its marker"
        ))
    })
}

/// The selector of the content of a section.
#[must_use]
pub fn selector(name: &str) -> String {
    format!("@section:{}", fcp::op::quote_value(name))
}

/// The selector of bars that a word spells by their numbers: `1-4`.
#[must_use]
pub fn bars(name: &str) -> Option<String> {
    let (from, to) = name.split_once("..").or_else(|| name.split_once('-'))?;
    let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
    (0 < from && from <= to).then(|| format!("@range:{from}-{to}"))
}

impl Song {
    /// The markers that apply to a chunk: all of them, or in a file of patterns its own.
    fn markers_by(&self, chunk: Id<Chunk>) -> impl Iterator<Item = (Id<Marker>, &Marker)> {
        let markers = self.markers.iter();
        markers.filter(move |(_, row)| !self.is_patterns() || row.chunk == chunk)
    }

    /// The tick of the marker with a name that applies to a chunk; `None` if there is none. With
    /// `strict`, a prefix of the name does not match.
    ///
    /// # Errors
    /// Several have this name: the error offers each, `Chorus~1`, `Chorus~2`. Or only a prefix
    /// matches.
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
            // Equal names in several patterns are distinguished by the pattern.
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

    /// Whether a marker has this name, in any pattern.
    #[must_use]
    pub fn is_section(&self, name: &str) -> bool {
        called(self, name, "marker", false).is_ok()
    }

    /// The tick of a position that begins with a marker name.
    ///
    /// # Errors
    /// No marker has this name, or several do; the repair keeps the text after the name.
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
        let problem = format!("no marker is called \"{shown}\", and it is not a bar.beat");
        ValueError::sentence(problem).lacking(name).maybe_fix(near)
    }

    /// The end of the section that starts at a tick: the next marker, or the end of the last note.
    #[must_use]
    pub fn section_end(&self, start: u64, chunk: Id<Chunk>) -> u64 {
        let next = self.next_marker(start, chunk);
        next.unwrap_or_else(|| self.end_tick(self.pattern(chunk)).max(start + 1))
    }

    /// The tick of the first marker after a tick.
    #[must_use]
    pub fn next_marker(&self, start: u64, chunk: Id<Chunk>) -> Option<u64> {
        let markers = self.markers_by(chunk).map(|(_, row)| row.at);
        markers.filter(|at| *at > start).min()
    }
}
