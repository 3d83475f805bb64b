//! Recognises effects in the primitives of a filter.

use fcp::format::xml::Element;

use super::effect::{Effect, LUMINANCE, SEPIA};
use crate::syntax::number::{Precision, scan, skip_separator, spell_given};
use crate::values::EffectKind;

/// The maximum number of primitives of an effect.
pub(super) const MOST: usize = 5;

/// The effect of the first primitives, its input, and their number. `inner` are the children of the
/// first.
pub(super) fn effect(all: &[&Element], inner: &[&Element]) -> Option<(Effect, String, usize)> {
    let names: Vec<&str> = all.iter().map(|one| one.local_name()).collect();
    let attr = |at: usize, name: &str| -> Option<String> {
        let value = all.get(at)?.attr(name)?;
        Some(value.trim().to_owned())
    };
    let or =
        |at: usize, name: &str, initial: &str| attr(at, name).unwrap_or_else(|| initial.to_owned());
    let is = |at: usize, name: &str, value: &str| attr(at, name).as_deref() == Some(value);
    let color = |at: usize| ("color", or(at, "flood-color", "black"));
    let opacity = |at: usize| ("opacity", or(at, "flood-opacity", "1"));
    let plain = |effect: Effect, count: usize| Some((effect, String::new(), count));
    match names.as_slice() {
        [
            "feFlood",
            "feComposite",
            "feGaussianBlur",
            "feOffset",
            "feComposite",
            ..,
        ] if is(1, "operator", "out") && is(4, "operator", "atop") => {
            let values = [
                (
                    "offset",
                    format!("{},{}", or(3, "dx", "0"), or(3, "dy", "0")),
                ),
                ("std-dev", or(2, "stdDeviation", "0")),
                color(0),
                opacity(0),
            ];
            let effect = Effect::with(EffectKind::InnerShadow, values);
            Some((effect, attr(4, "in2")?, 5))
        }
        ["feMorphology", "feFlood", "feComposite", "feBlend", ..]
            if is(0, "operator", "dilate") && is(2, "operator", "in") =>
        {
            let values = [("width", or(0, "radius", "0")), color(1), opacity(1)];
            let effect = Effect::with(EffectKind::Outline, values);
            Some((effect, attr(0, "in")?, 4))
        }
        ["feTurbulence", "feColorMatrix", "feComposite", ..] if is(2, "operator", "atop") => {
            let amount = numbers(&attr(1, "values")?).last().copied()?;
            let values = [
                ("frequency", or(0, "baseFrequency", "0")),
                ("octaves", or(0, "numOctaves", "1")),
                ("seed", or(0, "seed", "0")),
                ("amount", spelled(amount)),
            ];
            let effect = Effect::with(EffectKind::Noise, values);
            Some((effect, attr(2, "in2")?, 3))
        }
        ["feGaussianBlur", ..] => {
            let values = [("std-dev", or(0, "stdDeviation", "0"))];
            plain(Effect::with(EffectKind::GaussianBlur, values), 1)
        }
        ["feDropShadow", ..] => {
            let (dx, dy) = (or(0, "dx", "2"), or(0, "dy", "2"));
            let std_dev = ("std-dev", or(0, "stdDeviation", "2"));
            let effect = if dx == "0" && dy == "0" {
                Effect::with(EffectKind::Glow, [std_dev, color(0), opacity(0)])
            } else {
                let offset = ("offset", format!("{dx},{dy}"));
                let values = [offset, std_dev, color(0), opacity(0)];
                Effect::with(EffectKind::DropShadow, values)
            };
            plain(effect, 1)
        }
        ["feColorMatrix", ..] => {
            let values = attr(0, "values")?;
            let effect = match &*attr(0, "type")? {
                "saturate" => Effect::with(EffectKind::Saturate, [("amount", values)]),
                "hueRotate" => Effect::with(EffectKind::HueRotate, [("angle", values)]),
                "matrix" => matrix(&numbers(&values))?,
                _ => return None,
            };
            plain(effect, 1)
        }
        ["feComponentTransfer", ..] => plain(transfer(inner)?, 1),
        _ => None,
    }
}

/// `grayscale` or `sepia`, if the matrix is a mix of one with the identity.
fn matrix(values: &[f64]) -> Option<Effect> {
    if values.len() != 20 {
        return None;
    }
    let known = [
        (EffectKind::Grayscale, LUMINANCE),
        (EffectKind::Sepia, SEPIA),
    ];
    known.into_iter().find_map(|(kind, whole)| {
        let amount = (1.0 - values.first()?) / (1.0 - whole[0][0]);
        let effect = Effect::with(kind, [("amount", spelled(amount))]);
        let own = effect.parts("").into_iter().next()?;
        let (_, own) = own.attrs.into_iter().find(|(name, _)| *name == "values")?;
        let same = |(one, other): (&f64, &f64)| (one - other).abs() < 2e-4;
        let fits = (0.0..=1.0).contains(&amount) && values.iter().zip(&numbers(&own)).all(same);
        fits.then_some(effect)
    })
}

/// `brightness`, `contrast` or `invert`, if the three channels are equal.
fn transfer(inner: &[&Element]) -> Option<Effect> {
    let [red, green, blue] = inner else {
        return None;
    };
    let attr = |channel: &Element, name: &str| -> Option<String> {
        channel.attr(name).map(|value| value.trim().to_owned())
    };
    let function = |channel: &Element| {
        ["type", "slope", "intercept", "tableValues"].map(|name| attr(channel, name))
    };
    let names = [red, green, blue].map(|channel| channel.local_name());
    if names != ["feFuncR", "feFuncG", "feFuncB"]
        || function(red) != function(green)
        || function(red) != function(blue)
    {
        return None;
    }
    let [kind, slope, intercept, table] = function(red);
    match (kind.as_deref()?, slope, intercept, table) {
        ("linear", Some(slope), None, _) => {
            Some(Effect::with(EffectKind::Brightness, [("amount", slope)]))
        }
        ("linear", Some(slope), Some(intercept), _) => {
            let (amount, lift) = (*numbers(&slope).first()?, *numbers(&intercept).first()?);
            let fits = (0.5 - 0.5 * amount - lift).abs() < 2e-4;
            fits.then(|| Effect::with(EffectKind::Contrast, [("amount", slope)]))
        }
        ("table", _, _, Some(table)) => match numbers(&table).as_slice() {
            [low, high] if (low + high - 1.0).abs() < 2e-4 => {
                let amount = [("amount", spelled(*low))];
                Some(Effect::with(EffectKind::Invert, amount))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Numbers separated by whitespace or commas, up to the first fault.
fn numbers(text: &str) -> Vec<f64> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(read) = scan(text, at) {
        all.push(read.value);
        at = skip_separator(text, read.span.end);
    }
    all
}

fn spelled(value: f64) -> String {
    spell_given(Precision::decimals(4).round(value))
}
