//! Backends that are servers: what goes over the wire, what is left out where a server does not know it, how each fails.

use std::time::Duration;

use hookguard_integration::Sandbox;
use serde_json::{Value, json};

use super::server::{Reply, Server, completion};
use super::{NO, YES, ask, asked, assert_clean, chain, text_with_secrets, verdict, why, within};

const TEXT: &str = "I paint the fence now.";

fn config(server: &Server, more: &str) -> String {
    chain(&["openai"], &table(server, more))
}

fn table(server: &Server, more: &str) -> String {
    format!(
        "[[judge.backend]]\nkind = \"openai\"\nmodel = \"m-1\"\nbase_url = \"http://{}/v1\"\n{more}\n",
        server.address
    )
}

#[test]
fn a_question_and_its_answer() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let server = Server::start(vec![Reply::says(YES)])?;
    let more = "api_key_env = \"JUDGE_KEY\"\nheaders = { X-Team = \"acme\", X-Other = \"${JUDGE_OTHER}\" }";
    let file = sandbox.write("hookguard.toml", config(&server, more))?;
    let prompt = sandbox.write("prompt.txt", super::PROMPT)?;
    let judge = sandbox.hookguard(["judge", "--json", "--prompt", &prompt.to_string_lossy()])?;
    let judge = judge.env("HOOKGUARD_CONFIG", &file).env("JUDGE_KEY", "the-key").env("JUDGE_OTHER", "other-key");
    // Whatever stands in the environment: this machine needs no proxy.
    let done =
        judge.env("HTTP_PROXY", "http://127.0.0.1:9").env("ALL_PROXY", "http://127.0.0.1:9").stdin(TEXT).run()?;
    let asked: Value = serde_json::from_str(&done.stdout)?;
    assert_eq!((verdict(&asked), asked["model"].as_str()), ("violation", Some("m-1")), "{done:?}");
    let request = server.received().remove(0);
    let head = request.to_ascii_lowercase();
    for part in [
        "post /v1/chat/completions ",
        "authorization: bearer the-key\r\n",
        "x-team: acme\r\n",
        "x-other: other-key\r\n",
    ] {
        assert!(head.contains(part), "{part}: {request}");
    }
    let body = server.bodies()?.remove(0);
    assert_eq!((&body["model"], &body["temperature"], &body["stream"]), (&json!("m-1"), &json!(0), &json!(false)));
    assert_eq!(body["response_format"]["json_schema"]["strict"], true);
    assert!(body["messages"][0]["role"] == "system" && !body["messages"][0]["content"].to_string().contains(TEXT));
    assert!(body["messages"][1]["role"] == "user" && body["messages"][1]["content"].to_string().contains(TEXT));

    let keyless = ask(&sandbox, &config(&server, more), TEXT, &["--json"])?;
    assert!(keyless.stdout.contains("the environment variable JUDGE_KEY is not set"), "{keyless:?}");
    let shown = sandbox.hookguard(["judge", "--show-request", "--prompt", &prompt.to_string_lossy()])?;
    let shown = shown.env("HOOKGUARD_CONFIG", &file).env("JUDGE_KEY", "the-key").stdin(TEXT).run()?.success()?;
    assert!(shown.contains("Bearer ${JUDGE_KEY}") && !shown.contains("the-key"), "{shown}");
    Ok(())
}

#[test]
fn a_server_that_does_not_know_a_part_gets_less() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let server = Server::start(vec![
        Reply::error(400, "response_format json_schema is not supported"),
        Reply::error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        Reply::error(422, "'response_format.type' must be 'json_schema' or 'text'"),
        Reply::error(400, "temperature does not support 0 with this model"),
        Reply::says(NO),
    ])?;
    let asked = asked(&sandbox, &config(&server, ""), TEXT)?;
    assert_eq!(verdict(&asked), "allow", "{asked}");
    let bodies = server.bodies()?;
    let formats: Vec<&Value> = bodies.iter().map(|body| &body["response_format"]["type"]).collect();
    assert_eq!(
        formats,
        [&json!("json_schema"), &json!("json_object"), &json!("json_object"), &Value::Null, &Value::Null]
    );
    let last = &bodies[4];
    assert!(
        last.get("temperature").is_none() && last.get("max_tokens").is_none() && last["max_completion_tokens"].is_u64()
    );
    // Without a schema the question itself says what is wanted.
    assert!(last["messages"][1]["content"].to_string().contains("only_asks"));
    Ok(())
}

