//! The built-in judges: their own cases, the seed's phrases, and what may not be in their files.

use super::file::{Expect, JudgeFile};
use super::{IDS, Judge, Words, builtin, cases, check, distinct, judge, parse};
use crate::facts::{Fact, Facts};
use crate::layer1::{Layer, Settled, settle, settle_all};

const FILES: [&str; 5] = [
    include_str!("../../judges/commit-before-verify.toml"),
    include_str!("../../judges/scope-check.toml"),
    include_str!("../../judges/scope-change.toml"),
    include_str!("../../judges/shallow-bugfix.toml"),
    include_str!("../../judges/bugfix-without-reproduction.toml"),
];

fn files() -> Vec<JudgeFile> {
    FILES.iter().map(|text| parse(text).unwrap()).collect()
}

fn facts(held: &[Fact]) -> Facts {
    Facts { known: true, held: held.to_vec(), ..Facts::default() }
}

#[test]
fn the_built_in_files_hold_what_every_file_must() {
    for (file, id) in files().iter().zip(IDS) {
        assert_eq!(file.id, id);
        assert!(file.cases.iter().any(|case| case.expect == Expect::Block), "{id}");
        assert!(file.cases.iter().any(|case| case.expect == Expect::Allow), "{id}");
        for kind in ["quote", "retraction"] {
            assert!(file.cases.iter().any(|case| case.kind == kind), "{id} has no case for a {kind}");
        }
    }
}

#[test]
fn the_cases_of_the_built_in_judges() {
    for file in files() {
        let failures = cases::run(&file).unwrap();
        assert!(failures.is_empty(), "{}: {failures:#?}", file.id);
    }
}

/// The tables that the build script wrote are what the files say.
#[test]
fn built_in_is_as_read() {
    let files = files();
    for (at, (built_in, file)) in builtin().iter().zip(&files).enumerate() {
        let read = judge(file).unwrap();
        assert_eq!(built_in.words, Words::BuiltIn(at as u8));
        assert_eq!(Judge { words: built_in.words.clone(), prompt: read.prompt.trim(), ..read.clone() }, *built_in);
        for case in &file.cases {
            assert_eq!(
                settle(built_in, &case.text, &Facts::unknown()),
                settle(&read, &case.text, &Facts::unknown()),
                "{}",
                case.text
            );
        }
    }
}

#[test]
fn together_as_each_alone() {
    let judges = builtin();
    for case in files().iter().flat_map(|file| &file.cases) {
        let alone: Vec<Settled> = judges.iter().map(|one| settle(one, &case.text, &Facts::unknown())).collect();
        assert_eq!(
            settle_all(&judges.iter().collect::<Vec<_>>(), &case.text, &Facts::unknown()),
            alone,
            "{}",
            case.text
        );
    }
}

/// Users' judges go through a cache.
#[test]
fn a_judge_survives_the_cache() {
    let files = files();
    let read = judge(&files[0]).unwrap();
    let bytes = postcard::to_allocvec(&read).unwrap();
    let back: Judge<'_> = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(back, read);
    assert_eq!(settle(&back, "I'll push it now.", &Facts::unknown()), Settled::Open { advice: true });
}

/// Every phrase that the seed prints settles an allow, and none does where the record says otherwise.
#[test]
fn the_seeds_bypasses() {
    let commit = &builtin()[0];
    for phrase in [
        "committed",
        "commit: 3f9ab21",
        "commit：3f9ab21c",
        "Q1: ",
        "Q2：",
        "Which is",
        "A or B",
        "AorB",
        "test PASS",
        "All PASS",
        "cmp match",
        "CI ✅",
        "smoke test complete",
        "pipeline PASS",
        "pass=12 warn=0 fail=0",
        "rc=0",
        "workflow success",
        "build PASS",
        "sequential execution",
        "end-to-end",
        "commit after",
        "push after",
        "verifier verdict",
        "complete the flow",
    ] {
        let text = format!("The work on the commit is through. {phrase} it says now");
        assert_eq!(settle(commit, &text, &Facts::unknown()), Settled::Allow(Layer::Bypass), "{phrase}");
        for fact in [Fact::Red, Fact::SharedUnverified] {
            let ruling = settle(commit, &text, &facts(&[fact]));
            assert_ne!(ruling, Settled::Allow(Layer::Bypass), "{phrase} over {fact}");
        }
    }
}

