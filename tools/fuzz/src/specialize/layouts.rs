//! How the inputs of a program lie: as they were made, and anew in other ways.

use crate::{
    elements::{elements, extent},
    program::{Argument, Declared, Program},
};
use terrace_interpreter::semantics::overlap::is_same_view;
use terrace_tensor::{
    Dtype, Storage, Tensor, Value,
    io::{Inputs, NamedStorage},
};
use terrace_tools::random::Random;

/// Inputs of which no two lie alike and are two tensors: compiled code tells tensors apart by how they lie.
pub(super) fn distinguishable(mut inputs: Inputs) -> Inputs {
    for number in 1..inputs.args.len() {
        let alike = |other: &Value| match (other.as_tensor(), inputs.args[number].as_tensor()) {
            (Some(a), Some(b)) => is_same_view(a, b),
            _ => false,
        };
        if let Some(same) = inputs.args[..number].iter().find(|other| alike(other)).cloned() {
            inputs.args[number] = same;
        }
    }
    inputs
}

/// How the inputs of a call lie.
pub(super) fn places(inputs: &Inputs) -> String {
    let place = |value: &Value| match value.as_tensor() {
        Some(tensor) => {
            let storage = inputs.storages.iter().position(|named| named.storage.is_same(tensor.storage()));
            let (sizes, strides, offset) = (tensor.sizes(), tensor.strides(), tensor.offset());
            format!("storage {storage:?} sizes {sizes:?} strides {strides:?} offset {offset}")
        }
        None => "a number".to_owned(),
    };
    inputs.args.iter().map(place).collect::<Vec<_>>().join(" | ")
}

/// Inputs of a program that lie in other ways than those that it was made with, as far as its arguments
/// declare how they lie. A flat one says where it knows no offset.
pub(super) fn laid_out(program: &Program, flat: bool, random: &mut Random) -> Inputs {
    // The number of the storage of each argument, its offset, and the argument that it is.
    let mut placed: Vec<(usize, i64, Option<usize>)> = vec![];
    let mut named: Vec<(usize, usize)> = vec![];
    let mut count = 0;
    for (number, argument) in program.arguments.iter().enumerate() {
        let offset = match &argument.declared {
            Declared::Any if flat => random.between(0, 6),
            Declared::Some(unknown) if flat && unknown[argument.sizes.len()] => random.between(0, 6),
            _ => argument.offset,
        };
        let free = flat && argument.declared == Declared::Any;
        let fits = |k: &usize| (free || placed[*k].1 == offset) && may_be(argument, &program.arguments[*k]);
        let fitting: Vec<usize> = (0..number).filter(fits).collect();
        let earlier = (!fitting.is_empty() && random.percent(30)).then(|| random.choose(&fitting));
        if let Some(earlier) = earlier {
            let (storage, offset, _) = placed[earlier];
            placed.push((storage, offset, Some(earlier)));
            continue;
        }
        let known = named.iter().find(|(name, _)| argument.named && *name == argument.storage);
        let storage = match known {
            Some((_, storage)) => *storage,
            // A name that is new stands for a storage that no other name has.
            None if argument.named || count == 0 || random.percent(40) => {
                count += 1;
                count - 1
            }
            None => {
                // Floats may differ within bounds, which are those of one dtype; what is written as a number
                // is no truth value.
                let integer =
                    |argument: &Argument| !argument.dtype.is_float() && argument.dtype != Dtype::Bool;
                let exact = |other: &Argument| integer(other) && integer(argument);
                let storage = random.between(0, count as i64 - 1) as usize;
                let mut there =
                    placed.iter().zip(&program.arguments).filter(|((own, ..), _)| *own == storage);
                if there.all(|(_, other)| other.dtype == argument.dtype || exact(other)) {
                    storage
                } else {
                    count += 1;
                    count - 1
                }
            }
        };
        if argument.named {
            named.push((argument.storage, storage));
        }
        placed.push((storage, offset, None));
    }
    let mut inputs = Inputs::default();
    for storage in 0..count {
        let views = || placed.iter().zip(&program.arguments).filter(|((own, ..), _)| *own == storage);
        let bytes = views().map(|((_, offset, _), argument)| bytes(argument, *offset)).max().unwrap_or(0);
        // Truth values are not to be made of other elements.
        let dtypes = || views().map(|(_, argument)| argument.dtype);
        let dtype =
            dtypes().find(|dtype| *dtype == Dtype::Bool).or_else(|| dtypes().next()).unwrap_or(Dtype::U8);
        let count = bytes.div_ceil(dtype.bytes()) as i64 + random.choose(&[0, 2, 8]);
        let contents = elements(random, dtype, count);
        let memory = Storage::zeroed(contents.len() * dtype.bytes()).expect("inputs are small");
        for (at, element) in contents.into_iter().enumerate() {
            memory.write(dtype, at * dtype.bytes(), element);
        }
        inputs.storages.push(NamedStorage { name: format!("s{storage}"), dtype, storage: memory });
    }
    for ((storage, offset, same), argument) in placed.iter().zip(&program.arguments) {
        if let Some(same) = same {
            let same = inputs.args[*same].clone();
            inputs.args.push(same);
            continue;
        }
        let memory = inputs.storages[*storage].storage.clone();
        let (sizes, strides) = (argument.sizes.clone(), argument.strides.clone());
        let tensor = Tensor::new(memory, argument.dtype, sizes, strides, *offset);
        inputs.args.push(tensor.expect("an argument fits its storage").into());
    }
    inputs.args.extend(program.numbers.iter().map(|number| Value::from(*number)));
    inputs
}

/// The memory that an argument reaches into its storage.
pub(super) fn bytes(argument: &Argument, offset: i64) -> usize {
    let empty = argument.sizes.contains(&0);
    let elements = offset + if empty { 0 } else { extent(&argument.sizes, &argument.strides) };
    elements as usize * argument.dtype.bytes()
}

/// Whether an argument can be an earlier one, as far as types, strides and names of storages say.
fn may_be(own: &Argument, other: &Argument) -> bool {
    let storages = !own.named || other.named && own.storage == other.storage;
    let like = (own.dtype, &own.sizes, &own.strides) == (other.dtype, &other.sizes, &other.strides);
    like && storages
}
