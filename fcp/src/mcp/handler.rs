//! What `rmcp` asks, passed on to what is served.

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
        CompleteRequestParams, CompleteResult, CustomRequest, CustomResult, ErrorCode,
        Implementation, InitializeRequestParams, InitializeResult, ListPromptsRequestMethod,
        ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
        Resource, ResourceContents, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use super::order::Ticket;

/// What a request comes with.
pub(super) type Context = RequestContext<RoleServer>;

/// The place of a request in the line, if its transport keeps one.
pub(super) fn ticket(context: &Context) -> Option<&Ticket> {
    context.extensions.get::<Ticket>()
}

/// What a server says of itself.
pub(super) struct About {
    pub(super) domain: &'static str,
    pub(super) title: &'static str,
    pub(super) version: String,
    /// Where an agent begins.
    pub(super) instructions: String,
}

/// What is served: it has tools, and resources called `fcp://DOMAIN/NAME`. Copies are the same one.
pub(super) trait Served: Clone + Send + Sync + 'static {
    /// What it says of itself.
    fn about(&self) -> About;
    /// What `tools/list` shows.
    fn tools(&self, context: &Context)
    -> impl Future<Output = Result<Vec<Tool>, ErrorData>> + Send;
    /// Calls a tool. Whatever the arguments are, there is an answer.
    fn call(
        &self,
        name: &str,
        arguments: Option<Value>,
        context: &Context,
    ) -> impl Future<Output = Result<CallToolResult, ErrorData>> + Send;
    /// What `resources/list` shows.
    fn resources(&self) -> Vec<Resource>;
    /// What a resource holds; it is one of those listed.
    fn read(
        &self,
        name: String,
        context: &Context,
    ) -> impl Future<Output = Result<String, ErrorData>> + Send;
}

/// A resource of a domain's.
pub(super) fn resource(
    domain: &str,
    name: &str,
    title: String,
    about: &str,
    mime: &str,
) -> Resource {
    Resource::new(format!("fcp://{domain}/{name}"), name)
        .with_title(title)
        .with_description(about)
        .with_mime_type(mime)
}

/// Answers for what is served.
#[derive(Clone, Debug)]
pub(super) struct Handler<S>(pub(super) S);

impl<S: Served> ServerHandler for Handler<S> {
    fn get_info(&self) -> ServerConfig {
        let about = self.0.about();
        let program = Implementation::new(format!("fcp-{}", about.domain), about.version);
        ServerConfig::new(
            ServerCapabilities::builder()
                .enable_tools()
                .enable_resources()
                .build(),
        )
        .with_server_info(program.with_title(about.title))
        .with_instructions(about.instructions)
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
        let tools = self.0.tools(&context).await?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.map(Value::Object);
        self.0
            .call(&request.name, arguments, &context)
            .await
            .map(CallToolResponse::from)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.0.resources()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let resources = self.0.resources();
        let known = resources.iter().map(|resource| resource.uri.as_str());
        let known: Vec<&str> = known.collect();
        let Some(at) = known.iter().position(|uri| *uri == request.uri) else {
            let message = format!(
                "no resource {}; there are {}",
                request.uri,
                known.join(", ")
            );
            return Err(ErrorData::resource_not_found(
                message,
                Some(json!({ "uri": request.uri })),
            ));
        };
        let found = &resources[at];
        let text = self.0.read(found.name.clone(), &context).await?;
        let contents = ResourceContents::text(text, found.uri.clone())
            .with_mime_type(found.mime_type.clone().unwrap_or_default());
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
                    .0
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
