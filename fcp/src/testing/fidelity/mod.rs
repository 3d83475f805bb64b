//! Random sessions on files, checked by libraries that are not part of this project.
//!
//! A session opens a file and sends ops that mostly apply. Every few ops, the document's account of
//! the bytes that a save would change is compared with both files, byte by byte and as each
//! [`Judge`] reads them: bytes outside the account are equal, bytes inside it have changed, and what the table `changes`
//! says of a value is what the judges read before and after. At
//! the end the document is saved, the judges read the saved file, and undoing everything restores
//! the opened file. A fault is reported with the fewest calls that lead to it.

mod any;
mod author;
mod check;
mod identity;
mod ledger;
mod play;
mod reading;
mod report;
mod run;
mod shrink;
mod spans;
mod told;

pub use any::{any_edits, made};
pub use author::Count;
pub use check::Complaint;
pub use ledger::{Claim, Ledger};
pub use play::Sample;
pub use reading::{Fact, Judge, Value, keeps};
pub use report::{Finding, Outcome};
pub use run::{Effort, Outside, fidelity, samples};
