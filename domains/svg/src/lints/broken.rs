//! `broken`

use fcp::prelude::*;

use crate::model::reference::url_ids;
use crate::model::{Drawing, NodeId, aims};
use crate::syntax::effective::effective;

/// A reference to a missing element.
#[fcp_lint(weight = 80)]
pub fn broken(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let index = nodes.tree().index();
    if index.references().1 == 0 {
        return Vec::new();
    }
    let missing = |row: &Row| {
        let id = NodeId::new(row.id());
        let element = nodes.element(id)?;
        let warning = element.values().find_map(|(name, value)| {
            let mut aims = aims(element, name, &value).into_iter();
            let lost = aims.find(|aim| !index.has_id(aim))?;
            let spelled = spelled(name, &value, &lost);
            Some(format!("{}: {spelled} has no target", nodes.name(id)))
        });
        let warning = warning.or_else(|| {
            let mut aims = nodes.is_sheet(id).then(|| nodes.targets(id))?.into_iter();
            let lost = aims.find(|aim| !index.has_id(aim))?;
            Some(format!("{}: url(#{lost}) has no target", nodes.name(id)))
        });
        warning.map(|warning| (*row, warning))
    };
    rows.iter().filter_map(missing).collect()
}

/// A broken reference as it is spelled: `fill url(#sky)`, `href #sky`.
fn spelled(name: &str, value: &str, id: &str) -> String {
    if name.ends_with("href") {
        return format!("{name} #{id}");
    }
    if name != "style" {
        let url = if value.contains("url(") {
            format!("url(#{id})")
        } else {
            id.to_owned()
        };
        return format!("{name} {url}");
    }
    let mut declared = effective(value);
    let own = declared.find(|one| url_ids(one.value).iter().any(|aim| aim == id));
    format!("{} url(#{id})", own.map_or(name, |one| one.name))
}
