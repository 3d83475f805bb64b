//! Styles: the computed values of elements, and their origins.
//! The grammar of CSS is in `css`, that of properties in `property`.
//!
//! In ascending order of priority: inherited, presentation attribute, rules of `<style>` by
//! specificity and then order, `style=`, and any `!important` declaration. Selectors are read and
//! matched as those of ops, which are more than the renderer's. Of two `!important` declarations
//! the lower in this order wins, as in the renderer.

mod ancestors;
mod cascade;
mod custom;
mod edited_sheets;
mod entity_elements;
mod font_size;
mod font_weight;
mod handed_down;
mod list;
pub(crate) mod matching;
mod op_properties;
mod overridden;
mod pick;
mod picked;
mod refused;
mod rematched;
mod reply;
mod rule_edit;
mod rule_only;
mod rules;
mod sheet;
mod sheet_facts;
mod sheet_rule;
mod shorthand;
mod shown;
mod snapshot;
mod splice;
mod without_effect;
mod write;

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use fcp::format::xml::Element;
use fcp::prelude::*;
use fcp::work;
use rustc_hash::FxHashMap;

use crate::environment::limits::Bounds;
use crate::model::{Drawing, NodeId, Nodes};
use crate::property;
use crate::syntax::effective::{effective, spend_reading};

pub use ancestors::Ancestry;
pub(crate) use cascade::{Cascade, ComputedStyle};
pub(crate) use custom::after_custom;
pub use list::RuleLine;
use matching::{Effective, Keyed, Matched};
pub use op_properties::{given, no_size, no_step, value};
pub(crate) use overridden::overridden;
pub(crate) use pick::{painted, tallied};
pub(crate) use picked::no_selector;
pub(crate) use refused::{attribute_like, refused};
pub(crate) use rematched::rematched;
pub(crate) use reply::folded;
pub use rule_edit::RuleWritten;
pub(crate) use rule_edit::line_start;
pub(crate) use rule_only::decided;
use rules::{Branch, Rule, Rules};
use sheet::Sheet;
pub(crate) use sheet_rule::{SheetEdit, SheetRule, written_rules};
use shorthand::{Keyword, canonical, is_style_only, is_valid, names, value_for};
pub use snapshot::StyleSnapshot;
pub(crate) use without_effect::applies;
pub(crate) use write::Redeclared;
pub use write::{Place, Via, Written};

/// The styles of a drawing, read once per op or query.
pub struct Styles<'d> {
    nodes: &'d Nodes,
    sheets: Vec<Sheet<'d>>,
    rules: Rules,
    keyed: Keyed,
    /// Elements known to be displayed or not.
    displayed: Ancestry,
    /// Elements known to be fully transparent, alone or by an ancestor, or not.
    opaque: Ancestry,
    /// The ancestor that specifies an inherited property, `None` if none does, for ancestors that
    /// many elements share.
    inherited: RefCell<FxHashMap<(NodeId, &'static str), Option<NodeId>>>,
    /// The font sizes of elements, once known.
    sizes: RefCell<FxHashMap<NodeId, f64>>,
}

/// The number of ancestors to ask for an inherited property before remembering the answer. Few
/// elements are deeper.
const SHALLOW: usize = 8;

/// The steps of a computed value.
const STEPS_A_VALUE: usize = 2;

/// The bytes of declarations and selectors that are read or copied in the time of a step.
const BYTES_A_STEP: usize = 64;

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The presentation attribute.
    Attribute,
    /// `style=`.
    Style,
    /// A rule, by the selector that matches.
    Rule(String),
    /// An ancestor.
    Inherited(NodeId),
    /// None: it is the initial value.
    Initial,
}

impl Origin {
    /// Its name in replies: `attr`, `style`, `rule .hot`, `from logo`, `default`.
    #[must_use]
    pub fn label(&self, nodes: &Nodes) -> String {
        match self {
            Self::Attribute => "attr".to_owned(),
            Self::Style => "style".to_owned(),
            Self::Rule(selector) => format!("rule {selector}"),
            Self::Inherited(from) => format!("from {}", nodes.name(*from)),
            Self::Initial => "default".to_owned(),
        }
    }
}

