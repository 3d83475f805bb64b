//! Words for kinds of elements.

use std::fmt;

use fcp::model::Sort;
use fcp::value::{FcpValue, ValueError, ValueSpec, fold, nearest_word};

use crate::model::kind::{self, BOX, DOCTYPE, ENTITY, LAYER, LINK, Role, SORTS};

/// The word for drawn elements and their containers, of any kind.
const ANY: &str = "object";

/// A word for a kind of elements: `circle`, `group`, or an element's own name, such as `tspan`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindName {
    text: Box<str>,
    sort: Option<&'static str>,
    role: Role,
}

impl KindName {
    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The kind's name in replies; `None` for an element that has only its own name.
    #[must_use]
    pub const fn sort(&self) -> Option<&'static str> {
        self.sort
    }

    /// Whether it is the word for objects of every kind.
    #[must_use]
    pub fn is_any(&self) -> bool {
        &*self.text == ANY
    }

    /// The role of such elements.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }
}

impl fmt::Display for KindName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FcpValue for KindName {
    const SPEC: ValueSpec = ValueSpec {
        free: true,
        ..ValueSpec::new("KIND", "circle, group, gradient …, or an element's name")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        let word = fold(text);
        let called = |sort: &&Sort| {
            let names = [sort.name, sort.plural].into_iter();
            let mut names = names.chain(sort.aliases.iter().copied());
            names.any(|name| fold(name) == word)
        };
        if let Some(sort) = SORTS.iter().find(called) {
            let kind = kind::KINDS.iter().find(|kind| kind.name == sort.name);
            let declared = matches!(sort.name, DOCTYPE | ENTITY);
            let own = if declared {
                Role::Part
            } else {
                Role::Container
            };
            let role = kind.map_or(own, |kind| kind.role);
            return Ok(Self {
                text: text.into(),
                sort: Some(sort.name),
                role,
            });
        }
        if matches!(&*word, "object" | "objects") {
            return Ok(Self {
                text: ANY.into(),
                sort: None,
                role: Role::Graphic,
            });
        }
        if let Some(kind) = kind::KINDS.iter().find(|kind| kind.element == text) {
            return Ok(Self {
                text: text.into(),
                sort: None,
                role: kind.role,
            });
        }
        let names = SORTS.iter().map(|sort| sort.name);
        let names = names.chain(kind::KINDS.iter().map(|kind| kind.element));
        let near = nearest_word(text, names);
        let shown: String = text.chars().take(60).collect();
        let kinds = [LAYER, BOX, LINK].join(", ");
        let message =
            format!("no type \"{shown}\" (rect, circle, path, text, group, {kinds}, gradient …)");
        Err(ValueError::sentence(message).maybe_fix(near))
    }
}
