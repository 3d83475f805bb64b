//! The position of a text, by the renderer's own shaper, cached for repeated queries.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use resvg::usvg::{Group, Node, Text, Tree};

use super::{Library, Rect, fonts::Found};
use crate::work;

/// The most bytes of drawings whose answers are cached.
const KEPT: usize = 16 << 20;

/// The steps of laying out a short text.
const STEPS_A_TEXT: usize = 200;

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
        // The call fails at its next check, and the answer is of no use.
        work::spend(steps(svg)).ok()?;
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

/// The steps of laying out a text. The renderer compares the runs of a chunk, which is what follows
/// one position, with each other, and so it does with the characters.
fn steps(svg: &str) -> usize {
    let chunk = |runs: usize, letters: usize| 6 * runs * runs + steps_in_row(letters);
    let (mut steps, mut runs, mut letters) = (STEPS_A_TEXT + svg.len() / 2, 0, 0);
    for piece in svg.split('<').filter(|piece| !piece.starts_with('/')) {
        let (tag, text) = piece.split_once('>').unwrap_or((piece, ""));
        if tag.contains(" x=\"") || tag.contains(" y=\"") {
            steps += chunk(runs, letters);
            (runs, letters) = (0, 0);
        }
        runs += 1;
        letters += text.chars().count();
    }
    steps + chunk(runs, letters)
}

/// The steps of laying out a text of one chunk and one run.
pub(super) fn steps_of(text: &str) -> usize {
    STEPS_A_TEXT + steps_in_row(text.chars().count())
}

/// The steps of comparing the characters of a chunk.
const fn steps_in_row(letters: usize) -> usize {
    letters * letters / 64
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
