//! The macros and their options. They are emitted by `fcp-macros`.

/// Makes a function an op that changes the model.
///
/// The function's name is the op's: `fn add_circle` is `add circle`, of one word or two, in a file
/// `verbs/add_circle.rs`. Its first parameter is the model, to be changed; the others are the op's
/// parameters; it returns one line. The doc comment is the verb's entry in the reference card: its
/// first line a sentence, its text, and at least one example, which runs as a test.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// Draw a circle.
/// ///
/// /// It lands on top.
/// ///
/// /// ```fcp
/// /// # add group name:Back
/// /// add circle dot 5 fill:red in:Back
/// /// > + circle dot r:5 red
/// /// add circle dot 0
/// /// > ! 0 is below 1
/// /// >   try: add circle dot 1
/// /// ```
/// #[fcp_verb(category = "Shapes")]
/// pub fn add_circle(
///     drawing: &mut Drawing,
///     /// Its name in later ops.
///     #[fcp(positional)]
///     name: Name,
///     /// Radius, in steps.
///     #[fcp(positional)]
///     r: Int<1, 999>,
///     #[fcp(alias = "color", default = Paint::Black)] fill: Paint,
///     /// Group to draw into; the top level if left out.
///     #[fcp(key = "in")]
///     group: Option<Ref<Group>>,
/// ) -> Result<Reply> {
///     let reply = created!("circle {name} r:{r} {fill}");
///     drawing.shapes.insert(Shape { group: group.map(Ref::id), ..Shape::new(name, fill, r) });
///     Ok(reply)
/// }
/// # fn main() {
/// # fcp::testing::examples::<Drawing>(fcp::verb::Role::Verb, "add circle");
/// # }
/// ```
///
/// # Options
///
/// | option | |
/// |---|---|
/// | `category = "Shapes"` | the heading on the card; required |
/// | `alias = "draw circle"` | another phrase; as often as needed |
/// | `deletes` | names must match whole: a name that is only the beginning of a row's name is rejected |
/// | `infix` | the target, the first parameter, is between the two words of the phrase: `modify TARGET close` |
/// | `name = "time-sig"` | the phrase, if it has a hyphen or a dot, which the function's name cannot have |
///
/// # Parameters
///
/// A parameter's type determines its kind: a value ([`FcpValue`](crate::value::FcpValue)), an
/// existing row ([`Ref`](crate::verb::Ref)), rows of one kind
/// ([`Selection`](crate::verb::Selection)) or of any ([`Rows`](crate::verb::Rows)); or a type of
/// the domain's own that implements [`FromArg`](crate::verb::FromArg).
///
/// | form | in the op |
/// |---|---|
/// | `dur: Dur` | `dur:VALUE`, required |
/// | `dur: Option<Dur>` | `[dur:VALUE]` |
/// | `#[fcp(default = Dur::QUARTER)] dur: Dur` | `[dur:VALUE]`; the card shows the default |
/// | `tag: Vec<Text>` | `tag:VALUE`, any number of times |
/// | `#[fcp(positional)] pitch: Pitch` | a bare word; in the order of the function, optional ones last |
/// | `#[fcp(rest)] words: Vec<Text>` | all remaining bare words |
/// | `#[fcp(flag)] force: bool` | the bare word `force` |
/// | `style: Keys` | every key that no other parameter has; see [`Keys`](crate::verb::Keys) |
/// | `shapes: Selection<Shape>` | the op's `@selectors`, or a bare word that names a row; one in a verb |
///
/// | option | |
/// |---|---|
/// | `key = "in"` | the key, if it is not the parameter's name; of a bare word, its optional key |
/// | `key` | a bare word may also be given under its own name |
/// | `alias = "color"` | another key; as often as needed |
///
/// Parameters that several verbs share are a struct that derives [`FcpParams`]; each verb takes it
/// as a parameter marked `#[fcp(flatten)]`.
///
/// An underscore is a hyphen in the op, and `r#in` is `in`. The doc comment of a parameter is shown on the full card.
///
/// # Examples in doc comments
///
/// A block that starts with `` ```fcp `` is a script in the form of transcripts: ops, and the
/// answers after `> `. It starts from a new document. A line that starts with `# ` is set-up: it
/// runs, and the card hides it. The macro emits a test `add_circle_examples`.
pub use fcp_macros::fcp_verb;

