//! `graph-resolve-views`: what is a view or a copy becomes one of them, and what is made of views and copies
//! becomes these.
//!
//! Contract: any function. Each operation of the table below is replaced by views, copies and other operators
//! of graph, with results of the same types; a result that eager gives as the operand itself is the operand.
//! What decides is the layout of the operand, which [`Analysis`] follows from what arguments declare, and
//! fake tensors where ways of control flow meet; where it is asked for and not known, that is a located
//! error.
//!
//! [`resolver`] builds operations and follows their layouts; [`reshaping`], [`views`] and [`copies`] say what
//! becomes of each operation.

mod arranging;
mod complex;
mod copies;
mod creation;
mod foreach;
mod metadata;
mod padding;
mod random;
mod reshaping;
mod resolver;
mod views;

use super::functionalize::{
    analysis::{state::Analysis, transform::ElementTransform},
    boundary::recognized::is_boundary,
};
use melior::ir::{
    BlockRef, OperationRef, RegionLike, Value, ValueLike,
    operation::{WalkOrder, WalkResult},
};
use resolver::{Resolved, Resolver};
use terrace_dialects::{
    analysis::{fake::State, known::Known},
    aten::placement::einsum::Arrangement,
    internal,
    ir::{
        BlockLike, OperationLike, arguments, diagnostics,
        pass::Failure,
        refusal::Reason,
        registry::{self, OpImpl},
        rewrite::{erase, replace_uses},
        types::TensorType,
    },
};
use terrace_layout::Layout;
use terrace_size::{Size, symbols::Symbols};

/// What becomes of an operation.
type Resolve = for<'l, 'c, 'a> fn(&mut Resolver<'l, 'c, 'a>) -> Resolved<'c, 'a>;

