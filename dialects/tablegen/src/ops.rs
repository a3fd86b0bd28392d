//! Rust for operations: a view and a builder for each, and the table that the bridge dispatches by.
//!
//! For `graph.select` in ODS the module `graph` gets
//!
//! * `SelectOp`, a copyable view of an operation with one method per operand, attribute and region, and
//! * `select(location, ...)`, which builds one and returns an error where type inference refuses.

use crate::{
    data, enums,
    records::{dialect, is_a, ours},
    text::{camel, ident, snake},
};
use serde_json::Value;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq)]
enum Arity {
    Single,
    Optional,
    Variadic,
}

struct Operand {
    name: String,
    arity: Arity,
}

struct Attr {
    name: String,
    optional: bool,
    /// The Rust type that an accessor returns, and that a builder takes.
    returned: String,
    taken: String,
    /// The function of `attributes` that reads it, and the method of `Builder` that adds it.
    conversion: &'static str,
}

enum Argument {
    Operand(Operand),
    Attr(Attr),
}

struct Op {
    /// Its place among all, in the order of their names.
    number: usize,
    dialect: String,
    name: String,
    summary: String,
    rule: String,
    role: String,
    elements: String,
    strides: String,
    devices: Vec<String>,
    kernel: String,
    complex: bool,
    complex_refusal: String,
    traits: Vec<String>,
    arguments: Vec<Argument>,
    regions: Vec<String>,
}

impl Op {
    fn has(&self, name: &str) -> bool {
        self.traits.iter().any(|t| t == name)
    }
    fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.arguments.iter().filter_map(|a| if let Argument::Operand(o) = a { Some(o) } else { None })
    }
    fn attributes(&self) -> impl Iterator<Item = &Attr> {
        self.arguments.iter().filter_map(|a| if let Argument::Attr(attr) = a { Some(attr) } else { None })
    }
    fn full(&self) -> String {
        format!("{}.{}", self.dialect, self.name)
    }
    /// The name of the Rust function that answers a question about this operation alone.
    fn function(&self) -> String {
        format!("{}_{}", self.dialect, self.name.replace('.', "_"))
    }
}

fn argument(records: &Value, arg: &Value) -> Argument {
    let name = arg[1].as_str().expect("arguments have names").to_string();
    let mut def = arg[0]["def"].as_str().expect("arguments are records").to_string();
    if is_a(records, &def, "OpVariable") {
        def = records[&def]["constraint"]["def"].as_str().unwrap().to_string();
    }
    if is_a(records, &def, "AttrConstraint") {
        let optional =
            records[&def]["isOptional"].as_i64() == Some(1) || !records[&def]["defaultValue"].is_null();
        let mut base = def.clone();
        while let Some(inner) = records[&base]["baseAttr"]["def"].as_str() {
            base = inner.to_string();
        }
        if is_a(records, &base, "TypeAttrBase") {
            base = "TypeAttr".into();
        }
        let (returned, taken, conversion) = attr_types(records, &base);
        return Argument::Attr(Attr { name, optional, returned, taken, conversion });
    }
    let arity = if is_a(records, &def, "Variadic") {
        Arity::Variadic
    } else if is_a(records, &def, "Optional") {
        Arity::Optional
    } else {
        Arity::Single
    };
    Argument::Operand(Operand { name, arity })
}

fn collect(records: &Value) -> Vec<Op> {
    let names = records["!instanceof"]["TerraceOp"].as_array().expect("operations derive from TerraceOp");
    let mut ops: Vec<Op> = names
        .iter()
        .map(|name| {
            let r = &records[name.as_str().unwrap()];
            let list = |key: &str| r[key]["args"].as_array().cloned().unwrap_or_default();
            Op {
                number: 0,
                dialect: dialect(records, name.as_str().unwrap(), "opDialect").into(),
                name: r["opName"].as_str().unwrap().into(),
                summary: r["summary"].as_str().unwrap_or("").into(),
                rule: r["rule"].as_str().unwrap_or("").into(),
                role: r["role"].as_str().expect("operations have a role").into(),
                elements: r["elements"].as_str().expect("operations have elements").into(),
                strides: r["strides"].as_str().expect("operations have strides").into(),
                devices: (r["devices"].as_array().into_iter().flatten())
                    .filter_map(|device| device.as_str().map(String::from))
                    .collect(),
                kernel: r["kernel"].as_str().unwrap_or("").into(),
                complex: r["complex"] == 1,
                complex_refusal: r["complexRefusal"].as_str().unwrap_or("").into(),
                traits: r["traits"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|t| t["def"].as_str().map(String::from))
                    .collect(),
                arguments: list("arguments").iter().map(|a| argument(records, a)).collect(),
                regions: list("regions")
                    .iter()
                    .map(|a| a[1].as_str().unwrap_or("body").to_string())
                    .collect(),
            }
        })
        .collect();
    ops.sort_by_key(Op::full);
    ops.iter_mut().enumerate().for_each(|(number, op)| op.number = number);
    ops
}

