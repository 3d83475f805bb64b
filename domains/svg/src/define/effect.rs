//! Effects of filters: their settings, and the primitives that make them.
//!
//! The colour effects are the shorthands of Filter Effects 1, section 8, written out.

use fcp::prelude::*;
use fcp::value::{Angle, Color, Decimal, Offset, Share, Unsigned};

use super::Blueprint;
use crate::number::{Precision, spell_given};
use crate::values::EffectKind;

/// An effect: what it is, and its settings as they are spelled, in the order of [`settings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What it is.
    pub kind: EffectKind,
    values: Vec<(&'static str, String)>,
}

/// The settings of an effect, and what they are if nothing says it.
#[must_use]
pub const fn settings(kind: EffectKind) -> &'static [(&'static str, &'static str)] {
    match kind {
        EffectKind::GaussianBlur => &[("std-dev", "5")],
        EffectKind::DropShadow => &[
            ("offset", "4,4"),
            ("std-dev", "4"),
            ("color", "#000"),
            ("opacity", "0.4"),
        ],
        EffectKind::Glow => &[("std-dev", "6"), ("color", "gold"), ("opacity", "1")],
        EffectKind::InnerShadow => &[
            ("offset", "3,3"),
            ("std-dev", "3"),
            ("color", "#000"),
            ("opacity", "0.4"),
        ],
        EffectKind::Outline => &[("width", "2"), ("color", "#000"), ("opacity", "1")],
        EffectKind::Grayscale
        | EffectKind::Sepia
        | EffectKind::Saturate
        | EffectKind::Brightness
        | EffectKind::Contrast
        | EffectKind::Invert => &[("amount", "1")],
        EffectKind::HueRotate => &[("angle", "90")],
        EffectKind::Noise => &[
            ("frequency", "0.05"),
            ("octaves", "2"),
            ("seed", "0"),
            ("amount", "0.3"),
        ],
    }
}

impl Effect {
    /// An effect with the settings that it has if nothing says others.
    #[must_use]
    pub fn new(kind: EffectKind) -> Self {
        let values = settings(kind).iter();
        Self {
            kind,
            values: values
                .map(|(key, value)| (*key, (*value).to_owned()))
                .collect(),
        }
    }

