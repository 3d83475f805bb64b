//! Members of replies with constant values, by which schemas distinguish one reply from another.

/// Types with a single value each, serialized as that value and shown as `const` in a schema.
///
/// ```
/// fcp::tool::constants! {
///     /// `immutable`
///     ImmutableHint = "immutable";
/// }
/// assert_eq!(serde_json::json!(ImmutableHint), "immutable");
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __constants {
    ($($(#[$doc:meta])* $name:ident = $value:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl $crate::__private::serde::Serialize for $name {
            fn serialize<S: $crate::__private::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                $crate::__private::serde::Serialize::serialize(&$value, to)
            }
        }

        impl $crate::__private::schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut $crate::__private::schemars::SchemaGenerator) -> $crate::__private::schemars::Schema {
                let mut schema = $crate::__private::schemars::Schema::default();
                schema.insert("const".to_owned(), $value.into());
                schema
            }
        }
    )*};
}

#[doc(inline)]
pub use crate::__constants as constants;
