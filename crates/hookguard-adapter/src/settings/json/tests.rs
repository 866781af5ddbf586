//! The scanner against serde_json, errors by position, and edits that undo each other.

use proptest::prelude::*;

use super::*;

const ERRORS: &[(&str, &str)] = &[
    ("", "1:1: expected a value, found the end of the file"),
    ("\u{feff}", "1:1: expected a value, found the end of the file"),
    (" \n ", "2:2: expected a value, found the end of the file"),
    ("{", "1:2: expected a key in double quotes or '}', found the end of the file"),
    ("[1", "1:3: expected ',' or ']', found the end of the file"),
    (
        "{\"a\": 1,\n  // note\n}",
        "2:3: expected a key in double quotes, found a comment, which strict JSON does not have",
    ),
    ("/* x */ {}", "1:1: expected a value, found a comment, which strict JSON does not have"),
    ("{} # x", "1:4: expected nothing after the value, found a comment, which strict JSON does not have"),
    ("{\r\n\t\"a\": 1,\r\n}", "2:8: a trailing comma, which strict JSON does not have"),
    ("[1, 2, ]", "1:6: a trailing comma, which strict JSON does not have"),
    ("{\"ä\": \"é\" x}", "1:11: expected ',' or '}', found 'x'"),
    ("\u{feff}{x}", "1:2: expected a key in double quotes or '}', found 'x'"),
    ("{'a': 1}", "1:2: expected a key in double quotes or '}', found a single quote"),
    ("{\"a\" 1}", "1:6: expected ':' after the key, found '1'"),
    ("{\"a\":}", "1:6: expected a value, found '}'"),
    ("{\"a\":1,,}", "1:8: expected a key in double quotes, found ','"),
    ("[,]", "1:2: expected a value or ']', found ','"),
    ("[1 2]", "1:4: expected ',' or ']', found '2'"),
    ("{}\n{}", "2:1: expected nothing after the value, found '{'"),
    ("{}\0", "1:3: expected nothing after the value, found the byte 0x00"),
    ("\0", "1:1: expected a value, found the byte 0x00"),
    ("{\u{a0}}", "1:2: expected a key in double quotes or '}', found U+00A0"),
    ("[01]", "1:2: a number with a leading zero"),
    ("[-]", "1:3: expected a digit, found ']'"),
    ("[1.]", "1:4: expected a digit, found ']'"),
    ("[.5]", "1:2: expected a value or ']', found '.'"),
    ("[+1]", "1:2: expected a value or ']', found '+'"),
    ("[1e]", "1:4: expected a digit, found ']'"),
    ("[NaN]", "1:2: expected a value or ']', found 'N'"),
    ("[undefined]", "1:2: expected a value or ']', found 'u'"),
    ("[True]", "1:2: expected a value or ']', found 'T'"),
    ("[truex]", "1:6: expected ',' or ']', found 'x'"),
    ("[\"a\n\"]", "1:4: a line break inside a string"),
    ("[\"\t\"]", "1:3: the control character 0x09 inside a string"),
    ("[\"a\0\"]", "1:4: the control character 0x00 inside a string"),
    ("[\"\\x41\"]", "1:3: an escape that JSON does not have"),
    ("[\"\\u12g4\"]", "1:3: a \\u that four hexadecimal digits don't follow"),
    ("[\n\"abc", "2:1: a string that does not end"),
    ("[\"abc\\", "1:6: an escape that JSON does not have"),
    ("]", "1:1: expected a value, found ']'"),
    ("[}", "1:2: expected a value or ']', found '}'"),
    ("{\"a\": [1}", "1:9: expected ',' or ']', found '}'"),
    ("{]", "1:2: expected a key in double quotes or '}', found ']'"),
];

#[test]
fn errors_say_where_and_what() {
    for (text, error) in ERRORS {
        assert_eq!(Document::parse(text.as_bytes()).unwrap_err().to_string(), *error, "{text:?}");
    }
    let utf16 = Document::parse(b"\xff\xfe{\0}\0").unwrap_err();
    assert_eq!(utf16.to_string(), "1:1: the file is UTF-16, not UTF-8");
}

#[test]
fn what_json_parse_takes_is_taken() {
    for text in [
        "null",
        " [1e400, -0, 0.5e-7, 123456789012345678901234567890] ",
        "[\"\\ud800\", \"\\udc00\\ud800\", \"\\uD83D\\uDE00\", \"\u{7f}\u{2028}\"]",
        "{\"\": {\"\": []}, \"a\": 1, \"a\": 2}",
        "\u{feff}\r\n\t{}\r\n",
    ] {
        let document = Document::parse(text.as_bytes()).unwrap();
        assert_eq!(document.bytes(), text.as_bytes());
    }
    assert!(Document::parse(b"[\"caf\xe9\"]").is_ok());
    let deep = [vec![b'['; 200_000], vec![b']'; 200_000]].concat();
    assert!(Document::parse(&deep).is_ok());
}