    /// One with these settings; what they leave out is as in a new one.
    #[must_use]
    pub fn with<const N: usize>(kind: EffectKind, values: [(&'static str, String); N]) -> Self {
        let mut effect = Self::new(kind);
        for (key, value) in values {
            effect.put(key, value);
        }
        effect
    }

    /// A setting as it is spelled.
    #[must_use]
    pub fn get(&self, key: &str) -> &str {
        let own = self.values.iter().find(|(own, _)| *own == key);
        own.map_or("", |(_, value)| value)
    }

    fn put(&mut self, key: &str, value: String) {
        if let Some(own) = self.values.iter_mut().find(|(own, _)| *own == key) {
            own.1 = value;
        }
    }

    /// What its settings are called.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.values.iter().map(|(key, _)| *key)
    }

    /// Whether it has such a setting. `dx` and `dy` are the halves of `offset`.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        let whole = match key {
            "dx" | "dy" => "offset",
            _ => key,
        };
        self.values.iter().any(|(own, _)| *own == whole)
    }

    /// How far it lies from what it is laid on, across and down.
    fn offset(&self) -> [String; 2] {
        let (dx, dy) = self.get("offset").split_once(',').unwrap_or(("0", "0"));
        [dx, dy].map(str::to_owned)
    }

    /// Takes settings from an op.
    ///
    /// # Errors
    /// It has no such setting, or a value is wrong.
    pub fn set(&mut self, keyed: &Keyed) -> Result<()> {
        if !self.has(keyed.key()) {
            let known = self.values.iter().map(|(key, _)| *key);
            return Err(keyed.unknown(&self.kind.to_string(), known));
        }
        let shares = matches!(
            self.kind,
            EffectKind::Grayscale | EffectKind::Sepia | EffectKind::Invert | EffectKind::Noise
        );
        let value = match keyed.key() {
            "color" => keyed.parse::<Color>()?.to_string(),
            "opacity" => keyed.parse::<Share>()?.to_string(),
            "amount" if shares => keyed.parse::<Share>()?.to_string(),
            "offset" => keyed.parse::<Offset>()?.to_string(),
            "dx" | "dy" => {
                let (own, [dx, dy]) = (keyed.parse::<Decimal>()?, self.offset());
                let both = match keyed.key() {
                    "dx" => format!("{own},{dy}"),
                    _ => format!("{dx},{own}"),
                };
                self.put("offset", both);
                return Ok(());
            }
            "angle" => keyed.parse::<Angle>()?.to_string(),
            "octaves" => keyed.parse::<Int<1, 10>>()?.to_string(),
            "seed" => keyed.parse::<Int<0, 1_000_000>>()?.to_string(),
            _ => keyed.parse::<Unsigned<Decimal>>()?.to_string(),
        };
        self.put(keyed.key(), value);
        Ok(())
    }

    /// A setting as a number: of an angle in degrees, of a percentage 0 to 1.
    fn number(&self, key: &str) -> f64 {
        let text = self.get(key);
        match key {
            "angle" => Angle::parse(text).map_or(0.0, |angle| angle.degrees()),
            _ => match text.strip_suffix('%') {
                Some(percent) => Decimal::parse(percent).map_or(0.0, |n| n.get() / 100.0),
                None => Decimal::parse(text).map_or(0.0, |n| n.get()),
            },
        }
    }

    /// Whether it paints outside of what it is laid on.
    #[must_use]
    pub const fn spreads(&self) -> bool {
        matches!(
            self.kind,
            EffectKind::GaussianBlur
                | EffectKind::DropShadow
                | EffectKind::Glow
                | EffectKind::Outline
        )
    }

    /// Whether its primitives name what they are laid on, beside taking what comes before them.
    #[must_use]
    pub const fn names_input(&self) -> bool {
        matches!(
            self.kind,
            EffectKind::InnerShadow | EffectKind::Outline | EffectKind::Noise
        )
    }

    /// The primitives that make it, laid on `input`.
    #[must_use]
    pub fn parts(&self, input: &str) -> Vec<Blueprint> {
        let own = |key: &str| self.get(key).to_owned();
        let given = |value: f64| spell_given(Precision::decimals(4).round(value));
        let flood = || {
            Blueprint::new(
                "feFlood",
                [
                    ("flood-color", own("color")),
                    ("flood-opacity", own("opacity")),
                ],
            )
        };
        let composite = |operator: &str| {
            let over = ("in2", input.to_owned());
            Blueprint::new("feComposite", [over, ("operator", operator.to_owned())])
        };
        let matrix = |rows: [[f64; 3]; 3]| {
            let row = |[r, g, b]: [f64; 3]| format!("{} {} {} 0 0", given(r), given(g), given(b));
            let values = format!("{} 0 0 0 1 0", rows.map(row).join(" "));
            let kind = ("type", "matrix".to_owned());
            vec![Blueprint::new("feColorMatrix", [kind, ("values", values)])]
        };
        let amount = self.number("amount");
        match self.kind {
            EffectKind::GaussianBlur => {
                vec![Blueprint::new(
                    "feGaussianBlur",
                    [("stdDeviation", own("std-dev"))],
                )]
            }
            EffectKind::DropShadow | EffectKind::Glow => {
                let [dx, dy] = self.offset();
                vec![Blueprint::new(
                    "feDropShadow",
                    [
                        ("dx", dx),
                        ("dy", dy),
                        ("stdDeviation", own("std-dev")),
                        ("flood-color", own("color")),
                        ("flood-opacity", own("opacity")),
                    ],
                )]
            }
            EffectKind::InnerShadow => vec![
                flood(),
                composite("out"),
                Blueprint::new("feGaussianBlur", [("stdDeviation", own("std-dev"))]),
                {
                    let [dx, dy] = self.offset();
                    Blueprint::new("feOffset", [("dx", dx), ("dy", dy)])
                },
                composite("atop"),
            ],
            EffectKind::Outline => vec![
                Blueprint::new(
                    "feMorphology",
                    [
                        ("in", input.to_owned()),
                        ("operator", "dilate".to_owned()),
                        ("radius", own("width")),
                        ("result", "wide".to_owned()),
                    ],
                ),
                flood(),
                Blueprint::new(
                    "feComposite",
                    [
                        ("in2", "wide".to_owned()),
                        ("operator", "in".to_owned()),
                        ("result", "line".to_owned()),
                    ],
                ),
                // Over it lies what it is around.
                Blueprint::new(
                    "feBlend",
                    [("in", input.to_owned()), ("in2", "line".to_owned())],
                ),
            ],
            EffectKind::Grayscale => matrix(mixed(LUMINANCE, amount)),
            EffectKind::Sepia => matrix(mixed(SEPIA, amount)),
            EffectKind::Saturate => vec![Blueprint::new(
                "feColorMatrix",
                [("type", "saturate".to_owned()), ("values", given(amount))],
            )],
            EffectKind::HueRotate => vec![Blueprint::new(
                "feColorMatrix",
                [
                    ("type", "hueRotate".to_owned()),
                    ("values", given(self.number("angle"))),
                ],
            )],
            EffectKind::Brightness | EffectKind::Contrast | EffectKind::Invert => {
                let channel = |name| {
                    let attrs = match self.kind {
                        EffectKind::Invert => vec![
                            ("type", "table".to_owned()),
                            (
                                "tableValues",
                                format!("{} {}", given(amount), given(1.0 - amount)),
                            ),
                        ],
                        EffectKind::Contrast => vec![
                            ("type", "linear".to_owned()),
                            ("slope", given(amount)),
                            ("intercept", given(0.5 - 0.5 * amount)),
                        ],
                        _ => vec![("type", "linear".to_owned()), ("slope", given(amount))],
                    };
                    Blueprint {
                        name,
                        attrs,
                        children: Vec::new(),
                    }
                };
                let channels = ["feFuncR", "feFuncG", "feFuncB"].map(channel);
                vec![Blueprint {
                    children: channels.into(),
                    ..Blueprint::new("feComponentTransfer", [])
                }]
            }
            EffectKind::Noise => vec![
                Blueprint::new(
                    "feTurbulence",
                    [
                        ("type", "fractalNoise".to_owned()),
                        ("baseFrequency", own("frequency")),
                        ("numOctaves", own("octaves")),
                        ("seed", own("seed")),
                    ],
                ),
                // Grey of one channel, everywhere as opaque.
                Blueprint::new(
                    "feColorMatrix",
                    [
                        ("type", "matrix".to_owned()),
                        (
                            "values",
                            format!("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0 0 0 0 {}", given(amount)),
                        ),
                    ],
                ),
                composite("atop"),
            ],
        }
    }

    /// What it is and its settings: `gaussian-blur std-dev:5`.
    #[must_use]
    pub fn told(&self) -> String {
        let mut told = self.kind.to_string();
        for (key, value) in &self.values {
            told.push_str(&format!(" {key}:{}", fcp::op::quote_value(value)));
        }
        told
    }
}

/// The matrix of a whole `grayscale`.
pub const LUMINANCE: [[f64; 3]; 3] = [[0.2126, 0.7152, 0.0722]; 3];
/// The matrix of a whole `sepia`.
pub const SEPIA: [[f64; 3]; 3] = [
    [0.393, 0.769, 0.189],
    [0.349, 0.686, 0.168],
    [0.272, 0.534, 0.131],
];

/// So much of a matrix, the rest of the colours as they are.
fn mixed(whole: [[f64; 3]; 3], amount: f64) -> [[f64; 3]; 3] {
    let mut rows = whole;
    for (at, row) in rows.iter_mut().enumerate() {
        for (column, value) in row.iter_mut().enumerate() {
            let kept = if at == column { 1.0 } else { 0.0 };
            *value = *value * amount + kept * (1.0 - amount);
        }
    }
    rows
}
