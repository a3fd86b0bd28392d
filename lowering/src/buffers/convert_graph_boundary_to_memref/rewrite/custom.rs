//! Custom operators: calls of C functions that are there when the program is linked.
//!
//! `graph.custom @mine::@scale` calls the function `mine_scale` by MLIR's C interface,
//! `_mlir_ciface_mine_scale`: a tensor is the address of its descriptor, with strides as they are, a number
//! is passed by value, a bool as a byte. What a list holds is passed one by one, an optional argument that is
//! not there not at all, and the name says how many they are: `mine_cat_3` for a list of three. Behind the
//! arguments come the results, in order, as descriptors of memory that the function fills: row-major, and of
//! no dimensions for a number. A result that is an argument which the schema says is written is not passed
//! again.

use super::state::{Boundary, Form, Root, View};
use crate::buffers::convert_graph_boundary_to_memref::{
    symbols::Places,
    types::{identity, strided},
};
use melior::ir::{
    Attribute, OperationRef, RegionLike, Type, Value, ValueLike,
    attribute::{FlatSymbolRefAttribute, TypeAttribute},
    r#type::{FunctionType, IntegerType},
};
use terrace_dialects::{
    aten::{
        custom::{operands, schema, written_as},
        schema::{Kind, Parameter, Schema},
    },
    internal,
    ir::{
        OperationLike, attributes as convert,
        cursor::{Cursor, V},
        dtype::{Dtype, ElementType},
        operations::key,
        pass::Failure,
        refusal::Reason,
        rewrite::replace_uses,
        shaped::Shaped,
        types::TensorType,
    },
    ops::graph,
};
use terrace_layout::Layout;
use terrace_size::DYNAMIC;

/// A custom operator and its schema.
struct Custom<'c, 'a> {
    op: OperationRef<'c, 'a>,
    view: graph::CustomOp<'c, 'a>,
    schema: Schema,
}

impl<'c, 'a> Custom<'c, 'a> {
    fn of(op: OperationRef<'c, 'a>) -> Result<Self, String> {
        let view = graph::CustomOp::try_from(op).map_err(|_| "is no custom operator")?;
        let schema = schema(&view)?.ok_or_else(|| Reason::Call.says("may do anything, as it has no schema: that is interpreted only; say what it reads and writes, as in schema = \
             \"(Tensor(a!) x) -> Tensor(a!)\""))?;
        Ok(Self { op, view, schema })
    }

    /// The name of the C function.
    fn symbol(&self) -> String {
        let callee = self.op.attribute("callee").expect("the operation was verified");
        let path = convert::path(callee).collect::<Vec<_>>().join("_");
        let counts = self.view.segments().unwrap_or_default();
        let counts: String = counts.iter().map(|count| format!("_{count}")).collect();
        path + &counts
    }

    /// The operand that a result is.
    fn operand_of(&self, result: &Parameter) -> Result<Option<usize>, String> {
        let Some(argument) = written_as(&self.schema, result) else { return Ok(None) };
        Ok(operands(&self.view, &self.schema)?[argument].first().copied())
    }
}

/// The operand of a custom operator that a result of it is.
pub(super) fn operand_of<'c, 'a>(op: OperationRef<'c, 'a>, result: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let custom = Custom::of(op).ok()?;
    let number = op.results().position(|own| Value::from(own) == result)?;
    op.operand(custom.operand_of(custom.schema.results.get(number)?).ok()??).ok()
}

