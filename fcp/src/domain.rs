//! What a domain author says beside model, values and verbs: how files are read and written.

use crate::account::{Field, Pieces, Shown};
use crate::diag::Result;
use crate::endpoint::{Config, Flag, Policy};
use crate::model::{Model, ModelExt, Row};
use crate::op::ParsedOp;
use crate::reply::Listing;
use crate::value::{Cell, ValueError};

/// A file format a domain reads and writes.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What `format:` calls it: `smf`.
    pub name: &'static str,
    /// The extensions it is known by, without the dot; the first is the usual one.
    pub extensions: &'static [&'static str],
    /// What it is, in one line.
    pub doc: &'static str,
}

/// A file that is large in one way, for `cargo xtask bench growth`.
#[derive(Clone, Copy, Debug)]
pub struct Large {
    /// In which way: `nested`.
    pub name: &'static str,
    /// The file, of about so many rows.
    pub make: fn(usize) -> Vec<u8>,
}

/// A domain: a model with its files.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a domain",
    label = "needs `impl Domain`",
    note = "a model becomes a domain by saying how its files are read and written"
)]
pub trait Domain: Model {
    /// What replies call a document: `song`.
    const NOUN: &'static str = "document";

    /// The kinds whose rows a bare number names too, counted from 1, where none is called so.
    const NUMBERED: &'static [&'static str] = &[];

    /// The formats, the usual one first.
    const FORMATS: &'static [Format];

    /// The largest file that is opened, in bytes.
    const FILE_LIMIT: u64 = 256 * 1024 * 1024;

    /// How many of a file's warnings are told when it is opened; of the others their number.
    const OPENING_WARNINGS: usize = 5;

    /// The codes of warnings that are not told after ops unless `set warn:+CODE` asks for them.
    const QUIET: &'static [&'static str] = &[];

    /// The codes of warnings that an op does not tell of rows that it made itself: they are told when a later one brings
    /// them about.
    const LATE: &'static [&'static str] = &[];

    /// The codes of warnings that hang on what lies near: these look at the rows of [`near`](Self::near) too.
    const NEAR: &'static [&'static str] = &[];

    /// How many lines, or rows of several lines, of a query are shown at once, where it is not 100: `("map", 40)`.
    const PAGES: &'static [(&'static str, usize)] = &[];

    /// The most bytes of what a query answers; 16 KiB at most.
    const ANSWER_BYTES: usize = 16 * 1024;

    /// The query of a picture whose edges are `times` as long as those that `query` asks for, where a domain draws any:
    /// one that takes too much of a reply is told with one that fits.
    fn smaller(_query: &ParsedOp<'_>, _times: f64) -> Option<String> {
        None
    }

    /// Files that are large in the ways that cost most: all alike, all nested, all of one name. What costs more than n log n
    /// on one of them is told by `cargo xtask bench growth`.
    const LARGE: &'static [Large] = &[];

    /// How a batch with a failing op ends, unless session or call say otherwise.
    const BATCH: Policy = Policy::Atomic;

    /// What the first line of the compact card says beside the grammar: how places and values are meant, in a sentence or
    /// two. What can be derived is not said here.
    const HINT: &'static str = "";

    /// A session from `new` to `save`, one line a step, as `fcp run` plays it. The card shows it; a test runs it.
    const WORKFLOW: &'static str;

    /// The flags that its program has on the command line, beside those that all have. See [`Self::equip`].
    const FLAGS: &'static [Flag] = &[];

    /// Takes what the program was started with, into a [`Given`](crate::model::Given). Every document is equipped before
    /// it is looked at, new ones and opened ones. Anything else that is changed here is not noted.
    fn equip(&mut self, _config: &Config) {}

    /// Takes over what an action gave to the document that was open before, out of a
    /// [`Given`](crate::model::Given). Called when another one takes its place; nothing else may be changed here.
    fn succeed(&mut self, _before: &Self) {}

    /// Keys whose rows must change together: rows that are given different values one after the other would get into each
    /// other's way. A domain that names any has a [`gather`](Self::gather).
    const TOGETHER: &'static [&'static str] = &[];

    /// Changes follow that are to be made together, when [`gathered`](Self::gathered) is called: until then verbs and
    /// setters only note what rows that could be in each other's way are to become. Answers whether the domain does that.
    fn gather(&mut self) -> bool {
        false
    }

    /// Makes the changes that were noted since [`gather`](Self::gather), or forgets them. Answers lines that the reply shows.
    ///
    /// # Errors
    /// They cannot be made.
    fn gathered(&mut self, _keep: bool) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// What the description of the query tool says of SQL beside the tables: functions of the domain, in a line.
    const SQL_NOTES: &'static str = "";

    /// Settings of its own, which `set KEY:VALUE` sets beside those that all domains have: a key, and what it is for.
    const SETTINGS: &'static [(&'static str, &'static str)] = &[];

    /// What settings of [`Self::SETTINGS`] are while nothing is set, where there is a word for that: setting one to it is
    /// the same as `default`.
    const USUAL: &'static [(&'static str, &'static str)] = &[];

    /// That a value is one for a setting of [`Self::SETTINGS`]. `is_folder` looks whether a path leads to
    /// a folder below the root.
    ///
    /// # Errors
    /// It is none.
    fn check_setting(_key: &str, _value: &str, _is_folder: IsFolder<'_>) -> Result<(), ValueError> {
        Ok(())
    }

    /// Takes a setting of [`Self::SETTINGS`] into a [`Given`](crate::model::Given), or goes back to what is so without
    /// it. Called when it is set, and for every document that is looked at later. Nothing else may be changed here.
    fn adjust(&mut self, _key: &str, _value: Option<&str>) {}

    /// Reads a file. `name` is its path as the caller wrote it.
    ///
    /// # Errors
    /// The bytes are no file of this domain.
    fn read(bytes: &[u8], name: &str) -> Result<Self>;

    /// Reads a file as far as the session's limits allow. What has limits of its own reads here, by its settings.
    ///
    /// # Errors
    /// The bytes are no file of this domain, or one that passes a limit.
    fn read_within(bytes: &[u8], name: &str, _reading: &Reading) -> Result<Self> {
        Self::read(bytes, name)
    }

    /// Writes a file in one of [`Self::FORMATS`], by name: each row's bytes as [pieces of that row](Pieces::row). A save
    /// refuses a difference in the bytes of a row that no op changed.
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

    /// The bytes that [`write`](Self::write) adds, of a file in a format that packs them; the file itself in any other.
    ///
    /// # Errors
    /// The file cannot be unpacked, or holds more than `limit` bytes.
    fn unpacked(file: Vec<u8>, _limit: u64) -> Result<Vec<u8>> {
        Ok(file)
    }

    /// Whether its files are text that ops edit as it is written, by `replace` and `insert`.
    const TEXT: bool = false;

    /// The text that `replace` and `insert` edit, in UTF-8 whatever the file's encoding is: each row's bytes as pieces of
    /// that row.
    ///
    /// # Errors
    /// The document cannot be written.
    fn source(&self, out: &mut Pieces) -> Result<()> {
        let format = Self::FORMATS.first().map_or("", |format| format.name);
        self.write(format, out)
    }

    /// Changes the document so that its [`source`](Self::source) is `text`. A row whose text stays is not touched.
    /// `None` if the text is to be [read](Self::read), and each row of a table given what the row in its place holds:
    /// then nothing needs to be written for it.
    fn rewrite(&mut self, _text: &str) -> Option<Result<()>> {
        None
    }

    /// Puts source text into the document, with the indentation and the line ends that are usual there. Returns the rows
    /// it holds, the outer ones; `None` if text goes on lines of its own, which [`rewrite`](Self::rewrite) reads.
    fn insert_source(&mut self, _text: &str, _site: TextSite) -> Option<Result<Vec<Row>>> {
        None
    }

    /// Keys that `save` takes beside its own: each as it is written, `smf:0|1`, and what it does.
    const SAVING: &'static [(&'static str, &'static str)] = &[];

    /// Changes the document as the keys of [`Self::SAVING`] say, before it is written: an op of its own in the log, which
    /// is taken back if nothing can be written. Answers what the reply says of it.
    ///
    /// # Errors
    /// A value is wrong, or the document cannot be changed so.
    fn convert(&mut self, _saving: &Saving) -> Result<Option<String>> {
        Ok(None)
    }

    /// Writes a file as the keys of [`Self::SAVING`] say.
    ///
    /// # Errors
    /// A value is wrong, or the document cannot be told so.
    fn write_as(&self, format: &str, _saving: &Saving, out: &mut Pieces) -> Result<()> {
        self.write(format, out)
    }

    /// What the digest says between the counts and the hash: at least one structural metric.
    fn metrics(&self) -> Vec<String> {
        Vec::new()
    }

    /// The counts that open the digest: `3t 48e`. Counted by the tables that say `#[fcp(count = …)]`.
    fn counts(&self) -> Vec<String> {
        self.tables()
            .filter_map(|(_, shape, rows)| {
                shape.count.map(|letter| format!("{}{letter}", rows.len()))
            })
            .collect()
    }

    /// What an opened or new document holds, in one line: `SMF 1, ppqn 480, 3 tracks`.
    fn headline(&self) -> String {
        self.tables()
            .map(|(_, _, rows)| rows.shape().count(rows.len()))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// What a new document is made with, in one line: `tempo:120 4/4`.
    fn made(&self) -> String {
        self.headline()
    }

    /// What of the document a file leaves out that is written as the keys of [`Self::SAVING`] say. Such a file is not the
    /// document's: the document stays with its own, and is no more saved than before.
    fn leaves_out(&self, _saving: &Saving) -> Vec<String> {
        Vec::new()
    }

    /// What was written, in one line: `SMF 1, 4 chunks`.
    fn written(&self, bytes: &[u8], _saving: &Saving) -> String {
        format!("{} bytes", bytes.len())
    }

    /// What kind of file the document is, where a format has several: `SMF 1`.
    fn file_kind(&self) -> Option<String> {
        None
    }

    /// What the document is called, if it has a title.
    fn title(&self) -> Option<String> {
        None
    }

    /// An op that makes a row that was asked for by a name that no row has.
    fn make(&self, _kind: &str, _name: &str) -> Option<String> {
        None
    }

    /// Why a name is none of a row, where that can be told: it stands where nothing is edited.
    fn absent(&self, _name: &str) -> Option<String> {
        None
    }

    /// The selector of what a name stands for that no row has which is wanted: a chapter, where paragraphs are.
    fn selecting(&self, _name: &str) -> Option<String> {
        None
    }

    /// The rows that a text selects in a language of the format's own: a CSS selector. Asked where no row has the text as its
    /// name. `None` if the text is nothing of that language; an error if it is wrong, or selects nothing: the
    /// text is what the error lacks then.
    fn matching(&self, _text: &str) -> Option<Result<Vec<Row>, ValueError>> {
        None
    }

    /// A row on one line, where its table is the domain's own and `#[fcp(line = …)]` cannot say it.
    fn told(&self, _row: Row) -> Option<String> {
        None
    }

    /// A row, or any other part of the file that has an id, as `diff` shows it; `None` if its name and its fields are
    /// enough. Whatever can differ in the file has a field here, or `diff` shows the bytes.
    fn show(&self, _id: u32) -> Option<Shown> {
        None
    }

    /// The same on one line, for when it comes or goes.
    fn show_line(&self, _id: u32) -> Option<String> {
        None
    }

    /// The content of a part that holds one value, as `diff` shows it: its fields.
    fn show_part(&self, _field: &str) -> Vec<Field> {
        Vec::new()
    }

    /// The difference of two values of a field, if it can be the same for many rows: `+2 bars`. Numbers have theirs.
    fn step(&self, _then: &Field, _now: &Field) -> Option<String> {
        None
    }

    /// Functions that SQL has beside SQLite's, for the document as it is.
    fn sql_functions(&self) -> Vec<SqlFunction> {
        Vec::new()
    }

    /// What a row needs done before it is removed, beside the removal of the rows that belong to it.
    fn releasing(&mut self, _row: Row) {}

    /// The rows next to where rows came, went or moved by the changes of an op, done or undone, where warnings hang on
    /// places.
    fn beside(&self, _changes: &[Self::Event]) -> Vec<Row> {
        Vec::new()
    }

    /// Rows whose warnings may be others now that some were touched, beside these, those that these belong to, and those
    /// that belong or refer to them by a field. Those touched are given in order, each once. It is to follow the change:
    /// nothing may be looked for everywhere.
    fn concerned(&self, _touched: &[Row]) -> Vec<Row> {
        Vec::new()
    }

    /// Whether rows that were touched say where or what others are, in warnings too: bars are counted from a meter on.
    /// Then every row is looked at again, and what is only worded otherwise is not told anew.
    fn rewords(&self, _touched: &[Row]) -> bool {
        false
    }

    /// Rows near those that were touched: of these only the warnings of [`NEAR`](Self::NEAR) may be others.
    fn near(&self, _touched: &[Row]) -> Vec<Row> {
        Vec::new()
    }

    /// The row of one of [`NUMBERED`](Self::NUMBERED) that stands at a place, counted from 0.
    fn counted(&self, part: usize, place: usize) -> Option<u32> {
        self.rows(part)?.ids().nth(place)
    }

    /// What query `find` answers to a text, where it is not looked for in every field: a pitch finds its notes.
    fn seek(&self, _text: &str) -> Option<Listing<'_>> {
        None
    }

    /// What must follow from the changes of an op: called when its function has succeeded, before they become a log
    /// entry. What it changes belongs to the same entry. Answers lines that the op's reply shows below its own.
    ///
    /// # Errors
    /// What follows cannot be done; then the op is taken back.
    fn settle(&mut self, _changes: &[Self::Event]) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// Where source text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSite {
    /// Into a row, before all that is in it.
    First(Row),
    /// Into a row, after all that is in it.
    Last(Row),
    /// Before a row.
    Before(Row),
    /// After a row.
    After(Row),
}