/// Makes a function a question about the model.
///
/// It is like a [verb](fcp_verb), but its first parameter is `&Model`, and it returns lines: a
/// [`Listing`](crate::reply::Listing), a `Vec<String>` or a `String`. Its file is in `queries/`.
/// Every query takes `limit:` and `from:`, which page its lines, so its own parameters need other
/// names.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// List the shapes of a color.
/// ///
/// /// ```fcp
/// /// # add shape name:dot r:5 fill:red
/// /// # add shape name:halo r:40
/// /// ? painted red
/// /// > dot
/// /// ```
/// #[fcp_query]
/// pub fn painted(drawing: &Drawing, #[fcp(positional)] fill: Paint) -> Result<Vec<String>> {
///     let shapes = drawing.shapes.iter().filter(|(_, shape)| shape.fill == fill);
///     Ok(shapes.map(|(_, shape)| shape.name.to_string()).collect())
/// }
/// # fn main() {
/// # fcp::testing::examples::<Drawing>(fcp::verb::Role::Query, "painted");
/// # }
/// ```
///
/// The options are a verb's, without `deletes`; the default `category` is `Queries`.
pub use fcp_macros::fcp_query;

/// Makes a function a session action, besides ops and queries.
///
/// Its signature determines which of three kinds it is:
///
/// | form | |
/// |---|---|
/// | `fn(song: &mut Song, …) -> Result<Reply>` | changes the document, as one entry of the log |
/// | `fn(song: &Song, …) -> Result<Vec<u8>>` | makes a file of the document |
/// | `fn(…) -> Result<Song>` | makes a document |
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// Start a drawing of this title.
/// #[fcp_action]
/// pub fn sketch(#[fcp(positional)] title: Text) -> Result<Drawing> {
///     let mut drawing = Drawing::default();
///     drawing.title.set(title.to_string());
///     Ok(drawing)
/// }
/// # fn main() {}
/// ```
///
/// Options and parameters are a [verb's](fcp_verb), without `deletes`; the default `category` is
/// `Session`, and examples are optional. Its file is in `actions/`.
pub use fcp_macros::fcp_action;

/// Makes a function a selector: `fn big` is `@big`.
///
/// The first parameter is the model. The second, if there is one, is the value after the colon; if
/// it is an `Option`, the value is optional. It returns a [`Pick`](crate::verb::Pick), or a
/// `Result` of one whose error is a [`ValueError`](crate::value::ValueError).
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// Shapes that are at least so large.
/// #[fcp_selector(alias = "large")]
/// pub fn big(drawing: &Drawing, least: Option<Int<1, 999>>) -> Pick<'_> {
///     let least = least.map_or(10, Int::get);
///     Pick::test(move |row| drawing.shapes.get(row.of()).is_some_and(|shape| shape.r.get() >= least))
/// }
/// # fn main() {}
/// ```
///
/// | option | |
/// |---|---|
/// | `alias = "large"` | another name; as often as needed |
/// | `bears_type` | it also selects rows outside the tables marked `universe` |
pub use fcp_macros::fcp_selector;

/// Makes a function a warning: `fn tiny_shape` is `? tiny-shape`.
///
/// It checks each row of one kind and returns the problem, if there is one.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// A shape too small to be seen.
/// #[fcp_lint(weight = 10)]
/// pub fn tiny_shape(_: &Drawing, id: Id<Shape>, shape: &Shape) -> Option<String> {
///     (shape.r.get() < 2).then(|| format!("{id} {} is tiny", shape.name))
/// }
/// # fn main() {}
/// ```
///
/// | option | |
/// |---|---|
/// | `weight = 10` | the order of warnings, the heaviest first; 0 by default |
pub use fcp_macros::fcp_lint;

