//! The requested effect of a filter.

use std::fmt;

use fcp::prelude::*;

use super::EffectKind;

/// The requested effect of a filter, with the words of [`EffectKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterType(pub EffectKind);

impl fmt::Display for FilterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for FilterType {
    const SPEC: ValueSpec = EffectKind::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        EffectKind::parse(text).map(Self).map_err(|error| {
            let cut: String = text.chars().take(60).collect();
            let near = error.fix.and_then(|near| EffectKind::parse(&near).ok());
            let near = near.unwrap_or(EffectKind::GaussianBlur).to_string();
            ValueError::sentence(format!("filter type \"{cut}\"")).fix(near)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_found_by_its_word_or_the_nearest() {
        assert_eq!(
            FilterType::parse("shadow").map(|found| found.0),
            Ok(EffectKind::DropShadow)
        );
        for (text, near) in [
            ("gausian", "gaussian-blur"),
            ("sepai", "sepia"),
            ("xyzzy", "gaussian-blur"),
        ] {
            let error = FilterType::parse(text).unwrap_err();
            assert_eq!(error.about(text), format!("filter type \"{text}\""));
            assert_eq!(error.fix.as_deref(), Some(near));
        }
    }
}
