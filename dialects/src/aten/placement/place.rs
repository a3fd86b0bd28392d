//! What the results of an operation of graph are: operands, views of them, or new tensors.

use super::{Asked, either, objects, views::Viewed};
use crate::{
    aten::foreach,
    ir::{
        args::KnownValues,
        device::is_cuda,
        dtype::Dtype,
        operator::Strides,
        registry::{self, OpImpl},
        types::TensorType,
        view,
    },
};
use melior::ir::{OperationRef, Value};
use terrace_layout::Layout;
use terrace_size::Number;

/// What is known of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Known<N> {
    /// Sizes, strides and offset.
    pub layout: Layout<N>,
    /// The dtype.
    pub dtype: Dtype,
    /// Whether it is the conjugate of what is stored.
    pub conj: bool,
    /// Whether it is the negative of what is stored.
    pub neg: bool,
}

/// What a result is.
#[derive(Clone, Debug)]
pub enum Placed<'c, 'a, N> {
    /// An operand itself.
    Operand(Value<'c, 'a>),
    /// Another view of an operand's storage.
    View(Value<'c, 'a>, Known<N>),
    /// The object that the first operand was, as a view of an operand's storage; of a new one where there is
    /// no operand.
    Object(Option<Value<'c, 'a>>, Known<N>),
    /// A new tensor.
    New(Known<N>),
}

/// A question for what an operation's results are.
pub struct Question<'l, 'c, 'a, N> {
    /// The operation.
    pub op: OperationRef<'c, 'a>,
    /// Its class, of the graph dialect.
    pub class: &'static OpImpl,
    /// The types of the results.
    pub results: &'l [TensorType<'c, N>],
    /// What is known of a tensor.
    pub tensor: &'l dyn Fn(Value<'c, 'a>) -> Result<Known<N>, String>,
    /// The number that a value is, where it is known.
    pub number: &'l dyn Fn(Value<'c, 'a>) -> Option<N>,
    /// What rules may ask, where more is known than types say.
    pub known: Option<&'l dyn KnownValues<'c>>,
}

/// What the results are.
pub type Places<'c, 'a, N> = Result<Vec<Placed<'c, 'a, N>>, String>;

impl<'c, 'a, N: Number> Question<'_, 'c, 'a, N> {
    /// The operand of a place in ODS.
    pub(super) fn operand(&self, place: usize) -> Value<'c, 'a> {
        view::operand(self.op, self.class, place)
    }

    /// What is known of the operand of a place in ODS.
    pub(super) fn own(&self, place: usize) -> Result<Known<N>, String> {
        (self.tensor)(self.operand(place))
    }

    /// The type of a result.
    pub(super) fn result(&self, number: usize) -> Result<&TensorType<'c, N>, String> {
        self.results.get(number).ok_or_else(|| "has no such result".into())
    }

    /// A new tensor of a layout, in the dtype of a result.
    pub(super) fn new_tensor(&self, number: usize, layout: Layout<N>) -> Places<'c, 'a, N> {
        let dtype = self.result(number)?.dtype;
        Ok(vec![Placed::New(Known { layout, dtype, conj: false, neg: false })])
    }

    /// The results of the view operation `name` of the first operand, whose attributes this one has too.
    pub(super) fn views(&self, name: &str) -> Result<Vec<Known<N>>, String> {
        let op_impl = registry::by_name(name).ok_or_else(|| format!("there is no operation {name}"))?;
        let own = self.own(0)?;
        let sizes: Vec<Vec<N>> = self.results.iter().map(|ty| ty.shape.clone()).collect();
        let viewed = Viewed { op: self.op, op_impl, own: &own.layout, results: &sizes, number: self.number }
            .layouts()?;
        let layouts = viewed.ok_or_else(|| format!("{name} is no view"))?;
        let flags = |dtype: Dtype| match name {
            "graph._conj" => (!own.conj, own.neg),
            "graph._neg_view" => (own.conj, !own.neg),
            "graph.view_as_real" | "graph.view_as_complex" => (false, own.neg),
            _ if dtype.is_complex() != own.dtype.is_complex() => (false, false),
            _ => (own.conj, own.neg),
        };
        let known = |(layout, ty): (Layout<N>, &TensorType<N>)| {
            let (conj, neg) = flags(ty.dtype);
            Known { layout, dtype: ty.dtype, conj, neg }
        };
        Ok(layouts.into_iter().zip(self.results).map(known).collect())
    }

    /// What the results are, each in its place.
    ///
    /// # Errors
    /// In eager's words where strides do not allow a view; and where eager's choice depends on what is not
    /// known here.
    pub fn placed(&self) -> Places<'c, 'a, N> {
        let name = self.class.name;
        if let Some(places) = objects::placed(self).or_else(|| either::placed(self)) {
            return places;
        }
        if self.class.view {
            let own = self.operand(0);
            return Ok(self.views(name)?.into_iter().map(|known| Placed::View(own, known)).collect());
        }
        if foreach::is_foreach(self.class) {
            return self.lists();
        }
        if self.class.is_in_place() {
            return Ok(vec![Placed::Operand(self.operand(0))]);
        }
        let layout = &|value| (self.tensor)(value).map(|known| known.layout);
        let asked = |(number, ty): (usize, &TensorType<'c, N>)| {
            let asked = Asked {
                op: self.op,
                op_impl: self.class,
                number,
                sizes: &ty.shape,
                device: ty.device,
                layout,
            };
            let layout = asked.new_layout()?.check()?;
            Ok(Placed::New(Known { layout, dtype: ty.dtype, conj: false, neg: false }))
        };
        self.results.iter().enumerate().map(asked).collect()
    }

    /// Operators on lists: each result as the operator on one tensor lays it out.
    fn lists(&self) -> Places<'c, 'a, N> {
        let singles = foreach::singles(self.op, self.class)?;
        let mut places = vec![];
        let layout = &|value| (self.tensor)(value).map(|known| known.layout);
        for (single, ty) in singles.iter().zip(self.results) {
            let operand =
                |place: usize| single.operands.get(place).and_then(|values| values.first().copied());
            let own = operand(0).ok_or("has no operand")?;
            let layout = match single.class.strides {
                Strides::Pointwise if super::iterated::is_like(single.class, own) => {
                    super::creation::like(&layout(own)?)
                }
                Strides::Contiguous => Layout::contiguous(&ty.shape),
                Strides::Like => match super::iterated::format(self.op) {
                    Some(format) => super::creation::in_format(&ty.shape, &format),
                    None => super::creation::like(&layout(own)?),
                },
                _ => {
                    let operands = super::iterated::iterated_among(self.op, single.class, &operand);
                    super::pointwise(&ty.shape, &operands, layout, is_cuda(ty.device))?
                }
            };
            places.push(Placed::New(Known { layout, dtype: ty.dtype, conj: false, neg: false }));
        }
        Ok(places)
    }
}