/// The operations that are resolved, by their names in graph.
const OPERATIONS: &[(&str, Resolve)] = &[
    ("_unsafe_view", |r| r.as_view("view")),
    ("adjoint", |r| complex::adjoint(r, "mT")),
    ("as_strided_", |r| r.as_view("as_strided")),
    ("conj", |r| complex::conj(r)),
    ("conj_physical", |r| complex::conj_physical(r)),
    ("conj_physical_", |r| complex::conj_physical_(r)),
    ("constant_pad_nd", |r| padding::constant(r)),
    ("contiguous", |r| reshaping::contiguous(r)),
    ("copy", |r| arranging::copy(r)),
    ("detach_", |r| r.as_view("detach")),
    ("diff", |r| arranging::diff(r)),
    ("dropout", |r| random::dropout(r)),
    ("dropout_", |r| random::dropout(r)),
    ("dsplit.array", |r| views::tensor_split(r)),
    ("dsplit.int", |r| views::tensor_split(r)),
    ("dstack", |r| arranging::nstack(r)),
    ("empty_like", |r| creation::like(r, 0.0)),
    ("empty_permuted", |r| creation::permuted(r)),
    ("empty_strided", |r| creation::strided(r)),
    ("fft_fft", |r| complex::transform(r)),
    ("fft_fft2", |r| complex::transform(r)),
    ("fft_fftn", |r| complex::transform(r)),
    ("fft_hfft", |r| complex::transform(r)),
    ("fft_ifft", |r| complex::transform(r)),
    ("fft_ifft2", |r| complex::transform(r)),
    ("fft_ifftn", |r| complex::transform(r)),
    ("fft_ihfft", |r| complex::transform(r)),
    ("fft_irfft", |r| complex::transform(r)),
    ("fft_irfft2", |r| complex::transform(r)),
    ("fft_irfftn", |r| complex::transform(r)),
    ("fft_rfft", |r| complex::transform(r)),
    ("fft_rfft2", |r| complex::transform(r)),
    ("fft_rfftn", |r| complex::transform(r)),
    ("fill_diagonal_", |r| metadata::fill_diagonal(r)),
    ("flatten.using_ints", |r| reshaping::flatten(r)),
    ("hsplit.array", |r| views::tensor_split(r)),
    ("hsplit.int", |r| views::tensor_split(r)),
    ("hstack", |r| arranging::nstack(r)),
    ("imag", |r| complex::imag(r)),
    ("lift_fresh", |r| Ok(vec![r.operand(0)])),
    ("lift_fresh_copy", |r| copies::packed(r)),
    ("mH", |r| complex::adjoint(r, "mT")),
    ("matrix_H", |r| complex::adjoint(r, "t")),
    ("meshgrid", |r| views::meshgrid(r)),
    ("native_dropout", |r| random::native_dropout(r)),
    ("new_empty", |r| creation::new(r)),
    ("new_empty_strided", |r| creation::strided(r)),
    ("new_full", |r| creation::new(r)),
    ("new_ones", |r| creation::new(r)),
    ("new_zeros", |r| creation::new(r)),
    ("numpy_T", |r| views::reversed(r)),
    ("ones_like", |r| creation::like(r, 1.0)),
    ("pad", |r| padding::pad(r)),
    ("positive", |r| Ok(vec![r.operand(0)])),
    ("ravel", |r| reshaping::ravel(r)),
    ("real", |r| complex::real(r)),
    ("reflection_pad1d", |r| padding::border(r)),
    ("reflection_pad2d", |r| padding::border(r)),
    ("reflection_pad3d", |r| padding::border(r)),
    ("repeat", |r| arranging::repeat(r)),
    ("repeat_interleave.self_int", |r| arranging::repeat_interleave(r)),
    ("replication_pad1d", |r| padding::border(r)),
    ("replication_pad2d", |r| padding::border(r)),
    ("replication_pad3d", |r| padding::border(r)),
    ("reshape", |r| reshaping::reshape(r)),
    ("reshape_as", |r| reshaping::reshape(r)),
    ("resize_", |r| metadata::resize(r)),
    ("resize_as_", |r| metadata::resize(r)),
    ("resolve_conj", |r| complex::resolved(r)),
    ("resolve_neg", |r| complex::resolved(r)),
    ("roll", |r| arranging::roll(r)),
    ("set_", |r| metadata::set(r)),
    ("squeeze_", |r| r.as_view("squeeze")),
    ("stack", |r| arranging::stack(r)),
    ("swapaxes_", |r| r.as_view("swapaxes")),
    ("t_", |r| r.as_view("t")),
    ("tensor_split.indices", |r| views::tensor_split(r)),
    ("tensor_split.sections", |r| views::tensor_split(r)),
    ("tile", |r| arranging::tile(r)),
    ("to", |r| reshaping::to(r)),
    ("to.device", |r| reshaping::to(r)),
    ("to.other", |r| reshaping::to(r)),
    ("transpose_", |r| r.as_view("transpose")),
    ("type_as", |r| reshaping::to(r)),
    ("unsafe_split", |r| r.as_view("split")),
    ("unsafe_split_with_sizes", |r| r.as_view("split_with_sizes")),
    ("unsqueeze_", |r| r.as_view("unsqueeze")),
    ("view_copy", |r| copies::view_copy(r)),
    ("view_copy.dtype", |r| complex::view_copy(r)),
    ("vsplit.array", |r| views::tensor_split(r)),
    ("vsplit.int", |r| views::tensor_split(r)),
    ("vstack", |r| arranging::nstack(r)),
    ("zeros_like", |r| creation::like(r, 0.0)),
];

/// What becomes of an operation of graph; None where it stays.
fn find(op: OperationRef) -> Option<Resolve> {
    let class = registry::of(op).filter(|class| class.dialect == "graph")?;
    if class.name == "graph.einsum" {
        return Arrangement::of(op, class).map(|_| views::arranged as Resolve);
    }
    of_class(class)
}

/// What becomes of an operation by its class alone.
pub(crate) fn of_class(class: &OpImpl) -> Option<Resolve> {
    if terrace_dialects::aten::foreach::is_foreach(class) {
        return Some(foreach::singles);
    }
    let name = class.name.trim_start_matches("graph.");
    if let Ok(at) = OPERATIONS.binary_search_by_key(&name, |row| row.0) {
        return Some(OPERATIONS[at].1);
    }
    // The copy of a view.
    let view = registry::by_name(class.name.strip_suffix("_copy")?)?;
    if view.view { Some(copies::of_view) } else { None }
}

/// Runs the pass on a function.
pub fn run(function: OperationRef, _: &crate::options::GraphResolveViews) -> Result<(), Failure> {
    if is_boundary(function) {
        return Ok(());
    }
    let Some(block) = function.region(0).ok().and_then(|region| region.first_block()) else {
        return Ok(());
    };
    walk(function, Analysis::at_entry(function, block), Known::NOTHING, |_| Ok(()))
}

