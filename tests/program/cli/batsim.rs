//! Schedulers of Batsim: a scheduler on a socket of ZeroMQ, written from RFC 23 byte by byte, gives the
//! results of ours, and whatever is wrong with one is told.

use std::collections::{BTreeMap, VecDeque};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::support::{Folder, Said, kth};

const ONE: &str = r#"
name = "one"
output = { page = false, timeline = false, histograms = false }
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.RULE }
[[job]]
organization = "a"
submit = 1.0
runtime = 10.0
processors = 3
estimate = 12.0
[[job]]
organization = "a"
submit = 2.5
runtime = 1.0
processors = 2
estimate = 2.0
"#;

/// Time after which a scheduler that nobody asks fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// The greeting, without its mechanism and filler, and the type of the socket.
#[derive(Clone, Copy)]
struct Peer {
    signature: [u8; 12],
    mechanism: &'static [u8],
    socket: &'static str,
}

const REP: Peer = Peer {
    signature: [0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1],
    mechanism: b"NULL",
    socket: "REP",
};

/// Reads a frame: its flags and content.
fn frame(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).ok()?;
    let mut size = usize::from(head[1]);
    if head[0] & 2 != 0 {
        let mut rest = [0; 7];
        stream.read_exact(&mut rest).unwrap();
        size = rest.iter().fold(size, |size, &byte| size << 8 | usize::from(byte));
        assert!(size > 255, "a long frame of {size} bytes");
    }
    let mut content = vec![0; size];
    stream.read_exact(&mut content).unwrap();
    Some((head[0] & !2, content))
}

