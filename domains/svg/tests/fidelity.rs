//! Random sessions on small files, held against `roxmltree`: see `fcp::testing::fidelity`.

use fcp::testing::fidelity::{Effort, Judge, fidelity};
use fcp_judges::{Roxmltree, samples};
use fcp_svg::Drawing;

#[test]
fn nothing_changes_but_what_the_account_says() {
    let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(Roxmltree)];
    let files = samples::xml();
    let outcome = fidelity::<Drawing>(&files, &mut judges, Effort::TEST, None);
    assert_eq!(outcome.faults().count(), 0, "{outcome}");
    assert_eq!(
        (outcome.files, outcome.unread.len()),
        (files.len(), 0),
        "{outcome}"
    );
    assert!(outcome.applied * 8 > outcome.tried, "{outcome}");
}
