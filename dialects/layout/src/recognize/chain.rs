//! One view of a tensor by shapes alone, and a chain of them under construction.

use crate::Layout;
use terrace_size::Number;

/// One view of a tensor, by shapes alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<N = i64> {
    /// Result dimension `i` is dimension `.0[i]`.
    Permute(Vec<usize>),
    /// The same elements in another shape.
    View(Vec<N>),
    /// A dimension of size 1 comes at `.0`.
    Unsqueeze(usize),
    /// Dimensions of size 1 go.
    Squeeze(Vec<usize>),
    /// One index of a dimension, which goes.
    #[allow(missing_docs)]
    Select { dim: usize, index: N },
    /// `length` indices of a dimension.
    #[allow(missing_docs)]
    Slice { dim: usize, start: N, length: N, step: N },
    /// The diagonal of two dimensions, as the last one.
    #[allow(missing_docs)]
    Diagonal { offset: i64, dim1: usize, dim2: usize },
    /// Dimensions of size 1 repeat.
    Expand(Vec<N>),
    /// Places counted over all elements in row-major order.
    AsStrided(Layout<N>),
}

impl<N: Number> Step<N> {
    /// What the step does to a layout; None where strides can't say it.
    pub fn apply(&self, layout: &Layout<N>) -> Option<Layout<N>> {
        Some(match self {
            Self::Permute(order) => layout.permute(order),
            Self::View(sizes) => return layout.view(sizes),
            Self::Unsqueeze(dim) => layout.unsqueeze(*dim),
            Self::Squeeze(dims) => layout.squeeze(dims),
            Self::Select { dim, index } => layout.select(*dim, *index),
            Self::Slice { dim, start, length, step } => layout.slice(*dim, *start, *length, *step),
            Self::Diagonal { offset, dim1, dim2 } => layout.diagonal(*offset, *dim1, *dim2),
            Self::Expand(sizes) => layout.expand(sizes),
            Self::AsStrided(strided) => {
                return (layout.is_contiguous() && layout.offset.assume_eq(0)).then(|| strided.clone());
            }
        })
    }

    /// The shape that the step makes of a shape.
    pub fn shape(&self, sizes: &[N]) -> Vec<N> {
        match self {
            Self::View(to) | Self::Expand(to) => to.clone(),
            _ => self.apply(&Layout::contiguous(sizes)).map(|l| l.sizes).unwrap_or_default(),
        }
    }

    /// Whether the result has all elements of the operand, each once.
    pub fn keeps_all(&self) -> bool {
        matches!(self, Self::Permute(_) | Self::View(_) | Self::Unsqueeze(_) | Self::Squeeze(_))
    }
}

/// A chain under construction: a name for each dimension it has so far.
pub struct Chain<N> {
    pub names: Vec<usize>,
    pub sizes: Vec<N>,
    pub steps: Vec<Step<N>>,
}

impl<N: Number> Chain<N> {
    pub fn new(sizes: &[N]) -> Self {
        Self { names: (0..sizes.len()).collect(), sizes: sizes.to_vec(), steps: vec![] }
    }

    pub fn place(&self, name: usize) -> usize {
        self.names.iter().position(|n| *n == name).expect("the dimension is there")
    }

    pub fn push(&mut self, step: Step<N>) {
        self.sizes = step.shape(&self.sizes);
        self.steps.push(step);
    }

    pub fn select(&mut self, name: usize, index: N) {
        let dim = self.place(name);
        self.push(Step::Select { dim, index });
        self.names.remove(dim);
    }

    pub fn slice(&mut self, name: usize, start: N, length: N, step: N) {
        let dim = self.place(name);
        if length.assume_ne(self.sizes[dim]) {
            self.push(Step::Slice { dim, start, length, step });
        }
    }

    pub fn permute(&mut self, names: &[usize]) {
        let order: Vec<usize> = names.iter().map(|n| self.place(*n)).collect();
        if !order.iter().copied().eq(0..order.len()) {
            self.push(Step::Permute(order));
            self.names = names.to_vec();
        }
    }

    /// Another shape of the same elements: said by dimensions of size 1 where that is all that differs.
    pub fn reshape(&mut self, to: &[N]) {
        if N::assume_same(&self.sizes, to) {
            return;
        }
        // A view of a view is a view.
        if let Some(Step::View(sizes)) = self.steps.last_mut() {
            *sizes = to.to_vec();
            self.sizes = to.to_vec();
            return;
        }
        let dropped = ones_dropped(&self.sizes, to);
        let added = ones_dropped(to, &self.sizes);
        match (dropped, added.as_deref()) {
            (Some(dims), _) => self.push(Step::Squeeze(dims)),
            (None, Some([dim])) => self.push(Step::Unsqueeze(*dim)),
            _ => self.push(Step::View(to.to_vec())),
        }
    }

    /// Brings the chain into the target's order and shape: `walked[j]` is the name of its dimension `j`, None
    /// for one of size 1.
    pub fn finish(mut self, walked: &[Option<usize>], sizes: &[N]) -> Vec<Step<N>> {
        let named = |n: &usize| walked.contains(&Some(*n));
        let mut ones = self.names.iter().copied().filter(|n| !named(n)).collect::<Vec<_>>().into_iter();
        if ones.len() == walked.iter().filter(|w| w.is_none()).count() {
            let order: Vec<usize> = walked.iter().filter_map(|w| w.or_else(|| ones.next())).collect();
            self.permute(&order);
            return self.steps;
        }
        let order: Vec<usize> = walked.iter().flatten().copied().collect();
        let kept: Vec<usize> = self.names.iter().copied().filter(named).collect();
        if order != kept {
            let bare: Vec<N> = kept.iter().map(|n| self.sizes[self.place(*n)]).collect();
            self.reshape(&bare);
            self.names = kept;
            self.permute(&order);
        }
        self.reshape(sizes);
        self.steps
    }
}

/// The dimensions of size 1 to drop from one shape to get another; None where that is not the difference.
fn ones_dropped<N: Number>(from: &[N], to: &[N]) -> Option<Vec<usize>> {
    let mut rest = to.iter();
    let mut next = rest.next();
    let mut out = vec![];
    for (d, n) in from.iter().enumerate() {
        if next.is_some_and(|next| next.assume_eq(*n)) {
            next = rest.next();
        } else if n.assume_eq(1) {
            out.push(d);
        } else {
            return None;
        }
    }
    next.is_none().then_some(out)
}
