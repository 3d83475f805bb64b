//! SVG drawings, edited through FCP.
//!
//! An edit changes the text at the smallest grain that says it, a segment, a point, a transform, a declaration, and
//! leaves every other byte.

mod actions;
mod converting;
mod copying;
pub mod declarations;
mod draw;
mod facts;
pub mod format;
mod fragment;
pub mod geometry;
pub mod href;
pub mod id;
mod known;
pub mod lines;
pub mod model;
mod moving;
pub mod number;
pub mod paint;
pub mod path;
mod picture;
pub mod points;
pub mod property;
mod queries;
mod renaming;
mod scripts;
mod segments;
mod selectors;
pub mod shapes;
pub mod style;
pub mod transform;
mod ungrouping;
mod unlink;
pub mod values;
mod verbs;

use fcp::endpoint::{Config, Endpoint};
use fcp::model::Row;
use fcp::prelude::*;
use fcp::session::Session;

pub use model::{Drawing, NodeId};

impl Domain for Drawing {
    const NOUN: &'static str = "document";
    const FORMATS: &'static [Format] = format::FORMATS;
    const FILE_LIMIT: u64 = 128 * 1024 * 1024;
    const WORKFLOW: &'static str = r#"
! new "Night Jazz" size:600x800
raw '<rect id="sky" width="600" height="800" fill="navy"/>'
raw '<circle id="sun" cx="300" cy="300" r="150" fill="gold"/>'
move sun by:0,40
rotate sky by:5 about:300,400
group sky,sun as:scene
? bbox scene
! checkpoint draft
rename sun moon
! undo to:draft
! save as:poster.svg
"#;

    fn read(bytes: &[u8], _: &str) -> Result<Self> {
        format::read(bytes)
    }

    fn write(&self, format: &str) -> Result<Vec<u8>> {
        format::write(self, format)
    }

    fn counts(&self) -> Vec<String> {
        self.tally()
    }

    fn metrics(&self) -> Vec<String> {
        self.measures()
    }

    fn headline(&self) -> String {
        self.size_word()
    }

    fn told(&self, row: Row) -> Option<String> {
        Some(self.outlined(NodeId::new(row.id())))
    }

    fn title(&self) -> Option<String> {
        self.heading()
    }
}

/// A session on a drawing, for a transport or a test.
///
/// # Errors
/// The root is no folder that can be read.
pub fn endpoint(config: &Config) -> Result<Box<dyn Endpoint>> {
    Ok(Box::new(Session::<Drawing>::new(config)?))
}
