//! `graph-resolve-views`: what is a view or a copy becomes one of them, and what is made of views and copies becomes these.
//!
//! Contract: any function. Each operation of the table below is replaced by views, copies and other operators of graph, with
//! results of the same types; a result that eager gives as the operand itself is the operand. What decides is the layout of
//! the operand, which [`Analysis`] follows from what arguments declare, and fake tensors where ways of control flow meet; where it
//! is asked for and not known, that is a located error.
//!
//! [`resolver`] builds operations and follows their layouts; [`reshaping`], [`views`] and [`copies`] say what becomes of
//! each operation.

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

use crate::graph_functionalize::{analysis::Analysis, seen::Seen};
use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, Value, ValueLike,
    operation::{OperationLike, WalkOrder, WalkResult},
};
use mlir_sys::{mlirOperationDestroy, mlirOperationRemoveFromParent, mlirValueReplaceAllUsesOfWith};
use resolver::Resolver;
use std::collections::HashMap;
use terrace_dialects::{
    arguments, bridge,
    fake::State,
    pass::Failure,
    placement::einsum::Arrangement,
    registry,
    size::{Size, symbols::Symbols},
    strided::Layout,
};

/// The values that replace an operation's results.
type Resolved<'c, 'a> = Result<Vec<Value<'c, 'a>>, Failure>;
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
    if terrace_dialects::foreach::is_foreach(class) {
        return Some(foreach::singles);
    }
    let name = class.name.trim_start_matches("graph.");
    if name == "einsum" {
        return Arrangement::of(op, class).map(|_| views::arranged as Resolve);
    }
    if let Ok(at) = OPERATIONS.binary_search_by_key(&name, |row| row.0) {
        return Some(OPERATIONS[at].1);
    }
    // The copy of a view.
    let view = registry::by_name(class.name.strip_suffix("_copy")?)?;
    if view.view { Some(copies::of_view) } else { None }
}

/// Runs the pass on a function.
pub fn run(function: OperationRef, _: &crate::options::GraphResolveViews) -> Result<(), Failure> {
    let Some(block) = function.region(0).ok().and_then(|region| region.first_block()) else {
        return Ok(());
    };
    let mut walk = Walk {
        analysis: Analysis::at_entry(function, block),
        met: if flows(function) { where_ways_meet(function) } else { HashMap::new() },
        dead: vec![],
        failed: false,
    };
    walk.operation(function);
    // Not before: what is known of a value is found by its address.
    for op in walk.dead.into_iter().rev() {
        unsafe {
            mlirOperationRemoveFromParent(op.to_raw());
            mlirOperationDestroy(op.to_raw());
        }
    }
    if walk.failed { Err(Failure::Reported) } else { Ok(()) }
}

/// Whether a function has other blocks than its own.
fn flows(function: OperationRef) -> bool {
    let mut found = false;
    function.walk(WalkOrder::PreOrder, |op| {
        found |= op != function && op.region_count() > 0;
        if found { WalkResult::Interrupt } else { WalkResult::Advance }
    });
    found || function.region(0).is_ok_and(|region| region.first_block().is_some_and(|b| b.next_in_region().is_some()))
}

