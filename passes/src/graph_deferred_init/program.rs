//! A function, operation by operation: what each does to storages and to the generator.
//!
//! Operations have numbers in the order of the text, each before what is inside of it. Storages that may be one, as arguments that
//! name none, are one *class*. A write that stands in the block of the function and certainly overwrites all of a storage
//! *ends* it: no earlier write matters to later reads.

use super::flow::{Form, form};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, Type, TypeLike, Value, ValueLike, operation::OperationLike,
};
use mlir_sys::{
    mlirTypeIsAComplex, mlirTypeIsAFloat, mlirTypeIsAIndex, mlirTypeIsAInteger, mlirTypeIsATensor,
};
use rustc_hash::FxHashMap;
use terrace_dialects::{
    args::Facts,
    attributes as convert,
    bridge::{self, On, Touch},
    cursor::V,
    custom,
    fake::{Fake, Origin, State},
    operations::name_of,
    ops::graph,
    placement::{self, Strides},
    registry::{self, OpImpl},
    size::Size,
    strided::Layout,
    types::is_graph_tensor,
};

/// Tells values apart.
pub fn key<'c>(value: impl ValueLike<'c>) -> usize {
    value.to_raw().ptr as usize
}

/// An operation.
pub struct Op<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub form: Form,
    /// Its entry, where it is one of ours.
    pub class: Option<&'static OpImpl>,
    /// The number of its block.
    pub block: usize,
    /// The number, among those of the function's own block, of the one that it is in or is; 0 in functions of several blocks.
    pub top: usize,
    /// The operation that it is inside of; None in the function's own blocks.
    pub parent: Option<usize>,
    /// The blocks inside, by region.
    pub regions: Vec<Vec<usize>>,
    /// The classes whose elements it reads, and those of which it writes some; what is inside counts for itself.
    pub reads: Vec<usize>,
    pub writes: Vec<usize>,
    /// Whether it ends the class that it writes.
    pub ends: bool,
    /// Which results are new tensors.
    pub makes: Vec<bool>,
    /// The operands that its results are, where they are operands that it writes.
    pub forwards: Vec<Option<usize>>,
    /// How many operations draw in it; None where that is known when the program runs.
    pub draws: Option<u64>,
    /// How many, of those that are known, draw before it in its block.
    pub drawn_before: u64,
}

impl Op<'_, '_> {
    /// Whether a result is a new tensor whose storage is as large as its layout asks for.
    pub fn can_be_fake(&self, result: usize) -> bool {
        let unknown = ["graph.copy", "graph.custom"];
        let known = |class: &'static OpImpl| {
            placement::strides(class) != Strides::Whole && !unknown.contains(&class.name)
        };
        self.makes[result] && self.class.is_some_and(known)
    }

    /// Whether it changes the sizes, strides or storage of a tensor object.
    pub fn changes_object(&self) -> bool {
        self.class.is_some_and(changes_object)
    }
}

/// Whether operations of a class change the sizes, strides or storage of a tensor object.
pub fn changes_object(class: &OpImpl) -> bool {
    class.dialect == "graph" && class.verify.is_some() && class.is_in_place()
}

/// A block.
pub struct Block<'c, 'a> {
    pub block: BlockRef<'c, 'a>,
    /// The operation around it; None of the function's own.
    pub parent: Option<usize>,
    /// Its terminator.
    pub end: Option<usize>,
    /// How many operations draw in it, of those that are known.
    pub drawn: u64,
    /// The blocks that may come before it.
    pub before: Vec<usize>,
}

/// Where a value comes from.
#[derive(Clone, Copy)]
pub enum Definition {
    Argument { block: usize, number: usize },
    Result { op: usize, number: usize },
}

/// Storages that may be one.
#[derive(Default)]
pub struct Class {
    /// Whether an argument's is among them.
    pub of_argument: bool,
    /// The operation of the function's own block in which it is made first; 0 of an argument's.
    pub made: usize,
    /// The operations that write it, in order.
    pub writes: Vec<usize>,
    /// The operations that make its storages.
    pub makers: Vec<usize>,
    /// The new tensor, where there is one, which is made once.
    pub new: Option<(usize, usize)>,
    /// The operations by which a storage may grow.
    pub grows: Vec<usize>,
    storages: usize,
}

