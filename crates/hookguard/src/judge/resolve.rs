//! Names to addresses, without the system's resolver: a static binary can't load what that is made of (NSS), and would find
//! nothing or crash on some machines. The hosts file first, then the name servers of resolv.conf, by UDP, and by TCP where an
//! answer is too long for that.
//!
//! What NSS would ask besides (mDNS, LDAP, a container runtime's modules) is not asked; the `resolver` of a backend helps there.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use hookguard_judge::backend::openai::name_server;
use simple_dns::rdata::RData;
use simple_dns::{CLASS, Name, Packet, PacketFlag, QCLASS, QTYPE, Question, RCODE, TYPE};
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

const HOSTS: &str = "/etc/hosts";
const CONF: &str = "/etc/resolv.conf";
/// How long a server is waited for before the next one, or the same again, is asked.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often each server is asked.
const ROUNDS: usize = 2;
/// How long the other family's addresses are waited for once there are some.
const OTHER_FAMILY: Duration = Duration::from_millis(100);
/// How many addresses are tried: what ureq takes.
const MAX_ADDRESSES: usize = 16;
/// How many servers and search domains are believed, as in the system's resolver.
const MAX_SERVERS: usize = 3;
const MAX_SEARCH: usize = 6;

/// Finds addresses.
#[derive(Debug)]
pub(super) struct Names {
    server: Option<SocketAddr>,
}

impl Names {
    /// With this name server, or with the system's.
    pub(super) fn new(server: Option<&str>) -> Names {
        Names { server: server.and_then(name_server) }
    }

    fn addresses(&self, host: &str, until: Instant) -> Result<Vec<IpAddr>, String> {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        if let Ok(address) = host.trim_matches(['[', ']']).parse() {
            return Ok(vec![address]);
        }
        let listed = of_hosts(&std::fs::read_to_string(HOSTS).unwrap_or_default(), &host);
        if !listed.is_empty() {
            return Ok(listed);
        }
        if host == "localhost" || host.ends_with(".localhost") {
            return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
        }
        let conf = Conf::of(&std::fs::read_to_string(CONF).unwrap_or_default());
        let servers = self.server.map_or(conf.servers.clone(), |server| vec![server]);
        ask(&servers, &conf.candidates(&host), until).ok_or_else(|| format!("the address of {host} can't be found"))
    }
}

impl Resolver for Names {
    fn resolve(&self, uri: &Uri, _: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().unwrap_or_default();
        let of_scheme = match uri.scheme_str() {
            Some("https") => 443,
            _ => 80,
        };
        let port = uri.port_u16().unwrap_or(of_scheme);
        // "Never" is more than can be added to now.
        let until = Instant::now() + (*timeout.after).min(Duration::from_secs(60));
        let found = self.addresses(host, until).map_err(|why| ureq::Error::Other(why.into()))?;
        let mut addresses = self.empty();
        for address in found.into_iter().take(MAX_ADDRESSES) {
            addresses.push(SocketAddr::new(address, port));
        }
        Ok(addresses)
    }
}

/// What a hosts file says of a name.
fn of_hosts(text: &str, host: &str) -> Vec<IpAddr> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let named = |line: &str| {
        let mut words = line.split_whitespace();
        let address = words.next()?.parse::<IpAddr>().ok()?;
        words.any(|name| name.trim_end_matches('.').eq_ignore_ascii_case(host)).then_some(address)
    };
    lines.filter_map(named).collect()
}

/// What resolv.conf says (resolv.conf(5)).
#[derive(Debug, PartialEq, Eq)]
struct Conf {
    servers: Vec<SocketAddr>,
    search: Vec<String>,
    /// With so many dots a name is asked for as it is before the search list is tried.
    dots: usize,
}

impl Conf {
    fn of(text: &str) -> Conf {
        let mut conf = Conf { servers: Vec::new(), search: Vec::new(), dots: 1 };
        for line in text.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("nameserver") => conf.servers.extend(words.next().and_then(name_server)),
                Some("search" | "domain") => conf.search = words.map(str::to_ascii_lowercase).collect(),
                Some("options") => {
                    let dots = words.filter_map(|word| word.strip_prefix("ndots:")?.parse().ok()).next_back();
                    conf.dots = dots.unwrap_or(conf.dots);
                }
                _ => {}
            }
        }
        conf.servers.truncate(MAX_SERVERS);
        conf.search.truncate(MAX_SEARCH);
        if conf.servers.is_empty() {
            conf.servers.push((Ipv4Addr::LOCALHOST, 53).into());
        }
        conf
    }

    /// The names that are asked for, in their order.
    fn candidates(&self, host: &str) -> Vec<String> {
        let below = self.search.iter().map(|domain| format!("{host}.{}", domain.trim_matches('.')));
        let mut names: Vec<String> = below.collect();
        let own = if host.matches('.').count() >= self.dots { 0 } else { names.len() };
        names.insert(own, host.to_owned());
        names
    }
}

/// What a server says of a name.
enum Answer {
    Addresses(Vec<IpAddr>),
    /// There is no such name, or it has no address: another server would say the same.
    None,
    /// It does not answer, or has a fault of its own.
    Silence,
}

