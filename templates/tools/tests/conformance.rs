//! The tools are consistent, and their program keeps the contract: see `fcp::testing`.

fcp::testing::tools!(fcp_tally::Tally);
