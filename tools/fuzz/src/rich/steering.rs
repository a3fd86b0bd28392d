//! Views and mutations of one storage by turns, those that a seed asks for: over many seeds each comes before
//! and after each other one.

use crate::{
    dtypes::element_type,
    operators::{
        mutations::{kinds, mutation},
        views::{VIEWS, view},
    },
    program::{Argument, Contents},
    rich::state::{Rich, Wanted},
    workbench::{Candidate, Entry, Workbench},
};
use terrace_tensor::{Dtype, Tensor};
use terrace_tools::random::Random;

/// Elements of the storage that they are of: of many shapes.
const ELEMENTS: i64 = 24;

/// So many views and mutations are asked for besides those of the seed.
const OTHERS: usize = 3;

/// So often an operator is tried.
const TRIES: usize = 10;

/// Which tensors an operator takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Any,
    Floats,
    Doubles,
    Integers,
    Complex,
    /// Floats, the last dimension of size 2.
    Pairs,
}

/// What a seed asks for: a view before and after a mutation, which are those of the seed, and others around.
pub fn wanted(seed: u64, random: &mut Random) -> Vec<Wanted> {
    let (views, mutations) = (VIEWS.len() as u64, kinds().len() as u64);
    let view = Wanted::View((seed / mutations % views) as usize);
    let mut own = vec![view, Wanted::Mutation((seed % mutations) as usize), view];
    let mut more = vec![];
    for _ in 0..OTHERS {
        let view = Wanted::View(random.between(0, views as i64 - 1) as usize);
        more.extend([view, view, Wanted::Mutation(random.between(0, mutations as i64 - 1) as usize)]);
    }
    random.shuffle(&mut more);
    let mut all = vec![];
    while !(own.is_empty() && more.is_empty()) {
        let from = if random.between(1, (own.len() + more.len()) as i64) <= own.len() as i64 {
            &mut own
        } else {
            &mut more
        };
        all.extend(from.pop());
    }
    all
}

/// The tensors that an operator takes: their class, and their least and largest rank.
fn needs(wanted: Wanted) -> (Class, usize, usize) {
    let Wanted::Mutation(number) = wanted else {
        let Wanted::View(number) = wanted else { return (Class::Any, 0, 4) };
        return match VIEWS[number] {
            "view_as_complex" => (Class::Pairs, 1, 3),
            "view_as_real" | "imag" | "real" | "_conj" | "conj" => (Class::Complex, 0, 3),
            "t" => (Class::Any, 0, 2),
            "matrix_H" | "numpy_T" => (Class::Any, 2, 2),
            "mT" | "mH" | "adjoint" | "diagonal" | "vsplit.int" | "vsplit.array" => (Class::Any, 2, 3),
            "dsplit.int" | "dsplit.array" => (Class::Any, 3, 4),
            "transpose"
            | "swapaxes"
            | "movedim"
            | "permute"
            | "select"
            | "slice"
            | "narrow"
            | "unbind"
            | "split"
            | "split_with_sizes"
            | "chunk"
            | "tensor_split.sections"
            | "tensor_split.indices"
            | "hsplit.int"
            | "hsplit.array"
            | "unfold"
            | "unflatten" => (Class::Any, 1, 3),
            _ => (Class::Any, 0, 3),
        };
    };
    let name = kinds()[number].name;
    if name.starts_with("bitwise_") || matches!(name, "gcd_" | "lcm_") {
        return (Class::Integers, 0, 3);
    }
    match name {
        "float_power_" => (Class::Doubles, 0, 3),
        "addmm_" | "addbmm_" => (Class::Floats, 2, 2),
        "addmv_" => (Class::Floats, 1, 1),
        "baddbmm_" => (Class::Floats, 3, 3),
        "tril_" | "triu_" | "fill_diagonal_" => (Class::Any, 2, 3),
        "t_" => (Class::Any, 0, 2),
        "transpose_" | "swapaxes_" | "resize_" => (Class::Any, 1, 3),
        "copy_" | "fill_" | "zero_" | "detach_" | "squeeze_" | "unsqueeze_" | "as_strided_" | "set_" => {
            (Class::Any, 0, 3)
        }
        _ if name.starts_with("index_") || name.starts_with("scatter_") => (Class::Any, 1, 3),
        _ => (Class::Floats, 0, 3),
    }
}

