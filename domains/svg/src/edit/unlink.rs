//! References to elements about to be removed.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use fcp::format::xml::{self, Element};
use fcp::prelude::*;
use fcp::work;

use super::sheet_links;
use super::without::{item_without, value_without};
use crate::css;
use crate::model::at_source::{Follower, apply};
use crate::model::reference::{ENDS, Reference, in_attribute, in_sheet, url_ids};
use crate::model::{Drawing, NodeId, SHEET};
use crate::style::Redeclared;
use crate::syntax::declarations::{Declaration, Declarations};

/// The elements that animate another one by their link, or else their parent.
const ANIMATIONS: [&str; 6] = [
    "animate",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "discard",
    "set",
];

/// The bytes of a style sheet that are read and written in the time of a step.
const BYTES_A_STEP: usize = 2;

/// An attribute, a style sheet or an instruction that refers to elements.
pub struct Use {
    /// The element that has the attribute, or the instruction.
    pub user: NodeId,
    /// The attribute, as it is written.
    pub attribute: String,
    /// The first of the ids it refers to.
    first: String,
    /// All of them.
    targets: HashSet<String>,
}

impl Use {
    /// Describes the target's role for its user: `sunset fills sun`.
    #[must_use]
    pub fn describe(&self, drawing: &Drawing) -> String {
        let target = &self.first;
        if self.attribute == sheet_links::NAME {
            return format!("<?{}?> refers to {target}", sheet_links::NAME);
        }
        let user = drawing.nodes.name(self.user);
        let property = match self.attribute.as_str() {
            "style" => {
                let value = drawing.nodes.attr(self.user, "style").unwrap_or_default();
                let all = Declarations::of_attribute(&value);
                let found = self.aiming(&all).next();
                found.map_or(String::new(), |(_, one)| all.name(one).to_owned())
            }
            name => name.to_owned(),
        };
        let verb = match property.as_str() {
            "fill" => "fills",
            "stroke" => "strokes",
            "clip-path" => "clips",
            "mask" => "masks",
            "filter" => "filters",
            name if name.starts_with("marker") => "marks",
            _ => return format!("{target} is used by {user}"),
        };
        format!("{target} {verb} {user}")
    }

    /// The element it refers to, among some and their content.
    #[must_use]
    pub fn target_in(&self, drawing: &Drawing, going: &[NodeId]) -> Option<NodeId> {
        let tree = drawing.nodes.tree();
        let mut inside = going
            .iter()
            .flat_map(|id| std::iter::once(*id).chain(tree.descendants(*id)));
        inside.find(|id| {
            drawing
                .nodes
                .referred_id(*id)
                .is_some_and(|id| id == self.first)
        })
    }

    fn is_target(&self, id: &str) -> bool {
        self.targets.contains(id)
    }

    /// The declarations whose values refer to the targets, with their indices.
    fn aiming<'d>(
        &self,
        all: &'d Declarations<'_>,
    ) -> impl Iterator<Item = (usize, &'d Declaration)> {
        let all_of_them = all.all().iter().enumerate();
        all_of_them.filter(|(_, one)| {
            let mut aims = url_ids(all.value(one)).into_iter();
            aims.any(|aim| self.is_target(&aim))
        })
    }
}

/// The references to some elements and their content, from elsewhere.
///
/// # Errors
/// If the markup of an entity refers to one of them.
pub fn uses_from_outside(drawing: &Drawing, going: &[NodeId]) -> Result<Vec<Use>> {
    let tree = drawing.nodes.tree();
    let inside = going
        .iter()
        .flat_map(|id| std::iter::once(*id).chain(tree.descendants(*id)));
    let own = inside.filter_map(|id| drawing.nodes.referred_id(id));
    let own = own.map(std::borrow::Cow::into_owned);
    let all: HashSet<NodeId> = going.iter().copied().collect();
    let own: Vec<String> = own.collect();
    drawing.is_free_of_entities(&own, going)?;
    let mut uses = uses_of(drawing, &own);
    uses.retain(|one| {
        let mut around = std::iter::once(one.user).chain(tree.ancestors(one.user));
        !around.any(|id| all.contains(&id))
    });
    Ok(uses)
}

