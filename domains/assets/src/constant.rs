//! Members of replies that are always the same, so that schemas tell one reply from another by them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $value.serialize(to)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "const": $value })
            }
        }
    )*};
}

constants! {
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
