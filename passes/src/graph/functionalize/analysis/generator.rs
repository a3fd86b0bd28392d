//! The generator of random numbers in the analysis: which operations know it, and which may draw by
//! themselves.

use super::{state::Analysis, tensors::*};
use melior::ir::{
    OperationRef,
    operation::{WalkOrder, WalkResult},
};
use terrace_dialects::{
    ir::{
        OperationLike,
        dtype::Dtype,
        registry::{self, OpImpl},
    },
    ops::graph,
};

/// The names of operations that know the generator, those without a row of their own in the table of
/// operators.
const STATE: [&str; 3] = ["graph.generator_state", "graph.set_generator_state", "graph.skip_draws"];

/// The rules of operators that draw.
const DRAWS: [&str; 10] = [
    "bernoulli",
    "bernoulli_in_place",
    "multinomial",
    "normal_in_place",
    "random",
    "random_integers",
    "random_integers_like",
    "random_like",
    "randperm",
    "uniform_in_place",
];

/// Whether an operation reads the state of the generator, or makes another one of it.
pub fn knows_generator(op: OperationRef) -> bool {
    let class = registry::of(op).filter(|class| class.dialect == "graph");
    class.is_some_and(|class| is_state(class) || DRAWS.binary_search(&class.rule).is_ok())
}

pub(crate) fn is_state(class: &OpImpl) -> bool {
    STATE.contains(&class.name)
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Gives a function that knows the generator a storage for its state.
    pub(crate) fn generator_of(&mut self, function: OperationRef<'c, 'a>) {
        let mut found = false;
        function.walk(WalkOrder::PreOrder, |op| {
            found |= knows_generator(op);
            if found { WalkResult::Interrupt } else { WalkResult::Advance }
        });
        if found {
            self.generator =
                Some(self.new_storage(function, None, Layout::contiguous(&[2.into()]), Dtype::I64));
        }
    }

    /// An operation reads the generator's state and, but for one that only asks for it, makes the next one.
    pub(crate) fn draws(&mut self, op: OperationRef<'c, 'a>) {
        let Some(number) = self.generator else { return };
        let state = self.identities[self.fresh[number].identity].0.clone();
        let whole = (state.layout.clone(), state.span.clone());
        self.access(op, &state, whole, graph::GeneratorStateOp::try_from(op).is_err());
    }

    /// An operation of unknown effects may draw: it finds the generator up to date.
    pub(crate) fn may_draw(&mut self, op: OperationRef<'c, 'a>) {
        if self.generator.is_some() {
            self.draws(op);
            self.synced.insert(op.to_raw().ptr as usize);
        }
    }

    /// Whether the state of the generator is another one afterwards.
    pub(crate) fn generator_moves(&self) -> bool {
        let origin = self.generator.map(Origin::Fresh);
        self.accesses.iter().any(|access| access.writes && Some(access.origin) == origin)
    }
}