/// The references to some ids, in document order. Selectors are not among them: without an element
/// to match they have no effect. Links go with their ends.
#[must_use]
pub fn uses_of(drawing: &Drawing, ids: &[String]) -> Vec<Use> {
    let nodes = &drawing.nodes;
    let wanted: HashSet<&str> = ids.iter().map(String::as_str).collect();
    let (mut uses, mut sheets) = (Vec::new(), HashSet::new());
    let mut add = |user, attribute: &str, targets: Vec<String>| {
        if let Some(first) = targets.first() {
            uses.push(Use {
                user,
                attribute: attribute.to_owned(),
                first: first.clone(),
                targets: targets.into_iter().collect(),
            });
        }
    };
    for id in drawing.mentioning(ids) {
        if let Some(element) = nodes.element(id) {
            for (name, value) in element.values().filter(|(name, _)| !ENDS.contains(name)) {
                let found = existing(drawing, in_attribute(element, name, &value));
                let found = found.into_iter().map(|one| one.id);
                let targets = found.filter(|id| wanted.contains(id.as_str()));
                add(id, name, targets.collect());
            }
        } else if let Some(sheet) = nodes.sheet_of(id).filter(|id| sheets.insert(*id)) {
            let found = nodes.sheet_references(sheet).into_iter();
            let found = found.filter(|(one, _)| one.refers).map(|(one, _)| one.id);
            let targets = found.filter(|id| wanted.contains(id.as_str()));
            add(sheet, SHEET, targets.collect());
        }
    }
    for (id, targets) in sheet_links::users(drawing, &wanted) {
        add(id, sheet_links::NAME, targets);
    }
    uses
}

/// References, but of those that may be several ids only the one that an element has.
fn existing(drawing: &Drawing, mut found: Vec<Reference>) -> Vec<Reference> {
    let index = drawing.nodes.tree().index();
    found.reverse();
    let mut starts = HashSet::new();
    found.retain(|one| index.has_id(&one.id) && starts.insert(one.span.start));
    found.reverse();
    found
}

/// Removes references, and the attribute or declaration if nothing else is in it. An animation of a
/// target by its link goes as a whole: without the link it would animate its parent. Returns lines
/// for the reply.
///
/// # Errors
/// If an element does not exist, or a value comes from an entity.
pub fn remove(drawing: &mut Drawing, uses: &[Use]) -> Result<Vec<String>> {
    let (gone, further) = animations(drawing, uses)?;
    let (mut notes, mut styles) = (Vec::new(), Vec::new());
    let all = uses.iter().chain(&further);
    for one in all.filter(|one| !gone.contains(&one.user)) {
        if one.attribute == sheet_links::NAME {
            drawing.nodes.take_out(one.user)?;
            notes.push(format!("- <?{}?>", sheet_links::NAME));
            continue;
        }
        let name = drawing.nodes.name(one.user);
        let changes = match one.attribute.as_str() {
            SHEET => undeclare(drawing, one)?,
            "style" => {
                let (edits, told) = unstyled(drawing, one);
                styles.push((one.user, edits));
                told
            }
            _ => vec![unset(drawing, one)?],
        };
        notes.extend(changes.iter().map(|change| format!("* {name}: {change}")));
    }
    drawing.redeclare(&styles)?;
    notes.extend(gone.iter().map(|id| format!("- {}", drawing.titled(*id))));
    for id in gone {
        // It may have gone with another one around it.
        if drawing.nodes.tree().contains(id) {
            drawing.nodes.take_out(id)?;
        }
    }
    Ok(notes)
}

/// The animations that go with their targets, and the references to these animations.
fn animations(drawing: &Drawing, uses: &[Use]) -> Result<(Vec<NodeId>, Vec<Use>)> {
    let animates = |one: &&Use| {
        let user = drawing.nodes.element(one.user).map(Element::local_name);
        let is_animation = user.is_some_and(|name| ANIMATIONS.contains(&name));
        is_animation && matches!(&*one.attribute, "href" | "xlink:href")
    };
    let mut gone: Vec<NodeId> = Vec::new();
    let (mut known, mut further) = (HashSet::new(), Vec::new());
    let mut found: Vec<NodeId> = uses.iter().filter(animates).map(|one| one.user).collect();
    while !found.is_empty() {
        found.retain(|id| known.insert(*id));
        gone.extend(&found);
        let more = match found.is_empty() {
            true => Vec::new(),
            false => uses_from_outside(drawing, &found)?,
        };
        found = more.iter().filter(animates).map(|one| one.user).collect();
        further.extend(more);
    }
    Ok((gone, further))
}

/// Describes the change of a value: `fill removed`, `mask url(#a),url(#b) -> url(#b)`.
fn change(drawing: &Drawing, name: &str, old: &str, new: Option<&str>) -> String {
    match new {
        Some(new) => {
            let shown = |value| drawing.nodes.shown_value(value);
            format!("{name} {} -> {}", shown(old), shown(new))
        }
        None => format!("{name} removed"),
    }
}

