//! What a command would share with others, before it runs: what `verified_before` names.

use super::kind::Kind;
use super::steps::{HERE, steps};
use crate::turn::Command;

/// What a command shares. Its name is what the configuration calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumIter)]
pub enum Share {
    /// A commit.
    #[strum(to_string = "git.commit")]
    Commit,
    /// A push.
    #[strum(to_string = "git.push")]
    Push,
    /// A pull request, made or merged.
    #[strum(to_string = "pull_request")]
    Request,
    /// A package, an image, a release handed out.
    #[strum(to_string = "release")]
    Release,
    /// Something rolled out.
    #[strum(to_string = "deploy")]
    Deploy,
    /// A migration on production.
    #[strum(to_string = "migration")]
    Migration,
}

/// What `command` shares, in its order, each kind once.
pub fn shares(command: &str) -> Vec<Share> {
    let command = Command { command: command.to_owned(), ..Command::default() };
    let mut found = Vec::new();
    for step in steps(&command, HERE) {
        let share = match step.kind {
            Kind::Commit => Share::Commit,
            Kind::Push => Share::Push,
            Kind::Request => Share::Request,
            Kind::Publish => Share::Release,
            Kind::Deploy => Share::Deploy,
            Kind::Migrate => Share::Migration,
            _ => continue,
        };
        if !found.contains(&share) {
            found.push(share);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_shares() {
        use Share::{Commit, Deploy, Push, Release, Request};
        for (command, shared) in [
            ("git commit -am x && git push", &[Commit, Push][..]),
            ("cd sub && git -C x commit --amend --no-edit", &[Commit]),
            ("gh pr create --fill", &[Request]),
            ("npm publish", &[Release]),
            ("kubectl apply -f x.yaml", &[Deploy]),
            ("echo git commit", &[]),
            ("git status; grep -r 'git push' .", &[]),
        ] {
            assert_eq!(shares(command), shared, "{command}");
        }
    }
}
