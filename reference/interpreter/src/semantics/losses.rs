//! Losses: of single elements, which are then summed or averaged, and of classes.

use super::{
    backward,
    copy::{self, packed},
    creation,
    elements::{reals, store_reals},
    error::{Result, ensure},
    normalization,
    pointwise::apply,
    promotion::Operand,
    reduction,
    scalar_table::{self as rows, Pointwise},
    strides,
    term::Term,
    views,
};
use std::ops::RangeInclusive;
use terrace_tensor::{Dtype, Scalar, Tensor};

/// 0 for none, 1 for the mean, 2 for the sum.
pub fn reduce(losses: Tensor, reduction: i64) -> Result<Tensor> {
    match reduction {
        1 => reduction::mean(&losses, None, false, None),
        2 => reduction::sum(&losses, None, false, None),
        _ => Ok(losses),
    }
}

/// A loss of single elements.
///
/// # Errors
/// When the operands do not broadcast.
pub fn loss(
    row: &Pointwise,
    own: &Tensor,
    target: &Tensor,
    numbers: &[f64],
    reduction: i64,
) -> Result<Tensor> {
    let numbers: Vec<Scalar> = numbers.iter().map(|number| Scalar::Float(*number)).collect();
    let losses = apply(row, &[Operand::Tensor(own), Operand::Tensor(target)], &numbers)?;
    reduce(if row.name == "huber_loss" { like(own, &losses)? } else { losses }, reduction)
}

/// The same elements in the layout of a copy of another tensor.
fn like(layout: &Tensor, elements: &Tensor) -> Result<Tensor> {
    let out = Tensor::zeros_strided(elements.dtype(), elements.sizes(), &strides::preserved(layout))?;
    super::elements::copy(&out, elements);
    Ok(out)
}

/// `l1_loss`: the differences without their signs.
///
/// # Errors
/// When the operands do not broadcast.
pub fn l1_loss(own: &Tensor, target: &Tensor, reduction: i64) -> Result<Tensor> {
    let one = [Scalar::Int(1)];
    let difference = apply(&rows::SUB, &[Operand::Tensor(own), Operand::Tensor(target)], &one)?;
    reduce(apply(&rows::ABS, &[Operand::Tensor(&difference)], &[])?, reduction)
}

/// `within`: a copy of a tensor, where all elements lie in a range: others may be computed into it.
///
/// # Errors
/// The message where one does not.
pub fn within(tensor: &Tensor, range: RangeInclusive<f64>, message: &str) -> Result<Tensor> {
    check_within(tensor, range, message)?;
    copy::to_copy(tensor, tensor.dtype())
}

fn check_within(tensor: &Tensor, range: RangeInclusive<f64>, message: &str) -> Result<()> {
    let all = reals(tensor, Dtype::F64);
    ensure!(all.iter().all(|x| range.contains(&x.value)), "{message}");
    Ok(())
}

/// Elements between 0 and 1.
fn probabilities(tensor: &Tensor, what: &str) -> Result<()> {
    check_within(tensor, 0.0..=1.0, &format!("all elements of {what} should be between 0 and 1"))
}

fn weighted(losses: Tensor, weight: Option<&Tensor>) -> Result<Tensor> {
    match weight {
        Some(weight) => apply(&rows::MUL, &[Operand::Tensor(&losses), Operand::Tensor(weight)], &[]),
        None => Ok(losses),
    }
}

/// `binary_cross_entropy`; with logits of a third operand that weighs the positive ones.
///
/// # Errors
/// When an element is no probability.
pub fn binary_cross_entropy(
    own: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
) -> Result<Tensor> {
    probabilities(own, "input")?;
    probabilities(target, "target")?;
    let losses = apply(&rows::BINARY_CROSS_ENTROPY, &[Operand::Tensor(own), Operand::Tensor(target)], &[])?;
    reduce(like(own, &weighted(losses, weight)?)?, reduction)
}

