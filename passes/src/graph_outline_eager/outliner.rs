//! An operation on its way into a function: the function, its arguments and the call.

use super::{Known, broadcasts::Broadcast, declare, flags::Flagged, writes};
use crate::{
    functions::{self, Names},
    graph_functionalize::Writing,
};
use melior::ir::{
    Attribute, AttributeLike, Block, BlockRef, Operation, OperationRef, Region, RegionLike, Type, TypeLike,
    Value, ValueLike,
    attribute::{StridedLayoutAttribute, StringAttribute, TypeAttribute},
    operation::{OperationMutLike, OperationRefMut},
    r#type::IntegerType,
};
use mlir_sys::*;
use std::collections::HashMap;
use terrace_dialects::{
    arguments::{DISTINCT, LAYOUT, Layout as Declared, PARTIAL, STORAGE},
    context,
    cursor::{Cursor, V},
    dtype::Dtype,
    ir::{BlockLike, OperationLike},
    operations::{definition, erase, name_of},
    pass::Failure,
    placement,
    registry::{self, OpImpl},
    types::{TensorType, is_graph_tensor},
};

/// An operation on its way into a function.
pub(super) struct Outliner<'n, 'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub class: &'static OpImpl,
    /// The name of the function that it stands in.
    pub own: &'n str,
    /// Whether that function is `graph.partial`.
    pub partial: bool,
    pub module: BlockRef<'c, 'a>,
    pub names: &'n mut Names,
    /// The functions of operations, by all that they depend on.
    pub functions: &'n mut HashMap<String, String>,
    /// The functions that copy tensors, by the types of these, the memory format and the dtype.
    pub copies: &'n mut HashMap<(usize, Option<&'static str>, Option<Dtype>), String>,
}

/// An argument of the new function.
pub(super) struct Argument<'c, 'a> {
    /// The value in the function around.
    pub value: V<'c, 'a>,
    /// What is passed: what it stores, or a copy, seen with other sizes.
    pub passed: V<'c, 'a>,
    pub flags: Flagged,
    pub layout: Declared,
    pub written: bool,
}

