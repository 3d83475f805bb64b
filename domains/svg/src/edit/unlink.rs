//! References to elements about to be removed.

use std::collections::HashSet;

use fcp::format::xml;
use fcp::prelude::*;
use fcp::work;

use crate::css;
use crate::model::reference::{in_sheet, url_ids};
use crate::model::{Drawing, NodeId, SHEET};
use crate::syntax::declarations::Declarations;

/// The bytes of a style sheet that are read and written in the time of a step.
const BYTES_A_STEP: usize = 2;

/// An attribute that refers to an element.
pub struct Use {
    /// The element that has the attribute.
    pub user: NodeId,
    /// The attribute, as it is written.
    pub attribute: String,
    /// The id it refers to.
    pub target: String,
}

impl Use {
    /// Describes the target's role for its user: `sunset fills sun`.
    #[must_use]
    pub fn describe(&self, drawing: &Drawing) -> String {
        let (user, target) = (drawing.nodes.name(self.user), &self.target);
        let property = match self.attribute.as_str() {
            "style" => {
                let value = drawing.nodes.attr(self.user, "style").unwrap_or_default();
                let found = aiming(&Declarations::of_attribute(&value), target);
                found.unwrap_or_default()
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
}

/// The first property whose value refers to an id.
fn aiming(declarations: &Declarations<'_>, target: &str) -> Option<String> {
    let aims = |declaration: &&crate::syntax::declarations::Declaration| {
        let value = declarations.value(declaration);
        url_ids(value).iter().any(|aim| aim == target)
    };
    let found = declarations.all().iter().find(aims)?;
    Some(declarations.name(found).to_owned())
}

/// The references to some elements and their content, from elsewhere.
#[must_use]
pub fn uses_from_outside(drawing: &Drawing, going: &[NodeId]) -> Vec<Use> {
    let tree = drawing.nodes.tree();
    let inside = going
        .iter()
        .flat_map(|id| std::iter::once(*id).chain(tree.descendants(*id)));
    let own = inside.filter_map(|id| drawing.nodes.own_id(id).map(std::borrow::Cow::into_owned));
    let ids: Vec<String> = own.collect();
    let users = drawing.users(&ids);
    let all: HashSet<NodeId> = going.iter().copied().collect();
    let ids: HashSet<String> = ids.into_iter().collect();
    let mut uses = Vec::new();
    for (user, attribute) in users {
        let mut around = std::iter::once(user).chain(tree.ancestors(user));
        if around.any(|id| all.contains(&id)) {
            continue;
        }
        let targets = if attribute == SHEET {
            drawing.nodes.targets(user)
        } else {
            let element = drawing.nodes.element(user);
            let aims = element.and_then(|element| {
                let value = element.attr(&attribute)?;
                Some(crate::model::aims(element, &attribute, &value))
            });
            aims.unwrap_or_default()
        };
        if let Some(target) = targets.into_iter().find(|target| ids.contains(target)) {
            uses.push(Use {
                user,
                attribute,
                target,
            });
        }
    }
    uses
}

/// Removes references: a whole attribute, or a declaration of `style`. Returns lines for the reply.
///
/// # Errors
/// If an element does not exist.
pub fn remove(drawing: &mut Drawing, uses: &[Use]) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for one in uses {
        let name = drawing.nodes.name(one.user);
        if one.attribute == SHEET {
            for gone in undeclare(drawing, one.user, &one.target)? {
                notes.push(format!("* {name}: {gone} removed"));
            }
            continue;
        }
        let mut gone = one.attribute.clone();
        let value = drawing
            .nodes
            .attr(one.user, &one.attribute)
            .unwrap_or_default()
            .into_owned();
        let left = (one.attribute == "style").then(|| {
            let declarations = Declarations::of_attribute(&value);
            let property = aiming(&declarations, &one.target)?;
            let left = declarations.unset(&property)?;
            gone = property;
            Some(left)
        });
        xml::modify_element(drawing.nodes.tree_mut(), one.user, |element| {
            match left.flatten().filter(|left| !left.trim().is_empty()) {
                Some(left) => element.set_attr("style", &left),
                None => Ok(element.remove_attr(&one.attribute)),
            }
        })?;
        notes.push(format!("* {name}: {gone} removed"));
    }
    Ok(notes)
}

/// Removes the declarations of a style sheet that refer to an id. Returns their properties.
fn undeclare(drawing: &mut Drawing, sheet: NodeId, target: &str) -> Result<Vec<String>> {
    let texts: Vec<NodeId> = drawing.nodes.tree().children(sheet).collect();
    let mut gone = Vec::new();
    for id in texts {
        loop {
            let text = drawing.nodes.tree().get(id).and_then(xml::Node::text);
            let Some(text) = text.map(std::borrow::Cow::into_owned) else {
                break;
            };
            // Each change keeps the whole text.
            work::spend(text.len() / BYTES_A_STEP)?;
            let mut found = in_sheet(&text).into_iter();
            let found = found.find(|one| one.refers && one.id == target);
            let Some(found) = found else { break };
            let block = css::block_around(&text, found.span.start).unwrap_or(0..0);
            let all = Declarations::within(&text, block);
            let own = all
                .all()
                .iter()
                .find(|one| one.span.contains(&found.span.start));
            let property = own.map(|own| all.name(own).to_owned());
            let left = property.as_ref().and_then(|property| all.unset(property));
            let (Some(property), Some(left)) = (property, left) else {
                bail!("the style sheet {} refers to {target}", drawing.nodes.name(sheet); try: "? css")
            };
            let mut done = Ok(false);
            drawing
                .nodes
                .tree_mut()
                .modify(id, |node| done = node.set_text(&left));
            done?;
            gone.push(property);
        }
    }
    Ok(gone)
}
