//! Settings that only one domain has.

use crate::domain::{Domain, IsFolder};
use crate::value::ValueError;

/// A setting that only one domain has.
#[derive(Clone, Debug)]
pub(super) struct OwnSetting {
    pub key: &'static str,
    pub doc: &'static str,
    pub check: fn(&str, &str, IsFolder<'_>) -> Result<(), ValueError>,
    /// The value while nothing is set.
    pub usual: &'static str,
    /// The set value, if any.
    pub value: Option<String>,
}

impl OwnSetting {
    /// The settings of a domain, all unset.
    pub fn of<M: Domain>() -> Vec<Self> {
        let own = M::SETTINGS.iter().map(|(key, doc)| Self {
            key,
            doc,
            check: M::check_setting,
            usual: M::USUAL
                .iter()
                .find(|(own, _)| own == key)
                .map_or(DEFAULT, |(_, value)| value),
            value: None,
        });
        own.collect()
    }
}

/// The value that unsets any setting of a domain.
pub(super) const DEFAULT: &str = "default";
