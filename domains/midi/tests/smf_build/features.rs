//! Tracks that each show one feature of the format.

use super::END;

/// A track, and the content that a reader must find.
pub struct Feature {
    /// The feature.
    pub name: &'static str,
    /// The content of its chunk.
    pub track: Vec<u8>,
    /// Number of events before the end of track or the fault.
    pub events: usize,
    /// The offset of the fault in the content, if there is one.
    pub fault: Option<usize>,
}

fn sound(name: &'static str, events: usize, parts: &[&[u8]]) -> Feature {
    Feature {
        name,
        track: [&parts.concat(), END].concat(),
        events,
        fault: None,
    }
}

fn bare(name: &'static str, events: usize, track: &[u8]) -> Feature {
    Feature {
        name,
        track: track.to_vec(),
        events,
        fault: None,
    }
}

fn damaged(name: &'static str, events: usize, fault: usize, track: &[u8]) -> Feature {
    Feature {
        name,
        track: track.to_vec(),
        events,
        fault: Some(fault),
    }
}

/// All features.
pub fn features() -> Vec<Feature> {
    let mut all = notes();
    all.extend(metas());
    all.extend(system());
    all.extend(numbers());
    all.extend(ends());
    all.extend(damage());
    all
}

fn notes() -> Vec<Feature> {
    let offs: Vec<u8> = (0..128)
        .flat_map(|v| [0, 0x90, v, 1, 1, 0x80, v, v])
        .collect();
    let channels: Vec<u8> = (0..16u8)
        .flat_map(|c| [0, 0xc0 | c, c, 0, 0x90 | c, 60, 64, 9, 0x90 | c, 60, 0])
        .collect();
    let controllers: Vec<u8> = (0..128).flat_map(|c| [1, 0xb3, c, 127 - c]).collect();
    vec![
        sound("written status", 2, &[b"\0\x90\x3c\x40\x60\x80\x3c\x40"]),
        sound(
            "running status",
            4,
            &[b"\0\x90\x3c\x40\x60\x3c\0\0\x3e\x40\x60\x3e\0"],
        ),
        sound(
            "running status of one byte",
            3,
            &[b"\0\xc0\x05\0\x06\0\x07"],
        ),
        sound(
            "running status after a meta",
            3,
            &[b"\0\x90\x3c\x40\0\xff\x05\x01a\x60\x3c\0"],
        ),
        sound(
            "running status after a sysex",
            3,
            &[b"\0\x90\x3c\x40\0\xf0\x01\xf7\x60\x3c\0"],
        ),
        sound(
            "running status after an escape",
            3,
            &[b"\0\x90\x3c\x40\0\xf7\x01\xb0\x60\x3c\0"],
        ),
        sound(
            "running status after system",
            4,
            &[b"\0\x90\x3c\x40\0\xf2\x01\x02\0\xf8\x60\x3c\0"],
        ),
        sound("off velocities", 256, &[&offs]),
        sound("note-ons as offs", 2, &[b"\0\x95\x3c\x40\x60\x3c\0"]),
        sound("stuck note", 1, &[b"\0\x90\x3c\x40"]),
        sound("orphan off", 2, &[b"\0\x80\x3c\x40\0\x90\x3d\0"]),
        sound("zero length", 2, &[b"\0\x90\x3c\x40\0\x80\x3c\x40"]),
        sound(
            "duplicate",
            4,
            &[b"\0\x90\x3c\x40\0\x3c\x40\x60\x3c\0\0\x3c\0"],
        ),
        sound(
            "nested",
            4,
            &[b"\0\x90\x3c\x40\x10\x3c\x41\x10\x3c\0\x10\x3c\0"],
        ),
        sound("all channels", 48, &[&channels]),
        sound("all controllers", 128, &[&controllers]),
        sound(
            "bends and pressure",
            3,
            &[b"\0\xe0\0\x40\0\xa0\x3c\x07\0\xd0\x09"],
        ),
        sound("rpn", 4, &[b"\0\xb0\x65\0\0\x64\0\0\x06\x0c\0\x26\0"]),
        sound(
            "bank before program",
            3,
            &[b"\0\xb0\0\x01\0\x20\x02\0\xc0\x05"],
        ),
        sound(
            "on before off of its pitch",
            4,
            &[b"\0\x90\x3c\x40\x60\x3c\x41\0\x3c\0\x60\x3c\0"],
        ),
    ]
}

