//! A function, operation by operation: what each does to storages and to the generator.
//!
//! Operations have numbers in the order of the text, each before what is inside of it. Storages that may be
//! one, as arguments that name none, are one *class*. A write that stands in the block of the function and
//! certainly overwrites all of a storage *ends* it: no earlier write matters to later reads.

use super::flow::Form;
use melior::ir::{BlockRef, OperationRef, RegionLike, Value};
use rustc_hash::FxHashMap;
use terrace_dialects::{
    analysis::{
        effects::{self, EffectKind, On},
        fake::{Fake, Origin, State},
    },
    aten::custom,
    ir::{
        BlockLike, OperationLike,
        cursor::V,
        operations::{key, name_of},
        operator::Strides,
        registry::{self, OpImpl},
    },
    ops::graph,
};
use terrace_layout::Layout;
use terrace_size::Size;

/// An operation.
pub struct Op<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub form: Form,
    /// Its entry, where it is one of ours.
    pub class: Option<&'static OpImpl>,
    /// The number of its block.
    pub block: usize,
    /// The number, among those of the function's own block, of the one that it is in or is; 0 in functions of
    /// several blocks.
    pub top: usize,
    /// The operation that it is inside of; None in the function's own blocks.
    pub parent: Option<usize>,
    /// The blocks inside, by region.
    pub regions: Vec<Vec<usize>>,
    /// The classes whose elements it reads, and those of which it writes some; what is inside counts for
    /// itself.
    pub reads: Vec<usize>,
    pub writes: Vec<usize>,
    /// Whether it ends the class that it writes.
    pub ends: bool,
    /// Whether storages that it writes may get another size.
    pub grows: bool,
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
        let known =
            |class: &'static OpImpl| class.strides != Strides::Whole && !unknown.contains(&class.name);
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
    pub first: usize,
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
    pub functions: &'a FxHashMap<String, OperationRef<'c, 'a>>,
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
        terrace_dialects::ir::operations::arguments(self.blocks[self.own[0]].block).collect()
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
                    self.classes.push(Class { of_argument, first: usize::MAX, ..Class::default() });
                    self.classes.len() - 1
                }
            };
            if of_argument {
                self.classes[class].first = 0;
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
            for (place, argument) in terrace_dialects::ir::operations::arguments(*block).enumerate() {
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
        let (accesses, draws) = self.accesses(op, class, &makes);
        self.ops.push(Op {
            op,
            form: accesses.form,
            class,
            block,
            top,
            parent,
            regions: vec![],
            reads: accesses.reads,
            writes: accesses.writes,
            ends: accesses.overwrites,
            grows: accesses.grows,
            makes,
            forwards: class.map(|class| self.forwards(op, class)).unwrap_or_default(),
            draws,
            drawn_before: self.blocks[block].drawn,
        });
        if accesses.form == Form::End {
            self.blocks[block].end = Some(number);
        }
        if accesses.form == Form::Barrier {
            self.barrier = Some(self.barrier.map_or(top, |before| before.max(top)));
        }
        for region in 0..op.region_count() {
            let blocks = self.region(op, region, Some(number), Some(top));
            self.ops[number].regions.push(blocks);
        }
        if accesses.form.has_regions() {
            self.ops[number].draws = self.drawn_in(number);
        }
        match self.ops[number].draws {
            Some(count) => self.blocks[block].drawn = self.blocks[block].drawn.saturating_add(count),
            None => self.dynamic.push(number),
        }
    }

    /// The operands that results are: of an in-place operation the first one as it was, of a custom operator
    /// those of its schema.
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
            if let (Ok(result), Ok(own)) = (op.result_at(0), op.operand(0))
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

    /// What writes each class, where it is made, and what ends it.
    fn storages(&mut self, made: &FxHashMap<usize, usize>) {
        for (storage, class) in self.class_of.iter().enumerate() {
            if let Origin::New(by) = &self.state.storages[storage].origin
                && let Some(by) = made.get(by)
            {
                let class = &mut self.classes[*class];
                class.first = class.first.min(self.ops[*by].top);
                class.makers.push(*by);
            }
        }
        for number in 0..self.ops.len() {
            let op = &self.ops[number];
            for (result, _) in op.makes.iter().enumerate().filter(|(_, makes)| **makes) {
                let value: V = op.op.result_at(result).expect("it has this result").into();
                for class in self.classes_of(value) {
                    let once = op.form == Form::Plain && !self.is_inside(number);
                    self.classes[class].new = Some((number, result)).filter(|_| once);
                }
            }
            let mut writes = op.writes.clone();
            writes.sort_unstable();
            writes.dedup();
            let grows = op.grows;
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
        let effects = effects::of(*op)?;
        let (_, on) =
            effects.into_iter().find(|(touch, on)| *touch == EffectKind::Write && *on != On::Generator)?;
        let On::Operand(operand) = on else { return None };
        let known = |value: V<'c, 'a>| {
            let known = &self.state.fake(value)?.known;
            Some((numbers(&known.layout)?, known.dtype.bytes() as i64))
        };
        let (view, own) = known(op.operand(operand).ok()?)?;
        let (new, size) = known(self.ops[by].op.result_at(result).ok()?.into())?;
        Some(view.is_dense() && view.numel().checked_mul(own)? == new.end().checked_mul(size)?)
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
