//! Methods of values: of paths, strings and lists.

use super::eval::Eval;
use super::value::Value;
use super::{Language, effects::Target};
use crate::command::Word;

impl Eval<'_, '_> {
    /// A method of a value: its effect, if it is one of a path, and what it gives.
    pub(super) fn method(&mut self, value: Value, name: &str, args: Vec<Value>) -> Value {
        let first = args.first();
        if matches!(name, "forEach" | "map" | "each")
            && let Some(callee @ Value::Name(_)) = first
            && is_path(&value_of(&value))
        {
            // `paths.forEach(fs.unlinkSync)`
            self.invoke(&callee.clone(), vec![value_of(&value)]);
        }
        match name {
            "unlink" | "rmdir" | "delete" | "remove"
                if is_path(&value) && first.is_none_or(|arg| arg.literal().is_none()) =>
            {
                self.remove(&value, false);
                Value::Unknown
            }
            "rmtree" | "rm_rf" | "remove_tree" => {
                self.remove(&value, true);
                Value::Unknown
            }
            "write_text" | "write_bytes" | "touch" | "binwrite" => {
                self.file(&value, Target::Write);
                Value::Unknown
            }
            "read_text" | "read_bytes" => self.file(&value, Target::Read),
            "open" if is_path(&value) => {
                let mode = first.and_then(Value::literal).unwrap_or("r").to_owned();
                self.open(&value, &mode)
            }
            "rename" | "replace" if args.len() == 1 && is_path(&value) => {
                self.command("mv", &[value, args[0].clone()]);
                Value::Unknown
            }
            "replace" | "sub" | "gsub" | "replaceAll" => match (value.literal(), first, args.get(1)) {
                (Some(text), Some(from), Some(to)) => match (from.literal(), to.literal()) {
                    (Some(from), Some(to)) if !from.is_empty() && text.len() < 4096 && to.len() < 4096 => {
                        Value::text(text.replace(from, to))
                    }
                    _ => Value::Unknown,
                },
                _ => Value::Unknown,
            },
            "chmod" if is_path(&value) => {
                let mode = first.cloned().unwrap_or(Value::Unknown);
                self.command("chmod", &[mode, value]);
                Value::Unknown
            }
            "symlink_to" | "hardlink_to" => {
                let target = first.cloned().unwrap_or(Value::Unknown);
                self.command("ln -s", &[target, value]);
                Value::Unknown
            }
            "expanduser" | "expand_path" => self.expanded(&value),
            "joinpath" | "join" if is_path(&value) && !matches!(first, Some(Value::List(_))) => {
                args.iter().fold(value, |path, part| path.below(part))
            }
            "join" => match (&value, first) {
                (Value::List(values), separator) => {
                    let separator = separator.cloned().unwrap_or(Value::text(","));
                    joined(values, &separator)
                }
                (separator, Some(Value::List(values))) => joined(values, separator),
                _ => Value::Unknown,
            },
            "glob" | "rglob" => {
                let pattern = first.cloned().unwrap_or(Value::text("*"));
                let path = value.below(&pattern);
                self.glob(&path)
            }
            "iterdir" | "children" | "entries" | "each_child" if is_path(&value) => self.children(&value),
            "parent" | "dirname" => match value.literal() {
                Some(text) => Value::text(
                    text.trim_end_matches('/')
                        .rsplit_once('/')
                        .map_or(".", |(folder, _)| if folder.is_empty() { "/" } else { folder }),
                ),
                None => Value::Unknown,
            },
            "split" | "shellsplit" => match value.literal() {
                Some(text) => {
                    let separator = first.and_then(Value::literal).filter(|text| !text.is_empty());
                    let parts: Vec<Value> = match separator {
                        Some(separator) => text.split(separator).take(512).map(Value::text).collect(),
                        None => text.split_whitespace().take(512).map(Value::text).collect(),
                    };
                    Value::List(parts)
                }
                None => Value::Unknown,
            },
            "append" | "push" | "extend" if matches!(value, Value::List(_)) => {
                let more: Vec<Value> = args
                    .into_iter()
                    .flat_map(|arg| match arg {
                        Value::List(values) if name == "extend" => values,
                        other => vec![other],
                    })
                    .collect();
                // Values are copies: the names that hold this list are those that hold an equal one.
                for held in self.names.values_mut().filter(|held| **held == value) {
                    if let Value::List(values) = held
                        && values.len() < 512
                    {
                        values.extend(more.iter().cloned());
                    }
                }
                Value::Unknown
            }
            "concat" => args.into_iter().fold(value, Value::append),
            "format" if self.language == Language::Python => format(&value, &args),
            "get" | "fetch" if matches!(value, Value::Environment) => match first.and_then(Value::literal) {
                Some(name) => self.environment(name),
                None => Value::Environment,
            },
            "read" | "decode" | "encode" | "strip" | "trim" | "rstrip" | "lstrip" | "chomp" | "resolve"
            | "absolute" | "toString" | "to_s" | "to_str" | "str" | "copy" | "items" | "to_h" | "inspect"
            | "to_json" | "values" | "text" | "realpath" | "cleanpath" | "as_posix" | "shellescape" | "then"
            | "catch" | "filter" | "map" | "forEach" | "each" | "sort" | "sorted" | "reverse" | "flat" | "close"
            | "__str__" | "select" | "reject" | "lines" | "splitlines" | "readlines" | "readline" => value,
            "reversed" => match value.literal() {
                Some(text) => Value::text(text.chars().rev().collect::<String>()),
                None => Value::Unknown,
            },
            "from" => Value::Unknown,
            "system" | "exec" | "execSync" | "spawn" if matches!(value, Value::Unknown) => {
                // A module that was got some other way.
                match first {
                    Some(code @ (Value::Text(_) | Value::List(_))) => self.shell(&code.clone()),
                    _ => Value::Unknown,
                }
            }
            "rmSync" | "rmdirSync" | "unlinkSync" if matches!(value, Value::Unknown) => {
                if let Some(path) = first {
                    self.remove(
                        &path.clone(),
                        name == "rmSync" && args.get(1).is_some_and(|options| options.field("recursive").is_some()),
                    );
                }
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }
}

/// Whether a value can be a path: anything but what is known to be something else.
fn is_path(value: &Value) -> bool {
    matches!(value, Value::Text(_) | Value::Any(_))
}

/// What a function gets that is called with each element.
fn value_of(value: &Value) -> Value {
    match value {
        Value::List(values) => Value::Any(values.clone()),
        other => other.clone(),
    }
}

fn joined(values: &[Value], separator: &Value) -> Value {
    let mut out = Value::Text(Word::default());
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out = out.append(separator.clone());
        }
        out = out.append(value.clone());
    }
    out
}

/// `'… {} …'.format(x)`
fn format(value: &Value, args: &[Value]) -> Value {
    let Some(text) = value.literal() else { return Value::Unknown };
    let mut out = Value::text("");
    let mut args = args.iter();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let Some(end) = rest[at..].find('}') else { break };
        out = out.append(Value::text(&rest[..at]));
        out = out.append(args.next().cloned().unwrap_or(Value::Unknown));
        rest = &rest[at + end + 1..];
    }
    out.append(Value::text(rest))
}
