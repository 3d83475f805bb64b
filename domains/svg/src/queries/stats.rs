//! `stats`

use std::collections::BTreeMap;

use fcp::format::xml::Element;
use fcp::prelude::*;
use fcp::work;

use crate::model::Drawing;
use crate::model::kind::{FOREIGN, SORTS};
use crate::path::Path;

/// The bytes of the file, or of a path, that are passed in the time of a step.
const BYTES_A_STEP: usize = 8;

/// Count: elements by type, depth, bytes, segments of paths, characters of texts, references.
///
/// ```fcp
/// # raw '<g id="logo"><path id="p" d="M0 0h5v5z"/><path d="M1 1L9 9"/><text id="t">Hello</text></g>'
/// ? stats
/// > elements: 5
/// >   1 group
/// >   2 paths
/// >   1 svg
/// >   1 text
/// > depth: 3
/// > bytes: 188
/// > segments: 6
/// > characters: 5
/// > refs:0
/// > 800x600
/// ```
#[fcp_query]
pub fn stats(drawing: &Drawing) -> Result<Vec<String>> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut depth, mut segments, mut characters) = (0, 0, 0);
    for id in nodes.elements() {
        work::spend(1)?;
        let kind = nodes.kind_name(id);
        let name = match nodes.element(id).map(Element::name) {
            Some(name) if kind == FOREIGN => name,
            _ => kind,
        };
        *kinds.entry(name).or_default() += 1;
        depth = depth.max(tree.depth(id) + 1);
        match kind {
            "path" => {
                let d = nodes.attr(id, "d").unwrap_or_default();
                work::spend(d.len() / BYTES_A_STEP)?;
                segments += Path::parse(d).segments().len();
            }
            "text" => characters += nodes.text_of(id).chars().count(),
            _ => {}
        }
    }
    let mut lines = vec![format!("elements: {}", tree.index().elements())];
    lines.extend(kinds.into_iter().map(|(kind, n)| {
        let sort = SORTS.iter().find(|sort| sort.name == kind && n != 1);
        let plural = sort.map_or(kind, |sort| sort.plural);
        format!("  {n} {plural}")
    }));
    lines.push(format!("depth: {depth}"));
    let bytes = drawing.file("svg")?.len();
    work::spend(bytes / BYTES_A_STEP)?;
    lines.push(format!("bytes: {bytes}"));
    lines.push(format!("segments: {segments}"));
    lines.push(format!("characters: {characters}"));
    lines.extend(drawing.measures());
    Ok(lines)
}
