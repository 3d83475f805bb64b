//! Writes segments at their new positions, keeping all text that is still right there.

use kurbo::Point;

use super::parse::is_flag;
use super::place::Pen;
use super::{Command, Fault, MOST, Path, PathError, Place, Segment};
use crate::syntax::number::{scan, skip_blanks, skip_separator, spell_given, spell_within};

/// The digits of a segment's new numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    /// All the digits in the op.
    Given,
    /// Enough digits to keep the points in place.
    Computed,
}

/// A segment to write.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The index of its source segment.
    pub from: Option<usize>,
    /// Whether an edit changes it, so that its text must change.
    pub changed: bool,
    /// Whether to write it relative, if its text is not kept.
    pub relative: bool,
    /// The digits of its new numbers.
    pub digits: Digits,
    /// Its target position; `start` follows from the previous segments.
    pub want: Place,
}

impl Path {
    /// All segments, unchanged.
    pub(super) fn steps(&self) -> Vec<Step> {
        let kept = |(index, (segment, want)): (usize, (&Segment, Place))| Step {
            from: Some(index),
            changed: false,
            relative: segment.relative,
            digits: Digits::Computed,
            want,
        };
        self.segments
            .iter()
            .zip(self.places())
            .enumerate()
            .map(kept)
            .collect()
    }

    /// Writes the segments, and the source text after them.
    ///
    /// # Errors
    /// If text after the fault would be read as segments.
    pub(super) fn write(&self, steps: &[Step]) -> Result<String, PathError> {
        let mut writer = Writer::new(self, steps);
        for step in steps {
            writer.step(step);
        }
        let end = self.segments.last().map_or(0, |segment| segment.span.end);
        let tail = self.text.get(end..).unwrap_or_default();
        let no_comma = self.fault.is_none() && writer.before == Token::Close;
        if no_comma {
            writer.out.push_str(&without_comma(tail));
        } else {
            writer.out.push_str(tail);
        }
        let out = writer.out;
        if let Some(fault) = &self.fault
            && Self::parse(out.as_str()).segments.len() != steps.len()
        {
            return Err(PathError::Fault(Fault::clone(fault)));
        }
        Ok(out)
    }
}

/// The last token of the text, which determines what may follow without whitespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Start,
    Letter,
    Close,
    Flag,
    Whole,
    /// A number that a decimal point would not continue: it has one, or an exponent.
    Dotted,
}

impl Token {
    fn number(text: &str) -> Self {
        if text.contains(['.', 'e', 'E']) {
            Self::Dotted
        } else {
            Self::Whole
        }
    }

    /// Whether a number that begins like this is separate without whitespace.
    fn lets(self, number: &str) -> bool {
        match (self, number.as_bytes().first()) {
            (Self::Whole | Self::Dotted, Some(b'+' | b'-')) | (Self::Dotted, Some(b'.')) => true,
            (Self::Whole | Self::Dotted, _) => false,
            _ => true,
        }
    }
}

/// The separators in the source.
struct Style {
    between: String,
    letter: String,
    pair: String,
    group: String,
}

impl Style {
    fn of(path: &Path) -> Self {
        let first = path
            .segments
            .iter()
            .position(|segment| segment.command.arity() > 1);
        let long = path
            .segments
            .iter()
            .position(|segment| segment.command.arity() >= 4 && segment.command != Command::Arc);
        let last = path.segments.iter().rposition(|segment| segment.lettered);
        let gap = |segment: Option<usize>, number: usize| {
            let gaps = segment.map(|index| gaps(path, index)).unwrap_or_default();
            gaps.into_iter().nth(number).unwrap_or_default()
        };
        let or_blank = |gap: String| if gap.is_empty() { " ".to_owned() } else { gap };
        let letter = gap(first.filter(|first| *first == 0), 0);
        let between = match last {
            Some(last) if last > 0 => without_comma(path.gap(last)),
            _ if path.segments.is_empty() => String::new(),
            _ => letter.clone(),
        };
        Self {
            between,
            letter,
            pair: or_blank(gap(first, 1)),
            group: or_blank(gap(long, 2)),
        }
    }

    /// The text before the number at `place` of a new segment.
    fn gap(&self, command: Command, place: usize) -> &str {
        match (command, place) {
            (_, 0) => &self.letter,
            (Command::Arc, 1 | 6) => &self.pair,
            (Command::Arc, _) => " ",
            _ if place % 2 == 1 => &self.pair,
            _ => &self.group,
        }
    }
}

fn without_comma(gap: &str) -> String {
    gap.chars().filter(|c| *c != ',').collect()
}