/// How an attribute of ODS is read and built in Rust: the type returned, the type taken, the name of the
/// conversion.
fn attr_types(records: &Value, base: &str) -> (String, String, &'static str) {
    let typed = |ty: String| (ty.clone(), ty, "typed");
    if ours(records, base) && is_a(records, base, "IntEnumAttr") {
        return typed(format!("crate::ops::{}", enums::class(records, base)));
    }
    if ours(records, base) && is_a(records, base, "AttrDef") {
        return typed(data::rust_path(records, base));
    }
    let (returned, taken, conversion) = match base {
        "I64Attr" => ("i64", "i64", "i64"),
        "F64Attr" => ("f64", "f64", "f64"),
        "BoolAttr" => ("bool", "bool", "bool"),
        "StrAttr" | "SymbolNameAttr" => ("String", "&str", "string"),
        "FlatSymbolRefAttr" | "SymbolRefAttr" => ("String", "&str", "symbol"),
        "TypeAttr" | "TypeAttrOf" => ("Type<'c>", "Type<'c>", "ty"),
        "DenseI64ArrayAttr" => ("Vec<i64>", "&[i64]", "i64s"),
        "DenseF64ArrayAttr" => ("Vec<f64>", "&[f64]", "f64s"),
        "DenseBoolArrayAttr" => ("Vec<bool>", "&[bool]", "bools"),
        _ => ("Attribute<'c>", "Attribute<'c>", "any"),
    };
    (returned.into(), taken.into(), conversion)
}

fn write_view(out: &mut String, op: &Op) {
    let class = camel_op(&op.name);
    let summary = if op.summary.is_empty() { String::new() } else { format!(": {}", op.summary) };
    let _ = writeln!(
        out,
        "/// A view of `{full}`{summary}.\n#[derive(Clone, Copy)]\npub struct {class}<'c, 'a>(OperationRef<'c, 'a>);\n\
         impl<'c, 'a> {class}<'c, 'a> {{\n/// The operation's name.\npub const NAME: &'static str = \"{full}\";",
        full = op.full(),
    );
    let _ = writeln!(
        out,
        "/// The operation itself.\npub fn operation(self) -> OperationRef<'c, 'a> {{ self.0 }}"
    );
    let index = entry(op);
    for (i, o) in op.operands().enumerate() {
        let (ty, f) = match o.arity {
            Arity::Single => ("Value<'c, 'a>", "operand"),
            Arity::Optional => ("Option<Value<'c, 'a>>", "optional"),
            Arity::Variadic => ("Vec<Value<'c, 'a>>", "variadic"),
        };
        let _ = writeln!(
            out,
            "/// Operand `{}`.\npub fn {}(self) -> {ty} {{ view::{f}(self.0, {index}, {i}) }}",
            o.name,
            ident(&snake(&o.name))
        );
    }
    for a in &op.arguments {
        let Argument::Attr(a) = a else { continue };
        let Attr { returned: ty, conversion: conv, .. } = a;
        let _ = if a.optional {
            writeln!(
                out,
                "/// Attribute `{n}`, if present.\npub fn {}(self) -> Option<{ty}> {{ view::attribute(self.0, \"{n}\").map(convert::{conv}) }}",
                ident(&snake(&a.name)),
                n = a.name
            )
        } else {
            writeln!(
                out,
                "/// Attribute `{n}`.\npub fn {}(self) -> {ty} {{ convert::{conv}(view::required(self.0, \"{n}\")) }}",
                ident(&snake(&a.name)),
                n = a.name
            )
        };
    }
    for (i, r) in op.regions.iter().enumerate() {
        let _ = writeln!(
            out,
            "/// Region `{r}`.\npub fn {}(self) -> RegionRef<'c, 'a> {{ view::region(self.0, {i}) }}",
            ident(r)
        );
    }
    let _ = writeln!(
        out,
        "}}\nimpl<'c, 'a> TryFrom<OperationRef<'c, 'a>> for {class}<'c, 'a> {{\ntype Error = OperationRef<'c, 'a>;\n\
         fn try_from(op: OperationRef<'c, 'a>) -> Result<Self, Self::Error> {{ if view::is(op, {index}) {{ Ok(Self(op)) }} else {{ Err(op) }} }}\n}}"
    );
}

