//! A case as a function of the graph dialect, by docs/operators.json alone.
//!
//! What an importer does: an argument of the schema is the operand or the attribute of its name, else of its
//! position; an integer stands for a list of one; a Scalar is a constant; None in a list of tensors goes to
//! the attribute that is a list of bools. Result types are inferred, so that this asks the rules what eager's
//! shape functions know.

use crate::{
    case::{Case, View},
    operators::{Described, Operators},
};
use melior::{
    Context,
    dialect::{arith, func},
    ir::{
        Attribute, AttributeLike, Block, Identifier, Location, Module, Region, RegionLike, Type, Value,
        ValueLike,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, FloatAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
        operation::OperationBuilder,
        r#type::{FunctionType, IntegerType},
    },
};
use serde_json::{Map, Value as Json};
use std::{cell::RefCell, collections::HashMap};
use terrace_dialects::ir::{BlockLike, OperationLike};
use terrace_tensor::{Dtype, Scalar};

/// Why there is no program.
pub enum Failure {
    /// The case is not one of the operators that there are, or docs/operators.json does not say where an
    /// argument goes.
    Case(String),
    /// An operation was refused; a diagnostic has been emitted.
    Refused,
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Case(message)
    }
}

/// What the types of arguments say of sizes, and their declarations of strides and offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// All.
    Static,
    /// Nothing.
    Dynamic,
    /// Nothing of sizes, but strides and offsets.
    Strided,
}

/// The module of a case: `@main` takes its tensors and returns the results of all calls.
///
/// # Errors
/// Why there is none.
pub fn module<'c>(
    context: &'c Context,
    operators: &Operators,
    case: &Case,
    sizes: Sizes,
) -> Result<Module<'c>, Failure> {
    build(context, operators, case, sizes, false).map(|(module, _)| module)
}

/// The module of a case whose types say no sizes, and the numbers that `@main` takes behind its tensors:
/// those that are operands.
///
/// # Errors
/// Those of [`module`].
pub fn open<'c>(
    context: &'c Context,
    operators: &Operators,
    case: &Case,
) -> Result<(Module<'c>, Vec<Scalar>), Failure> {
    build(context, operators, case, Sizes::Strided, true)
}

