//! The backend that stores assets.
//! The tool that fills it is in `tools`.
#![cfg_attr(
    not(feature = "backend"),
    allow(dead_code, reason = "what is never sent is never answered")
)]

#[cfg(feature = "backend")]
mod post;

use std::fmt;

use crate::answer::failure::{Answer, Failure};
use crate::json::{Json, read};
#[cfg(feature = "backend")]
use crate::log;

/// The path that assets are posted to, unless `SYN_BACKEND_ASSETS_PATH` sets another.
pub const ASSETS_PATH: &str = "/synesthetic-assets/";

/// The status reported for an unreachable backend.
const UNREACHABLE: u16 = 503;

/// The maximum length of an error text from the backend, in bytes.
const SHOWN: usize = 2_048;

/// A backend that stores assets.
#[derive(Clone)]
pub struct Backend {
    /// Its address, without user and password.
    url: String,
    /// The user and password, as written in a URL.
    credentials: Option<String>,
    /// The path that assets are posted to.
    path: String,
}

/// A response of the backend.
#[derive(Clone, Debug, Default)]
struct Response {
    status: u16,
    location: Option<String>,
    body: Vec<u8>,
}

/// Shows no credentials.
impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Backend({}{})", self.url, self.path)
    }
}

impl Backend {
    /// The backend configured by the environment.
    #[must_use]
    pub fn of(get: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let configured = get("SYN_BACKEND_URL").filter(|url| !url.is_empty())?;
        let path = get("SYN_BACKEND_ASSETS_PATH").unwrap_or_else(|| ASSETS_PATH.to_owned());
        let path = format!("/{}", path.strip_prefix('/').unwrap_or(&path));
        // The credentials are before the last @ of the authority.
        let start = configured.find("://").map_or(0, |at| at + 3);
        let (scheme, rest) = configured.split_at(start);
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, behind) = rest.split_at(end);
        let (credentials, host) = match authority.rsplit_once('@') {
            Some((credentials, host)) => (Some(credentials.to_owned()), host),
            None => (None, authority),
        };
        Some(Self {
            url: format!("{scheme}{host}{behind}"),
            credentials,
            path,
        })
    }

    /// Its address, without user and password.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sends an asset, once, and returns the backend's id for it.
    ///
    /// # Errors
    /// The backend cannot be reached or rejects the asset.
    #[cfg(feature = "backend")]
    pub fn store(&self, asset: &str) -> Answer<String> {
        let address = format!(
            "{}{}",
            self.url.strip_suffix('/').unwrap_or(&self.url),
            self.path
        );
        match post::post(&address, self.credentials.as_deref(), asset) {
            Ok(response) => response.id(),
            Err(cause) => {
                log::line(format_args!("the backend cannot be reached: {cause}"));
                Err(Failure::backend(UNREACHABLE, "network_unreachable"))
            }
        }
    }

    /// Fails: this program was built without support for a backend.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "backend"))]
    pub fn store(&self, _asset: &str) -> Answer<String> {
        Err(Failure::unsupported(
            "this program was built without a backend",
        ))
    }
}

impl Response {
    /// The backend's id for the asset, or an empty text: without an id the asset is stored, too.
    fn id(&self) -> Answer<String> {
        if !(200..300).contains(&self.status) {
            return Err(Failure::backend(self.status, self.error_text()));
        }
        let id = str::from_utf8(&self.body).ok().and_then(|text| {
            let answer = read(text).ok()?;
            let mut ids = ["id", "asset_id"].into_iter();
            ids.find_map(|key| match answer.get(key)? {
                Json::String(id) | Json::Number(id) => Some(id.clone().into_owned()),
                _ => None,
            })
        });
        Ok(id.or_else(|| self.located()).unwrap_or_default())
    }

    /// The last part of the path of `Location`.
    fn located(&self) -> Option<String> {
        let location = self.location.as_deref()?;
        let path = location.split(['?', '#']).next()?;
        let path = match path.split_once("://") {
            Some((_, rest)) => rest.split_once('/')?.1,
            None => path,
        };
        path.trim_end_matches('/')
            .rsplit('/')
            .next()
            .map(str::to_owned)
    }

    /// The error text of the backend.
    fn error_text(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let text = text.trim();
        if text.is_empty() {
            return format!("HTTP {}", self.status);
        }
        text.get(..text.floor_char_boundary(SHOWN))
            .unwrap_or_default()
            .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backend(url: &str, path: Option<&str>) -> Option<Backend> {
        Backend::of(|name| match name {
            "SYN_BACKEND_URL" => Some(url.to_owned()),
            _ => path.map(str::to_owned),
        })
    }

    #[test]
    fn an_address_is_taken_apart() {
        for (url, path, wanted) in [
            ("http://h", None, "http://h /synesthetic-assets/ -"),
            ("http://h/", Some("a"), "http://h/ /a -"),
            ("https://u:p@h:1/b?c@d", Some(""), "https://h:1/b?c@d / u:p"),
            ("http://u@v@h", Some("/x/"), "http://h /x/ u@v"),
            ("u:p@h", None, "h /synesthetic-assets/ u:p"),
        ] {
            let made = backend(url, path).unwrap();
            let credentials = made.credentials.as_deref().unwrap_or("-");
            assert_eq!(format!("{} {} {credentials}", made.url, made.path), wanted);
            assert!(!format!("{made:?}").contains("u:p"));
        }
        assert!(backend("", None).is_none());
    }

    #[test]
    fn an_id_is_found_where_there_is_one() {
        for (body, location, wanted) in [
            (r#"{"id":"a","asset_id":"b"}"#, "", "a"),
            (r#"{"id":1.50}"#, "", "1.50"),
            (r#"{"id":null,"asset_id":7}"#, "/x", "7"),
            ("[1]", "/assets/42/?q=1#f", "42"),
            ("nothing", "http://h/assets/43", "43"),
            ("{}", "http://h", ""),
            ("", "", ""),
        ] {
            let response = Response {
                status: 201,
                location: Some(location.to_owned()),
                body: body.into(),
            };
            assert_eq!(response.id().unwrap(), wanted, "{body} {location}");
        }
    }
}
