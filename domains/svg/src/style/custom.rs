//! `var()`: the values of custom properties in place of their names (CSS Custom Properties, level 1).

use std::borrow::Cow;
use std::ops::Range;

use fcp::work;

use super::shorthand::Keyword;
use super::{BYTES_A_STEP, Specified, Styles, style_of};
use crate::model::NodeId;
use crate::syntax::declarations::Declarations;

/// The most custom properties whose values name each other.
const DEPTH: usize = 16;

/// The most bytes of a value after the replacement.
const BYTES: usize = 16 * 1024;

/// The steps of replacing one `var()`, besides those of finding its value.
const STEPS: usize = 4;

impl<'d> Styles<'d> {
    /// The value of a property set on an element itself, with the values of custom properties in it.
    pub(super) fn resolved(&self, id: NodeId, property: &str) -> Option<Specified<'_>> {
        self.replaced(id, self.specified(id, property)?)
    }

    /// The value that an element specifies, with the values of custom properties in it. `None` if one of them has
    /// neither a value nor a fallback: then the property counts as not set.
    pub(super) fn replaced<'s>(
        &'s self,
        id: NodeId,
        mut own: Specified<'s>,
    ) -> Option<Specified<'s>> {
        if start_of_var(&own.value).is_some() {
            let mut out = String::new();
            self.replace(id, &own.value, DEPTH, &mut out)?;
            own.value = Cow::Owned(out.trim().to_owned());
        }
        Some(own)
    }

    /// Appends a value with its `var()` replaced.
    fn replace(&self, id: NodeId, value: &str, depth: usize, out: &mut String) -> Option<()> {
        let mut rest = value;
        while let Some(at) = start_of_var(rest) {
            work::spend(STEPS).ok()?;
            out.push_str(rest.get(..at)?);
            let inside = rest.get(at + VAR.len()..)?;
            let end = closing(inside)?;
            let (inside, behind) = (inside.get(..end)?, inside.get(end + 1..)?);
            let (name, fallback) = match inside.split_once(',') {
                Some((name, fallback)) => (name, Some(fallback)),
                None => (inside, None),
            };
            let depth = depth.checked_sub(1)?;
            let before = out.len();
            let known = self
                .custom(id, name.trim())
                .and_then(|(owner, value)| self.replace(owner, &value, depth, out));
            if known.is_none() {
                out.truncate(before);
                self.replace(id, fallback?.trim(), depth, out)?;
            }
            rest = behind;
        }
        out.push_str(rest);
        (out.len() <= BYTES).then_some(())
    }

    /// The value of a custom property, which is inherited, and the element that specifies it.
    fn custom(&self, id: NodeId, name: &str) -> Option<(NodeId, String)> {
        if !name.starts_with("--") {
            return None;
        }
        for at in self.outward(id) {
            work::spend(STEPS).ok()?;
            let Some(own) = self.own_custom(at, name) else {
                continue;
            };
            match Keyword::of(&own, true) {
                None => return Some((at, own)),
                Some(Keyword::Inherit) => {}
                Some(Keyword::Initial) => return None,
            }
        }
        None
    }

    /// The value of a custom property that is set on an element itself. The renderer's reader of declarations, which
    /// [`Self::specified`] follows, ends at a custom property.
    fn own_custom(&self, id: NodeId, name: &str) -> Option<String> {
        let last = |text: &str, within: Range<usize>| {
            work::spend(within.len() / BYTES_A_STEP).ok()?;
            let declared = Declarations::within(text, within);
            let mut all = declared.all().iter().rev();
            let own = all.find(|one| declared.name(one) == name)?;
            Some(declared.value(own).to_owned())
        };
        let style = self.nodes.element(id).and_then(style_of);
        if let Some(own) = style.and_then(|style| last(&style, 0..style.len())) {
            return Some(own);
        }
        let matched = self.matching(id);
        let mut branches = matched.branches.iter().rev();
        branches.find_map(|at| {
            let (_, rule) = self.branch(*at)?;
            last(&self.sheets.get(rule.sheet)?.text, rule.block.clone())
        })
    }
}

/// The first property after a custom one, and that one. The renderer's reader of declarations ends at a custom property.
pub(crate) fn after_custom<'n>(
    mut names: impl Iterator<Item = &'n str>,
) -> Option<(&'n str, &'n str)> {
    let custom = names.find(|name| name.starts_with("--"))?;
    Some((custom, names.find(|name| !name.starts_with("--"))?))
}

const VAR: &str = "var(";

/// The start of the first `var(`.
fn start_of_var(value: &str) -> Option<usize> {
    value.find(VAR)
}

/// The bracket that closes one before the text.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, sign) in text.bytes().enumerate() {
        match sign {
            b'(' => open += 1,
            b')' if open == 0 => return Some(at),
            b')' => open -= 1,
            _ => {}
        }
    }
    None
}
