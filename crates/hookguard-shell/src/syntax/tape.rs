//! What a parsed text is made of: nodes on a tape.

/// A parsed text.
#[derive(Debug, Clone, Default)]
pub struct Script {
    /// The nodes, parents before children.
    pub nodes: Vec<Node>,
    /// What is wrong with the text; at most one for the text itself.
    pub errors: Vec<Error>,
    /// Texts of backtick substitutions whose escapes had to be taken off first.
    pub inner: Vec<Inner>,
    /// How many nodes stand in lines that were complete before the error (all, if there is none): bash runs these.
    pub complete: usize,
}

/// A text inside a text that is not a plain range of it.
#[derive(Debug, Clone)]
pub struct Inner {
    /// The text.
    pub text: String,
    /// What it holds.
    pub script: Script,
}

/// Something that is not shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// Where, in bytes.
    pub at: usize,
    /// What, as a fragment.
    pub what: &'static str,
}

/// One node: what it is, which bytes it is about, and the index of the first node behind its children.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// First byte of what it names (see [`Kind`]).
    pub start: u32,
    /// One past the last byte of it.
    pub end: u32,
    /// Index of the node after this one and all its children; for [`Kind::Open`], of the node after its [`Kind::Close`].
    pub next: u32,
}

/// The word has children; without this flag its text stands for itself.
pub(crate) const FLAG_PARTS: u8 = 1;
/// An unquoted `{` stands in it.
pub(crate) const FLAG_BRACE: u8 = 2;
/// An unquoted `*`, `?` or `[` stands in it.
pub(crate) const FLAG_GLOB: u8 = 4;
/// It begins with an unquoted `~`.
pub(crate) const FLAG_TILDE: u8 = 8;
/// Some of it is quoted.
pub(crate) const FLAG_QUOTED: u8 = 16;

/// The kinds of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A simple command: children are `Assign`, `Word`, `Redirect`.
    Simple,
    /// `|` or `|&` (`start..end` tells which).
    Pipe,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;` or a newline.
    Sequence,
    /// `&`
    Background,
    /// `!`, `time`, `coproc`, and the inner joints of compound commands.
    Mark(Mark),
    /// A compound command begins. `For` and `Select` have the variable's name as range and the list's `Word`s following;
    /// `Case` has its subject as a `Word` following.
    Open(Compound),
    /// It ends. Its `Redirect`s follow.
    Close(Compound),
    /// A function definition: the range is its name, the children are its body with the body's redirects.
    Function,

    /// A word, with flags.
    Word(u8),
    /// `NAME=` or `NAME+=` (then the range ends with the `+`) before a command: the range is the name, children are an
    /// optional `Subscript` and a `Word` or an `Array`.
    Assign,
    /// `(…)` of an array assignment; children are `Word`s.
    Array,
    /// `[…]` of an assignment or parameter; children are parts.
    Subscript,
    /// A redirect; children are its target as a `Word`, and a `Body` for here-documents. The range begins with the
    /// descriptor, if one is written.
    Redirect(RedirectOp),
    /// Where the text of a here-document stands: `start` is the index of its `HereText`, 0 if none was read.
    Body,
    /// The text of a here-document; children are parts, all quoted. Skipped where it stands.
    HereText,

    /// Unquoted text.
    Lit,
    /// Quoted text, without its quotes.
    Quoted,
    /// The inside of `$'…'`, escapes not yet taken out.
    Ansi,
    /// `"…"`: children are `Quoted` and expansions.
    Double,
    /// `$NAME`, `$1`, `$@`: the range is the name.
    Variable,
    /// `${…}`: the range is the whole; children are an optional `Prefix`, `Name`, an optional `Subscript`, an optional
    /// `Operator`, and the parts of its operand.
    Param,
    /// `!` or `#` before the name in `${…}`.
    Prefix,
    /// The name in `${…}`.
    Name,
    /// What stands between name and operand in `${…}`.
    Operator,
    /// `$(…)`, or backticks without escapes: children are a script.
    Substitution,
    /// `${ …; }`: children are a script that runs in the same shell.
    FunSub,
    /// Backticks with escapes: `next - 1` has no children, `start` is an index into [`Script::inner`], `end` is where it
    /// stands in the text.
    Backtick,
    /// `<(…)`: children are a script.
    ProcessIn,
    /// `>(…)`: children are a script.
    ProcessOut,
    /// `$((…))` or `$[…]`: children are the expansions inside.
    Arithmetic,
    /// `@(…)` and the like: children are parts of the pattern, the range is the whole.
    ExtGlob,
}

/// Joints that are no separators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `!`
    Not,
    /// `time`
    Time,
    /// `coproc`
    Coproc,
    /// `then`
    Then,
    /// `elif`
    Elif,
    /// `else`
    Else,
    /// `do`
    Do,
    /// The patterns of a `case` arm are read: its commands follow. Before it stand the patterns as `Word`s.
    Arm,
    /// `;;`, `;&` or `;;&`
    ArmEnd,
}

/// Compound commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compound {
    /// `( … )`
    Subshell,
    /// `{ … }`
    Group,
    /// `if … fi`
    If,
    /// `while … done`
    While,
    /// `until … done`
    Until,
    /// `for … done`
    For,
    /// `select … done`
    Select,
    /// `case … esac`
    Case,
    /// `[[ … ]]`: the `Word`s between are its operands.
    Test,
    /// `((…))`: expansions follow as parts.
    Arithmetic,
}

/// Redirect operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DupIn,
    /// `>&`
    DupOut,
    /// `&>`
    Both,
    /// `&>>`
    BothAppend,
    /// `<<`
    HereDoc,
    /// `<<-`
    HereDocTabs,
    /// `<<<`
    HereString,
}
