//! Pointwise operators: broadcast shapes, promoted dtypes; in place: `self` may not grow nor lose its dtype.

use super::{
    Size, TensorType, Types, broadcast,
    creation::{integer, representable},
    may_equal_shapes, not_implemented, one,
};
use crate::ir::{
    args::Args,
    dtype::{Category, Dtype, ElementType, Operand, is_half_complex, promote},
    operations::constant,
    types::Shape,
};
use melior::ir::{Type, ValueLike};
use terrace_size::Number;

/// What has no dtype.
pub(super) const HALF_COMPLEX: &str =
    "makes complex numbers of half precision, which are not supported: convert to f32 first";

/// What the operands of a pointwise operator come to.
pub(super) struct Joined {
    pub shape: Vec<Size>,
    pub dtype: Dtype,
}

pub(super) fn category_of(ty: Type) -> Option<Category> {
    Dtype::of(ty).map(Dtype::category)
}

/// Joins the operands at ODS places `places`; absent ones are skipped.
pub(super) fn join<'c>(args: &Args<'c, '_>, places: &[usize]) -> Result<Joined, String> {
    let mut shape: Option<Vec<Size>> = None;
    let mut operands = vec![];
    let mut first: Option<TensorType> = None;
    for place in places {
        let Some(value) = args.optional(*place)? else { continue };
        let Some(tensor) = args.tensor_of(value) else {
            let category = category_of(value.r#type()).ok_or_else(|| {
                format!("operand {place} is neither a tensor nor a number: {}", value.r#type())
            })?;
            operands.push(Operand::Number(category));
            continue;
        };
        let zero_dim = tensor.rank() == 0;
        operands.push(if zero_dim {
            Operand::ZeroDim(tensor.dtype)
        } else {
            Operand::Dimensioned(tensor.dtype)
        });
        if args.is_graph() {
            shape = Some(match &shape {
                Some(s) => broadcast(s, &tensor.shape)?,
                None => tensor.shape.clone(),
            });
        } else if let Some(first) = &first {
            if !Size::assume_same(&first.shape, &tensor.shape) || first.dtype != tensor.dtype {
                return Err(format!(
                    "expects operands of one type, got {} and {}",
                    first.to_type(args.context()),
                    tensor.to_type(args.context())
                ));
            }
        } else {
            shape = Some(tensor.shape.clone());
            first = Some(tensor);
        }
    }
    let shape = shape.ok_or("expects a tensor among its operands")?;
    if is_half_complex(&operands) {
        return Err(HALF_COMPLEX.into());
    }
    Ok(Joined { shape, dtype: promote(&operands) })
}

/// `self` and `other`, if there is one.
fn operands<'c>(args: &Args<'c, '_>) -> Result<Joined, String> {
    // rsub is sub the other way round.
    match args.operator() {
        "rsub" => join(args, &[1, 0]),
        _ => join(args, if args.operand_count() > 1 { &[0, 1] } else { &[0] }),
    }
}

