//! The equations of einsum: "bij,bjk->bik".
//!
//! A letter names a dimension, in the order of its appearance in the result where that is not given; an
//! ellipsis stands for dimensions without a name, which broadcast; spaces say nothing. Without `->` the
//! result has the letters that appear once, by the alphabet with capitals first, after the ellipsis.

use super::{Size, TensorType, Types, may_equal, not_implemented, one};
use crate::ir::{
    args::Args,
    dtype::{Dtype, Operand, promote},
};
use std::collections::{BTreeMap, BTreeSet};
use terrace_size::Number;

/// What a dimension of an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// One of the ellipsis, counted from its first.
    Unnamed(usize),
    /// A letter.
    Letter(u8),
}

/// An equation on operands whose ranks are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The dimensions of each operand.
    pub operands: Vec<Vec<Label>>,
    /// The dimensions of the result.
    pub result: Vec<Label>,
}

const LETTERS: &str = "subscripts must be in [a-zA-Z]";

/// Letters, and a None for the ellipsis, of one operand or the result; `start` is its place in the equation.
fn subscripts(text: &str, start: usize, whose: Whose) -> Result<Vec<Option<u8>>, String> {
    let mut out: Vec<Option<u8>> = vec![];
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b' ' => {}
            b'.' => {
                if out.contains(&None) {
                    return Err(whose.twice());
                }
                if !text[at..].starts_with("...") {
                    return Err(whose.alone());
                }
                out.push(None);
                at += 2;
            }
            letter if letter.is_ascii_alphabetic() => out.push(Some(letter)),
            _ => {
                return Err(format!(
                    "einsum(): invalid subscript given at index {} in the equation string, {LETTERS}",
                    start + at
                ));
            }
        }
        at += 1;
    }
    Ok(out)
}

/// Whose subscripts are read.
#[derive(Clone, Copy)]
enum Whose {
    Operand(usize),
    Result,
}

impl Whose {
    fn twice(self) -> String {
        match self {
            Whose::Operand(i) => {
                format!("einsum(): found '.' for operand {i} for which an ellipsis was already found")
            }
            Whose::Result => "einsum(): found '.' for output but an ellipsis (...) was already found".into(),
        }
    }

    fn alone(self) -> String {
        match self {
            Whose::Operand(i) => {
                format!("einsum(): found '.' for operand {i} that is not part of any ellipsis")
            }
            Whose::Result => "einsum(): found '.' for output that is not part of any ellipsis (...)".into(),
        }
    }
}

impl Equation {
    /// Reads an equation for operands of these ranks.
    pub fn parse(equation: &str, ranks: &[usize]) -> Result<Self, String> {
        if ranks.is_empty() {
            return Err("einsum(): must provide at least one operand".into());
        }
        let (left, right) = match equation.find("->") {
            Some(at) => (&equation[..at], Some(at + 2)),
            None => (equation, None),
        };
        let mut read = vec![];
        let mut start = 0;
        for (i, text) in left.split(',').enumerate() {
            read.push(subscripts(text, start, Whose::Operand(i))?);
            if i >= ranks.len() {
                return Err("einsum(): fewer operands were provided than specified in the equation".into());
            }
            start += text.len() + 1;
        }
        if read.len() < ranks.len() {
            return Err("einsum(): more operands were provided than specified in the equation".into());
        }
        // Dimensions of the ellipses are counted from the last.
        let mut unnamed = 0;
        for (i, (labels, rank)) in read.iter().zip(ranks).enumerate() {
            let letters = labels.iter().flatten().count();
            if !labels.contains(&None) {
                if letters != *rank {
                    return Err(format!(
                        "einsum(): the number of subscripts in the equation ({letters}) does not match the number of dimensions ({rank}) for operand {i} and no ellipsis was given"
                    ));
                }
            } else if letters > *rank {
                return Err(format!(
                    "einsum(): the number of subscripts in the equation ({letters}) is more than the number of dimensions ({rank}) for operand {i}"
                ));
            } else {
                unnamed = unnamed.max(rank - letters);
            }
        }
        let spread = |labels: &[Option<u8>], count: usize| -> Vec<Label> {
            let part = |label: &Option<u8>| match label {
                Some(letter) => vec![Label::Letter(*letter)],
                None => (unnamed - count..unnamed).map(Label::Unnamed).collect(),
            };
            labels.iter().flat_map(part).collect()
        };
        let operands: Vec<Vec<Label>> = read
            .iter()
            .zip(ranks)
            .map(|(labels, rank)| spread(labels, rank - labels.iter().flatten().count().min(*rank)))
            .collect();
        let mut counts = BTreeMap::new();
        for letter in read.iter().flatten().flatten() {
            *counts.entry(*letter).or_insert(0) += 1;
        }
        let result = match right {
            None => {
                let once = counts.iter().filter(|(_, count)| **count == 1);
                (0..unnamed)
                    .map(Label::Unnamed)
                    .chain(once.map(|(letter, _)| Label::Letter(*letter)))
                    .collect()
            }
            Some(start) => {
                let labels = subscripts(&equation[start..], start, Whose::Result)?;
                for (at, letter) in labels.iter().enumerate().filter_map(|(at, l)| Some((at, (*l)?))) {
                    let name = letter as char;
                    if !counts.contains_key(&letter) {
                        return Err(format!(
                            "einsum(): output subscript {name} does not appear in the equation for any input operand"
                        ));
                    }
                    if labels[..at].contains(&Some(letter)) {
                        return Err(format!(
                            "einsum(): output subscript {name} appears more than once in the output"
                        ));
                    }
                }
                spread(&labels, unnamed)
            }
        };
        Ok(Self { operands, result })
    }

