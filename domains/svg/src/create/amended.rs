//! Carries out the changes that `modify` planned for an object.

use fcp::prelude::*;

use super::{Amendment, Wording, amend::Planned};
use crate::model::{Drawing, NodeId};

impl Amendment {
    /// Makes the planned changes. Returns their description without the position; `None` if nothing
    /// changed.
    ///
    /// # Errors
    /// If a property is in a place where it cannot be written, or XML forbids a character.
    pub fn make(
        &self,
        drawing: &mut Drawing,
        wording: &Wording,
        planned: Planned,
    ) -> Result<Option<Vec<String>>> {
        let (id, mut changes, mut any) = (planned.id, Vec::new(), false);
        let text = planned.text;
        let keeps_text = text.is_some_and(|text| wording.keeps(drawing, text));
        if let Some(change) = &planned.definition {
            changes.extend(change.make(drawing)?);
        }
        for (name, value) in planned.attributes {
            let is_new = drawing.reshape(planned.shape, name, &value)?;
            any |= is_new;
            if is_new && self.embed.is_some() && name == "href" {
                changes.push("embedded".to_owned());
            }
        }
        if let Some(of) = self.of {
            let (target, _) = drawing.referable(NodeId::new(of.id()))?;
            if drawing.reshape(id, "href", &format!("#{target}"))? {
                changes.push(format!("of {target}"));
            }
        }
        let apart = matches!(drawing.nodes.kind_name(id), "gradient" | "pattern");
        if let Some(transform) = self.transform.as_ref().filter(|_| !apart) {
            any |= drawing.reshape(id, "transform", &transform.to_string())?;
        }
        if let Some(class) = &self.class {
            changes.extend(drawing.reclass(id, class)?);
        }
        for (local, text) in [("title", &self.title), ("desc", &self.desc)] {
            if let Some(text) = text {
                changes.extend(drawing.entitle(id, local, text.as_str())?);
            }
        }
        let mut styles = planned.styles;
        if let Some(Switch(hidden)) = self.hidden {
            let hiding = drawing.hide(id, hidden, &mut changes)?;
            styles.push((id, hiding.into_iter().collect()));
        }
        for (id, values) in styles.into_iter().filter(|(_, values)| !values.is_empty()) {
            for written in drawing.write_styles(&[id], &values, None)? {
                if let Some(place) = &written.place {
                    let shown = |value: &str| drawing.nodes.shown_value(value);
                    let (before, after) = (shown(&written.before), shown(&written.after));
                    changes.push(format!(
                        "{} {before} -> {after} ({place})",
                        written.property
                    ));
                }
            }
        }
        if let Some(text) = planned.text {
            if let Some(path) = planned.path {
                any |= drawing.lead_along(text, path)?;
            }
            if let Some(offset) = &wording.start_offset {
                any |= drawing.start_at(text, offset)?;
            }
            // Line breaks depend on the text's new style.
            let is_changed = any || !changes.is_empty();
            if (is_changed || !keeps_text)
                && let Some(done) = drawing.retext(text, wording, planned.original)?
            {
                any = true;
                changes.splice(..0, done);
            }
        }
        if planned.is_centred && (any || !changes.is_empty()) {
            any |= drawing.centre_label(id)?;
        }
        Ok((any || !changes.is_empty()).then_some(changes))
    }
}