/// Numbers that are converted to the result's dtype: `alpha`, the third operand, must be castable to it.
fn check_numbers(args: &Args, joined: &Joined) -> Result<(), String> {
    if args.operand_count() > 2
        && let Some(alpha) = args.optional(2)?
        && let Some(category) = category_of(alpha.r#type())
    {
        if category >= Category::Float && !joined.dtype.is_inexact() {
            return Err(
                "For integral input tensors, argument alpha must not be a floating point number.".into()
            );
        }
        if category == Category::Complex && !joined.dtype.is_complex() {
            return Err("For non-complex input tensors, argument alpha must not be a complex number.".into());
        }
        if category == Category::Bool && joined.dtype != Dtype::Bool {
            return Err("Boolean alpha only supported for Boolean results.".into());
        }
        representable(alpha, joined.dtype)?;
    }
    Ok(())
}

/// An exponent that is a number beside integers is not negative, and one of their dtype; also beside half
/// precision.
fn check_exponent(args: &Args, joined: &Joined) -> Result<(), String> {
    if args.operator() == "pow"
        && let Some(exponent) = args.optional(1)?.filter(|e| TensorType::of_type(e.r#type()).is_none())
    {
        let integral = joined.dtype.category() == Category::Integer;
        if integral && constant(exponent).is_some_and(|e| integer(e) < 0) {
            return Err("Integers to negative integer powers are not allowed.".into());
        }
        if integral || is_half(joined.dtype) {
            representable(exponent, joined.dtype)?;
        }
    }
    Ok(())
}

/// What the kernel of an operator is called.
pub(super) fn kernel(args: &Args) -> String {
    match (args.class().kernel, args.operator()) {
        ("", "div") => {
            let mode = args.attribute("rounding_mode").map_or("true".into(), crate::ir::attributes::string);
            format!("div_{mode}_cpu")
        }
        ("", name) => format!("{name}_cpu"),
        (kernel, _) => kernel.into(),
    }
}

/// The operators of [`arithmetic`] that have no bools.
fn check_bool(args: &Args, joined: &Joined) -> Result<(), String> {
    match args.operator() {
        _ if joined.dtype != Dtype::Bool => Ok(()),
        "relu" => Err("Boolean inputs not supported for relu".into()),
        "abs" | "pow" => Err(not_implemented(&kernel(args), joined.dtype)),
        _ => Ok(()),
    }
}

fn is_half(dtype: Dtype) -> bool {
    dtype.opmath() != dtype
}

fn default_float(dtype: Dtype) -> Dtype {
    if dtype.is_inexact() { dtype } else { Dtype::F32 }
}

pub(super) fn result<'c>(args: &Args<'c, '_>, joined: &Joined, dtype: Dtype) -> Types<'c> {
    Ok(vec![args.result(&joined.shape, dtype)])
}

/// Whether what is written takes a result of the shape that operands broadcast to.
pub(super) fn takes_shape(own: &[Size], broadcast: &[Size]) -> Result<(), String> {
    if may_equal_shapes(own, broadcast) {
        return Ok(());
    }
    Err(format!("output with shape {} doesn't match the broadcast shape {}", Shape(own), Shape(broadcast)))
}

/// The type of `self`, which must take a result of the joined shape and of `dtype`.
pub(super) fn in_place<'c>(args: &Args<'c, '_>, joined: &Joined, dtype: Dtype) -> Types<'c> {
    let own = args.tensor(0)?;
    takes_shape(&own.shape, &joined.shape)?;
    if !dtype.casts_to(own.dtype) {
        return Err(format!(
            "result type {} can't be cast to the desired output type {}",
            dtype.aten_name(),
            own.dtype.aten_name()
        ));
    }
    one(&own)
}

/// The result has the promoted dtype.
pub fn arithmetic<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    check_exponent(args, &joined)?;
    check_bool(args, &joined)?;
    check_numbers(args, &joined)?;
    result(args, &joined, joined.dtype)
}

/// [`arithmetic`] into `self`.
pub fn arithmetic_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    check_exponent(args, &joined)?;
    let own = in_place(args, &joined, joined.dtype)?;
    check_bool(args, &joined)?;
    check_numbers(args, &joined)?;
    Ok(own)
}

fn no_bool(joined: &Joined) -> Result<(), String> {
    if joined.dtype == Dtype::Bool {
        return Err("Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, \
                    use the `~` or `logical_not()` operator instead."
            .into());
    }
    Ok(())
}

pub(super) fn subtractable(args: &Args) -> Result<(), String> {
    let is_bool = |i: usize| -> Result<bool, String> {
        let ty = args.operand(i)?.r#type();
        Ok(TensorType::of_type(ty).map(|t| t.dtype).or_else(|| Dtype::of(ty)) == Some(Dtype::Bool))
    };
    match (is_bool(0)?, is_bool(1)?) {
        (true, true) => Err("Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or \
                             `logical_xor()` operator instead."
            .into()),
        (true, _) | (_, true) => Err("Subtraction, the `-` operator, with a bool tensor is not supported. If you are \
                                      trying to invert a mask, use the `~` or `logical_not()` operator instead."
            .into()),
        _ => Ok(()),
    }
}

/// [`arithmetic`] that refuses bool operands.
pub fn subtraction<'c>(args: &Args<'c, '_>) -> Types<'c> {
    subtractable(args)?;
    arithmetic(args)
}

/// [`subtraction`] into `self`.
pub fn subtraction_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    subtractable(args)?;
    arithmetic_in_place(args)
}

/// [`arithmetic`] of one operand that is no bool.
pub fn negation<'c>(args: &Args<'c, '_>) -> Types<'c> {
    no_bool(&operands(args)?)?;
    arithmetic(args)
}

