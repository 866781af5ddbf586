//! A server on the loopback that answers as it is told and keeps what it was sent, to the byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

/// What one request is answered with.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    status: u16,
    body: String,
    after: Duration,
    /// The connection is closed without an answer.
    hang_up: bool,
}

impl Reply {
    pub(super) fn new(status: u16, body: impl Into<String>) -> Reply {
        Reply { status, body: body.into(), after: Duration::ZERO, hang_up: false }
    }

    /// A model's words.
    pub(super) fn says(text: &str) -> Reply {
        Reply::new(200, completion(text, "stop").to_string())
    }

    pub(super) fn error(status: u16, message: &str) -> Reply {
        Reply::new(status, json!({ "error": { "message": message } }).to_string())
    }

    pub(super) fn hang_up() -> Reply {
        Reply { hang_up: true, ..Reply::new(0, "") }
    }

    pub(super) fn after(self, after: Duration) -> Reply {
        Reply { after, ..self }
    }
}

pub(super) fn completion(text: &str, finish: &str) -> Value {
    json!({ "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": finish }] })
}

/// A server; its thread ends with the test's process.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    received: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Answers with these in turn; the last for ever.
    pub(super) fn start(replies: Vec<Reply>) -> anyhow::Result<Server> {
        Server::listen(replies, None)
    }

    /// The same by TLS, as `localhost`, with a certificate of its own: gives that too, as PEM.
    pub(super) fn with_tls(replies: Vec<Reply>) -> anyhow::Result<(Server, String)> {
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
        let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).map_err(anyhow::Error::msg)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let config = config.with_no_client_auth().with_single_cert(vec![own.cert.der().clone()], key)?;
        Ok((Server::listen(replies, Some(Arc::new(config)))?, own.cert.pem()))
    }

    fn listen(replies: Vec<Reply>, tls: Option<Arc<ServerConfig>>) -> anyhow::Result<Server> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                let reply = replies[number.min(replies.len() - 1)].clone();
                let kept = Arc::clone(&kept);
                let tls = tls.clone();
                std::thread::spawn(move || match tls.map(ServerConnection::new) {
                    None => serve(stream, &reply, &kept),
                    Some(Ok(connection)) => serve(StreamOwned::new(connection, stream), &reply, &kept),
                    Some(Err(_)) => {}
                });
            }
        });
        Ok(Server { address, received })
    }

    /// What came, with its head, in the order of arrival.
    pub(super) fn received(&self) -> Vec<String> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The bodies of what came.
    pub(super) fn bodies(&self) -> anyhow::Result<Vec<Value>> {
        let bodies = self.received();
        let body =
            |request: &String| Ok(serde_json::from_str(request.split_once("\r\n\r\n").map_or("", |(_, body)| body))?);
        bodies.iter().map(body).collect()
    }
}

fn serve(mut stream: impl Read + Write, reply: &Reply, kept: &Mutex<Vec<String>>) {
    let mut bytes = Vec::new();
    let mut block = [0; 8192];
    let whole = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let length = head
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
        (body.len() >= length.unwrap_or(0)).then(|| text.clone())
    };
    let request = loop {
        match stream.read(&mut block) {
            Ok(0) | Err(_) => return,
            Ok(count) => bytes.extend_from_slice(&block[..count]),
        }
        if let Some(request) = whole(&bytes) {
            break request;
        }
    };
    kept.lock().unwrap_or_else(PoisonError::into_inner).push(request);
    std::thread::sleep(reply.after);
    if reply.hang_up {
        return;
    }
    let head = format!(
        "HTTP/1.1 {} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        reply.status,
        reply.body.len()
    );
    drop(stream.write_all(format!("{head}{}", reply.body).as_bytes()));
}
