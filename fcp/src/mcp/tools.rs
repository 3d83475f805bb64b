//! The four tools for an MCP client.

use std::{borrow::Cow, sync::Arc};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::ToolNames;
use crate::endpoint::Policy;

/// A kind of tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Batches of ops.
    Edit,
    /// Queries.
    Query,
    /// Session actions.
    Session,
    /// The reference card.
    Help,
}

impl Kind {
    /// All kinds, in the order of the list.
    pub(super) const ALL: [Self; 4] = [Self::Edit, Self::Query, Self::Session, Self::Help];

    /// The noun for this tool.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Edit => "mutation",
            Self::Query => "query",
            Self::Session => "session",
            Self::Help => "help",
        }
    }

    /// The tool with a name, and the policy for a batch with a failing op under that name.
    pub(super) fn of(domain: &str, name: &str) -> Option<(Self, Option<Policy>)> {
        let named = |names| {
            Self::ALL
                .into_iter()
                .find(|kind| kind.name(domain, names) == name)
        };
        named(ToolNames::Domain)
            .map(|kind| (kind, None))
            .or_else(|| named(ToolNames::Fcp).map(|kind| (kind, Some(Policy::Isolate))))
    }

    /// The name of this tool.
    pub(super) fn name(self, domain: &str, names: ToolNames) -> String {
        match (names, self) {
            (ToolNames::Domain, Self::Edit) => domain.to_owned(),
            (ToolNames::Domain, other) => format!("{domain}_{}", other.noun()),
            (ToolNames::Fcp, Self::Edit) => "fcp_edit".to_owned(),
            (ToolNames::Fcp, other) => format!("fcp_{}", other.noun()),
        }
    }

    fn title(self, title: &str) -> String {
        match self {
            Self::Edit => format!("Edit {title}"),
            Self::Query => format!("Query {title}"),
            Self::Session => format!("{title} session"),
            Self::Help => format!("{title} reference"),
        }
    }

    fn description(self, names: &impl Fn(Self) -> String) -> String {
        let (edit, help) = (names(Self::Edit), names(Self::Help));
        match self {
            // Replaced by the card.
            Self::Edit => String::new(),
            Self::Query => format!(
                "Read the open document; changes nothing. One query a line: SELECT … (SQLite; tables \
                 lists them), map (overview), stats, status, describe REF, list [@selector], find TEXT, history [N], diff checkpoint:NAME|file|PATH, warnings, \
                 plan OP (what an op would do). {help} lists this domain's own."
            ),
            Self::Session => "Open, save and step through documents. One action a call: new \"Title\", open PATH, \
                 save, save as:PATH, checkpoint NAME, undo [N], undo to:NAME, redo [N], close, status, \
                 set KEY:VALUE, export as:PATH. Nothing is written to disk but by save and export."
                .to_owned(),
            Self::Help => format!(
                "Every word with its syntax and a line, in 12 KB; with topic all about a verb, a family (bars, fix), a type, a \
                 table, a column or a selector, with examples. Call it when the short card on {edit} is not enough."
            ),
        }
    }

    /// Its description, without the domain's additions.
    pub(super) fn words(self, domain: &str, names: ToolNames) -> String {
        self.description(&|kind: Self| kind.name(domain, names))
    }

    fn arguments(self) -> JsonObject {
        let (name, property, required) = match self {
            Self::Edit => (
                "ops",
                json!({
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "Ops, in order: VERB TARGET key:value …; ? QUERY and ! ACTION lines among them",
                }),
                true,
            ),
            Self::Query => (
                "q",
                json!({ "type": "string", "description": "A query, such as: map" }),
                true,
            ),
            Self::Session => (
                "action",
                json!({ "type": "string", "description": "An action, such as: open ./FILE" }),
                true,
            ),
            Self::Help => (
                "topic",
                json!({ "type": "string", "description": "A verb, type, table, column, selector; all is the long card" }),
                false,
            ),
        };
        let mut schema = JsonObject::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert(
            "properties".to_owned(),
            Value::Object(JsonObject::from_iter([(name.to_owned(), property)])),
        );
        if required {
            schema.insert("required".to_owned(), json!([name]));
        }
        schema
    }

    fn annotations(self, title: &str) -> ToolAnnotations {
        let reads = matches!(self, Self::Query | Self::Help);
        // Everything stays in one document and one folder.
        ToolAnnotations::with_title(self.title(title))
            .read_only(reads)
            .destructive(!reads)
            .idempotent(reads)
            .open_world(false)
    }
}

/// The answer of `tools/list`. `card` is the description of the mutation tool.
pub(super) fn list(
    domain: &str,
    title: &str,
    names: ToolNames,
    (card, query): (String, String),
) -> Vec<Tool> {
    let name = |kind: Kind| kind.name(domain, names);
    let (mut card, mut query) = (Some(card), Some(query));
    Kind::ALL
        .into_iter()
        .map(|kind| {
            let description = match kind {
                Kind::Edit => card.take().unwrap_or_default(),
                Kind::Query => query.take().unwrap_or_default(),
                other => other.description(&name),
            };
            Tool::new(
                Cow::Owned(name(kind)),
                description,
                Arc::new(kind.arguments()),
            )
            .with_title(kind.title(title))
            .with_annotations(kind.annotations(title))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sets_of_names_are_known_and_the_general_one_isolates() {
        assert_eq!(Kind::of("toy", "toy"), Some((Kind::Edit, None)));
        assert_eq!(Kind::of("toy", "toy_help"), Some((Kind::Help, None)));
        assert_eq!(
            Kind::of("toy", "fcp_edit"),
            Some((Kind::Edit, Some(Policy::Isolate)))
        );
        assert_eq!(
            Kind::of("toy", "fcp_session"),
            Some((Kind::Session, Some(Policy::Isolate)))
        );
        assert_eq!(Kind::of("toy", "toy_edit"), None);
        assert_eq!(Kind::of("toy", "edit"), None);
    }

    #[test]
    fn the_schemas_show_one_argument_each() {
        let tools = list(
            "toy",
            "Toys",
            ToolNames::Domain,
            ("card".to_owned(), "query".to_owned()),
        );
        let shown: Vec<String> = tools
            .iter()
            .map(|tool| {
                let properties = tool.input_schema["properties"].as_object().unwrap();
                format!(
                    "{}: {}",
                    tool.name,
                    properties.keys().cloned().collect::<Vec<_>>().join(" ")
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "toy: ops",
                "toy_query: q",
                "toy_session: action",
                "toy_help: topic"
            ]
        );
        assert_eq!(tools[0].description.as_deref(), Some("card"));
        assert!(
            tools
                .iter()
                .all(|tool| tool.annotations.as_ref().unwrap().open_world_hint == Some(false))
        );
    }
}