    /// The size of each label.
    pub fn sizes<N: Number>(&self, shapes: &[Vec<N>]) -> Result<BTreeMap<Label, N>, String> {
        let mut sizes: BTreeMap<Label, N> = BTreeMap::new();
        for (i, (labels, shape)) in self.operands.iter().zip(shapes).enumerate() {
            let mut own: BTreeMap<Label, N> = BTreeMap::new();
            for (label, size) in labels.iter().zip(shape) {
                let name = match label {
                    Label::Letter(letter) => (*letter as char).to_string(),
                    Label::Unnamed(_) => "...".into(),
                };
                if let Some(known) = own.insert(*label, *size)
                    && !may_equal(known, *size)
                {
                    return Err(format!(
                        "einsum(): subscript {name} is repeated for operand {i} but the sizes don't match, {size} != {known}"
                    ));
                }
                let known = sizes.entry(*label).or_insert(N::from(1));
                if known.assume_eq(1) || known.is_unknown() {
                    *known = *size;
                } else if size.assume_ne(1) && !may_equal(*known, *size) {
                    return Err(match label {
                        Label::Letter(_) => format!(
                            "einsum(): subscript {name} has size {size} for operand {i} which does not broadcast with previously seen size {known}"
                        ),
                        Label::Unnamed(_) => {
                            let before =
                                labels.iter().filter(|own| matches!(own, Label::Unnamed(_)) && *own < label);
                            format!(
                                "einsum(): dimension {} covered by ellipsis in operand {i}has size {size} which does not broadcast with previously seen ellipsis with size {known} for the respective dimension",
                                before.count()
                            )
                        }
                    });
                }
            }
        }
        Ok(sizes)
    }
}

impl Equation {
    /// The dtype of the result: sums promote, products that are not summed too, matrix products do not.
    fn dtype(&self, shapes: &[Vec<Size>], dtypes: &[Dtype]) -> Result<Dtype, String> {
        let sum = |dtype: Dtype| if dtype.is_inexact() { dtype } else { Dtype::I64 };
        let has = |i: usize, label: &Label| {
            self.operands[i].iter().zip(&shapes[i]).any(|(own, size)| own == label && size.assume_ne(1))
        };
        let summed: BTreeSet<Label> =
            self.operands.iter().flatten().filter(|label| !self.result.contains(label)).copied().collect();
        if dtypes.len() == 1 {
            return Ok(if summed.is_empty() { dtypes[0] } else { sum(dtypes[0]) });
        }
        let mut dtype = dtypes[0];
        // The letters that the product so far has, with a size other than 1.
        let mut left: BTreeSet<Label> = summed.iter().filter(|label| has(0, label)).copied().collect();
        for (i, own) in dtypes.iter().enumerate().skip(1) {
            let later = |label: &Label| (i + 1..dtypes.len()).any(|j| has(j, label));
            let right: BTreeSet<Label> = summed.iter().filter(|label| has(i, label)).copied().collect();
            let both = left.intersection(&right).any(|label| !later(label));
            let alone = |a: &BTreeSet<Label>, b: &BTreeSet<Label>| a.difference(b).any(|label| !later(label));
            let (a, b) = (
                if alone(&left, &right) { sum(dtype) } else { dtype },
                if alone(&right, &left) { sum(*own) } else { *own },
            );
            dtype = if !both {
                promote(&[a, b].map(Operand::Dimensioned))
            } else if a == Dtype::Bool {
                return Err(not_implemented("bmm", a));
            } else if a != b {
                return Err(format!("expected scalar type {} but found {}", a.aten_name(), b.aten_name()));
            } else {
                a
            };
            left = left.union(&right).filter(|label| later(label)).copied().collect();
        }
        Ok(dtype)
    }
}

/// A path of contractions names two operands at a time; the result goes to the end.
fn check_path(path: &[i64], operands: usize) -> Result<(), String> {
    let expected = if operands == 1 { 1 } else { 2 * (operands - 1) };
    if path.len() != expected {
        return Err(format!(
            "einsum(): expected contraction path given in path parameter to have size {expected} but got {}",
            path.len()
        ));
    }
    for (step, pair) in path.chunks(2).enumerate() {
        let [i, j] = pair else { return Ok(()) };
        let left = (operands - step) as i64;
        if !(0..left).contains(i) || !(0..left).contains(j) {
            return Err(format!("einsum(): invalid contraction ({i}, {j}) operand index is out of bounds"));
        }
        if i == j {
            return Err(format!(
                "einsum(): invalid contraction ({i}, {j}) cannot contract an operand with itself"
            ));
        }
    }
    Ok(())
}

/// The result has the sizes that its letters name.
pub fn einsum<'c>(args: &Args<'c, '_>) -> Types<'c> {
    let equation = args.attribute("equation").map_or(String::new(), crate::ir::attributes::string);
    let tensors = args.tensors(0)?;
    let ranks: Vec<usize> = tensors.iter().map(TensorType::rank).collect();
    let equation = Equation::parse(&equation, &ranks)?;
    let shapes: Vec<Vec<Size>> = tensors.iter().map(|t| t.shape.clone()).collect();
    let sizes = equation.sizes(&shapes)?;
    if let Some(path) = args.optional_ints("path") {
        check_path(&path, tensors.len())?;
    }
    let dtypes: Vec<Dtype> = tensors.iter().map(|t| t.dtype).collect();
    let dtype = equation.dtype(&shapes, &dtypes)?;
    let shape: Vec<Size> = equation.result.iter().map(|label| sizes[label]).collect();
    one(&tensors[0].with_shape(&shape).with_dtype(dtype))
}
