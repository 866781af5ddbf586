//! What people were told of the configuration already: once is enough.

use std::path::Path;

use hookguard_config::{Notice, name_of};
use hookguard_core::EventKind;

use crate::state::private;

/// Those of `notices` that people have not been told, marked as told. Where nothing can be remembered, they are told when a
/// session starts.
pub(crate) fn tell<'n>(state: Option<&Path>, notices: &'n [Notice], kind: EventKind) -> Vec<&'n str> {
    let new = |notice: &&Notice| match state {
        Some(state) => {
            let mark = state.join("config").join(format!("{}.told", name_of(&notice.key)));
            match private::create(&mark) {
                Ok(()) => true,
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => false,
                Err(_) => kind == EventKind::SessionStart,
            }
        }
        None => kind == EventKind::SessionStart,
    };
    notices.iter().filter(new).map(|notice| notice.text.as_str()).collect()
}