fn ask(servers: &[SocketAddr], names: &[String], until: Instant) -> Option<Vec<IpAddr>> {
    for name in names {
        'rounds: for _ in 0..ROUNDS {
            for server in servers {
                if Instant::now() >= until {
                    return None;
                }
                match query(*server, name, until.min(Instant::now() + PATIENCE)) {
                    Ok(Answer::Addresses(found)) => return Some(found),
                    Ok(Answer::None) => break 'rounds,
                    Ok(Answer::Silence) | Err(_) => {}
                }
            }
        }
    }
    None
}

/// Asks one server for both families at once.
fn query(server: SocketAddr, name: &str, until: Instant) -> std::io::Result<Answer> {
    let any: SocketAddr =
        if server.is_ipv4() { (Ipv4Addr::UNSPECIFIED, 0).into() } else { (Ipv6Addr::UNSPECIFIED, 0).into() };
    // The system chooses the port; connected, the socket hears nobody but the server.
    let socket = UdpSocket::bind(any)?;
    socket.connect(server)?;
    let mut open: Vec<(u16, Vec<u8>)> = Vec::new();
    for family in [TYPE::A, TYPE::AAAA] {
        let (id, packet) = question(name, family)?;
        socket.send(&packet)?;
        open.push((id, packet));
    }
    let mut found: Vec<IpAddr> = Vec::new();
    let mut until = until;
    let mut faulty = false;
    let mut buffer = [0; 4096];
    while !open.is_empty() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        socket.set_read_timeout(Some(left))?;
        let length = match socket.recv(&mut buffer) {
            Ok(length) => length,
            Err(_) if !found.is_empty() => break,
            Err(error) => return Err(error),
        };
        let Some(heard) = Heard::of(&buffer[..length], name) else { continue };
        let Some(at) = open.iter().position(|(id, _)| *id == heard.id) else { continue };
        let (_, packet) = open.remove(at);
        let heard = if heard.cut { by_tcp(server, &packet, name, until).unwrap_or(heard) } else { heard };
        faulty |= heard.faulty;
        found.extend(heard.addresses);
        if !found.is_empty() {
            until = until.min(Instant::now() + OTHER_FAMILY);
        }
    }
    found.sort_by_key(IpAddr::is_ipv6);
    Ok(match (found.is_empty(), faulty || !open.is_empty()) {
        (false, _) => Answer::Addresses(found),
        (true, false) => Answer::None,
        (true, true) => Answer::Silence,
    })
}

/// A question with an id that nobody can guess.
fn question(name: &str, family: TYPE) -> std::io::Result<(u16, Vec<u8>)> {
    let mut id = [0; 2];
    getrandom::fill(&mut id)?;
    let id = u16::from_ne_bytes(id);
    let mut packet = Packet::new_query(id);
    packet.set_flags(PacketFlag::RECURSION_DESIRED);
    let name = Name::new(name).map_err(std::io::Error::other)?;
    packet.questions.push(Question::new(name, QTYPE::TYPE(family), QCLASS::CLASS(CLASS::IN), false));
    Ok((id, packet.build_bytes_vec().map_err(std::io::Error::other)?))
}

/// What was heard.
struct Heard {
    id: u16,
    addresses: Vec<IpAddr>,
    /// The server could not say.
    faulty: bool,
    /// There is more than the packet holds.
    cut: bool,
}

impl Heard {
    /// An answer about `name`; anything else is somebody else's.
    fn of(bytes: &[u8], name: &str) -> Option<Heard> {
        let packet = Packet::parse(bytes).ok()?;
        let about = packet
            .questions
            .first()
            .is_none_or(|question| question.qname.to_string().trim_end_matches('.').eq_ignore_ascii_case(name));
        if !packet.has_flags(PacketFlag::RESPONSE) || !about {
            return None;
        }
        let address = |data: &RData<'_>| match data {
            RData::A(address) => Some(Ipv4Addr::from(address.address).into()),
            RData::AAAA(address) => Some(Ipv6Addr::from(address.address).into()),
            _ => None,
        };
        Some(Heard {
            id: packet.id(),
            // A name server that resolves for us follows the other names itself.
            addresses: packet.answers.iter().filter_map(|answer| address(&answer.rdata)).collect(),
            faulty: !matches!(packet.rcode(), RCODE::NoError | RCODE::NameError),
            cut: packet.has_flags(PacketFlag::TRUNCATION),
        })
    }
}