/// The value of a property that is set on an element itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specified<'s> {
    /// The value as it is spelled, including `inherit`.
    pub value: Cow<'s, str>,
    /// Whether it is `!important`.
    pub important: bool,
    /// Its origin: [`Origin::Attribute`], [`Origin::Style`] or [`Origin::Rule`].
    pub origin: Origin,
}

/// The computed value of a property of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed<'s> {
    /// The value as it is spelled at its origin, with the values of custom properties in place of `var()`.
    pub value: Cow<'s, str>,
    /// Its origin.
    pub origin: Origin,
}

impl Drawing {
    /// Reads the styles.
    #[must_use]
    pub fn styles(&self) -> Styles<'_> {
        Styles::of(&self.nodes, self.host.bounds.rules)
    }

    /// Counts the steps that the renderer takes to read all styles.
    pub(crate) fn spend_rendering_styles(&self) -> Result<()> {
        for id in self.nodes.tree().index().styles().map(NodeId::new) {
            let sheet = Sheet::of(&self.nodes, id);
            let drawn = sheet
                .as_ref()
                .and_then(|sheet| sheet.text.get(..sheet.drawn));
            spend_reading(drawn.unwrap_or_default())?;
        }
        for id in self.nodes.elements() {
            let style = self.nodes.element(id).and_then(style_of);
            spend_reading(&style.unwrap_or_default())?;
        }
        Ok(())
    }
}

impl<'d> Styles<'d> {
    fn of(nodes: &'d Nodes, most: usize) -> Self {
        let tree = nodes.tree();
        let mut elements: Vec<NodeId> = tree.index().styles().map(NodeId::new).collect();
        elements.sort_unstable_by(|a, b| tree.order(*a, *b));
        let sheets: Vec<Sheet<'d>> = elements
            .iter()
            .filter_map(|id| Sheet::of(nodes, *id))
            .collect();
        let rules = Rules::read(&sheets, most);
        let keyed = Keyed::of(&rules.branches);
        Self {
            nodes,
            sheets,
            rules,
            keyed,
            displayed: Ancestry::default(),
            opaque: Ancestry::default(),
            inherited: RefCell::default(),
            sizes: RefCell::default(),
        }
    }