impl<'c, 'a> Outliner<'_, 'c, 'a> {
    /// Writes the function, and a call of it in front of the operation.
    pub fn outline(&mut self, known: Vec<Known>, flags: Vec<Flagged>) -> Result<(), Failure> {
        let at = Cursor::before(self.op)?;
        // What changes an object writes no elements.
        let writes = !placement::changes_object(self.class);
        let written = if writes { placement::written(self.op, self.class) } else { vec![] };
        let mut arguments: Vec<Argument> = vec![];
        let known = known.into_iter().map(|known| known.layout).zip(flags.iter().copied());
        for (value, (layout, flags)) in self.op.operands().zip(known) {
            let constant = definition(value).is_some_and(|op| name_of(op) == "arith.constant");
            if !constant && arguments.iter().all(|argument| argument.value != value) {
                let written = written.contains(&value);
                let passed = flags.seen(&at, value)?;
                arguments.push(Argument { value, passed, flags, layout, written });
            }
        }
        if !written.is_empty() {
            writes::check(&at, self.op, self.class, &flags)?;
            let aside = writes::set_aside(self.op, self.class);
            for argument in arguments.iter_mut().filter(|argument| aside.contains(&argument.value)) {
                argument.passed = self.apart(&at, argument.passed, &written)?;
                argument.layout = Declared::Any;
            }
        }
        if let Some(broadcast) =
            writes.then(|| Broadcast::of(&at, self.op, self.class)).transpose()?.flatten()
        {
            for argument in &mut arguments {
                let copied = broadcast.copied.iter().find(|(value, _)| *value == argument.value);
                let own = match copied {
                    Some((_, dtype)) => self.copied(&at, argument.passed, None, Some(*dtype))?,
                    None => argument.passed,
                };
                let seen = broadcast.seen(&at, argument.value, own)?;
                if seen != argument.passed {
                    (argument.passed, argument.layout) = (seen, Declared::Any);
                }
            }
        }
        let kept = |number: usize| -> Result<Option<Value<'c, 'a>>, Failure> {
            let result: Value = self.op.result_at(number)?.into();
            let own = !written.is_empty()
                && self.class.is_in_place()
                && number == 0
                && result.r#type() == written[0].r#type();
            Ok(if own { None } else { Some(result) })
        };
        let results = (0..self.op.result_count()).map(kept).collect::<Result<Vec<_>, _>>()?;
        let elsewhere = writes::unless_onto_itself(&at, &arguments, self.class)?;
        // What is written is tested: the function need not refuse it.
        let tested = Writing::of(self.class).is_tested(self.op, self.class);
        for argument in arguments.iter_mut().filter(|own| tested && own.written) {
            if writes::may_overlap_itself(argument) {
                argument.layout = Declared::Any;
            }
        }
        let key = self.key(&arguments, &results);
        let known = key.as_ref().and_then(|key| self.functions.get(key)).cloned();
        let name = match known {
            Some(name) => name,
            None => self.function(&arguments, &results)?,
        };
        if let Some(key) = key {
            self.functions.insert(key, name.clone());
        }
        let passed: Vec<V> = arguments.iter().map(|argument| argument.passed).collect();
        let kept: Vec<Value> = results.iter().flatten().copied().collect();
        let types: Vec<Type> = kept.iter().map(|value| value.r#type()).collect();
        if let Some(elsewhere) = elsewhere {
            return at.when(elsewhere, |at| {
                at.insert(functions::call(at.location, &name, &passed, &types)?);
                Ok(())
            });
        }
        let call = at.insert(functions::call(at.location, &name, &passed, &types)?);
        for (old, new) in kept.iter().zip(call.results()) {
            // SAFETY: both are of one type.
            unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
        }
        Ok(())
    }

    /// Outlines `graph.value` of conjugates or negatives: it takes a copy, which has the elements as they are seen.
    pub fn value_of_copy(&mut self, known: Vec<Known>, flags: Vec<Flagged>) -> Result<(), Failure> {
        let own: V = self.op.operand(0)?;
        let copy = Cursor::before(self.op)?.op("graph.clone", &[own], own.r#type())?;
        // SAFETY: the operation has this operand.
        unsafe { mlirOperationSetOperand(self.op.to_raw(), 0, copy.to_raw()) };
        let op = definition(copy).ok_or("is not there")?;
        let class = registry::of(op).ok_or("is not known")?;
        let (names, functions, copies) = (&mut *self.names, &mut *self.functions, &mut *self.copies);
        Outliner { op, class, names, functions, copies, ..*self }.outline(known, flags)?;
        // SAFETY: nobody uses its result any more.
        unsafe { erase(op) };
        self.outline(vec![Known { layout: Declared::Any, in_numbers: false }], vec![Flagged::default()])
    }

    /// A tensor, or a copy of it where it shares elements with one that is written.
    fn apart(
        &mut self,
        at: &Cursor<'c, 'a>,
        value: V<'c, 'a>,
        written: &[V<'c, 'a>],
    ) -> Result<V<'c, 'a>, Failure> {
        let truth = IntegerType::new(at.context, 1).into();
        let others: Vec<V> = written.iter().copied().filter(|other| *other != value).collect();
        if others.is_empty() {
            return Ok(value);
        }
        let members = [vec![value], others.clone()].concat();
        let attributes = [at.named("sets", at.numbers(&[1, others.len() as i64]))];
        let disjoint = at.with("graph.check_disjoint", &members, truth, &attributes)?;
        let ty = [value.r#type()];
        let chosen = at.either(disjoint, &ty, |at, way| {
            if way == 0 {
                return Ok(vec![value]);
            }
            Ok(vec![self.copied(&at, value, None, None)?])
        })?;
        Ok(chosen[0])
    }

    /// A copy of a tensor, in a memory format and of a dtype where these are given. There is one function for each type.
    pub(super) fn copied(
        &mut self,
        at: &Cursor<'c, 'a>,
        value: V<'c, 'a>,
        format: Option<&'static str>,
        dtype: Option<Dtype>,
    ) -> Result<V<'c, 'a>, Failure> {
        let (layout, flags) = (Declared::Any, Flagged::default());
        let argument = Argument { value, passed: value, flags, layout, written: false };
        let own = TensorType::<i64>::of(value.r#type()).ok_or("is no tensor")?;
        let ty = TensorType { dtype: dtype.unwrap_or(own.dtype), ..own }.to_type(at.context);
        let key = (value.r#type().to_raw().ptr as usize, format, dtype);
        let name = match self.copies.get(&key) {
            Some(name) => name.clone(),
            None => {
                let copy = |at: &Cursor<'c, 'a>, values: &[V<'c, 'a>]| {
                    let format = format
                        .map(|format| at.named("memory_format", StringAttribute::new(at.context, format)));
                    let dtype =
                        dtype.map(|dtype| at.named("dtype", TypeAttribute::new(dtype.to_type(at.context))));
                    let name = if dtype.is_some() { "graph._to_copy" } else { "graph.clone" };
                    let attributes: Vec<_> = format.into_iter().chain(dtype).collect();
                    Ok(vec![at.with(name, values, ty, &attributes)?])
                };
                let name = self.private("clone", &[argument], &[ty], copy)?;
                self.copies.insert(key, name.clone());
                name
            }
        };
        Ok(at.insert(functions::call(at.location, &name, &[value], &[ty])?).result_at(0)?.into())
    }

    /// All that a function of the operation depends on; None where that is not known. Attributes and types are told apart by their addresses.
    fn key(&self, arguments: &[Argument<'c, 'a>], results: &[Option<Value<'c, 'a>>]) -> Option<String> {
        let op = self.op;
        if op.region_count() > 0 {
            return None;
        }
        let attributes = |op: OperationRef| -> Vec<(String, usize)> {
            let all = op.attributes();
            all.map(|(name, value)| {
                (name.as_string_ref().as_str().unwrap_or_default().to_owned(), value.to_raw().ptr as usize)
            })
            .collect()
        };
        let ty = |value: V| value.r#type().to_raw().ptr as usize;
        let operand = |operand: V<'c, 'a>| match arguments.iter().position(|own| own.value == operand) {
            Some(place) => Some((place, vec![])),
            None => Some((usize::MAX, attributes(definition(operand)?))),
        };
        let operands = op.operands().map(operand).collect::<Option<Vec<_>>>()?;
        let passed: Vec<_> = arguments
            .iter()
            .map(|own| (ty(own.value), ty(own.passed), &own.flags, &own.layout, own.written))
            .collect();
        let kept: Vec<_> = results.iter().map(|result| result.map(ty)).collect();
        Some(format!("{} {:?} {operands:?} {passed:?} {kept:?}", self.class.name, attributes(op)))
    }

    /// The name of a function that is the operation alone.
    fn function(
        &mut self,
        arguments: &[Argument<'c, 'a>],
        results: &[Option<Value<'c, 'a>>],
    ) -> Result<String, Failure> {
        let types: Vec<Type> = results.iter().flatten().map(|value| value.r#type()).collect();
        let op = self.op;
        let operation = self.class.name.trim_start_matches("graph.").replace('.', "_");
        self.private(&operation, arguments, &types, |at, values| {
            let mut operands: Vec<V> = vec![];
            for operand in op.operands() {
                let own = arguments.iter().position(|argument| argument.value == operand);
                operands.push(match own {
                    Some(place) => arguments[place].flags.seen(at, values[place])?,
                    None => {
                        let constant =
                            definition(operand).ok_or("is on a value that comes from elsewhere")?;
                        copied(at, constant).result_at(0)?.into()
                    }
                });
            }
            let copy = copied(at, op);
            for (number, value) in operands.iter().enumerate() {
                // SAFETY: the copy has this operand.
                unsafe { mlirOperationSetOperand(copy.to_raw(), number as isize, value.to_raw()) };
            }
            let kept = results.iter().enumerate().filter(|(_, result)| result.is_some());
            kept.map(|(number, _)| Ok(copy.result_at(number)?.into())).collect()
        })
    }

    /// Writes a private function for an operation of this name that takes these arguments, and gives its own name; `write` writes its body, and says what is returned.
    pub(super) fn private(
        &mut self,
        operation: &str,
        arguments: &[Argument<'c, 'a>],
        results: &[Type<'c>],
        write: impl FnOnce(&Cursor<'c, 'a>, &[V<'c, 'a>]) -> Result<Vec<V<'c, 'a>>, Failure>,
    ) -> Result<String, Failure> {
        let location = self.op.location();
        let name = self.names.fresh(self.module, format!("{}.{operation}", self.own));
        let inputs: Vec<Type> = arguments.iter().map(|argument| argument.passed.r#type()).collect();
        let region = Region::new();
        let signature: Vec<_> = inputs.iter().map(|ty| (*ty, location)).collect();
        let block = region.append_block(Block::new(&signature));
        let at = Cursor::end(block, location);
        let values: Vec<V> = terrace_dialects::operations::arguments(block).collect();
        let returned = write(&at, &values)?;
        at.build("func.return", &returned, &[], &[], vec![])?;
        let function = functions::private(location, &name, &inputs, results, region)?;
        let function = self.module.append_operation(function);
        let context = context::of(function.context());
        // SAFETY: nobody holds on to the attributes that are replaced.
        let mut mutable = unsafe { OperationRefMut::from_raw(function.to_raw()) };
        mutable.set_attribute("no_inline", Attribute::unit(context));
        if self.partial {
            mutable.set_attribute(PARTIAL, Attribute::unit(context));
        }
        let declare = |argument: usize, name: &str, value| self::declare(function, argument, name, value);
        let writes = arguments.iter().any(|argument| argument.written);
        let tested = writes && Writing::of(self.class).is_tested(self.op, self.class);
        for (number, argument) in arguments.iter().enumerate() {
            if !is_graph_tensor(argument.value.r#type()) {
                continue;
            }
            match &argument.layout {
                Declared::Any => declare(number, LAYOUT, StringAttribute::new(context, "any").into()),
                Declared::Contiguous => {}
                Declared::Strided { strides, offset } => {
                    declare(number, LAYOUT, StridedLayoutAttribute::new(context, *offset, strides).into());
                }
            }
            // As was tested; what a number fills may repeat elements.
            if argument.written && tested {
                declare(number, DISTINCT, Attribute::unit(context));
            }
            if writes {
                declare(number, STORAGE, StringAttribute::new(context, &format!("s{number}")).into());
            }
        }
        Ok(name)
    }
}

/// A copy of an operation, for the time being on the same operands.
fn copied<'c, 'a>(at: &Cursor<'c, 'a>, op: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
    // SAFETY: the copy belongs to the block from here on.
    at.insert(unsafe { Operation::from_raw(mlirOperationClone(op.to_raw())) })
}
