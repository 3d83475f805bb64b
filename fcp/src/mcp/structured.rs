//! Structured tools as a client sees them.

use std::{borrow::Cow, sync::Arc};

use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, Resource, Tool, ToolAnnotations},
};
use serde_json::Value;
use tokio::{sync::RwLock, task};

use super::handler::{About, Context, Served, resource, ticket};
use crate::tool::{Cancel, Described, Structured, Tools, Trouble, codebook, unknown};

/// Serves one toolset. Copies serve the same one.
#[derive(Clone)]
pub(super) struct Toolkit {
    tools: Arc<dyn Tools>,
    version: String,
    /// Who may run beside whom. It is handed out in the order of arrival.
    order: Arc<RwLock<()>>,
}

impl Toolkit {
    pub(super) fn new(tools: Arc<dyn Tools>, version: String) -> Self {
        Self {
            tools,
            version,
            order: Arc::default(),
        }
    }

    /// Carries a call out, on a thread of its own, when those before it let it.
    async fn run(
        &self,
        name: &str,
        alone: bool,
        arguments: Value,
        context: &Context,
    ) -> Option<Structured> {
        let ticket = ticket(context);
        if let Some(ticket) = ticket {
            ticket.turn().await;
        }
        // Held until the function has returned, also when nobody waits for it any more.
        let (one, many) = if alone {
            (Some(Arc::clone(&self.order).write_owned().await), None)
        } else {
            (None, Some(Arc::clone(&self.order).read_owned().await))
        };
        if let Some(ticket) = ticket {
            ticket.pass();
        }
        let token = context.ct.clone();
        let cancel = Cancel::when(move || token.is_cancelled());
        let (tools, called) = (Arc::clone(&self.tools), name.to_owned());
        let job = task::spawn_blocking(move || {
            let reply = if cancel.is_cancelled() {
                tools.refuse(&called, Trouble::Cancelled)
            } else {
                tools.carry_out(&called, arguments, &cancel)
            };
            drop((one, many));
            reply
        });
        match job.await {
            Ok(reply) => reply,
            Err(lost) => self.tools.refuse(name, Trouble::Internal(lost.to_string())),
        }
    }
}

impl Served for Toolkit {
    fn about(&self) -> About {
        About {
            domain: self.tools.domain(),
            title: self.tools.title(),
            version: self.version.clone(),
            instructions: self.tools.instructions().to_owned(),
        }
    }

    async fn tools(&self, _context: &Context) -> Result<Vec<Tool>, ErrorData> {
        Ok(self.tools.list().into_iter().map(listed).collect())
    }

    async fn call(
        &self,
        name: &str,
        arguments: Option<Value>,
        context: &Context,
    ) -> Result<CallToolResult, ErrorData> {
        let found = self.tools.find(name);
        let alone = found.is_some_and(|tool| tool.exclusive || self.tools.is_sequential());
        let reply = match found {
            None => None,
            Some(_) => {
                self.run(name, alone, arguments.unwrap_or_default(), context)
                    .await
            }
        };
        reply.map(result).ok_or_else(|| {
            ErrorData::invalid_params(unknown(self.tools.as_ref(), name).message, None)
        })
    }

    fn resources(&self) -> Vec<Resource> {
        let (domain, title) = (self.tools.domain(), self.tools.title());
        vec![
            resource(
                domain,
                "codebook",
                format!("{title} codebook"),
                "The tools with their schemas and examples, for programs.",
                "application/json",
            ),
            resource(
                domain,
                "card",
                format!("{title} reference card"),
                "Every tool in words, with examples.",
                "text/markdown",
            ),
        ]
    }

    async fn read(&self, name: String, _context: &Context) -> Result<String, ErrorData> {
        if name == "codebook" {
            return Ok(format!("{:#}", codebook(self.tools.as_ref())));
        }
        let said = self.tools.help(None);
        said.map_err(|error| ErrorData::internal_error(error.message, None))
    }
}

/// What `tools/list` shows of a tool.
fn listed(tool: &Described) -> Tool {
    let hints = tool.hints;
    let annotations = ToolAnnotations::with_title(tool.title.clone())
        .read_only(hints.read_only)
        .destructive(hints.destructive)
        .idempotent(hints.idempotent)
        .open_world(hints.open_world);
    let mut listed = Tool::new(
        Cow::Borrowed(tool.name),
        tool.description,
        Arc::new(tool.input.clone()),
    );
    listed.output_schema = Some(Arc::new(tool.output.clone()));
    listed
        .with_title(tool.title.clone())
        .with_annotations(annotations)
}

/// Structured content, and the same as text.
fn result(reply: Structured) -> CallToolResult {
    let content = vec![ContentBlock::text(reply.text)];
    let mut result = if reply.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(reply.value);
    result
}