struct Writer<'p> {
    path: &'p Path,
    style: Style,
    out: String,
    pen: Pen,
    before: Token,
    /// The command of a segment without a letter.
    implied: Option<(Command, bool)>,
    /// The maximum distance of a point from its target position.
    near: f64,
}

impl<'p> Writer<'p> {
    fn new(path: &'p Path, steps: &[Step]) -> Self {
        let far = |point: Point| point.x.abs().max(point.y.abs());
        let scale = steps
            .iter()
            .flat_map(|step| step.want.points())
            .map(far)
            .fold(0.0, f64::max);
        Self {
            path,
            style: Style::of(path),
            out: String::with_capacity(path.text.len() + 64),
            pen: Pen::START,
            before: Token::Start,
            implied: None,
            near: scale * 1e-9,
        }
    }

    fn step(&mut self, step: &Step) {
        let source = step.from.and_then(|index| self.path.segments.get(index));
        let gap = match step.from {
            _ if self.before == Token::Start => self.path.gap(0).to_owned(),
            Some(index) => self.path.gap(index).to_owned(),
            None => self.style.between.clone(),
        };
        // No comma may follow a close or the beginning.
        let gap = match self.before {
            Token::Start | Token::Close => without_comma(&gap),
            _ => gap,
        };
        let place = match (source, step.from) {
            (Some(segment), Some(index)) if !step.changed && self.holds(segment, &step.want) => {
                self.keep(index, segment, &gap)
            }
            _ => self.rewrite(step, source, gap),
        };
        self.pen.pass(&place);
    }

    /// Whether the text of a segment still gives its target position.
    fn holds(&self, segment: &Segment, want: &Place) -> bool {
        let have = self
            .pen
            .place(segment.command, segment.relative, &segment.numbers);
        let near = |a: Option<Point>, b: Option<Point>| match (a, b) {
            (Some(a), Some(b)) => (a.x - b.x).abs() <= self.near && (a.y - b.y).abs() <= self.near,
            (a, b) => a.is_none() == b.is_none(),
        };
        have.command == want.command
            && near(have.control1, want.control1)
            && near(have.control2, want.control2)
            && (want.command == Command::Close || near(Some(have.end), Some(want.end)))
    }

    fn keep(&mut self, index: usize, segment: &Segment, gap: &str) -> Place {
        let kind = (segment.command, segment.relative);
        let text = self.path.spelling(index);
        if segment.lettered {
            self.out.push_str(gap);
        } else if self.implied != Some(kind) {
            self.out.push_str(&without_comma(gap));
            self.out.push(segment.letter());
        } else {
            self.out.push_str(gap);
            if gap.is_empty() && !self.before.lets(text) {
                self.out.push(' ');
            }
        }
        self.out.push_str(text);
        let last = number_spans(self.path, index)
            .pop()
            .and_then(|span| self.path.text.get(span));
        self.before = last.map_or(Token::Close, Token::number);
        self.implied = segment
            .command
            .repeated()
            .map(|command| (command, segment.relative));
        self.pen
            .place(segment.command, segment.relative, &segment.numbers)
    }

    fn rewrite(&mut self, step: &Step, source: Option<&Segment>, gap: String) -> Place {
        let command = self.command(&step.want);
        let relative = step.relative;
        let same = source
            .filter(|segment| segment.command == command)
            .and(step.from);
        let spans = same
            .map(|index| number_spans(self.path, index))
            .unwrap_or_default();
        let gaps = same.map(|index| gaps(self.path, index)).unwrap_or_default();

        let lettered = source.is_none_or(|segment| segment.lettered)
            || self.implied != Some((command, relative));
        if lettered {
            self.out.push_str(&without_comma(&gap));
            let letter = command.letter();
            self.out.push(if relative {
                letter.to_ascii_lowercase()
            } else {
                letter
            });
            self.before = if command == Command::Close {
                Token::Close
            } else {
                Token::Letter
            };
        }
        let values = self.numbers(command, relative, &step.want);
        let mut written = [0.0; MOST];
        let targets = values.iter().zip(&mut written).take(command.arity());
        for (place, (&value, slot)) in targets.enumerate() {
            let old = source
                .filter(|_| same.is_some())
                .and_then(|s| s.numbers.get(place));
            let old_text = spans
                .get(place)
                .and_then(|span| self.path.text.get(span.clone()));
            let error = self.error(step.digits, relative, value);
            let text = match (old, old_text) {
                (Some(old), Some(text)) if (old - value).abs() <= error => text.to_owned(),
                _ if error == 0.0 => spell_given(value),
                _ => spell_within(value, error),
            };
            *slot = text.parse().unwrap_or(value);
            let between = match place {
                0 if !lettered => gap.as_str(),
                0 if self.before == Token::Letter && source.is_some_and(|s| !s.lettered) => "",
                _ => gaps
                    .get(place)
                    .map_or(self.style.gap(command, place), String::as_str),
            };
            self.out.push_str(between);
            if between.is_empty() && !self.before.lets(&text) {
                self.out.push(' ');
            }
            self.out.push_str(&text);
            self.before = if command == Command::Arc && is_flag(place) {
                Token::Flag
            } else {
                Token::number(&text)
            };
        }
        self.implied = command.repeated().map(|command| (command, relative));
        self.pen.place(command, relative, &written)
    }

