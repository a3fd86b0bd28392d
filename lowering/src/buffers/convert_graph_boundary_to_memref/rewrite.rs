//! One function: what stands in its boundary, and what it becomes.

mod build;
mod collect;
mod custom;
mod guards;
mod moves;
mod objects;
mod open;
mod resizing;
mod sharing;
pub(super) mod state;

use super::{
    types::{strided, tensor},
    words::Services,
};
use build::replace;
pub(super) use build::{dictionaries, drop_graph_attributes};
use melior::ir::{
    Attribute, Identifier, OperationRef, RegionLike, Type, Value, ValueLike,
    attribute::{IntegerAttribute, TypeAttribute},
    r#type::FunctionType,
};
use moves::{Move, Plan, Write, computed_order};
pub(crate) use resizing::RESIZE_STORAGE;
use sharing::{Accesses, Sharing};
use state::{Boundary, Form, Refused, Root, View, is_choice};
use std::collections::{HashMap, HashSet};
use terrace_dialects::{
    internal,
    ir::{
        BlockLike, OperationLike, attributes as convert,
        cursor::Cursor,
        dtype::ElementType,
        operations::{key, name_of},
        pass::Failure,
        registry,
        rewrite::{erase, set_attribute, set_operand, set_operands},
        types::is_graph_tensor,
    },
    ops::graph,
};
use terrace_passes::graph::functionalize::is_called_on_values;

impl<'c, 'a> Boundary<'c, 'a> {
    /// Reads the function; an error where it holds what a boundary does not.
    /// `named` has the functions of the module.
    pub fn of(
        function: OperationRef<'c, 'a>,
        named: &HashMap<String, OperationRef<'c, 'a>>,
    ) -> Result<Self, Refused<'c, 'a>> {
        let context = terrace_dialects::ir::context::of(function.context());
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
        let (returns, times_returned) = returns(&ops, named);
        let mut boundary = Self {
            function,
            block,
            context,
            ops,
            views: HashMap::new(),
            values: HashMap::new(),
            waits: true,
            symbols: HashMap::new(),
            returns,
            times_returned,
        };
        boundary.collect()?;
        let looks = |op: &OperationRef<'c, 'a>| {
            registry::of(*op).is_some_and(is_called_on_values) || open::is_number(*op)
        };
        boundary.waits = !boundary.ops.iter().any(looks);
        Ok(boundary)
    }