/// Takes a connection up to the end of the handshake.
fn accept(listener: &TcpListener, peer: Peer) -> TcpStream {
    listener.set_nonblocking(true).unwrap();
    let until = Instant::now() + PATIENCE;
    let mut stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(error) => assert!(Instant::now() < until, "nobody came: {error}"),
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(&peer.signature[..10]).unwrap();
    let mut greeting = [0; 64];
    stream.read_exact(&mut greeting).unwrap();
    assert_eq!(greeting[..12], [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0]);
    assert_eq!(&greeting[12..32], b"NULL\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(greeting[32..], [0; 32]);
    let mut rest = [0; 54];
    rest[..2].copy_from_slice(&peer.signature[10..]);
    rest[2..2 + peer.mechanism.len()].copy_from_slice(peer.mechanism);
    // A client that does not like what it reads closes the connection.
    _ = stream.write_all(&rest);
    let ready = frame(&mut stream);
    if let Some(ready) = ready {
        assert_eq!(ready, (4, b"\x05READY\x0bSocket-Type\0\0\0\x03REQ".to_vec()));
    }
    let mut ready = b"\x05READY\x0bSocket-Type\0\0\0".to_vec();
    ready.push(peer.socket.len() as u8);
    ready.extend(peer.socket.bytes());
    ready.extend(b"\x08Identity\0\0\0\0");
    let mut bytes = vec![4, ready.len() as u8];
    bytes.extend(ready);
    _ = stream.write_all(&bytes);
    stream
}

/// Reads a question.
fn question(stream: &mut TcpStream) -> Option<Value> {
    let delimiter = frame(stream)?;
    assert_eq!(delimiter, (1, Vec::new()));
    let (flags, message) = frame(stream)?;
    assert_eq!(flags, 0);
    Some(serde_json::from_slice(&message).unwrap())
}

/// Answers in a long frame, as a peer may whatever the length.
fn answer(stream: &mut TcpStream, text: &str) {
    let mut bytes = vec![1, 0, 2];
    bytes.extend((text.len() as u64).to_be_bytes());
    bytes.extend(text.bytes());
    stream.write_all(&bytes).unwrap();
}

fn event(kind: &str, data: Value) -> Value {
    json!({ "timestamp": 0, "type": kind, "data": data })
}

/// First come, first served, in Batsim's events.
#[derive(Default)]
struct Fcfs {
    free: Vec<u64>,
    waiting: VecDeque<(String, usize)>,
    held: BTreeMap<String, Vec<u64>>,
    heard: Vec<String>,
}

impl Fcfs {
    fn hear(&mut self, message: &Value) -> Value {
        let mut said = Vec::new();
        for event in message["events"].as_array().unwrap() {
            assert!(event["timestamp"] == message["now"], "{message}");
            let (kind, data) = (event["type"].as_str().unwrap(), &event["data"]);
            self.heard.push(kind.to_owned());
            match kind {
                "SIMULATION_BEGINS" => {
                    self.free = (0..data["nb_resources"].as_u64().unwrap()).collect();
                    assert_eq!(
                        data["compute_resources"].as_array().unwrap().len(),
                        self.free.len()
                    );
                }
                "JOB_SUBMITTED" => {
                    let job = &data["job"];
                    assert!(job["id"] == data["job_id"] && job["subtime"] == message["now"]);
                    assert!(job["walltime"].as_f64().unwrap() >= 0.0);
                    let res = job["res"].as_u64().unwrap() as usize;
                    self.waiting.push_back((job["id"].as_str().unwrap().to_owned(), res));
                }
                "JOB_COMPLETED" => {
                    let held = self.held.remove(data["job_id"].as_str().unwrap()).unwrap();
                    let alloc: Vec<u64> = (data["alloc"].as_str().unwrap().split(' '))
                        .flat_map(|part| {
                            let (first, last) = part.split_once('-').unwrap_or((part, part));
                            first.parse().unwrap()..=last.parse().unwrap()
                        })
                        .collect();
                    assert_eq!(held, alloc);
                    self.free.extend(held);
                    self.free.sort_unstable();
                }
                _ => {}
            }
        }
        while self.waiting.front().is_some_and(|(_, res)| *res <= self.free.len()) {
            let (id, res) = self.waiting.pop_front().unwrap();
            let held: Vec<u64> = self.free.drain(..res).collect();
            let alloc = held.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
            said.push(event("EXECUTE_JOB", json!({ "job_id": id, "alloc": alloc })));
            self.held.insert(id, held);
        }
        json!({ "now": message["now"], "events": said })
    }
}

/// Plays a scenario whose RULE asks at this port.
fn play(folder: &Folder, scenario: &str, port: u16, more: &str) -> Said {
    let rule = format!("batsim = {{ socket = \"tcp://127.0.0.1:{port}\", timeout = 20 }}");
    folder.write("s.toml", &scenario.replace("RULE", &rule));
    folder.run(&format!("run s.toml -q --force --threads 1 {more}"))
}

fn listen() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// Plays `ONE` with a scheduler that answers by a function, until it is left.
fn by(mut hear: impl FnMut(&Value) -> Value + Send + 'static) -> (Folder, Said, Vec<Value>) {
    let (folder, (listener, port)) = (Folder::new(""), listen());
    let server: JoinHandle<Vec<Value>> = std::thread::spawn(move || {
        let mut stream = accept(&listener, REP);
        let mut heard = Vec::new();
        while let Some(message) = question(&mut stream) {
            answer(&mut stream, &hear(&message).to_string());
            heard.push(message);
        }
        heard
    });
    let said = play(&folder, ONE, port, "--out r");
    (folder, said, server.join().unwrap())
}

fn nothing(message: &Value) -> Value {
    json!({ "now": message["now"], "events": [] })
}

/// Two replications of drawn jobs, then the first jobs of KTH, and each again from the record.
#[test]
fn first_come_first_served_in_batsims_words_gives_the_jobs_of_ours() {
    let drawn = r#"
name = "drawn"
run = { until.jobs = 100, replications = 2, clairvoyance = "estimate" }
output = { page = false, timeline = false, histograms = false }
[[organization]]
name = "a"
cluster.space_shared = { processors = 8, scheduler.RULE }
workload.synthetic = { arrivals.poisson.rate = 0.1, size.exponential.mean = 20.0, processors.uniform = { min = 1, max = 6 }, estimates.f_model.factor = 1.7 }
"#;
    let trace = format!("workload.swf.file = \"{}\"", kth().display());
    let kth =
        drawn.replace("jobs = 100, replications = 2", "jobs = 1000").replace(" = 8,", " = 100,");
    let kth = kth[..kth.find("workload").unwrap()].to_owned() + &trace;
    for (scenario, replications) in [(drawn, 2), (&kth, 1)] {
        let (folder, (listener, port)) = (Folder::new(""), listen());
        let server = std::thread::spawn(move || {
            for _ in 0..replications {
                let (mut stream, mut fcfs) = (accept(&listener, REP), Fcfs::default());
                while let Some(message) = question(&mut stream) {
                    let said = fcfs.hear(&message).to_string();
                    answer(&mut stream, &said);
                }
                assert_eq!(fcfs.heard[..2], ["SIMULATION_BEGINS", "JOB_SUBMITTED"]);
                assert_eq!(fcfs.heard[fcfs.heard.len() - 2..], ["NOTIFY", "SIMULATION_ENDS"]);
            }
        });
        let said = play(&folder, scenario, port, "--out r");
        assert_eq!(said.code, 0, "{}", said.error);
        server.join().unwrap();
        // Nobody listens there now.
        let said = play(&folder, scenario, port, "--out again --replay r");
        assert_eq!(said.code, 0, "{}", said.error);
        folder.write("s.toml", &scenario.replace("RULE", "fcfs = {}"));
        assert_eq!(folder.run("run s.toml -q --out ours").code, 0);
        for out in ["r", "again"] {
            assert!(folder.read(&format!("{out}/jobs.csv")) == folder.read("ours/jobs.csv"));
        }
    }
}

#[test]
fn a_scheduler_is_called_later_and_may_take_time_to_decide() {
    // The first job is to start two seconds after it came, which the scheduler says a second before.
    let (folder, said, heard) = by(|message| {
        let now = message["now"].as_f64().unwrap();
        let data = match message["events"][0]["type"].as_str().unwrap() {
            "JOB_SUBMITTED" if now == 1.0 => {
                json!({ "timestamp": now, "type": "CALL_ME_LATER", "data": { "timestamp": 2.0 } })
            }
            "REQUESTED_CALL" => {
                let data = json!({ "job_id": "w0!0", "alloc": "1-3" });
                let said = json!({ "timestamp": 3, "type": "EXECUTE_JOB", "data": data });
                return json!({ "now": 4, "events": [said] });
            }
            "JOB_COMPLETED" if now < 14.0 => {
                event("EXECUTE_JOB", json!({ "job_id": "w0!1", "alloc": "3 0" }))
            }
            _ => return nothing(message),
        };
        json!({ "now": now, "events": [data] })
    });
    assert_eq!(said.code, 0, "{}", said.error);
    let jobs = folder.read("r/jobs.csv");
    let starts: Vec<_> = jobs.lines().skip(1).map(|line| line.split(',').nth(8).unwrap()).collect();
    assert_eq!(starts, ["3", "13"], "{jobs}");
    let times: Vec<_> = heard.iter().map(|message| message["now"].as_f64().unwrap()).collect();
    // The submission at 2.5 is heard at 4, when it is ready again.
    assert_eq!(times, [0.0, 1.0, 2.0, 4.0, 13.0, 14.0, 14.0]);
    assert_eq!(heard[3]["events"][0]["timestamp"], 2.5);
}

#[test]
fn what_is_refused_is_told_with_the_event_and_a_remedy() {
    let execute =
        |job: &str, alloc: &str| event("EXECUTE_JOB", json!({ "job_id": job, "alloc": alloc }));
    let cases = [
        (
            event("KILL_JOB", json!({ "job_ids": ["w0!0"] })),
            "says KILL_JOB {\"job_ids\":[\"w0!0\"]}: jobs \
           end by themselves, or at their estimates with `kill_at_estimate = true`",
        ),
        (event("REJECT_JOB", json!({ "job_id": "w0!0" })), "leave it out of the workload"),
        (event("REGISTER_JOB", json!({})), "take a scheduler without dynamic jobs"),
        (event("SET_RESOURCE_STATE", json!({})), "processors have no power states"),
        (event("DANCE", json!({})), "says DANCE {}: it is not known here"),
        (
            event("CALL_ME_LATER", json!({ "timestamp": 1.0 })),
            "it is called at a later time than now",
        ),
        (execute("w0!7", "0"), "starts job w0!7, which does not wait"),
        (execute("w0!0", "0-1"), "gives job w0!0 the processors `0-1`: it asks for 3"),
        (execute("w0!0", "2-4"), "gives job w0!0 the processors `2-4`: there are 4"),
        (execute("w0!0", "0 0 1"), "processor 0 is in the set already"),
        (execute("w0!0", "a-b"), "`a-b` is not a processor number"),
        (json!({ "type": "EXECUTE_JOB" }), "no message of Batsim's: missing field `timestamp`"),
    ];
    for (case, wrong) in cases {
        let (_, said, _) = by(move |message| match message["now"].as_f64() {
            Some(1.0) => json!({ "now": 1.0, "events": [case] }),
            _ => nothing(message),
        });
        assert!(said.code == 2 && said.error.contains(wrong), "{wrong}: {}", said.error);
        for part in [
            "error: the scheduler of Batsim at `tcp://127.0.0.1:",
            "\n  line 2 to it: {\"to\":0,",
            "\n  its answer: {",
            "\nhelp: the page `process` of the book",
        ] {
            assert!(said.error.contains(part), "{part}: {}", said.error);
        }
    }
    let (_, said, _) = by(move |message| match message["events"][0]["type"].as_str() {
        Some("JOB_SUBMITTED") => {
            let job = &message["events"][0]["data"]["job"];
            let alloc = format!("0-{}", job["res"].as_u64().unwrap() - 1);
            json!({ "now": message["now"],
                    "events": [execute(job["id"].as_str().unwrap(), &alloc)] })
        }
        _ => nothing(message),
    });
    assert!(
        said.error.contains("gives job w0!1 the processors `0-1`: w0!0 holds 0\n"),
        "{}",
        said.error
    );
}

#[test]
fn a_peer_that_is_no_scheduler_is_told_by_what_it_says() {
    let mut curve = REP;
    curve.mechanism = b"CURVE";
    let greeted = |signature| Peer { signature, ..REP };
    let peers = [
        (greeted(*b"SSH-2.0-Open"), "is no ZeroMQ socket"),
        (
            greeted([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 1, 0]),
            "speaks an old version of ZeroMQ's protocol",
        ),
        (curve, "asks for the mechanism CURVE, and only NULL is known here"),
        (Peer { socket: "PUB", ..REP }, "is a socket of type PUB, not REP"),
    ];
    let folder = Folder::new("");
    let told = |said: Said, wrong: &str| {
        assert!(said.code == 2 && said.error.contains(wrong), "{wrong}: {}", said.error);
    };
    for (peer, wrong) in peers {
        let (listener, port) = listen();
        let server = std::thread::spawn(move || drop(accept(&listener, peer)));
        told(play(&folder, ONE, port, "--no-files"), wrong);
        server.join().unwrap();
    }
    // It closes the connection after a first answer, answers in parts, or not at all.
    type Act = fn(&mut TcpStream);
    let acts: [(Act, &str); 3] = [
        (|_| {}, "ended before it answered"),
        (
            |stream| stream.write_all(&[1, 0, 1, 1, b'{', 0, 1, b'}']).unwrap(),
            "answers in several parts",
        ),
        (|stream| stream.write_all(&[0, 1, b'x']).unwrap(), "answers without the empty frame"),
    ];
    for (act, wrong) in acts {
        let (listener, port) = listen();
        let server = std::thread::spawn(move || {
            let mut stream = accept(&listener, REP);
            let begins = question(&mut stream).unwrap();
            answer(&mut stream, &nothing(&begins).to_string());
            question(&mut stream).unwrap();
            act(&mut stream);
        });
        told(play(&folder, ONE, port, "--no-files"), wrong);
        server.join().unwrap();
    }
    let (listener, port) = listen();
    let quick = ONE.replace(
        "scheduler.RULE",
        &format!("scheduler.batsim = {{ socket = \"tcp://127.0.0.1:{port}\", timeout = 0.1 }}"),
    );
    told(play(&folder, &quick, port, "--no-files"), "gave no answer within 0.1 s; `timeout` sets");
    drop(listener);
    told(play(&folder, &quick, port, "--no-files"), "does not listen there: ");
    let (above, jobs) = ONE.split_once("[[job]]").unwrap();
    let other = above[above.find("[[").unwrap()..].replace("\"a\"", "\"b\"");
    let two = format!("{above}{other}[[job]]{jobs}").replacen("on = \"a\"", "on = \"b\"", 1);
    let (listener, port) = listen();
    let server = std::thread::spawn(move || {
        let mut stream = accept(&listener, REP);
        while let Some(message) = question(&mut stream) {
            answer(&mut stream, &nothing(&message).to_string());
        }
    });
    told(
        play(&folder, &two, port, "--no-files"),
        "is asked already, and it schedules one cluster once",
    );
    server.join().unwrap();
}

#[test]
fn an_address_that_cannot_be_is_told_with_its_line() {
    let folder = Folder::new("");
    for (rule, wrong) in [
        ("batsim = {}", "there is no socket; give the address"),
        ("batsim.socket = \"tcp://*:28000\"", "names no machine; with `127.0.0.1` it is this one"),
        ("batsim.socket = \"tcp://127.0.0.1\"", "names no port"),
        ("batsim.socket = \"udp://127.0.0.1:9\"", "is no address of a socket"),
    ] {
        folder.write("s.toml", &ONE.replace("RULE", rule));
        let said = folder.run("check s.toml -q");
        assert!(said.code == 2 && said.error.contains(wrong), "{}", said.error);
        assert!(said.error.contains("s.toml:6:"), "{}", said.error);
    }
}

#[cfg(unix)]
#[test]
fn a_scheduler_may_listen_on_a_unix_socket() {
    use std::os::unix::net::UnixListener;
    let folder = Folder::new("");
    let listener = UnixListener::bind(folder.path("socket")).unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut greeting = [0; 64];
        stream.read_exact(&mut greeting).unwrap();
        greeting[11] = 0;
        stream.write_all(&greeting[..63]).unwrap();
    });
    let rule = format!(
        "batsim = {{ socket = \"ipc://{}\", timeout = 0.2 }}",
        folder.path("socket").display()
    );
    folder.write("s.toml", &ONE.replace("RULE", &rule));
    let said = folder.run("run s.toml -q --no-files");
    assert!(said.error.contains("the scheduler of Batsim at `ipc://"), "{}", said.error);
    server.join().unwrap();
}