    /// The drawing's nodes.
    #[must_use]
    pub const fn nodes(&self) -> &'d Nodes {
        self.nodes
    }

    /// Checks that all rules were read.
    ///
    /// # Errors
    /// If there are more than the limit, so that no value is certain.
    pub fn whole(&self) -> Result<()> {
        if self.rules.too_many {
            return Err(Bounds::too_many_rules(self.rules.most));
        }
        Ok(())
    }

    /// Whether computed values depend only on an element, its ancestors and the style sheets.
    pub(crate) const fn are_kept(&self) -> bool {
        !self.rules.by_siblings
    }

    /// Whether any rule may set a property.
    pub(crate) fn rule(&self, property: &str) -> bool {
        self.rules.number(property).is_some()
    }

    /// The selectors that an element matches.
    fn matching(&self, id: NodeId) -> Rc<Matched> {
        self.keyed.matching(&self.rules.branches, self.nodes, id)
    }

    /// The rules that an element matches, in order.
    fn rules_of(&self, id: NodeId) -> Vec<usize> {
        let matched = self.matching(id);
        if work::spend(matched.branches.len() / 2).is_err() {
            return Vec::new();
        }
        let branches = matched.branches.iter();
        let rules = branches.filter_map(|at| Some(self.rules.branches.get(*at)?.rule));
        let mut rules: Vec<usize> = rules.collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    fn branch(&self, at: usize) -> Option<(&Branch, &Rule)> {
        let branch = self.rules.branches.get(at)?;
        Some((branch, self.rules.rules.get(branch.rule)?))
    }

    /// The declarations in effect of the rules that an element matches, by the number of their
    /// property.
    fn effective<'m>(&self, matched: &'m Matched) -> &'m FxHashMap<usize, Effective> {
        matched.declared.get_or_init(|| {
            let mut all: FxHashMap<usize, Effective> = FxHashMap::default();
            for at in &matched.branches {
                let Some((_, rule)) = self.branch(*at) else {
                    continue;
                };
                // The call fails at its next check.
                if work::spend(1 + 2 * rule.declared.len()).is_err() {
                    break;
                }
                for (nth, one) in rule.declared.iter().enumerate() {
                    let name = &*canonical(self.text_of(rule.sheet, &one.name));
                    let value = self.text_of(rule.sheet, &one.value);
                    for long in names(name) {
                        let Some(number) = self.rules.number(long) else {
                            continue;
                        };
                        let free = all.get(&number).is_none_or(|won| !won.important);
                        if free && value_for(name, value, long).is_some() {
                            let (branch, important) = (*at, one.important);
                            let won = Effective {
                                branch,
                                nth,
                                important,
                            };
                            all.insert(number, won);
                        }
                    }
                }
            }
            all
        })
    }

    /// The value that a declaration of a rule gives a property.
    fn declared(&self, by: Effective, property: &str) -> Option<Specified<'_>> {
        let (branch, rule) = self.branch(by.branch)?;
        let one = rule.declared.get(by.nth)?;
        let name = canonical(self.text_of(rule.sheet, &one.name));
        let value = value_for(&name, self.text_of(rule.sheet, &one.value), property)?;
        let selector = self.text_of(rule.sheet, &branch.span);
        // The call fails at its next check.
        let _ = work::spend(selector.len() / BYTES_A_STEP);
        Some(Specified {
            value: value.into(),
            important: by.important,
            origin: Origin::Rule(selector.to_owned()),
        })
    }

    fn text_of(&self, sheet: usize, range: &std::ops::Range<usize>) -> &str {
        let sheet = self.sheets.get(sheet);
        sheet
            .and_then(|sheet| sheet.text.get(range.clone()))
            .unwrap_or_default()
    }

    /// The value of a property set on an element itself, by its long name.
    #[must_use]
    pub fn specified(&self, id: NodeId, property: &str) -> Option<Specified<'_>> {
        let element = self.nodes.element(id)?;
        let mut won: Option<Specified<'_>> = None;
        if !is_style_only(property) {
            let own = element.attr(property);
            let own = own.filter(|value| is_valid(property, value));
            won = own.map(|value| Specified {
                value,
                important: false,
                origin: Origin::Attribute,
            });
        }
        if let Some(number) = self.rules.number(property) {
            let matched = self.matching(id);
            let by = self.effective(&matched).get(&number);
            won = by.and_then(|by| self.declared(*by, property)).or(won);
        }
        if let Some(style) = style_of(element) {
            for one in effective(&style) {
                let free = won.as_ref().is_none_or(|won| !won.important);
                let name = canonical(one.name);
                if let Some(value) = value_for(&name, one.value, property).filter(|_| free) {
                    won = Some(Specified {
                        value: value.to_owned().into(),
                        important: one.important,
                        origin: Origin::Style,
                    });
                }
            }
        }
        won
    }

    /// All values set on an element itself, by the long names of their properties, read once.
    pub(crate) fn all_specified(&self, id: NodeId) -> FxHashMap<String, Specified<'_>> {
        let mut all: FxHashMap<String, Specified<'_>> = FxHashMap::default();
        let Some(element) = self.nodes.element(id) else {
            return all;
        };
        for (name, value) in element.values() {
            if property::named(name).is_some() && !is_style_only(name) && is_valid(name, &value) {
                all.entry(name.to_owned()).or_insert(Specified {
                    value,
                    important: false,
                    origin: Origin::Attribute,
                });
            }
        }
        let matched = self.matching(id);
        let effective_of_rules = self.effective(&matched);
        if work::spend(effective_of_rules.len()).is_err() {
            return all;
        }
        for (number, by) in effective_of_rules {
            let name = self.rules.property(*number);
            all.extend(self.declared(*by, name).map(|own| (name.to_owned(), own)));
        }
        if let Some(style) = style_of(element) {
            for one in effective(&style) {
                take(&mut all, &canonical(one.name), one.value, |value| {
                    Specified {
                        value: value.to_owned().into(),
                        important: one.important,
                        origin: Origin::Style,
                    }
                });
            }
        }
        all
    }

    /// The computed value of an element, by the property's long name. For unknown properties, only
    /// an element's own value counts, and the default is empty.
    #[must_use]
    pub fn computed(&self, id: NodeId, property: &str) -> Computed<'_> {
        // The call fails at its next check.
        let _ = work::spend(STEPS_A_VALUE);
        let known = property::named(property);
        let inherited = known.is_some_and(|known| known.inherited);
        let remembered = known.filter(|_| inherited).map(|known| known.name);
        let mut shared = None;
        let mut found = None;
        for (way, at) in self.outward(id).enumerate() {
            if way == SHALLOW
                && let Some(name) = remembered
            {
                if let Some(known) = self.inherited.borrow().get(&(at, name)) {
                    found = known.and_then(|at| Some((at, self.resolved(at, property)?)));
                    shared = None;
                    break;
                }
                shared = Some((at, name));
            }
            let own = self.resolved(at, property);
            let keyword = own.as_ref().map(|own| Keyword::of(&own.value, inherited));
            match keyword {
                None if inherited => {}
                Some(Some(Keyword::Inherit)) => {}
                None | Some(Some(Keyword::Initial)) => break,
                Some(None) => {
                    found = own.map(|own| (at, own));
                    break;
                }
            }
        }
        if let Some(shared) = shared {
            let from = found.as_ref().map(|(at, _)| *at);
            self.inherited.borrow_mut().insert(shared, from);
        }
        match found {
            Some((at, Specified { value, origin, .. })) if at == id => Computed { value, origin },
            Some((at, Specified { value, .. })) => Computed {
                value,
                origin: Origin::Inherited(at),
            },
            None => Computed {
                value: known.map_or("", |known| known.initial).into(),
                origin: Origin::Initial,
            },
        }
    }

    /// The parent element.
    fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.nodes.tree().parent(id)?;
        self.nodes.element(parent).map(|_| parent)
    }

    /// An element and its ancestors, the nearest first.
    fn outward(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |id| self.parent(*id))
    }

    /// Whether neither an element nor any ancestor has `display:none`.
    #[must_use]
    pub fn is_displayed(&self, id: NodeId) -> bool {
        let shown = |id| self.computed(id, "display").value != "none";
        self.displayed.all(self.outward(id), shown)
    }

    /// Whether no part of an element is visible: it is not displayed, not visible, or fully
    /// transparent.
    #[must_use]
    pub fn is_hidden(&self, id: NodeId) -> bool {
        let opaque = |id: NodeId| !is_clear(&self.computed(id, "opacity").value);
        self.computed(id, "visibility").value != "visible"
            || !self.is_displayed(id)
            || !self.opaque.all(self.outward(id), opaque)
    }
}

/// The `style` of an element. Counts the steps of reading it.
fn style_of(element: &Element) -> Option<Cow<'_, str>> {
    let style = element.attr("style")?;
    // The call fails at its next check.
    work::spend(style.len() / BYTES_A_STEP).ok()?;
    Some(style)
}

/// Whether an opacity is zero.
fn is_clear(opacity: &str) -> bool {
    let number = opacity.trim().trim_end_matches('%').parse::<f64>();
    number.is_ok_and(|number| number <= 0.0)
}

/// Sets the properties of a declaration, except those that an `!important` one set.
fn take<'s, 'v>(
    all: &mut FxHashMap<String, Specified<'s>>,
    name: &str,
    value: &'v str,
    own: impl Fn(&'v str) -> Specified<'s>,
) {
    for long in names(name) {
        let free = all.get(long).is_none_or(|won| !won.important);
        if let Some(value) = value_for(name, value, long).filter(|_| free) {
            all.insert(long.to_owned(), own(value));
        }
    }
}

/// Whether a property affects the fill or stroke of an outline.
#[must_use]
pub fn is_paint(name: &str) -> bool {
    name.starts_with("fill") || name.starts_with("stroke")
}
