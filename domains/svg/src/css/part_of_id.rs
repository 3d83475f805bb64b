//! Tests of selectors for a part of an id.

use super::fragment::fragment;
use super::selector::Compare;

/// A test of a selector for a part of an id, or for an id in any case: `[id^=a]`, `[href$="a"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOfId {
    /// The comparison.
    pub compare: Compare,
    /// The text to compare with.
    pub value: String,
    /// Whether case is ignored.
    pub folded: bool,
    /// Whether it tests a link to the id.
    pub links: bool,
}

impl PartOfId {
    /// Whether an element passes the test with one of two ids and not with the other. An element
    /// without an id does not pass.
    #[must_use]
    pub fn tells_apart(&self, one: Option<&str>, other: Option<&str>) -> bool {
        let passes = |id: Option<&str>, escaped: bool| {
            id.is_some_and(|id| {
                let text = match (self.links, escaped) {
                    (true, true) => format!("#{}", fragment(id)),
                    (true, false) => format!("#{id}"),
                    (false, _) => id.to_owned(),
                };
                match self.folded {
                    true => {
                        let value = self.value.to_ascii_lowercase();
                        self.compare.holds(&text.to_ascii_lowercase(), &value)
                    }
                    false => self.compare.holds(&text, &self.value),
                }
            })
        };
        // A link may spell the id in either way.
        [false, true]
            .into_iter()
            .any(|escaped| passes(one, escaped) != passes(other, escaped))
    }
}
