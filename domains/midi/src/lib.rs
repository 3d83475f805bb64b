//! Standard MIDI Files, edited through FCP.

mod actions;
pub mod clock;
mod facts;
pub mod format;
mod item;
pub mod lines;
mod lints;
pub mod model;
mod place;
mod queries;
mod selectors;
pub mod smf;
mod stamp;
pub mod text;
pub mod values;
mod verbs;
mod wish;

use fcp::prelude::*;

pub use model::Song;

impl Domain for Song {
    const NOUN: &'static str = "song";
    const NUMBERED: &'static [&'static str] = &["track"];
    const FORMATS: &'static [Format] = &[Format {
        name: "smf",
        extensions: &["mid", "midi", "smf", "kar", "rmi"],
        doc: "Standard MIDI File",
    }];
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

    fn read(bytes: &[u8], _name: &str) -> Result<Self> {
        format::read(bytes)
    }

    fn write(&self, _format: &str) -> Result<Vec<u8>> {
        format::write(self)
    }

    fn counts(&self) -> Vec<String> {
        vec![
            format!("{}t", self.tracks_in_use()),
            format!("{}e", self.track_rows()),
        ]
    }

    fn metrics(&self) -> Vec<String> {
        self.measures()
    }

    fn headline(&self) -> String {
        self.summary()
    }

    fn made(&self) -> String {
        format!("{} ppqn:{}", self.start().join(" "), self.ppqn())
    }

    fn written(&self, _: &[u8]) -> String {
        let chunks = self.chunks.len();
        let noun = if chunks == 1 { "chunk" } else { "chunks" };
        format!("SMF {}, {chunks} {noun}", self.file.header.format)
    }

    fn title(&self) -> Option<String> {
        let chunk = self.first_chunk()?;
        self.chunk_name(chunk)
    }

    fn make(&self, kind: &str, name: &str) -> Option<String> {
        if kind != "track" {
            return None;
        }
        let instrument = values::guess_instrument(name)
            .map_or(String::new(), |name| format!(" instrument:{name}"));
        Some(format!("track add {}{instrument}", fcp::op::quote(name)))
    }
}
