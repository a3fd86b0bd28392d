//! One function: what stands in its boundary, and what it becomes.

mod build;
mod custom;
mod objects;
mod open;

use super::{
    symbols::{Places, through},
    types::{argument_attribute, contiguous, declared, is_contiguous, strided, tensor},
};
use build::replace;
pub(super) use build::{dictionaries, drop_graph_attributes};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, BlockRef, Identifier, OperationRef, RegionLike, Type, Value, ValueLike,
        attribute::{FlatSymbolRefAttribute, TypeAttribute},
        operation::{OperationLike, OperationMutLike, OperationRefMut, OperationResult},
        r#type::FunctionType,
    },
};
use mlir_sys::*;
pub(super) use open::{is_number, number};
use std::cmp::Ordering;
use terrace_dialects::{
    attributes as convert,
    cursor::{Cursor, V},
    dtype::Dtype,
    operations::{definition, name_of},
    ops::graph,
    pass::Failure,
    registry,
    strided::Layout,
    types::{DYNAMIC, TensorType, is_graph_tensor},
};
use terrace_passes::graph_functionalize::{is_called_on_values, knows_generator};

/// Puts a tensor into another one, or into a buffer.
const MATERIALIZE: &str = "bufferization.materialize_in_destination";

/// Makes the buffer of a value.
const TO_BUFFER: &str = "bufferization.to_buffer";

/// What is wrong, and where.
pub type Refused<'c, 'a> = (OperationRef<'c, 'a>, String);

/// A view of a storage: the buffer that holds it, and where it lies.
#[derive(Clone)]
pub(super) struct View<'c, 'a> {
    /// The argument or new buffer whose storage it is.
    pub root: Root,
    /// The storage's name, for arguments that declare one.
    storage: Option<String>,
    pub places: Places,
    pub dtype: Dtype,
    form: Form,
    /// Whether it is read as the conjugates, and as the negatives, of what is stored.
    flags: [bool; 2],
    buffer: Option<Value<'c, 'a>>,
}

/// How much is known of where a view lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Its sizes.
    Static,
    /// That it is row-major, of sizes of the run.
    Contiguous,
    /// Nothing but what its type says.
    Strided,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Root {
    Argument(usize),
    Fresh(usize),
    /// One of several, which an `arith.select` decides on.
    Chosen(usize),
}

/// How a value gets into the region that it is written to.
#[derive(Clone, Copy)]
enum Plan<'c, 'a> {
    /// The region is read as a whole, here, and nothing else touches its storage: the core may work in place.
    InPlace(graph::ValueOp<'c, 'a>),
    /// Nothing else touches its storage: the core may compute it where it goes.
    Overwritten,
    /// By way of this buffer, where it waits until everything is read.
    Buffered(Value<'c, 'a>),
}

/// A write of a value into a region of a storage.
struct Write<'c, 'a> {
    op: graph::WriteBackOp<'c, 'a>,
    plan: Plan<'c, 'a>,
}

/// A value on its way to where it goes.
#[derive(Clone, Copy)]
enum Move<'w, 'c, 'a> {
    /// Into a new storage.
    Fresh(graph::FreshOp<'c, 'a>),
    /// Into a region that is written.
    Write(&'w Write<'c, 'a>),
}

