//! Random sessions on small files, held against `midly`: see `fcp::testing::fidelity`.

use fcp::testing::fidelity::{Effort, Judge, fidelity};
use fcp_judges::{Midly, samples};
use fcp_midi::Song;

#[test]
fn nothing_changes_but_what_the_account_says() {
    let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(Midly)];
    let files = samples::smf();
    let outcome = fidelity::<Song>(&files, &mut judges, Effort::TEST, None);
    assert!(outcome.is_clean(), "{outcome}");
    assert_eq!(
        (outcome.files, outcome.unread.len()),
        (files.len(), 0),
        "{outcome}"
    );
    assert!(outcome.applied * 4 > outcome.tried, "{outcome}");
}
