//! Filter effects: their settings, and the primitives that implement them.
//!
//! The colour effects are expansions of the shorthands of Filter Effects 1, section 8.

use fcp::prelude::*;
use fcp::value::{Angle, Color, Decimal, Offset, Share, Unsigned};

use super::Blueprint;
use crate::syntax::number::{Precision, spell_given};
use crate::values::EffectKind;

/// An effect: its kind, and its settings as they are spelled, in the order of [`settings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its kind.
    pub kind: EffectKind,
    values: Vec<(&'static str, String)>,
}

/// The settings of an effect, and their defaults.
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

/// The name in a recipe for an element for each colour channel.
const CHANNELS: &str = "feFunc";

/// The primitives of an effect and their attributes. In braces is a setting, or what
/// [`Effect::value`] computes.
const fn recipe(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::GaussianBlur => "feGaussianBlur stdDeviation={std-dev}",
        EffectKind::DropShadow | EffectKind::Glow => {
            "feDropShadow dx={dx} dy={dy} stdDeviation={std-dev} flood-color={color} flood-opacity={opacity}"
        }
        EffectKind::InnerShadow => {
            "feFlood flood-color={color} flood-opacity={opacity};
             feComposite in2={input} operator=out;
             feGaussianBlur stdDeviation={std-dev};
             feOffset dx={dx} dy={dy};
             feComposite in2={input} operator=atop"
        }
        // The original is drawn over its outline.
        EffectKind::Outline => {
            "feMorphology in={input} operator=dilate radius={width} result=wide;
             feFlood flood-color={color} flood-opacity={opacity};
             feComposite in2=wide operator=in result=line;
             feBlend in={input} in2=line"
        }
        EffectKind::Grayscale => "feColorMatrix type=matrix values={grayscale}",
        EffectKind::Sepia => "feColorMatrix type=matrix values={sepia}",
        EffectKind::Saturate => "feColorMatrix type=saturate values={amount}",
        EffectKind::HueRotate => "feColorMatrix type=hueRotate values={angle}",
        EffectKind::Brightness => "feFunc type=linear slope={amount}",
        EffectKind::Contrast => "feFunc type=linear slope={amount} intercept={around-half}",
        EffectKind::Invert => "feFunc type=table tableValues={inverted}",
        EffectKind::Noise => {
            "feTurbulence type=fractalNoise baseFrequency={frequency} numOctaves={octaves} seed={seed};
             feColorMatrix type=matrix values={grey};
             feComposite in2={input} operator=atop"
        }
    }
}

impl Effect {
    /// An effect with default settings.
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

    /// An effect with these settings, and defaults for the others.
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

    /// The names of its settings.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.values.iter().map(|(key, _)| *key)
    }

    /// Whether it has this setting. `dx` and `dy` are the halves of `offset`.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        let whole = match key {
            "dx" | "dy" => "offset",
            _ => key,
        };
        self.values.iter().any(|(own, _)| *own == whole)
    }

    /// Its offset from its input, horizontally and vertically.
    fn offset(&self) -> [String; 2] {
        let (dx, dy) = self.get("offset").split_once(',').unwrap_or(("0", "0"));
        [dx, dy].map(str::to_owned)
    }

    /// Applies a setting from an op.
    ///
    /// # Errors
    /// If the effect has no such setting, or the value is invalid.
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

    /// A setting as a number: an angle in degrees, and a percentage as 0 to 1.
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

    /// Whether it paints outside its input.
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

    /// Whether its primitives refer to their input by name, besides using the previous result.
    #[must_use]
    pub const fn names_input(&self) -> bool {
        matches!(
            self.kind,
            EffectKind::InnerShadow | EffectKind::Outline | EffectKind::Noise
        )
    }

    /// The primitives that implement it, applied to `input`.
    #[must_use]
    pub fn parts(&self, input: &str) -> Vec<Blueprint> {
        let attr = |attr: &'static str| {
            let (name, value) = attr.split_once('=').unwrap_or((attr, ""));
            let inner = value
                .strip_prefix('{')
                .and_then(|key| key.strip_suffix('}'));
            let value = inner.map_or_else(|| value.to_owned(), |key| self.value(key, input));
            (name, value)
        };
        let parts = recipe(self.kind).split(';').map(|part| {
            let mut words = part.split_whitespace();
            let name = words.next().unwrap_or_default();
            let attrs: Vec<_> = words.map(attr).collect();
            match name {
                CHANNELS => Blueprint {
                    name: "feComponentTransfer",
                    attrs: Vec::new(),
                    children: ["feFuncR", "feFuncG", "feFuncB"]
                        .map(|name| Blueprint::with(name, attrs.clone()))
                        .into(),
                },
                name => Blueprint::with(name, attrs),
            }
        });
        parts.collect()
    }

    /// A value of a recipe.
    fn value(&self, key: &str, input: &str) -> String {
        let given = |value: f64| spell_given(Precision::decimals(4).round(value));
        let amount = self.number("amount");
        let matrix = |whole| {
            let row = |[r, g, b]: [f64; 3]| format!("{} {} {} 0 0", given(r), given(g), given(b));
            format!("{} 0 0 0 1 0", mixed(whole, amount).map(row).join(" "))
        };
        let [dx, dy] = self.offset();
        match key {
            "input" => input.to_owned(),
            "dx" => dx,
            "dy" => dy,
            "amount" => given(amount),
            "angle" => given(self.number("angle")),
            "grayscale" => matrix(LUMINANCE),
            "sepia" => matrix(SEPIA),
            "around-half" => given(0.5 - 0.5 * amount),
            "inverted" => format!("{} {}", given(amount), given(1.0 - amount)),
            // A grey from one channel, with uniform opacity.
            "grey" => format!("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0 0 0 0 {}", given(amount)),
            setting => self.get(setting).to_owned(),
        }
    }

    /// Its kind and settings: `gaussian-blur std-dev:5`.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut description = self.kind.to_string();
        for (key, value) in &self.values {
            description.push_str(&format!(" {key}:{}", fcp::op::quote_value(value)));
        }
        description
    }
}

/// The matrix of a full `grayscale`.
pub const LUMINANCE: [[f64; 3]; 3] = [[0.2126, 0.7152, 0.0722]; 3];
/// The matrix of a full `sepia`.
pub const SEPIA: [[f64; 3]; 3] = [
    [0.393, 0.769, 0.189],
    [0.349, 0.686, 0.168],
    [0.272, 0.534, 0.131],
];

/// Mixes a matrix with the identity, by `amount`.
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
