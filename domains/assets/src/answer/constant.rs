//! Constant members of replies, by which schemas distinguish one reply from another.

fcp::tool::constants! {
    /// `true`
    True = true;
    /// `false`
    False = false;
    /// `validation_failed`
    ValidationFailed = "validation_failed";
    /// `not_found`
    NotFound = "not_found";
    /// `unsupported`
    Unsupported = "unsupported";
    /// `backend_error`
    BackendError = "backend_error";
    /// `cancelled`
    Cancelled = "cancelled";
    /// `internal_error`
    InternalError = "internal_error";
}