/// What arguments of blocks and results of control flow are, where strides and offset are the same numbers on all ways and no guard
/// was needed to say so.
fn where_ways_meet(function: OperationRef) -> HashMap<usize, (Layout, Seen)> {
    let Some(entry) = function.region(0).ok().and_then(|region| region.first_block()) else {
        return HashMap::new();
    };
    let (mut symbols, mut state) = (Symbols::new(), State::default());
    symbols.enter(|| {
        for number in 0..entry.argument_count() {
            if let (Ok(value), Ok(declared)) = (entry.argument(number), arguments::declared(function, number)) {
                state.argument(number, value.into(), &declared, None);
            }
        }
        // What is known before the first mistake, which another pass tells.
        let _ = state.body(function);
    });
    let mut met = HashMap::new();
    let mut take = |value: Value| {
        let Some(known) = state.fake(value).map(|fake| &fake.known) else { return };
        let all = |sizes: &[Size]| sizes.iter().map(|size| size.known()).collect::<Option<Vec<i64>>>();
        let layout = &known.layout;
        if let (Some(sizes), Some(strides), Some(offset)) =
            (all(&layout.sizes), all(&layout.strides), layout.offset.known())
        {
            let seen = Seen { dtype: known.dtype, conj: known.conj, neg: known.neg };
            met.insert(value.to_raw().ptr as usize, (Layout { sizes, strides, offset }, seen));
        }
    };
    if !symbols.guards().is_empty() {
        return met;
    }
    function.walk(WalkOrder::PreOrder, |op| {
        if op != function && op.region_count() > 0 {
            op.results().for_each(|result| take(result.into()));
        }
        for region in op.regions() {
            for block in std::iter::successors(region.first_block(), |block| block.next_in_region()) {
                if op != function || Some(block) != region.first_block() {
                    (0..block.argument_count()).filter_map(|i| block.argument(i).ok()).for_each(|a| take(a.into()));
                }
            }
        }
        WalkResult::Advance
    });
    met
}

/// A walk over a function in the order of its text.
struct Walk<'c, 'a> {
    analysis: Analysis<'c, 'a>,
    /// What tensors are where ways meet, by the addresses of their values.
    met: HashMap<usize, (Layout, Seen)>,
    /// Operations that were replaced.
    dead: Vec<OperationRef<'c, 'a>>,
    failed: bool,
}

impl<'c, 'a> Walk<'c, 'a> {
    /// The operations in the regions of one.
    fn operation(&mut self, op: OperationRef<'c, 'a>) {
        for region in op.regions() {
            let mut block = region.first_block();
            while let Some(current) = block {
                for argument in (0..current.argument_count()).filter_map(|number| current.argument(number).ok()) {
                    self.meet(op, argument.into());
                }
                self.block(current);
                block = current.next_in_region();
            }
        }
        op.results().for_each(|result| self.meet(op, result.into()));
    }

    /// Takes in what a value is where ways meet.
    fn meet(&mut self, op: OperationRef<'c, 'a>, value: Value<'c, 'a>) {
        if let Some((layout, seen)) = self.met.get(&(value.to_raw().ptr as usize)) {
            self.analysis.met(op, value, layout.clone(), *seen);
        }
    }

    fn block(&mut self, block: BlockRef<'c, 'a>) {
        let mut next = block.first_operation();
        while let Some(op) = next {
            next = op.next_in_block();
            match find(op) {
                None if op.region_count() > 0 => self.operation(op),
                None => {
                    // Whatever is wrong with it is not for this pass to say: nothing is known of its results.
                    let _ = self.analysis.visit(op);
                }
                Some(resolve) => match self.resolve(op, resolve) {
                    Ok(()) => self.dead.push(op),
                    Err(failure) => {
                        if let Failure::Message(message) = failure {
                            bridge::emit_op_error(&op, &message);
                        }
                        self.failed = true;
                    }
                },
            }
        }
    }

    fn resolve(&mut self, op: OperationRef<'c, 'a>, resolve: Resolve) -> Result<(), Failure> {
        let values = resolve(&mut Resolver::new(&mut self.analysis, op)?)?;
        for (old, new) in op.results().zip(values) {
            if old.r#type() != new.r#type() {
                return Err(format!(
                    "becomes {}, which does not say what {} says: sizes must be static here",
                    new.r#type(),
                    old.r#type()
                )
                .into());
            }
            unsafe { mlirValueReplaceAllUsesOfWith(old.to_raw(), new.to_raw()) };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::OPERATIONS;
    use terrace_dialects::registry;

    #[test]
    fn the_table_is_sorted_and_names_operations() {
        assert!(OPERATIONS.is_sorted_by_key(|row| row.0));
        for (name, _) in OPERATIONS {
            assert!(registry::by_name(&format!("graph.{name}")).is_some(), "{name}");
        }
    }
}
