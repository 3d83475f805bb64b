//! The domain is consistent, and its program conforms to the contract: see `fcp::testing`.

fcp::testing::conformance!(fcp_svg::Drawing);
