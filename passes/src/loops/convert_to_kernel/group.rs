//! A group on memrefs, read and checked: its members in order, where what they give goes, what may not stay
//! as it is.
//!
//! Of a destination a point may read only what it writes itself ([`groups::reads_own`]): anything else
//! another point may have written before. A tensor that is inserted is written where it goes at once, unless
//! somebody reads there later, it goes to a second place, or it is combined: then a copy, one more member at
//! the end, takes it there.

use crate::{
    emit::Emitter,
    kernel::tile_programs::{
        access::Access,
        elementwise::is_elementwise,
        nest::{Nest, is_local, is_loop, require_buffer, usual},
        places::{Place, Places, placed},
    },
};
use melior::ir::{OperationRef, RegionLike, Type, ValueLike};
use std::{collections::HashSet, rc::Rc};
use terrace_dialects::{
    analysis::memory::Memory,
    ir::{
        BlockLike, OperationLike, context,
        cursor::V,
        extent::Extent,
        operations::{self, key, refuse},
        pass::Failure,
        shaped::Shaped,
    },
    loops::{
        combiners,
        groups::{self, Insert},
    },
    ops::{Combiner, loop_},
};

/// What happens at a point, one after the other.
#[derive(Clone)]
pub(super) enum Step<'c, 'a> {
    /// Operations on numbers.
    Numbers(Nest<'c, 'a>),
    /// A member.
    Member(Nest<'c, 'a>),
    /// A scan, and what is made of each of its elements, the one value given.
    Finished(Nest<'c, 'a>, Box<Nest<'c, 'a>>),
    /// A number goes into a destination, combined with what is there.
    Insert(Nest<'c, 'a>, Option<Combiner>),
}

/// A group on memrefs.
pub(super) struct Group<'c, 'a> {
    pub op: OperationRef<'c, 'a>,
    pub name: Option<String>,
    /// The shared domain.
    pub sizes: Vec<i64>,
    /// The same sizes, with the values outside of the kernel.
    pub extents: Vec<Extent<'c, 'a>>,
    pub indices: Vec<V<'c, 'a>>,
    /// How many points of each dimension a grid point has, where that is decided.
    pub tile: Option<Vec<i64>>,
    pub steps: Vec<Step<'c, 'a>>,
    /// Whether points write the same elements, and so have to come one after the other.
    pub combines: bool,
    pub places: Rc<Places<'c, 'a>>,
}

impl<'c, 'a> Step<'c, 'a> {
    pub fn nest(&self) -> &Nest<'c, 'a> {
        match self {
            Step::Numbers(nest) | Step::Member(nest) | Step::Finished(nest, _) | Step::Insert(nest, _) => {
                nest
            }
        }
    }

    pub fn nest_mut(&mut self) -> &mut Nest<'c, 'a> {
        match self {
            Step::Numbers(nest) | Step::Member(nest) | Step::Finished(nest, _) | Step::Insert(nest, _) => {
                nest
            }
        }
    }

    /// The same where what members give stands at these places.
    pub fn placed(&self, places: &Rc<Places<'c, 'a>>) -> Self {
        let mut step = self.clone();
        let nest = step.nest_mut();
        nest.places = Rc::clone(places);
        nest.store = placed(places, nest.store.clone());
        step
    }

    fn loads(&self) -> impl Iterator<Item = loop_::LoadOp<'c, 'a>> {
        self.nest().body.iter().filter_map(|op| loop_::LoadOp::try_from(*op).ok())
    }
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// Reads a group; what can't become a kernel is a located error.
    pub fn read(view: loop_::GroupOp<'c, 'a>) -> Result<Self, Failure> {
        let op = view.operation();
        for init in view.inits() {
            require_buffer(op, init)?;
        }
        let mut group = Self {
            op,
            name: view.kernel_name(),
            sizes: view.sizes(),
            extents: Extent::listed(&view.sizes(), &view.dynamic_sizes()),
            indices: groups::indices(view),
            tile: view.tile(),
            steps: steps(view)?,
            combines: false,
            places: Rc::default(),
        };
        group.check(view)?;
        group.place(view)?;
        Ok(group)
    }

    /// Refuses to read what another point may have written.
    fn check(&self, view: loop_::GroupOp<'c, 'a>) -> Result<(), Failure> {
        let inits = view.inits();
        let written: Vec<Memory> = inits.iter().map(|init| Memory::of(*init)).collect();
        let alone = self.sizes.iter().all(|size| usual(*size) <= 1);
        for load in self.steps.iter().flat_map(Step::loads) {
            let source = load.source();
            let own = inits.contains(&source) && groups::reads_own(view, load);
            let memory = Memory::of(source);
            if !own && !alone && written.iter().any(|written| written.is(&memory)) {
                let why = "reads a destination of its group where another point may have written already: expects \
                           the same index of the group in one dimension here and in every insert, or a copy";
                return Err(refuse(load.operation(), why));
            }
        }
        Ok(())
    }

