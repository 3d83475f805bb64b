//! The limits of a text, and the settings that change them.

/// The limits of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The deepest nesting of elements.
    pub depth: usize,
    /// The number of nodes: elements, texts, comments and so on.
    pub nodes: usize,
    /// The number of attributes of an element.
    pub attributes: usize,
    /// The deepest nesting of entities within entities.
    pub entity_depth: usize,
    /// The number of bytes that all references to entities may expand to.
    pub entity_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 512,
            nodes: 4_000_000,
            attributes: 4_096,
            entity_depth: 8,
            entity_bytes: 1 << 20,
        }
    }
}

/// The keys of the settings.
pub(super) const DEPTH: &str = "depth-limit";
pub(super) const NODES: &str = "node-limit";
pub(super) const ATTRIBUTES: &str = "attribute-limit";

/// The largest values of the settings. The renderer goes no deeper than this.
pub(super) const MOST_DEPTH: usize = 1_024;
pub(super) const MOST_NODES: usize = 100_000_000;
pub(super) const MOST_ATTRIBUTES: usize = 1_000_000;

impl Limits {
    /// The settings that change the limits, for
    /// [`Domain::SETTINGS`](crate::domain::Domain::SETTINGS): a key and its purpose.
    pub const SETTINGS: [(&'static str, &'static str); 3] = [
        (DEPTH, "the most levels of nested elements (512)"),
        (NODES, "the most elements, texts and comments (4000000)"),
        (ATTRIBUTES, "the most attributes of an element (4096)"),
    ];

    /// The largest value of a setting; `None` if it is not in [`Self::SETTINGS`].
    #[must_use]
    pub fn most(key: &str) -> Option<usize> {
        match key {
            DEPTH => Some(MOST_DEPTH),
            NODES => Some(MOST_NODES),
            ATTRIBUTES => Some(MOST_ATTRIBUTES),
            _ => None,
        }
    }

    /// Applies a setting, or restores its default.
    pub fn adjust(&mut self, key: &str, value: Option<&str>) {
        let usual = Self::default();
        let parsed = |usual: usize| value.and_then(|value| value.parse().ok()).unwrap_or(usual);
        match key {
            DEPTH => self.depth = parsed(usual.depth),
            NODES => self.nodes = parsed(usual.nodes),
            ATTRIBUTES => self.attributes = parsed(usual.attributes),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_change_limits_and_restore_defaults() {
        let mut limits = Limits::default();
        for (key, _) in Limits::SETTINGS {
            assert!(Limits::most(key) > Some(7), "{key}");
            limits.adjust(key, Some("7"));
        }
        assert_eq!((limits.depth, limits.nodes, limits.attributes), (7, 7, 7));
        for (key, _) in Limits::SETTINGS {
            limits.adjust(key, None);
        }
        assert_eq!(limits, Limits::default());
        assert_eq!(Limits::most("precision"), None);
    }
}
