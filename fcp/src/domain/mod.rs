//! The trait of a domain: besides model, values and verbs, how its files are read and written.
//! Nothing here calls it; sessions do.

mod computing;
mod file_options;
mod files;

pub use computing::{SharedRows, SqlCall, SqlChange, SqlFunction, SqlPiece, Written};
pub use file_options::{Reading, Saving, TextSite};
pub use files::{Content, Format, IsFolder, Large, PieceForm};

use crate::account::{Field, FieldChange, Pieces, Shown};
use crate::diag::Result;
use crate::endpoint::{Config, Flag, Policy};
use crate::model::{Model, ModelExt, Row};
use crate::op::ParsedOp;
use crate::reply::Listing;
use crate::value::ValueError;

/// A domain: a model with its files.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a domain",
    label = "needs `impl Domain`",
    note = "a model becomes a domain by saying how its files are read and written"
)]
pub trait Domain: Model {
    /// The noun for a document in replies: `song`.
    const NOUN: &'static str = "document";

    /// The kinds whose rows can also be named by a bare number, counted from 1, if no row has it as its name.
    const NUMBERED: &'static [&'static str] = &[];

    /// The kinds whose names alone may mean something else in an op: a `ref` names the kind, too.
    const QUALIFIED: &'static [&'static str] = &[];

    /// The formats, the usual one first.
    const FORMATS: &'static [Format];

    /// The largest file that can be opened, in bytes.
    const FILE_LIMIT: u64 = 256 * 1024 * 1024;

    /// The number of a file's warnings that are listed when it is opened; the others are only counted.
    const OPENING_WARNINGS: usize = 5;

    /// The codes of warnings that are not shown after ops unless `set warn:+CODE` asks for them.
    const QUIET: &'static [&'static str] = &[];

    /// The codes of warnings that an op does not report for rows it made itself, only a later op that causes them.
    const LATE: &'static [&'static str] = &[];

    /// The codes of warnings whose lints also check [`nearby_rows`](Self::nearby_rows).
    const NEAR: &'static [&'static str] = &[];

    /// The number of lines, or of rows of several lines, that a query shows at once, if it is not 100: `("map", 40)`.
    const PAGES: &'static [(&'static str, usize)] = &[];

    /// The largest answer of a query, in bytes; at most 16 KiB.
    const ANSWER_BYTES: usize = 16 * 1024;

    /// The query for a picture whose edges are `times` as long as those of `query`, if the domain
    /// draws pictures: an error about a picture too large for a reply suggests a query that fits.
    fn scaled_query(_query: &ParsedOp<'_>, _times: f64) -> Option<String> {
        None
    }

    /// Files that are large in the costliest ways: all alike, all nested, all of one name.
    /// `cargo xtask bench growth` reports operations on them that cost more than n log n.
    const LARGE: &'static [Large] = &[];

    /// The policy for a batch with a failing op, unless session or call set another.
    const BATCH: Policy = Policy::Atomic;

    /// Text for the first line of the compact card: how to read places and values, in a sentence or two.
    const HINT: &'static str = "";

    /// A session from `new` to `save`, one step per line, as `fcp run` plays it. The card shows it; a test runs it.
    const WORKFLOW: &'static str;

    /// Queries and ops of SQL, one of each form, for help on their words; a test runs them.
    const SQL_EXAMPLES: &'static [&'static str] = &[];

    /// The command-line flags of the domain's program, besides the common ones. See [`Self::configure`].
    const FLAGS: &'static [Flag] = &[];

    /// Puts the program's configuration into a [`Given`](crate::model::Given). Every document, new or opened, is
    /// configured before its first use. Nothing else may be changed here, since it would not be recorded.
    fn configure(&mut self, _config: &Config) {}

    /// Takes over the values that an action put into a [`Given`](crate::model::Given) of the document that was open
    /// before. Called when another document replaces it; nothing else may be changed here.
    fn inherit(&mut self, _before: &Self) {}

    /// Keys whose rows must change together: with different values set one after the other, the rows would get in each
    /// other's way. A domain that names any implements [`begin_together`](Self::begin_together).
    const TOGETHER: &'static [&'static str] = &[];

    /// Columns whose meaning follows from others, each with these: the end of a note from its
    /// start. An `UPDATE` that changes one of the others sets such a column even to its old value.
    const FOLLOWS: &'static [(&'static str, &'static [&'static str])] = &[];

    /// Begins changes that are made together when [`end_together`](Self::end_together) is called: until
    /// then verbs and setters only note the targets of rows that could get in each other's way.
    /// Returns whether the domain supports that.
    fn begin_together(&mut self) -> bool {
        false
    }

    /// Makes the changes that were noted since [`begin_together`](Self::begin_together), or drops them. Returns
    /// lines for the reply.
    ///
    /// # Errors
    /// The changes cannot be made.
    fn end_together(&mut self, _keep: bool) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Begins a `copy` whose copies get other values before they meet the rows that are there: until
    /// [`end_apart`](Self::end_apart) is called, new rows merge with no others and cut none.
    fn begin_apart(&mut self) {}

    /// Lets the rows that were made since [`begin_apart`](Self::begin_apart) meet the others, or
    /// forgets them if the op failed. Returns lines for the reply.
    ///
    /// # Errors
    /// The rows cannot be where they are.
    fn end_apart(&mut self, _keep: bool) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// The unit of the numbers of fields in `diff`, for numbers that differ in fields that read the same.
    const NUMBERS: &'static str = "numbers";

    /// Fields whose column in `changes` is another if only their numbers differ, with that column.
    const NUMBER_COLUMNS: &'static [(&'static str, &'static str)] = &[];

    /// Whether a change only records where the next op goes on. An op that makes no other changed nothing.
    fn is_idle(_event: &Self::Event) -> bool {
        false
    }

    /// The SQL notes in the description of the query tool, besides the tables: the domain's functions, in a line.
    const SQL_NOTES: &'static str = "";

    /// The domain's own settings for `set KEY:VALUE`, besides the common ones: each key and its purpose.
    const SETTINGS: &'static [(&'static str, &'static str)] = &[];

    /// The words for the default values of [`Self::SETTINGS`], if there are any: setting one to its
    /// word is the same as `default`.
    const USUAL: &'static [(&'static str, &'static str)] = &[];

    /// Checks a value for a setting of [`Self::SETTINGS`]. `is_folder` checks that a path leads to
    /// a folder below the root.
    ///
    /// # Errors
    /// The value is invalid.
    fn check_setting(_key: &str, _value: &str, _is_folder: IsFolder<'_>) -> Result<(), ValueError> {
        Ok(())
    }

    /// Puts a setting of [`Self::SETTINGS`] into a [`Given`](crate::model::Given), or restores its default. Called when
    /// it is set, and for every document opened later. Nothing else may be changed here.
    fn apply_setting(&mut self, _key: &str, _value: Option<&str>) {}

    /// Reads a file. `name` is its path as the caller wrote it.
    ///
    /// # Errors
    /// The bytes are not a file of this domain.
    fn read(bytes: &[u8], name: &str) -> Result<Self>;

    /// Reads a file within the session's limits. A domain with limits of its own implements this
    /// and reads them from its settings.
    ///
    /// # Errors
    /// The bytes are not a file of this domain, or the file exceeds a limit.
    fn read_within(bytes: &[u8], name: &str, _reading: &Reading) -> Result<Self> {
        Self::read(bytes, name)
    }

    /// Writes a file in one of [`Self::FORMATS`], by name: each row's bytes as [pieces of that
    /// row](Pieces::row). A save is rejected if bytes differ in a row that no op changed.
    ///
    /// # Errors
    /// The format cannot hold the document.
    fn write(&self, format: &str, out: &mut Pieces) -> Result<()>;

    /// The bytes of a file in one of [`Self::FORMATS`].
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    fn file(&self, format: &str) -> Result<Vec<u8>> {
        let mut out = Pieces::of::<Self>();
        self.write(format, &mut out)?;
        Ok(out.into_file())
    }

    /// The bytes that [`write`](Self::write) adds: unpacked from a file in a packed format, or else the file itself.
    ///
    /// # Errors
    /// The file cannot be unpacked, or holds more than `limit` bytes.
    fn unpack(file: Vec<u8>, _limit: u64) -> Result<Vec<u8>> {
        Ok(file)
    }

    /// The content of the file that was just read, if the model keeps it as it is and shares it. The session compares a
    /// document with what was read, and needs no copy of its own then.
    fn content_read(&self) -> Option<Content> {
        None
    }

    /// Whether its files are text that the ops `replace` and `insert` edit as written.
    const TEXT: bool = false;

    /// The form of a piece, by the bytes before it that [depend on another](Pieces::joined): `status byte written`.
    const FORM: Option<PieceForm> = None;

    /// Whether its files have each row after its parent. Tables then list rows in that order.
    const NESTED: bool = false;

    /// The text that `replace` and `insert` edit, in UTF-8 whatever the file's encoding, as pieces of its rows.
    ///
    /// # Errors
    /// The document cannot be written.
    fn source(&self, out: &mut Pieces) -> Result<()> {
        let format = Self::FORMATS.first().map_or("", |format| format.name);
        self.write(format, out)
    }

    /// Changes the document so that its [`source`](Self::source) is `text`. A row whose text stays is not touched.
    /// `None` if the text should be [read](Self::read) instead, and each row of a table given the content of the row in
    /// its place: then the domain need not implement this.
    fn rewrite(&mut self, _text: &str) -> Option<Result<()>> {
        None
    }

    /// Inserts source text into the document, with the usual indentation and line ends. Returns the outermost rows it
    /// holds; `None` if inserted text takes lines of its own, which [`rewrite`](Self::rewrite) reads.
    fn insert_source(&mut self, _text: &str, _site: TextSite) -> Option<Result<Vec<Row>>> {
        None
    }

    /// A text as it is written after `before` in source text that an op of this verb takes, as `insert` does; `None` if
    /// the verb takes no source text.
    fn in_source(_verb: &str, _before: &str, _text: &str) -> Option<String> {
        None
    }

    /// The domain's own keys of `save`: each as it is written, `smf:0|1`, and its effect.
    const SAVING: &'static [(&'static str, &'static str)] = &[];

    /// Changes the document according to the keys of [`Self::SAVING`] before it is written: an op
    /// of its own in the log, taken back if nothing can be written. Returns a line for the reply.
    ///
    /// # Errors
    /// A value is wrong, or the document cannot be converted.
    fn convert(&mut self, _saving: &Saving) -> Result<Option<String>> {
        Ok(None)
    }

    /// Writes a file according to the keys of [`Self::SAVING`].
    ///
    /// # Errors
    /// A value is wrong, or the document cannot be written that way.
    fn write_as(&self, format: &str, _saving: &Saving, out: &mut Pieces) -> Result<()> {
        self.write(format, out)
    }

    /// The metrics that the digest shows between the counts and the hash: at least one structural metric.
    fn digest_metrics(&self) -> Vec<String> {
        Vec::new()
    }

    /// The counts that open the digest: `3t 48e`, of the tables marked `#[fcp(count = …)]`.
    fn digest_counts(&self) -> Vec<String> {
        let tables = self.tables();
        let counts = tables.filter_map(|(_, shape, rows)| Some((rows.len(), shape.count?)));
        counts.map(|(n, letter)| format!("{n}{letter}")).collect()
    }

    /// A summary of an opened or new document, in one line: `SMF 1, ppqn 480, 3 tracks`.
    fn headline(&self) -> String {
        self.tables()
            .map(|(_, _, rows)| rows.shape().count(rows.len()))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The initial values of a new document, in one line: `tempo:120 4/4`.
    fn initial_values(&self) -> String {
        self.headline()
    }

    /// The content that a file written with the keys of [`Self::SAVING`] leaves out. If there is
    /// any, the file does not become the document's file, and the document does not count as saved.
    fn omissions(&self, _saving: &Saving) -> Vec<String> {
        Vec::new()
    }

    /// A summary of the written file, in one line: `SMF 1, 4 chunks`.
    fn file_summary(&self, bytes: &[u8], _saving: &Saving) -> String {
        format!("{} bytes", bytes.len())
    }

    /// The document's kind of file, if a format has several: `SMF 1`.
    fn file_kind(&self) -> Option<String> {
        None
    }

    /// The format of the opened file, if its content tells and its name may lie.
    fn format_read(&self) -> Option<&'static str> {
        None
    }

    /// The document's title, if it has one.
    fn title(&self) -> Option<String> {
        None
    }

    /// An op that makes a row with the given name, which was not found.
    fn creation_op(&self, _kind: &str, _name: &str) -> Option<String> {
        None
    }

    /// The likely meanings of a failed op in words of the format or of another program. Each is tried before it is shown.
    fn meant_ops(&self, _op: &ParsedOp<'_>) -> Vec<String> {
        Vec::new()
    }

    /// The reason why no row has a name, if it is known: it is in a part that cannot be edited.
    fn absence_reason(&self, _name: &str) -> Option<String> {
        None
    }

    /// A selector of the wanted rows that a name stands for if no wanted row has it: the paragraphs of a chapter.
    fn selector_for(&self, _name: &str) -> Option<String> {
        None
    }

    /// The rows that a text selects in the format's own selector language, such as CSS. Called if
    /// the text is not the name of a row. `None` if the text is not in that language; an error if
    /// it is wrong or selects nothing, and then the text is what the error misses.
    fn select_native(&self, _text: &str) -> Option<Result<Vec<Row>, ValueError>> {
        None
    }

    /// A row on one line, if its table is the domain's own and `#[fcp(line = …)]` cannot describe it.
    fn describe_row(&self, _row: Row) -> Option<String> {
        None
    }

    /// A column of [`position`](Self::position) for the tables of rows without a table of the
    /// domain's own: the column that it follows, its name, and its documentation.
    const POSITION: Option<(&'static str, &'static str, &'static str)> = None;

    /// The position of a row as ops take it, if it has one.
    fn position(&self, _row: Row) -> Option<String> {
        None
    }

    /// A hint at other tables, for the error of an unknown column.
    const COLUMN_HINT: &'static str = "";
    /// The op for an unknown column of rows, if there is one: `set {rows} title value:={value}`.
    fn column_op(_column: &str) -> Option<String> {
        None
    }

    /// Checks a value that `KEY:=EXPR` of an op computes from columns of the rows. `reads` returns
    /// whether it reads one of some columns.
    ///
    /// # Errors
    /// The value is wrong for one of the rows, for example because the columns are in another unit than the parameter.
    fn check_computed(
        &self,
        _op: &ParsedOp<'_>,
        _key: &str,
        _reads: &dyn Fn(&[&str]) -> bool,
        _rows: &[Row],
    ) -> Result<()> {
        Ok(())
    }

    /// Checks a value that `UPDATE` computes for a column of one of the domain's own tables.
    ///
    /// # Errors
    /// The value is wrong for one of the rows, as in [`check_computed`](Self::check_computed).
    fn check_written(&self, _written: &Written<'_>) -> Result<()> {
        Ok(())
    }

    /// The rows that share a value computed for a key of an op, if the op changes something that they have in common.
    /// `None` if it sets the value of each row.
    fn shared_rows(&self, _op: &ParsedOp<'_>, _key: &str) -> Option<Result<SharedRows>> {
        None
    }

    /// The decimals of a number that SQL computes for a key or a column.
    fn decimals(&self, _key: &str) -> usize {
        7
    }

    /// The place in the tables of a row that `diff` lists by itself, though it is a piece of
    /// another. `None` if it is a row of the table of its part. The row may be gone.
    fn piece(&self, _shown: &Shown, _row: Row) -> Option<SqlPiece> {
        None
    }

    /// The rows of tables that show a change of a field, if it is not a column of the table of its row.
    fn changed_values(&self, _row: Row, _field: &FieldChange) -> Option<Vec<SqlChange>> {
        None
    }

    /// The changes of a text row, by its bytes in two states, that its fields do not show: quotes, white space.
    fn form_changes(&self, _was: &[u8], _is: &[u8]) -> Vec<FieldChange> {
        Vec::new()
    }

    /// The containers of moved rows, and the fields with their places in them.
    fn places(&self, rows: &[Row]) -> Vec<Option<(u32, Field)>> {
        vec![None; rows.len()]
    }

    /// A row, or another part of the file with an id, as `diff` shows it; `None` if its name and its
    /// fields are enough. What can differ and has no field here is shown by `diff` as bytes.
    fn show(&self, _id: u32) -> Option<Shown> {
        None
    }

    /// A row, or another part with an id, on one line, as `diff` shows it when it is added or removed. A row inside it
    /// came or went with it if `along` holds; another moved there, or away, and has a line of its own.
    fn show_line(&self, _id: u32, _along: &dyn Fn(u32) -> bool) -> Option<String> {
        None
    }

    /// The rows that may be shown and written differently because the touched ones changed, though
    /// no op changes them: the end of a track follows its last event.
    fn shown_with(&self, _touched: &[Row]) -> Vec<Row> {
        Vec::new()
    }

    /// The fields that `diff` shows for a part that holds one value.
    fn show_part(&self, _field: &str) -> Vec<Field> {
        Vec::new()
    }

    /// The difference of two values of a field, if many rows can have the same one: `+2 bars`. Numbers need none.
    fn difference(&self, _then: &Field, _now: &Field) -> Option<String> {
        None
    }

    /// The domain's SQL functions, besides SQLite's, for the document in its present state.
    fn sql_functions(&self) -> Vec<SqlFunction> {
        Vec::new()
    }

    /// Prepares the removal of a row, besides the removal of the rows that belong to it.
    fn prepare_removal(&mut self, _row: Row) {}

    /// The neighbors of rows that an op's changes, done or undone, added, removed or moved, if
    /// warnings depend on places.
    fn neighbors(&self, _changes: &[Self::Event]) -> Vec<Row> {
        Vec::new()
    }

    /// The rows whose warnings may differ after a change, besides the touched rows, those that they
    /// belong to, and those that belong or refer to them by a field. `touched` is in order, each
    /// row once. The cost must depend on the change: never search the whole document.
    fn affected_rows(&self, _touched: &[Row]) -> Vec<Row> {
        Vec::new()
    }

    /// Whether the touched rows determine the position or nature of others, in warnings too: bars are counted from a
    /// meter on. Then every row is checked again, and a warning whose wording alone changed is not shown again.
    fn affects_all(&self, _touched: &[Row]) -> bool {
        false
    }

    /// The rows near the touched ones: of these, only the warnings of [`NEAR`](Self::NEAR) may differ.
    fn nearby_rows(&self, _touched: &[Row]) -> Vec<Row> {
        Vec::new()
    }

    /// The id of the row at an index, from 0, in a table of one of [`NUMBERED`](Self::NUMBERED).
    fn row_at(&self, part: usize, place: usize) -> Option<u32> {
        self.rows(part)?.ids().nth(place)
    }

    /// The answer of query `find` to a text with a special meaning: a pitch finds its notes. `None` searches all fields.
    fn find_text(&self, _text: &str) -> Option<Listing<'_>> {
        None
    }

    /// Makes the changes that must follow an op's changes. Called when the op's function has
    /// succeeded, before they become a log entry; these changes belong to the same entry. Returns
    /// lines that the reply shows below the op's own.
    ///
    /// # Errors
    /// A change cannot be made; the op is then taken back.
    fn settle(&mut self, _changes: &[Self::Event]) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}