/// Resolves what [`run`] leaves, by an analysis of sizes that are not static: what it takes for granted are
/// guards, which `test` sees to.
pub(crate) fn by_guards<'c, 'a>(
    function: OperationRef<'c, 'a>,
    analysis: Analysis<'c, 'a>,
    written: Known<'a>,
    test: impl FnOnce(&Analysis<'c, 'a>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    walk(function, analysis, written, test)
}

/// Whether there is something to resolve on tensors of sizes that are not static.
pub(crate) fn is_left(function: OperationRef) -> bool {
    let mut found = false;
    function.walk(WalkOrder::PreOrder, |op| {
        found |= is_open(op) && find(op).is_some();
        if found { WalkResult::Interrupt } else { WalkResult::Advance }
    });
    found
}

fn walk<'c, 'a>(
    function: OperationRef<'c, 'a>,
    analysis: Analysis<'c, 'a>,
    written: Known<'a>,
    test: impl FnOnce(&Analysis<'c, 'a>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let known = flows(function).then(|| KnownTensors::of(function));
    let mut walk = Walk { analysis, known, written, dead: vec![], failed: false };
    walk.operation(function);
    let tested = test(&walk.analysis);
    // Not before: what is known of a value is found by its address.
    for op in walk.dead.into_iter().rev() {
        erase(op);
    }
    if walk.failed { Err(Failure::Reported) } else { tested }
}

/// Whether an operation has to do with graph tensors of sizes that are not static.
fn is_open(op: OperationRef) -> bool {
    let open =
        |value: Value| TensorType::<i64>::of(value.r#type()).is_some_and(|ty| ty.graph && !ty.is_static());
    op.operands().chain(op.results().map(Value::from)).any(open)
}

/// Whether a function has other blocks than its own.
fn flows(function: OperationRef) -> bool {
    let mut found = false;
    function.walk(WalkOrder::PreOrder, |op| {
        found |= op != function && op.region_count() > 0;
        if found { WalkResult::Interrupt } else { WalkResult::Advance }
    });
    found
        || function
            .region(0)
            .is_ok_and(|region| region.first_block().is_some_and(|b| b.next_in_region().is_some()))
}

/// The operation of a function's body that another one is, or stands in.
fn below<'c, 'a>(function: OperationRef<'c, 'a>, op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let mut around = std::iter::successors(Some(op), |op| op.parent_operation());
    around.find(|op| op.parent_operation().is_some_and(|parent| parent == function))
}

/// What is known of tensors where the text alone does not say it: behind control flow.
pub(crate) struct KnownTensors<'c> {
    symbols: Symbols,
    state: State<'c>,
}

impl<'c> KnownTensors<'c> {
    /// What fake tensors say of a function, as far as the first mistake, which another pass tells.
    pub(crate) fn of(function: OperationRef<'c, '_>) -> Self {
        let (mut symbols, mut state) = (Symbols::new(), State::default());
        if let Some(entry) = function.region(0).ok().and_then(|region| region.first_block()) {
            symbols.enter(|| {
                for number in 0..entry.argument_count() {
                    let argument =
                        entry.argument(number).ok().zip(arguments::declared(function, number).ok());
                    if let Some((value, declared)) = argument {
                        state.argument(number, value.into(), &declared, None);
                    }
                }
                if let Err(wrong) = state.body(function) {
                    // Of a loop that was left in its midst it is known what tensors are in the first rounds.
                    match below(function, wrong.op) {
                        Some(op) if entry.next_in_region().is_none() => state.forget_within(op),
                        _ => state = State::default(),
                    }
                }
            });
        }
        Self { symbols, state }
    }

    /// The layout of a tensor, where it is the same numbers on all ways, and how it sees elements.
    pub(crate) fn get(&self, value: Value) -> Option<(Option<Layout>, ElementTransform)> {
        let known = &self.state.fake(value)?.known;
        let all = |sizes: &[Size]| sizes.iter().map(|size| size.known()).collect::<Option<Vec<i64>>>();
        let numbers = |layout: &Layout<Size>| {
            let (sizes, strides) = all(&layout.sizes).zip(all(&layout.strides))?;
            Some(Layout { sizes, strides, offset: layout.offset.known()? })
        };
        // What was taken for granted is not tested before the function runs.
        let layout = if self.symbols.guards().is_empty() { numbers(&known.layout) } else { None };
        Some((layout, ElementTransform { dtype: known.dtype, conj: known.conj, neg: known.neg }))
    }
}

/// A walk over a function in the order of its text.
struct Walk<'c, 'a> {
    analysis: Analysis<'c, 'a>,
    known: Option<KnownTensors<'c>>,
    /// What is known of values that were written.
    written: Known<'a>,
    /// Operations that were replaced, and those that were made in vain.
    dead: Vec<OperationRef<'c, 'a>>,
    failed: bool,
}

impl<'c, 'a> Walk<'c, 'a> {
    /// The operations in the regions of one.
    fn operation(&mut self, op: OperationRef<'c, 'a>) {
        for region in op.regions() {
            let mut block = region.first_block();
            while let Some(current) = block {
                let before = self.analysis.capacities.clone();
                self.written.enter();
                self.block(current);
                self.written.leave();
                self.analysis.may_not_run(&before);
                block = current.next_in_region();
            }
        }
    }

    /// Takes in what operands are that come from behind control flow; how those see elements whose strides
    /// are not known.
    fn meet(&mut self, op: OperationRef<'c, 'a>) -> Vec<(Value<'c, 'a>, ElementTransform)> {
        let mut without_layout = vec![];
        let Some(known) = &self.known else { return without_layout };
        for value in op.operands() {
            if self.analysis.choice(value).is_some() {
                continue;
            }
            match known.get(value) {
                Some((Some(layout), transform)) => self.analysis.met(op, value, layout.into(), transform),
                Some((None, transform)) => without_layout.push((value, transform)),
                None => {}
            }
        }
        without_layout
    }

    fn block(&mut self, block: BlockRef<'c, 'a>) {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            let transform = self.meet(op);
            match find(op) {
                None if op.region_count() > 0 => self.operation(op),
                // Whatever is wrong with it is not for this pass to say: nothing is known of its results.
                None => self.analysis.visit_new(op, self.written),
                Some(resolve) => match self.resolve(op, resolve, transform) {
                    Ok(true) => self.dead.push(op),
                    // It stays: sizes that are not static, and guards, are for graph-functionalize.
                    Ok(false) => self.analysis.visit_new(op, self.written),
                    Err(failure) => {
                        if let Failure::Message(message) = failure {
                            diagnostics::emit_op_error(&op, &message);
                        }
                        self.failed = true;
                    }
                },
            }
        }
    }

    fn resolve(
        &mut self,
        op: OperationRef<'c, 'a>,
        resolve: Resolve,
        transform: Vec<(Value<'c, 'a>, ElementTransform)>,
    ) -> Result<bool, Failure> {
        let stays = !self.analysis.knows_symbols() && is_open(op);
        if self.analysis.knows_symbols() && is_open(op) {
            // What eager refuses for some sizes; what it becomes may be right for them.
            let class = registry::of(op).ok_or(internal!("is not known"))?;
            self.analysis.result_types(op, class)?;
        }
        let mut resolver = Resolver::new(&mut self.analysis, op, transform, self.written)?;
        let values = match resolve(&mut resolver) {
            Err(Failure::Message(_)) if stays => {
                let given_up = resolver.given_up();
                self.dead.extend(given_up);
                return Ok(false);
            }
            values => values?,
        };
        for (number, mut new) in values.into_iter().enumerate() {
            let old = op.result_at(number)?;
            let is_known = self.analysis.knows_symbols() && old.r#type() != new.r#type();
            if is_known && let Some(ty) = TensorType::of(old.r#type()) {
                new = Resolver::new(&mut self.analysis, op, vec![], self.written)?.of_type(new, &ty)?;
            }
            if old.r#type() != new.r#type() {
                return Err(Reason::Size
                    .says(format!(
                        "becomes {}, which does not say what {} says: sizes must be static here",
                        new.r#type(),
                        old.r#type()
                    ))
                    .into());
            }
            replace_uses(old, new);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::OPERATIONS;
    use terrace_dialects::ir::registry;

    #[test]
    fn the_table_is_sorted_and_names_operations() {
        terrace_dialects::init();
        assert!(OPERATIONS.is_sorted_by_key(|row| row.0));
        for (name, _) in OPERATIONS {
            assert!(registry::by_name(&format!("graph.{name}")).is_some(), "{name}");
        }
    }
}