#[test]
fn strings_are_decoded() {
    let document =
        Document::parse(br#"["\"\\\/\b\f\n\r\t\u00e9", "\uD83D\uDE00", "\ud800x\udc00", "\ud800\u0041"]"#).unwrap();
    let texts: Vec<_> = document.root().children().filter_map(|child| child.as_str()).collect();
    assert_eq!(texts, ["\"\\/\u{8}\u{c}\n\r\té", "😀", "\u{fffd}x\u{fffd}", "\u{fffd}A"]);
    let latin = Document::parse(b"[\"caf\xe9\"]").unwrap();
    assert_eq!(latin.find(&[0.into()]).unwrap().as_str().as_deref(), Some("caf\u{fffd}"));
}

#[test]
fn rust_agents_take_less() {
    for (bytes, error) in [
        (&b"{}"[..], None),
        (b"\xef\xbb\xbf{}", Some("1:1: a byte order mark, which this agent does not read")),
        (b"{\"a\":\n 1e400}", Some("2:6: number out of range")),
        (b"[\"\\ud800\"]", Some("1:9: unexpected end of hex escape")),
        (b"[\"\xe9\"]", Some("1:3: invalid unicode code point")),
        (b"{,}", Some("1:2: expected a key in double quotes or '}', found ','")),
    ] {
        let found = accepted_by(bytes, Reader::Rust).err().map(|error| error.to_string());
        assert_eq!(found.as_deref(), error, "{bytes:?}");
    }
}

/// Text, a path, a member or an element to put there, and what comes out.
const INSERTED: &[(&str, &[Step<'_>], Option<&str>, &str)] = &[
    ("{}", &[], Some("k"), "{\n  \"k\": [\n    1\n  ]\n}"),
    ("{}\r\n", &[], Some("k"), "{\r\n  \"k\": [\r\n    1\r\n  ]\r\n}\r\n"),
    ("{\"a\":1}", &[], Some("k"), "{\"a\":1,\"k\":[1]}"),
    ("{\"a\": 1}\n", &[], Some("k"), "{\"a\": 1, \"k\": [1]}\n"),
    ("{ \"a\" : 1 }", &[], Some("k"), "{ \"a\" : 1, \"k\" : [ 1 ] }"),
    ("{\"a\": 1,\"b\": 2}", &[], Some("k"), "{\"a\": 1,\"b\": 2,\"k\": [1]}"),
    ("{\n\t\"a\": 1\n}", &[], Some("k"), "{\n\t\"a\": 1,\n\t\"k\": [\n\t\t1\n\t]\n}"),
    ("{\n    \"a\": 1 }", &[], Some("k"), "{\n    \"a\": 1,\n    \"k\": [\n        1\n    ] }"),
    ("{\n\"a\": 1\n}", &[], Some("k"), "{\n\"a\": 1,\n\"k\": [\n1\n]\n}"),
    ("{\n \"a\": {\"b\": 1}\n}", &[Step::Key("a")], Some("k"), "{\n \"a\": {\"b\": 1, \"k\": [1]}\n}"),
    ("{\n \"a\": {}\n}", &[Step::Key("a")], Some("k"), "{\n \"a\": {\n\n  \"k\": [\n   1\n  ]\n }\n}"),
    ("{\"a\":{}}", &[Step::Key("a")], Some("k"), "{\"a\":{  \"k\":[1]}}"),
    ("{\"a\":{ }}", &[Step::Key("a")], Some("k"), "{\"a\":{   \"k\":[1]}}"),
    ("{\"a\":[]}", &[Step::Key("a")], None, "{\"a\":[  [1]]}"),
    ("{\"a\":1}", &[Step::Key("b"), Step::Key("c")], Some("k"), "{\"a\":1,\"b\":{\"c\":{\"k\":[1]}}}"),
    ("[[0], [1, 2]]", &[Step::Index(1)], None, "[[0], [1, 2, [1]]]"),
    ("{\"a\":{},\"a\":{\"b\":1}}", &[Step::Key("a")], Some("k"), "{\"a\":{},\"a\":{\"b\":1,\"k\":[1]}}"),
    ("{\"k\":0,\"a\":1}", &[], Some("k"), "{\"k\":[1],\"a\":1}"),
    ("[]\n", &[], None, "[\n  [\n    1\n  ]\n]\n"),
    ("{\r  \"a\": 1\r}", &[], Some("k"), "{\r  \"a\": 1,\r  \"k\": [\r    1\r  ]\r}"),
];

#[test]
fn insertions_follow_the_file() {
    let value = NewValue::Array(vec![1.into()]);
    for (text, path, key, wanted) in INSERTED {
        let mut document = Document::parse(text.as_bytes()).unwrap();
        match key {
            Some(key) => document.insert(path, key, &value).unwrap(),
            None => document.append(path, &value).unwrap(),
        }
        assert_eq!(String::from_utf8_lossy(document.bytes()), *wanted, "{text:?}");
    }
}

#[test]
fn removals_and_replacements_leave_the_rest() {
    for (text, path, wanted) in [
        ("[1, 2 ,3]", 0, "[2 ,3]"),
        ("[1, 2 ,3]", 1, "[1 ,3]"),
        ("[1, 2 ,3]", 2, "[1, 2]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
        ("[\n  1,\n  2\n]", 0, "[\n  2\n]"),
        ("[\n  1\n]", 0, "[]"),
    ] {
        let mut document = Document::parse(text.as_bytes()).unwrap();
        document.remove(&[Step::Index(path)]).unwrap();
        assert_eq!(String::from_utf8_lossy(document.bytes()), wanted, "{text:?}");
    }
    let value = NewValue::Object(vec![("z".into(), 1.into()), ("y".into(), "ü\n".into())]);
    for (text, wanted) in [
        ("{\"a\": {\"b\": 1}}", "{\"a\": {\"z\": 1, \"y\": \"ü\\n\"}}"),
        ("{\n \"a\": {\n  \"b\": 1\n }\n}", "{\n \"a\": {\n  \"z\": 1,\n  \"y\": \"ü\\n\"\n }\n}"),
        ("{\n \"a\": { \"b\": 1 }\n}", "{\n \"a\": { \"z\": 1, \"y\": \"ü\\n\" }\n}"),
        ("{\n \"a\": 0\n}", "{\n \"a\": {\n  \"z\": 1,\n  \"y\": \"ü\\n\"\n }\n}"),
    ] {
        let mut document = Document::parse(text.as_bytes()).unwrap();
        document.replace(&["a".into()], &value).unwrap();
        assert_eq!(String::from_utf8_lossy(document.bytes()), wanted, "{text:?}");
    }
}

#[test]
fn impossible_edits_change_nothing() {
    let text = b"{\"a\": 1,\n \"b\": []}";
    let mut document = Document::parse(text).unwrap();
    let error = document.insert(&["b".into()], "k", &1.into()).unwrap_err();
    assert_eq!(error.to_string(), "2:7: expected an object, found an array");
    let error = document.insert(&["a".into(), "b".into()], "k", &1.into()).unwrap_err();
    assert_eq!(error.to_string(), "1:7: expected an object, found a number");
    assert_eq!(document.append(&["c".into()], &1.into()), Err(EditError::Missing));
    assert_eq!(document.insert(&["c".into(), 0.into()], "k", &1.into()), Err(EditError::Missing));
    assert_eq!(document.replace(&["b".into(), 0.into()], &1.into()), Err(EditError::Missing));
    assert_eq!(document.remove(&[]), Err(EditError::Missing));
    assert_eq!(document.bytes(), text);
}

/// JSON text with any white space.
pub(in crate::settings) fn text() -> impl Strategy<Value = String> {
    (blanks(), value(), blanks()).prop_map(|(before, value, after)| format!("{before}{value}{after}"))
}

pub(in crate::settings) fn blanks() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just(String::new()), 2 => Just(" ".into()), 2 => Just("\n  ".into()), 1 => "[ \t\r\n]{0,4}"]
}

pub(in crate::settings) fn string() -> impl Strategy<Value = String> {
    let part =
        prop_oneof!["[a-cé😀/]", Just("\\ud83d\\ude00".into()), Just("\\ud800".into()), Just("\\n\\\"\\\\".into())];
    prop::collection::vec(part, 0..3).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

pub(in crate::settings) fn value() -> impl Strategy<Value = String> {
    let number = prop::sample::select(vec!["0", "-1.5e+3", "1e400", "10", "true", "false", "null"]);
    let leaf = prop_oneof![number.prop_map(str::to_owned), string()];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let element = (blanks(), inner.clone(), blanks()).prop_map(|(a, b, c)| format!("{a}{b}{c}"));
        let member = (blanks(), string(), blanks(), blanks(), inner, blanks())
            .prop_map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}"));
        prop_oneof![
            blanks().prop_map(|blanks| format!("[{blanks}]")),
            blanks().prop_map(|blanks| format!("{{{blanks}}}")),
            prop::collection::vec(element, 1..4).prop_map(|parts| format!("[{}]", parts.join(","))),
            prop::collection::vec(member, 1..4).prop_map(|parts| format!("{{{}}}", parts.join(","))),
        ]
    })
}

