//! Structured tools for an MCP client.

use std::{borrow::Cow, sync::Arc};

use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, MetaObject, Resource, Tool, ToolAnnotations},
};
use serde_json::Value;
use tokio::{
    sync::RwLock,
    task::{self, JoinError},
};

use super::Options;
use super::handler::{About, Context, Served, address, passing, resource, ticket};
use super::raw_arguments::Spelled;
use crate::tool::{
    self, Cancel, Contents, DISABLED, Described, Presented, Structured, Template, Tools, Trouble,
    codebook, unknown,
};

/// Serves one toolset. Clones serve the same one.
#[derive(Clone)]
pub(super) struct Toolkit {
    tools: Arc<dyn Tools>,
    options: Options,
    /// The lock for calls that must run alone. It is acquired in the order of arrival.
    order: Arc<RwLock<()>>,
}

impl Toolkit {
    pub(super) fn new(tools: Arc<dyn Tools>, options: Options) -> Self {
        Self {
            tools,
            options,
            order: Arc::default(),
        }
    }

    /// Runs a job with the tools, on its own thread, when the jobs before it allow. An error if it
    /// panics.
    async fn in_turn<T: Send + 'static>(
        &self,
        alone: bool,
        context: &Context,
        job: impl FnOnce(&dyn Tools) -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let ticket = ticket(context);
        if let Some(ticket) = ticket {
            ticket.turn().await;
        }
        // Held until the function returns, even if nobody waits for it any longer.
        let (one, many) = if alone {
            (Some(Arc::clone(&self.order).write_owned().await), None)
        } else {
            (None, Some(Arc::clone(&self.order).read_owned().await))
        };
        if let Some(ticket) = ticket {
            ticket.pass();
        }
        let tools = Arc::clone(&self.tools);
        let job = task::spawn_blocking(move || {
            let done = job(tools.as_ref());
            drop((one, many));
            done
        });
        job.await
    }

    /// Runs a call.
    async fn run(
        &self,
        name: &str,
        alone: bool,
        arguments: Arc<str>,
        context: &Context,
    ) -> Option<Structured> {
        let token = context.ct.clone();
        let stop = self.options.stop.clone();
        let due = stop.clone();
        let cancel = Cancel::when(move || token.is_cancelled() || due.is_due());
        let called = name.to_owned();
        let job = move |tools: &dyn Tools| {
            if cancel.is_cancelled() || stop.is_asked() {
                tools.refuse(&called, Trouble::Cancelled)
            } else {
                tools.carry_out(&called, &arguments, &cancel)
            }
        };
        match self.in_turn(alone, context, job).await {
            Ok(reply) => reply,
            Err(lost) => self.tools.refuse(name, Trouble::Internal(lost.to_string())),
        }
    }

    /// Reads the state of the tools.
    async fn look<T: Send + 'static>(
        &self,
        context: &Context,
        look: impl FnOnce(&dyn Tools) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let seen = self.in_turn(self.tools.is_sequential(), context, look);
        seen.await
            .map_err(|lost| ErrorData::internal_error(lost.to_string(), None))
    }
}

impl Served for Toolkit {
    fn about(&self) -> About {
        About {
            domain: self.tools.domain(),
            title: self.tools.title(),
            version: self.options.version.clone(),
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
        let mut given: Arc<str> = Arc::default();
        let reply = match found {
            None => None,
            Some(_) => {
                let spelled = context.extensions.get::<Spelled>();
                #[cfg(feature = "http")]
                let spelled = spelled.or_else(|| super::http::spelled(context));
                given = match spelled {
                    Some(Spelled(text)) => text.as_ref().into(),
                    None => arguments.unwrap_or_default().to_string().into(),
                };
                self.run(name, alone, Arc::clone(&given), context).await
            }
        };
        let reply = reply.ok_or_else(|| {
            ErrorData::invalid_params(unknown(self.tools.as_ref(), name).message, None)
        })?;
        let presented = self.tools.present(name, &given, &reply);
        result(reply, presented)
            .map_err(|problem| ErrorData::internal_error(problem.to_string(), None))
    }

    async fn resources(&self, context: &Context) -> Result<Vec<Resource>, ErrorData> {
        let (domain, title) = (self.tools.domain(), self.tools.title());
        let own = self.look(context, |tools| tools.resources()).await?;
        let mut all: Vec<Resource> = own.into_iter().map(offered).collect();
        all.push(resource(
            domain,
            "codebook",
            format!("{title} codebook"),
            "The tools with their schemas and examples, for programs.",
            "application/json",
        ));
        all.push(resource(
            domain,
            "card",
            format!("{title} reference card"),
            "Every tool in words, with examples.",
            "text/markdown",
        ));
        Ok(all)
    }

    fn templates(&self) -> &'static [Template] {
        self.tools.templates()
    }

    async fn read(&self, uri: String, context: &Context) -> Result<Option<Contents>, ErrorData> {
        let domain = self.tools.domain();
        if uri == address(domain, "codebook") {
            let codebook = format!("{:#}", codebook(self.tools.as_ref()));
            return Ok(Some(passing(codebook, "application/json")));
        }
        if uri == address(domain, "card") {
            let card = self.tools.help(None);
            let card = card.map_err(|error| ErrorData::internal_error(error.message, None))?;
            return Ok(Some(passing(card, "text/markdown")));
        }
        self.look(context, move |tools| tools.read(&uri)).await
    }
}

/// A resource in `resources/list`.
fn offered(own: tool::Resource) -> Resource {
    Resource::new(own.uri, own.name)
        .with_description(own.about)
        .with_mime_type(own.mime)
}

/// A tool in `tools/list`.
fn listed(tool: &Described) -> Tool {
    let hints = tool.hints;
    let annotations = ToolAnnotations::with_title(tool.title.clone())
        .read_only(hints.read_only)
        .destructive(hints.destructive)
        .idempotent(hints.idempotent)
        .open_world(hints.open_world);
    let mut listed = Tool::new(
        Cow::Borrowed(tool.name),
        tool.description.clone(),
        Arc::new(tool.input.clone()),
    );
    listed.output_schema = Some(Arc::new(tool.output()));
    if let Some(why) = &tool.disabled {
        let mut meta = MetaObject::new();
        meta.0.insert(DISABLED.to_owned(), why.as_str().into());
        listed.meta = Some(meta);
    }
    listed
        .with_title(tool.title.clone())
        .with_annotations(annotations)
}

/// Structured content, and the same as text, or the tool's own text.
fn result(reply: Structured, presented: Presented) -> serde_json::Result<CallToolResult> {
    let value = reply.value()?;
    let text = presented.text.unwrap_or(reply.text);
    let mut content = vec![ContentBlock::text(text)];
    content.extend(
        presented
            .links
            .into_iter()
            .map(offered)
            .map(ContentBlock::resource_link),
    );
    let mut result = if reply.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(value);
    Ok(result)
}
