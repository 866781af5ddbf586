//! The server: loopback only, one thread, ends with the test that started it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use anyhow::Context;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::script::Script;
use super::tools::{Call, Tools};
use super::transcript::{Kind, Request, Told};
use super::{anthropic, responses};

/// What a request that declares no tools is answered with: agents ask so for titles, in JSON.
const AUXILIARY: &str = r#"{"title":"a session"}"#;

/// A running server. It stops when dropped.
#[derive(Debug)]
pub struct FakeModel {
    address: SocketAddr,
    model: Arc<Model>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The script, how far it has come, and what was asked.
#[derive(Debug)]
struct Model {
    script: Script,
    /// Where its serial numbers begin: a session that is resumed goes on with another server, and ids must not come again.
    first: u64,
    state: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    next_turn: usize,
    requests: Vec<Request>,
}

/// What both protocols ask.
pub(super) struct Asked {
    pub(super) told: Vec<Told>,
    pub(super) tools: Tools,
    pub(super) model: String,
    pub(super) stream: bool,
}

/// What either protocol has to write.
pub(super) struct Answer<'a> {
    pub(super) calls: &'a [Call],
    pub(super) model: &'a str,
    pub(super) stream: bool,
    /// The request's serial number, to make ids of.
    pub(super) serial: u64,
}

/// One wire protocol: both directions.
#[derive(Clone, Copy)]
struct Dialect {
    read: fn(&[u8]) -> serde_json::Result<Asked>,
    answer: fn(&Answer<'_>) -> Response,
}

const ANTHROPIC: Dialect = Dialect { read: anthropic::read, answer: anthropic::answer };
const RESPONSES: Dialect = Dialect { read: responses::read, answer: responses::answer };

impl FakeModel {
    /// Starts one on a free port of the loopback.
    pub fn start(script: Script) -> anyhow::Result<FakeModel> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("failed to listen")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let model = Arc::new(Model { script, first: u64::from(address.port()) * 10_000, state: Mutex::default() });
        let routes = routes(Arc::clone(&model));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("fake-model".to_owned()).spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                // Connections that an agent left open end with the runtime.
                tokio::select! {
                    _ = axum::serve(listener, routes).into_future() => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(FakeModel { address, model, stop: Some(stop), thread: Some(thread) })
    }

    /// Its address without a trailing slash, such as `http://127.0.0.1:4711`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was asked so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.model.lock().requests.clone()
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn routes(model: Arc<Model>) -> Router {
    Router::new()
        .route("/v1/messages", post(|state, uri, body| converse(state, uri, body, ANTHROPIC)))
        .route("/v1/messages/count_tokens", post(async |state, uri| inquiry(state, uri, json!({"input_tokens": 100}))))
        .route("/v1/responses", post(|state, uri, body| converse(state, uri, body, RESPONSES)))
        .route("/v1/models", get(async |state, uri| inquiry(state, uri, json!({"data": [], "models": []}))))
        .fallback(unknown)
        .layer(DefaultBodyLimit::disable())
        .with_state(model)
}

impl Model {
    fn lock(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a request, and what is to be written down about it.
    fn take_turn(&self, tools: &Tools, told: &[Told]) -> (Kind, Vec<Call>) {
        if tools.is_empty() {
            return (Kind::Auxiliary, vec![Call::Text(AUXILIARY.to_owned())]);
        }
        let number = {
            let mut state = self.lock();
            state.next_turn += 1;
            state.next_turn - 1
        };
        let Some(turn) = self.script.turn(number) else {
            return (Kind::Fault(format!("the script has no turn {number}")), Vec::new());
        };
        match turn.iter().map(|block| tools.resolve(block, told)).collect() {
            Ok(calls) => (Kind::Turn(number), calls),
            Err(why) => (Kind::Fault(why), Vec::new()),
        }
    }

    /// Writes a request down and gives its serial number.
    fn record(&self, request: Request) -> u64 {
        let mut state = self.lock();
        state.requests.push(request);
        self.first + u64::try_from(state.requests.len()).unwrap_or_default()
    }
}

async fn converse(State(model): State<Arc<Model>>, uri: Uri, body: Bytes, dialect: Dialect) -> Response {
    let path = uri.to_string();
    let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let asked = match (dialect.read)(&body) {
        Ok(asked) => asked,
        Err(error) => {
            let why = format!("the request is unreadable: {error}");
            model.record(Request { path, kind: Kind::Fault(why.clone()), told: vec![], answer: vec![], body: json });
            return fault(StatusCode::BAD_REQUEST, &why);
        }
    };
    let (kind, calls) = model.take_turn(&asked.tools, &asked.told);
    let request = Request { path, kind: kind.clone(), told: asked.told, answer: calls.clone(), body: json };
    let serial = model.record(request);
    if let Kind::Fault(why) = &kind {
        return fault(StatusCode::BAD_REQUEST, why);
    }
    (dialect.answer)(&Answer { calls: &calls, model: &asked.model, stream: asked.stream, serial })
}

fn inquiry(State(model): State<Arc<Model>>, uri: Uri, answer: Value) -> Response {
    model.record(plain(&uri, Kind::Inquiry));
    Json(answer).into_response()
}

async fn unknown(State(model): State<Arc<Model>>, uri: Uri) -> Response {
    model.record(plain(&uri, Kind::Inquiry));
    fault(StatusCode::NOT_FOUND, "no such path")
}

fn plain(uri: &Uri, kind: Kind) -> Request {
    Request { path: uri.to_string(), kind, told: vec![], answer: vec![], body: Value::Null }
}

/// An error in a form that both agents print.
fn fault(status: StatusCode, why: &str) -> Response {
    let error = json!({ "type": "invalid_request_error", "message": why });
    (status, Json(json!({ "type": "error", "error": error }))).into_response()
}

/// Server-sent events, each named after its `type`.
pub(super) fn event_stream(events: &[Value]) -> Response {
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
    let body: String = events.iter().map(event).collect();
    ([(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")], body).into_response()
}
