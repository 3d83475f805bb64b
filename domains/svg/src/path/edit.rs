//! Edits of single segments: add, set, move a point, remove.

use fcp::prelude::*;
use kurbo::Vec2;

use super::place::Pen;
use super::write::{Digits, Step};
use super::{Command, Draw, Path, PathError, Target, check_point};

/// A point of a segment.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "POINT")]
pub enum PathPoint {
    /// Its end.
    End,
    /// The first control, or the only one.
    #[fcp(word = "c1", alias = "control1")]
    Control1,
    /// The second control.
    #[fcp(word = "c2", alias = "control2")]
    Control2,
}

/// The effect on controls of moving the end they belong to.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handles {
    /// The second control of a cubic moves with its end, and so does the first of a cubic that begins there.
    Move,
    /// They stay.
    Stay,
}

impl Path {
    /// Inserts a segment before segment `before`, counted from 1, or appends it.
    ///
    /// The segment after it starts at the new segment's end, and keeps its own end.
    ///
    /// # Errors
    /// No such segment; a first one that is not a move; a number out of range; text after a fault
    /// that would be read as segments.
    pub fn add(&self, draw: &Draw, before: Option<usize>) -> Result<String, PathError> {
        let index = before.map_or(Ok(self.segments.len()), |n| self.index(n))?;
        if index == 0 && !matches!(draw, Draw::Move(_)) {
            return Err(PathError::NoMove);
        }
        let mut steps = self.steps();
        steps.insert(index, draw.step(&self.pen(index), self.is_small())?);
        self.write(&steps)
    }

    /// Replaces segment `n` by another.
    ///
    /// # Errors
    /// As for [`add`](Self::add).
    pub fn set_segment(&self, n: usize, draw: &Draw) -> Result<String, PathError> {
        let index = self.index(n)?;
        if index == 0 && !matches!(draw, Draw::Move(_)) {
            return Err(PathError::NoMove);
        }
        let mut steps = self.steps();
        if let Some(step) = steps.get_mut(index) {
            *step = Step {
                from: Some(index),
                ..draw.step(&self.pen(index), self.is_small())?
            };
        }
        self.write(&steps)
    }

    /// Moves a point of segment `n`. Other points stay, except for the handles.
    ///
    /// # Errors
    /// No such segment or point, a number out of range, or text after a fault that would be read as
    /// segments.
    pub fn move_point(
        &self,
        n: usize,
        point: PathPoint,
        target: Target,
        handles: Handles,
    ) -> Result<String, PathError> {
        let index = self.index(n)?;
        let mut steps = self.steps();
        let Some(step) = steps.get_mut(index) else {
            return Err(PathError::NoSegment {
                count: self.segments.len(),
            });
        };
        let want = &mut step.want;
        let missing = PathError::NoPoint {
            letter: want.command.letter(),
            point,
        };
        let slot = match point {
            PathPoint::End if want.command == Command::Close => None,
            PathPoint::End => Some(&mut want.end),
            PathPoint::Control1 => want.control1.as_mut(),
            PathPoint::Control2 => want.control2.as_mut(),
        };
        let slot = slot.ok_or(missing)?;
        let old = *slot;
        *slot = check_point(match target {
            Target::To(point) => point,
            Target::By(by) => old + by,
        })?;
        let by: Vec2 = *slot - old;
        let carries = point == PathPoint::End && handles == Handles::Move;
        if carries && let Some(control) = &mut want.control2 {
            *control += by;
        }
        step.changed = true;
        step.digits = Digits::Given;
        // The handle on the other side of the end is in the next segment.
        if carries
            && let Some(next) = steps.get_mut(index + 1)
            && matches!(next.want.command, Command::Cubic | Command::SmoothCubic)
            && let Some(control) = &mut next.want.control1
        {
            *control += by;
        }
        self.write(&steps)
    }

    /// Removes segments `first` to `last`, counted from 1, inclusive.
    ///
    /// The next segment starts where the first removed one did, and keeps its end. If it is now the
    /// first segment of the path, it becomes a move to that end.
    ///
    /// # Errors
    /// No such segment, none left, a close that would come first, or text after a fault that would
    /// be read as segments.
    pub fn remove_segments(&self, first: usize, last: usize) -> Result<String, PathError> {
        let (first, last) = (self.index(first.min(last))?, self.index(first.max(last))?);
        let mut steps = self.steps();
        steps.drain(first..=last);
        let head = steps.first_mut().ok_or(PathError::Nothing)?;
        match head.want.command {
            Command::Move => {}
            Command::Close => return Err(PathError::NoMove),
            _ => {
                head.want.command = Command::Move;
                (head.want.control1, head.want.control2, head.want.arc) = (None, None, None);
                head.changed = true;
                head.relative = false;
            }
        }
        self.write(&steps)
    }

    /// The pen before the segment at `index`.
    pub(super) fn pen(&self, index: usize) -> Pen {
        let mut pen = Pen::START;
        for place in self.places().take(index) {
            pen.pass(&place);
        }
        pen
    }

    /// Whether the last letter is lowercase, so that a new close is too.
    fn is_small(&self) -> bool {
        self.segments.last().is_some_and(|segment| segment.relative)
    }
}

#[cfg(test)]
mod tests {
    use kurbo::Point;

    use super::*;

    #[test]
    fn one_end_moves_and_all_others_stay() {
        let kinds = [
            "M30 40",
            "L30 40",
            "H30",
            "V40",
            "C1 2 3 4 30 40",
            "S3 4 30 40",
            "Q1 2 30 40",
            "T30 40",
            "A5 6 7 0 1 30 40",
        ];
        for kind in kinds {
            for kind in [kind.to_owned(), kind.to_ascii_lowercase()] {
                let source = Path::parse(format!("M10 10C1 1 2 2 20 20{kind}l70 5v3S9 9 8 8"));
                let target = Target::To(Point::new(77.0, 33.0));
                let written = source.move_point(3, PathPoint::End, target, Handles::Stay);
                let moved = Path::checked(written.unwrap()).unwrap();
                let (before, after) = (source.places(), moved.places());
                for (nth, (before, after)) in (1..).zip(before.zip(after)) {
                    let wanted = if nth == 3 {
                        Point::new(77.0, 33.0)
                    } else {
                        before.end
                    };
                    assert!(after.end.distance(wanted) < 1e-9, "{source} to {moved}");
                }
                for index in [0, 1, 4, 5] {
                    assert_eq!(
                        moved.spelling(index),
                        source.spelling(index),
                        "{source} to {moved}"
                    );
                }
            }
        }
    }
}