/// Puts a value into one container, by its number, and takes it out again.
fn there_and_back(document: &Document, node: usize) -> Result<(), TestCaseError> {
    let Some(path) = path_of(document, node) else { return Ok(()) };
    let path: Vec<Step<'_>> =
        path.iter().map(|(key, index)| key.as_deref().map_or(Step::Index(*index), Step::Key)).collect();
    let container = document.find(&path).unwrap();
    let value = NewValue::Object(vec![("x".into(), NewValue::Array(vec![1.into(), "é".into()]))]);
    let mut edited = document.clone();
    let mut inside = path.clone();
    match container.kind() {
        Kind::Object => {
            edited.insert(&path, "fresh", &value).unwrap();
            inside.push(Step::Key("fresh"));
        }
        Kind::Array => {
            edited.append(&path, &value).unwrap();
            inside.push(Step::Index(container.children().count()));
        }
        _ => return Ok(()),
    }
    prop_assert_eq!(edited.find(&inside).unwrap().to_serde(), Some(serde_json::json!({"x": [1, "é"]})));
    let was_empty = container.node != 0 && container.children().next().is_none();
    if was_empty || edited.find(&path).unwrap().children().count() == 1 {
        prop_assert_eq!(edited.was_empty(&path), was_empty);
    }
    edited.remove(&inside).unwrap();
    prop_assert_eq!(String::from_utf8_lossy(edited.bytes()), String::from_utf8_lossy(document.bytes()));
    Ok(())
}

