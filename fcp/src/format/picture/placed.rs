//! The position of a text, by the renderer's own shaper, cached for repeated queries.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use resvg::usvg::{Group, Node, Text, Tree};

use super::{Library, Rect, fonts::Found};

/// The most bytes of drawings whose answers are cached.
const KEPT: usize = 16 << 20;

/// The position of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The extent of its characters, by the ascent and descent of their fonts, in the text's own
    /// coordinates.
    pub bounds: Rect,
    /// [`Self::bounds`] including the stroke.
    pub stroked: Rect,
    /// Differences from the text's style: `no font "Futura", drawn in DejaVu Sans`.
    pub notes: Vec<String>,
}

/// The cached answers, by drawing.
#[derive(Debug, Default)]
pub(super) struct Known {
    answers: HashMap<Box<str>, Option<Arc<Placed>>>,
    bytes: usize,
}

impl Library {
    /// Lays out the first text of a drawing that contains little else; `None` if it draws no text.
    /// It is laid out in this thread, in time and memory by its length: see
    /// [`LONGEST_TEXT`](super::LONGEST_TEXT).
    #[must_use]
    pub fn place(self: &Arc<Self>, svg: &str) -> Option<Arc<Placed>> {
        // Data from a thread that panicked is valid: answers are inserted in one step.
        let known = || self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known().answers.get(svg) {
            return answer.clone();
        }
        let answer = self.lay_out(svg).map(Arc::new);
        let mut known = known();
        known.bytes += svg.len();
        if known.bytes > KEPT {
            *known = Known {
                answers: HashMap::new(),
                bytes: svg.len(),
            };
        }
        known.answers.insert(svg.into(), answer.clone());
        answer
    }

    fn lay_out(self: &Arc<Self>, svg: &str) -> Option<Placed> {
        let found = Arc::new(Mutex::new(Found::default()));
        let tree = Tree::from_str(svg, &self.options(&found)).ok()?;
        let text = first(tree.root())?;
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        let rect = |of: resvg::usvg::Rect| Rect {
            x: of.x().into(),
            y: of.y().into(),
            width: of.width().into(),
            height: of.height().into(),
        };
        Some(Placed {
            bounds: rect(text.bounding_box()),
            stroked: rect(text.stroke_bounding_box()),
            notes: std::mem::take(&mut found.notes),
        })
    }
}

fn first(root: &Group) -> Option<&Text> {
    let mut pending = vec![root];
    while let Some(group) = pending.pop() {
        for node in group.children() {
            match node {
                Node::Text(text) => return Some(text),
                Node::Group(inner) => pending.push(inner),
                _ => {}
            }
        }
    }
    None
}