/// Makes an enum of words a value.
///
/// The words are the variants' names: `DottedHalf` is `dotted-half`. Case, hyphens and underscores
/// are ignored when an op is read. Emitted are [`FcpValue`](crate::value::FcpValue), `Display`, and
/// `ALL`, which has every value.
///
/// ```
/// use fcp::prelude::*;
///
/// /// The paint of a shape.
/// #[derive(FcpValue, Clone, Copy, Debug, PartialEq)]
/// #[fcp(name = "COLOR")]
/// pub enum Paint {
///     /// No light.
///     Black,
///     #[fcp(alias = "crimson", alias = "scarlet")]
///     Red,
///     #[fcp(word = "sky")]
///     LightBlue,
/// }
///
/// assert_eq!(Paint::parse("Scarlet"), Ok(Paint::Red));
/// assert_eq!(Paint::LightBlue.to_string(), "sky");
/// assert_eq!(Paint::ALL.len(), 3);
/// ```
///
/// | option of the enum | |
/// |---|---|
/// | `name = "COLOR"` | its placeholder in a syntax line; the enum's name in capitals by default |
///
/// | option of a variant | |
/// |---|---|
/// | `word = "sky"` | the word, if it is not the variant's name |
/// | `alias = "crimson"` | another spelling; as often as needed |
pub use fcp_macros::FcpValue;

/// Makes a struct a group of parameters of a verb, or of several that share it.
///
/// Its fields have the options of a [verb's parameters](fcp_verb#parameters). In the syntax line,
/// on the card and in errors they appear in the place of the group, as if the verb had each of them
/// itself. So a duplicate key does not compile.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// The place of a new shape.
/// #[derive(FcpParams)]
/// pub struct Placement {
///     /// Group to draw into; the top level if left out.
///     #[fcp(key = "in")]
///     pub group: Option<Ref<Group>>,
///     /// Its paint.
///     #[fcp(alias = "color", default = Paint::Black)]
///     pub fill: Paint,
/// }
///
/// /// Draw a circle.
/// ///
/// /// ```fcp
/// /// # add group name:Back
/// /// add circle dot r:5 fill:red in:Back
/// /// > + circle dot r:5 red
/// /// add circle dot r:0 fil:red
/// /// > ! r:0 is below 1; add circle has no fil:
/// /// >   try: add circle dot r:1 fill:red
/// /// ```
/// #[fcp_verb(category = "Shapes")]
/// pub fn add_circle(
///     drawing: &mut Drawing,
///     /// Its name in later ops.
///     #[fcp(positional)]
///     name: Name,
///     /// Radius, in steps.
///     r: Int<1, 999>,
///     #[fcp(flatten)] placed: Placement,
/// ) -> Result<Reply> {
///     let reply = created!("circle {name} r:{r} {}", placed.fill);
///     let group = placed.group.map(Ref::id);
///     drawing.shapes.insert(Shape { group, ..Shape::new(name, placed.fill, r) });
///     Ok(reply)
/// }
/// # fn main() {
/// # fcp::testing::examples::<Drawing>(fcp::verb::Role::Verb, "add circle");
/// # }
/// ```
///
/// A group works with every model that has what its fields need: the tables of its
/// [`Ref`](crate::verb::Ref)s. It cannot contain another group; a verb may take several.
///
/// The card describes a group once and names it in the lines of its verbs. With `#[fcp(inline)]` on the struct, each
/// of its verbs shows the parameters as its own.
pub use fcp_macros::FcpParams;

