//! The domain is consistent, and its program keeps the contract: see `fcp::testing`.

fcp::testing::conformance!(fcp_checklist::Checklist);