fn metas() -> Vec<Feature> {
    let texts: Vec<u8> = (1..=10)
        .flat_map(|kind| [0, 0xff, kind, 2, b'x', kind])
        .collect();
    let every: Vec<u8> = (0..=255)
        .filter(|&kind| kind != 0x2f)
        .flat_map(|kind| [1, 0xff, kind, 1, 9])
        .collect();
    let bytes: Vec<u8> = (0..=255).collect();
    let long = vec![b'l'; 70_000];
    vec![
        sound("texts", 10, &[&texts]),
        sound("every kind", 255, &[&every]),
        sound("every byte", 1, &[b"\0\xff\x03\x82\0", &bytes]),
        sound("long text", 1, &[b"\0\xff\x01\x84\xa2\x70", &long]),
        sound("empty text", 1, &[b"\0\xff\x03\0"]),
        sound("names in two encodings", 2, &[b"\0\xff\x03\x04Caf\xe9\0\xff\x03\x05Caf\xc3\xa9"]),
        sound("shift-jis", 1, &[b"\0\xff\x05\x04\x83\x8f\x83\x8b"]),
        sound("channel prefix and port", 2, &[b"\0\xff\x20\x01\x03\0\xff\x21\x01\x01"]),
        sound("smpte offset", 1, &[b"\0\xff\x54\x05\x60\0\x01\x02\x03"]),
        sound("sequence number", 2, &[b"\0\xff\0\x02\0\x07\0\xff\0\0"]),
        sound("own meta of a sequencer", 1, &[b"\0\xff\x7f\x03\x43\x7b\x01"]),
        sound("meter inside a bar", 2, &[b"\0\xff\x58\x04\x04\x02\x18\x08\x64\xff\x58\x04\x03\x03\x18\x08"]),
        sound("key and tempo", 2, &[b"\0\xff\x59\x02\xfd\x01\0\xff\x51\x03\x07\xa1\x20"]),
        sound("unusual lengths", 4, &[b"\0\xff\x51\x02\x07\xa1\0\xff\x58\0\0\xff\x59\x03\0\0\0\0\xff\x51\x04\0\x07\xa1\x20"]),
        sound("absurd values", 3, &[b"\0\xff\x51\x03\0\0\0\0\xff\x58\x04\0\xff\0\0\0\xff\x59\x02\x7f\x7f"]),
    ]
}

fn system() -> Vec<Feature> {
    let mut real_time = vec![0, 0x90, 60, 64];
    real_time.extend((0xf8..=0xfe).flat_map(|status| [1, status]));
    vec![
        sound("sysex", 1, &[b"\0\xf0\x08\x43\x10\x4c\0\0\x7e\0\xf7"]),
        sound(
            "sysex in packets",
            3,
            &[b"\0\xf0\x03\x43\x12\0\x60\xf7\x02\x43\x12\x60\xf7\x02\0\xf7"],
        ),
        sound("empty sysex", 2, &[b"\0\xf0\0\0\xf7\0"]),
        sound(
            "sysex with any bytes",
            1,
            &[b"\0\xf0\x05\xff\x2f\0\x90\xf7"],
        ),
        sound(
            "escapes",
            3,
            &[b"\0\xf7\x02\xf3\x01\0\xf7\x01\xf8\0\xf7\x03\xff\x2f\0"],
        ),
        sound(
            "system common",
            6,
            &[b"\0\xf1\x7f\0\xf2\x7f\x7f\0\xf3\x7f\0\xf4\0\xf5\0\xf6"],
        ),
        sound("real time", 8, &[&real_time]),
        sound(
            "real time inside running status",
            3,
            &[b"\0\x90\x3c\x40\0\xfe\x60\x3c\0"],
        ),
    ]
}

