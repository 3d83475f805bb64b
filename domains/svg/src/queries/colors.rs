//! `colors`

use std::collections::HashMap;

use fcp::prelude::*;

use crate::model::Drawing;
use crate::style::Styles;

/// List the colours: how often each fills, strokes or is in a gradient, the most used first.
///
/// ```fcp
/// # raw '<rect id="card" fill="#f00" stroke="red"/><rect fill="gold"/>'
/// ? colors
/// > #f00 1 fill, 1 stroke
/// > gold 1 fill
/// ```
#[fcp_query]
pub fn colors(drawing: &Drawing) -> Result<Vec<String>> {
    let styles = drawing.styles();
    styles.whole()?;
    let mut places: HashMap<[u8; 4], usize> = HashMap::new();
    let mut all: Vec<(String, Vec<(&str, usize)>)> = Vec::new();
    for (property, word) in [
        ("fill", "fill"),
        ("stroke", "stroke"),
        ("stop-color", "stop"),
        ("flood-color", "flood"),
    ] {
        for id in drawing.nodes.elements() {
            let counts = match word {
                "stop" => is_called(&styles, id, &["stop"]),
                "flood" => is_called(&styles, id, &["feFlood", "feDropShadow"]),
                _ => styles.is_graphic(id),
            };
            if !counts {
                continue;
            }
            let Some(color) = styles.color(id, property) else {
                continue;
            };
            let spelled = || styles.computed(id, property).value.into_owned();
            let at = *places.entry(color).or_insert(all.len());
            if at == all.len() {
                all.push((spelled(), Vec::new()));
            }
            let Some((_, uses)) = all.get_mut(at) else {
                continue;
            };
            match uses.iter_mut().find(|(own, _)| *own == word) {
                Some((_, n)) => *n += 1,
                None => uses.push((word, 1)),
            }
        }
    }
    all.sort_by_key(|(_, uses)| std::cmp::Reverse(uses.iter().map(|(_, n)| n).sum::<usize>()));
    let lines = all.into_iter().map(|(spelled, uses)| {
        let uses: Vec<String> = uses.iter().map(|(word, n)| format!("{n} {word}")).collect();
        format!("{spelled} {}", uses.join(", "))
    });
    let mut lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        lines.push("no colours".to_owned());
    }
    Ok(lines)
}

fn is_called(styles: &Styles<'_>, id: crate::model::NodeId, names: &[&str]) -> bool {
    styles
        .nodes()
        .element(id)
        .is_some_and(|element| names.contains(&element.local_name()))
}
