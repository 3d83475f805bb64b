//! Size limits of replies: each query on a song of 16 tracks and 5,000 notes, through the program,
//! reading all pages.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::testing::Server;
use tempfile::{TempDir, tempdir};

const PITCHED: [(&str, &str); 15] = [
    ("Piano", "piano"),
    ("Keys", "rhodes"),
    ("Organ", "organ"),
    ("Guitar", "guitar"),
    ("Bass", "bass"),
    ("Violin", "violin"),
    ("Cello", "cello"),
    ("Strings", "strings"),
    ("Trumpet", "trumpet"),
    ("Horn", "horn"),
    ("Sax", "sax"),
    ("Flute", "flute"),
    ("Lead", "lead"),
    ("Pad", "pad"),
    ("Marimba", "marimba"),
];

const BARS: usize = 64;

/// A song as an agent might make it: sections, changes of tempo, meter and key, controllers,
/// chords, lines and drums.
fn ops() -> Vec<String> {
    let mut ops: Vec<String> = PITCHED
        .iter()
        .map(|(name, sound)| format!("track add {name} instrument:{sound} volume:90 pan:center"))
        .collect();
    ops.push("track add Drums instrument:standard-kit volume:100".to_owned());
    let sections = [
        "Intro", "Verse", "Chorus", "Verse", "Chorus", "Bridge", "Chorus", "Outro",
    ];
    for (ix, section) in sections.iter().enumerate() {
        ops.push(format!("marker {section} at:{}", ix * 8 + 1));
    }
    for (at, tempo) in [
        (9, 98),
        (17, 104),
        (25, 98),
        (33, 104),
        (41, 88),
        (49, 106),
        (61, 92),
    ] {
        ops.push(format!("tempo {tempo} at:{at}"));
    }
    ops.push("key-sig C-major at:41".to_owned());
    for (ix, (name, _)) in PITCHED.iter().enumerate() {
        // Each part has its own place in the chord of the bar.
        let line = match ix {
            0 | 7 => "A3+C4+E4/h A3+C4+E4 | F3+A3+C4/h F3+A3+C4 |",
            1 | 13 => "C4+E4+A4/h C4+E4+A4 | C4+F4+A4/h C4+F4+A4 |",
            4 => "A1/q. A1/e A2/h | F1/q. F1/e F2/h |",
            2 | 6 | 9 => "A3/e E4 A4 E4 C5/q r/e A4 | C5/q. A4/e F4/h |",
            3 | 10 | 12 => "E5/e C5 A4 C5 E5/q r/e C5 | F5/q. C5/e A4/h |",
            _ => "C5/e A4 E5 C5 A5/q r/e E5 | A5/q. F5/e C5/h |",
        };
        let line = format!(
            "phrase {name} \"({line})*{}\" at:1 vel:{}",
            BARS / 2,
            70 + ix
        );
        ops.push(line);
    }
    ops.push(format!(
        "grid Drums kick x...x... snare ..x...x. hat x.x.x.x. step:e times:{BARS}"
    ));
    ops.push("pedal Piano 1-32".to_owned());
    for name in ["Strings", "Pad"] {
        ops.push(format!(
            "ramp {name} expression from:40 to:110 at:17 until:25 step:q"
        ));
    }
    ops.push("bend Lead +2st at:20.3".to_owned());
    ops.push("bend Lead center at:21".to_owned());
    ops.push("lyric Flute Ah at:17".to_owned());
    ops.push("crescendo @track:Violin @section:Bridge from:p to:f".to_owned());
    ops.push("humanize @track:Guitar @range:9-12 time:6 vel:4 seed:7".to_owned());
    ops
}

/// The program with that song, saved and opened again.
fn asked() -> (TempDir, Server) {
    let root = tempdir().unwrap();
    let mut server = Server::new(env!("CARGO_BIN_EXE_fcp-midi"), root.path());
    server.act("new \"Harbor Lights\" tempo:96 key:A-minor");
    let ops = ops();
    server.run(&ops.iter().map(String::as_str).collect::<Vec<_>>());
    server.act("save as:large.mid");
    server.act("open large.mid");
    for op in [
        "velocity @track:Drums @pitch:snare +6",
        "transpose @track:Flute @section:Bridge +2 in:key",
        "cc Organ expression 100 at:41",
        "note Trumpet C5 at:64.4 dur:e",
        "remove @track:Horn @range:57-60",
    ] {
        server.run(&[op]);
    }
    for n in 0..12 {
        server.act(&format!("checkpoint before-part-{n}"));
    }
    (root, server)
}