/// The name without the underscore of an in-place form: `add` of `add_`, `scatter.src` of `scatter_.src`.
fn out_of_place(name: &str) -> Option<String> {
    let plain = name.strip_suffix('_').map(String::from);
    plain.or_else(|| name.split_once("_.").map(|(base, overload)| format!("{base}.{overload}")))
}

/// `add_` and `add` are two operations: the in-place form is `AddInPlaceOp` and `add_in_place`.
fn camel_op(name: &str) -> String {
    let base = out_of_place(name).map_or_else(|| camel(name), |n| camel(&n) + "InPlace");
    if name.starts_with('_') && name != "_to_copy" {
        format!("Internal{base}Op")
    } else {
        format!("{base}Op")
    }
}

fn builder_name(name: &str) -> String {
    let base = out_of_place(name).map_or_else(|| name.to_string(), |n| format!("{n}_in_place"));
    ident(&if name == "_to_copy" { "to_copy".to_string() } else { snake(&base) })
}

/// How generated code names the entry of an operation.
fn entry(op: &Op) -> String {
    format!("crate::ir::registry::entry({})", op.number)
}

fn write_builder(out: &mut String, op: &Op) {
    let mut params = String::from("location: Location<'c>");
    let mut body = String::new();
    let infers = op.has("RustInferTypes");
    if !infers {
        params.push_str(", results: &[Type<'c>]");
    }
    for a in &op.arguments {
        match a {
            Argument::Operand(o) => {
                let n = ident(&snake(&o.name));
                let (ty, push) = match o.arity {
                    Arity::Single => ("Value<'c, '_>", format!("builder.operand({n});")),
                    Arity::Optional => {
                        ("Option<Value<'c, '_>>", format!("builder.operands({n}.as_slice());"))
                    }
                    Arity::Variadic => ("&[Value<'c, '_>]", format!("builder.operands({n});")),
                };
                let _ = write!(params, ", {n}: {ty}");
                body.push_str(&push);
            }
            Argument::Attr(a) => {
                let n = ident(&snake(&a.name));
                let Attr { taken: ty, conversion: conv, .. } = a;
                if a.optional {
                    let _ = write!(params, ", {n}: Option<{ty}>");
                    let _ = writeln!(body, "if let Some(x) = {n} {{ builder.{conv}(\"{}\", x); }}", a.name);
                } else {
                    let _ = write!(params, ", {n}: {ty}");
                    let _ = write!(body, "builder.{conv}(\"{}\", {n});", a.name);
                }
            }
        }
    }
    if !op.regions.is_empty() {
        params.push_str(", regions: Vec<Region<'c>>");
        body.push_str("builder.regions(regions);");
    }
    body.push_str(if infers { "builder.infer()" } else { "builder.build(results)" });
    let _ = writeln!(
        out,
        "/// Builds `{full}`.\n#[allow(clippy::too_many_arguments, unused_mut)]\npub fn {name}<'c>({params}) -> Result<Operation<'c>, BuildError> {{\n\
         let mut builder = Builder::new({index}, location);\n{body}\n}}",
        full = op.full(),
        name = builder_name(&op.name),
        index = entry(op),
    );
}

/// The operation that is an operation's copy: `permute_copy` of `permute`, `view_copy.dtype` of `view.dtype`.
/// It has the same rule, which tells it from `index_copy`.
fn copy_of<'o>(op: &Op, ops: &'o [Op]) -> Option<&'o Op> {
    let (base, overload) = op.name.split_at(op.name.find('.').unwrap_or(op.name.len()));
    let name = format!("{base}_copy{overload}");
    ops.iter().find(|other| other.dialect == op.dialect && other.name == name && other.rule == op.rule)
}