/// A function.
pub struct Program<'c, 'a> {
    pub function: OperationRef<'c, 'a>,
    pub state: State<'c>,
    pub ops: Vec<Op<'c, 'a>>,
    pub blocks: Vec<Block<'c, 'a>>,
    /// Its own blocks.
    pub own: Vec<usize>,
    pub definitions: FxHashMap<usize, Definition>,
    /// The numbers of blocks, by their addresses.
    pub addresses: FxHashMap<usize, usize>,
    /// The results of operations.
    pub values: FxHashMap<usize, V<'c, 'a>>,
    pub classes: Vec<Class>,
    class_of: Vec<usize>,
    /// The operations of which it is not known how often they draw.
    pub dynamic: Vec<usize>,
    /// The top of the last operation that may touch anything.
    pub barrier: Option<usize>,
    functions: &'a FxHashMap<String, OperationRef<'c, 'a>>,
}

impl<'c, 'a> Program<'c, 'a> {
    /// A function that was followed.
    pub fn new(
        function: OperationRef<'c, 'a>,
        state: State<'c>,
        functions: &'a FxHashMap<String, OperationRef<'c, 'a>>,
    ) -> Self {
        let mut program = Self {
            function,
            state,
            ops: vec![],
            blocks: vec![],
            own: vec![],
            definitions: FxHashMap::default(),
            addresses: FxHashMap::default(),
            values: FxHashMap::default(),
            classes: vec![],
            class_of: vec![],
            dynamic: vec![],
            barrier: None,
            functions,
        };
        program.classify();
        program.own = program.region(function, 0, None, None);
        let mut made = FxHashMap::default();
        for (number, op) in program.ops.iter().enumerate() {
            made.insert(op.op.to_raw().ptr as usize, number);
        }
        program.storages(&made);
        program.dynamic.sort_unstable();
        program
    }

    /// Whether the blocks of the function are several, so that there is no order among its operations.
    pub fn has_blocks(&self) -> bool {
        self.own.len() > 1
    }

    /// Whether an operation may run more or less than once.
    pub fn is_inside(&self, op: usize) -> bool {
        self.has_blocks() || self.ops[op].parent.is_some()
    }

    /// The arguments of the function.
    pub fn arguments(&self) -> Vec<V<'c, 'a>> {
        terrace_dialects::operations::arguments(self.blocks[self.own[0]].block).collect()
    }