fn numbers() -> Vec<Feature> {
    vec![
        sound(
            "wide delta times",
            2,
            &[b"\x80\0\x90\x3c\x40\x80\x80\x80\x60\x3c\0"],
        ),
        sound(
            "delta times of five bytes",
            2,
            &[b"\x80\x80\x80\x80\x05\x90\x3c\x40\x81\x80\x80\x80\0\x3c\0"],
        ),
        sound(
            "ticks beyond doubles",
            2,
            &[b"\xa0\x80\x80\x80\x80\x80\x80\0\x90\x3c\x40\x8f\xff\xff\xff\xff\xff\xff\x7f\x3c\0"],
        ),
        sound(
            "wide lengths",
            3,
            &[b"\0\xff\x01\x80\x02la\0\xf0\x80\x80\x01\xf7\0\xf7\x80\x80\x80\x80\x01\xf8"],
        ),
    ]
}

fn ends() -> Vec<Feature> {
    let note = b"\0\x90\x3c\x40\x60\x3c\0";
    vec![
        bare("no byte", 0, b""),
        bare("an end alone", 0, END),
        bare("no end", 2, note),
        bare(
            "late end",
            2,
            &[note, &b"\xae\xe1\x60\xff\x2f\0"[..]].concat(),
        ),
        bare(
            "wide end",
            2,
            &[note, &b"\x80\x80\0\xff\x2f\x80\0"[..]].concat(),
        ),
        bare(
            "end with bytes",
            2,
            &[note, &b"\0\xff\x2f\x02\x01\x02"[..]].concat(),
        ),
        bare("two ends", 2, &[note, END, END].concat()),
        bare("events after the end", 2, &[note, END, note].concat()),
        bare(
            "garbage after the end",
            2,
            &[note, END, b"\xff\xff\xff"].concat(),
        ),
    ]
}

fn damage() -> Vec<Feature> {
    vec![
        damaged("no status", 0, 1, b"\0\x3c\x40\0\xff\x2f\0"),
        damaged("data above 7F", 1, 6, b"\0\x90\x3c\x40\0\x91\xbc\x40\0\xff\x2f\0"),
        damaged("running data above 7F", 1, 6, b"\0\x90\x3c\x40\0\x3c\xbc\0\xff\x2f\0"),
        damaged("system data above 7F", 0, 2, b"\0\xf1\x90\0\xff\x2f\0"),
        damaged("cut delta time", 1, 6, b"\0\x90\x3c\x40\x80\x80"),
        damaged("cut before the status", 1, 5, b"\0\x90\x3c\x40\x60"),
        damaged("cut message", 1, 7, b"\0\x90\x3c\x40\x60\x80\x3c"),
        damaged("cut meta", 1, 6, b"\0\x90\x3c\x40\x60\xff"),
        damaged("cut length", 1, 8, b"\0\x90\x3c\x40\x60\xff\x2f\x80"),
        damaged("long meta", 1, 7, b"\0\x90\x3c\x40\x60\xff\x01\x09abc\0\xff\x2f\0"),
        damaged("long sysex", 1, 6, b"\0\x90\x3c\x40\x60\xf0\xff\xff\xff\x7f\xf7\0\xff\x2f\0"),
        damaged("endless delta time", 1, 4, &[&b"\0\x90\x3c\x40"[..], &[0xff; 300]].concat()),
        damaged("tick overflow", 1, 11, &b"\x8f\xff\xff\xff\xff\xff\xff\x7f\x90\x3c\x40\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x3c\0"[..]),
    ]
}
