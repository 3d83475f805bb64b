//! Values that are stored as the text they show.

/// Serializes a value as its text, and deserializes it as ops do.
macro_rules! text_form {
    ($($name:ty),* $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'_, str>::deserialize(from)?;
                <Self as $crate::value::FcpValue>::parse(&text)
                    .map_err(|error| serde::de::Error::custom(error.about(&text)))
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let doc = <Self as $crate::value::FcpValue>::SPEC.doc;
                schemars::json_schema!({ "type": "string", "description": doc })
            }
        }
    )*};
}

pub(super) use text_form;
