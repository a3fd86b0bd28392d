//! ATen's notation for what an operator takes, writes, shares and gives: `(Tensor(a!) x, int[] dims=[]) ->
//! Tensor(a!)`.
//!
//! Source: the schema language of PyTorch, as aten/src/ATen/native/README.md describes it.

/// What an argument or a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A tensor.
    Tensor,
    /// A float.
    Float,
    /// An integer.
    Int,
    /// A truth value.
    Bool,
    /// Any number.
    Scalar,
}

/// An argument or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty for most results.
    pub name: String,
    /// What it is, or what its entries are.
    pub kind: Kind,
    /// Whether it may be missing, or has several entries.
    pub many: bool,
    /// The set of storages that it belongs to, where it shares one.
    pub set: Option<String>,
    /// Whether it is written.
    pub written: bool,
}

/// A schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The arguments, in order.
    pub arguments: Vec<Parameter>,
    /// The results, in order.
    pub results: Vec<Parameter>,
}

impl Schema {
    /// Reads a schema; a name in front of the arguments is skipped.
    ///
    /// # Errors
    /// What is wrong, and what would be right.
    pub fn parse(text: &str) -> Result<Schema, String> {
        let (arguments, results) =
            text.split_once("->").ok_or("'schema' misses its results: `(Tensor x) -> Tensor`")?;
        let arguments = arguments.trim();
        let inner = arguments.find('(').and_then(|at| arguments[at + 1..].strip_suffix(')'));
        let inner = inner.ok_or_else(|| format!("'schema' has no arguments in parentheses: {arguments}"))?;
        let results = results.trim();
        let own = match results.strip_prefix('(') {
            Some(list) => list
                .strip_suffix(')')
                .ok_or_else(|| format!("'schema' has an open parenthesis: {results}"))?,
            None => results,
        };
        let schema = Schema { arguments: parameters(inner)?, results: parameters(own)? };
        if schema.arguments.iter().any(|argument| argument.name.is_empty()) {
            return Err("'schema' has an argument without a name".into());
        }
        for result in &schema.results {
            if let Some(set) = &result.set
                && !schema.arguments.iter().any(|argument| argument.set.as_ref() == Some(set))
            {
                return Err(format!(
                    "'schema' has a result of the storages '{set}', which no argument names"
                ));
            }
        }
        Ok(schema)
    }
}

fn parameters(list: &str) -> Result<Vec<Parameter>, String> {
    entries(list).into_iter().filter(|entry| *entry != "*").map(parameter).collect()
}

/// What commas separate, outside of brackets.
fn entries(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(list[start..].trim());
    all.retain(|entry| !entry.is_empty());
    all
}

/// `Tensor(a!)[] xs`, `int dim=0`, `Tensor?`.
fn parameter(text: &str) -> Result<Parameter, String> {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, mut rest) = text.split_at(end);
    let kind = match word {
        "Tensor" => Kind::Tensor,
        "float" | "SymFloat" => Kind::Float,
        "int" | "SymInt" => Kind::Int,
        "bool" | "SymBool" => Kind::Bool,
        "Scalar" => Kind::Scalar,
        other => {
            return Err(format!(
                "'schema' has an argument of type '{other}'; Tensor, Scalar, float, int and bool have a meaning, and lists of them"
            ));
        }
    };
    let (mut set, mut written) = (None, false);
    if let Some(inner) = rest.strip_prefix('(') {
        let (alias, after) =
            inner.split_once(')').ok_or_else(|| format!("'schema' has an open parenthesis: {text}"))?;
        let alias = alias.split("->").next().unwrap_or_default().trim();
        written = alias.ends_with('!');
        let name = alias.trim_end_matches('!');
        if name.is_empty() || !name.chars().all(char::is_alphanumeric) {
            return Err(format!("'schema' names storages by a letter, as in Tensor(a!), got: {text}"));
        }
        set = Some(name.to_owned());
        rest = after;
    }
    let mut many = false;
    while let Some(after) = rest.strip_prefix("[]").or(rest.strip_prefix('?')) {
        (many, rest) = (true, after);
    }
    if rest.starts_with('[') {
        // A list of a fixed length, `int[2]`.
        (many, rest) = (true, rest.split_once(']').map_or("", |(_, after)| after));
    }
    let name = rest.trim().split('=').next().unwrap_or_default().trim().to_owned();
    Ok(Parameter { name, kind, many, set, written })
}

#[cfg(test)]
mod tests {
    use super::{Kind, Schema};

    #[test]
    fn a_schema_says_what_is_written_and_shared() {
        let text = "mine::f(Tensor(a!) x, Tensor? y, *, int[2] dims=[0, 1], float k=1.5) -> (Tensor(a!), Tensor out)";
        let schema = Schema::parse(text).unwrap();
        let names: Vec<_> =
            schema.arguments.iter().map(|p| (p.name.as_str(), p.kind, p.many, p.written)).collect();
        assert_eq!(
            names,
            [
                ("x", Kind::Tensor, false, true),
                ("y", Kind::Tensor, true, false),
                ("dims", Kind::Int, true, false),
                ("k", Kind::Float, false, false)
            ]
        );
        assert_eq!(schema.results[0].set.as_deref(), Some("a"));
        assert_eq!(schema.results[1].set, None);
        assert!(Schema::parse("(Tensor x) -> ()").unwrap().results.is_empty());
    }

    #[test]
    fn what_is_no_schema_is_said() {
        let message = |text| Schema::parse(text).unwrap_err();
        assert!(message("(Tensor x)").contains("misses its results"));
        assert!(message("(Device d) -> ()").contains("an argument of type 'Device'"));
        assert!(message("(Tensor x) -> Tensor(b)").contains("'b', which no argument names"));
        assert!(message("(Tensor) -> Tensor").contains("without a name"));
    }
}