/// [`negation`] into `self`.
pub fn negation_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    no_bool(&operands(args)?)?;
    arithmetic_in_place(args)
}

/// Integers become the default dtype, f32; functional takes floats only.
pub fn float_arithmetic<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    if !args.is_graph() && !joined.dtype.is_inexact() {
        return Err(format!("expects floating-point operands, got {}", joined.dtype.aten_name()));
    }
    result(args, &joined, default_float(joined.dtype))
}

/// [`float_arithmetic`] into `self`.
pub fn float_arithmetic_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    in_place(args, &joined, default_float(joined.dtype))
}

/// The quotient of reals, or with a rounding mode that of [`number`].
pub fn division<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if rounds(args)? { number(args) } else { float_arithmetic(args) }
}

/// [`division`] into `self`.
pub fn division_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    if rounds(args)? { number_in_place(args) } else { float_arithmetic_in_place(args) }
}

fn rounds(args: &Args) -> Result<bool, String> {
    let Some(mode) = args.attribute("rounding_mode").map(crate::ir::attributes::string) else {
        return Ok(false);
    };
    if mode == "trunc" || mode == "floor" {
        return Ok(true);
    }
    Err(format!("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'"))
}

fn no_truth(args: &Args) -> Result<(), String> {
    let dtype = operands(args)?.dtype;
    if dtype == Dtype::Bool { Err(not_implemented(&kernel(args), dtype)) } else { Ok(()) }
}

/// [`arithmetic`] that has nothing for bool.
pub fn number<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let types = arithmetic(args)?;
    no_truth(args)?;
    Ok(types)
}

/// [`number`] into `self`.
pub fn number_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let types = arithmetic_in_place(args)?;
    no_truth(args)?;
    Ok(types)
}

/// The power to 2, a number: of bool it is an integer.
fn squared<'c>(args: &Args<'c, '_>) -> Result<Joined, String> {
    let joined = operands(args)?;
    let dtype = if joined.dtype == Dtype::Bool { Dtype::I64 } else { joined.dtype };
    Ok(Joined { dtype, ..joined })
}

/// `self * self`.
pub fn square<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = squared(args)?;
    result(args, &joined, joined.dtype)
}

/// [`square`] into `self`.
pub fn square_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = squared(args)?;
    in_place(args, &joined, joined.dtype)
}

/// [`arithmetic`] of floats only.
pub fn floats<'c>(args: &Args<'c, '_>) -> Types<'c> {
    floats_only(args)?;
    arithmetic(args)
}

/// [`floats`] into `self`.
pub fn floats_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let types = arithmetic_in_place(args)?;
    floats_only(args)?;
    Ok(types)
}

fn floats_only(args: &Args) -> Result<(), String> {
    let dtype = operands(args)?.dtype;
    let complex = matches!(args.operator(), "silu" | "logaddexp");
    let some = if complex { dtype.is_inexact() } else { dtype.is_float() };
    if some { Ok(()) } else { Err(not_implemented(&kernel(args), dtype)) }
}

pub(super) fn approximation(args: &Args) -> Result<(), String> {
    match args.attribute("approximate").map(crate::ir::attributes::string).as_deref() {
        None | Some("none" | "tanh") => Ok(()),
        _ => Err("approximate argument must be either none or tanh.".into()),
    }
}

/// gelu: floats, and an approximation of a known name.
pub fn gelu<'c>(args: &Args<'c, '_>) -> Types<'c> {
    approximation(args)?;
    floats(args)
}

/// [`gelu`] into `self`.
pub fn gelu_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    gelu(args)
}

fn bits(args: &Args, joined: &Joined) -> Result<(), String> {
    if joined.dtype.is_inexact() {
        return Err(not_implemented(&kernel(args), joined.dtype));
    }
    Ok(())
}

/// Integers and bools only.
pub fn bitwise<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    bits(args, &joined)?;
    result(args, &joined, joined.dtype)
}

/// [`bitwise`] into `self`.
pub fn bitwise_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    let own = in_place(args, &joined, joined.dtype)?;
    bits(args, &joined)?;
    Ok(own)
}

/// The result is bool.
pub fn predicate<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    result(args, &joined, Dtype::Bool)
}

/// [`predicate`] into `self`, whose dtype may be any.
pub fn predicate_in_place<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let joined = operands(args)?;
    in_place(args, &joined, Dtype::Bool)
}