/// The complete reply of a query, page by page.
fn pages(server: &mut Server, query: &str) -> Vec<String> {
    let mut pages = vec![server.query(query)];
    loop {
        let last = pages.last().unwrap();
        assert!(last.len() <= 16 * 1024, "{query}: {} bytes", last.len());
        let tail = last.lines().last().unwrap();
        let Some((_, next)) = tail
            .strip_prefix('…')
            .and_then(|tail| tail.split_once(" more ("))
        else {
            return pages;
        };
        let next = next.trim_end_matches(')').to_owned();
        pages.push(server.query(&next));
    }
}

/// A size limit of a query.
enum Budget {
    /// Bytes in total.
    Whole(usize),
    /// Bytes per row, without line breaks and links to further pages.
    Row(f64),
}

#[test]
fn answers_keep_their_budgets_and_change_nothing() {
    use Budget::{Row, Whole};
    let (_root, mut server) = asked();
    let stats = server.query("stats");
    println!("{stats}");
    let digest = server.query("status").lines().last().unwrap().to_owned();
    let steps = 4 * 8;
    let cells = 16 * BARS;
    let flute = 320;
    let table = [
        ("map", Whole(60 * 16 + 400)),
        ("tracks", Row(100.0)),
        ("describe Piano", Whole(500)),
        ("describe Drums", Whole(500)),
        // Names are before the cells, and above them at the start of sections.
        ("bars", Whole(cells * 13 / 10 + 16 * 9 + 8 * 12)),
        ("events Flute", Row(26.0)),
        ("events Piano", Row(26.0)),
        ("events Drums", Row(26.0)),
        ("events *", Row(26.0)),
        ("events Piano,Bass 17-24", Row(26.0)),
        ("events song", Row(26.0)),
        ("phrase Flute", Whole(7 * flute)),
        ("phrase Piano grid:exact", Whole(7 * 384)),
        ("phrase Guitar 9-12", Whole(7 * 24)),
        ("grid Drums 1-4", Whole(11 * 3 * steps / 10 + 3 * 14)),
        ("grid Piano 1-4", Whole(11 * 8 * 16 / 10 + 8 * 14)),
        ("tempo-map", Row(40.0)),
        ("at 20.3", Whole(400)),
        ("at 1", Whole(400)),
        ("at 17", Whole(400)),
        ("chords", Whole(9 * BARS)),
        ("chords Piano", Whole(9 * BARS)),
        ("find A5", Row(30.0)),
        ("find snare", Row(30.0)),
        ("find chorus", Row(30.0)),
        ("list", Row(32.0)),
        ("list @type:cc", Row(32.0)),
        ("list @beat:1.0", Row(32.0)),
        ("list @recent", Row(32.0)),
        ("instruments", Row(30.0)),
        ("instruments bass", Row(30.0)),
        ("stats", Whole(600)),
        ("status", Whole(400)),
        ("history", Row(60.0)),
        ("warnings", Row(60.0)),
        ("diff checkpoint:open", Whole(4_000)),
        ("diff checkpoint:open rows:on", Row(60.0)),
        ("plan note Flute C5 at:64.1; tempo 90 at:64", Row(60.0)),
    ];
    let mut over = Vec::new();
    for (query, budget) in table {
        let pages = pages(&mut server, query);
        let (line, kept) = match budget {
            Whole(most) => {
                let bytes: usize = pages.iter().map(|page| page.len() + 1).sum();
                (format!("{bytes} of {most}"), bytes <= most)
            }
            Row(most) => {
                let lines = pages.iter().flat_map(|page| page.lines());
                let rows: Vec<&str> = lines.filter(|line| !line.starts_with('…')).collect();
                let bytes: usize = rows.iter().map(|row| row.len()).sum();
                #[allow(clippy::cast_precision_loss)]
                let each = bytes as f64 / rows.len() as f64;
                let line = format!("{each:.1} of {most} a row, {} rows", rows.len());
                (line, each <= most)
            }
        };
        let line = format!("{query:<44} {line}");
        println!("{line}");
        if !kept {
            over.push(format!("{line}\n{}", pages[0]));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n\n"));
    assert_eq!(server.query("status").lines().last().unwrap(), digest);
}