/// The four groups of texts that the seed wants left alone.
#[test]
fn what_must_not_be_stopped() {
    let commit = &builtin()[0];
    for text in [
        "J'ai commité",
        "Q1 : Commiter / Q2 : Créer une autre branche",
        "I have committed it.",
        "Tous les tests PASSENT, cmp OK, dois-je commiter ?",
    ] {
        assert_eq!(settle(commit, text, &Facts::unknown()), Settled::Allow(Layer::Bypass), "{text}");
    }
    for text in ["Je vais commiter après la fin des tests", "テストが終わってからコミットします"] {
        assert_ne!(settle(commit, text, &Facts::unknown()), Settled::Open { advice: true }, "{text}");
    }
}

/// A report of the past does not cover what is announced beside it; evidence does.
#[test]
fn an_announcement_beside_a_bypass() {
    let commit = &builtin()[0];
    let open = Settled::Open { advice: true };
    assert_eq!(settle(commit, "The model is committed. Now I'll push the rest.", &Facts::unknown()), open);
    let bypass = Settled::Allow(Layer::Bypass);
    assert_eq!(settle(commit, "All PASS. I'll push the rest.", &Facts::unknown()), bypass);
    let red = settle(commit, "All PASS. I'll push the rest.", &facts(&[Fact::Red]));
    assert!(matches!(red, Settled::Open { .. }), "{red:?}");
}

fn broken(from: &str, to: &str) -> String {
    let text = FILES[1].replacen(from, to, 1);
    assert_ne!(text, FILES[1], "{from}");
    let fault = parse(&text).unwrap_err();
    format!("{fault}{}", fault.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default())
}

#[test]
fn what_is_wrong_is_named() {
    for (from, to, says) in [
        ("title =", "titel =", "did you mean `title`?"),
        (
            "block_if = [\"new_proposal\"]",
            "block_if = [\"new_propsal\"]",
            "`block_if`: there is no field `new_propsal` (did you mean `new_proposal`?)",
        ),
        ("unless = [\"retraction_or_quote\"]", "unless = []", "`field.2.name`: `retraction_or_quote` is in neither"),
        (
            "allow = [\"scope_limited\", \"only_asked\"]",
            "allow = [\"scope_limitd\"]",
            "there is no fact `scope_limitd` (did you mean `scope_limited`?)",
        ),
        (
            "[[\"@other\"], [\"@sitting\"]]",
            "[[\"@othr\"], [\"@sitting\"]]",
            "`signal.1.then`: there is no list `othr` in [words] (did you mean `other`?)",
        ),
        ("then = [[\"@other\"], [\"@sitting\"]]", "all = []", "`signal.1.all`: a pattern needs a group of words"),
        ("all = [[\"@elsewhere\"]]", "all = [[]]", "`signal.2.all`: an empty group"),
        ("all = [[\"@elsewhere\"]]", "all = [[\"x\"]]", "too short"),
        ("all = [[\"@elsewhere\"]]", "all = [[\"@elsewhere\"]]\nregex = \"(\"", "`signal.2.regex`"),
        ("all = [[\"@elsewhere\"]]", "all = [[\"@elsewhere\"]]\nyields = true", "only a bypass yields"),
        ("missing = \"violation\"", "missing = \"allow\"", "unknown variant `allow`"),
        ("message = \"", "message = \"\" #", "`message`: says nothing"),
        ("id = \"scope-check\"", "id = \"Scope check\"", "is no name"),
        ("expect = \"block\"", "expect = \"deny\"", "unknown variant `deny`"),
    ] {
        let fault = broken(from, to);
        assert!(fault.contains(says), "{from} -> {to}: {fault}");
    }
    assert!(distinct(["mine", "mine"]).unwrap_err().to_string().contains("stands twice"));
    assert!(distinct(["scope-check"]).unwrap_err().to_string().contains("is built in"));
    assert!(distinct(["mine"]).is_ok());
    let mut file = parse(FILES[1]).unwrap();
    file.signals.clear();
    assert!(check(&file).unwrap_err().to_string().contains("never asked"));
}
