//! A backend that is a server. Blocking, without a runtime: one request after the other, each inside its deadline.

use std::time::{Duration, Instant};

use hookguard_judge::backend::openai::{self, Shape, complaint};
use hookguard_judge::backend::{Backend, Failure, words};
use hookguard_judge::prompt::Prompt;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Proxy};

use super::chain::millis;
use super::resolve::Names;

/// A request that failed on the way, or met a server that is busy, is sent once more where so much time is left.
const RETRY_LEFT: Duration = Duration::from_secs(3);
/// How long we wait before it.
const PAUSE: Duration = Duration::from_millis(300);
/// The longest answer that is read, in bytes.
const MAX_ANSWER: u64 = 1 << 20;

/// What a server's model says to `prompt`, by `until` at the latest.
pub(super) fn ask(backend: &Backend, prompt: &Prompt, judges: usize, until: Instant) -> Result<String, Failure> {
    let started = Instant::now();
    let url = openai::url(backend.base_url.as_deref().unwrap_or_default());
    let headers = headers(backend)?;
    let agent = agent(backend, &url)?;
    let mut shape = Shape::FULL;
    let mut retried = false;
    loop {
        let body = openai::body(backend, prompt, judges, shape).to_string();
        let got = post(&agent, &url, &headers, &body, until);
        let busy = match &got {
            Ok((status, text)) => {
                if let Some(smaller) = shape.after(*status, &complaint(text)) {
                    tracing::debug!(
                        status,
                        said = words(text),
                        ?smaller,
                        "the server does not know a part of the request"
                    );
                    shape = smaller;
                    continue;
                }
                *status == 429 || *status >= 500
            }
            Err(ureq::Error::Timeout(_)) => return Err(Failure::TimedOut(millis(started.elapsed()))),
            Err(error) => on_the_way(error),
        };
        let left = until.saturating_duration_since(Instant::now());
        if busy && !retried && left >= RETRY_LEFT {
            retried = true;
            std::thread::sleep(PAUSE);
            continue;
        }
        return match got {
            Ok((status, text)) => openai::read(status, &text),
            Err(error) => Err(Failure::Transport(words(&error.to_string()))),
        };
    }
}

/// Whether an error may be gone when it is tried again.
fn on_the_way(error: &ureq::Error) -> bool {
    use ureq::Error::{BodyStalled, ConnectionFailed, Io, Protocol};
    matches!(error, Io(_) | ConnectionFailed | Protocol(_) | BodyStalled)
}

type Headers = Vec<(String, String)>;

fn post(agent: &Agent, url: &str, headers: &Headers, body: &str, until: Instant) -> Result<(u16, String), ureq::Error> {
    let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    let mut request = agent.post(url).config().timeout_global(Some(left)).build().content_type("application/json");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let mut response = request.send(body)?;
    let text = response.body_mut().with_config().limit(MAX_ANSWER).lossy_utf8(true).read_to_string()?;
    Ok((response.status().as_u16(), text))
}

/// The headers to send: secrets come out of the environment, by names that the configuration gives.
fn headers(backend: &Backend) -> Result<Headers, Failure> {
    let variable = |name: &str| {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty());
        value.ok_or_else(|| Failure::NotAsked(format!("the environment variable {name} is not set")))
    };
    let mut headers = Headers::new();
    if let Some(name) = &backend.api_key_env {
        headers.push(("Authorization".to_owned(), format!("Bearer {}", variable(name)?.trim())));
    }
    for (name, value) in &backend.headers {
        let from = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        headers.push((name.clone(), from.map_or_else(|| Ok(value.clone()), variable)?));
    }
    Ok(headers)
}

fn agent(backend: &Backend, url: &str) -> Result<Agent, Failure> {
    let roots = match &backend.ca_file {
        None => RootCerts::WebPki,
        Some(path) => {
            let fault = |why: String| Failure::NotAsked(format!("the certificates in {path} can't be used: {why}"));
            let pem = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
            let items: Result<Vec<PemItem<'_>>, _> = parse_pem(&pem).collect();
            let items = items.map_err(|error| fault(error.to_string()))?;
            let certificates = items.into_iter().filter_map(|item| match item {
                PemItem::Certificate(certificate) => Some(certificate),
                _ => None,
            });
            RootCerts::from(certificates)
        }
    };
    // A proxy is for what lies beyond this machine.
    let proxy = if is_loopback(url) { None } else { Proxy::try_from_env() };
    let config = Agent::config_builder()
        .http_status_as_error(false)
        // The key would go along.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(proxy)
        .tls_config(TlsConfig::builder().root_certs(roots).build())
        .user_agent(concat!("hookguard/", env!("CARGO_PKG_VERSION")))
        .build();
    Ok(Agent::with_parts(config, DefaultConnector::default(), Names::new(backend.resolver.as_deref())))
}

fn is_loopback(url: &str) -> bool {
    let parsed = url.parse::<ureq::http::Uri>().ok();
    let host = parsed.as_ref().and_then(|url| url.host()).unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_on_this_machine() {
        for (url, want) in [
            ("http://localhost:11434/v1", true),
            ("http://127.0.0.1/v1", true),
            ("http://[::1]:8080/v1", true),
            ("http://judge.localhost/v1", true),
            ("https://api.openai.com/v1", false),
            ("http://localhost.example.com/v1", false),
            ("http://10.0.0.1:80/v1", false),
        ] {
            assert_eq!(is_loopback(url), want, "{url}");
        }
    }
}
