//! CSS grammar: tokens, the selectors and values in a style sheet, and the ids in them.
//! The cascade is in `style`.

mod escape;
mod fragment;
mod id_reader;
mod mention;
mod part_of_id;
mod pseudo;
pub mod selector;
mod selector_facts;
mod token;

use escape::{identifier, unescaped};

pub use fragment::{decoded, fragment};
pub use id_reader::{blocks_around, in_declarations, in_sheet, in_value};
pub use mention::{ByValue, Form, Mention};
pub use part_of_id::PartOfId;
pub use pseudo::as_classes;
pub(crate) use selector_facts::{Hangs, Reach};
pub use token::is_closed;
