//! Bash's grammar, and one liberty of zsh's: one pass over the bytes, from a text to a flat tape of nodes.
//!
//! A node names a range of the text and knows where its children end ([`Node::next`]), so that a reader can walk or skip
//! without any tree. Compound commands are an opening and a closing node; what nests by characters (`$(`, `${`, `"`, `<(`,
//! `((`) has its content as children. Nothing is evaluated here: braces, globs, tilde and variables stay as written.
//!
//! Architecture invariant: the parser recurses for `$( ${ " <( ((` only, at most [`MAX_DEPTH`](crate::MAX_DEPTH) deep; every
//! other nesting is a vector. No byte of the text is looked at more than a bounded number of times.

mod arith;
mod heredoc;
mod parser;
mod redirect;
mod reserved;
mod script;
mod simple;
mod tape;
mod word;

pub(crate) use tape::FLAG_BRACE;
pub use tape::{Compound, Error, Inner, Kind, Mark, Node, RedirectOp, Script};

/// Reads `text`. Never fails: the first error ends the reading and stands in [`Script::errors`]; what stood before it in
/// complete lists (up to `;`, `&` or a newline outside of any compound command) is kept.
pub fn parse(text: &str) -> Script {
    parse_nested(text, 0, false)
}

/// Reads `text` as something that already stands `depth` constructs deep. `zsh`: a `}` ends its `{` wherever it is a word.
pub(crate) fn parse_nested(text: &str, depth: usize, zsh: bool) -> Script {
    let mut parser = parser::Parser::new(text, depth, zsh);
    parser.program();
    parser.finish()
}
