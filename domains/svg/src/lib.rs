//! SVG drawings, edited through FCP.
//!
//! An edit changes the smallest piece of text that expresses it (a segment, a point, a transform, a
//! declaration) and keeps every other byte.

mod actions;
mod animation;
mod canvas;
mod checks;
mod connectors;
pub mod create;
mod css;
mod define;
pub mod display;
mod edit;
pub mod environment;
pub mod format;
pub mod geometry;
mod lints;
pub mod model;
mod moving;
mod overview;
pub mod path;
pub mod property;
mod queries;
mod render;
mod resolve;
mod selectors;
mod source;
pub mod style;
pub mod syntax;
mod tables;
pub mod transform;
pub mod values;
mod verbs;

use std::sync::Arc;

use environment::limits::Bounds;
use fcp::account::FieldChange;
use fcp::domain::{
    Content, IsFolder, Large, Reading, SharedRows, SqlChange, SqlFunction, SqlPiece, TextSite,
    Written,
};
use fcp::endpoint::{Config, Flag};
use fcp::model::Row;
use fcp::op::ParsedOp;
use fcp::prelude::*;

pub use environment::host::Host;
use model::DrawingEvent;

pub use model::{Drawing, NodeId};

impl Domain for Drawing {
    const NOUN: &'static str = "document";
    const FORMATS: &'static [Format] = format::FORMATS;
    const FILE_LIMIT: u64 = format::MOST_BYTES as u64;
    const PAGES: &'static [(&'static str, usize)] = &[
        ("map", 40),
        ("tree", 80),
        ("list", 50),
        ("overlap", 50),
        ("find", 50),
    ];
    const ANSWER_BYTES: usize = 8_000;
    const OPENING_WARNINGS: usize = 0;
    // A new definition is usually used in one of the next ops.
    const LATE: &'static [&'static str] = &["unused"];
    const NEAR: &'static [&'static str] = &["behind", "contrast"];
    const FOLLOWS: &'static [(&'static str, &'static [&'static str])] =
        &[("nth", &["parent"]), ("h", &["w"])];
    const SQL_NOTES: &'static str = "Functions: color('red'), regexp. Boxes without stroke in canvas units; styles after the \
         cascade, colours #rrggbb; id takes references along; x, y move; w, h resize; nth orders.";
    const HINT: &'static str = "y down, canvas units. SEL: also a CSS selector in quotes. Values: 10 5mm 50% X,Y R.right red #f00 gradient:ID 45; \
        styles: fill: stroke: sw: opacity: font: size:";
    const SQL_EXAMPLES: &'static [&'static str] = &[
        "? SELECT fill, count(*) FROM elements GROUP BY fill",
        "? WITH wide AS (SELECT ref, w FROM elements WHERE w>100) SELECT * FROM wide ORDER BY w DESC",
        "UPDATE attributes SET value='#333' WHERE name='stroke' AND value='black'",
        "DELETE FROM attributes WHERE name LIKE 'data-%'",
        "INSERT INTO attributes(ref, name, value) SELECT ref, 'rx', '4' FROM elements WHERE tag='rect'",
        "style @where:\"tag='rect' AND w>100\" opacity:=round(100/w,2)",
        "each \"SELECT ref, id FROM elements WHERE tag='rect' AND id REGEXP '^q'\" \"modify {ref} title:{id}\"",
    ];

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

    const LARGE: &'static [Large] = format::large::LARGE;
    const FLAGS: &'static [Flag] = environment::host::FLAGS;
    const SETTINGS: &'static [(&'static str, &'static str)] = environment::host::SETTINGS;

    fn scaled_query(query: &ParsedOp<'_>, times: f64) -> Option<String> {
        render::smaller(query, times)
    }

    fn check_setting(key: &str, value: &str, is_folder: IsFolder<'_>) -> Result<(), ValueError> {
        Host::check_setting(key, value, is_folder)
    }

    fn apply_setting(&mut self, key: &str, value: Option<&str>) {
        self.host.adjust(|host| host.adjust(key, value));
    }

    fn configure(&mut self, config: &Config) {
        self.host.give(Host::of(config));
    }

    fn read(bytes: &[u8], name: &str) -> Result<Self> {
        let limit = usize::try_from(Self::FILE_LIMIT).unwrap_or(usize::MAX);
        Self::opened(bytes, name, limit, &Bounds::default())
    }

    fn read_within(bytes: &[u8], name: &str, reading: &Reading) -> Result<Self> {
        let limit = usize::try_from(reading.file_limit).unwrap_or(usize::MAX);
        Self::opened(bytes, name, limit, &Bounds::of(reading))
    }

    fn content_read(&self) -> Option<Content> {
        let root = self.nodes.element(self.nodes.root()?)?;
        root.source().map(|text| Arc::new(text.clone()) as Content)
    }

    fn format_read(&self) -> Option<&'static str> {
        self.envelope.format_read()
    }

    fn write(&self, format: &str, out: &mut Pieces) -> Result<()> {
        format::write(self, format, out)
    }

    const TEXT: bool = true;

    fn source(&self, out: &mut Pieces) -> Result<()> {
        format::source(self, out);
        Ok(())
    }

    fn rewrite(&mut self, text: &str) -> Option<Result<()>> {
        Some(source::exact_text::rewrite(self, text))
    }

    fn insert_source(&mut self, text: &str, site: TextSite) -> Option<Result<Vec<Row>>> {
        Some(source::exact_text::insert(self, text, site))
    }

    fn in_source(verb: &str, before: &str, text: &str) -> Option<String> {
        matches!(verb, "insert" | "raw" | "replace").then(|| source::written(before, text))
    }

    fn unpack(file: Vec<u8>, limit: u64) -> Result<Vec<u8>> {
        format::unpacked(file, limit)
    }

    fn check_computed(
        &self,
        op: &ParsedOp<'_>,
        key: &str,
        reads: &dyn Fn(&[&str]) -> bool,
        rows: &[Row],
    ) -> Result<()> {
        resolve::units::check(self, op, key, reads, rows)
    }

    fn check_written(&self, written: &Written<'_>) -> Result<()> {
        tables::computed::check(self, written)
    }

    fn shared_rows(&self, op: &ParsedOp<'_>, key: &str) -> Option<Result<SharedRows>> {
        resolve::StyleTarget::shared_rows(self, op, key)
    }

    fn decimals(&self, key: &str) -> usize {
        resolve::units::decimals(self, key)
    }

    const COLUMN_HINT: &'static str =
        "attributes as written are rows of attributes(ref, name, value)";
    fn column_op(column: &str) -> Option<String> {
        // Another word may be misspelt, and `set` writes any.
        let is_known = matches!(column, "href" | "transform" | "width" | "height")
            || property::named(column).is_some();
        is_known.then(|| format!("set {{rows}} {column} value:={{value}}"))
    }

    fn piece(&self, shown: &Shown, row: Row) -> Option<SqlPiece> {
        display::diff::piece(self, shown, row)
    }

    fn changed_values(&self, row: Row, field: &FieldChange) -> Option<Vec<SqlChange>> {
        display::changed::values(self, row, field)
    }

    fn form_changes(&self, was: &[u8], is: &[u8]) -> Vec<FieldChange> {
        display::form::changes(self.envelope.encoding, was, is)
    }

    fn places(&self, rows: &[Row]) -> Vec<Option<(u32, Field)>> {
        display::places::places(self, rows)
    }

    fn show(&self, id: u32) -> Option<Shown> {
        display::diff::show(self, id)
    }

    fn show_line(&self, id: u32, along: &dyn Fn(u32) -> bool) -> Option<String> {
        display::diff::show_line(self, id, along)
    }

    fn show_part(&self, field: &str) -> Vec<Field> {
        display::diff::show_part(self, field)
    }

    fn digest_counts(&self) -> Vec<String> {
        self.tally()
    }

    fn digest_metrics(&self) -> Vec<String> {
        self.measures()
    }

    fn headline(&self) -> String {
        self.size_word()
    }

    fn describe_row(&self, row: Row) -> Option<String> {
        Some(self.outlined(NodeId::new(row.id())))
    }

    fn title(&self) -> Option<String> {
        self.heading()
    }

    fn find_text(&self, text: &str) -> Option<Listing<'_>> {
        Some(self.search(text))
    }

    fn absence_reason(&self, name: &str) -> Option<String> {
        let entity = self.entity_of(name)?;
        Some(format!(
            "{name} is inside entity &{entity}; of the DOCTYPE, where nothing is edited"
        ))
    }

    fn meant_ops(&self, op: &ParsedOp<'_>) -> Vec<String> {
        resolve::meant::ops(op)
    }

    fn select_native(&self, text: &str) -> Option<Result<Vec<Row>, ValueError>> {
        self.by_css(text)
    }

    fn sql_functions(&self) -> Vec<SqlFunction> {
        vec![SqlFunction {
            name: "color",
            args: 1,
            doc: "color('red') '#ff0000'; NULL for what is not a colour",
            call: Box::new(|cells| Ok(tables::color(cells))),
        }]
    }

    fn neighbors(&self, changes: &[DrawingEvent]) -> Vec<Row> {
        changes
            .iter()
            .flat_map(|change| self.next_to(change))
            .collect()
    }

    fn affected_rows(&self, touched: &[Row]) -> Vec<Row> {
        self.hanging_on(touched)
    }

    fn nearby_rows(&self, touched: &[Row]) -> Vec<Row> {
        self.lying_near(touched)
    }

    fn settle(&mut self, changes: &[DrawingEvent]) -> Result<Vec<String>> {
        let mut notes = style::rematched(self, changes);
        notes.extend(connectors::follow(self, changes)?);
        self.respell(changes)?;
        Ok(notes)
    }
}

impl Drawing {
    fn opened(bytes: &[u8], name: &str, limit: usize, bounds: &Bounds) -> Result<Self> {
        let mut drawing = format::read(bytes, limit, bounds)?;
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        drawing.folder.give(folder.to_owned());
        Ok(drawing)
    }
}