#[test]
fn each_way_to_fail_is_told_and_ends_in_time() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let ok = |body: Value| Reply::new(200, body.to_string());
    let slow = Reply::says(NO).after(Duration::from_secs(30));
    for (reply, says) in [
        (slow, "had not answered"),
        (Reply::error(404, "model m-1 was retired"), "model m-1: status 404: model m-1 was retired"),
        (Reply::error(401, "no such key"), "status 401: no such key"),
        (Reply::error(429, "slow down"), "status 429: slow down"),
        (Reply::error(503, "loading"), "status 503: loading"),
        (Reply::hang_up(), "model m-1: "),
        (ok(completion("{\"announces\": true", "length")), "cut off at max_tokens"),
        (ok(completion("", "content_filter")), "refused"),
        (ok(json!({ "choices": [{ "message": { "content": null, "refusal": "I can't." } }] })), "refused"),
        (ok(completion("I would rather not say.", "stop")), "holds no JSON object"),
        (ok(completion("", "stop")), "is empty"),
        (ok(json!({ "choices": [] })), "no structured answer"),
        (Reply::new(200, "<html>"), "no JSON"),
        (Reply::new(302, ""), "status 302"),
    ] {
        let server = Server::start(vec![reply])?;
        let done = ask(&sandbox, &within(1500, &config(&server, "")), TEXT, &["--json"])?;
        let asked: Value = serde_json::from_str(&done.stdout)?;
        assert_eq!((done.code(), verdict(&asked)), (Some(70), "fail"), "{says}: {done:?}");
        assert!(why(&asked).contains(says), "{says}: {asked}");
        assert!(done.elapsed < Duration::from_secs(4), "{says}: {:?}", done.elapsed);
        assert_eq!(server.received().len(), 1, "{says}");
    }
    // Nobody listens there.
    let gone = chain(
        &["openai"],
        "[[judge.backend]]\nkind = \"openai\"\nmodel = \"m-1\"\nbase_url = \"http://127.0.0.1:9/v1\"\n",
    );
    assert_eq!(verdict(&asked(&sandbox, &gone, TEXT)?), "fail");
    Ok(())
}

#[test]
fn a_busy_server_is_asked_once_more_where_there_is_time() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    for first in [Reply::error(429, "slow down"), Reply::error(503, "loading"), Reply::hang_up()] {
        let server = Server::start(vec![first.clone(), Reply::says(YES)])?;
        assert_eq!(verdict(&asked(&sandbox, &config(&server, ""), TEXT)?), "violation", "{first:?}");
        assert_eq!(server.received().len(), 2);
        let busy = Server::start(vec![first])?;
        assert_eq!(verdict(&asked(&sandbox, &config(&busy, ""), TEXT)?), "fail");
        assert_eq!(busy.received().len(), 2);
    }
    Ok(())
}

#[test]
fn a_server_sees_no_secret_of_the_text() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let server = Server::start(vec![Reply::says(NO)])?;
    let (text, secrets) = text_with_secrets();
    let asked = asked(&sandbox, &config(&server, ""), &text)?;
    assert_eq!(verdict(&asked), "allow");
    assert_eq!(asked["redactions"]["github"], 2);
    assert_clean(&server.received().join(""), &secrets);
    Ok(())
}

#[test]
fn the_next_backend_is_asked() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let bad = Server::start(vec![Reply::says("no idea")])?;
    let good = Server::start(vec![Reply::says(YES)])?;
    let both = format!("{}{}", table(&bad, "name = \"bad\""), table(&good, "name = \"good\""));
    let asked = asked(&sandbox, &chain(&["bad", "good"], &both), TEXT)?;
    assert_eq!((verdict(&asked), &asked["backend"]), ("violation", &json!("good")), "{asked}");
    assert_eq!(asked["tries"][0]["backend"], "bad");
    Ok(())
}

#[test]
fn a_server_is_believed_by_its_certificate() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let (server, certificate) = Server::with_tls(vec![Reply::says(YES)])?;
    let trusted = sandbox.write("ca.pem", certificate)?;
    let other = sandbox.write("other.pem", Server::with_tls(vec![Reply::says(NO)])?.1)?;
    let config = |host: &str, more: &str| {
        let base = format!("https://{host}:{}/v1", server.address.port());
        chain(
            &["openai"],
            &format!("[[judge.backend]]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"{base}\"\n{more}\n"),
        )
    };
    let ca = |file: &std::path::Path| format!("ca_file = '{}'", file.display());
    let known = asked(&sandbox, &config("localhost", &ca(&trusted)), TEXT)?;
    assert_eq!(verdict(&known), "violation", "{known}");
    let seen = server.received().len();
    for (host, more, says) in [
        ("localhost", String::new(), "UnknownIssuer"),
        ("localhost", ca(&other), "certificate"),
        ("127.0.0.1", ca(&trusted), "not valid for name"),
        ("localhost", "ca_file = '/no/such/file'".to_owned(), "/no/such/file"),
    ] {
        let asked = asked(&sandbox, &config(host, &more), TEXT)?;
        assert_eq!(verdict(&asked), "fail", "{asked}");
        assert!(why(&asked).contains(says), "{says}: {asked}");
    }
    // None of them said a word of the text.
    assert_eq!(server.received().len(), seen);
    Ok(())
}
