//! The colours of a gradient.

use std::fmt;

use fcp::prelude::*;
use fcp::value::{Color, Share};

use crate::syntax::number::Precision;

/// The maximum number of stops in a gradient from an op.
const MOST: usize = 1000;

/// A colour of a gradient, and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorStop {
    /// Its position, from 0 at the start to 1 at the end.
    pub at: f64,
    /// Its position as written: `50%`.
    pub offset: String,
    /// The colour.
    pub color: Color,
    /// Its opacity, if given with the colour.
    pub opacity: Option<Share>,
}

impl fmt::Display for ColorStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.offset, self.color)?;
        match &self.opacity {
            Some(opacity) => write!(f, "@{opacity}"),
            None => Ok(()),
        }
    }
}

/// At least two colours, from start to end: `red,blue`, `0%:red; 60%:gold; 100%:blue`,
/// `red,blue@50%`.
///
/// The opacity of a colour follows after `@`.
///
/// Colours without positions are spread evenly between those with positions, where the first is at
/// 0% and the last at 100% by default.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorStops(Vec<ColorStop>);

impl ColorStops {
    /// The colours, in order.
    #[must_use]
    pub fn all(&self) -> &[ColorStop] {
        &self.0
    }
}

impl fmt::Display for ColorStops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, stop) in self.0.iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            write!(f, "{blank}{stop}")?;
        }
        Ok(())
    }
}

/// A piece of the text.
struct Given {
    /// Its position, if given.
    at: Option<Share>,
    color: Color,
    opacity: Option<Share>,
}

impl FcpValue for ColorStops {
    const SPEC: ValueSpec = ValueSpec::new(
        "COLORS",
        "red,blue; with places \"0%:red; 60%:gold; 100%:blue\"; with an opacity red,blue@50%",
    );

    fn parse(text: &str) -> Result<Self, ValueError> {
        let pieces = pieces(text);
        if pieces.len() > MOST {
            return Err(ValueError::sentence(format!(
                "a gradient has at most {MOST} colours"
            )));
        }
        let read: Vec<Result<Given, ValueError>> = pieces.iter().map(|piece| stop(piece)).collect();
        if let Some(wrong) = read.iter().find_map(|one| one.as_ref().err()) {
            let mended: Option<Vec<String>> = read
                .iter()
                .zip(&pieces)
                .map(|(one, piece)| match one {
                    Ok(_) => Some(piece.clone()),
                    Err(error) => error.fix.clone(),
                })
                .collect();
            let error = ValueError::sentence(wrong.about(text));
            return Err(error.maybe_fix(mended.map(|all| all.join("; "))));
        }
        let given: Vec<Given> = read.into_iter().flatten().collect();
        match given.as_slice() {
            [] => Err(ValueError::sentence("a gradient needs two colours or more").fix("red,blue")),
            [one] => Err(ValueError::sentence("a gradient needs two colours or more")
                .fix(format!("{},white", one.color))),
            several => spread(several),
        }
    }
}