impl Class {
    fn has(self, tensor: &Tensor) -> bool {
        let dtype = tensor.dtype();
        match self {
            Class::Any => true,
            Class::Floats => dtype.is_float(),
            Class::Doubles => dtype == Dtype::F64,
            Class::Integers => dtype.is_integer(),
            Class::Complex => dtype.is_complex(),
            Class::Pairs => dtype == Dtype::F32 && tensor.sizes().last() == Some(&2),
        }
    }
}

impl Rich<'_> {
    /// The next operator that is asked for, at the top; any one inside of control flow.
    fn next_wanted(&mut self, random: &mut Random) -> Option<Wanted> {
        if self.depth == 0 {
            return self.wanted.pop();
        }
        Some(match random.percent(50) {
            true => Wanted::View(random.between(0, VIEWS.len() as i64 - 1) as usize),
            false => Wanted::Mutation(random.between(0, kinds().len() as i64 - 1) as usize),
        })
    }
}

impl Workbench<'_> {
    /// Makes the storage, an argument or what is made of one: contiguous, of exact elements.
    pub(super) fn focus(&mut self) {
        let dtype = self.random.choose(&[
            Dtype::F32,
            Dtype::F32,
            Dtype::F32,
            Dtype::F32,
            Dtype::F32,
            Dtype::F64,
            Dtype::F16,
            Dtype::I32,
            Dtype::I64,
        ]);
        let sizes = self.shape(1, 3);
        let strides = terrace_tensor::layout::contiguous_strides(&sizes);
        let storage = self.program.storages.len();
        let exact = self.exact(dtype);
        let argument = Argument::new(storage, dtype, sizes, strides, 0);
        let at = self.argument(argument.clone(), Some(Contents { dtype, elements: exact }));
        let mut base = self.pool[at].clone();
        if self.random.percent(30) {
            // Part of it comes in as well, in one case of three as the same elements in another shape.
            let part = match self.random.between(0, 2) {
                0 => vec![ELEMENTS],
                _ => vec![self.random.between(2, 6), 3],
            };
            let strides = terrace_tensor::layout::contiguous_strides(&part);
            let most = ELEMENTS - part.iter().product::<i64>();
            let offset = self.random.between(0, most.min(5));
            self.argument(Argument::new(storage, dtype, part, strides, offset), None);
        } else if self.random.percent(50)
            && let Some(name) = self.line(&format!("graph.clone {} : {}", base.name, base.ty), &[&base.name])
        {
            base = self.pool.iter().find(|entry| entry.name == name).cloned().unwrap_or(base);
        }
        self.rich().base = Some(base);
    }

    /// Small numbers, those with few digits among the floats.
    fn exact(&mut self, dtype: Dtype) -> Vec<terrace_tensor::Scalar> {
        use terrace_tensor::Scalar;
        let random = &mut self.random;
        if !dtype.is_float() {
            return (0..ELEMENTS).map(|_| Scalar::Int(random.between(0, 9))).collect();
        }
        // Where logarithms and their kin are defined, too.
        let (low, high, each) = random.choose(&[(-6, 8, 2.0), (-6, 8, 2.0), (1, 7, 8.0), (8, 16, 8.0)]);
        (0..ELEMENTS).map(|_| Scalar::Float(random.between(low, high) as f64 / each)).collect()
    }

    /// A shape of all elements, of one of some ranks.
    fn shape(&mut self, least: usize, most: usize) -> Vec<i64> {
        match self.random.between(least as i64, most as i64) {
            0 | 1 => vec![ELEMENTS],
            2 => self.random.choose(&[[4, 6], [6, 4], [12, 2], [3, 8]]).to_vec(),
            3 => self.random.choose(&[[2, 3, 4], [3, 4, 2], [2, 2, 6]]).to_vec(),
            _ => vec![2, 3, 2, 2],
        }
    }

    /// Takes an operator that is asked for.
    pub(super) fn steer(&mut self) -> Option<()> {
        let base = self.rich().base.clone()?;
        let mut random = self.random.clone();
        let wanted = self.rich().next_wanted(&mut random)?;
        self.random = random;
        let needs = needs(wanted);
        for attempt in 0..TRIES {
            if attempt == TRIES / 2 {
                // What was computed may be no basis for what jumps, or have grown: begin with small numbers
                // again.
                self.renew(&base);
            }
            let Some(x) = self.operand(&base, needs, attempt) else { continue };
            let candidate: Option<Candidate> = match wanted {
                Wanted::View(number) => view(self, VIEWS[number], x),
                Wanted::Mutation(number) => mutation(self, &kinds()[number], x),
            };
            if candidate.is_some_and(|candidate| self.take(candidate)) {
                return Some(());
            }
        }
        None
    }

    fn renew(&mut self, base: &Entry) -> Option<()> {
        let dtype = base.tensor.dtype();
        let elements = self.exact(dtype);
        let fresh = self.fresh(dtype, base.tensor.sizes(), elements);
        let Entry { name, ty, .. } = self.pool[fresh].clone();
        let own = self.pool.iter().find(|entry| entry.tensor.is_same(&base.tensor))?.clone();
        self.line(&format!("graph.copy_ {}, {name} : {}, {ty}", own.name, own.ty), &[&own.name, &name])?;
        Some(())
    }

    /// A tensor of the storage: one that is there, or a new view of all of it.
    fn operand(&mut self, base: &Entry, needs: (Class, usize, usize), attempt: usize) -> Option<usize> {
        let (class, least, most) = needs;
        let of_storage = |entry: &Entry| entry.tensor.storage().is_same(base.tensor.storage());
        let fits = |tensor: &Tensor| class.has(tensor) && (least..=most).contains(&tensor.rank());
        let fitting: Vec<usize> = (0..self.pool.len())
            .filter(|at| of_storage(&self.pool[*at]) && fits(&self.pool[*at].tensor))
            .collect();
        if !fitting.is_empty() && (attempt < 2 || self.random.percent(50)) {
            return Some(self.random.choose(&fitting));
        }
        // Through one that sees all elements.
        let whole = |entry: &&Entry| {
            of_storage(entry)
                && entry.tensor.is_contiguous()
                && entry.tensor.len() as i64 == ELEMENTS
                && entry.tensor.flags() == base.tensor.flags()
        };
        let wholes: Vec<Entry> = self.pool.iter().filter(whole).cloned().collect();
        let mut own =
            wholes.get(self.random.between(0, wholes.len() as i64) as usize % wholes.len().max(1))?.clone();
        let dtype = own.tensor.dtype();
        let into = match class {
            Class::Floats if !dtype.is_float() => float_of(dtype),
            Class::Pairs | Class::Complex if dtype != Dtype::F32 => {
                (dtype.bytes() <= 4).then_some(Dtype::F32)
            }
            Class::Doubles => (dtype.bytes() >= 4).then_some(Dtype::F64),
            Class::Integers if !dtype.is_integer() => integer_of(dtype),
            _ => Some(dtype),
        }?;
        if into != dtype {
            own = self.adapted("view.dtype", &format!("{{dtype = {}}}", element_type(into)), &own)?;
        }
        let mut shape = self.shape(least, most);
        let count = own.tensor.len() as i64;
        if matches!(class, Class::Complex | Class::Pairs) {
            shape = vec![count / 2, 2];
        } else if shape.iter().product::<i64>() != count {
            return self.place(&own);
        }
        own = self.adapted("view", &format!("size {shape:?}"), &own)?;
        if class == Class::Complex {
            own = self.adapted("view_as_complex", "", &own)?;
        }
        self.place(&own)
    }

    fn place(&self, own: &Entry) -> Option<usize> {
        self.pool.iter().position(|entry| entry.name == own.name)
    }

    fn adapted(&mut self, operator: &str, parameters: &str, own: &Entry) -> Option<Entry> {
        let text = format!("graph.{operator} {} {parameters} : {}", own.name, own.ty);
        let name = self.line(&text, &[&own.name])?;
        self.pool.iter().find(|entry| entry.name == name).cloned()
    }
}

fn float_of(dtype: Dtype) -> Option<Dtype> {
    Some(match dtype.bytes() {
        4 => Dtype::F32,
        8 => Dtype::F64,
        2 => Dtype::F16,
        _ => return None,
    })
}

fn integer_of(dtype: Dtype) -> Option<Dtype> {
    Some(match dtype.bytes() {
        4 => Dtype::I32,
        8 => Dtype::I64,
        2 => Dtype::I16,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_is_asked_for_in_its_turn() {
        let (views, mutations) = (VIEWS.len() as u64, kinds().len() as u64);
        for seed in 0..views * mutations {
            let all = wanted(seed, &mut Random::new(seed));
            let view = |own: &Wanted| *own == Wanted::View((seed / mutations) as usize);
            let mutation = |own: &Wanted| *own == Wanted::Mutation((seed % mutations) as usize);
            let first = all.iter().position(view).unwrap();
            assert!(all[first..].iter().any(mutation), "seed {seed}");
            let first = all.iter().position(mutation).unwrap();
            assert!(all[first..].iter().any(view), "seed {seed}");
        }
    }
}
