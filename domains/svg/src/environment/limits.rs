//! Limits on the content of a drawing, and the settings that change them.

use fcp::domain::Reading;
use fcp::format::xml::Limits;
use fcp::prelude::*;

/// The key of the setting that limits the CSS rules in effect.
const RULES: &str = "rule-limit";
/// The maximum value of that setting.
const MOST_RULES: usize = 1_000_000;

/// Limits on the content of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Limits on depth, nodes and attributes.
    pub xml: Limits,
    /// The maximum number of CSS rules in effect. Later rules are kept but not applied.
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
    /// The one setting that other XML formats lack.
    pub const SETTING: (&'static str, &'static str) =
        (RULES, "how many CSS rules there may be (10000)");

    /// The limits from a session's settings.
    #[must_use]
    pub fn of(reading: &Reading) -> Self {
        let mut bounds = Self::default();
        let xml = Limits::SETTINGS.into_iter();
        for (key, _) in xml.chain([Self::SETTING]) {
            bounds.adjust(key, reading.setting(key));
        }
        bounds
    }

    /// Checks a value of a setting; `None` if the key is not one of these settings.
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

    /// Applies a setting's value, or restores the default.
    pub fn adjust(&mut self, key: &str, value: Option<&str>) {
        if key == RULES {
            let given = value.and_then(|value| value.parse().ok());
            self.rules = given.unwrap_or(Self::default().rules);
        }
        self.xml.adjust(key, value);
    }

    /// The error for more CSS rules than the limit, where no value is certain.
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
