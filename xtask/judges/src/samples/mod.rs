//! Small handwritten files with encodings and forms that are rare in other files.

mod smf;
mod xml;

pub use smf::smf;
pub use xml::xml;

use fcp::testing::fidelity::Sample;

fn sample(name: &str, bytes: impl Into<Vec<u8>>) -> Sample {
    Sample {
        name: name.to_owned(),
        bytes: bytes.into(),
        begun: Vec::new(),
    }
}
