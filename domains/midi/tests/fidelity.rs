//! Random sessions on small files, compared with `midly`: see `fcp::testing::fidelity`.

use fcp::testing::fidelity::{Effort, Judge, fidelity};
use fcp_judges::{Midly, samples};
use fcp_midi::Song;

/// Complaints that are correct but not faults: the check, and the verb.
pub const EXPECTED: &[(&str, &str)] = &[
    // A setting in deleted bars is removed with them; if it is still in effect after them, it is
    // written again at their start, possibly at the same place.
    ("identity", "bars delete"),
];

#[test]
fn nothing_changes_but_what_the_account_says() {
    let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(Midly)];
    let files = samples::smf();
    let outcome = fidelity::<Song>(&files, &mut judges, Effort::TEST, None);
    let new = outcome.faults().filter(|fault| !EXPECTED.contains(fault));
    assert_eq!(new.count(), 0, "{outcome}");
    assert_eq!(outcome.files, files.len(), "{outcome}");
    // `midly` does not read running status that continues after a meta event.
    assert_eq!(outcome.unread.get("midly"), Some(&1), "{outcome}");
    assert!(outcome.applied * 8 > outcome.tried, "{outcome}");
}

/// Values that SQL may write and that no file here has: a lyric in one of several tracks.
const UNWRITTEN: &[&str] = &["lyrics.track"];

#[test]
fn sql_makes_only_the_reported_changes() {
    let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(Midly)];
    let outcome = fidelity::<Song>(&samples::smf(), &mut judges, Effort::SQL, None);
    assert!(outcome.is_clean(), "{outcome}");
    let unwritten: Vec<&str> = outcome.unwritten().collect();
    assert_eq!(unwritten, UNWRITTEN, "{outcome}");
}