/// Removes the references of an attribute other than `style`.
fn unset(drawing: &mut Drawing, one: &Use) -> Result<String> {
    let name = one.attribute.as_str();
    let element = xml::element(drawing.nodes.tree(), one.user)?;
    let old = element.attr(name).unwrap_or_default().into_owned();
    let is_target = |item: &str| {
        let found = existing(drawing, in_attribute(element, name, item));
        found.iter().any(|found| one.is_target(&found.id))
    };
    let new = match name {
        "values" => {
            // An animation has as many values as times.
            let without = |item: &str| {
                let kept = || value_without(item, &|id| one.is_target(id));
                if is_target(item) {
                    kept().or_else(|| item.contains('(').then(|| "none".to_owned()))
                } else {
                    Some(item.to_owned())
                }
            };
            let all: Vec<String> = old.split(';').filter_map(without).collect();
            let left = all.iter().any(|item| item.trim() != "none");
            left.then(|| all.join(";"))
        }
        "begin" | "end" => {
            let left = item_without(&old, |c| c == ';', &is_target);
            // Without any begin, an animation begins at once.
            left.or_else(|| (name == "begin").then(|| "indefinite".to_owned()))
        }
        _ if name.starts_with("aria-") => item_without(&old, char::is_whitespace, &is_target),
        _ if name.starts_with("inkscape:") => item_without(&old, |c| c == ';', &is_target),
        _ => value_without(&old, &|id| one.is_target(id)),
    };
    let new = new.map(|new| new.trim().to_owned());
    let told = change(drawing, name, &old, new.as_deref());
    xml::modify_element(drawing.nodes.tree_mut(), one.user, |element| match new {
        Some(new) => element.set_attr(name, &new),
        None => Ok(element.remove_attr(name)),
    })?;
    Ok(told)
}

/// The new value of a declaration, `!important` included, without its references to targets.
fn declared_without(all: &Declarations<'_>, one: &Declaration, of: &Use) -> Option<String> {
    let new = value_without(all.value(one), &|id| of.is_target(id))?;
    let rest = all.text().get(one.value.end..one.span.end);
    Some(format!("{new}{}", rest.unwrap_or_default()))
}

/// The edits that remove the references of a `style` attribute, and lines on them.
fn unstyled(drawing: &Drawing, of: &Use) -> (Vec<Redeclared>, Vec<String>) {
    let value = drawing.nodes.attr(of.user, "style").unwrap_or_default();
    let all = Declarations::of_attribute(&value);
    let (mut edits, mut told) = (Vec::new(), Vec::new());
    for (nth, one) in of.aiming(&all) {
        let new = declared_without(&all, one, of);
        told.push(change(
            drawing,
            all.name(one),
            all.value(one),
            new.as_deref(),
        ));
        edits.push((nth, new));
    }
    (edits, told)
}

/// Removes the references of a style sheet.
fn undeclare(drawing: &mut Drawing, of: &Use) -> Result<Vec<String>> {
    let texts: Vec<NodeId> = drawing.nodes.sheet_texts(of.user).collect();
    let mut told = Vec::new();
    // References in a declaration within another one are left for the next round.
    loop {
        let mut edited = Vec::new();
        for id in &texts {
            let edits = undeclared(drawing, *id, of, &mut told)?;
            if !edits.is_empty() {
                edited.push(Follower::of_sheet(*id, edits));
            }
        }
        if edited.is_empty() {
            return Ok(told);
        }
        apply(drawing, &edited, &|_| None)?;
    }
}

/// The edits of a text of a style sheet that remove references.
fn undeclared(
    drawing: &Drawing,
    id: NodeId,
    of: &Use,
    told: &mut Vec<String>,
) -> Result<Vec<(Range<usize>, String)>> {
    let text = drawing.nodes.tree().get(id).and_then(xml::Node::text);
    let text = text.unwrap_or_default();
    work::spend(text.len() / BYTES_A_STEP)?;
    let found = in_sheet(&text).into_iter();
    let found: Vec<Reference> = found
        .filter(|one| one.refers && of.is_target(&one.id))
        .collect();
    let starts: Vec<usize> = found.iter().map(|one| one.span.start).collect();
    let mut by_block: BTreeMap<(usize, usize), Vec<&Reference>> = BTreeMap::new();
    for (one, block) in found.iter().zip(css::blocks_around(&text, &starts)) {
        let block = block.unwrap_or_default();
        let own = by_block.entry((block.start, block.end)).or_default();
        own.push(one);
    }
    let mut changes = Vec::new();
    for ((start, end), found) in by_block {
        work::spend((end - start) / BYTES_A_STEP)?;
        let all = Declarations::within(&text, start..end);
        let mut edits: Vec<Redeclared> = Vec::new();
        for one in found {
            let at = one.span.start;
            let nth = all.all().partition_point(|own| own.span.end <= at);
            let own = all.all().get(nth).filter(|own| own.span.contains(&at));
            let Some(own) = own else {
                bail!("the style sheet {} refers to {}", drawing.nodes.name(of.user), one.id; try: "? css")
            };
            if edits.last().is_some_and(|(last, _)| *last == nth) {
                continue;
            }
            let new = declared_without(&all, own, of);
            let (name, old) = (all.name(own), all.value(own));
            told.push(change(drawing, name, old, new.as_deref()));
            edits.push((nth, new));
        }
        changes.extend(all.changes(&edits));
    }
    changes.sort_by_key(|(part, _)| part.start);
    let mut done = 0;
    changes.retain(|(part, _)| {
        let is_apart = done <= part.start;
        done = done.max(part.end);
        is_apart
    });
    Ok(changes)
}
