//! Several rows in a reply: counted by kind, or the one row.

use fcp::prelude::*;

use crate::model::Song;
use crate::parameters::folded;

impl Song {
    /// `3 notes, 1 tempo, 1 rpn`
    pub fn counted(&self, rows: impl Iterator<Item = Row>) -> String {
        let (parameters, rows) = folded(self, rows.collect());
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for row in rows {
            match counts.iter_mut().find(|(part, _)| *part == row.part()) {
                Some((_, count)) => *count += 1,
                None => counts.push((row.part(), 1)),
            }
        }
        let shape = |part: usize| Self::SHAPE.parts.get(part).and_then(|part| part.shape);
        let texts = counts
            .into_iter()
            .filter_map(|(part, n)| shape(part).map(|shape| shape.count(n)));
        let rpn = parameters.len();
        let rpn = (rpn > 0).then(|| format!("{rpn} rpn"));
        texts.chain(rpn).collect::<Vec<_>>().join(", ")
    }
}

/// Rows as replies show them: one by its description, a parameter as one, several by their number.
#[must_use]
pub fn describe_rows(song: &Song, rows: &[Row]) -> String {
    if let [row] = rows {
        return song.describe(*row);
    }
    let (groups, rest) = folded(song, rows.to_vec());
    match (groups.as_slice(), rest.as_slice()) {
        ([group], []) => {
            let (track, at) = (
                song.name_of_track(group.site.track),
                song.shown(group.site.chunk, group.site.at),
            );
            format!("RPN {} {} on {track} at {at}", group.parameter, group.value)
        }
        _ => song.counted(rows.iter().copied()),
    }
}