/// The pieces between `;`, `,` and whitespace outside parentheses; a position that ends in `:`
/// belongs to the next piece.
fn pieces(text: &str) -> Vec<String> {
    let (mut all, mut piece, mut depth) = (Vec::new(), String::new(), 0_u32);
    for c in text.chars().chain([';']) {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let apart = matches!(c, ';' | ',') || c.is_whitespace();
        if !apart || depth > 0 {
            piece.push(c);
        } else if !(piece.is_empty() || piece.ends_with(':') && c.is_whitespace()) {
            all.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() {
        all.push(piece.trim_end_matches(';').to_owned());
    }
    all
}

/// `red`, `50%:red`, `red@50%` or `0%:red@50%`.
fn stop(piece: &str) -> Result<Given, ValueError> {
    let (place, rest) = match piece.split_once(':') {
        Some((place, rest)) => (Some(place), rest),
        None => (None, piece),
    };
    let (color, share) = match rest.rsplit_once('@') {
        Some((color, share)) => (color, Some(share)),
        None => (rest, None),
    };
    let at = place.map(Share::parse).transpose();
    let (read, opacity) = (Color::parse(color), share.map(Share::parse).transpose());
    let wrong = [
        at.as_ref().err().zip(place),
        read.as_ref().err().map(|error| (error, color)),
        opacity.as_ref().err().zip(share),
    ];
    if let Some((error, text)) = wrong.into_iter().flatten().next() {
        let message = error.about(text);
        let mended = || {
            let place = match place {
                Some(place) => format!("{}:", mended(&at, place)?),
                None => String::new(),
            };
            let share = match share {
                Some(share) => format!("@{}", mended(&opacity, share)?),
                None => String::new(),
            };
            Some(format!("{place}{}{share}", mended(&read, color)?))
        };
        return Err(ValueError::sentence(message).maybe_fix(mended()));
    }
    Ok(Given {
        at: at?,
        color: read?,
        opacity: opacity?,
    })
}

/// The text if it was read, or else its repair.
fn mended<T>(read: &Result<T, ValueError>, text: &str) -> Option<String> {
    match read {
        Ok(_) => Some(text.to_owned()),
        Err(error) => error.fix.clone(),
    }
}

/// Assigns a position to every colour.
fn spread(given: &[Given]) -> Result<ColorStops, ValueError> {
    let last = given.len() - 1;
    let mut places: Vec<Option<f64>> = given
        .iter()
        .map(|one| one.at.as_ref().map(Share::get))
        .collect();
    for (end, at) in [(0, 0.0), (last, 1.0)] {
        if let Some(place) = places.get_mut(end) {
            place.get_or_insert(at);
        }
    }
    let placed: Vec<(usize, f64)> = places
        .iter()
        .enumerate()
        .filter_map(|(ix, at)| at.map(|at| (ix, at)))
        .collect();
    let between = |ix: usize| -> f64 {
        let next = placed.iter().position(|(own, _)| *own >= ix).unwrap_or(0);
        let (after, before) = (placed.get(next), placed.get(next.saturating_sub(1)));
        match (before, after) {
            (Some((from, low)), Some((to, high))) if to > from => {
                let share = (count(ix) - count(*from)) / (count(*to) - count(*from));
                low + (high - low) * share
            }
            (_, Some((_, at))) => *at,
            _ => 0.0,
        }
    };
    let stops: Vec<ColorStop> = given
        .iter()
        .enumerate()
        .map(|(ix, one)| {
            let place = between(ix);
            ColorStop {
                at: place,
                offset: one.at.as_ref().map_or_else(
                    || format!("{}%", Precision::decimals(3).spell(place * 100.0)),
                    Share::to_string,
                ),
                color: one.color.clone(),
                opacity: one.opacity.clone(),
            }
        })
        .collect();
    if stops.is_sorted_by(|a, b| a.at <= b.at) {
        return Ok(ColorStops(stops));
    }
    let mut sorted = stops;
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at));
    let sorted: Vec<String> = sorted.iter().map(ToString::to_string).collect();
    Err(ValueError::sentence("colour places must go from start to end").fix(sorted.join("; ")))
}

fn count(n: usize) -> f64 {
    // It is at most MOST.
    u32::try_from(n).map_or(0.0, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_places() {
        for (text, shown) in [
            ("red,blue", "0%:red 100%:blue"),
            ("0%:blue; 100%:red", "0%:blue 100%:red"),
            ("0%: blue;100%: red", "0%:blue 100%:red"),
            ("red 60%:gold blue", "0%:red 60%:gold 100%:blue"),
            ("red,gold@60%,blue", "0%:red 50%:gold@60% 100%:blue"),
            ("0%:blue; 100%:red@.5", "0%:blue 100%:red@.5"),
            ("red,gold,blue", "0%:red 50%:gold 100%:blue"),
            (
                "0.1:red,gold,lime,blue",
                "0.1:red 40%:gold 70%:lime 100%:blue",
            ),
            ("rgb(1, 2, 3);50%:#fff", "0%:rgb(1, 2, 3) 50%:#fff"),
            ("20%:red,20%:blue", "20%:red 20%:blue"),
        ] {
            let stops = ColorStops::parse(text).unwrap();
            assert_eq!(stops.to_string(), shown);
            assert_eq!(ColorStops::parse(shown).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn invalid_lists_of_colours_are_repaired() {
        for (text, fix) in [
            ("rde,blue", Some("red; blue")),
            ("0%:rde; 100%:blue", Some("0%:red; 100%:blue")),
            ("red@150%,blue", Some("red@1; blue")),
            ("red@60,blue", Some("red@60%; blue")),
            ("red", Some("red,white")),
            ("", Some("red,blue")),
            ("60%:red,40%:blue", Some("40%:blue; 60%:red")),
            ("60%:red@0.5,40:blu", Some("60%:red@0.5; 40%:blue")),
            ("xyzzy,blue", None),
        ] {
            let error = ColorStops::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
        let hostile = "rgb(".repeat(2000);
        assert!(ColorStops::parse(&hostile).is_err());
        assert!(ColorStops::parse(&"red,".repeat(MOST + 1)).is_err());
    }
}