/// `binary_cross_entropy_with_logits`.
///
/// # Errors
/// When the operands do not broadcast.
pub fn binary_cross_entropy_with_logits(
    own: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    positive: Option<&Tensor>,
    reduction: i64,
) -> Result<Tensor> {
    let one = creation::full(&[], Scalar::Float(1.0), own.dtype())?;
    let operands = [own, target, positive.unwrap_or(&one)].map(Operand::Tensor);
    let losses = apply(&rows::BINARY_CROSS_ENTROPY_WITH_LOGITS, &operands, &[])?;
    reduce(like(target, &weighted(losses, weight)?)?, reduction)
}

/// The gradient of a loss of single elements: of the mean each has its part. The gradient that comes in
/// iterates last.
///
/// # Errors
/// When the operands do not broadcast.
pub fn loss_backward(
    row: &Pointwise,
    grad: &Tensor,
    own: &Tensor,
    target: &Tensor,
    number: Option<f64>,
    reduction: i64,
) -> Result<Tensor> {
    let factor = if reduction == 1 { 1.0 / own.len() as f64 } else { 1.0 };
    let numbers: Vec<Scalar> = number.into_iter().chain([factor]).map(Scalar::Float).collect();
    let made = apply(row, &[own, target, grad].map(Operand::Tensor), &numbers)?;
    // Eager makes it row-major.
    let out = Tensor::zeros(made.dtype(), made.sizes())?;
    super::elements::copy(&out, &made);
    Ok(out)
}

/// `binary_cross_entropy_backward`.
///
/// # Errors
/// When the operands do not broadcast.
pub fn binary_cross_entropy_backward(
    grad: &Tensor,
    own: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
) -> Result<Tensor> {
    let row = &rows::BINARY_CROSS_ENTROPY_BACKWARD;
    let mut made = weighted(apply(row, &[own, target, grad].map(Operand::Tensor), &[])?, weight)?;
    if reduction == 1 {
        let count = Operand::Scalar(Scalar::Float(own.len() as f64));
        made = apply(rows::div(None)?, &[Operand::Tensor(&made), count], &[])?;
    }
    like(own, &made)
}

/// What losses of classes have.
#[derive(Clone, Copy)]
pub struct Classes<'t> {
    /// How much each class counts.
    pub weight: Option<&'t Tensor>,
    /// 0 for none, 1 for the mean, 2 for the sum.
    pub reduction: i64,
    /// The class that counts for nothing.
    pub ignore: i64,
}

/// The classes last: samples [N * .., C], and the sizes of all but the classes.
fn samples(own: &Tensor) -> Result<(Tensor, Vec<i64>)> {
    let (mut rest, classes) = (own.sizes().to_vec(), own.sizes()[1]);
    rest.remove(1);
    let last = packed(&views::movedim(own, &[1], &[-1])?)?;
    Ok((views::view(&last, &[rest.iter().product(), classes])?, rest))
}

/// `nll_loss_nd`: classes in dimension 1, or in the only one; the losses, and the weight of all samples.
///
/// # Errors
/// When a target is no class.
pub fn nll_loss(own: &Tensor, target: &Tensor, how: Classes) -> Result<[Tensor; 2]> {
    if own.rank() < 3 {
        return backward::nll_loss_forward(own, target, how.weight, how.reduction, how.ignore);
    }
    let (rows, rest) = samples(own)?;
    let target = views::view(&packed(target)?, &[rest.iter().product()])?;
    let [losses, total] = backward::nll_loss_forward(&rows, &target, how.weight, how.reduction, how.ignore)?;
    Ok([if how.reduction == 0 { views::view(&losses, &rest)? } else { losses }, total])
}

