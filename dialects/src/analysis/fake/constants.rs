//! Numbers and tensors of few elements whose values are known.

use melior::ir::OperationRef;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use terrace_layout::dtype::Dtype;
use terrace_size::Size;

/// Elements that are kept, at most.
pub(super) const LARGEST: usize = 64;

/// An element, or a number.
#[derive(Clone, Copy, Debug)]
pub enum Element {
    /// An integer, perhaps an expression; 0 or 1 of truth values.
    Int(Size),
    /// A float.
    Float(f64),
}

impl Element {
    pub(super) fn is(self, other: Element) -> bool {
        match (self, other) {
            (Element::Int(a), Element::Int(b)) => a.id() == b.id(),
            (Element::Float(a), Element::Float(b)) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }

    /// Whether it is no expression.
    pub fn is_number(self) -> bool {
        !matches!(self, Element::Int(size) if size.known().is_none())
    }
}

/// A tensor whose elements are known, in row-major order; or a number.
#[derive(Clone, Debug)]
pub enum Constant {
    /// A tensor.
    #[allow(missing_docs)]
    Tensor { dtype: Dtype, sizes: Vec<i64>, elements: Vec<Element> },
    /// A number.
    Number(Element),
}

impl Constant {
    /// Whether no integer is large: some operators make as many elements.
    pub(super) fn is_low(&self) -> bool {
        let low = |element: &Element| !matches!(element, Element::Int(size) if size.known().is_none_or(|n| n > LARGEST as i64));
        match self {
            Constant::Tensor { elements, .. } => elements.iter().all(low),
            Constant::Number(number) => low(number),
        }
    }
}

/// Who computes operators on tensors whose elements are numbers.
pub trait Evaluate: Sync {
    /// The results of an operation on graph tensors and numbers; of an in-place operation its tensor
    /// afterwards. Operands that are not given are constants, or it is not known. None where it can't be
    /// computed, or where it draws.
    fn evaluate(&self, op: OperationRef, operands: &[Option<Constant>]) -> Option<Vec<Constant>>;
}

/// What a storage holds.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) dtype: Dtype,
    pub(super) elements: Rc<Vec<Option<Element>>>,
}

/// The contents of storages.
#[derive(Clone, Default)]
pub(super) struct Values {
    /// Shared by snapshots until it changes.
    pub(super) of: Rc<FxHashMap<usize, Contents>>,
    /// How often something was lost.
    pub lost: usize,
    pub evaluator: Option<&'static dyn Evaluate>,
}

impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_map().entries(self.of.iter()).finish()
    }
}

impl Values {
    /// What a storage holds is not known any more.
    pub fn forget(&mut self, storages: &[usize]) {
        for storage in storages.iter().filter(|storage| self.of.contains_key(storage)).collect::<Vec<_>>() {
            Rc::make_mut(&mut self.of).remove(storage);
            self.lost += 1;
        }
    }

    /// Nothing is known any more.
    pub fn forget_all(&mut self) {
        self.lost += self.of.len();
        self.of = Rc::default();
    }

    /// What storages hold here, to be put back or joined.
    pub fn snapshot(&self) -> Values {
        self.clone()
    }

    /// Goes on with what storages held at another place.
    pub fn back_to(&mut self, other: Values) {
        self.of = other.of;
    }

    /// Keeps what is the same on another way.
    pub fn meet(&mut self, other: &Values) {
        if Rc::ptr_eq(&self.of, &other.of) {
            return;
        }
        let before = self.of.len();
        Rc::make_mut(&mut self.of).retain(|storage, own| {
            let same = |a: &Option<Element>, b: &Option<Element>| match (a, b) {
                (Some(a), Some(b)) => a.is(*b),
                (a, b) => a.is_none() && b.is_none(),
            };
            other.of.get(storage).is_some_and(|other| {
                own.dtype == other.dtype
                    && own.elements.len() == other.elements.len()
                    && own.elements.iter().zip(other.elements.iter()).all(|(a, b)| same(a, b))
            })
        });
        self.lost += before - self.of.len();
    }
}