/// Makes a struct a kind of row.
///
/// ```
/// use fcp::prelude::*;
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// /// A group of shapes.
/// #[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
/// pub struct Group {
///     #[fcp(label)]
///     pub name: Name,
/// }
///
/// /// A mark on the canvas.
/// #[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
/// pub struct Shape {
///     #[fcp(label)]
///     pub name: Name,
///     /// Radius, in steps.
///     #[fcp(selector = "range", alias = "radius")]
///     pub r: Int<1, 999>,
///     #[fcp(default = 1)]
///     pub width: u8,
///     #[fcp(parent, key = "in")]
///     pub group: Option<Id<Group>>,
///     #[fcp(spelling)]
///     pub indent: Option<String>,
/// }
///
/// assert_eq!(Shape::KIND, "shape");
/// assert!(Shape::SHAPE.addable);
/// ```
///
/// | option of the struct | |
/// |---|---|
/// | `kind = "note"` | the kind, if it is not the struct's name |
/// | `plural = "entries"` | its plural, if it is not the kind with an `s` |
/// | `label = method` | a method `fn(&self) -> Option<Cow<'_, str>>` that names the row, instead of a field |
/// | `index = ByTime` | the table's sorted index besides ids and labels, a [`RowIndex`](crate::model::RowIndex) |
///
/// A field holds a value ([`FcpValue`](crate::value::FcpValue)), or the id of another row:
/// `Id<Group>`. Either may be in an `Option`, which `none` clears. Any other field must be `hidden`
/// or `spelling`.
///
/// | option of a field | |
/// |---|---|
/// | `label` | names the row: a `Name`, a `Text`, a `String`, or an `Option` of one |
/// | `parent` | the row this one belongs to: `Id<Group>`, `Option<Id<Group>>` |
/// | `position` | the row's position, a [`Position`](crate::value::Position): gives the universal verb `repeat` |
/// | `selector` | gives a selector for equal values: `@fill:red` |
/// | `selector = "range"` | gives a selector for spans and bounds too: `@r:2-5`, `@r:>=10` |
/// | `key = "in"` | the key, if it is not the field's name |
/// | `alias = "radius"` | another key; as often as needed |
/// | `default = Paint::Black` | its value if a row is added without it |
/// | `readonly` | shown, not set |
/// | `hidden` | neither shown nor set |
/// | `view` | shown and set, but not content: not hashed |
/// | `spelling` | `hidden`, and not content |
///
/// Rows can be added by the universal verbs if every field that cannot be set has a default or is
/// an `Option`.
pub use fcp_macros::FcpEntity;

/// Makes a struct a model: a document's content.
///
/// Every field is a container that remembers its changes: a [`Table`](crate::model::Table), a
/// [`Slot`](crate::model::Slot), or a type of the domain's own that implements [`Journaled`](crate::model::Journaled).
/// Emitted are `Default`, [`Model`](crate::model::Model), [`HasTable`](crate::model::HasTable) for each table, and the
/// enum of its events, `DrawingEvent`.
///
/// ```
/// # use std::borrow::Cow;
/// # use fcp::prelude::*;
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # /// A mark on the canvas.
/// # #[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
/// # pub struct Shape {
/// #     #[fcp(label)]
/// #     pub name: Name,
/// # }
/// /// A drawing.
/// #[derive(FcpModel)]
/// #[fcp(domain = "svg", title = "SVG drawings")]
/// pub struct Drawing {
///     #[fcp(count = "s", line = shape_line)]
///     pub shapes: Table<Shape>,
///     pub title: Slot<String>,
///     #[fcp(view)]
///     pub zoom: Slot<u8>,
/// }
///
/// fn shape_line(_: &Drawing, id: Id<Shape>, shape: &Shape) -> String {
///     format!("{id} {}", shape.name)
/// }
///
/// let mut drawing = Drawing::default();
/// drawing.title.set("Blue".to_owned());
/// let events = drawing.drain();
/// drawing.reverse(&events[0]);
/// assert_eq!(drawing.title.get(), "");
/// ```
///
/// | option of the struct | |
/// |---|---|
/// | `domain = "svg"` | the short identifier; required |
/// | `title = "SVG drawings"` | the name of its files, for people; required |
///
/// | option of a field | |
/// |---|---|
/// | `count = "s"` | counts its rows in the digest: `3s` |
/// | `line = shape_line` | a function `fn(&Drawing, Id<Shape>, &Shape) -> String` that shows a row |
/// | `universe` | selectors without a type match only rows of the tables marked so |
/// | `hidden` | rows that are neither shown nor named: they hold others together |
/// | `view` | journaled, but not content: cursors, the active page |
pub use fcp_macros::FcpModel;

/// Makes a struct a row of a domain's own table, which `SELECT` reads.
///
/// The fields are the columns, and their doc comments the documentation; each has one. The field
/// `row`, if there is one, is the model's row that a row is about, an [`Id`](crate::model::Id) or a
/// [`Row`](crate::model::Row): it is the column `ref`. See [`fcp_table`] for an example.
///
/// | option of the struct | |
/// |---|---|
/// | `model = Song` | the model; required |
///
/// | option of a field | |
/// |---|---|
/// | `set` | `UPDATE` sets it by the domain's `modify`, under the column's name |
/// | `set = "at"` | as `set`, under another key |
/// | `set_all = move_notes` | by a function that receives all rows of the op |
/// | `by = "style {rows} fill:={value}"` | not settable: errors suggest this op, which changes the value's source |
/// | `set = set_pitch` | by a function `fn(&mut Song, &NoteRow, V) -> Result<()>`, `V` a value or an `Option` |
///
/// `set_all` names a function `fn(&mut Song, Vec<(&NoteRow, Pitch)>) -> Result<Vec<String>>`, which
/// returns lines for the reply. A column holds an [`FcpValue`](crate::value::FcpValue), a number, a
/// `bool`, a `String`, or an `Option` of one: a [`ColumnValue`](crate::value::ColumnValue).
pub use fcp_macros::FcpRow;

