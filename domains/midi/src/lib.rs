//! Standard MIDI Files, edited through FCP.
//! Only the domain as the framework sees it is here; each room says what belongs there.

mod actions;
#[cfg(feature = "audio")]
mod audio;
mod checks;
mod display;
mod edit;
pub mod format;
mod grid;
mod harmony;
mod lints;
pub mod model;
mod notation;
mod parameters;
mod phrase;
mod queries;
mod resolve;
mod selectors;
pub mod smf;
mod soundfont;
mod tables;
pub mod time;
pub mod values;
mod verbs;

use fcp::domain::{IsFolder, Large, Reading, Saving, SqlFunction, SqlPiece};
use fcp::op::ParsedOp;
use fcp::prelude::*;
use fcp::reply::count;

pub use model::Song;
use model::{Manner, SongEvent};
use values::Encoding;

impl Domain for Song {
    const NOUN: &'static str = "song";
    const NUMBERED: &'static [&'static str] = &["track"];
    const QUALIFIED: &'static [&'static str] = &["marker"];
    const NUMBERS: &'static str = "ticks";
    const NUMBER_COLUMNS: &'static [(&'static str, &'static str)] =
        &[("at", "tick"), ("end", "tick")];
    // Moved one by one, notes would collide with others that have not moved yet. Renamed one by one,
    // tracks would be reported by names that earlier renames gave them: the ~2 of equal names.
    const TOGETHER: &'static [&'static str] = &[
        "pitch", "at", "dur", "duration", "end", "ch", "channel", "on", "to", "by", "name",
    ];
    const FOLLOWS: &'static [(&'static str, &'static [&'static str])] = tables::FOLLOWS;
    const SQL_NOTES: &'static str = "Functions: pitch('C4'), pitch_name(60), tick('9.1'). near_bar and near_beat: the nearest beat, off_beat ticks from it; \
         nth: order on a tick. vel 1-127, off_vel 0-127, seconds unrounded; a note that nothing ends has dur NULL.";
    const FORMATS: &'static [Format] = &[Format {
        name: "smf",
        extensions: &["mid", "midi", "smf", "kar", "rmi"],
        doc: "Standard MIDI File",
    }];
    const HINT: &'static str = "POS 5, 5.3, 5.3+e, Chorus, end. DUR w h q e s, q., e3. VEL 1-127, mf. \
         phrase Bass \"A1/q. A1/e r/q _ | C2+E2/w\"; grid Drums kick x...x... hat x step:e times:4.";
    const LARGE: &'static [Large] = format::LARGE;
    const SQL_EXAMPLES: &'static [&'static str] = &[
        "? SELECT track, count(*), min(pitch_name(pitch)) FROM notes GROUP BY track",
        "? WITH loud AS (SELECT bar FROM notes WHERE vel>100) SELECT bar, count(*) FROM loud GROUP BY bar",
        "UPDATE notes SET vel=min(127, round(vel*1.1)) WHERE bar BETWEEN 5 AND 8",
        "DELETE FROM cc WHERE number=7 AND pos<>'1.1'",
        "INSERT INTO notes(track, pitch, pos, dur, vel) SELECT track, pitch+12, pos, dur, vel FROM notes WHERE bar=1",
        "modify @where:\"NOT drum AND vel<40\" vel:=vel+20",
        "each \"SELECT track FROM tracks WHERE track REGEXP '^Vi'\" \"velocity @track:{track} 90%\"",
    ];

    const WORKFLOW: &'static str = r#"