    /// Refuses a function that reads what it has written: all reads are lowered to come before all writes.
    /// Values are those that are stored.
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
        let mut written = Sharing::new();
        for op in &self.ops {
            if let Ok(write) = graph::WriteBackOp::try_from(*op)
                && let Some(view) = self.view(write.view())
            {
                written.add(view, ());
            }
            let read = graph::ValueOp::try_from(*op).ok().and_then(|read| self.view(read.view()));
            if read.is_some_and(|view| written.with(view).next().is_some()) {
                let why =
                    "reads a storage that may have been written before: a boundary reads all values first";
                return Err((*op, why.into()));
            }
        }
        Ok(())
    }

    /// Rewrites the function.
    pub fn lower(mut self, services: &mut Services) -> Result<(), Refused<'c, 'a>> {
        self.check_order()?;
        let end = *self.ops.last().ok_or((self.function, "has an empty body".to_string()))?;
        let failed = |op| {
            move |failure: Failure| match failure {
                Failure::Message(message) => (op, message),
                _ => (op, "could not be lowered".to_string()),
            }
        };
        self.lower_arguments().map_err(failed(self.function))?;
        // New buffers and views depend on nothing that is computed: where they stand first, values can be
        // computed there.
        for op in self.ops.clone() {
            self.place(op, services).map_err(failed(op))?;
        }
        let mut writes = vec![];
        let accesses = Accesses::of(&self);
        for (op, view) in self.writes() {
            let plan = self.plan(op, view, &accesses).map_err(failed(op.operation()))?;
            writes.push(Write { op, plan });
        }
        let in_place = writes.iter().filter_map(|write| match write.plan {
            Plan::InPlace(read) => Some(key(read.operation().result_at(0).ok()?)),
            _ => None,
        });
        let in_place: HashSet<usize> = in_place.collect();
        for op in self.ops.clone() {
            self.lower_op(op, &in_place, services).map_err(failed(op))?;
        }
        // Values in the order in which they are computed, so that one is read before what is made of it takes
        // its memory; those that are not computed before all: they may be what was read, and move before that
        // is written over.
        let fresh = self.ops.iter().filter_map(|op| graph::FreshOp::try_from(*op).ok());
        let fresh: Vec<_> = fresh.filter(|_| self.waits).collect();
        let mut moves: Vec<_> =
            fresh.iter().map(|op| (self.computed(op.value()), Move::Fresh(*op))).collect();
        moves.extend(writes.iter().map(|write| (self.computed(write.op.value()), Move::Write(write))));
        moves.sort_by(|(a, _), (b, _)| computed_order(*a, *b));
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
        self.finish(end).map_err(failed(end))
    }

    fn lower_arguments(&mut self) -> Result<(), Failure> {
        for i in 0..self.block.argument_count() {
            let argument: Value = self.block.argument(i).expect("counted").into();
            let context = self.context;
            let Some(view) = self.views.get_mut(&key(argument)) else { continue };
            argument.set_type(view.memref(context));
            view.buffer = Some(argument);
            if !view.places.is_known() {
                let view = view.clone();
                self.name_symbols(self.ops[0], argument, &view)?;
            }
        }
        Ok(())
    }

    /// Behind all guards: a call that is refused has allocated nothing.
    fn start(&self) -> OperationRef<'c, 'a> {
        let guard = self.ops.iter().rposition(|op| graph::GuardOp::try_from(*op).is_ok());
        self.ops[guard.map_or(0, |at| at + 1)]
    }

    /// Gives new storages and views their buffers, in front of everything but guards.
    fn place(&mut self, op: OperationRef<'c, 'a>, services: &mut Services) -> Result<(), Failure> {
        let start = self.start();
        // What it has less in the end comes where it stands.
        if let Ok(resize) = graph::ResizeStorageOp::try_from(op)
            && resize.at_least().is_some()
        {
            self.resize(start, resize)?;
        }
        if let Ok(assert) = graph::AssertStorageOp::try_from(op) {
            self.assert_storage(start, assert, services)?;
        }
        for result in op.results().map(Value::from) {
            let Some(view) = self.view(result).cloned() else { continue };
            if matches!(view.root, Root::Chosen(_)) {
                continue;
            }
            if let Some(own) = custom::operand_of(op, result) {
                let buffer = self.view(own).and_then(|own| own.buffer).ok_or(internal!("has no buffer"))?;
                self.set_buffer(result, buffer);
                continue;
            }
            let buffer = if view.form != Form::Static {
                self.place_open(op, &view)?
            } else if matches!(view.root, Root::Fresh(at) if self.ops[at] == op) {
                self.allocate_whole(start, &view)?
            } else {
                self.view_buffer(start, op, &view)?
            };
            self.set_buffer(result, buffer);
        }
        Ok(())
    }

    /// The buffer of what a view operation gives.
    fn view_buffer(
        &self,
        at: OperationRef<'c, 'a>,
        op: OperationRef<'c, 'a>,
        view: &View<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let source = self.view(op.operand(0)?).ok_or(internal!("is a view of nothing"))?;
        let buffer = source.buffer.ok_or(internal!("has no buffer"))?;
        if open::is_cast(op) {
            return Cursor::before(at)?.op("memref.cast", &[buffer], view.memref(self.context));
        }
        if source.dtype == view.dtype {
            return self.reinterpret(at, buffer, view);
        }
        Cursor::before(at)?.op("kernel.reinterpret", &[buffer], view.memref(self.context))
    }

    fn set_buffer(&mut self, value: Value<'c, 'a>, buffer: Value<'c, 'a>) {
        if let Some(view) = self.views.get_mut(&key(value)) {
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
                Ok(of.ok_or(internal!("has no buffer"))?)
            };
            if !is_choice(op) {
                let buffer = self.view_buffer(op, op, &view)?;
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

    fn lower_op(
        &mut self,
        op: OperationRef<'c, 'a>,
        in_place: &HashSet<usize>,
        services: &mut Services,
    ) -> Result<(), Failure> {
        if let Ok(read) = graph::ValueOp::try_from(op) {
            let writable = in_place.contains(&key(op.result_at(0)?));
            let value = self.read(op, read, writable)?;
            replace(op, value);
            self.values.insert(op.to_raw().ptr as usize, value);
        } else if let Ok(fresh) = graph::FreshOp::try_from(op) {
            if !self.waits {
                self.fill(op, fresh)?;
            }
        } else if open::is_number(op) {
            self.number(op)?;
        } else if let Ok(resize) = graph::ResizeStorageOp::try_from(op) {
            if resize.at_least().is_none() {
                self.resize(op, resize)?;
            }
        } else if let Ok(assertion) = graph::AssertDistinctOp::try_from(op) {
            self.assert_distinct(assertion, services)?;
        } else if let Ok(check) = graph::CheckStorageOp::try_from(op) {
            self.check_storage(check, services)?;
        } else if guards::is_test(op) {
            self.test(op, services)?;
        } else if graph::AssertStorageOp::try_from(op).is_ok() {
            // Stands in front of everything.
        } else if registry::of(op).is_some_and(is_called_on_values) {
            self.call_custom(op)?;
        } else {
            self.choose(op)?;
        }
        Ok(())
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

    /// Returns buffers, says what results are, and takes the graph operations out.
    fn finish(&mut self, end: OperationRef<'c, 'a>) -> Result<(), Failure> {
        let returned: Vec<Value> = end.operands().collect();
        let (mut said, same) = (vec![], self.same_as(&returned));
        for (i, value) in returned.iter().enumerate() {
            let mut own = vec![];
            if let Some(view) = self.view(*value) {
                let named = |name: &str| Identifier::new(self.context, name);
                let dtype = TypeAttribute::new(view.dtype.to_type(self.context));
                own.push((named("graph.dtype"), Attribute::from(dtype)));
                for (set, flag) in view.flags.into_iter().zip(["graph.conj", "graph.neg"]) {
                    if set {
                        own.push((named(flag), Attribute::unit(self.context)));
                    }
                }
                own.extend(same[i]);
                let buffer = view.buffer.ok_or(internal!("returns a view of an unknown storage"))?;
                set_operand(end, i, buffer);
            }
            said.push(own);
        }
        let objects = self.objects(end, &returned)?;
        if !objects.is_empty() {
            let mut operands: Vec<Value> = end.operands().collect();
            for (result, number) in objects {
                let of = IntegerAttribute::new(Type::index(self.context), result as i64).into();
                said.push(vec![(Identifier::new(self.context, "graph.object_of"), of)]);
                operands.push(number);
            }
            set_operands(end, &operands);
        }
        let types: Vec<Type> = end.operands().map(|v| v.r#type()).collect();
        let inputs: Vec<Type> = (0..self.block.argument_count())
            .map(|i| self.block.argument(i).expect("counted").r#type())
            .collect();
        let function = FunctionType::new(self.context, &inputs, &types);
        set_attribute(self.function, "function_type", TypeAttribute::new(function.into()).into());
        if said.iter().any(|f| !f.is_empty()) {
            set_attribute(self.function, "res_attrs", dictionaries(self.context, &said));
        }
        drop_graph_attributes(self.function, self.context);
        self.declare_disjoint();
        let graph_ops = self.ops.iter().rev().filter(|op| {
            op.results().any(|r| is_graph_tensor(r.r#type()))
                || graph::WriteBackOp::try_from(**op).is_ok()
                || graph::ValueOp::try_from(**op).is_ok()
                || graph::AssertDistinctOp::try_from(**op).is_ok()
                || graph::AssertStorageOp::try_from(**op).is_ok()
                || graph::CheckStorageOp::try_from(**op).is_ok()
                || guards::is_test(**op)
                || graph::ResizeStorageOp::try_from(**op).is_ok()
                || registry::of(**op).is_some_and(is_called_on_values)
                || open::is_number(**op)
        });
        for op in graph_ops {
            erase(*op);
        }
        Ok(())
    }

    fn argument(&self, index: usize) -> Value<'c, 'a> {
        self.block.argument(index).expect("an argument").into()
    }
}

/// What the cores that are called return, by the calls, and how often each value.
fn returns<'c, 'a>(
    ops: &[OperationRef<'c, 'a>],
    named: &HashMap<String, OperationRef<'c, 'a>>,
) -> (HashMap<usize, OperationRef<'c, 'a>>, HashMap<usize, usize>) {
    let (mut returns, mut times, mut seen) = (HashMap::new(), HashMap::new(), HashSet::new());
    for call in ops.iter().filter(|op| name_of(**op) == "func.call") {
        let callee = call.attribute("callee").ok().and_then(|callee| named.get(&convert::symbol(callee)));
        let block = callee.and_then(|core| core.region(0).ok()?.first_block());
        let Some(end) = block.and_then(|block| block.terminator()) else { continue };
        returns.insert(call.to_raw().ptr as usize, end);
        if seen.insert(end.to_raw().ptr as usize) {
            end.operands().for_each(|value| *times.entry(key(value)).or_default() += 1);
        }
    }
    (returns, times)
}
