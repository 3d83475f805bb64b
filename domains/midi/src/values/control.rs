//! Controllers and their values.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};
use serde::{Deserialize, Serialize};

use super::controllers::CONTROLLERS;
use super::number::{held, rounded, within};
use super::repair::same;

/// A controller, 0 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Controller(u8);

held!(Controller, 0..=127);

impl Controller {
    /// Bank select, coarse part.
    pub const BANK: Self = Self(0);
    /// The coarse part of a parameter's data.
    pub const DATA: Self = Self(6);
    /// Channel volume.
    pub const VOLUME: Self = Self(7);
    /// Balance between left and right.
    pub const BALANCE: Self = Self(8);
    /// Stereo position.
    pub const PAN: Self = Self(10);
    /// Expression.
    pub const EXPRESSION: Self = Self(11);
    /// Bank select, fine part.
    pub const BANK_LSB: Self = Self(32);
    /// The fine part of a parameter's data.
    pub const DATA_LSB: Self = Self(38);
    /// The sustain pedal.
    pub const SUSTAIN: Self = Self(64);
    /// Selects a registered parameter, fine part.
    pub const RPN_LSB: Self = Self(100);
    /// Selects a registered parameter, coarse part.
    pub const RPN_MSB: Self = Self(101);

    /// The value of a controller at the start in General MIDI, for controllers that every receiver has.
    #[must_use]
    pub const fn default_of(number: u8) -> Option<u8> {
        match number {
            1 | 64..=67 => Some(0),
            7 => Some(100),
            10 => Some(64),
            11 => Some(127),
            _ => None,
        }
    }

    /// The name of the controller with a number, or else the number.
    #[must_use]
    pub fn text_of(number: u8) -> String {
        let own = Self::new(number);
        own.map_or_else(|| number.to_string(), |own| own.to_string())
    }

    /// The shown name, for controllers that have one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        let at = CONTROLLERS.binary_search_by_key(&self.0, |(number, _)| *number);
        CONTROLLERS.get(at.ok()?).map(|(_, names)| names[0])
    }

    /// The controller with a name, ignoring case and hyphens.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let named = |names: &[&str]| names.iter().any(|known| same(known, name));
        let (number, _) = CONTROLLERS.iter().find(|(_, names)| named(names))?;
        Some(Self(*number))
    }
}

impl fmt::Display for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => self.0.fmt(f),
        }
    }
}

impl FcpValue for Controller {
    const SPEC: ValueSpec = ValueSpec::new("CC", "volume, pan, sustain, expression …, or 0-127");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some(number) = within(text, 0, 127) {
            // The number is a name: another one is another controller.
            return number
                .map(Self)
                .map_err(|error| error.maybe_fix(None::<String>));
        }
        if let Some(controller) = Self::of_name(text) {
            return Ok(controller);
        }
        let lower = text.to_ascii_lowercase();
        let bare = lower
            .strip_prefix("cc")
            .map(|rest| rest.trim_start_matches([':', '-', ' ']));
        let number = bare.filter(|rest| matches!(within(rest, 0, 127), Some(Ok(_))));
        let names = CONTROLLERS
            .iter()
            .flat_map(|(_, names)| names.iter().copied());
        Err(ValueError::new("is not a controller")
            .maybe_fix(number.or_else(|| nearest_word(text, names))))
    }
}

/// The value of a controller: a number from 0 to 127, or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlValue {
    number: u8,
    word: Option<&'static str>,
}

/// Controllers with a left and a right side.
const SIDED: [Controller; 2] = [Controller::BALANCE, Controller::PAN];

impl ControlValue {
    /// The value nearest to a number.
    #[must_use]
    pub fn clamped(value: i64) -> Self {
        Self {
            number: u8::try_from(value.clamp(0, 127)).unwrap_or(127),
            word: None,
        }
    }

    /// The number, for any controller.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.number
    }

    /// The value for a controller, or for a pressure if there is none.
    ///
    /// # Errors
    /// The word is a side, and the controller has no sides.
    pub fn of(self, controller: Option<Controller>) -> Result<u8, ValueError> {
        let is_side = SIDES.iter().any(|(side, _)| self.word == Some(side));
        if is_side && !controller.is_some_and(|controller| SIDED.contains(&controller)) {
            let error = ValueError::new("is only for pan and balance");
            return Err(error.fix(self.number.to_string()));
        }
        Ok(self.number)
    }
}