! new "Harbor Light" tempo:96 key:A-minor
track add Piano instrument:piano
track add Drums instrument:standard-kit
chord Piano Am at:1.1 dur:h
note Piano C5 at:1.3 dur:q vel:mf
note Drums kick at:1.1
modify @track:Piano @range:1 vel:+10
copy @range:1 to:2
? events Piano 1-2
! checkpoint draft
transpose @track:Piano +2
! undo to:draft
! save as:harbor.mid
"#;

    const SETTINGS: &'static [(&'static str, &'static str)] = &[
        (
            "encoding",
            "of texts that are not UTF-8: cp1252 (latin-1 is the same), shift-jis …",
        ),
        (
            "overlap",
            "cut|refuse: whether notes of a pitch that would overlap are cut or an error (cut)",
        ),
        (
            "spelling",
            "auto|sharps|flats: how pitches are shown; auto is by the key (auto)",
        ),
    ];
    const USUAL: &'static [(&'static str, &'static str)] =
        &[("overlap", "cut"), ("spelling", "auto")];

    /// Music is written part by part, so silence is only reported once it lasts.
    const LATE: &'static [&'static str] = &["empty"];
    const PAGES: &'static [(&'static str, usize)] = &[("find", 40)];

    fn row_at(&self, part: usize, place: usize) -> Option<u32> {
        let tracks = model::part::<model::Track>();
        let (id, _) = self.ordered().nth(place).filter(|_| part == tracks)?;
        Some(id.number())
    }

    fn find_text(&self, text: &str) -> Option<Listing<'_>> {
        Some(self.found(text))
    }

    const POSITION: Option<(&'static str, &'static str, &'static str)> =
        Some(("at", "pos", "The place as ops take it: 5.3.240."));

    fn column_op(column: &str) -> Option<String> {
        // Rows of `tempo` have microseconds a quarter.
        (column == "bpm").then(|| "modify {rows} bpm:={value}".to_owned())
    }

    fn check_computed(
        &self,
        op: &ParsedOp<'_>,
        key: &str,
        reads: &dyn Fn(&[&str]) -> bool,
        _: &[Row],
    ) -> Result<()> {
        resolve::tempo_column::check(op, key, reads)
    }

    fn position(&self, row: Row) -> Option<String> {
        let (chunk, tick) = self.starts(row)?;
        Some(self.shown(chunk, tick))
    }

    fn describe_row(&self, row: Row) -> Option<String> {
        display::row_line::of_row(self, row)
    }

    fn show(&self, id: u32) -> Option<Shown> {
        display::row_fields::show(self, id, tables::content)
    }

    fn places(&self, rows: &[Row]) -> Vec<Option<(u32, Field)>> {
        display::row_fields::places(self, rows)
    }

    fn piece(&self, _shown: &Shown, row: Row) -> Option<SqlPiece> {
        display::row_fields::piece(self, row)
    }

    fn shown_with(&self, touched: &[Row]) -> Vec<Row> {
        display::row_fields::shown_with(self, touched)
    }

    fn show_part(&self, field: &str) -> Vec<Field> {
        display::row_fields::show_part(self, field)
    }

    fn difference(&self, then: &Field, now: &Field) -> Option<String> {
        display::row_fields::step(then, now)
    }

    fn check_setting(key: &str, value: &str, _: IsFolder<'_>) -> Result<(), ValueError> {
        Manner::check(key, value).unwrap_or_else(|| Encoding::parse(value).map(drop))
    }

    fn apply_setting(&mut self, key: &str, value: Option<&str>) {
        let mut is_manner = false;
        self.manner
            .adjust(|manner| is_manner = manner.adjust(key, value));
        if is_manner {
            return;
        }
        self.set_encoding(value.and_then(|value| Encoding::parse(value).ok()));
    }

    fn begin_together(&mut self) -> bool {
        self.begin_gathering();
        true
    }

    fn end_together(&mut self, keep: bool) -> Result<Vec<String>> {
        let settled = match keep {
            true => tables::settle(self),
            false => Ok(()),
        };
        let gathered = self.end_gathering(keep && settled.is_ok());
        settled.and(gathered)
    }

    fn is_idle(event: &SongEvent) -> bool {
        matches!(event, SongEvent::Cursors(_))
    }

    fn begin_apart(&mut self) {
        Self::begin_apart(self);
    }

    fn end_apart(&mut self, keep: bool) -> Result<Vec<String>> {
        Self::end_apart(self, keep)
    }

    fn sql_functions(&self) -> Vec<SqlFunction> {
        tables::functions(self)
    }

    fn settle(&mut self, changes: &[SongEvent]) -> Result<Vec<String>> {
        self.own_names_after(changes);
        Ok(Vec::new())
    }

    fn neighbors(&self, changes: &[SongEvent]) -> Vec<Row> {
        self.next_to(changes)
    }

    fn affected_rows(&self, touched: &[Row]) -> Vec<Row> {
        self.dependent_tracks(touched)
    }

    fn affects_all(&self, touched: &[Row]) -> bool {
        self.changes_names(touched)
    }

    fn inherit(&mut self, before: &Self) {
        let font = before.sound.font.clone();
        self.sound.adjust(|sound| sound.font = font);
    }

    fn read(bytes: &[u8], _name: &str) -> Result<Self> {
        format::read(bytes)
    }

    fn read_within(bytes: &[u8], _: &str, reading: &Reading) -> Result<Self> {
        let encoding = reading.setting("encoding");
        let encoding = encoding.and_then(|name| Encoding::parse(name).ok());
        format::read_in(bytes, encoding)
    }

    const SAVING: &'static [(&'static str, &'static str)] = &[
        ("smf:0|1", "one chunk for all, or a chunk for each track"),
        ("audible:on", "without the tracks that are not heard"),
    ];

    fn convert(&mut self, saving: &Saving) -> Result<Option<String>> {
        match saving.value("smf") {
            None => Ok(None),
            Some("0") => self.join(),
            Some("1") => self.split(),
            Some(other) => bail!("smf:{other} is not 0 or 1"),
        }
    }

    fn write_as(&self, _format: &str, saving: &Saving, out: &mut Pieces) -> Result<()> {
        let heard = |track| self.is_heard(track);
        let keep: &dyn Fn(Id<model::Track>) -> bool = &heard;
        format::write_of(self, only_audible(saving)?.then_some(keep), out)
    }

    fn omissions(&self, saving: &Saving) -> Vec<String> {
        if !only_audible(saving).unwrap_or(false) {
            return Vec::new();
        }
        display::row_line::unheard(self)
    }

    fn write(&self, _format: &str, out: &mut Pieces) -> Result<()> {
        format::write_of(self, None, out)
    }

    const FORM: Option<fcp::domain::PieceForm> = Some(smf::status_form);

    fn digest_counts(&self) -> Vec<String> {
        vec![
            format!("{}t", self.tracks_in_use()),
            format!("{}e", self.track_rows()),
        ]
    }

    fn digest_metrics(&self) -> Vec<String> {
        self.measures()
    }

    fn headline(&self) -> String {
        self.summary()
    }

    fn initial_values(&self) -> String {
        format!("{} ppqn:{}", self.start().join(" "), self.ppqn())
    }

    fn file_summary(&self, _: &[u8], saving: &Saving) -> String {
        let (tracks, others): (Vec<_>, Vec<_>) =
            self.chunks.iter().partition(|(_, chunk)| chunk.is_track());
        let left_out = match only_audible(saving) {
            Ok(true) => format::left_out(self, &|track| self.is_heard(track)).len(),
            _ => 0,
        };
        let chunks = count(tracks.len().saturating_sub(left_out), "chunk");
        let kept = others.iter().take(5).map(|(_, chunk)| {
            let name = String::from_utf8_lossy(&chunk.name);
            format!(", {name} kept")
        });
        let kept: String = kept.collect();
        format!("SMF {}, {chunks}{kept}", self.file.header.format)
    }

    fn file_kind(&self) -> Option<String> {
        Some(format!("SMF {}", self.file.header.format))
    }

    fn title(&self) -> Option<String> {
        let chunk = self.first_chunk()?;
        self.chunk_name(chunk)
    }

    fn selector_for(&self, name: &str) -> Option<String> {
        match self.is_section(name) {
            true => Some(resolve::section::selector(name)),
            false => resolve::section::bars(name),
        }
    }

    fn creation_op(&self, kind: &str, name: &str) -> Option<String> {
        // Names that read as music, or that mean everything, are not offered as track names.
        let is_name = name.contains(char::is_alphabetic) && !name.contains('*');
        let is_word = ["song", "all", "none"]
            .iter()
            .any(|word| name.eq_ignore_ascii_case(word));
        let is_music = name.contains(['/', '|', '('])
            || name.starts_with(['+', '-'])
            || values::PitchWord::parse(name).is_ok()
            || values::HexEvent::parse(name).is_ok();
        if kind != "track" || is_music || is_word || !is_name {
            return None;
        }
        let instrument = values::guess_instrument(name).map_or(String::new(), |name| {
            match values::Instrument::parse(name) {
                Ok(sound) if sound.kit => format!(" instrument:{name} ch:10"),
                _ => format!(" instrument:{name}"),
            }
        });
        Some(format!("track add {}{instrument}", fcp::op::quote(name)))
    }
}

/// Whether a save leaves out tracks that are not heard.
fn only_audible(saving: &Saving) -> Result<bool> {
    let audible = saving.value("audible").map(Switch::parse).transpose();
    let audible = audible.map_err(|error| Diagnostic::new(error.about("audible:")))?;
    Ok(audible == Some(Switch(true)))
}
