//! Names that become addresses in a static binary: by the hosts file, and by a name server.

use std::io::Write;
use std::net::{SocketAddr, UdpSocket};

use hookguard_integration::{Sandbox, binary};

use super::server::{Reply, Server};
use super::{PROMPT, YES, asked, chain, verdict, why};

fn config(host: &str, port: u16, more: &str) -> String {
    let url = format!("http://{host}:{port}/v1");
    chain(&["openai"], &format!("[[judge.backend]]\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"{url}\"\n{more}\n"))
}

/// A name server that knows one name, and answers every other question with "no such name". Written by hand: the packet's
/// question is sent back, with one record after it (RFC 1035, 4.1).
fn name_server(known: &'static str) -> anyhow::Result<SocketAddr> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let address = socket.local_addr()?;
    std::thread::spawn(move || {
        let mut buffer = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let question = &buffer[12..length];
            let name: Vec<u8> = known
                .split('.')
                .flat_map(|label| [&[u8::try_from(label.len()).unwrap_or(0)], label.as_bytes()].concat())
                .collect();
            let is_known = question.starts_with(&name);
            let wants_a = question.ends_with(&[0, 0, 1, 0, 1]);
            let mut reply = buffer[..length].to_vec();
            // A response, recursion available; 3 is "no such name".
            (reply[2], reply[3]) = (0x81, if is_known { 0x80 } else { 0x83 });
            if is_known && wants_a {
                reply[7] = 1;
                // The name by a pointer to the question, A, IN, a minute, four bytes.
                reply.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
            }
            drop(socket.send_to(&reply, from));
        }
    });
    Ok(address)
}

#[test]
fn localhost_is_this_machine() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let server = Server::start(vec![Reply::says(YES)])?;
    for host in ["localhost", "judge.localhost", "LOCALHOST"] {
        assert_eq!(verdict(&asked(&sandbox, &config(host, server.address.port(), ""), "x")?), "violation", "{host}");
    }
    Ok(())
}

#[test]
fn a_name_server_is_asked() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let server = Server::start(vec![Reply::says(YES)])?;
    let more = format!("resolver = \"{}\"", name_server("judge.example.test")?);
    let port = server.address.port();
    let found = asked(&sandbox, &config("judge.example.test", port, &more), "x")?;
    assert_eq!(verdict(&found), "violation", "{found}");
    assert!(server.received()[0].to_ascii_lowercase().contains(&format!("host: judge.example.test:{port}\r\n")));
    let missing = asked(&sandbox, &config("nobody.example.test", port, &more), "x")?;
    assert!(why(&missing).contains("the address of nobody.example.test can't be found"), "{missing}");
    Ok(())
}

/// In a namespace of its own, with a hosts file of its own.
#[test]
fn the_hosts_file_is_read() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let server = Server::start(vec![Reply::says(YES)])?;
    let hosts = sandbox.write("hosts", "127.0.0.1 judge.hosts.test\n")?;
    let config = sandbox.write("hookguard.toml", config("judge.hosts.test", server.address.port(), ""))?;
    let prompt = sandbox.write("prompt.txt", PROMPT)?;
    let namespace = |command: &str| {
        let unshare = sandbox.program("unshare").args(["--user", "--map-root-user", "--mount", "sh", "-ec"]);
        unshare.arg(format!("mount --bind {} /etc/hosts; {command}", hosts.display()))
    };
    // Some machines let nobody make one: there the unit tests of the reader are all that there is.
    if !namespace("true").run().is_ok_and(|done| done.code() == Some(0)) {
        // Past the capture of test output; where even stderr is gone, nobody is there to be told.
        drop(writeln!(std::io::stderr(), "skipped: the_hosts_file_is_read: nobody may make a namespace here"));
        return Ok(());
    }
    let judge = format!("exec {} judge --json --prompt {}", binary::hookguard()?.display(), prompt.display());
    let done = namespace(&judge).env("HOOKGUARD_CONFIG", config).stdin("x").run()?;
    assert!(done.stdout.contains("\"violation\""), "{done:?}");
    Ok(())
}
