//! The macro `fcp_tool`, with its options.

/// Makes a function a structured tool: JSON in, JSON out, with schemas derived from its types.
///
/// The function's name is the tool's. Its first parameter is the [`Toolset`](super::Toolset) it
/// works on; the others are the fields of its arguments; it returns a type of the domain's own. The
/// doc comment is the tool's description: a sentence on its first line, further text, and at least
/// one example, which runs as a test.
///
/// ```
/// # use fcp::prelude::*;
/// # use fcp::endpoint::Config;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// # /// Books.
/// # pub struct Shelf(Vec<String>);
/// # impl Toolset for Shelf {
/// #     const DOMAIN: &'static str = "shelf";
/// #     const TITLE: &'static str = "Shelves";
/// #     const INSTRUCTIONS: &'static str = "Find books.";
/// #     fn open(_: &Config) -> Result<Self> {
/// #         Ok(Self(vec!["Emma".to_owned()]))
/// #     }
/// # }
/// /// The place of a book.
/// #[derive(Serialize, JsonSchema)]
/// #[serde(tag = "status", rename_all = "snake_case")]
/// pub enum Place {
///     /// It is here.
///     Here {
///         /// Counted from the left.
///         place: usize,
///     },
///     /// Somebody has it, or nobody ever had.
///     Gone,
/// }
///
/// /// The place to search.
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(rename_all = "snake_case")]
/// pub enum Side {
///     /// From the left.
///     Left,
///     /// From the right.
///     Right,
/// }
///
/// /// Find a book by its title.
/// ///
/// /// ```json
/// /// {"title": "Emma"}
/// /// > {"status": "here", "place": 1}
/// /// {"title": "Ulysses", "side": "right"}
/// /// > {"status": "gone"}
/// /// {"title": "Emma", "side": "rigt"}
/// /// ! {"error": {
/// /// !   "message": "\"side\" is \"rigt\", not one of \"left\", \"right\", nearest is \"right\"",
/// /// !   "try": {"title": "Emma", "side": "right"}
/// /// ! }}
/// /// ```
/// #[fcp_tool(read_only, idempotent)]
/// pub fn find_book(
///     shelf: &Shelf,
///     /// As printed on the spine.
///     title: String,
///     /// The origin of places.
///     #[fcp(default = Side::Left)]
///     side: Side,
/// ) -> Result<Place> {
///     let place = shelf.0.iter().position(|own| *own == title);
///     Ok(match (place, side) {
///         (None, _) => Place::Gone,
///         (Some(at), Side::Left) => Place::Here { place: at + 1 },
///         (Some(at), Side::Right) => Place::Here { place: shelf.0.len() - at },
///     })
/// }
/// # fn main() {
/// # fcp::testing::tool_examples::<Shelf>("find_book");
/// # }
/// ```
///
/// # Options
///
/// | option | |
/// |---|---|
/// | `name = "find.book"` | the name, if it has a dot or a hyphen, which a function's name cannot have |
/// | `alias = "lookup"` | another name, accepted but not listed; may be repeated |
/// | `read_only` | it changes nothing |
/// | `destructive` | it may remove existing things |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `open_world` | it deals with the outside: other machines, other people |
///
/// The last four are hints for clients; each is `false` unless given.
///
/// # Parameters
///
/// | form | |
/// |---|---|
/// | `shelf: &Shelf` | first: runs in parallel with other calls, on its own thread |
/// | `shelf: &mut Shelf` | first: runs alone; earlier calls end before it, later ones wait |
/// | `cancel: &Cancel` | whether the call was cancelled; see [`Cancel`](super::Cancel) |
/// | `title: String` | a required field, of any type that derives `Deserialize` and `JsonSchema` |
/// | `title: Option<String>` | an optional field |
/// | `#[fcp(default = 1)] count: u32` | an optional field; clients see the default |
/// | `#[fcp(key = "maxItems")] most: u32` | a field with another name |
/// | `#[fcp(flatten)] page: Page` | a struct whose fields are fields of the arguments |
///
/// The doc comment of a parameter is all that an agent sees of it, so each has one. Arguments are
/// checked against the schema before the function is called: an unknown field is rejected with the
/// nearest known one, and faults are repaired as far as possible.
///
/// # Answers
///
/// The reply is a struct, or an enum whose variants are objects: `#[serde(tag = "…")]` adds a
/// constant to each, and the schema has `oneOf`. A verdict, such as that a file is invalid, is a
/// reply. A failure is an error: a [`Diagnostic`](crate::diag::Diagnostic), by `bail!`, or a type
/// of the domain's own that implements [`ToolError`](super::ToolError). Both are in the schema, and
/// tests check every reply against it.
///
/// # Examples in doc comments
///
/// A block that starts with `` ```json `` contains calls, with the reply after `> ` and an error
/// after `! `. It starts with a newly opened toolset. A name before the arguments calls another
/// tool; `"…"` stands for any value. The macro emits a test `find_book_examples`.
pub use fcp_macros::fcp_tool;
