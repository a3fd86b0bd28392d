//! Strides and offsets as sums over what is known when the program runs.
//!
//! The strides of an argument that declares `?` or `"any"`, and those of a new storage like such tensors,
//! are *symbols* of the storage. A view operation is linear in the strides and the offset of what it views;
//! so each stride of a view is a constant plus multiples of symbols, which [`through`] finds by asking for
//! the view at a few points.

use melior::ir::{OperationRef, ValueLike};
use terrace_dialects::ir::{OperationLike, registry::OpImpl, types::TensorType};
use terrace_layout::Layout;
use terrace_passes::graph::functionalize::layouts;
use terrace_size::DYNAMIC;

/// A constant plus multiples of symbols: each symbol with its factor, in order, none of them 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// What is added.
    pub constant: i64,
    /// Symbols and their factors.
    pub terms: Vec<(usize, i64)>,
}

/// A layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// One size per dimension.
    pub sizes: Vec<i64>,
    /// One stride per dimension.
    pub strides: Vec<Sum>,
    /// The place of the first element.
    pub offset: Sum,
}

impl Sum {
    /// A number.
    pub fn known(constant: i64) -> Self {
        Self { constant, terms: vec![] }
    }

    /// A symbol.
    pub fn symbol(symbol: usize) -> Self {
        Self { constant: 0, terms: vec![(symbol, 1)] }
    }

    /// The number that a declaration gives; the symbol where it gives none.
    fn declared(number: i64, symbol: usize) -> Self {
        if number == DYNAMIC { Self::symbol(symbol) } else { Self::known(number) }
    }

    /// The number; [`DYNAMIC`] where it is not known.
    pub fn number(&self) -> i64 {
        if self.terms.is_empty() { self.constant } else { DYNAMIC }
    }

    /// Its value where `symbol` is 1 and all others are 0.
    fn at(&self, symbol: Option<usize>) -> i64 {
        self.constant + self.terms.iter().filter(|(s, _)| Some(*s) == symbol).map(|(_, f)| f).sum::<i64>()
    }
}

impl Places {
    /// A declared layout. The stride of dimension `d` is symbol `d`, the offset the one after the last.
    ///
    /// The offset is a symbol beside a stride that is one, even where it is declared: upstream takes a cast
    /// between equal types of known sizes at offset 0 for nothing, whatever its strides are
    /// (`ReinterpretCastOp::fold`).
    pub fn declared(layout: &Layout) -> Self {
        let strides = layout.strides.iter().enumerate().map(|(d, s)| Sum::declared(*s, d)).collect();
        let offset = if layout.strides.contains(&DYNAMIC) { DYNAMIC } else { layout.offset };
        let offset = Sum::declared(offset, layout.rank());
        Self { sizes: layout.sizes.clone(), strides, offset }
    }

    /// A layout of sizes of the run, with [`DYNAMIC`] for what types do not say: the buffer itself has the
    /// numbers.
    pub fn open(layout: &Layout) -> Self {
        let strides = layout.strides.iter().map(|stride| Sum::known(*stride)).collect();
        Self { sizes: layout.sizes.clone(), strides, offset: Sum::known(layout.offset) }
    }

    /// The layout, with [`DYNAMIC`] for what is not known.
    pub fn layout(&self) -> Layout {
        let strides = self.strides.iter().map(Sum::number).collect();
        Layout { sizes: self.sizes.clone(), strides, offset: self.offset.number() }
    }

    /// Whether strides and offset are numbers.
    pub fn is_known(&self) -> bool {
        self.strides.iter().chain([&self.offset]).all(|s| s.terms.is_empty())
    }

    fn symbols(&self) -> Vec<usize> {
        let sums = self.strides.iter().chain([&self.offset]);
        let mut symbols: Vec<usize> = sums.flat_map(|s| s.terms.iter().map(|(symbol, _)| *symbol)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// The layout where `symbol` is 1 and all others are 0.
    fn at(&self, symbol: Option<usize>) -> Layout {
        let strides = self.strides.iter().map(|s| s.at(symbol)).collect();
        Layout { sizes: self.sizes.clone(), strides, offset: self.offset.at(symbol) }
    }
}

/// What a view operation makes of a layout: one for each result. None where it is no view; an error where the
/// layout does not allow the view.
pub fn through(
    op: OperationRef,
    op_impl: &'static OpImpl,
    own: &Places,
) -> Result<Option<Vec<Places>>, String> {
    if !own.is_known() {
        let sizes = op
            .result_at(0)
            .ok()
            .and_then(|v| TensorType::<i64>::of(v.r#type()))
            .map(|ty| ty.shape)
            .unwrap_or_default();
        terrace_passes::graph::functionalize::needs_no_strides(op, op_impl, &own.at(None), &sizes)?;
    }
    let Some(constants) = layouts(op, op_impl, &own.at(None))? else { return Ok(None) };
    let mut views: Vec<Places> = constants
        .iter()
        .map(|l| Places {
            sizes: l.sizes.clone(),
            strides: l.strides.iter().map(|s| Sum::known(*s)).collect(),
            offset: Sum::known(l.offset),
        })
        .collect();
    for symbol in own.symbols() {
        let points = layouts(op, op_impl, &own.at(Some(symbol)))?.unwrap_or_default();
        for (view, point) in views.iter_mut().zip(points) {
            let sums = view.strides.iter_mut().chain([&mut view.offset]);
            for (sum, at) in sums.zip(point.strides.into_iter().chain([point.offset])) {
                if at != sum.constant {
                    sum.terms.push((symbol, at - sum.constant));
                }
            }
        }
    }
    Ok(Some(views))
}
