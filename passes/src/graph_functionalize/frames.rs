//! Tensors whose strides are known when the program runs only.
//!
//! An argument may declare `graph.layout = "any"`, or `?` for a stride or the offset. What its elements are does not
//! depend on strides: its *frame* is a row-major tensor of its sizes, and views of it, reads and writes are layouts in the
//! frame, by the same arithmetic as those in memory. A view that would be another one by other strides is refused.
//!
//! What the caller sees does depend on strides. Views are made on the boundary by the operations that made them here, and
//! so have eager's strides whatever these are. A new tensor that eager lays out by the strides of its operands has a frame
//! too; the boundary says by which rule and like which tensors. Where there is no such rule, its strides are open, and it
//! can't be returned.

use super::{
    analysis::{Analysis, Origin, Tensor},
    boundary::as_strided,
    tensors::Layout,
};
use crate::functional::{Writer, Written};
use melior::ir::{
    Attribute, Identifier, Location, Operation, OperationRef, Value, ValueLike,
    attribute::DenseI64ArrayAttribute, operation::OperationBuilder,
};
use std::collections::{BTreeSet, HashMap};
use terrace_dialects::{
    args::Facts,
    internal,
    ir::OperationLike,
    refusal::Reason,
    size::{Number, Size},
    strided,
};
use terrace_dialects::{
    dtype::Dtype,
    ops::graph,
    pass::Failure,
    placement::{self, Strides, iterated},
    registry::OpImpl,
    rules,
    strided::creation,
    types::{TensorType, is_graph_tensor},
    view,
};

/// What is not known, and what would help.
pub const UNKNOWN: &str = "which are not known here: declare graph.layout = strided<[...], offset: ...> with static \
    numbers on the arguments that they come from";

/// What is known of a new storage's strides.
#[derive(Clone, Debug)]
pub enum Frame {
    /// They are numbers.
    Known,
    /// Those that eager gives to the result of an operator on these tensors, by a rule.
    Ruled {
        /// The tensors, in order.
        like: Vec<Like>,
        /// The rule.
        rule: Rule,
    },
    /// Not even these are.
    Open,
}

/// What strides a new tensor has, by those of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Those of a pointwise operator.
    Pointwise,
    /// Those of a copy of the only one that preserves the format.
    Preserved,
    /// Channels innermost where one of them suggests it, else row-major.
    Any,
    /// The same where all of them do.
    All,
}

/// An operand of a rule.
#[derive(Clone, Debug)]
pub enum Like {
    /// A number.
    Number,
    /// The tensor of this identity.
    Tensor(usize),
    /// A copy of the tensor of this identity, in this dtype.
    Copy(usize, Dtype),
}

/// A tensor as the boundary makes it.
#[derive(Clone, Debug)]
pub struct Made<'c> {
    /// The view operation.
    pub op: ViewOp<'c>,
    /// The identity of the tensor that it views.
    pub source: usize,
    /// The number of its result.
    pub index: usize,
}

/// A view operation apart from its operands.
#[derive(Clone, Debug)]
pub struct ViewOp<'c> {
    name: &'static str,
    location: Location<'c>,
    attributes: Vec<(Identifier<'c>, Attribute<'c>)>,
    /// The operands beside the tensor.
    numbers: Vec<Size>,
}

