//! The comment that a scenario of the gallery opens with: a question, a blank line, what to expect,
//! and last how long it takes.

/// Text of the header.
pub struct Header {
    pub question: String,
    /// In one line, with how long it takes.
    pub expectation: String,
    /// Text below the header.
    pub body: String,
}

impl Header {
    /// Takes the header off a scenario, or says how it breaks the convention.
    pub fn read(text: &str) -> Result<Header, &'static str> {
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let [question, blank, expectation @ ..] = &head[..] else {
            return Err("the header is no question, blank line and expectation");
        };
        let question = question.strip_prefix("# ").unwrap_or_default();
        if !question.ends_with('?') {
            return Err("the first line is no question");
        }
        if *blank != "#" {
            return Err("the second line is not a `#` alone");
        }
        if !(1..=7).contains(&expectation.len()) {
            return Err("what to expect takes 1 to 7 lines");
        }
        let lines = expectation.iter().map(|line| line.strip_prefix("# "));
        let Some(lines) = lines.collect::<Option<Vec<&str>>>() else {
            return Err("a line of what to expect does not begin with `# `");
        };
        let expectation = lines.join(" ");
        let last = expectation.rsplit_once(". ").map(|(_, last)| last);
        if !last.is_some_and(|last| last.starts_with("It takes ") && last.ends_with('.')) {
            return Err("the last sentence is not how long it takes: `It takes ...`");
        }
        let body = text.lines().skip(head.len()).collect::<Vec<_>>().join("\n");
        Ok(Header { question: question.to_owned(), expectation, body })
    }
}

#[test]
fn a_header_keeps_the_convention() {
    let read = |text| Header::read(text).map(|header| header.expectation);
    assert_eq!(read("# Why?\n#\n# 1 s\n# or so. It takes long.\nx\n").unwrap(), {
        "1 s or so. It takes long."
    });
    assert!(read("# Why.\n#\n# So. It takes long.\n").unwrap_err().contains("no question"));
    assert!(read("# Why?\n# So. It takes long.\n").unwrap_err().contains("second line"));
    assert!(read("# Why?\n#\n").unwrap_err().contains("1 to 7 lines"));
    assert!(read("# Why?\n#\n# So.\n#\n# It takes long.\n").unwrap_err().contains("begin with"));
    assert!(read("# Why?\n#\n# So.\n").unwrap_err().contains("how long"));
    assert!(read("").unwrap_err().contains("no question, blank line"));
}
