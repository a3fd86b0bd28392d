//! A function that runs as it is written, as `graph-outline-eager` leaves it: control flow, calls, tests and numbers.
//!
//! A tensor is a memref of its sizes, with strides and an offset that are known when the function runs, whatever operation or way it
//! comes from; what a callee says more exactly is cast. Storages are told apart by their addresses, which views keep. Tests
//! are calls of the runtime ([`lie`]), [`views`] are arithmetic; [`objects`] says which tensors results are, [`which`] numbers them.
//!
//! What operations make is freed at the end of the block that they stand in, unless it leaves the block.

mod lie;
mod made;
pub(super) mod moving;
mod objects;
mod place;
mod recompile;
mod refused;
mod views;
mod which;

pub(super) use lie::one_of;

use super::{
    rewrite::{is_number, number},
    rules, told,
    types::{declared, identity, is_contiguous, memref, signature, strided},
    words::Services,
};
use made::new_storage;
use melior::{
    Context,
    ir::{
        Attribute, BlockRef, OperationRef, RegionLike, Type, Value, ValueLike,
        attribute::TypeAttribute,
        operation::{OperationMutLike, OperationRefMut},
        r#type::{FunctionType, IntegerType, MemRefType},
    },
};
use mlir_sys::{mlirOperationSetOperand, mlirValueReplaceAllUsesOfWith};
use objects::{Known, Objects};
use place::Place;
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, V},
    descriptor,
    dtype::Dtype,
    ir::{BlockLike, OperationLike},
    operations::{arguments, blocks, collect, definition, erase, name_of, users},
    pass::Failure,
    shaped::{Shaped, strides_and_offset},
    strided::Layout,
    types::{DYNAMIC, TensorType},
};
use terrace_passes::graph_outline_eager::{is_fake_use, is_of_flags, is_test, is_view};

/// The functions of a module that run as they are written.
pub(super) struct Eager<'c, 'a> {
    context: &'c Context,
    functions: Vec<Function<'c, 'a>>,
}

struct Function<'c, 'a> {
    op: OperationRef<'c, 'a>,
    /// The types of its arguments and results as a graph has them.
    inputs: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
    /// Its text, where it is compiled when it is called.
    source: Option<String>,
}

impl<'c: 'a, 'a> Eager<'c, 'a> {
    /// Takes these functions in.
    pub fn of(functions: &[OperationRef<'c, 'a>]) -> Result<Option<Self>, Failure> {
        let Some(first) = functions.first() else { return Ok(None) };
        let context = terrace_dialects::context::of(first.context());
        let functions = functions.iter().map(|op| {
            let ty = signature(*op)?;
            let inputs = (0..ty.input_count()).map(|i| ty.input(i)).collect::<Result<_, _>>()?;
            let results = (0..ty.result_count()).map(|i| ty.result(i)).collect::<Result<_, _>>()?;
            Ok(Function { op: *op, inputs, results, source: recompile::source(*op)? })
        });
        Ok(Some(Self { context, functions: functions.collect::<Result<_, Failure>>()? }))
    }

    /// Says what the functions take and give: callers may be lowered then.
    pub fn declare(&self) -> Result<(), Failure> {
        for function in &self.functions {
            let inputs = function.inputs.iter().enumerate().map(|(i, ty)| self.argument(function.op, i, *ty));
            let inputs = inputs.collect::<Result<Vec<_>, Failure>>()?;
            let results: Vec<Type> =
                function.results.iter().map(|ty| open(self.context, *ty)).collect::<Result<_, _>>()?;
            let ty = TypeAttribute::new(FunctionType::new(self.context, &inputs, &results).into());
            // SAFETY: nobody holds on to the attribute that is replaced.
            let mut mutable = unsafe { OperationRefMut::from_raw(function.op.to_raw()) };
            mutable.set_attribute("function_type", ty.into());
        }
        Ok(())
    }

    /// The type of an argument: as it is declared.
    fn argument(
        &self,
        function: OperationRef<'c, 'a>,
        number: usize,
        ty: Type<'c>,
    ) -> Result<Type<'c>, Failure> {
        let Some(tensor) = TensorType::of(ty).filter(|tensor| tensor.graph) else { return Ok(ty) };
        let layout = declared(function, number, &tensor)?;
        Ok(match is_contiguous(function, number) {
            true if !tensor.is_static() => identity(self.context, &tensor.shape, tensor.dtype),
            true => memref(self.context, &layout, tensor.dtype),
            false => strided(self.context, &layout, tensor.dtype),
        })
    }

    /// Lowers the bodies; all other functions are lowered.
    /// In some, by their names, a storage may become another size.
    pub fn lower(
        self,
        named: &HashMap<String, OperationRef<'c, 'a>>,
        moving: &HashSet<String>,
        services: &mut Services,
    ) -> Result<(), Failure> {
        let ordered = self.callees_first(named)?;
        // Of a function that is called more is known once it is done.
        let mut left: HashSet<usize> = ordered.iter().map(|function| address(function.op)).collect();
        let mut asked = HashSet::new();
        for function in ordered {
            let mut body = Body {
                context: self.context,
                function,
                named,
                moving: moving.contains(&convert::string(function.op.attribute("sym_name")?)),
                services: &mut *services,
                made: vec![],
                same: HashMap::new(),
            };
            body.lower()?;
            let known = Known { named, left: &left, asked: &mut asked, same: body.same };
            Objects::new(function, known, services)?.say()?;
            left.remove(&address(function.op));
        }
        Ok(())
    }

    /// The functions, each behind those that it calls; where some call each other, one of them comes first.
    fn callees_first(
        &self,
        named: &HashMap<String, OperationRef<'c, 'a>>,
    ) -> Result<Vec<&Function<'c, 'a>>, Failure> {
        let own: HashMap<usize, &Function> =
            self.functions.iter().map(|function| (address(function.op), function)).collect();
        let (mut met, mut ordered) = (HashSet::new(), vec![]);
        // Each function twice: behind its callees it is done.
        let mut open: Vec<(&Function, bool)> =
            self.functions.iter().rev().map(|function| (function, false)).collect();
        while let Some((function, is_done)) = open.pop() {
            if is_done {
                ordered.push(function);
                continue;
            }
            if !met.insert(address(function.op)) {
                continue;
            }
            open.push((function, true));
            for call in collect(function.op, |op| name_of(op) == "func.call") {
                let callee = named.get(&convert::symbol(call.attribute("callee")?));
                open.extend(
                    callee.and_then(|callee| own.get(&address(*callee))).map(|callee| (*callee, false)),
                );
            }
        }
        Ok(ordered)
    }
}