/// Makes a function a domain's own table, which `SELECT` reads: `fn notes` is the table `notes`.
///
/// It yields the rows in the order of the file, as an `impl Iterator<Item = Row>` or a `Vec`. Its
/// second parameter, if it has one, lists the [`Wanted`](crate::table::Wanted) columns, so that
/// costly ones may stay empty. Its file is in `tables/`. It replaces the table of the rows of a
/// kind if it has the same name.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/drawing.rs"));
/// /// A shape, with what is derived from it.
/// #[derive(FcpRow)]
/// #[fcp(model = Drawing)]
/// pub struct ShapeRow {
///     pub row: Id<Shape>,
///     /// Radius, in steps.
///     #[fcp(set)]
///     pub r: Int<1, 999>,
///     /// Area, in squares of a step.
///     #[fcp(set = set_area)]
///     pub area: f64,
/// }
///
/// /// Shapes with their areas.
/// #[fcp_table(entity)]
/// pub fn shapes(drawing: &Drawing) -> impl Iterator<Item = ShapeRow> {
///     drawing.shapes.iter().map(|(row, shape)| {
///         let r = shape.r.get() as f64;
///         ShapeRow { row, r: shape.r, area: std::f64::consts::PI * r * r }
///     })
/// }
///
/// fn set_area(drawing: &mut Drawing, row: &ShapeRow, area: Number) -> Result<()> {
///     let r = (area.get() / std::f64::consts::PI).sqrt().round();
///     drawing.shapes.modify(row.row, |shape| shape.r = Int::clamped(r as i64));
///     Ok(())
/// }
/// # use fcp::endpoint::{Config, Endpoint};
/// # fn main() -> Result<()> {
/// # let mut session = fcp::session::Session::<Drawing>::new(&Config::at("."))?;
/// # session.act("new");
/// # session.run(&["add shape name:dot r:5".to_owned()], None);
/// let answer = session.query("SELECT ref, round(area) FROM shapes");
/// assert_eq!(answer.text, "ref | round(area)\ndot | 79.0\n(1 row)");
/// let reply = session.run(&["UPDATE shapes SET area=area*4".to_owned()], None);
/// assert!(session.query("SELECT r FROM shapes").text.starts_with("r\n10\n"), "{}", reply.text);
/// # Ok(())
/// # }
/// ```
///
/// | option | |
/// |---|---|
/// | `entity` | it has one row for each row of the model that it is about: `@where` and `:=` read its columns |
/// | `insert = "add note {pitch} on:{track}"` | the op by which `INSERT` adds a row |
/// | `insert_by = note_op` | a function `fn(&Song, NewRow<'_>) -> Result<String>` that writes that op |
/// | `one_of = "tick|pos|bar,beat"` | columns that write the same thing: a statement gives one of them, or those with `,` between; after `KIND:` for rows with this `kind` |
/// | `delete = remove_dash` | `fn(&mut Song, &DashRow) -> Result<()>`, which `DELETE` calls instead of `remove` |
/// | `delete_all = remove_dashes` | `fn(&mut Song, Vec<&DashRow>) -> Result<Vec<String>>`, for all rows of the op |
/// | `insert_all = add_dashes` | `fn(&mut Song, &[NewRow<'_>]) -> Result<Vec<String>>`, instead of the op |
///
/// A word of `insert` whose column is not given is left out; with `insert_by` and `insert_all`,
/// `insert` only names the columns, `"{track} {tick|pos}"`; no other can be given. The functions of `delete_all` and `insert_all` return lines
/// for the reply.
pub use fcp_macros::fcp_table;
