//! Handles the requests of `rmcp` for a server.

use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
        CompleteRequestParams, CompleteResult, CompletionInfo, CustomRequest, CustomResult,
        ErrorCode, Implementation, InitializeRequestParams, InitializeResult,
        ListPromptsRequestMethod, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Reference, Resource,
        ResourceContents, ResourceTemplate, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use super::arrival_order::Ticket;
use super::content::base64;
use crate::diag::short_name;
use crate::tool::{Body, Contents, Template};

/// The number of resources on a page of the list.
const PAGE: usize = 1000;
/// The number of resources listed in an error.
const SHOWN: usize = 20;

/// The context of a request.
pub(super) type Context = RequestContext<RoleServer>;

/// The ticket of a request, if its transport keeps an order.
pub(super) fn ticket(context: &Context) -> Option<&Ticket> {
    context.extensions.get::<Ticket>()
}

/// A server's information about itself.
pub(super) struct About {
    pub(super) domain: &'static str,
    pub(super) title: &'static str,
    pub(super) version: String,
    /// The first steps for an agent.
    pub(super) instructions: String,
}

/// A server with tools, and resources called `fcp://DOMAIN/NAME`. Clones are the same server.
pub(super) trait Served: Clone + Send + Sync + 'static {
    /// The server's information about itself.
    fn about(&self) -> About;
    /// The answer of `tools/list`.
    fn tools(&self, context: &Context)
    -> impl Future<Output = Result<Vec<Tool>, ErrorData>> + Send;
    /// Calls a tool. There is an answer for any arguments.
    fn call(
        &self,
        name: &str,
        arguments: Option<Value>,
        context: &Context,
    ) -> impl Future<Output = Result<CallToolResult, ErrorData>> + Send;
    /// The answer of `resources/list`.
    fn resources(
        &self,
        context: &Context,
    ) -> impl Future<Output = Result<Vec<Resource>, ErrorData>> + Send;
    /// The kinds of resources whose addresses a client may construct.
    fn templates(&self) -> &'static [Template] {
        &[]
    }
    /// The content of a resource; `None` if there is none with this address.
    fn read(
        &self,
        uri: String,
        context: &Context,
    ) -> impl Future<Output = Result<Option<Contents>, ErrorData>> + Send;
}

/// The address of a resource that every domain has.
pub(super) fn address(domain: &str, name: &str) -> String {
    format!("fcp://{domain}/{name}")
}

/// Content that may change at any moment.
pub(super) fn passing(text: String, mime: &'static str) -> Contents {
    Contents::text(text, mime, Duration::ZERO)
}

/// A resource of a domain.
pub(super) fn resource(
    domain: &str,
    name: &str,
    title: String,
    about: &str,
    mime: &str,
) -> Resource {
    Resource::new(address(domain, name), name)
        .with_title(title)
        .with_description(about)
        .with_mime_type(mime)
}

/// Answers requests for a server.
#[derive(Clone, Debug)]
pub(super) struct Handler<S>(pub(super) S);

impl<S: Served> ServerHandler for Handler<S> {
    fn get_info(&self) -> ServerConfig {
        let about = self.0.about();
        let program = Implementation::new(format!("fcp-{}", about.domain), about.version);
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources();
        let capabilities = if self.0.templates().is_empty() {
            capabilities.build()
        } else {
            capabilities.enable_completions().build()
        };
        ServerConfig::new(capabilities)
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
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut all = self.0.resources(&context).await?;
        let start = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => match cursor.parse::<usize>() {
                Ok(start) if start < all.len() => start,
                _ => {
                    let cursor = short_name(&cursor);
                    let message = format!("\"{cursor}\" is not a cursor from this server");
                    return Err(ErrorData::invalid_params(message, None));
                }
            },
        };
        let end = start.saturating_add(PAGE).min(all.len());
        let more = (end < all.len()).then(|| end.to_string());
        let page = all.drain(start..end).collect();
        let mut result = ListResourcesResult::with_all_items(page);
        result.next_cursor = more;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let templates = self.0.templates().iter().map(|template| {
            ResourceTemplate::new(template.pattern(), template.name)
                .with_description(template.about)
                .with_mime_type(template.mime)
        });
        Ok(ListResourceTemplatesResult::with_all_items(
            templates.collect(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let Some(found) = self.0.read(uri.clone(), &context).await? else {
            let resources = self.0.resources(&context).await?;
            let known = resources.iter().map(|resource| resource.uri.as_str());
            let known: Vec<&str> = known.collect();
            let shown = known.get(..SHOWN).unwrap_or(&known).join(", ");
            let more = match known.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let uri = short_name(&uri);
            let message = format!("no resource {uri}; there are {shown}{more}");
            let data = json!({ "uri": uri });
            return Err(ErrorData::resource_not_found(message, Some(data)));
        };
        let contents = match found.body {
            Body::Text(text) => ResourceContents::text(text, uri),
            Body::Blob(bytes) => ResourceContents::blob(base64(&bytes), uri),
        };
        let contents = contents.with_mime_type(found.mime);
        let fresh = u64::try_from(found.fresh.as_millis()).unwrap_or(u64::MAX);
        let result = ReadResourceResult::new(vec![contents]).with_ttl_ms(fresh);
        Ok(result.into())
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
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let templates = self.0.templates();
        if templates.is_empty() {
            return Err(ErrorData::method_not_found::<CompleteRequestMethod>());
        }
        let asked = match &request.r#ref {
            Reference::Resource(asked) => asked.uri.as_str(),
            _ => "",
        };
        let found = templates
            .iter()
            .find(|template| template.pattern() == asked);
        let named = &request.argument.name;
        let found = found.filter(|found| found.variable == *named || found.has_before(named));
        let Some(template) = found else {
            let known = templates.iter().map(Template::pattern);
            let known: Vec<String> = known.collect();
            let message = format!("only the variables of {} are completed", known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let start = request.argument.value.to_lowercase();
        let resources = self.0.resources(&context).await?;
        // Only the values of last variables are listed in resources.
        let values = resources
            .iter()
            .filter(|_| template.variable == *named)
            .filter_map(|resource| template.value(&resource.uri));
        let mut values: Vec<String> = values
            .filter(|value| value.to_lowercase().starts_with(&start))
            .collect();
        let total = values.len();
        values.truncate(CompletionInfo::MAX_VALUES);
        let shown = values.len();
        let mut completion = CompletionInfo::new(values)
            .map_err(|problem| ErrorData::internal_error(problem, None))?;
        completion.total = u32::try_from(total).ok();
        completion.has_more = Some(shown < total);
        Ok(CompleteResult::new(completion))
    }

    /// Unknown methods arrive here, and known ones whose parameters have the wrong shape.
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
            | "completion/complete"
            | "ping"
            | "server/discover" => Err(ErrorData::invalid_params(
                "the parameters do not have the right form",
                None,
            )),
            method => Err(ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("there is no method \"{}\" here", short_name(method)),
                None,
            )),
        }
    }
}