impl<'c, 'a> Boundary<'c, 'a> {
    /// Where the results of a custom operator lie, the operation numbered `at`.
    pub(super) fn collect_custom(&mut self, op: OperationRef<'c, 'a>, at: usize) -> Result<(), String> {
        let custom = Custom::of(op)?;
        if self
            .sibling(&custom.symbol())
            .is_some_and(|own| own.region(0).is_ok_and(|r| r.first_block().is_some()))
        {
            let why = "is computed by a function of the module that takes or gives other types: give both the same, so that graph-structure \
                       puts the one in the place of the other";
            return Err(why.into());
        }
        for (result, described) in op.results().zip(&custom.schema.results) {
            if described.kind != Kind::Tensor {
                continue;
            }
            let view = match custom.operand_of(described)? {
                Some(place) => {
                    let own = op.operand(place).ok().and_then(|value| self.view(value));
                    own.cloned().ok_or_else(|| Reason::Call.says("writes a tensor that is not known here"))?
                }
                None if described.set.is_some() => {
                    return Err(Reason::Call.says(
                        "gives a view of an argument that it does not write: that is interpreted only",
                    ));
                }
                None => {
                    let tensor: TensorType =
                        TensorType::of(result.r#type()).ok_or(internal!("gives a tensor of no dtype"))?;
                    if !tensor.is_static() {
                        return Err(format!(
                            "{}: sizes that are not known are not lowered yet",
                            result.r#type()
                        ));
                    }
                    let places = Places::declared(&Layout::contiguous(&tensor.shape));
                    let (root, dtype) = (Root::Fresh(at), tensor.dtype);
                    let form = Form::Static;
                    View { root, storage: None, places, dtype, form, flags: [false; 2], buffer: None }
                }
            };
            self.views.insert(key(result), view);
        }
        Ok(())
    }

    /// Calls the C function of a custom operator.
    pub(super) fn call_custom(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let custom = Custom::of(op)?;
        let at = Cursor::before(op)?;
        let mut passed = vec![];
        for value in op.operands() {
            passed.push(match self.buffer_of(value) {
                Some((buffer, dtype)) => any_layout(&at, buffer, dtype)?,
                None if Dtype::of(value.r#type()) == Some(Dtype::Bool) => {
                    at.op("arith.extui", &[value], IntegerType::new(at.context, 8).into())?
                }
                None => value,
            });
        }
        let mut numbers = vec![];
        for (result, described) in op.results().map(Value::from).zip(&custom.schema.results) {
            if described.kind != Kind::Tensor {
                let dtype = Dtype::of(result.r#type()).ok_or(internal!("gives what is no number"))?;
                let memory = at.allocate("memref.alloc", identity(at.context, &[], dtype), &[])?;
                passed.push(any_layout(&at, memory, dtype)?);
                numbers.push((result, memory));
            } else if custom.operand_of(described)?.is_none() {
                let (buffer, dtype) = self.buffer_of(result).ok_or(internal!("has no memory"))?;
                passed.push(any_layout(&at, buffer, dtype)?);
            }
        }
        let symbol = custom.symbol();
        self.declare_custom(&symbol, &passed)?;
        let callee = at.named("callee", FlatSymbolRefAttribute::new(at.context, &symbol));
        at.build("func.call", &passed, &[], &[callee], vec![])?;
        for (result, memory) in numbers {
            let number = at.op("memref.load", &[memory], result.r#type())?;
            replace_uses(result, number);
        }
        Ok(())
    }

    /// The buffer of a tensor, and the dtype of its elements.
    fn buffer_of(&self, value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Dtype)> {
        self.view(value).and_then(|view| Some((view.buffer?, view.dtype)))
    }

    /// Declares the C function in the module, in front of this one.
    fn declare_custom(&self, symbol: &str, passed: &[V<'c, 'a>]) -> Result<(), Failure> {
        let at = Cursor::before(self.function)?;
        let types: Vec<Type> = passed.iter().map(|value| value.r#type()).collect();
        let ty = TypeAttribute::new(FunctionType::new(at.context, &types, &[]).into());
        if let Some(declared) = self.sibling(symbol) {
            if declared.attribute("function_type").is_ok_and(|own| own == Attribute::from(ty)) {
                return Ok(());
            }
            return Err(Reason::Call.says(format!(
                "calls the function {symbol} of C with arguments of other types than another operation does"
            )).into());
        }
        let interface = at.named("llvm.emit_c_interface", Attribute::unit(at.context));
        at.declare(symbol, &types, &[], &[interface]).map(drop)
    }
}

/// A buffer as one of any sizes and strides, which all calls of a function have in common.
fn any_layout<'c, 'a>(at: &Cursor<'c, 'a>, buffer: V<'c, 'a>, dtype: Dtype) -> Result<V<'c, 'a>, Failure> {
    let rank = Shaped::expect(buffer.r#type())?.rank();
    let unknown = vec![DYNAMIC; rank];
    let layout = Layout { sizes: unknown.clone(), strides: unknown, offset: DYNAMIC };
    let ty = strided(at.context, &layout, dtype);
    if ty == buffer.r#type() { Ok(buffer) } else { at.op("memref.cast", &[buffer], ty) }
}