/// A function of a domain's own for SQL. The same arguments give the same value on any machine.
pub struct SqlFunction {
    /// Its name, in lower case.
    pub name: &'static str,
    /// How many arguments it takes.
    pub args: i32,
    /// Its form and what it answers, in one line: `pitch('C4') 60`.
    pub doc: &'static str,
    /// Computes its value. An error is shown as it is.
    pub call: Box<SqlCall>,
}

/// Computes the value of an [`SqlFunction`].
pub type SqlCall = dyn Fn(&[Cell]) -> Result<Cell, String> + Send + 'static;

/// Looks whether a path leads to a folder below the root.
pub type IsFolder<'f> = &'f dyn Fn(&str) -> Result<(), ValueError>;

/// What a `save` says by the keys of [`Domain::SAVING`].
#[derive(Clone, Debug, Default)]
pub struct Saving(Vec<(&'static str, String)>);

impl Saving {
    pub(crate) fn new(said: impl Iterator<Item = (&'static str, String)>) -> Self {
        Self(said.collect())
    }

    /// Each key that was given, and what stands behind it.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(key, value)| (*key, &**value))
    }

    /// What stands behind a key, if it does.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        let said = self.0.iter().find(|(known, _)| *known == key);
        said.map(|(_, value)| &**value)
    }
}

/// What a session says of the files that it reads.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The largest file, and the most that a packed one may hold, in bytes.
    pub file_limit: u64,
    settings: Vec<(&'static str, String)>,
}

impl Reading {
    pub(crate) fn new(
        file_limit: u64,
        settings: impl Iterator<Item = (&'static str, String)>,
    ) -> Self {
        Self {
            file_limit,
            settings: settings.collect(),
        }
    }

    /// What one of the domain's settings was set to, if it was.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&str> {
        let said = self.settings.iter().find(|(known, _)| *known == key);
        said.map(|(_, value)| &**value)
    }
}
