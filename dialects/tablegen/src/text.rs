//! Names of ODS as Rust spells them.

/// `DenseI64` or `graph-functionalize` as `dense_i64`, `graph_functionalize`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut lower = false;
    // A namespace may stand before a name that begins with an underscore.
    for c in name.replace("._", ".").chars() {
        if c == '-' || c == '.' {
            out.push('_');
            lower = false;
        } else if c.is_ascii_uppercase() {
            if lower {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
            lower = false;
        } else {
            out.push(c);
            lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        }
    }
    out
}

/// `in_parallel` as `InParallel`.
pub fn camel(name: &str) -> String {
    name.split(['-', '_', '.'])
        .map(|part| {
            let mut chars = part.chars();
            chars.next().map(|c| c.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
        })
        .collect()
}

/// A name that is no Rust keyword: `self` as `self_`, `loop` as `loop_`.
pub fn ident(name: &str) -> String {
    match name {
        "self" | "loop" | "type" | "where" | "in" | "for" | "if" | "else" | "match" | "move" | "ref"
        | "as" | "fn" | "mod" | "use" | "yield" | "static" | "const" | "mut" | "box" | "dyn" | "impl"
        | "return" => {
            format!("{name}_")
        }
        _ => name.replace('.', "_"),
    }
}
