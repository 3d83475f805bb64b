//! Random sessions on small files, held against `roxmltree`: see `fcp::testing::fidelity`.

use fcp::testing::fidelity::{Effort, Judge, fidelity};
use fcp_judges::{Roxmltree, samples};
use fcp_svg::Drawing;

/// Faults that wait to be mended: the check that fails, and the verb.
pub const KNOWN: &[(&str, &str)] = &[];

#[test]
fn nothing_changes_but_what_the_account_says() {
    let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(Roxmltree)];
    let files = samples::xml();
    let outcome = fidelity::<Drawing>(&files, &mut judges, Effort::TEST, None);
    let new = outcome.faults().filter(|fault| !KNOWN.contains(fault));
    assert_eq!(new.count(), 0, "{outcome}");
    assert_eq!(
        (outcome.files, outcome.unread.len()),
        (files.len(), 0),
        "{outcome}"
    );
    assert!(outcome.applied * 8 > outcome.tried, "{outcome}");
}
