//! Files of another shape: refused, with the place.

use super::*;

#[test]
fn other_shapes_are_refused_with_their_place() {
    for (file, error) in [
        ("[]", "1:1: the file has to be an object, not an array"),
        ("null", "1:1: the file has to be an object, not null"),
        ("\"hooks\"", "1:1: the file has to be an object, not a string"),
        ("{\n  \"hooks\": []\n}", "2:12: hooks has to be an object of events, not an array"),
        ("{\"hooks\": null}", "1:11: hooks has to be an object of events, not null"),
        ("{\"hooks\": true}", "1:11: hooks has to be an object of events, not a boolean"),
        ("{\"hooks\": {\"Stop\": {}}}", "1:20: hooks.Stop has to be an array of groups, not an object"),
        ("{\"hooks\": {\"Other\": \"x\"}}", "1:21: hooks.Other has to be an array of groups, not a string"),
        ("{\"hooks\": {\"Stop\": [[]]}}", "1:21: hooks.Stop[0] has to be an object with \"hooks\", not an array"),
        ("{\"hooks\": {\"Stop\": [\n  {}]}}", "2:3: hooks.Stop[0] has no \"hooks\""),
        (
            "{\"hooks\": {\"Stop\": [{\"type\": \"command\", \"command\": \"x\"}]}}",
            "1:21: hooks.Stop[0] has no \"hooks\"",
        ),
        (
            "{\"hooks\": {\"Stop\": [{\"hooks\": {}}]}}",
            "1:31: hooks.Stop[0].hooks has to be an array of hooks, not an object",
        ),
        (
            "{\"hooks\": {\"Stop\": [{\"hooks\": []}, {\"hooks\": [\"x\"]}]}}",
            "1:47: hooks.Stop[1].hooks[0] has to be an object with \"type\" and \"command\", not a string",
        ),
        (
            "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": 1}]}]}}",
            "1:44: hooks.Stop[0].hooks[0].command has to be a string, not a number",
        ),
        (
            "{\"hooks\": {\"Stop\": [{\"matcher\": [], \"hooks\": []}]}}",
            "1:33: hooks.Stop[0].matcher has to be a string, not an array",
        ),
        (
            "{\"hooks\": {}, // mine\n}",
            "1:15: expected a key in double quotes, found a comment, which strict JSON does not have",
        ),
        ("{\"hooks\": {},}", "1:13: a trailing comma, which strict JSON does not have"),
        ("{} x", "1:4: expected nothing after the value, found 'x'"),
    ] {
        let file = file.as_bytes();
        assert_eq!(apply(file, &wanted(), &is_ours).unwrap_err().to_string(), error);
        assert_eq!(remove(file, &is_ours).unwrap_err().to_string(), error);
        assert_eq!(inspect(file, &is_ours).unwrap_err().to_string(), error);
    }
}
