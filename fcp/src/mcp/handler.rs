//! What `rmcp` asks, answered by the endpoint.

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
        CompleteRequestParams, CompleteResult, CustomRequest, CustomResult, ErrorCode,
        Implementation, InitializeRequestParams, InitializeResult, ListPromptsRequestMethod,
        ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        Resource, ResourceContents, ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use super::{
    Options, content,
    decode::{self, Call},
    order::Ticket,
    tools::{self, Kind},
    worker::{Lost, Worker},
};
use crate::{
    diag::Diagnostic,
    endpoint::{Answer, Endpoint, Policy},
};

/// Serves one endpoint. Copies serve the same one.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    worker: Worker,
    domain: &'static str,
    title: &'static str,
    options: Options,
}

type Context = RequestContext<RoleServer>;

impl Handler {
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

    /// Puts a question to the endpoint when everything that arrived before has been put.
    async fn ask<T: Send + 'static>(
        &self,
        context: &Context,
        question: impl FnOnce(&mut dyn Endpoint) -> T + Send + 'static,
    ) -> Result<T, Lost> {
        let ticket = context.extensions.get::<Ticket>();
        if let Some(ticket) = ticket {
            ticket.turn().await;
        }
        let cancelled = context.ct.clone();
        let answer = self.worker.ask(move || cancelled.is_cancelled(), question);
        if let Some(ticket) = ticket {
            ticket.pass();
        }
        answer.await
    }

    /// The same, where there is no tool result to put a failure in.
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
            Lost::Cancelled => "cancelled before it was applied".to_owned(),
            Lost::Panicked(said) => {
                format!(
                    "internal error in fcp-{}, not in what you sent: {said}",
                    self.domain
                )
            }
        }
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

    fn resources(&self) -> [(String, Resource); 3] {
        let resource = |name: &str, title: String, about: &str, mime: &str| {
            let uri = format!("fcp://{}/{name}", self.domain);
            let resource = Resource::new(uri.clone(), name)
                .with_title(title)
                .with_description(about);
            (uri, resource.with_mime_type(mime))
        };
        let title = self.title;
        [
            resource(
                "codebook",
                format!("{title} codebook"),
                "The vocabulary (schema_map) and what the open document holds (content_map), for programs.",
                "application/json",
            ),
            resource(
                "card",
                format!("{title} reference card"),
                "Every verb, query and action.",
                "text/markdown",
            ),
            resource(
                "document",
                "Open document".to_owned(),
                "An overview of the open document, and its digest.",
                "text/plain",
            ),
        ]
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

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let name = |kind: Kind| kind.name(self.domain, self.options.tool_names);
        let instructions = format!(
            "Edits {} through short ops. Begin with {}: new \"Title\", or open PATH. Then {} takes ops, {} answers \
             questions, {} explains everything. Nothing reaches the disk before save.",
            self.title,
            name(Kind::Session),
            name(Kind::Edit),
            name(Kind::Query),
            name(Kind::Help),
        );
        let program =
            Implementation::new(format!("fcp-{}", self.domain), self.options.version.clone());
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .build(),
        )
        .with_server_info(program.with_title(self.title))
        .with_instructions(instructions)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        let mut client = request;
        client.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(client);
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let question = |endpoint: &mut dyn Endpoint| {
            let card = endpoint.card();
            debug_assert!(
                card.len() <= 2048,
                "the compact card is {} bytes long",
                card.len()
            );
            card
        };
        let card = self.fetch(&context, question).await?;
        let tools = tools::list(self.domain, self.title, self.options.tool_names, card);
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map(Value::Object);
        self.call(&request.name, arguments, &context)
            .await
            .map(CallToolResponse::from)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(
            self.resources().map(|(_, resource)| resource).into(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some((uri, resource)) = self
            .resources()
            .into_iter()
            .find(|(uri, _)| *uri == request.uri)
        else {
            let known = self.resources().map(|(uri, _)| uri).join(", ");
            let message = format!("no resource {}; there are {known}", request.uri);
            return Err(ErrorData::resource_not_found(
                message,
                Some(json!({ "uri": request.uri })),
            ));
        };
        let name = resource.name;
        let text = self
            .fetch(&context, move |endpoint| match name.as_str() {
                "codebook" => format!("{:#}", endpoint.codebook()),
                "card" => endpoint.help(None).text,
                _ => endpoint.document(),
            })
            .await?;
        let contents = ResourceContents::text(text, uri)
            .with_mime_type(resource.mime_type.unwrap_or_default());
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    /// Unknown methods come here, and known ones whose parameters have the wrong shape.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        let params = |name: &str| request.params.as_ref().and_then(|params| params.get(name));
        match request.method.as_str() {
            "tools/call" => {
                let Some(Value::String(name)) = params("name") else {
                    return Err(ErrorData::invalid_params(
                        "\"name\" must be the name of a tool",
                        None,
                    ));
                };
                let mut result = self
                    .call(name, params("arguments").cloned(), &context)
                    .await?;
                if context
                    .protocol_version()
                    .is_none_or(|version| version < ProtocolVersion::V_2026_07_28)
                {
                    result.result_type = None;
                }
                let result = serde_json::to_value(result);
                result
                    .map(CustomResult::new)
                    .map_err(|problem| ErrorData::internal_error(problem.to_string(), None))
            }
            "resources/read" => Err(ErrorData::invalid_params(
                "\"uri\" must be the URI of a resource",
                None,
            )),
            "initialize" => Err(ErrorData::invalid_params(
                "\"protocolVersion\", \"capabilities\" and \"clientInfo\" are needed, each in its form",
                None,
            )),
            "tools/list"
            | "resources/list"
            | "resources/templates/list"
            | "ping"
            | "server/discover" => Err(ErrorData::invalid_params(
                "the parameters do not have the right form",
                None,
            )),
            method => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("there is no method \"{method}\" here"),
                None,
            )),
        }
    }
}
