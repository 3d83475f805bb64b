//! The macro, with what an author may say in it.

/// Makes a function a structured tool: JSON in, JSON out, each by a schema that its types give.
///
/// The function's name is the tool's. Its first parameter is the [`Toolset`](super::Toolset) it works on; the others
/// are the fields of its arguments; it answers with a type of the domain's own. The doc comment is the tool's description:
/// its first line a sentence, its text, and at least one example, which runs as a test.
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
/// /// Where a book is.
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
/// /// Where to look.
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
///     /// As it stands on the spine.
///     title: String,
///     /// Where places are counted from.
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
/// | `name = "find.book"` | the name, where it has a dot or a hyphen that the function's cannot have |
/// | `alias = "lookup"` | another name, answered and not listed; as often as needed |
/// | `read_only` | it changes nothing |
/// | `destructive` | it may take away what was there |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `open_world` | it deals with what lies outside: other machines, other people |
///
/// The last four are hints for clients, which are told `false` where one is not said.
///
/// # Parameters
///
/// | form | |
/// |---|---|
/// | `shelf: &Shelf` | first: runs beside other calls, on a thread of its own |
/// | `shelf: &mut Shelf` | first: alone; calls before it end before, calls behind it wait |
/// | `cancel: &Cancel` | whether the call was taken back; see [`Cancel`](super::Cancel) |
/// | `title: String` | a field that must be given, of any type that derives `Deserialize` and `JsonSchema` |
/// | `title: Option<String>` | one that may be left out |
/// | `#[fcp(default = 1)] count: u32` | one that may be left out; clients see the default |
/// | `#[fcp(key = "maxItems")] most: u32` | one of another name |
/// | `#[fcp(flatten)] page: Page` | a struct whose fields are fields of the arguments |
///
/// The doc comment of a parameter is all that an agent sees of it, so each has one. Arguments are held against the schema
/// before the function is called: a field that is not there is refused with the nearest that is, and what is wrong is
/// mended as far as it can be.
///
/// # Answers
///
/// The reply is a struct, or an enum whose variants are objects: `#[serde(tag = "…")]` makes one of constants, and the
/// schema says `oneOf`. A verdict, such as that a file is not valid, is a reply. What fails is an error: a
/// [`Diagnostic`](crate::diag::Diagnostic), by `bail!`, or a type of the domain's own that implements
/// [`ToolError`](super::ToolError). Both stand in the schema, and every reply is held against it in tests.
///
/// # Examples in doc comments
///
/// A block that starts with `` ```json `` has calls, and behind `> ` what is answered, behind `! ` the error. It starts with
/// a toolset that was opened afresh. A name before the arguments calls another tool; `"…"` is any value. The macro
/// emits a test `find_book_examples`.
pub use fcp_macros::fcp_tool;
