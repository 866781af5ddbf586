//! Every recorded payload, read into an event.

use super::{SUBJECTS, files};

#[test]
fn payloads_become_events() {
    for subject in SUBJECTS {
        subject.snapshots().bind(|| {
            for fixture in subject.fixtures() {
                fixture.call(subject, false, |call| {
                    let event = subject
                        .adapter
                        .parse(call)
                        .unwrap_or_else(|error| panic!("{} {}: {error}", subject.id(), fixture.name));
                    insta::assert_json_snapshot!(format!("event-{}", fixture.name), event);
                });
            }
        });
    }
}

/// A snapshot without its payload proves nothing, and `insta` does not miss one that is gone.
#[test]
fn no_snapshot_is_left_over() {
    for subject in SUBJECTS {
        let fixtures = subject.fixtures();
        for path in files(&subject.folder("snapshots"), "snap") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let known = name == "answers"
                || name.starts_with("transcript")
                || name.strip_prefix("event-").is_some_and(|name| fixtures.iter().any(|fixture| fixture.name == name));
            assert!(known, "{} belongs to no fixture", path.display());
        }
    }
}

/// What the agent says of itself agrees with the command that `install` would have written.
#[test]
fn no_recorded_payload_contradicts_its_event() {
    for subject in SUBJECTS {
        for fixture in subject.fixtures() {
            fixture.call(subject, false, |call| {
                let event = subject.adapter.parse(call).unwrap();
                assert_eq!(event.mismatch, None, "{} {}", subject.id(), fixture.name);
                assert_eq!(event.native_event, fixture.event());
                assert!(event.session.is_some(), "{} {}: whose session?", subject.id(), fixture.name);
            });
        }
    }
}
