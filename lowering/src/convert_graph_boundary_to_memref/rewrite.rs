//! One function: what stands in its boundary, and what it becomes.

use super::types::{argument_attribute, declared, memref, tensor};
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Identifier, Location, OperationRef, Region, RegionLike, Type,
        TypeLike, Value, ValueLike,
        attribute::{
            AttributeLike, DenseI64ArrayAttribute, FlatSymbolRefAttribute, StringAttribute, TypeAttribute,
        },
        operation::{OperationBuilder, OperationLike, OperationMutLike, OperationRefMut},
        r#type::FunctionType,
    },
};
use mlir_sys::*;
use terrace_dialects::{
    attributes as convert, bridge,
    builder::BuildError,
    dtype::Dtype,
    ops::{graph, loop_},
    registry,
    types::{TensorType, is_graph_tensor},
};
use terrace_passes::{graph_functionalize::layouts, strided::Layout};

/// What is wrong, and where.
pub type Refused<'c, 'a> = (OperationRef<'c, 'a>, String);

/// A view of a storage: the buffer that holds it, and where it lies.
#[derive(Clone)]
struct View<'c, 'a> {
    /// The argument or new buffer whose storage it is.
    root: Root,
    /// The storage's name, for arguments that declare one.
    storage: Option<String>,
    layout: Layout,
    dtype: Dtype,
    buffer: Option<Value<'c, 'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Root {
    Argument(usize),
    Fresh(usize),
}

/// A function whose graph operations are known.
pub struct Boundary<'c, 'a> {
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    context: &'c Context,
    ops: Vec<OperationRef<'c, 'a>>,
    views: Vec<(Value<'c, 'a>, View<'c, 'a>)>,
}

impl<'c, 'a> Boundary<'c, 'a> {
    /// Reads the function; an error where it holds what a boundary does not.
    pub fn of(function: OperationRef<'c, 'a>) -> Result<Self, Refused<'c, 'a>> {
        let context = terrace_dialects::context::of(function.context());
        let region = function.region(0).map_err(|e| (function, e.to_string()))?;
        let Some(block) = region.first_block() else {
            return Err((
                function,
                "has graph tensors in a declaration: only functions with a body are lowered".into(),
            ));
        };
        if block.next_in_region().is_some() {
            return Err((
                function,
                "has control flow around graph tensors: run graph-functionalize first".into(),
            ));
        }
        let mut ops = vec![];
        let mut next = block.first_operation();
        while let Some(op) = next {
            ops.push(op);
            next = op.next_in_block();
        }
        let mut boundary = Self { function, block, context, ops, views: vec![] };
        boundary.collect()?;
        Ok(boundary)
    }

    fn view(&self, value: Value<'c, 'a>) -> Option<&View<'c, 'a>> {
        self.views.iter().find(|(v, _)| *v == value).map(|(_, view)| view)
    }

