//! Limits of calls.

use fcp::tool::limits;

limits! {
    /// The limits, each set by a flag of the program.
    pub struct Limits {
        /// The most bytes of content, diff or bundle in a reply [default: 1 MiB].
        inline: INLINE = "max-inline" "BYTES" 1 << 20;
        /// The largest file that is read [default: 64 MiB].
        file: FILE = "max-file" "BYTES" 64 << 20;
        /// The largest file of which a part is read [default: 256 MiB].
        ranged: RANGED = "max-ranged" "BYTES" 256 << 20;
        /// The largest file that is searched [default: 16 MiB].
        searched: SEARCHED = "max-searched" "BYTES" 16 << 20;
        /// The most files of a capture [default: 200000].
        files: FILES = "max-files" "N" 200_000;
        /// The most bytes of a capture [default: 4 GiB].
        capture: CAPTURE = "max-capture" "BYTES" 4 << 30;
        /// The longest patch [default: 5 MiB].
        patch: PATCH = "max-patch" "BYTES" 5 << 20;
        /// The most bytes of one write [default: 16 MiB].
        write: WRITE = "max-write" "BYTES" 16 << 20;
        /// The most files that a lease touches [default: 200000].
        touched: TOUCHED = "max-touched" "N" 200_000;
    }
}