fn address(function: OperationRef) -> usize {
    function.to_raw().ptr as usize
}

/// The memref of a graph tensor: of its sizes, strides and offset known when the function runs.
fn open<'c>(context: &'c Context, ty: Type<'c>) -> Result<Type<'c>, Failure> {
    let Some(tensor) = TensorType::of(ty).filter(|tensor| tensor.graph) else { return Ok(ty) };
    if tensor.device.is_some() {
        return Err(format!("{ty}: only tensors on the CPU are lowered").into());
    }
    let strides = vec![DYNAMIC; tensor.rank()];
    Ok(strided(context, &Layout { sizes: tensor.shape, strides, offset: DYNAMIC }, tensor.dtype))
}

/// A body on its way.
struct Body<'b, 'c, 'a> {
    context: &'c Context,
    function: &'b Function<'c, 'a>,
    named: &'b HashMap<String, OperationRef<'c, 'a>>,
    /// Whether storages may become another size.
    moving: bool,
    services: &'b mut Services,
    /// What calls have made.
    made: Vec<V<'c, 'a>>,
    /// What calls have given, by the values that have eager's strides for it.
    same: HashMap<usize, V<'c, 'a>>,
}

impl<'c: 'a, 'a> Body<'_, 'c, 'a> {
    fn lower(&mut self) -> Result<(), Failure> {
        let op = self.function.op;
        let block = op.region(0)?.first_block().ok_or("has no body")?;
        if let Some(source) = &self.function.source {
            return self.recompile(block, source);
        }
        let mut dtypes = self.retype(block)?;
        for op in collect(op, |inner| inner != op) {
            if matches!(name_of(op), "func.call" | "func.return") || is_test(op) {
                self.look_anew(op, &mut dtypes)?;
            }
            if name_of(op) == "func.call" {
                self.call(op, &mut dtypes)?;
            } else if is_number(op) {
                let number = number(op, op.operand(0)?)?;
                self.becomes(op, number)?;
            } else if is_view(op) {
                let dtype = dtypes.get(&(op.operand(0)?.to_raw().ptr as usize));
                if name_of(op) == "graph._neg_view" && dtype == Some(&Dtype::Bool) {
                    let at = Cursor::before(op)?;
                    let never = at.integer(IntegerType::new(self.context, 1).into(), 0)?;
                    at.assert(never, "\"neg_cpu\" not implemented for 'Bool'")?;
                }
                match name_of(op) {
                    "graph.as_strided" | "graph.view" | "graph.view_as" => self.view(op, &mut dtypes)?,
                    "graph.cast" => {
                        let own = op.operand(0)?;
                        let cast =
                            Cursor::before(op)?.op("memref.cast", &[own], op.result_at(0)?.r#type())?;
                        if let Some(dtype) = dtypes.get(&(own.to_raw().ptr as usize)).copied() {
                            dtypes.insert(cast.to_raw().ptr as usize, dtype);
                        }
                        self.becomes(op, cast)?;
                    }
                    "graph.view_as_real" | "graph.view_as_complex" => self.parts(op, &mut dtypes)?,
                    _ => self.sized_view(op, &mut dtypes)?,
                }
            } else if is_test(op) {
                self.test(op, &dtypes)?;
            } else if is_fake_use(op) {
                // SAFETY: it gives nothing.
                unsafe { erase(op) };
            } else if is_of_flags(op) {
                let asked = told::flags(op, self.services)?;
                for (old, new) in op.results().zip(asked) {
                    // SAFETY: both are of one type.
                    unsafe { mlirValueReplaceAllUsesOfWith(Value::from(old).to_raw(), new.to_raw()) };
                }
                // SAFETY: nobody uses what it gives.
                unsafe { erase(op) };
            }
        }
        self.free()
    }

    /// Gives every tensor its memref; the dtypes of all, by their values.
    fn retype(&mut self, entry: BlockRef<'c, 'a>) -> Result<HashMap<usize, Dtype>, Failure> {
        let function = self.function.op;
        let mut dtypes = HashMap::new();
        let mut values: Vec<V> = arguments(entry).collect();
        for op in collect(function, |inner| inner != function) {
            values.extend(op.results().map(V::from));
            values.extend(blocks(op).into_iter().flat_map(arguments));
        }
        let rest = std::iter::successors(entry.next_in_region(), |block| block.next_in_region());
        values.extend(rest.flat_map(arguments));
        for value in values {
            let Some(tensor) = TensorType::<i64>::of(value.r#type()).filter(|tensor| tensor.graph) else {
                continue;
            };
            dtypes.insert(value.to_raw().ptr as usize, tensor.dtype);
            value.set_type(open(self.context, value.r#type())?);
        }
        // An argument is what the function says that it takes.
        let ty = signature(function)?;
        let start = Cursor::start(entry, function.location());
        for (i, argument) in arguments(entry).enumerate() {
            let (own, given) = (argument.r#type(), ty.input(i)?);
            if own == given {
                continue;
            }
            argument.set_type(given);
            let cast = start.op("memref.cast", &[argument], own)?;
            if let Some(dtype) = dtypes.get(&(argument.to_raw().ptr as usize)) {
                dtypes.insert(cast.to_raw().ptr as usize, *dtype);
            }
            let user = definition(cast).ok_or("is not there")?;
            // SAFETY: both are there for all uses, but for that by the cast.
            unsafe {
                let mut except = user.to_raw();
                mlir_sys::mlirValueReplaceAllUsesExcept(argument.to_raw(), cast.to_raw(), 1, &mut except);
            }
        }
        Ok(dtypes)
    }

    /// Calls a function that is lowered.
    fn call(&mut self, op: OperationRef<'c, 'a>, dtypes: &mut HashMap<usize, Dtype>) -> Result<(), Failure> {
        let name = convert::symbol(op.attribute("callee")?);
        let Some(callee) = self.named.get(&name).copied() else { return Ok(()) };
        let ty = signature(callee)?;
        let operands: Vec<V> = op.operands().collect();
        for (i, operand) in operands.iter().copied().enumerate() {
            if operand.r#type() != ty.input(i)? {
                let cast = self.seen_as(&Cursor::before(op)?, operand, ty.input(i)?)?;
                // SAFETY: the operation has this operand.
                unsafe { mlirOperationSetOperand(op.to_raw(), i as isize, cast.to_raw()) };
            }
        }
        for i in 0..op.result_count() {
            let result: V = op.result_at(i)?.into();
            let (own, given) = (result.r#type(), ty.result(i)?);
            // Two results may be views of one new storage.
            if Shaped::of(given).is_some_and(|shaped| shaped.buffer)
                && let Some(root) = new_storage(callee, i, self.named)
                && (0..i).all(|earlier| new_storage(callee, earlier, self.named) != Some(root))
            {
                self.made.push(result);
            }
            if own == given {
                continue;
            }
            let next = op.next_in_block().ok_or("stands at the end of a block")?;
            let at = Cursor::before(next)?.of(op.location());
            let users: Vec<OperationRef> = users(result).collect();
            result.set_type(given);
            // A tensor that comes back lies as it did, whatever the callee took it for.
            let cast = match handed_back(callee, i).and_then(|k| operands.get(k)) {
                Some(operand) => at.op("memref.cast", &[*operand], own)?,
                None => self.as_eager_lays_out(&at, result, own)?,
            };
            if let Some(dtype) = dtypes.get(&(result.to_raw().ptr as usize)).copied() {
                dtypes.insert(cast.to_raw().ptr as usize, dtype);
            }
            for user in users {
                for (i, _) in user.operands().enumerate().filter(|(_, operand)| *operand == result) {
                    // SAFETY: the operation has this operand.
                    unsafe { mlirOperationSetOperand(user.to_raw(), i as isize, cast.to_raw()) };
                }
            }
        }
        Ok(())
    }

    /// A tensor as a callee declares it: a test has shown that it lies so, or the call is not reached.
    fn seen_as(&self, at: &Cursor<'c, 'a>, tensor: V<'c, 'a>, ty: Type<'c>) -> Result<V<'c, 'a>, Failure> {
        let own = strides_and_offset(uncast(tensor).r#type());
        let fits = |(a, b): (&i64, &i64)| a == b || *a == DYNAMIC || *b == DYNAMIC;
        let Some(((own, own_offset), (strides, offset))) = own.zip(strides_and_offset(ty)) else {
            return at.op("memref.cast", &[tensor], ty);
        };
        if own.iter().zip(&strides).all(fits) && fits((&own_offset, &offset)) {
            return at.op("memref.cast", &[tensor], ty);
        }
        // Two declarations that can't both be true.
        if [&[offset], &strides[..]].concat().contains(&DYNAMIC) {
            return Err("is called with a tensor of another layout than it declares in part".into());
        }
        descriptor::reinterpret(at, tensor, ty, [vec![], self.open_sizes(at, tensor, ty)?, vec![]])
    }

    /// What a callee gives, as a memref of any strides. Of a dimension without elements one that is row-major has other strides than eager's.
    fn as_eager_lays_out(
        &mut self,
        at: &Cursor<'c, 'a>,
        given: V<'c, 'a>,
        ty: Type<'c>,
    ) -> Result<V<'c, 'a>, Failure> {
        let shaped = Shaped::expect(given.r#type())?;
        let inner = shaped.shape.get(1..).unwrap_or_default();
        let row_major: Type = MemRefType::contiguous(shaped.element, &shaped.shape, None).into();
        if given.r#type() != row_major || !inner.iter().any(|size| [DYNAMIC, 0].contains(size)) {
            return at.op("memref.cast", &[given], ty);
        }
        let Place { sizes, offset, .. } = Place::of(at, given)?;
        let strides = rules::row_major(at, &sizes)?;
        let parts = [vec![offset], self.open_sizes(at, given, ty)?, strides];
        let laid_out = descriptor::reinterpret(at, given, ty, parts)?;
        self.same.insert(laid_out.to_raw().ptr as usize, given);
        Ok(laid_out)
    }

    /// The sizes of a memref that another type of as many dimensions does not say.
    fn open_sizes(
        &self,
        at: &Cursor<'c, 'a>,
        memref: V<'c, 'a>,
        ty: Type<'c>,
    ) -> Result<Vec<V<'c, 'a>>, Failure> {
        let shape = Shaped::expect(ty)?.shape;
        if !shape.contains(&DYNAMIC) {
            return Ok(vec![]);
        }
        let sizes = Place::of(at, memref)?.sizes;
        let open = sizes.into_iter().zip(shape).filter(|(_, said)| *said == DYNAMIC);
        open.map(|(size, _)| at.extent(size)).collect()
    }

    fn becomes(&self, op: OperationRef<'c, 'a>, value: V<'c, 'a>) -> Result<(), Failure> {
        // SAFETY: the value stands in front of the operation, which nobody looks at any more.
        unsafe {
            mlirValueReplaceAllUsesOfWith(Value::from(op.result_at(0)?).to_raw(), value.to_raw());
            erase(op);
        }
        Ok(())
    }
}

/// An attribute of a result of a function.
fn result_attribute<'c>(function: OperationRef<'c, '_>, number: usize, name: &str) -> Option<Attribute<'c>> {
    terrace_dialects::arguments::list_attribute(function, "res_attrs", number, name)
}

/// The argument that a function gives back as a result, where it is lowered: the same tensor, not another view of all of it.
fn handed_back(function: OperationRef, number: usize) -> Option<usize> {
    let block = function.region(0).ok()?.first_block()?;
    let result = uncast(block.terminator()?.operand(number).ok()?);
    let argument = arguments(block).position(|argument| argument == result)?;
    let same = convert::string(result_attribute(function, number, "graph.same_as")?);
    (same == format!("arg{argument}")).then_some(argument)
}

/// What a value is a cast of.
fn uncast<'c: 'a, 'a>(mut value: V<'c, 'a>) -> V<'c, 'a> {
    while let Some(source) =
        definition(value).filter(|op| name_of(*op) == "memref.cast").and_then(|op| op.operand(0).ok())
    {
        value = source;
    }
    value
}
