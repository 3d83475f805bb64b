//! `css`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::style::{RuleLine, folded};

/// List the CSS rules: where each is, what it matches, what is kept but not applied, and what pictures leave out.
///
/// ```fcp
/// # raw '<rect id="card" class="hot"/>'
/// # define class id:hot fill:red
/// ? css card
/// > line 2: .hot { fill: red } matches card
/// ```
#[fcp_query]
pub fn css(
    drawing: &Drawing,
    /// Only the rules that match these.
    rows: Option<Rows>,
) -> Result<Vec<String>> {
    let styles = drawing.styles();
    styles.whole()?;
    let ids: Option<Vec<NodeId>> =
        rows.map(|rows| rows.iter().map(|row| NodeId::new(row.id())).collect());
    let wanted = |rule: &RuleLine| {
        let ids = ids.as_ref();
        ids.is_none_or(|ids| rule.matches.iter().any(|id| ids.contains(id)))
    };
    let mut lines: Vec<String> = styles
        .rules()
        .iter()
        .filter(|rule| wanted(rule))
        .map(|rule| {
            let names = folded(rule.matches.iter().map(|id| drawing.nodes.name(*id)));
            let names = if names.is_empty() {
                "nothing".to_owned()
            } else {
                names
            };
            format!("line {}: {} matches {names}", rule.line, rule.text)
        })
        .collect();
    if ids.is_none() {
        let kept = styles.kept();
        lines.extend(
            kept.iter()
                .map(|kept| format!("line {}: {} is not applied", kept.line, kept.text)),
        );
        lines.extend(styles.undrawn().iter().map(|left| {
            format!(
                "line {}: {} is applied, but not by the renderer: pictures differ",
                left.line, left.text
            )
        }));
    }
    if lines.is_empty() {
        lines.push("no rules".to_owned());
    }
    Ok(lines)
}
