//! Peers that live in this process.

use super::*;

/// Answers by a function of the line.
struct By(fn(&str) -> &'static str);

impl Talk for By {
    fn ask(&mut self, line: &str, answer: &mut String) -> Result<(), String> {
        answer.push_str((self.0)(line));
        Ok(())
    }
}

/// A peer of a program that answers by a function, and a scope for it.
fn peer(name: &str, by: fn(&str) -> &'static str) -> (Scope, Peer) {
    provide(name, move || Box::new(By(by)));
    let command = Command::from(vec![format!("@{name}")]);
    (Scope::begin(3, None), Peer::new(&command, 1.0))
}

fn lines() -> (Vec<String>, Option<Failure>) {
    let mut lines = Vec::new();
    let mut told = |line: &[u8]| {
        lines.push(String::from_utf8_lossy(line).into_owned());
        Ok::<(), Failure>(())
    };
    let failure = take_lines(&mut told).err();
    (lines, failure)
}

#[test]
fn two_peers_of_a_command_share_a_process_and_the_record_has_their_lines() {
    let (_scope, mut one) = peer("share", |_| "{\"hello\":1}");
    let mut two = one.clone();
    let streams = Streams::new(1).in_replication(3);
    for (peer, name) in [(&mut one, "cluster/a"), (&mut two, "cluster/b")] {
        peer.hello::<Greeting>("scheduler", name, &streams, "").expect("it greets");
    }
    two.ask::<Greeting>("decide", "\"now\":0").expect("it answers");
    let (lines, failure) = lines();
    assert_eq!(failure, None);
    assert!(
        lines[0].starts_with("3\t0\t{\"hello\":1,\"to\":0,\"role\":\"scheduler\""),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("\"to\":1,\"role\":\"scheduler\",\"name\":\"cluster/b\""),
        "{lines:?}"
    );
    assert_eq!(lines[2], "3\t0\t{\"to\":1,\"decide\":{\"now\":0}}\t{\"hello\":1}\n");
    // Its state is with the program, and a copy has none.
    assert!(two.clone().ask::<Greeting>("decide", "").is_none());
    assert!(one.ask::<Greeting>("decide", "").is_none(), "nobody is asked after a failure");
    let (_, failure) = super::tests::lines();
    assert!(failure.expect("it failed").to_string().contains("cannot be copied"));
}

#[test]
fn an_answer_that_cannot_be_is_told_with_its_line() {
    for (name, by, wrong) in [
        ("old", (|_| "{\"hello\":2}") as fn(&str) -> _, "does not greet"),
        ("talks", |_| "ready!", "is no JSON"),
        ("lists", |_| "[]", "does not greet"),
    ] {
        let (_scope, mut peer) = peer(name, by);
        let greeting = peer.hello::<Greeting>("learner", "organization/a", &Streams::new(1), "");
        assert!(greeting.is_none());
        let failure = lines().1.expect("it failed").to_string();
        assert!(failure.contains(wrong) && failure.contains("line 1 to it"), "{failure}");
    }
    let unknown = Command::from(vec!["@nobody".to_owned()]);
    let _scope = Scope::begin(0, None);
    let greeting = Peer::new(&unknown, 1.0).hello::<Greeting>("learner", "a", &Streams::new(1), "");
    assert!(greeting.is_none() && lines().1.is_some());
}

#[test]
fn a_program_goes_on_only_if_it_answers_as_before() {
    let by = |line: &str| if line.contains("\"now\":1") { "{\"b\":2}" } else { "{\"hello\":1}" };
    let (_scope, mut one) = peer("again", by);
    one.hello::<Greeting>("scheduler", "cluster/a", &Streams::new(1), "").expect("it greets");
    one.ask::<Greeting>("decide", "\"now\":1").expect("it answers");
    let (record, _) = lines();
    let mut saved = Vec::new();
    one.save(&mut saved);
    let go_on = |record: String| {
        let scope = Scope::begin(3, None);
        go_on_after(record.into_bytes());
        let mut again = Peer::new(&one.command, 1.0);
        again.load(&mut saved.as_slice()).expect("it was saved");
        let answer = again.ask::<Greeting>("decide", "\"now\":2");
        let (lines, failure) = lines();
        drop(scope);
        (answer.is_some(), lines.len(), failure.map(|failure| failure.to_string()))
    };
    assert_eq!(go_on(record.concat()), (true, 1, None));
    let (answered, lines, failure) = go_on(record.concat().replace("{\"b\":2}", "{\"b\":3}"));
    assert!(!answered && lines == 0);
    assert!(failure.expect("it failed").contains("answered `{\"b\":3}` before"));
}