/// The way to a node; `None` if doubled keys hide it.
fn path_of(document: &Document, mut node: usize) -> Option<Vec<(Option<String>, usize)>> {
    let target = node;
    let mut path = Vec::new();
    while node != 0 {
        let value = Value { document, node };
        let parent = Value { document, node: document.nodes[node].parent };
        let index = parent.children().position(|child| child.node == node)?;
        path.push((value.key(), index));
        node = parent.node;
    }
    path.reverse();
    let steps: Vec<Step<'_>> =
        path.iter().map(|(key, index)| key.as_deref().map_or(Step::Index(*index), Step::Key)).collect();
    (document.find(&steps)?.node == target).then_some(path)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn removing_what_was_inserted_gives_the_bytes_back(text in text()) {
        let document = Document::parse(text.as_bytes()).unwrap();
        for node in 0..document.nodes.len() {
            there_and_back(&document, node)?;
        }
    }

    #[test]
    fn made_parents_go_in_one_piece(text in text()) {
        let document = Document::parse(text.as_bytes()).unwrap();
        if document.root().kind() == Kind::Object {
            let mut edited = document.clone();
            edited.insert(&["p".into(), "q".into()], "r", &true.into()).unwrap();
            prop_assert!(!edited.was_empty(&["p".into()]) && !edited.was_empty(&["p".into(), "q".into()]));
            edited.remove(&["p".into()]).unwrap();
            prop_assert_eq!(edited.bytes(), text.as_bytes());
        }
    }

    #[test]
    fn agrees_with_serde_json(text in "[\\[\\]{},:\" \n0-9.eE+\\\\ntrufalsé\u{1}\u{feff}-]{0,24}") {
        // serde_json is stricter (numbers beyond a double, lone surrogates), never more lenient.
        let ours = Document::parse(text.as_bytes());
        match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(value) => prop_assert_eq!(ours.unwrap().root().to_serde(), Some(value)),
            Err(error) => {
                let text = error.to_string();
                let stricter = ours.as_ref().is_ok_and(Document::has_bom)
                    || text.contains("out of range") || text.contains("surrogate") || text.contains("hex escape");
                prop_assert!(ours.is_err() || stricter, "{text}");
            }
        }
    }

    #[test]
    fn mutations_agree_with_serde_json(text in text(), at in 0usize..200, byte in prop::sample::select(b"{}[],:\"\\ \n0e.-u/\0x".to_vec())) {
        let mut bytes = text.into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        let ours = Document::parse(&bytes);
        match serde_json::from_slice::<serde_json::Value>(&bytes) {
            Ok(value) => prop_assert_eq!(ours.unwrap().root().to_serde(), Some(value)),
            Err(error) => {
                let text = error.to_string();
                let stricter = text.contains("out of range") || text.contains("surrogate") || text.contains("hex escape")
                    || text.contains("unicode");
                prop_assert!(ours.is_err() || stricter, "{text}");
            }
        }
    }
}