fn by_tcp(server: SocketAddr, packet: &[u8], name: &str, until: Instant) -> Option<Heard> {
    let left = || Some(until.saturating_duration_since(Instant::now())).filter(|left| !left.is_zero());
    let mut stream = TcpStream::connect_timeout(&server, left()?).ok()?;
    stream.set_write_timeout(left()).ok()?;
    stream.set_read_timeout(left()).ok()?;
    let length = u16::try_from(packet.len()).ok()?.to_be_bytes();
    stream.write_all(&[&length[..], packet].concat()).ok()?;
    let mut length = [0; 2];
    stream.read_exact(&mut length).ok()?;
    let mut bytes = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut bytes).ok()?;
    Heard::of(&bytes, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hosts_file() {
        let text = "127.0.0.1 localhost lh # x\n::1\tlocalhost\n# 10.0.0.1 lh\n10.0.0.2 Judge.Test. judge\nbad judge\n";
        let of = |host: &str| of_hosts(text, host).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(of("localhost"), "127.0.0.1 ::1");
        assert_eq!(of("lh"), "127.0.0.1");
        assert_eq!(of("judge.test"), "10.0.0.2");
        assert_eq!(of("test"), "");
    }

    #[test]
    fn a_resolv_conf() {
        let conf = Conf::of(
            "nameserver 10.0.0.1\nnameserver ::1\n# nameserver 1.1.1.1\nsearch a.test b.test\noptions x ndots:2\n",
        );
        assert_eq!(conf.servers, ["10.0.0.1:53".parse().unwrap(), "[::1]:53".parse().unwrap()]);
        assert_eq!(conf.candidates("h"), ["h.a.test", "h.b.test", "h"]);
        assert_eq!(conf.candidates("h.x.y"), ["h.x.y", "h.x.y.a.test", "h.x.y.b.test"]);
        assert_eq!(Conf::of("").servers, ["127.0.0.1:53".parse().unwrap()]);
        assert_eq!(Conf::of("").candidates("h"), ["h"]);
    }

    /// A name server for so many packets, which gets each question and says which bytes to send.
    fn server(answers: usize, answer: impl Fn(&Packet<'_>) -> Vec<u8> + Send + 'static) -> SocketAddr {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let address = socket.local_addr().unwrap();
        std::thread::spawn(move || {
            for _ in 0..answers {
                let mut buffer = [0; 512];
                let Ok((length, from)) = socket.recv_from(&mut buffer) else { return };
                let packet = Packet::parse(&buffer[..length]).unwrap();
                let _ = socket.send_to(&answer(&packet), from);
            }
        });
        address
    }

    fn reply(to: &Packet<'_>, id: u16, addresses: &[Ipv4Addr]) -> Vec<u8> {
        let mut packet = Packet::new_reply(id);
        packet.questions = to.questions.clone();
        let name = to.questions[0].qname.clone();
        if to.questions[0].qtype == QTYPE::TYPE(TYPE::A) {
            packet.answers = addresses
                .iter()
                .map(|address| {
                    let data = RData::A(simple_dns::rdata::A { address: (*address).into() });
                    simple_dns::ResourceRecord::new(name.clone(), CLASS::IN, 60, data)
                })
                .collect();
        }
        packet.build_bytes_vec().unwrap()
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(3)
    }

    #[test]
    fn a_server_that_answers() {
        let two = [Ipv4Addr::new(127, 0, 0, 7), Ipv4Addr::LOCALHOST];
        let server = server(2, move |packet| reply(packet, packet.id(), &two));
        let found = ask(&[server], &["judge.test".to_owned()], soon()).unwrap();
        assert_eq!(found, two.map(IpAddr::from));
    }

    #[test]
    fn another_id_and_noise_are_passed_over_and_silence_ends() {
        let forged = server(2, |packet| reply(packet, packet.id().wrapping_add(1), &[Ipv4Addr::LOCALHOST]));
        let started = Instant::now();
        let until = started + Duration::from_millis(300);
        assert_eq!(ask(&[forged], &["judge.test".to_owned()], until), None);
        assert!(started.elapsed() < Duration::from_secs(2));
        let noise = server(2, |_| vec![0xff; 100]);
        assert_eq!(ask(&[noise], &["judge.test".to_owned()], Instant::now() + Duration::from_millis(300)), None);
    }

    #[test]
    fn the_search_list_goes_on_after_a_name_that_is_not_there() {
        let server = server(4, |packet| {
            let known = packet.questions[0].qname.to_string().starts_with("judge.b");
            reply(packet, packet.id(), if known { &[Ipv4Addr::LOCALHOST] } else { &[] })
        });
        let names = ["judge.a".to_owned(), "judge.b".to_owned()];
        assert_eq!(ask(&[server], &names, soon()), Some(vec![Ipv4Addr::LOCALHOST.into()]));
    }

    #[test]
    fn addresses_and_localhost_need_no_server() {
        let names = Names::new(Some("127.0.0.1:1"));
        assert_eq!(names.addresses("[::1]", soon()), Ok(vec![Ipv6Addr::LOCALHOST.into()]));
        assert_eq!(names.addresses("10.1.2.3", soon()), Ok(vec![Ipv4Addr::new(10, 1, 2, 3).into()]));
        assert!(names.addresses("localhost", soon()).unwrap().contains(&Ipv4Addr::LOCALHOST.into()));
        assert!(names.addresses("x.localhost", soon()).unwrap().contains(&Ipv4Addr::LOCALHOST.into()));
        assert!(names.addresses("judge.test", Instant::now() + Duration::from_millis(200)).is_err());
    }
}