/// Refuses a view that strides decide.
pub fn check<N: Number>(
    op: OperationRef,
    op_impl: &OpImpl,
    own: &strided::Layout<N>,
    sizes: &[N],
) -> Result<(), String> {
    match op_impl.name {
        "graph.view_as_real" | "graph.view_as_complex" | "graph.view.dtype" => {
            let bytes = |value: Value| TensorType::of(value.r#type()).map(|t| t.dtype.bytes());
            let (own, result) = (op.operand(0).ok(), op.result_at(0).ok());
            if own.and_then(bytes) == result.and_then(|result| bytes(result.into())) {
                return Ok(());
            }
            Err(Reason::Layout
                .says(format!("sees elements as ones of another size, which depends on strides, {UNKNOWN}")))
        }
        "graph.as_strided" => {
            Err(Reason::Layout.says(format!("names places of a storage by strides of it, {UNKNOWN}")))
        }
        "graph.view" | "graph.view_as" => {
            if own.is_empty() || splits(&own.sizes, sizes) {
                Ok(())
            } else {
                Err(Reason::Layout.says(format!("joins dimensions, which depends on strides, {UNKNOWN}")))
            }
        }
        _ => Ok(()),
    }
}

/// Whether the first operand has as many dimensions as the result.
fn own_is_like(op: OperationRef, op_impl: &OpImpl, ty: &rules::TensorType) -> bool {
    let own = TensorType::<i64>::of(view::operand(op, op_impl, 0).r#type());
    own.is_some_and(|own| own.rank() == ty.rank())
}

/// How the strides of a new tensor come about: those of a few pointwise operators are the operand's, or row-major.
fn strides(op: OperationRef, op_impl: &OpImpl) -> Strides {
    match placement::strides(op_impl) {
        Strides::Pointwise if iterated::is_row_major(op, op_impl) => Strides::Contiguous,
        Strides::Pointwise if iterated::is_like(op_impl, view::operand(op, op_impl, 0)) => Strides::Like,
        strides => strides,
    }
}

/// Whether a new tensor is packed, whatever the operands are: it has one dimension.
pub(super) fn is_simple(op: OperationRef, op_impl: &OpImpl, ty: &rules::TensorType) -> bool {
    let copied = strides(op, op_impl) == Strides::Like;
    ty.rank() == 0 || ty.rank() == 1 && (!copied || ty.shape[0].known().is_some_and(|n| n > 1))
}

/// Whether the new sizes are the old ones, each split into several or one; sizes of 1 come and go.
pub fn splits<N: Number>(old: &[N], new: &[N]) -> bool {
    let mut new = new.iter().filter(|n| !n.is(1));
    let whole = old.iter().filter(|n| !n.is(1)).all(|size| {
        let mut parts = N::ONE;
        while parts < *size
            && let Some(n) = new.next()
        {
            parts = parts * *n;
        }
        parts == *size
    });
    whole && new.next().is_none()
}

impl<'c, 'a> Analysis<'c, 'a> {
    /// Takes a view operation apart; its results are `sizes`. The operand whose shape is taken goes: the shape says it.
    pub(super) fn named(&self, op: OperationRef<'c, 'a>, sizes: &[Vec<Size>]) -> Result<ViewOp<'c>, String> {
        let context = terrace_dialects::context::of(op.context());
        let mut numbers = vec![];
        let (name, by_shape) = match terrace_dialects::registry::of(op).map(|i| i.name).unwrap_or_default() {
            "graph.view_as" => ("graph.view", true),
            "graph.expand_as" => ("graph.expand", true),
            name => (name, false),
        };
        let mut attributes = vec![];
        if by_shape {
            let shape: Vec<i64> = sizes.iter().flatten().map(|size| size.in_type()).collect();
            numbers.extend(sizes.iter().flatten().filter(|size| size.known().is_none()));
            let size = DenseI64ArrayAttribute::new(context, &shape).into();
            attributes.push((Identifier::new(context, "size"), size));
        } else {
            attributes.extend(op.attributes());
            for value in op.operands().skip(1) {
                let number = self.number(value).or_else(|| super::constant_int(value).map(Size::from));
                numbers.push(number.ok_or_else(|| {
                    Reason::RunTime
                        .says("has a number that is known at run time only: it must be static here")
                })?);
            }
        }
        Ok(ViewOp { name, location: op.location(), attributes, numbers })
    }
}

impl<'c> ViewOp<'c> {
    /// The operation on a tensor.
    fn build(&self, operands: &[Value<'c, '_>]) -> Result<Operation<'c>, Failure> {
        Ok(OperationBuilder::new(self.name, self.location)
            .add_operands(operands)
            .add_attributes(&self.attributes)
            .enable_result_type_inference()
            .build()?)
    }
}

impl<'c, 'a> Analysis<'c, 'a> {
    fn is_open(&self, tensor: &Tensor) -> bool {
        matches!(tensor.origin, Origin::Fresh(i) if matches!(self.fresh[i].frame, Frame::Open))
    }