fn build<'c>(
    context: &'c Context,
    operators: &Operators,
    case: &Case,
    sizes: Sizes,
    open: bool,
) -> Result<(Module<'c>, Vec<Scalar>), Failure> {
    let location = Location::unknown(context);
    let parse = |text: String| Attribute::parse(context, &text).ok_or(format!("no attribute: {text}"));
    let types = case.tensors.iter().map(|view| {
        let text = type_text(view, sizes);
        Type::parse(context, &text).ok_or(format!("no type: {text}"))
    });
    let mut types = types.collect::<Result<Vec<_>, _>>()?;
    let mut declared: Vec<String> = case
        .tensors
        .iter()
        .map(|view| {
            let (storage, strides, offset) = (view.storage, &view.strides, view.offset);
            let layout = match sizes {
                // What is row-major needs no word: its strides follow its sizes.
                Sizes::Strided if is_contiguous(view) => {
                    return format!("{{graph.storage = \"s{storage}\"}}");
                }
                Sizes::Static => format!("strided<{strides:?}, offset: {offset}>"),
                Sizes::Dynamic => "\"any\"".to_owned(),
                Sizes::Strided => format!("strided<{strides:?}, offset: {offset}>"),
            };
            format!("{{graph.storage = \"s{storage}\", graph.layout = {layout}}}")
        })
        .collect();
    let block = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
    let mut calls = Calls {
        context,
        location,
        block: &block,
        values: Vec::new(),
        same: Vec::new(),
        now: HashMap::new(),
        numbers: open.then(RefCell::default),
    };
    for number in 0..types.len() {
        calls.values.push(block.argument(number).map_err(|e| e.to_string())?.into());
        calls.same.push(number);
    }
    for call in &case.calls {
        calls.call(operators, &call.schema, &call.arguments)?;
    }
    let results: Vec<Value> =
        (case.tensors.len()..calls.values.len()).map(|number| calls.current(number)).collect();
    let numbers = calls.numbers.take().unwrap_or_default().into_inner();
    for number in types.len()..block.argument_count() {
        types.push(block.argument(number).map_err(|e| e.to_string())?.r#type());
        declared.push("{}".into());
    }
    let declared = parse(format!("[{}]", declared.join(", ")))?;
    let result_types: Vec<Type> = results.iter().map(|value| value.r#type()).collect();
    block.append_operation(func::r#return(&results, location));
    let region = Region::new();
    region.append_block(block);
    let function = func::func(
        context,
        StringAttribute::new(context, "main"),
        TypeAttribute::new(FunctionType::new(context, &types, &result_types).into()),
        region,
        &[(Identifier::new(context, "arg_attrs"), declared)],
        location,
    );
    let module = Module::new(location);
    module.body().append_operation(function);
    if module.as_operation().verify() { Ok((module, numbers)) } else { Err(Failure::Refused) }
}

/// Whether a tensor is row-major from the first element of its storage on.
fn is_contiguous(view: &View) -> bool {
    let strides = terrace_layout::row_major(&view.sizes);
    view.offset == 0 && view.strides == strides
}

fn type_text(view: &View, known: Sizes) -> String {
    let size = |size: &i64| if known == Sizes::Static { format!("{size}x") } else { "?x".to_owned() };
    let sizes: String = view.sizes.iter().map(size).collect();
    let device = if view.device == "cpu" { String::new() } else { format!(", {:?}", view.device) };
    format!("!graph.tensor<{sizes}{}{device}>", element(view.dtype))
}

fn element(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::Bool => "i1",
        Dtype::U8 => "ui8",
        Dtype::C64 => "complex<f32>",
        Dtype::C128 => "complex<f64>",
        other => other.name(),
    }
}

/// The entries of a list, or the one that stands for it.
fn entries(list: &Json) -> &[Json] {
    list.as_array().map_or(std::slice::from_ref(list), Vec::as_slice)
}

/// A number that is not complex.
fn scalar(value: &Json) -> Option<Scalar> {
    Some(match value {
        Json::Bool(value) => Scalar::Bool(*value),
        Json::Number(number) if number.is_i64() => Scalar::Int(number.as_i64()?),
        Json::String(text) => Scalar::Float(text.parse().ok()?),
        number => Scalar::Float(number.as_f64()?),
    })
}

/// The calls so far.
struct Calls<'c, 'b> {
    context: &'c Context,
    location: Location<'c>,
    block: &'b Block<'c>,
    /// The tensors, by their numbers.
    values: Vec<Value<'c, 'b>>,
    /// The number of the first one that is the same tensor.
    same: Vec<usize>,
    /// Of a tensor that was changed, by that number, the number of what it is now.
    now: HashMap<usize, usize>,
    /// The numbers that are arguments of the function, where operands are.
    numbers: Option<RefCell<Vec<Scalar>>>,
}

impl<'c, 'b> Calls<'c, 'b> {
    /// What a tensor is now.
    fn current(&self, number: usize) -> Value<'c, 'b> {
        self.values[self.now.get(&self.same[number]).copied().unwrap_or(number)]
    }

    /// Takes in the results of a call, the first of which is the tensor that it writes.
    fn results(&mut self, results: Vec<Value<'c, 'b>>, written: Option<usize>, changes: bool) {
        for (place, result) in results.into_iter().enumerate() {
            let number = self.values.len();
            let same = written.filter(|_| place == 0).map_or(number, |written| self.same[written]);
            if changes {
                self.now.insert(same, number);
            }
            self.values.push(result);
            self.same.push(same);
        }
    }

    fn call(
        &mut self,
        operators: &Operators,
        schema: &str,
        arguments: &Map<String, Json>,
    ) -> Result<(), Failure> {
        let operation = operators.operation(schema).ok_or(format!("no operation for {schema}"))?;
        let mut given = HashMap::new();
        for (position, (name, value)) in arguments.iter().enumerate() {
            let ours =
                operation.argument(name, position).ok_or(format!("{schema}: no place for '{name}'"))?;
            given.insert(ours, value);
        }
        let (mut operands, mut segments, mut present) = (Vec::new(), Vec::new(), Vec::new());
        for operand in operation.operands() {
            let listed = operand.name().strip_prefix("dynamic_").filter(|_| self.numbers.is_some());
            let of = match given.get(operand.name()) {
                None if let Some(list) = listed.and_then(|listed| given.get(listed)) => {
                    entries(list).iter().map(|entry| self.operand(entry)).collect::<Result<_, _>>()?
                }
                None | Some(Json::Null) => Vec::new(),
                Some(Json::Array(list)) => {
                    present.extend(list.iter().map(|entry| !entry.is_null()));
                    let entries = list.iter().filter(|entry| !entry.is_null());
                    entries.map(|entry| self.operand(entry)).collect::<Result<_, _>>()?
                }
                Some(value) => vec![self.operand(value)?],
            };
            segments.push(of.len() as i32);
            operands.extend(of);
        }
        let mut attributes = Vec::new();
        let mut add = |name: &str, value| attributes.push((Identifier::new(self.context, name), value));
        for attribute in operation.attributes() {
            let value = match given.get(attribute.name()) {
                _ if attribute.name() == "present" => self.bools(&present)?,
                None | Some(Json::Null) => continue,
                Some(list) if self.numbers.is_some() && operation.has_dynamic(attribute.name()) => {
                    let unknown = vec![i64::MIN; entries(list).len()];
                    DenseI64ArrayAttribute::new(self.context, &unknown).into()
                }
                Some(value) => self
                    .attribute(attribute, value)
                    .ok_or_else(|| format!("{schema}: {value} for '{}'", attribute.name()))?,
            };
            add(attribute.name(), value);
        }
        if operation.segments() {
            add("operandSegmentSizes", DenseI32ArrayAttribute::new(self.context, &segments).into());
        }
        let built = OperationBuilder::new(operation.name, self.location)
            .add_operands(&operands)
            .add_attributes(&attributes)
            .enable_result_type_inference()
            .build();
        let built = self.block.append_operation(built.map_err(|_| Failure::Refused)?);
        let first = operation.operands().next().and_then(|operand| given.get(operand.name()).copied());
        let first = first.and_then(Json::as_str).and_then(|text| text.strip_prefix('%')?.parse().ok());
        let written = first.filter(|_| operation.writes());
        self.results(built.results().map(Value::from).collect(), written, operation.metadata());
        Ok(())
    }

    /// A tensor by its number, or a constant.
    fn operand(&self, value: &Json) -> Result<Value<'c, 'b>, Failure> {
        if let Some(number) = value.as_str().and_then(|text| text.strip_prefix('%')) {
            let known = |number: &usize| *number < self.values.len();
            let value = number.parse().ok().filter(known).map(|number: usize| self.current(number));
            return value.ok_or_else(|| Failure::Case(format!("no tensor %{number}")));
        }
        if let Json::Object(parts) = value {
            let part = |name: &str| parts.get(name).and_then(|part| self.float(part));
            let parts = part("re").zip(part("im")).ok_or_else(|| format!("no number: {value}"))?;
            return self.complex([parts.0, parts.1]);
        }
        let constant = self.number(value).ok_or_else(|| format!("no number: {value}"))?;
        if let Some(numbers) = &self.numbers {
            numbers.borrow_mut().push(scalar(value).ok_or_else(|| format!("no number: {value}"))?);
            return Ok(self.block.add_argument(constant.r#type(), self.location));
        }
        let operation = self.block.append_operation(arith::constant(self.context, constant, self.location));
        Ok(operation.result_at(0).map_err(|e| e.to_string())?.into())
    }

    fn complex(&self, parts: [Attribute<'c>; 2]) -> Result<Value<'c, 'b>, Failure> {
        let ty = Type::parse(self.context, "complex<f64>").ok_or("no type of complex numbers".to_owned())?;
        let value = ArrayAttribute::new(self.context, &parts).into();
        let constant = OperationBuilder::new("complex.constant", self.location)
            .add_attributes(&[(Identifier::new(self.context, "value"), value)])
            .add_results(&[ty])
            .build()
            .map_err(|e| e.to_string())?;
        Ok(self.block.append_operation(constant).result_at(0).map_err(|e| e.to_string())?.into())
    }

    fn number(&self, value: &Json) -> Option<Attribute<'c>> {
        let integer =
            |width, value| IntegerAttribute::new(IntegerType::new(self.context, width).into(), value).into();
        match value {
            Json::Bool(value) => Some(integer(1, i64::from(*value))),
            Json::Number(number) if number.is_i64() => number.as_i64().map(|value| integer(64, value)),
            _ => self.float(value),
        }
    }

    fn float(&self, value: &Json) -> Option<Attribute<'c>> {
        let value = match value {
            Json::String(text) => text.parse().ok()?,
            number => number.to_string().parse().ok()?,
        };
        Some(FloatAttribute::new(self.context, Type::float64(self.context), value).into())
    }

    fn attribute(&self, described: Described, value: &Json) -> Option<Attribute<'c>> {
        Some(match described.kind() {
            "integer" => self.number(value)?,
            "float" => self.float(value)?,
            "bool" => BoolAttribute::new(self.context, value.as_bool()?).into(),
            "list of bools" => {
                let list = value.as_array()?.iter().map(Json::as_bool).collect::<Option<Vec<_>>>()?;
                self.bools(&list).ok()?
            }
            "string" => StringAttribute::new(self.context, value.as_str()?).into(),
            "dtype" => {
                let dtype: Dtype = value.as_str()?.parse().ok()?;
                TypeAttribute::new(Type::parse(self.context, element(dtype))?).into()
            }
            "list of floats" => {
                let list: Vec<f64> = value.as_array()?.iter().map(Json::as_f64).collect::<Option<_>>()?;
                let list: Vec<String> = list.iter().map(|float| format!("{float:?}")).collect();
                Attribute::parse(self.context, &format!("array<f64: {}>", list.join(", ")))?
            }
            "list of integers" => {
                let list = match value {
                    Json::Array(list) => list.iter().map(Json::as_i64).collect::<Option<Vec<_>>>()?,
                    one => vec![one.as_i64()?],
                };
                DenseI64ArrayAttribute::new(self.context, &list).into()
            }
            _ => return None,
        })
    }

    fn bools(&self, list: &[bool]) -> Result<Attribute<'c>, Failure> {
        let list: Vec<String> = list.iter().map(bool::to_string).collect();
        let text =
            if list.is_empty() { "array<i1>".to_owned() } else { format!("array<i1: {}>", list.join(", ")) };
        Attribute::parse(self.context, &text).ok_or_else(|| Failure::Case(format!("no attribute: {text}")))
    }
}
