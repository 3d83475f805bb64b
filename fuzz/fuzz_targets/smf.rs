//! Any bytes: they are refused, or open and come back byte for byte.

#![no_main]

use fcp_midi::smf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = smf::read(bytes) else { return };
    assert!(smf::write(&file) == bytes);
    for track in file.tracks() {
        assert!(track.events.is_sorted_by_key(|event| event.tick));
        assert!(track.last_tick() <= smf::MAX_TICK);
        assert!(track.end.is_none() || track.claim.is_none() || track.fault.is_some());
    }
    let mut mended = file;
    mended.header.claim = None;
    if let smf::Container::Riff(riff) = &mut mended.container {
        (riff.claim, riff.data_claim) = (None, None);
    }
    for chunk in &mut mended.chunks {
        if let smf::Chunk::Track(track) = chunk {
            track.drop_damage();
        }
    }
    let events = smf::export_events(&mended);
    let again = smf::read(&smf::write(&mended)).expect("a mended file opens");
    assert!(smf::export_events(&again) == events);
});
