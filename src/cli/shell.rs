//! File names as typed in a shell.

use std::path::Path;

/// A path as one word of a POSIX shell, quoted if necessary.
pub(super) fn word(path: &Path) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    match path.to_str() {
        // A leading dash would make it an option.
        Some(text) if text.starts_with('-') => word(&Path::new(".").join(path)),
        Some(text) if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        Some(text) if !text.contains(char::is_control) => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        _ => format!("$'{}'", escaped(path)),
    }
}

/// The text between `$'` and `'`, a syntax of most shells, with non-text bytes escaped.
fn escaped(path: &Path) -> String {
    let byte = |byte: u8| match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    path.as_os_str().as_encoded_bytes().iter().copied().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        assert_eq!(word(Path::new(path)), expected);
    }

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        check("results/mm1", "results/mm1");
        check("results/größe", "results/größe");
        check("my results", "'my results'");
        check("$HOME;ls", "'$HOME;ls'");
        check("it's", r"'it'\''s'");
        check("-r", "./-r");
        check("- r", "'./- r'");
        check("", "''");
        check("a\nb\u{1b}", r"$'a\x0ab\x1b'");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_escaped() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = std::ffi::OsStr::from_bytes(b"a\xff'b");
        assert_eq!(word(Path::new(path)), r"$'a\xff\'b'");
    }
}