    /// What the function returns, at each of its ends.
    pub fn returns(&self) -> impl Iterator<Item = OperationRef<'c, 'a>> + '_ {
        let ends = self.own.iter().filter_map(|block| self.blocks[*block].end);
        ends.map(|end| self.ops[end].op).filter(|op| name_of(*op) == "func.return")
    }

    /// Whether anything draws.
    pub fn draws(&self) -> bool {
        !self.dynamic.is_empty() || self.own.iter().any(|block| self.blocks[*block].drawn > 0)
    }

    /// The classes that a tensor may be in.
    pub fn classes_of(&self, value: Value<'c, '_>) -> Vec<usize> {
        let mut all = self.state.fake(value).map_or(vec![], |fake| self.classes_of_fake(fake));
        all.dedup();
        all
    }

    fn classes_of_fake(&self, fake: &Fake) -> Vec<usize> {
        fake.storages.iter().map(|storage| self.class_of[*storage]).collect()
    }

    /// Arguments that name no storage may share any argument's.
    fn classify(&mut self) {
        let origins: Vec<&Origin> = self.state.storages.iter().map(|storage| &storage.origin).collect();
        let unnamed = origins.iter().any(|origin| matches!(origin, Origin::Argument(None)));
        let mut shared = None;
        for origin in origins {
            let of_argument = matches!(origin, Origin::Argument(_));
            let class = match shared.filter(|_| of_argument && unnamed) {
                Some(class) => class,
                None => {
                    self.classes.push(Class { of_argument, made: usize::MAX, ..Class::default() });
                    self.classes.len() - 1
                }
            };
            if of_argument {
                self.classes[class].made = 0;
                shared = Some(class);
            }
            self.classes[class].storages += 1;
            self.class_of.push(class);
        }
    }

    /// Takes in the blocks of a region, with what is inside.
    fn region(
        &mut self,
        op: OperationRef<'c, 'a>,
        region: usize,
        parent: Option<usize>,
        top: Option<usize>,
    ) -> Vec<usize> {
        let first = op.region(region).ok().and_then(|region| region.first_block());
        let blocks: Vec<BlockRef> = std::iter::successors(first, |block| block.next_in_region()).collect();
        let start = self.blocks.len();
        for block in &blocks {
            let number = self.blocks.len();
            self.addresses.insert(block.to_raw().ptr as usize, number);
            for (place, argument) in terrace_dialects::operations::arguments(*block).enumerate() {
                self.definitions.insert(key(argument), Definition::Argument { block: number, number: place });
            }
            self.blocks.push(Block { block: *block, parent, end: None, drawn: 0, before: vec![] });
        }
        let top = if parent.is_none() && blocks.len() > 1 { Some(0) } else { top };
        for (place, block) in blocks.iter().enumerate() {
            let ops = std::iter::successors(block.first_operation(), |op| op.next_in_block());
            for (at, op) in ops.enumerate() {
                self.take(op, start + place, parent, top.unwrap_or(at));
            }
            let end = self.blocks[start + place].end.map(|end| self.ops[end].op);
            for successor in end.iter().flat_map(|end| super::flow::successors(*end)) {
                if let Some(successor) = self.addresses.get(&successor) {
                    self.blocks[*successor].before.push(start + place);
                }
            }
        }
        (start..start + blocks.len()).collect()
    }

    fn take(&mut self, op: OperationRef<'c, 'a>, block: usize, parent: Option<usize>, top: usize) {
        let number = self.ops.len();
        let class = registry::of(op);
        for (place, result) in op.results().enumerate() {
            self.definitions.insert(key(result), Definition::Result { op: number, number: place });
            self.values.insert(key(result), result.into());
        }
        let makes =
            op.results().map(|result| self.state.storage_of(0, result.into()).is_some()).collect::<Vec<_>>();
        let makes = if class.is_some_and(changes_object) { vec![false; makes.len()] } else { makes };
        let (touches, draws) = self.touches(op, class, &makes);
        self.ops.push(Op {
            op,
            form: touches.form,
            class,
            block,
            top,
            parent,
            regions: vec![],
            reads: touches.reads,
            writes: touches.writes,
            ends: touches.overwrites,
            makes,
            forwards: class.map(|class| self.forwards(op, class)).unwrap_or_default(),
            draws,
            drawn_before: self.blocks[block].drawn,
        });
        if touches.form == Form::End {
            self.blocks[block].end = Some(number);
        }
        if touches.form == Form::Barrier {
            self.barrier = Some(self.barrier.map_or(top, |before| before.max(top)));
        }
        for region in 0..op.region_count() {
            let blocks = self.region(op, region, Some(number), Some(top));
            self.ops[number].regions.push(blocks);
        }
        if touches.form.has_regions() {
            self.ops[number].draws = self.drawn_in(number);
        }
        match self.ops[number].draws {
            Some(count) => self.blocks[block].drawn = self.blocks[block].drawn.saturating_add(count),
            None => self.dynamic.push(number),
        }
    }

    /// The operands that results are: of an in-place operation the first one as it was, of a custom operator those of its schema.
    fn forwards(&self, op: OperationRef<'c, 'a>, class: &OpImpl) -> Vec<Option<usize>> {
        let mut forwards = vec![None; op.result_count()];
        if let Ok(own) = graph::CustomOp::try_from(op) {
            let Ok(Some(schema)) = custom::schema(&own) else { return forwards };
            let Ok(places) = custom::operands(&own, &schema) else { return forwards };
            for (forward, described) in forwards.iter_mut().zip(&schema.results) {
                let argument = custom::written_as(&schema, described);
                *forward = argument.and_then(|argument| places[argument].first().copied());
            }
        } else if class.dialect == "graph" && class.is_in_place() && !changes_object(class) {
            let identity = |value: V<'c, 'a>| Some(self.state.fake(value)?.identity);
            if let (Ok(result), Ok(own)) = (op.result(0), op.operand(0))
                && identity(result.into()) == identity(own)
            {
                forwards[0] = Some(0);
            }
        }
        forwards
    }

    /// The operand that a value is.
    pub fn forwarded(&self, value: V<'c, 'a>) -> Option<V<'c, 'a>> {
        match self.definitions.get(&key(value)) {
            Some(Definition::Result { op, number }) => {
                self.ops[*op].op.operand((*self.ops[*op].forwards.get(*number)?)?).ok()
            }
            _ => None,
        }
    }

    /// What an operation by itself reads and writes, and how often it draws.
    fn touches(
        &self,
        op: OperationRef<'c, 'a>,
        class: Option<&'static OpImpl>,
        makes: &[bool],
    ) -> (Touches, Option<u64>) {
        let mut touches = Touches { form: form(op), reads: vec![], writes: vec![], overwrites: false };
        let tensors: Vec<V> = op.operands().filter(|value| is_graph_tensor(value.r#type())).collect();
        let all = |values: &[V<'c, 'a>]| values.iter().flat_map(|value| self.classes_of(*value)).collect();
        match touches.form {
            Form::Call => {
                let inside = self.called(op, "callee");
                if inside.barrier {
                    touches.form = Form::Barrier;
                    return (touches, None);
                }
                (touches.reads, touches.writes) = (all(&tensors), all(&tensors));
                return (touches, if inside.draws { None } else { Some(0) });
            }
            Form::Plain => {}
            _ => return (touches, Some(0)),
        }
        let own = class.filter(|class| class.dialect == "graph");
        // Operators that copy or not declare nothing.
        let Some(effects) = bridge::memory_effects(op).or_else(|| own.map(|_| vec![])) else {
            touches.form = Form::Barrier;
            return (touches, None);
        };
        let (mut allocates, mut drawn, mut both) = (false, false, vec![]);
        for (touch, on) in effects {
            let operand = match on {
                On::Generator => {
                    drawn = true;
                    continue;
                }
                On::Operand(number) => op.operand(number).ok(),
                On::Result(number) => op.result(number).ok().map(Value::from),
                On::Anything => None,
            };
            if operand.is_some_and(|value| is_value(value.r#type())) {
                continue;
            }
            let Some(value) = operand.filter(|value| is_graph_tensor(value.r#type())) else {
                touches.form = Form::Barrier;
                continue;
            };
            match touch {
                Touch::Read => {
                    both.push(key(value));
                    touches.reads.extend(self.classes_of(value));
                }
                Touch::Write => {
                    touches.overwrites = touches.writes.is_empty() && !both.contains(&key(value));
                    touches.writes.extend(self.classes_of(value));
                }
                Touch::Allocate => allocates = true,
                Touch::Other => touches.form = Form::Barrier,
            }
        }
        if touches.form == Form::Barrier {
            return (touches, None);
        }
        let Some(class) = own else { return (touches, Some(0)) };
        if changes_object(class) {
            // Elements stay; the storage may grow.
            touches.reads.clear();
            touches.writes.clear();
            let may_grow = ["graph.resize_", "graph.resize_as_"].contains(&class.name)
                || class.name == "graph.set_" && op.attribute("size").is_ok();
            if may_grow {
                touches.writes =
                    op.result(0).map(|result| self.classes_of(result.into())).unwrap_or_default();
            }
            touches.overwrites = false;
        } else if !allocates && makes.contains(&true) {
            // A copy where it could have been a view.
            touches.reads = all(&tensors);
        }
        let draws = match class.name {
            "graph.custom" => {
                if self.called(op, "callee").draws {
                    None
                } else {
                    Some(0)
                }
            }
            "graph.skip_draws" => {
                op.attribute("count").ok().and_then(|count| u64::try_from(convert::i64(count)).ok())
            }
            "graph.generator_state" | "graph.set_generator_state" => None,
            _ => self.draws_of(op, class, drawn),
        };
        (touches, draws)
    }

    /// How often an operator of graph draws: once, but for dropout that leaves its operand alone.
    fn draws_of(&self, op: OperationRef<'c, 'a>, class: &OpImpl, declared: bool) -> Option<u64> {
        let dropout = class.rule.ends_with("dropout");
        if !dropout {
            return Some(u64::from(declared));
        }
        let p = op.attribute("p").map_or(0.5, convert::f64);
        let trains = op.attribute("train").map_or(true, convert::bool);
        if !trains || class.rule == "dropout" && (p == 0.0 || p == 1.0) {
            return Some(0);
        }
        let sizes = &self.state.fake(op.operand(0).ok()?)?.known.layout.sizes;
        let known = sizes.iter().map(|size| size.known()).collect::<Vec<_>>();
        if known.contains(&Some(0)) {
            return Some(0);
        }
        if known.contains(&None) { None } else { Some(1) }
    }

    /// What there is in a function that is called.
    fn called(&self, op: OperationRef<'c, 'a>, attribute: &str) -> Inside {
        let name = op.attribute(attribute).map(convert::symbol).unwrap_or_default();
        let mut inside = Inside::default();
        let mut seen = vec![name];
        let mut next = 0;
        while let Some(name) = seen.get(next).cloned() {
            next += 1;
            let Some(function) = self.functions.get(&name) else { continue };
            for op in terrace_dialects::operations::collect(*function, |_| true) {
                match form(op) {
                    Form::Call => {
                        let name = op.attribute("callee").map(convert::symbol).unwrap_or_default();
                        if !seen.contains(&name) {
                            seen.push(name);
                        }
                    }
                    Form::Plain if op.to_raw().ptr != function.to_raw().ptr => {
                        let effects = bridge::memory_effects(op);
                        let graph = registry::of(op).filter(|class| class.dialect == "graph");
                        let drops = graph.is_some_and(|class| class.rule.ends_with("dropout"));
                        inside.draws |= drops || effects.iter().flatten().any(|(_, on)| *on == On::Generator);
                        let is_known = |ty: Type| is_graph_tensor(ty) || is_value(ty);
                        let unknown = |(_, on): &(Touch, On)| match *on {
                            On::Operand(n) => op.operand(n).is_ok_and(|value| !is_known(value.r#type())),
                            On::Result(n) => op.result(n).is_ok_and(|value| !is_known(value.r#type())),
                            On::Generator => false,
                            On::Anything => true,
                        };
                        inside.barrier |= match effects {
                            Some(effects) => effects.iter().any(unknown),
                            None => graph.is_none(),
                        };
                    }
                    _ => {}
                }
            }
        }
        inside
    }

    /// How often what is inside of an operation draws.
    fn drawn_in(&self, op: usize) -> Option<u64> {
        let Op { form, regions, op, .. } = &self.ops[op];
        // Those of which it is not known were added to `dynamic` last.
        let first = *regions.iter().flatten().min()?;
        if self.dynamic.iter().rev().take_while(|op| self.ops[**op].block >= first).count() > 0 {
            return None;
        }
        let drawn = |region: &Vec<usize>| {
            region.iter().map(|block| self.blocks[*block].drawn).fold(0, u64::saturating_add)
        };
        let all: Vec<u64> = regions.iter().map(drawn).collect();
        match form {
            _ if all.iter().all(|count| *count == 0) => Some(0),
            Form::If => (all[0] == all[1]).then_some(all[0]),
            Form::For if op.attribute("unsignedCmp").is_err() => {
                let bound = |place: usize| self.state.number(op.operand(place).ok()?)?.known();
                let (from, to, by) = (bound(0)?, bound(1)?, bound(2)?);
                let times =
                    if by > 0 && to > from { to.checked_sub(from)?.checked_add(by - 1)? / by } else { 0 };
                all[0].checked_mul(times as u64)
            }
            Form::Execute if regions[0].len() == 1 => Some(all[0]),
            _ => None,
        }
    }

    /// What writes each class, where it is made, and what ends it.
    fn storages(&mut self, made: &FxHashMap<usize, usize>) {
        for (storage, class) in self.class_of.iter().enumerate() {
            if let Origin::Made(by) = &self.state.storages[storage].origin
                && let Some(by) = made.get(by)
            {
                let class = &mut self.classes[*class];
                class.made = class.made.min(self.ops[*by].top);
                class.makers.push(*by);
            }
        }
        for number in 0..self.ops.len() {
            let op = &self.ops[number];
            for (result, _) in op.makes.iter().enumerate().filter(|(_, makes)| **makes) {
                let value: V = op.op.result(result).expect("it has this result").into();
                for class in self.classes_of(value) {
                    let once = op.form == Form::Plain && !self.is_inside(number);
                    self.classes[class].new = Some((number, result)).filter(|_| once);
                }
            }
            let mut writes = op.writes.clone();
            writes.sort_unstable();
            writes.dedup();
            let grows = op.changes_object();
            for class in writes {
                self.classes[class].writes.push(number);
                if grows {
                    self.classes[class].grows.push(number);
                }
            }
        }
        for number in 0..self.ops.len() {
            if self.ops[number].ends {
                self.ops[number].ends = self.overwrites(number).unwrap_or(false);
            }
        }
    }

    /// Whether an operation that only writes its first operand overwrites all of a storage.
    fn overwrites(&self, number: usize) -> Option<bool> {
        let Op { op, writes, .. } = &self.ops[number];
        let [class] = writes[..] else { return None };
        let class = &self.classes[class];
        let (by, result) = class.new.filter(|_| class.storages == 1 && class.grows.is_empty())?;
        if self.is_inside(number) {
            return None;
        }
        let effects = bridge::memory_effects(*op)?;
        let (_, on) =
            effects.into_iter().find(|(touch, on)| *touch == Touch::Write && *on != On::Generator)?;
        let On::Operand(operand) = on else { return None };
        let known = |value: V<'c, 'a>| {
            let known = &self.state.fake(value)?.known;
            Some((numbers(&known.layout)?, known.dtype.bytes() as i64))
        };
        let (view, own) = known(op.operand(operand).ok()?)?;
        let (new, size) = known(self.ops[by].op.result(result).ok()?.into())?;
        Some(view.is_dense() && view.numel().checked_mul(own)? == new.end().checked_mul(size)?)
    }
}

/// Whether there is no memory behind values of a type: they are numbers, or builtin tensors.
fn is_value(ty: Type) -> bool {
    let raw = ty.to_raw();
    // SAFETY: the type is live.
    unsafe {
        mlirTypeIsAInteger(raw)
            || mlirTypeIsAFloat(raw)
            || mlirTypeIsAIndex(raw)
            || mlirTypeIsAComplex(raw)
            || mlirTypeIsATensor(raw)
    }
}

/// A layout in numbers; None where some are not known.
pub fn numbers(layout: &Layout<Size>) -> Option<Layout> {
    let all = |sizes: &[Size]| sizes.iter().map(|size| size.known()).collect::<Option<Vec<i64>>>();
    Some(Layout {
        sizes: all(&layout.sizes)?,
        strides: all(&layout.strides)?,
        offset: layout.offset.known()?,
    })
}

struct Touches {
    form: Form,
    reads: Vec<usize>,
    writes: Vec<usize>,
    overwrites: bool,
}

/// What there is in functions that are called.
#[derive(Default)]
struct Inside {
    barrier: bool,
    draws: bool,
}