    /// What is known of the strides of a new tensor, where they depend on some that are not known, or on sizes that are known too late.
    pub(super) fn frame(
        &self,
        op: OperationRef<'c, 'a>,
        op_impl: &'static OpImpl,
        ty: &rules::TensorType<'c>,
        decided_late: bool,
    ) -> Result<Option<Frame>, String> {
        let own = || view::operand(op, op_impl, 0);
        let tensor =
            |v: Value<'c, 'a>| self.tensor(v).ok_or(internal!("uses a tensor that comes from elsewhere"));
        let strides = strides(op, op_impl);
        let simple = is_simple(op, op_impl, ty);
        let asked: Vec<(Value, Option<Dtype>)> = match strides {
            _ if simple && strides != Strides::Whole => return Ok(None),
            Strides::Contiguous | Strides::Given | Strides::Columns => return Ok(None),
            Strides::Like if iterated::format(op).is_some() => return Ok(None),
            Strides::Like => vec![(own(), None)],
            Strides::Pointwise => iterated::iterated(op, op_impl),
            _ => op.operands().filter(|v| is_graph_tensor(v.r#type())).map(|v| (v, None)).collect(),
        };
        let (mut framed, mut open, mut known, mut like) = (decided_late, false, vec![], vec![]);
        for (value, dtype) in &asked {
            let Some(own) = TensorType::of(value.r#type()) else {
                like.push(Like::Number);
                continue;
            };
            let tensor = tensor(*value)?;
            if self.is_framed(tensor.origin) {
                framed = true;
            } else {
                known.push(tensor.layout.clone());
            }
            open |= self.is_open(tensor);
            like.push(match dtype {
                // What is cast is copied first.
                Some(dtype) if *dtype != own.dtype => Like::Copy(tensor.identity, *dtype),
                _ => Like::Tensor(tensor.identity),
            });
        }
        let ruled = match strides {
            // One tensor that does not suggest channels last is enough.
            Strides::Cat => {
                let one = |t: &Layout| creation::cat(&ty.shape, std::slice::from_ref(t)).is_contiguous();
                if !(4..=5).contains(&ty.rank()) || known.iter().any(one) {
                    return Ok(None);
                }
                Some(Rule::All)
            }
            // Of volumes the library decides, too.
            Strides::Convolution | Strides::ConvolutionOfOne
                if ty.rank() == 4 && self.is_batch(op, op_impl) =>
            {
                // The bias has no say.
                like.truncate(2);
                Some(Rule::Any)
            }
            Strides::Suggested if own_is_like(op, op_impl, ty) => {
                like.truncate(1);
                Some(Rule::Any)
            }
            Strides::Like => Some(Rule::Preserved),
            Strides::Pointwise => Some(Rule::Pointwise),
            _ => None,
        };
        Ok(match (framed, ruled.filter(|_| !open)) {
            (false, _) => None,
            (true, None) => Some(Frame::Open),
            (true, Some(_)) if std::env::var("NORULED").is_ok() => Some(Frame::Open),
            (true, Some(rule)) => Some(Frame::Ruled { like, rule }),
        })
    }

    /// Whether a convolution is of a batch: its input has the dimensions of the weight.
    fn is_batch(&self, op: OperationRef<'c, 'a>, op_impl: &'static OpImpl) -> bool {
        let rank =
            |place| TensorType::<i64>::of(view::operand(op, op_impl, place).r#type()).map(|ty| ty.rank());
        rank(0) == rank(1)
    }

    /// The tensors that one is made of on the boundary.
    fn parts(&self, identity: usize) -> Vec<usize> {
        let (tensor, made) = &self.identities[identity];
        match (made, tensor.origin) {
            (Some(made), _) => vec![made.source],
            (None, Origin::Fresh(i)) => match &self.fresh[i].frame {
                Frame::Ruled { like, .. } => like.iter().filter_map(Like::identity).collect(),
                Frame::Known | Frame::Open => vec![],
            },
            (None, Origin::Argument(_) | Origin::Window(_)) => vec![],
        }
    }
}

impl Like {
    pub(super) fn identity(&self) -> Option<usize> {
        match self {
            Like::Number => None,
            Like::Tensor(identity) | Like::Copy(identity, _) => Some(*identity),
        }
    }
}

/// Tensors on the boundary, by identity.
pub struct Tensors<'c, 'a> {
    /// Those that are there.
    pub named: HashMap<usize, Value<'c, 'a>>,
}

impl<'c, 'a> Tensors<'c, 'a> {
    /// Those that are arguments.
    pub fn of_arguments(analysis: &Analysis<'c, 'a>, arguments: &[Value<'c, 'a>]) -> Self {
        let all = analysis.arguments.iter().zip(arguments);
        Self { named: all.filter_map(|(own, value)| Some((own.as_ref()?.identity, *value))).collect() }
    }

    /// The tensor of an identity, made where it is not there yet, with all that it is made of.
    pub fn get(
        &mut self,
        analysis: &Analysis<'c, 'a>,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        identity: usize,
    ) -> Result<Value<'c, 'a>, Failure> {
        let mut missing = BTreeSet::new();
        let mut next = vec![identity];
        while let Some(identity) = next.pop() {
            if !self.named.contains_key(&identity) && missing.insert(identity) {
                next.extend(analysis.parts(identity));
            }
        }
        // What a tensor is made of comes before it.
        for identity in missing {
            self.make(analysis, w, location, identity)?;
        }
        self.named.get(&identity).copied().ok_or_else(|| "a tensor is not made".into())
    }

    fn make(
        &mut self,
        analysis: &Analysis<'c, 'a>,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        identity: usize,
    ) -> Result<(), Failure> {
        let (tensor, made) = &analysis.identities[identity];
        let value = if let Some(Made { op, source, index, .. }) = made {
            let mut operands = vec![self.named[source]];
            for number in &op.numbers {
                operands.push(w.size(*number)?);
            }
            w.insert(Ok(op.build(&operands)?))?.result_at(*index)?.into()
        } else {
            match tensor.origin {
                Origin::Fresh(i) if let Frame::Ruled { like, rule } = &analysis.fresh[i].frame => {
                    let fresh = &analysis.fresh[i];
                    let mut operands = vec![];
                    for like in like {
                        operands.push(self.like(analysis, w, location, like)?);
                    }
                    new_storage(w, location, &fresh.layout.sizes, &operands, fresh.dtype, *rule)?
                }
                // Its strides are numbers: any tensor that has them will do.
                Origin::Fresh(_) => {
                    let places = [match tensor.layout.numbers() {
                        Some(numbers) => numbers.end().max(numbers.offset).into(),
                        None => tensor.layout.reach(),
                    }];
                    let whole = new_storage(w, location, &places, &[], Dtype::F32, Rule::Pointwise)?;
                    as_strided(w, location, whole, &tensor.layout)?
                }
                Origin::Window(_) => return Err("a window is made of numbers".into()),
                Origin::Argument(i) => {
                    let own = analysis.arguments[i].as_ref().ok_or(internal!("an argument is no tensor"))?;
                    let root = self.named[&own.identity];
                    as_strided(w, location, root, &tensor.layout)?
                }
            }
        };
        self.named.insert(identity, value);
        Ok(())
    }

    fn like(
        &self,
        analysis: &Analysis<'c, 'a>,
        w: &Writer<'c, 'a>,
        location: Location<'c>,
        like: &Like,
    ) -> Result<Value<'c, 'a>, Failure> {
        match like {
            Like::Tensor(identity) => Ok(self.named[identity]),
            Like::Number => new_storage(w, location, &[], &[], Dtype::F32, Rule::Pointwise),
            Like::Copy(identity, dtype) => {
                let sizes = &analysis.identities[*identity].0.layout.sizes;
                new_storage(w, location, sizes, &[self.named[identity]], *dtype, Rule::Preserved)
            }
        }
    }
}

pub(super) fn new_storage<'c, 'a>(
    w: &Writer<'c, 'a>,
    location: Location<'c>,
    sizes: &[Size],
    like: &[Value<'c, 'a>],
    dtype: Dtype,
    rule: Rule,
) -> Written<'c, 'a> {
    let preserve = (rule == Rule::Preserved).then(|| Attribute::unit(w.context));
    let suggested = match rule {
        Rule::Any => Some("any"),
        Rule::All => Some("all"),
        Rule::Pointwise | Rule::Preserved => None,
    };
    let (dynamic, sizes) = w.listed(sizes)?;
    let new =
        graph::new_storage(location, &dynamic, &sizes, like, dtype.to_type(w.context), preserve, suggested);
    Ok(w.insert(new)?.result_at(0)?.into())
}