    /// Decides where tensors stand, adds the copies that this takes, and turns inserts of numbers into steps.
    fn place(&mut self, view: loop_::GroupOp<'c, 'a>) -> Result<(), Failure> {
        let context = context::of(self.op.context());
        let inits = view.inits();
        let mut places = Places::new();
        for insert in Insert::all(view) {
            let (value, init) = (insert.op.value(), inits[insert.destination]);
            let place = Place::of(context, &insert, init);
            self.combines |= insert.combiner.is_some();
            let Some(shaped) = Shaped::of(value.r#type()) else {
                let combiner = insert.combiner.map(|c| combiners::of(c, value.r#type()));
                let store = place.access(Access::identity(value, &[]));
                self.steps
                    .push(Step::Insert(Nest::point(insert.op.operation(), vec![], value, store), combiner));
                continue;
            };
            if insert.combiner.is_none()
                && !places.contains_key(&key(value))
                && self.is_free(&insert, &place, init)
            {
                places.insert(key(value), place);
                continue;
            }
            let copy = copy(view, &insert, &place, init, &self.extents_of(value, &shaped), shaped.element)?;
            places.insert(key(copy.result_at(0)?), place);
            self.steps.push(Step::Member(member(copy)?));
        }
        let places = Rc::new(places);
        for step in &mut self.steps {
            step.nest_mut().around.clone_from(&self.indices);
            *step = step.placed(&places);
        }
        self.places = places;
        Ok(())
    }

    /// The sizes of what a member gives.
    fn extents_of(&self, value: V<'c, 'a>, shaped: &Shaped<'c>) -> Vec<Extent<'c, 'a>> {
        let given = self.steps.iter().map(Step::nest).find(|nest| nest.store.buffer == value);
        given.map_or_else(|| Extent::numbers(&shaped.shape), |nest| nest.extents[..nest.outer].to_vec())
    }

    /// Whether a member can write to the place of an insert at once.
    fn is_free(&self, insert: &Insert<'c, 'a>, place: &Place<'c, 'a>, init: V<'c, 'a>) -> bool {
        let value = insert.op.value();
        let gives = |step: &Step<'c, 'a>| matches!(step, Step::Member(nest) if nest.store.buffer == value);
        let Some(number) = self.steps.iter().position(gives) else { return false };
        let member = self.steps[number].nest();
        let known = |operand: &V<'c, 'a>| {
            let owner = operations::definition(*operand);
            owner.is_none_or(|op| !is_local(*operand) || op.is_before_in_block(member.op))
        };
        if !insert.operands.iter().all(known) {
            return false;
        }
        let writes = place.access(member.store.clone());
        let touches = |load: &loop_::LoadOp<'c, 'a>| Memory::of(load.source()).is(&Memory::of(init));
        let same = |load: loop_::LoadOp<'c, 'a>| {
            let read = Access::load(load);
            member.is_pointwise()
                && read.buffer == writes.buffer
                && read.map == writes.map
                && read.operands == writes.operands
        };
        self.steps[number].loads().filter(touches).all(same)
            && !self.steps[number + 1..].iter().flat_map(Step::loads).any(|load| touches(&load))
    }

    /// The values that are defined outside and used inside, in the order of their first use.
    pub fn captured(&self) -> Vec<V<'c, 'a>> {
        let mut known: HashSet<usize> = self.indices.iter().map(|v| key(*v)).collect();
        let sizes = self.extents.iter().filter_map(|extent| extent.value());
        let used = self.steps.iter().flat_map(|step| step.nest().captured()).chain(sizes);
        used.filter(|v| !is_local(*v) && known.insert(key(*v))).collect()
    }
}

/// A member, which runs whole at each point.
fn member<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<Nest<'c, 'a>, Failure> {
    let mut nest = Nest::read(op)?;
    nest.tile = Some(nest.sizes[..nest.outer].to_vec());
    Ok(nest)
}

fn steps<'c: 'a, 'a>(view: loop_::GroupOp<'c, 'a>) -> Result<Vec<Step<'c, 'a>>, Failure> {
    let mut steps = vec![];
    let mut numbers: Vec<OperationRef> = vec![];
    let flush =
        |numbers: &mut Vec<OperationRef<'c, 'a>>, steps: &mut Vec<Step<'c, 'a>>| -> Result<(), Failure> {
            if let Some(first) = numbers.first() {
                let first: V = first.result_at(0)?.into();
                let body = std::mem::take(numbers);
                steps.push(Step::Numbers(Nest::point(
                    view.operation(),
                    body,
                    first,
                    Access::identity(first, &[]),
                )));
            }
            Ok(())
        };
    let mut next = view.body().first_block().and_then(|block| block.first_operation());
    while let Some(op) = next {
        next = op.next_in_block();
        if is_loop(op) {
            flush(&mut numbers, &mut steps)?;
            steps.push(Step::Member(member(op)?));
        } else if loop_::InParallelOp::try_from(op).is_ok() {
            flush(&mut numbers, &mut steps)?;
        } else if let Ok(load) = loop_::LoadOp::try_from(op) {
            require_buffer(op, load.source())?;
            numbers.push(op);
        } else if is_elementwise(op) {
            numbers.push(op);
        } else {
            let why =
                "is not supported in a group: expects members, and arith, math and loop.load on numbers";
            return Err(refuse(op, why));
        }
    }
    Ok(steps)
}

/// One more member, of the elements that an insert gives the destination: those of its value, combined with
/// what is there.
fn copy<'c: 'a, 'a>(
    view: loop_::GroupOp<'c, 'a>,
    insert: &Insert<'c, 'a>,
    place: &Place<'c, 'a>,
    init: V<'c, 'a>,
    sizes: &[Extent<'c, 'a>],
    element: Type<'c>,
) -> Result<OperationRef<'c, 'a>, Failure> {
    let end = groups::end(view).ok_or("has no end")?;
    let at = Emitter::before(end.operation())?.of(insert.op.operation().location());
    let value = insert.op.value();
    at.member(value.r#type(), sizes, |at, indices| {
        let own = Access::identity(value, indices);
        let exprs: Vec<_> = (0..indices.len()).map(|d| at.dim(d)).collect();
        let new = at.load(value, &exprs, indices, None)?;
        let Some(combiner) = insert.combiner else { return Ok(new) };
        let there = place.access(own);
        let old = loop_::load(at.location, init, &there.operands, there.map, None, None)?;
        let old = at.insert(old).result_at(0)?.into();
        combiners::combine(at, combiner, element, (old, new))
    })
}
