//! Documents with four tools, answered by an endpoint.

use rmcp::{
    ErrorData,
    model::{CallToolResult, Resource, Tool},
};
use serde_json::Value;

use super::{
    Options, content,
    decode::{self, Call},
    handler::{About, Context, Served, address, passing, resource, ticket},
    tools::{self, Kind},
    worker::{Lost, Worker},
};
use crate::{
    diag::{Diagnostic, plain_lines, short_name},
    endpoint::{Answer, Endpoint, Policy},
    tool::Contents,
};

/// Serves one endpoint. Clones serve the same one.
#[derive(Clone, Debug)]
pub(super) struct Documents {
    worker: Worker,
    domain: &'static str,
    title: &'static str,
    options: Options,
}

impl Documents {
    pub(super) fn new(
        worker: Worker,
        domain: &'static str,
        title: &'static str,
        options: Options,
    ) -> Self {
        Self {
            worker,
            domain,
            title,
            options,
        }
    }

    /// Asks the endpoint when all earlier requests have been passed on.
    async fn ask<T: Send + 'static>(
        &self,
        context: &Context,
        question: impl FnOnce(&mut dyn Endpoint) -> T + Send + 'static,
    ) -> Result<T, Lost> {
        let ticket = ticket(context);
        if let Some(ticket) = ticket {
            ticket.turn().await;
        }
        let cancelled = context.ct.clone();
        let stop = self.options.stop.clone();
        let (unwanted, due) = (context.ct.clone(), stop.clone());
        let answer = self.worker.ask(
            move || cancelled.is_cancelled() || stop.is_asked(),
            move || unwanted.is_cancelled() || due.is_due(),
            question,
        );
        if let Some(ticket) = ticket {
            ticket.pass();
        }
        answer.await
    }

    /// [`Self::ask`] for requests whose failure is not a tool result.
    async fn fetch<T: Send + 'static>(
        &self,
        context: &Context,
        question: impl FnOnce(&mut dyn Endpoint) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        self.ask(context, question)
            .await
            .map_err(|lost| ErrorData::internal_error(self.apology(&lost), None))
    }

    fn apology(&self, lost: &Lost) -> String {
        match lost {
            Lost::Cancelled if self.options.stop.is_asked() => {
                "the server ends; this was not applied".to_owned()
            }
            Lost::Cancelled => "cancelled before it was applied".to_owned(),
            Lost::Panicked(message) => {
                format!(
                    "internal error in fcp-{}, not in what you sent: {message}",
                    self.domain
                )
            }
        }
    }
}

impl Served for Documents {
    fn about(&self) -> About {
        let name = |kind: Kind| kind.name(self.domain, self.options.tool_names);
        About {
            domain: self.domain,
            title: self.title,
            version: self.options.version.clone(),
            instructions: format!(
                "Edits {} through short ops. Begin with {}: new \"Title\", or open PATH. Then {} takes ops, {} answers \
                 questions, {} explains everything. Nothing reaches the disk before save.",
                self.title,
                name(Kind::Session),
                name(Kind::Edit),
                name(Kind::Query),
                name(Kind::Help),
            ),
        }
    }

    async fn tools(&self, context: &Context) -> Result<Vec<Tool>, ErrorData> {
        let (domain, names) = (self.domain, self.options.tool_names);
        let question = move |endpoint: &mut dyn Endpoint| {
            let card = endpoint.card();
            debug_assert!(
                card.len() <= 2048,
                "the compact card is {} bytes long",
                card.len()
            );
            let query = Kind::Query.words(domain, names);
            let tables = endpoint.tables_card(2048_usize.saturating_sub(query.len()));
            (card, format!("{query}{tables}"))
        };
        let card = self.fetch(context, question).await?;
        Ok(tools::list(
            self.domain,
            self.title,
            self.options.tool_names,
            card,
        ))
    }

    async fn call(
        &self,
        name: &str,
        arguments: Option<Value>,
        context: &Context,
    ) -> Result<CallToolResult, ErrorData> {
        let Some((kind, policy)) = Kind::of(self.domain, name) else {
            let tools = Kind::ALL
                .map(|kind| kind.name(self.domain, self.options.tool_names))
                .join(", ");
            let name = short_name(name);
            return Err(ErrorData::invalid_params(
                format!("unknown tool \"{name}\"; there are {tools}"),
                None,
            ));
        };
        let decoded = decode::arguments(kind, arguments)
            .and_then(|arguments| decode::decode(kind, arguments));
        let question = move |endpoint: &mut dyn Endpoint| match decoded {
            Ok(call) => apply(endpoint, call, policy),
            Err(problem) => failure(&problem),
        };
        let answer = self.ask(context, question).await.unwrap_or_else(|lost| {
            failure(&Diagnostic::new(self.apology(&lost)).or_try("? status"))
        });
        Ok(content::result(answer))
    }

    async fn resources(&self, _context: &Context) -> Result<Vec<Resource>, ErrorData> {
        let title = self.title;
        Ok(vec![
            resource(
                self.domain,
                "codebook",
                format!("{title} codebook"),
                "The vocabulary (schema_map) and what the open document holds (content_map), for programs.",
                "application/json",
            ),
            resource(
                self.domain,
                "card",
                format!("{title} reference card"),
                "Every verb, query and action.",
                "text/markdown",
            ),
            resource(
                self.domain,
                "document",
                "Open document".to_owned(),
                "An overview of the open document, and its digest.",
                "text/plain",
            ),
        ])
    }

    async fn read(&self, uri: String, context: &Context) -> Result<Option<Contents>, ErrorData> {
        let domain = self.domain;
        let question = move |endpoint: &mut dyn Endpoint| {
            let is = |name: &str| uri == address(domain, name);
            if is("codebook") {
                let codebook = format!("{:#}", endpoint.codebook());
                // Titles in it come from the document.
                let codebook = plain_lines(&codebook).into_owned();
                Some(passing(codebook, "application/json"))
            } else if is("card") {
                Some(passing(whole(endpoint), "text/markdown"))
            } else if is("document") {
                Some(passing(endpoint.document(), "text/plain"))
            } else {
                None
            }
        };
        self.fetch(context, question).await
    }
}

fn apply(endpoint: &mut dyn Endpoint, call: Call, policy: Option<Policy>) -> Answer {
    match call {
        Call::Edit(ops) => endpoint.run(&ops, policy),
        Call::Query(query) => endpoint.query(&query),
        Call::Act(action) => endpoint.act(&action),
        Call::Help(topic) => endpoint.help(topic.as_deref()),
    }
}

fn failure(problem: &Diagnostic) -> Answer {
    Answer {
        text: problem.to_string(),
        is_error: true,
        blocks: Vec::new(),
    }
}

/// The full card; the brief one if there is none.
fn whole(endpoint: &mut dyn Endpoint) -> String {
    let all = endpoint.help(Some("all"));
    match all.is_error {
        true => endpoint.help(None).text,
        false => all.text,
    }
}