/// `nll_loss2d_backward`: row-major.
///
/// # Errors
/// When a target is no class.
pub fn nll_loss2d_backward(
    grad: &Tensor,
    own: &Tensor,
    target: &Tensor,
    how: Classes,
    total: &Tensor,
) -> Result<Tensor> {
    let (rows, rest) = samples(own)?;
    let count = rest.iter().product();
    let target = views::view(&packed(target)?, &[count])?;
    let grad = if how.reduction == 0 { views::view(&packed(grad)?, &[count])? } else { grad.clone() };
    let made =
        backward::nll_loss_backward(&grad, &rows, &target, how.weight, how.reduction, how.ignore, total)?;
    let made = views::view(&made, &[&rest[..], &own.sizes()[1..2]].concat())?;
    let out = Tensor::zeros(own.dtype(), own.sizes())?;
    super::elements::copy(&out, &views::movedim(&made, &[-1], &[1])?);
    Ok(out)
}

/// `cross_entropy_loss`: of logits, with targets that are classes or probabilities. Smoothing takes its part
/// of a target and gives it to all classes alike.
///
/// # Errors
/// When a target is no class.
pub fn cross_entropy_loss(own: &Tensor, target: &Tensor, how: Classes, smoothing: f64) -> Result<Tensor> {
    let dim = if own.rank() == 1 { 0 } else { 1 };
    let logarithms = normalization::log_softmax(own, dim, None)?;
    let of_probabilities = target.dtype().is_float();
    if !of_probabilities && smoothing == 0.0 {
        let [losses, _] = nll_loss(&logarithms, target, how)?;
        return Ok(losses);
    }
    let dtype = own.dtype();
    let classes = own.sizes()[dim as usize] as usize;
    let single = own.rank() == 1;
    let (logs, rest) = match single {
        true => (views::unsqueeze(&logarithms, 0)?, vec![]),
        false => samples(&logarithms)?,
    };
    let terms = |tensor: &Tensor| -> Vec<Term> {
        reals(tensor, dtype).into_iter().map(|real| Term::of(real, dtype)).collect()
    };
    let number = |value: f64| Term::number(value, dtype);
    let logs = terms(&logs);
    let weights = how.weight.map_or(vec![number(1.0); classes], terms);
    let count = logs.len() / classes.max(1);
    let even = number(smoothing / classes as f64);
    let kept = number(1.0 - smoothing);
    let mut losses = Vec::new();
    let mut divisor = number(count as f64);
    if classes == 0 {
        // Eager divides an integer by it.
        ensure!(how.reduction != 1, "ZeroDivisionError: there are no classes");
        let sizes = own.sizes().iter().enumerate().filter(|(d, _)| *d != dim as usize);
        losses = vec![number(-0.0); sizes.map(|(_, size)| *size as usize).product()];
    } else if of_probabilities {
        let target = match single {
            true => terms(target),
            false => terms(&samples(target)?.0),
        };
        for (row, wanted) in logs.chunks(classes).zip(target.chunks(classes)) {
            let smooth = |wanted: Term| if smoothing > 0.0 { wanted * kept + even } else { wanted };
            let all: Vec<Term> = (0..classes).map(|c| row[c] * smooth(wanted[c]) * weights[c]).collect();
            losses.push(-Term::sum(&all, dtype));
        }
    } else {
        let wanted = super::elements::ints(target, Dtype::I64);
        let mut counted = Vec::new();
        for (row, &class) in logs.chunks(classes).zip(&wanted) {
            if class == how.ignore {
                losses.push(number(0.0));
                continue;
            }
            ensure!((0..classes as i64).contains(&class), "Target {class} is out of bounds.");
            let weight = weights[class as usize];
            let all: Vec<Term> = (0..classes).map(|c| row[c] * weights[c]).collect();
            counted.push(weight);
            losses.push(-row[class as usize] * weight * kept - Term::sum(&all, dtype) * even);
        }
        divisor = Term::sum(&counted, dtype);
    }
    let result = match how.reduction {
        0 => losses,
        1 => vec![Term::sum(&losses, dtype) / divisor],
        _ => vec![Term::sum(&losses, dtype)],
    };
    let out = Tensor::zeros(dtype, if how.reduction == 0 { &rest } else { &[] })?;
    store_reals(&out, &result.into_iter().map(Term::finish).collect::<Vec<_>>(), dtype);
    Ok(out)
}