fn write_table(out: &mut String, ops: &[Op]) {
    let optional = |op: &Op, name: &str, module: &str| {
        if op.has(name) { format!("Some({module}::{})", op.function()) } else { "None".into() }
    };
    for op in ops {
        let rule = if op.rule.is_empty() {
            "None".into()
        } else {
            format!("Some(|args| rules::results(rules::{}, args))", op.rule)
        };
        let arity: Vec<&str> = op
            .operands()
            .map(|o| match o.arity {
                Arity::Single => "Arity::Single",
                Arity::Optional => "Arity::Optional",
                Arity::Variadic => "Arity::Variadic",
            })
            .collect();
        // `dynamic_size` has the dynamic entries of `size`.
        let lists: Vec<String> = op
            .operands()
            .enumerate()
            .filter_map(|(i, o)| Some((i, o.name.strip_prefix("dynamic_")?)))
            .map(|(i, list)| format!("({i}, \"{list}\"), "))
            .collect();
        let _ = writeln!(
            out,
            "/// `{full}`.\npub static {constant}: OpImpl = OpImpl {{ name: \"{full}\", dialect: \"{dialect}\", rule: \"{name}\", role: Role::{role}, elements: Elements::{elements}, strides: Strides::{strides}, devices: &[{devices}], kernel: {kernel:?}, complex: {complex}, complex_refusal: {complex_refusal:?}, view: {view}, copy: {copy}, placed: {placed}, operands: &[{arity}], lists: &[{lists}], \
             has_segments: {sized}, id: std::sync::atomic::AtomicUsize::new(0), infer: {rule}, verify: {verify}, verify_regions: {regions}, fold: {fold}, effects: {effects}, verify_symbol: {symbol}, elementwise: {elementwise}, reads_destination: {reads} }};",
            full = op.full(),
            constant = op.function().to_uppercase(),
            dialect = op.dialect,
            name = op.rule,
            role = op.role,
            elements = op.elements,
            strides = op.strides,
            devices =
                op.devices.iter().map(|device| format!("OperandDevice::{device}, ")).collect::<String>(),
            kernel = op.kernel,
            complex = op.complex,
            complex_refusal = op.complex_refusal,
            view = op.has("ViewOfFirst"),
            copy = copy_of(op, ops)
                .map_or("None".into(), |copy| format!("Some(&{})", copy.function().to_uppercase())),
            placed = op.attributes().any(|attr| attr.name == "device"),
            arity = arity.join(", "),
            lists = lists.concat(),
            sized = op.has("AttrSizedOperandSegments"),
            verify = optional(op, "RustVerify", "verifiers"),
            regions = optional(op, "RustVerifyRegions", "verifiers"),
            fold = optional(op, "RustFold", "folds"),
            effects = optional(op, "RustEffects", "effects"),
            symbol = optional(op, "RustSymbolUser", "symbol_verifiers"),
            elementwise = if op.has("Destinations") { "Some(effects::elementwise)" } else { "None" },
            reads = if op.has("Destinations") { "Some(effects::reads_destination)" } else { "None" },
        );
    }
    let _ = writeln!(out, "/// All operations, sorted by name.\npub static ALL: &[&OpImpl] = &[");
    for op in ops {
        let _ = writeln!(out, "&{},", op.function().to_uppercase());
    }
    out.push_str("];\n");
}

/// Writes `ops.rs` (a module per dialect) and `table.rs` for the operations, types and attributes among
/// `records`.
pub fn write(records: &Value) {
    let ops = collect(records);
    let (mut modules, verifiers) = data::write(records);
    for op in &ops {
        let module = modules.entry(op.dialect.clone()).or_default();
        write_view(module, op);
        write_builder(module, op);
    }
    let mut text = String::new();
    for (dialect, module) in modules {
        let _ = writeln!(
            text,
            "/// Operations, types and attributes of the `{dialect}` dialect.\npub mod {} {{\nuse super::*;\n{module}}}",
            ident(&dialect)
        );
    }
    for def in enums::collect(records) {
        enums::write(&mut text, records, def);
    }
    crate::write("ops.rs", &text);
    let mut table = verifiers;
    write_table(&mut table, &ops);
    crate::write("table.rs", &table);
}