/// A function whose graph operations are known.
pub struct Boundary<'c, 'a> {
    function: OperationRef<'c, 'a>,
    block: BlockRef<'c, 'a>,
    context: &'c Context,
    pub(super) ops: Vec<OperationRef<'c, 'a>>,
    views: Vec<(Value<'c, 'a>, View<'c, 'a>)>,
    /// The tensors that reads have become.
    values: Vec<(OperationRef<'c, 'a>, Value<'c, 'a>)>,
    /// What the symbols of storages are.
    pub(super) symbols: Vec<(Root, Vec<V<'c, 'a>>)>,
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
        let mut boundary =
            Self { function, block, context, ops, views: vec![], values: vec![], symbols: vec![] };
        boundary.collect()?;
        Ok(boundary)
    }

    pub(super) fn view(&self, value: Value<'c, 'a>) -> Option<&View<'c, 'a>> {
        self.views.iter().find(|(v, _)| *v == value).map(|(_, view)| view)
    }

    /// Where every graph tensor lies.
    fn collect(&mut self) -> Result<(), Refused<'c, 'a>> {
        for i in 0..self.block.argument_count() {
            let argument: Value = self.block.argument(i).expect("counted").into();
            if !is_graph_tensor(argument.r#type()) {
                continue;
            }
            let tensor =
                cpu_tensor(argument.r#type()).map_err(|m| (self.function, format!("argument {i}: {m}")))?;
            let layout = declared(self.function, i, &tensor).map_err(|m| (self.function, m))?;
            let form = match tensor.is_static() {
                true => Form::Static,
                false if is_contiguous(self.function, i) => Form::Contiguous,
                false => Form::Strided,
            };
            let places = if form == Form::Static { Places::declared(&layout) } else { Places::open(&layout) };
            let storage = argument_attribute(self.function, i, "graph.storage").map(convert::string);
            let (root, dtype) = (Root::Argument(i), tensor.dtype);
            let view = View { root, storage, places, dtype, form, flags: [false; 2], buffer: None };
            self.views.push((argument, view));
        }
        for (at, op) in self.ops.clone().into_iter().enumerate() {
            let refuse = |m: String| (op, m);
            if registry::of(op).is_some_and(is_called_on_values) {
                self.collect_custom(op, at).map_err(refuse)?;
                continue;
            }
            // The generator's state is numbers: who runs the function has it.
            let is_state = graph::GeneratorStateOp::try_from(op).is_ok()
                || graph::SetGeneratorStateOp::try_from(op).is_ok();
            if knows_generator(op) && !is_state {
                return Err(refuse("has no form as loops yet: it can be interpreted only".into()));
            }
            if graph::ResizeStorageOp::try_from(op).is_ok() {
                let why = "makes the storage of an argument another size: compiled code has storages of fixed sizes, it can be interpreted only";
                return Err(refuse(why.into()));
            }
            if graph::FreshOp::try_from(op).is_ok() || graph::NewStorageOp::try_from(op).is_ok() {
                let result: Value = op.result(0).expect("a storage is a result").into();
                let tensor = cpu_tensor(result.r#type()).map_err(refuse)?;
                let like = graph::NewStorageOp::try_from(op).is_ok_and(|new| !new.like().is_empty());
                let (form, places) = match tensor.is_static() {
                    true if like => (Form::Static, Places::unknown(&tensor.shape)),
                    true => (Form::Static, Places::declared(&Layout::contiguous(&tensor.shape))),
                    false if like => {
                        let why = "is laid out as tensors of sizes of the run are, which is interpreted only, as yet";
                        return Err(refuse(why.into()));
                    }
                    false => (Form::Contiguous, Places::open(&contiguous(&tensor.shape))),
                };
                let (root, dtype) = (Root::Fresh(at), tensor.dtype);
                let view = View { root, storage: None, places, dtype, form, flags: [false; 2], buffer: None };
                self.views.push((result, view));
                continue;
            }
            if !op.results().any(|r| is_graph_tensor(r.r#type())) {
                continue;
            }
            if is_choice(op) {
                let view = self.choice(op, at).map_err(refuse)?;
                self.views.push((op.result(0).expect("a choice is a result").into(), view));
                continue;
            }
            let source = op.operand(0).ok().and_then(|v| self.view(v)).cloned();
            let found = match (registry::of(op), source) {
                (Some(_), Some(source)) if open::is_open(op, &source) => {
                    let (source, places) = open::through(op, source).map_err(refuse)?;
                    Some((source, vec![places]))
                }
                (Some(op_impl), Some(source)) => {
                    through(op, op_impl, &source.places).map_err(refuse)?.map(|views| (source, views))
                }
                _ => None,
            };
            let Some((source, views)) = found else {
                return Err(refuse(
                    "is no operation of a boundary: run graph-functionalize first, which leaves values, writes, new \
                     storages and views"
                        .into(),
                ));
            };
            let mut flags = source.flags;
            match name_of(op) {
                "graph._conj" => flags[0] ^= true,
                "graph._neg_view" => flags[1] ^= true,
                _ => {}
            }
            for (result, places) in op.results().zip(views) {
                let dtype = TensorType::of(result.r#type()).map_or(source.dtype, |ty: TensorType| ty.dtype);
                let view = View { places, dtype, flags, buffer: None, ..source.clone() };
                self.views.push((result.into(), view));
            }
        }
        Ok(())
    }

    /// The view that is one of two: known are its sizes alone.
    fn choice(&self, op: OperationRef<'c, 'a>, at: usize) -> Result<View<'c, 'a>, String> {
        let of = |i: usize| op.operand(i).ok().and_then(|value| self.view(value));
        let [Some(one), Some(other)] = [of(1), of(2)] else {
            return Err("chooses between tensors that are not known here".into());
        };
        if one.places.sizes != other.places.sizes || one.dtype != other.dtype || one.flags != other.flags {
            return Err("chooses between tensors of different sizes, dtypes or flags".into());
        }
        let (sizes, unknown) = (one.places.sizes.clone(), vec![DYNAMIC; one.places.sizes.len()]);
        let layout = Layout { sizes, strides: unknown, offset: DYNAMIC };
        let (form, places) = match layout.sizes.contains(&DYNAMIC) {
            true => (Form::Strided, Places::open(&layout)),
            false => (Form::Static, Places::declared(&layout)),
        };
        let (root, dtype) = (Root::Chosen(at), one.dtype);
        Ok(View { root, storage: None, places, dtype, form, flags: one.flags, buffer: None })
    }

    /// Whether two views may lie in one storage: arguments do unless they declare two.
    fn share(a: &View, b: &View) -> bool {
        match (a.root, b.root) {
            (Root::Argument(i), Root::Argument(j)) => {
                i == j || a.storage.is_none() || b.storage.is_none() || a.storage == b.storage
            }
            (a, b) => a == b,
        }
    }

    fn reads(&self) -> impl Iterator<Item = (graph::ValueOp<'c, 'a>, &View<'c, 'a>)> {
        let reads = self.ops.iter().filter_map(|op| graph::ValueOp::try_from(*op).ok());
        reads.filter_map(|read| Some((read, self.view(read.view())?)))
    }

    fn writes(&self) -> impl Iterator<Item = (graph::WriteBackOp<'c, 'a>, &View<'c, 'a>)> {
        let writes = self.ops.iter().filter_map(|op| graph::WriteBackOp::try_from(*op).ok());
        writes.filter_map(|write| Some((write, self.view(write.view())?)))
    }

    /// Refuses a function that reads what it has written: all reads are lowered to come before all writes. Values are those
    /// that are stored.
    fn check_order(&self) -> Result<(), Refused<'c, 'a>> {
        let reads = self.reads().map(|(read, view)| (read.operation(), view));
        let writes = self.writes().map(|(write, view)| (write.operation(), view));
        for (op, view) in reads.chain(writes) {
            if matches!(view.root, Root::Chosen(_)) {
                return Err((op, "is on one of several tensors: a boundary only returns these".into()));
            }
            if view.flags != [false; 2] {
                let why = "is of a view of conjugates or negatives: expects one of what is stored";
                return Err((op, why.into()));
            }
        }
        for (read, view) in self.reads() {
            let read = read.operation();
            if self.writes().any(|(w, to)| w.operation().is_before_in_block(read) && Self::share(to, view)) {
                return Err((
                    read,
                    "reads a storage that may have been written before: a boundary reads all values first"
                        .into(),
                ));
            }
        }
        Ok(())
    }

    /// Rewrites the function.
    pub fn lower(mut self) -> Result<(), Refused<'c, 'a>> {
        self.check_order()?;
        let end = *self.ops.last().ok_or((self.function, "has an empty body".to_string()))?;
        let failed = |op| {
            move |failure: Failure| match failure {
                Failure::Message(message) => (op, message),
                _ => (op, "could not be lowered".to_string()),
            }
        };
        self.lower_arguments().map_err(failed(self.function))?;
        // New buffers and views depend on nothing that is computed: where they stand first, values can be computed there.
        for op in self.ops.clone() {
            self.place(op).map_err(failed(op))?;
        }
        let mut writes = vec![];
        for (op, view) in self.writes() {
            let plan = self.plan(op, view).map_err(failed(op.operation()))?;
            writes.push(Write { op, plan });
        }
        for op in self.ops.clone() {
            self.lower_op(op, &writes).map_err(failed(op))?;
        }
        // Values in the order in which they are computed, so that one is read before what is made of it takes its memory; those that
        // are not computed before all: they may be what was read, and move before that is written over.
        let fresh = self.ops.iter().filter_map(|op| graph::FreshOp::try_from(*op).ok());
        let fresh: Vec<_> = fresh.filter(|fresh| self.waits(fresh.operation())).collect();
        let mut moves: Vec<(Value, Move)> = fresh.iter().map(|op| (op.value(), Move::Fresh(*op))).collect();
        moves.extend(writes.iter().map(|write| (write.op.value(), Move::Write(write))));
        moves.sort_by(|(a, _), (b, _)| self.computed_order(*a, *b));
        for (_, step) in moves {
            match step {
                Move::Fresh(op) => self.fill(end, op).map_err(failed(op.operation()))?,
                Move::Write(write) => self.settle(end, write).map_err(failed(write.op.operation()))?,
            }
        }
        // Memory that others read from changes last.
        for write in &writes {
            self.write(end, write).map_err(failed(write.op.operation()))?;
        }
        self.finish(end).map_err(|m| (end, m))
    }

    fn lower_arguments(&mut self) -> Result<(), Failure> {
        for i in 0..self.block.argument_count() {
            let argument: Value = self.block.argument(i).expect("counted").into();
            let context = self.context;
            let Some((_, view)) = self.views.iter_mut().find(|(v, _)| *v == argument) else { continue };
            argument.set_type(view.memref(context));
            view.buffer = Some(argument);
            if !view.places.is_known() {
                let view = view.clone();
                self.name_symbols(self.ops[0], argument, &view)?;
            }
        }
        Ok(())
    }

    /// Gives new storages and views their buffers, in front of everything.
    fn place(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let start = self.ops[0];
        if let Ok(new) = graph::NewStorageOp::try_from(op) {
            self.new_strides(start, new)?;
        }
        for result in op.results().map(Value::from) {
            let Some(view) = self.view(result).cloned() else { continue };
            if matches!(view.root, Root::Chosen(_)) {
                continue;
            }
            if let Some(own) = custom::operand_of(op, result) {
                let buffer = self.view(own).and_then(|own| own.buffer).ok_or("has no buffer")?;
                self.set_buffer(result, buffer);
                continue;
            }
            let buffer = if view.form != Form::Static {
                self.place_open(op, &view)?
            } else if matches!(view.root, Root::Fresh(at) if self.ops[at] == op) {
                self.allocate_whole(start, &view)?
            } else {
                self.seen(start, op, &view)?
            };
            self.set_buffer(result, buffer);
        }
        Ok(())
    }

    /// The buffer of what a view operation gives.
    fn seen(
        &self,
        at: OperationRef<'c, 'a>,
        op: OperationRef<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let source = self.view(op.operand(0)?).ok_or("is a view of nothing")?;
        let buffer = source.buffer.ok_or("has no buffer")?;
        if source.dtype == view.dtype {
            return self.reinterpret(at, buffer, view);
        }
        Cursor::before(at)?.op("kernel.reinterpret", &[buffer], view.memref(self.context))
    }

    fn set_buffer(&mut self, value: Value<'c, 'a>, buffer: Value<'c, 'a>) {
        if let Some((_, view)) = self.views.iter_mut().find(|(v, _)| *v == value) {
            view.buffer = Some(buffer);
        }
    }

    /// Gives what is one of several, and views of it, their buffers, where the choice is made.
    fn choose(&mut self, op: OperationRef<'c, 'a>) -> Result<(), Failure> {
        for result in op.results().map(Value::from) {
            let Some(view) = self.view(result).filter(|v| matches!(v.root, Root::Chosen(_))).cloned() else {
                continue;
            };
            let buffer = |number: usize| -> Result<Value<'c, 'a>, Failure> {
                let of = self.view(op.operand(number)?).and_then(|view| view.buffer);
                Ok(of.ok_or("has no buffer")?)
            };
            if !is_choice(op) {
                let buffer = self.seen(op, op, &view)?;
                self.set_buffer(result, buffer);
                continue;
            }
            let at = Cursor::before(op)?;
            let ty = strided(self.context, &view.places.layout(), view.dtype);
            let cast = |buffer: Value<'c, 'a>| match buffer.r#type() == ty {
                true => Ok(buffer),
                false => at.op("memref.cast", &[buffer], ty),
            };
            let operands = [op.operand(0)?, cast(buffer(1)?)?, cast(buffer(2)?)?];
            let chosen = at.op("arith.select", &operands, ty)?;
            self.set_buffer(result, chosen);
            self.name_symbols(op, chosen, &view)?;
        }
        Ok(())
    }

    fn lower_op(&mut self, op: OperationRef<'c, 'a>, writes: &[Write<'c, 'a>]) -> Result<(), Failure> {
        if let Ok(read) = graph::ValueOp::try_from(op) {
            let in_place = |write: &Write| matches!(write.plan, Plan::InPlace(r) if r.operation() == op);
            let value = self.read(op, read, writes.iter().any(in_place))?;
            replace(op, value);
            self.values.push((op, value));
        } else if let Ok(fresh) = graph::FreshOp::try_from(op) {
            if !self.waits(op) {
                self.fill(op, fresh)?;
            }
        } else if open::is_number(op) {
            self.number(op)?;
        } else if let Ok(assertion) = graph::AssertDistinctOp::try_from(op) {
            self.assert_distinct(assertion)?;
        } else if registry::of(op).is_some_and(is_called_on_values) {
            self.call_custom(op)?;
        } else {
            self.choose(op)?;
        }
        Ok(())
    }

    /// How a region may be written.
    fn plan(&self, op: graph::WriteBackOp<'c, 'a>, view: &View<'c, 'a>) -> Result<Plan<'c, 'a>, Failure> {
        let alone = self.writes().filter(|(_, to)| Self::share(to, view)).count() == 1;
        let reads: Vec<_> = self.reads().filter(|(_, from)| Self::share(from, view)).collect();
        Ok(match reads[..] {
            [(read, from)]
                if alone
                    && from.root == view.root
                    && from.places == view.places
                    && (view.form == Form::Static || from.buffer == view.buffer)
                    && from.dtype == view.dtype
                    && self.is_computed(op.value()) =>
            {
                Plan::InPlace(read)
            }
            // A new storage of a value is written once already: where it comes from.
            [] if alone && !self.has_value(view.root) => Plan::Overwritten,
            _ if view.form == Form::Static => Plan::Buffered(self.allocate(self.ops[0], view)?),
            _ => Plan::Buffered(self.allocate_open(op.operation(), view)?),
        })
    }

    /// Whether a storage begins with a value.
    fn has_value(&self, root: Root) -> bool {
        matches!(root, Root::Fresh(at) if graph::FreshOp::try_from(self.ops[at]).is_ok())
    }

    /// The elements of a view as a builtin tensor, which may be written over where `writable`.
    fn read(
        &self,
        at: OperationRef<'c, 'a>,
        read: graph::ValueOp<'c, 'a>,
        writable: bool,
    ) -> Result<Value<'c, 'a>, Failure> {
        let view = self.view(read.view()).expect("collected");
        let at = Cursor::before(at)?;
        let names = if writable { &["restrict", "writable"][..] } else { &["restrict"] };
        let attributes: Vec<_> =
            names.iter().map(|name| at.named(name, Attribute::unit(self.context))).collect();
        let ty = tensor(self.context, &view.places.sizes, view.dtype);
        let buffer = view.buffer.expect("placed");
        at.with("bufferization.to_tensor", &[buffer], ty, &attributes)
    }

    /// Whether the value of a new storage is put there at the end: nothing looks at the storage before.
    fn waits(&self, op: OperationRef<'c, 'a>) -> bool {
        graph::FreshOp::try_from(op).is_ok()
            && !self.ops.iter().any(|op| registry::of(*op).is_some_and(is_called_on_values))
            && !self.ops.iter().any(|op| open::is_number(*op))
    }

    /// Puts the value of a new storage there.
    fn fill(&self, at: OperationRef<'c, 'a>, fresh: graph::FreshOp<'c, 'a>) -> Result<(), Failure> {
        let view = self.view(fresh.operation().result(0)?.into());
        let buffer = view.and_then(|v| v.buffer).expect("placed");
        if name(buffer) == Some(TO_BUFFER) { Ok(()) } else { self.compute_into(at, fresh.value(), buffer) }
    }

    /// What a value is returned as by the core.
    fn in_core(&self, value: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        let result = OperationResult::try_from(value).ok()?;
        let callee = FlatSymbolRefAttribute::try_from(result.owner().attribute("callee").ok()?).ok()?;
        let end = self.sibling(callee.value())?.region(0).ok()?.first_block()?.terminator()?;
        definition(end.operand(result.result_number()).ok()?)
    }

    /// Which of two values is computed first; those that are not computed are there before.
    fn computed_order(&self, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Ordering {
        let computed = |value| self.in_core(value).filter(|op| name_of(*op).starts_with("loop."));
        match (computed(a), computed(b)) {
            (Some(a), Some(b)) if a == b => Ordering::Equal,
            (Some(a), Some(b)) if a.is_before_in_block(b) => Ordering::Less,
            (Some(_), Some(_)) => Ordering::Greater,
            (a, b) => a.is_some().cmp(&b.is_some()),
        }
    }

    /// Whether a value is a result of the core that a loop operation computes there: not something that was read.
    fn is_computed(&self, value: Value<'c, 'a>) -> bool {
        self.in_core(value).is_some_and(|op| name_of(op).starts_with("loop."))
    }

    /// Whether the core returns a value at one place only, so that no other result is the same one.
    fn is_returned_once(&self, value: Value<'c, 'a>) -> bool {
        let own = |op: OperationRef<'c, 'a>| op.block().and_then(|block| block.terminator());
        let Some((op, result)) = self.in_core(value).zip(OperationResult::try_from(value).ok()) else {
            return false;
        };
        own(op).is_some_and(|end| {
            let returned = end.operand(result.result_number()).ok();
            end.operands().filter(|operand| Some(*operand) == returned).count() == 1
        })
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

    /// Brings the value of a write to its place, or where it waits for its turn.
    fn settle(&self, at: OperationRef<'c, 'a>, write: &Write<'c, 'a>) -> Result<(), Failure> {
        let value = write.op.value();
        match write.plan {
            Plan::InPlace(read) => {
                // As tensors, so that bufferization sees who still reads what stands there.
                let old = self.values.iter().find(|(op, _)| *op == read.operation()).expect("lowered").1;
                let new = Cursor::before(at)?.op(MATERIALIZE, &[value, old], old.r#type())?;
                unsafe { mlirOperationSetOperand(write.op.operation().to_raw(), 0, new.to_raw()) }
                Ok(())
            }
            Plan::Overwritten => self.compute_into(at, value, self.target(write)),
            Plan::Buffered(buffer) => self.compute_into(at, value, buffer),
        }
    }

    /// Changes memory that others read from.
    fn write(&self, end: OperationRef<'c, 'a>, write: &Write<'c, 'a>) -> Result<(), Failure> {
        let buffer = self.target(write);
        let at = Cursor::before(end)?;
        let writable = [at.named("writable", Attribute::unit(self.context))];
        match write.plan {
            // Folds away where the new value stands there already.
            Plan::InPlace(_) => at.build(MATERIALIZE, &[write.op.value(), buffer], &[], &writable, vec![]),
            Plan::Buffered(from) => at.build("memref.copy", &[from, buffer], &[], &[], vec![]),
            Plan::Overwritten => return Ok(()),
        }
        .map(drop)
    }

    fn target(&self, write: &Write<'c, 'a>) -> Value<'c, 'a> {
        self.view(write.op.view()).and_then(|v| v.buffer).expect("placed")
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
                for (set, flag) in view.flags.into_iter().zip(["graph.conj", "graph.neg"]) {
                    if set {
                        fact.push((named(flag), Attribute::unit(self.context)));
                    }
                }
                fact.extend(self.object(&returned, i)?);
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
                || graph::AssertDistinctOp::try_from(**op).is_ok()
                || registry::of(**op).is_some_and(is_called_on_values)
                || open::is_number(**op)
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

/// Whether an operation says which of two tensors is meant.
fn is_choice(op: OperationRef) -> bool {
    name_of(op) == "arith.select" && op.results().any(|result| is_graph_tensor(result.r#type()))
}

/// The name of the operation that makes a value.
fn name<'c>(value: Value<'c, '_>) -> Option<&'c str> {
    definition(value).map(name_of)
}

/// A graph tensor that machine code on this machine has.
fn cpu_tensor(ty: Type) -> Result<TensorType, String> {
    let tensor = TensorType::of(ty).ok_or_else(|| format!("{ty} has no dtype"))?;
    if tensor.device.is_some() {
        return Err(format!("{ty}: only tensors on the CPU are lowered"));
    }
    Ok(tensor)
}