    /// Where every graph tensor lies.
    fn collect(&mut self) -> Result<(), Refused<'c, 'a>> {
        for i in 0..self.block.argument_count() {
            let argument: Value = self.block.argument(i).expect("counted").into();
            if !is_graph_tensor(argument.r#type()) {
                continue;
            }
            let tensor = static_tensor(argument.r#type())
                .map_err(|m| (self.function, format!("argument {i}: {m}")))?;
            let layout = declared(self.function, i, &tensor).map_err(|m| (self.function, m))?;
            let storage = argument_attribute(self.function, i, "graph.storage").map(convert::string);
            let view = View { root: Root::Argument(i), storage, layout, dtype: tensor.dtype, buffer: None };
            self.views.push((argument, view));
        }
        for (at, op) in self.ops.clone().into_iter().enumerate() {
            let refuse = |m: String| (op, m);
            if graph::ValueOp::try_from(op).is_ok() || graph::WriteBackOp::try_from(op).is_ok() {
                continue;
            }
            if graph::FreshOp::try_from(op).is_ok() {
                let result: Value = op.result(0).expect("fresh has a result").into();
                let tensor = static_tensor(result.r#type()).map_err(refuse)?;
                let layout = Layout::contiguous(&tensor.shape);
                let view =
                    View { root: Root::Fresh(at), storage: None, layout, dtype: tensor.dtype, buffer: None };
                self.views.push((result, view));
                continue;
            }
            if !op.results().any(|r| is_graph_tensor(r.r#type())) {
                continue;
            }
            let source = op.operand(0).ok().and_then(|v| self.view(v)).cloned();
            let found = match (registry::of(op), source) {
                (Some(op_impl), Some(source)) => {
                    layouts(op, op_impl, &source.layout).map_err(refuse)?.map(|layouts| (source, layouts))
                }
                _ => None,
            };
            let Some((source, layouts)) = found else {
                return Err(refuse(
                    "is no operation of a boundary: run graph-functionalize first, which leaves values, writes, new \
                     storages and views"
                        .into(),
                ));
            };
            for (result, layout) in op.results().zip(layouts) {
                self.views.push((result.into(), View { layout, buffer: None, ..source.clone() }));
            }
        }
        Ok(())
    }

    /// Whether two views may lie in one storage.
    fn share(a: &View, b: &View) -> bool {
        a.root == b.root || (a.storage.is_some() && a.storage == b.storage)
    }

    /// Rewrites the function.
    pub fn lower(mut self) -> Result<(), Refused<'c, 'a>> {
        let end = *self.ops.last().ok_or((self.function, "has an empty body".to_string()))?;
        self.lower_arguments();
        let writes: Vec<(OperationRef, Value, View)> = self
            .ops
            .iter()
            .filter_map(|op| {
                let write = graph::WriteBackOp::try_from(*op).ok()?;
                Some((*op, write.value(), self.view(write.view())?.clone()))
            })
            .collect();
        for op in self.ops.clone() {
            self.lower_op(op, &writes).map_err(|_| (op, "could not be lowered".to_string()))?;
        }
        // Writes come last, after everything that is read or returned has a buffer.
        for (op, value, view) in &writes {
            self.write(*op, end, *value, view).map_err(|_| (*op, "could not be lowered".to_string()))?;
        }
        self.finish(end).map_err(|m| (end, m))
    }

    fn lower_arguments(&mut self) {
        for i in 0..self.block.argument_count() {
            let argument: Value = self.block.argument(i).expect("counted").into();
            let context = self.context;
            if let Some((_, view)) = self.views.iter_mut().find(|(v, _)| *v == argument) {
                argument.set_type(memref(context, &view.layout, view.dtype));
                view.buffer = Some(argument);
            }
        }
    }

    fn lower_op(
        &mut self,
        op: OperationRef<'c, 'a>,
        writes: &[(OperationRef, Value, View)],
    ) -> Result<(), BuildError> {
        if let Ok(read) = graph::ValueOp::try_from(op) {
            let view = self.view(read.view()).cloned().expect("collected");
            let value = self.read(op, &view, writes)?;
            replace(op, value);
        } else if let Ok(fresh) = graph::FreshOp::try_from(op) {
            let buffer = self.fresh(op, fresh.value())?;
            self.set_buffer(op.result(0).expect("fresh has a result").into(), buffer);
        } else {
            for result in op.results().map(Value::from) {
                let Some(view) = self.view(result).cloned() else { continue };
                let source = self.view(op.operand(0).expect("a view has a source")).and_then(|v| v.buffer);
                let buffer = self.reinterpret(op, source.expect("sources come first"), &view)?;
                self.set_buffer(result, buffer);
            }
        }
        Ok(())
    }

    fn set_buffer(&mut self, result: Value<'c, 'a>, buffer: Value<'c, 'a>) {
        if let Some((_, view)) = self.views.iter_mut().find(|(v, _)| *v == result) {
            view.buffer = Some(buffer);
        }
    }

    /// The elements of a view as a builtin tensor.
    fn read(
        &self,
        at: OperationRef<'c, 'a>,
        view: &View<'c, 'a>,
        writes: &[(OperationRef, Value, View)],
    ) -> Result<Value<'c, 'a>, BuildError> {
        let memory = tensor(self.context, &view.layout.sizes, super::types::in_memory(view.dtype));
        let to: Vec<&View> = writes.iter().map(|(_, _, w)| w).filter(|w| Self::share(w, view)).collect();
        // Written as a whole, and read nowhere else: the core may work in place.
        let in_place = to.len() == 1 && to[0].layout == view.layout && self.reads_of(view) == 1;
        let unit = Attribute::unit(self.context);
        let mut attributes = vec![("restrict", unit)];
        if in_place && view.dtype != Dtype::Bool {
            attributes.push(("writable", unit));
        }
        let buffer = view.buffer.expect("arguments come first");
        let value = self.insert(at, "bufferization.to_tensor", &[buffer], &[memory], &attributes)?;
        if view.dtype == Dtype::Bool {
            return self.convert(at, value, &view.layout.sizes, Dtype::I8, Dtype::Bool);
        }
        // One region's write is the only one, and comes after all reads; of several, one may be another's source.
        if to.len() > 1 { self.copy(at, value) } else { Ok(value) }
    }

    /// How often values are read out of the storage of a view.
    fn reads_of(&self, view: &View) -> usize {
        let reads = self.ops.iter().filter_map(|op| graph::ValueOp::try_from(*op).ok());
        reads.filter(|r| self.view(r.view()).is_some_and(|v| Self::share(v, view))).count()
    }

    /// A new buffer that holds a value.
    fn fresh(&self, at: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, BuildError> {
        let ty = TensorType::of(value.r#type()).expect("a fresh value is a tensor");
        let own = if ty.dtype == Dtype::Bool {
            self.convert(at, value, &ty.shape, Dtype::Bool, Dtype::I8)?
        } else if self.is_computed_once(value) {
            value
        } else {
            self.copy(at, value)?
        };
        self.to_buffer(at, own, &ty)
    }

    fn to_buffer(
        &self,
        at: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        ty: &TensorType<'c>,
    ) -> Result<Value<'c, 'a>, BuildError> {
        let buffer = memref(self.context, &Layout::contiguous(&ty.shape), ty.dtype);
        self.insert(at, "bufferization.to_buffer", &[value], &[buffer], &[])
    }

    /// Whether a value comes out of the core, where an operator that makes new elements computed it, and goes nowhere else.
    fn is_computed_once(&self, value: Value<'c, 'a>) -> bool {
        let mut uses = 0;
        for op in &self.ops {
            uses += op.operands().filter(|o| *o == value).count();
        }
        let Ok(result) = melior::ir::operation::OperationResult::try_from(value) else { return false };
        let call = result.owner();
        let Ok(callee) = call.attribute("callee").and_then(FlatSymbolRefAttribute::try_from) else {
            return false;
        };
        let Some(core) = self.sibling(callee.value()) else { return false };
        let block = core.region(0).ok().and_then(|r| r.first_block());
        let Some(end) = block.and_then(|b| b.terminator()) else { return false };
        let Ok(returned) = end.operand(result.result_number()) else { return false };
        let returned_once = end.operands().filter(|o| *o == returned).count() == 1;
        let Ok(made) = melior::ir::operation::OperationResult::try_from(returned) else { return false };
        let name = made.owner().name();
        let name = name.as_string_ref().as_str().unwrap_or("").to_string();
        const ALIASES: &[&str] =
            &["functional.view", "functional.squeeze", "functional.unsqueeze", "functional.expand"];
        uses == 1 && returned_once && name.starts_with("functional.") && !ALIASES.contains(&name.as_str())
    }

    fn sibling(&self, name: &str) -> Option<OperationRef<'c, 'a>> {
        let mut next = self.function.block().and_then(|b| b.first_operation());
        while let Some(op) = next {
            if op.attribute("sym_name").is_ok_and(|a| convert::string(a) == name) {
                return Some(op);
            }
            next = op.next_in_block();
        }
        None
    }

    /// A copy that nothing else can alias.
    fn copy(&self, at: OperationRef<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, BuildError> {
        let segments = melior::ir::attribute::DenseI32ArrayAttribute::new(self.context, &[0, 1, 0]);
        let attributes = [("operandSegmentSizes", segments.into())];
        self.insert(at, "bufferization.alloc_tensor", &[value], &[value.r#type()], &attributes)
    }

    /// Elements of another dtype: a bool and its byte.
    fn convert(
        &self,
        at: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        sizes: &[i64],
        from: Dtype,
        to: Dtype,
    ) -> Result<Value<'c, 'a>, BuildError> {
        let location = at.location();
        let ty = tensor(self.context, sizes, to);
        let init = self.insert(at, "tensor.empty", &[], &[ty], &[])?;
        let index = Type::index(self.context);
        let block = Block::new(&vec![(index, location); sizes.len()]);
        let indices: Vec<Value> =
            (0..sizes.len()).map(|d| block.argument(d).expect("made above").into()).collect();
        let identity = unsafe {
            let map = mlirAffineMapMultiDimIdentityGet(self.context.to_raw(), sizes.len() as isize);
            Attribute::from_raw(mlirAffineMapAttrGet(map))
        };
        let load = loop_::load(location, value, &indices, identity, None, None)?;
        let element: Value = block.append_operation(load).result(0).expect("a load has a result").into();
        let (name, attributes): (_, &[_]) =
            if to == Dtype::Bool { ("arith.trunci", &[]) } else { ("arith.extui", &[]) };
        let converted =
            build(location, name, &[element], &[to.to_type(self.context)], attributes, self.context)?;
        let converted: Value =
            block.append_operation(converted).result(0).expect("a cast has a result").into();
        block.append_operation(loop_::yield_(location, &[], converted, &[], None)?);
        let region = Region::new();
        region.append_block(block);
        let nest = loop_::pointwise(location, &[ty], &[], sizes, init, vec![region])?;
        let _ = from;
        Ok(self.block.insert_operation_before(at, nest).result(0).expect("a tensor destination").into())
    }

    /// Another view of a buffer's storage.
    fn reinterpret(
        &self,
        at: OperationRef<'c, 'a>,
        source: Value<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<Value<'c, 'a>, BuildError> {
        let layout = &view.layout;
        let array = |list: &[i64]| DenseI64ArrayAttribute::new(self.context, list).into();
        let segments = melior::ir::attribute::DenseI32ArrayAttribute::new(self.context, &[1, 0, 0, 0]);
        let attributes = [
            ("static_offsets", array(&[layout.offset])),
            ("static_sizes", array(&layout.sizes)),
            ("static_strides", array(&layout.strides)),
            ("operandSegmentSizes", segments.into()),
        ];
        // The cast's own type always spells strides and offset.
        let contiguous = *layout == Layout::contiguous(&layout.sizes);
        let ty = memref(self.context, layout, view.dtype);
        let spelled = if contiguous { strided(self.context, layout, view.dtype) } else { ty };
        let cast = self.insert(at, "memref.reinterpret_cast", &[source], &[spelled], &attributes)?;
        if contiguous { self.insert(at, "memref.cast", &[cast], &[ty], &[]) } else { Ok(cast) }
    }

    fn write(
        &self,
        op: OperationRef<'c, 'a>,
        end: OperationRef<'c, 'a>,
        value: Value<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<(), BuildError> {
        let value = if view.dtype == Dtype::Bool {
            self.convert(end, value, &view.layout.sizes, Dtype::Bool, Dtype::I8)?
        } else {
            value
        };
        let target = graph::WriteBackOp::try_from(op).expect("a write").view();
        let buffer = self.view(target).and_then(|v| v.buffer).expect("views come before writes");
        let attributes = [("writable", Attribute::unit(self.context))];
        self.insert_many(
            end,
            "bufferization.materialize_in_destination",
            &[value, buffer],
            &[],
            &attributes,
        )?;
        Ok(())
    }

    fn insert(
        &self,
        at: OperationRef<'c, 'a>,
        name: &'static str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Value<'c, 'a>, BuildError> {
        let op = self.insert_many(at, name, operands, results, attributes)?;
        Ok(op.result(0).expect("asked for a result").into())
    }

    fn insert_many(
        &self,
        at: OperationRef<'c, 'a>,
        name: &'static str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<OperationRef<'c, 'a>, BuildError> {
        let op = build(at.location(), name, operands, results, attributes, self.context)?;
        Ok(self.block.insert_operation_before(at, op))
    }

    /// Returns buffers, says what results are, and takes the graph operations out.
    fn finish(&mut self, end: OperationRef<'c, 'a>) -> Result<(), String> {
        let returned: Vec<Value> = end.operands().collect();
        let mut end_mut = unsafe { OperationRefMut::from_raw(end.to_raw()) };
        let mut facts = vec![];
        for (i, value) in returned.iter().enumerate() {
            let mut fact = vec![];
            if let Some(view) = self.view(*value) {
                let named = |name: &str| Identifier::new(self.context, name);
                let dtype = TypeAttribute::new(view.dtype.to_type(self.context));
                fact.push((named("graph.dtype"), Attribute::from(dtype)));
                let same = match (view.root, returned.iter().position(|v| v == value)) {
                    (Root::Argument(k), _) if *value == self.argument(k) => Some(format!("arg{k}")),
                    (_, Some(j)) if j < i => Some(format!("result{j}")),
                    _ => None,
                };
                if let Some(same) = same {
                    fact.push((named("graph.same_as"), StringAttribute::new(self.context, &same).into()));
                }
                end_mut.set_operand(i, view.buffer.ok_or("returns a view of an unknown storage")?);
            }
            facts.push(fact);
        }
        let types: Vec<Type> = end.operands().map(|v| v.r#type()).collect();
        let inputs: Vec<Type> = (0..self.block.argument_count())
            .map(|i| self.block.argument(i).expect("counted").r#type())
            .collect();
        let function = FunctionType::new(self.context, &inputs, &types);
        let mut function_mut = unsafe { OperationRefMut::from_raw(self.function.to_raw()) };
        function_mut.set_attribute("function_type", TypeAttribute::new(function.into()).into());
        if facts.iter().any(|f| !f.is_empty()) {
            function_mut.set_attribute("res_attrs", dictionaries(self.context, &facts));
        }
        drop_graph_attributes(function_mut, self.context);
        let graph_ops = self.ops.iter().rev().filter(|op| {
            op.results().any(|r| is_graph_tensor(r.r#type()))
                || graph::WriteBackOp::try_from(**op).is_ok()
                || graph::ValueOp::try_from(**op).is_ok()
        });
        for op in graph_ops {
            unsafe { mlirOperationDestroy(op.to_raw()) }
        }
        Ok(())
    }

    fn argument(&self, index: usize) -> Value<'c, 'a> {
        self.block.argument(index).expect("an argument").into()
    }
}

/// A graph tensor whose sizes are known and whose elements the lowering has.
fn static_tensor(ty: Type) -> Result<TensorType, String> {
    let tensor = TensorType::of(ty).ok_or_else(|| format!("{ty} has no dtype"))?;
    if !tensor.is_static() {
        return Err(format!("{ty}: sizes that are not known are not lowered yet"));
    }
    if tensor.device.is_some() {
        return Err(format!("{ty}: only tensors on the CPU are lowered"));
    }
    match tensor.dtype {
        Dtype::Bool | Dtype::I32 | Dtype::I64 | Dtype::F32 | Dtype::F64 => Ok(tensor),
        other => Err(format!("{ty}: dtype {} is not lowered yet", other.aten_name())),
    }
}

fn strided<'c>(context: &'c Context, layout: &Layout, dtype: Dtype) -> Type<'c> {
    let null = MlirAttribute { ptr: std::ptr::null() };
    let element = super::types::in_memory(dtype).to_type(context).to_raw();
    let rank = layout.sizes.len() as isize;
    unsafe {
        let strides =
            mlirStridedLayoutAttrGet(context.to_raw(), layout.offset, rank, layout.strides.as_ptr());
        Type::from_raw(mlirMemRefTypeGet(element, rank, layout.sizes.as_ptr(), strides, null))
    }
}

fn build<'c>(
    location: Location<'c>,
    name: &'static str,
    operands: &[Value<'c, '_>],
    results: &[Type<'c>],
    attributes: &[(&str, Attribute<'c>)],
    context: &'c Context,
) -> Result<melior::ir::Operation<'c>, BuildError> {
    let attributes: Vec<_> = attributes.iter().map(|(n, a)| (Identifier::new(context, n), *a)).collect();
    OperationBuilder::new(name, location)
        .add_operands(operands)
        .add_results(results)
        .add_attributes(&attributes)
        .build()
        .map_err(|_| BuildError { operation: name })
}

fn replace<'c>(op: OperationRef<'c, '_>, value: Value<'c, '_>) {
    let result = op.result(0).expect("a value has a result");
    unsafe { mlirValueReplaceAllUsesOfWith(result.to_raw(), value.to_raw()) }
}

fn dictionaries<'c>(context: &'c Context, facts: &[Vec<(Identifier<'c>, Attribute<'c>)>]) -> Attribute<'c> {
    unsafe {
        let one = |fact: &Vec<(Identifier, Attribute)>| {
            let named: Vec<MlirNamedAttribute> =
                fact.iter().map(|(n, a)| mlirNamedAttributeGet(n.to_raw(), a.to_raw())).collect();
            mlirDictionaryAttrGet(context.to_raw(), named.len() as isize, named.as_ptr())
        };
        let all: Vec<MlirAttribute> = facts.iter().map(one).collect();
        Attribute::from_raw(mlirArrayAttrGet(context.to_raw(), all.len() as isize, all.as_ptr()))
    }
}

/// Declarations of arguments are spent: layouts are in the types now.
fn drop_graph_attributes<'c>(mut function: OperationRefMut<'c, '_>, context: &'c Context) {
    let Ok(all) = function.attribute("arg_attrs") else { return };
    let kept = unsafe {
        let count = mlirArrayAttrGetNumElements(all.to_raw());
        (0..count)
            .map(|i| {
                let dictionary = mlirArrayAttrGetElement(all.to_raw(), i);
                let n = mlirDictionaryAttrGetNumElements(dictionary);
                (0..n)
                    .map(|k| mlirDictionaryAttrGetElement(dictionary, k))
                    .filter(|named| !bridge::text(mlirIdentifierStr(named.name)).starts_with("graph."))
                    .map(|named| (Identifier::from_raw(named.name), Attribute::from_raw(named.attribute)))
                    .collect()
            })
            .collect::<Vec<Vec<_>>>()
    };
    if kept.iter().all(Vec::is_empty) {
        let _ = function.remove_attribute("arg_attrs");
    } else {
        function.set_attribute("arg_attrs", dictionaries(context, &kept));
    }
}
