//! CSS by its grammar: tokens, what of a style sheet is a selector or a value, and the ids that each refers to.

mod escape;
mod mention;
pub mod selector;
mod token;

use escape::{identifier, unescaped};

pub use mention::{
    Form, Mention, block_around, decoded, fragment, in_declarations, in_sheet, in_value,
};
pub use token::is_closed;
