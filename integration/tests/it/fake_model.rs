//! The fake model server by itself: what the agents' own runs do not touch.

use std::io::{Read, Write};
use std::net::TcpStream;

use anyhow::Context;
use hookguard_integration::fake_model::{Block, Call, FakeModel, Kind, Script};
use serde_json::{Value, json};

/// Posts JSON and gives the status and the body.
fn post(model: &FakeModel, path: &str, body: &Value) -> anyhow::Result<(u16, String)> {
    let url = model.url();
    let address = url.strip_prefix("http://").context("no http address")?;
    let body = body.to_string();
    let mut connection = TcpStream::connect(address)?;
    write!(
        connection,
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").context("no end of the head")?;
    let status = head.split(' ').nth(1).context("no status")?;
    Ok((status.parse()?, body.to_owned()))
}

fn one_command() -> Script {
    Script::one_call(Block::Shell("true".to_owned()), "The end.")
}

#[test]
fn messages_without_a_stream() -> anyhow::Result<()> {
    let model = FakeModel::start(one_command())?;
    let request =
        json!({ "model": "m", "tools": [{ "name": "Bash" }], "messages": [{ "role": "user", "content": "go" }] });
    let (status, body) = post(&model, "/v1/messages", &request)?;
    let body: Value = serde_json::from_str(&body)?;
    assert_eq!(status, 200);
    assert_eq!(body["stop_reason"], "tool_use");
    assert_eq!(body["content"][0]["input"]["command"], "true");
    Ok(())
}

#[test]
fn responses_without_a_stream_resolve_to_the_declared_shell() -> anyhow::Result<()> {
    let shells = [
        (json!([{ "type": "function", "name": "exec_command" }]), json!({ "cmd": "true" })),
        (json!([{ "type": "function", "name": "shell" }]), json!({ "command": ["bash", "-lc", "true"] })),
    ];
    for (tools, arguments) in shells {
        let model = FakeModel::start(one_command())?;
        let (status, body) = post(&model, "/v1/responses", &json!({ "tools": tools, "input": [] }))?;
        let body: Value = serde_json::from_str(&body)?;
        assert_eq!(status, 200);
        assert_eq!(body["output"][0]["arguments"], arguments.to_string());
    }
    Ok(())
}

#[test]
fn a_request_without_tools_takes_no_turn() -> anyhow::Result<()> {
    let model = FakeModel::start(one_command())?;
    let title = json!({ "messages": [{ "role": "user", "content": "a title, please" }] });
    assert_eq!(post(&model, "/v1/messages", &title)?.0, 200);
    assert_eq!(post(&model, "/v1/messages/count_tokens", &title)?.1, r#"{"input_tokens":100}"#);
    let turn = json!({ "tools": [{ "name": "Bash" }], "messages": [] });
    assert_eq!(post(&model, "/v1/messages?beta=true", &turn)?.0, 200);
    let kinds: Vec<Kind> = model.requests().into_iter().map(|request| request.kind).collect();
    assert_eq!(kinds, [Kind::Auxiliary, Kind::Inquiry, Kind::Turn(0)]);
    Ok(())
}

#[test]
fn what_cannot_be_answered_is_a_fault_that_says_why() -> anyhow::Result<()> {
    let model = FakeModel::start(one_command())?;
    let no_shell = json!({ "tools": [{ "name": "Read" }], "messages": [] });
    let (status, body) = post(&model, "/v1/messages", &no_shell)?;
    assert_eq!(status, 400);
    assert!(body.contains("Read"), "{body}");
    assert_eq!(post(&model, "/v1/messages", &json!({ "messages": 1 }))?.0, 400);
    let shell = json!({ "tools": [{ "name": "Bash" }], "messages": [] });
    assert_eq!(post(&model, "/v1/messages", &shell)?.0, 200);
    assert_eq!(post(&model, "/v1/messages", &shell)?.0, 400, "the script has two turns");
    let requests = model.requests();
    assert_eq!(requests.iter().filter(|request| matches!(request.kind, Kind::Fault(_))).count(), 3);
    assert_eq!(requests[2].answer, [Call::Text("The end.".to_owned())]);
    Ok(())
}