/// Words for values.
const WORDS: [(&str, u8); 2] = [("on", 127), ("off", 0)];

/// Words for values of controllers with sides.
const SIDES: [(&str, u8); 3] = [("left", 0), ("center", 64), ("right", 127)];

impl fmt::Display for ControlValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word {
            Some(word) => f.write_str(word),
            None => self.number.fmt(f),
        }
    }
}

impl FcpValue for ControlValue {
    const SPEC: ValueSpec = ValueSpec::new("VALUE", "0-127, on, off; for pan left, center, right");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some(number) = within(text, 0, 127) {
            return number.map(|number| Self { number, word: None });
        }
        let mut words = WORDS.iter().chain(&SIDES);
        if let Some((word, number)) = words.find(|(word, _)| same(word, text)) {
            return Ok(Self {
                number: *number,
                word: Some(word),
            });
        }
        // A factor such as 1.5 does not mean the value 2.
        let near = rounded(text).filter(|near| near.len() > 1);
        let near = near.map(|near| match within(&near, 0, 127) {
            Some(Err(error)) => error.fix.unwrap_or(near),
            _ => near,
        });
        let words = || WORDS.iter().chain(&SIDES).map(|(word, _)| *word);
        let word = || nearest_word(text, words()).map(Into::into);
        Err(ValueError::new("is not a value, 0-127, on or off").maybe_fix(near.or_else(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_controller_name_is_its_number() {
        assert!(CONTROLLERS.is_sorted_by_key(|(number, _)| *number));
        for (number, names) in CONTROLLERS {
            for name in names {
                let controller = Controller::parse(name).unwrap();
                assert_eq!(controller.get(), number, "{name}");
                assert_eq!(controller.to_string(), names[0]);
            }
        }
        for number in 0..128 {
            let controller = Controller::new(number).unwrap();
            assert_eq!(Controller::parse(&number.to_string()), Ok(controller));
            assert_eq!(Controller::parse(&controller.to_string()), Ok(controller));
        }
        assert_eq!(Controller::parse("Volume_LSB").unwrap().get(), 39);
    }

    #[test]
    fn the_named_constants_are_named_right() {
        let names = [
            (Controller::BANK, "bank"),
            (Controller::DATA, "data-entry"),
            (Controller::VOLUME, "volume"),
            (Controller::BALANCE, "balance"),
            (Controller::PAN, "pan"),
            (Controller::EXPRESSION, "expression"),
            (Controller::BANK_LSB, "bank-lsb"),
            (Controller::DATA_LSB, "data-entry-lsb"),
            (Controller::SUSTAIN, "sustain"),
            (Controller::RPN_LSB, "rpn-lsb"),
            (Controller::RPN_MSB, "rpn-msb"),
        ];
        for (controller, name) in names {
            assert_eq!(controller.name(), Some(name));
        }
    }

    #[test]
    fn invalid_controllers_are_repaired() {
        let fix = |text: &str| Controller::parse(text).unwrap_err().fix;
        assert_eq!(fix("volum").as_deref(), Some("volume"));
        // The nearest number is another controller.
        assert_eq!(fix("128"), None);
        assert_eq!(fix("cc7").as_deref(), Some("7"));
        assert_eq!(fix("CC:74").as_deref(), Some("74"));
        assert_eq!(fix("zzz"), None);
    }

    #[test]
    fn every_word_is_its_value() {
        let of = |word: &str, controller| ControlValue::parse(word).unwrap().of(controller);
        for (word, value) in WORDS {
            assert_eq!(of(word, Some(Controller::VOLUME)), Ok(value));
        }
        for (word, value) in SIDES {
            assert_eq!(of(word, Some(Controller::PAN)), Ok(value));
            assert_eq!(of(word, Some(Controller::BALANCE)), Ok(value));
            for other in [None, Some(Controller::VOLUME)] {
                assert_eq!(of(word, other).unwrap_err().fix, Some(value.to_string()));
            }
        }
        let fix = |text: &str| ControlValue::parse(text).unwrap_err().fix;
        assert_eq!(fix("128").as_deref(), Some("127"));
        assert_eq!(fix("-1"), None);
        assert_eq!(fix("+10"), None);
        assert_eq!(fix("63.7").as_deref(), Some("64"));
        assert_eq!(fix("centre").as_deref(), Some("center"));
        assert_eq!(fix("?"), None);
    }
}
