//! Reverses the direction of a path.

use kurbo::Point;

use super::write::{Digits, Step};
use super::{ArcShape, Command, Path, PathError, Place};

impl Path {
    /// Draws every subpath from its end to its start. Subpaths keep their order, and closed ones
    /// their starting point.
    ///
    /// The whole path is rewritten with absolute segments; smooth segments get explicit controls.
    ///
    /// # Errors
    /// Text after a fault that would be read as segments.
    pub fn reversed(&self) -> Result<String, PathError> {
        let mut written = Vec::new();
        let mut edges: Vec<Place> = Vec::new();
        let mut begun: Option<Point> = None;
        for place in self.places() {
            match place.command {
                Command::Move => {
                    finish(&mut written, begun, &mut edges, false);
                    begun = Some(place.end);
                }
                Command::Close => {
                    let from = begun.or(Some(place.end));
                    if place.start != place.end {
                        edges.push(Place {
                            command: Command::Line,
                            ..place
                        });
                    }
                    finish(&mut written, from, &mut edges, true);
                    // A segment after a close without a move starts where the close ended.
                    begun = None;
                }
                _ => {
                    begun = begun.or(Some(place.start));
                    edges.push(place);
                }
            }
        }
        finish(&mut written, begun, &mut edges, false);
        let steps: Vec<Step> = written
            .into_iter()
            .map(|want| Step {
                from: None,
                changed: true,
                relative: false,
                digits: Digits::Computed,
                want,
            })
            .collect();
        self.write(&steps)
    }
}

/// Writes a subpath's edges in reverse, and clears them.
fn finish(written: &mut Vec<Place>, begun: Option<Point>, edges: &mut Vec<Place>, closed: bool) {
    let Some(begun) = begun else { return };
    let start = edges.last().map_or(begun, |edge| edge.end);
    let plain = |command, start, end| Place {
        command,
        start,
        control1: None,
        control2: None,
        arc: None,
        end,
    };
    written.push(plain(Command::Move, start, start));
    // If the last edge to write is a line, the close draws it.
    let first = edges
        .first()
        .filter(|edge| closed && is_line(edge.command) && edges.len() > 1);
    let skip = usize::from(first.is_some());
    for edge in edges.iter().skip(skip).rev() {
        let command = match edge.command {
            Command::SmoothCubic => Command::Cubic,
            Command::SmoothQuadratic => Command::Quadratic,
            other => other,
        };
        let (control1, control2) = match edge.control2 {
            Some(second) => (Some(second), edge.control1),
            None => (edge.control1, None),
        };
        written.push(Place {
            command,
            start: edge.end,
            control1,
            control2,
            arc: edge.arc.map(|arc| ArcShape {
                sweep: !arc.sweep,
                ..arc
            }),
            end: edge.start,
        });
    }
    if closed {
        let at = edges
            .get(skip.saturating_sub(1))
            .map_or(start, |edge| edge.end);
        written.push(plain(Command::Close, at, start));
    }
    edges.clear();
}

const fn is_line(command: Command) -> bool {
    matches!(
        command,
        Command::Line | Command::Horizontal | Command::Vertical
    )
}
