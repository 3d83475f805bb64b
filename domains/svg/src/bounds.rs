//! How much a drawing may hold, and the settings that move it.

use fcp::domain::Reading;
use fcp::format::xml::Limits;
use fcp::prelude::*;

/// The key of the setting that says how many CSS rules count.
const RULES: &str = "rule-limit";
/// The most CSS rules that the setting may ask for.
const MOST_RULES: usize = 1_000_000;

/// How much a drawing may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How deep, how many, and with how many attributes.
    pub xml: Limits,
    /// How many CSS rules count. What stands behind them is kept and not applied.
    pub rules: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            xml: Limits::default(),
            rules: 10_000,
        }
    }
}

impl Bounds {
    /// The setting that no other format of XML has.
    pub const SETTING: (&'static str, &'static str) =
        (RULES, "how many CSS rules there may be (10000)");

    /// What a session says.
    #[must_use]
    pub fn of(reading: &Reading) -> Self {
        let mut bounds = Self::default();
        let xml = Limits::SETTINGS.into_iter();
        for (key, _) in xml.chain([Self::SETTING]) {
            bounds.adjust(key, reading.setting(key));
        }
        bounds
    }

    /// That a value is one for a setting; nothing if it is none of these.
    #[must_use]
    pub fn check(key: &str, value: &str) -> Option<Result<(), ValueError>> {
        let most = if key == RULES {
            MOST_RULES
        } else {
            Limits::most(key)?
        };
        let checked = Int::<1, { i64::MAX }>::parse(value);
        Some(checked.and_then(|n| match usize::try_from(n.get()) {
            Ok(n) if n <= most => Ok(()),
            _ => Err(ValueError::new(format!("is above {most}")).fix(most.to_string())),
        }))
    }

    /// Takes what a setting says, or goes back to what is so without it.
    pub fn adjust(&mut self, key: &str, value: Option<&str>) {
        if key == RULES {
            let said = value.and_then(|value| value.parse().ok());
            self.rules = said.unwrap_or(Self::default().rules);
        }
        self.xml.adjust(key, value);
    }

    /// The error that there are more CSS rules than count, so that no value is sure.
    #[must_use]
    pub fn too_many_rules(rules: usize) -> Diagnostic {
        let error = Diagnostic::new(format!(
            "the drawing has more than {rules} CSS rules (set {RULES}:N moves it)"
        ));
        let next = rules.saturating_mul(2).min(MOST_RULES);
        if next > rules {
            error.or_try(format!("! set {RULES}:{next}"))
        } else {
            error
        }
    }
}