    /// A command for this position: the wanted one, or the equivalent with all points explicit.
    fn command(&self, want: &Place) -> Command {
        let off = |a: f64, b: f64| (a - b).abs() > self.near;
        let apart = |a: Point, b: Option<Point>| b.is_some_and(|b| off(a.x, b.x) || off(a.y, b.y));
        let at = self.pen.at;
        match want.command {
            Command::Horizontal if off(want.end.y, at.y) => Command::Line,
            Command::Vertical if off(want.end.x, at.x) => Command::Line,
            Command::SmoothCubic if apart(self.pen.mirrored_cubic(), want.control1) => {
                Command::Cubic
            }
            Command::SmoothQuadratic if apart(self.pen.mirrored_quadratic(), want.control1) => {
                Command::Quadratic
            }
            command => command,
        }
    }

    /// The numbers for this position.
    fn numbers(&self, command: Command, relative: bool, want: &Place) -> [f64; MOST] {
        let origin = if relative { self.pen.at } else { Point::ZERO };
        let end = want.end - origin;
        let first = want.control1.unwrap_or(want.end) - origin;
        let second = want.control2.unwrap_or(want.end) - origin;
        match command {
            Command::Close => [0.0; MOST],
            Command::Horizontal => [end.x, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            Command::Vertical => [end.y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            Command::Move | Command::Line | Command::SmoothQuadratic => {
                [end.x, end.y, 0.0, 0.0, 0.0, 0.0, 0.0]
            }
            Command::SmoothCubic => [second.x, second.y, end.x, end.y, 0.0, 0.0, 0.0],
            Command::Quadratic => [first.x, first.y, end.x, end.y, 0.0, 0.0, 0.0],
            Command::Cubic => [first.x, first.y, second.x, second.y, end.x, end.y, 0.0],
            Command::Arc => {
                let Some(arc) = want.arc else {
                    return [0.0; MOST];
                };
                let flag = |on: bool| f64::from(u8::from(on));
                let (large, sweep) = (flag(arc.large), flag(arc.sweep));
                [
                    arc.radii.x,
                    arc.radii.y,
                    arc.rotation,
                    large,
                    sweep,
                    end.x,
                    end.y,
                ]
            }
        }
    }

    /// The maximum error in the spelling of a number.
    fn error(&self, digits: Digits, relative: bool, value: f64) -> f64 {
        match digits {
            // The rounding noise of one subtraction.
            Digits::Given if relative => {
                let at = self.pen.at;
                4.0 * f64::EPSILON * (value.abs() + at.x.abs().max(at.y.abs()))
            }
            Digits::Given => 0.0,
            // Far below `near`, so that the text of later segments stays right.
            Digits::Computed => self.near * 1e-2,
        }
    }
}

/// The byte ranges of a segment's numbers.
fn number_spans(path: &Path, index: usize) -> Vec<std::ops::Range<usize>> {
    let Some(segment) = path.segments.get(index) else {
        return Vec::new();
    };
    let mut at = segment.span.start + usize::from(segment.lettered);
    let mut spans = Vec::with_capacity(segment.command.arity());
    for place in 0..segment.command.arity() {
        at = if place == 0 {
            skip_blanks(&path.text, at)
        } else {
            skip_separator(&path.text, at)
        };
        let end = if segment.command == Command::Arc && is_flag(place) {
            at + 1
        } else {
            scan(&path.text, at).map_or(at, |number| number.span.end)
        };
        spans.push(at..end);
        at = end;
    }
    spans
}

/// The text before each number of a segment, from its letter on.
fn gaps(path: &Path, index: usize) -> Vec<String> {
    let Some(segment) = path.segments.get(index) else {
        return Vec::new();
    };
    let mut at = segment.span.start + usize::from(segment.lettered);
    let spans = number_spans(path, index);
    let mut gaps = Vec::with_capacity(spans.len());
    for span in spans {
        gaps.push(path.text.get(at..span.start).unwrap_or_default().to_owned());
        at = span.end;
    }
    gaps
}
