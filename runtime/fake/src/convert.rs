//! Real tensors as fake ones: each once, and views of one storage as views of one.

use std::panic::Location as Caller;
use terrace_dialects::{
    analysis::fake::Thing,
    ir::{
        BlockLike,
        arguments::{Declared, Layout as DeclaredLayout},
        types::TensorType,
    },
};
use terrace_layout::Layout;
use terrace_size::DYNAMIC;

use melior::ir::{Location, Type, ValueLike};
use mlir_sys::MlirValue;
use terrace_tensor::Tensor;

use crate::mode::{FakeMode, FakeNumber, FakeTensor, Number, Object, Sizes};

impl<'c> FakeMode<'c> {
    /// The fake tensor of a real one: the same one whenever it is asked for. The mode keeps the real tensor
    /// and does not write it.
    #[track_caller]
    pub fn fake(&mut self, real: &Tensor) -> FakeTensor {
        if let Some(known) = self.memo.get(&real.id()) {
            return *known;
        }
        let location = self.caller(Caller::caller());
        let symbols = self.options.sizes == Sizes::Symbols;
        // Sizes of 0 and 1 broadcast and repeat in ways of their own.
        let size = |size: &i64| if symbols && *size > 1 { DYNAMIC } else { *size };
        let ty = TensorType {
            shape: real.sizes().iter().map(size).collect(),
            dtype: real.dtype(),
            device: None,
            graph: true,
        };
        let layout = match symbols {
            _ if real.is_contiguous() && real.offset() == 0 => DeclaredLayout::Contiguous,
            true => DeclaredLayout::Any,
            false => DeclaredLayout::Strided { strides: real.strides().to_vec(), offset: real.offset() },
        };
        let storage = Some(real.storage().id().to_string());
        let declared = Declared { storage, layout, distinct: false };
        let hints =
            Layout { sizes: real.sizes().to_vec(), strides: real.strides().to_vec(), offset: real.offset() };
        let value = self.block().add_argument(ty.to_type(self.context), location).to_raw();
        let (number, value) = (self.arguments.len(), self.value(value));
        let state = &mut self.state;
        let fake = self.symbols.enter(|| {
            state.argument(number, value, &declared, Some(&hints));
            state.flagged(value, real.flags().conj, real.flags().neg)
        });
        let fake = fake.expect("the argument is a graph tensor");
        let tensor = FakeTensor(fake.identity);
        self.objects.insert(fake.identity, Object { fake, value: Some(value.to_raw()) });
        self.arguments.push(Some(real.clone()));
        self.memo.insert(real.id(), tensor);
        tensor
    }

    /// The value that a tensor is in the record; an argument of what a function made that was followed.
    pub(crate) fn recorded(&mut self, tensor: FakeTensor, location: Location<'c>) -> MlirValue {
        let Object { fake, value } = self.object(tensor);
        if let Some(value) = value {
            return *value;
        }
        let fake = fake.clone();
        let value = self.unrecorded(fake.ty().to_type(self.context), Thing::Tensor(fake), location);
        self.objects.get_mut(&tensor.0).expect("it is there").value = Some(value);
        value
    }

    /// The value that a number is in the record.
    pub(crate) fn recorded_number(&mut self, number: FakeNumber, location: Location<'c>) -> MlirValue {
        let Number { size, ty, value } = self.numbers[number.0];
        if let Some(value) = value {
            return value;
        }
        let thing = size.map_or(Thing::Unknown, Thing::Number);
        let value = self.unrecorded(ty, thing, location);
        self.numbers[number.0].value = Some(value);
        value
    }

    fn unrecorded(&mut self, ty: Type<'c>, thing: Thing<'c>, location: Location<'c>) -> MlirValue {
        let raw = self.block().add_argument(ty, location).to_raw();
        let value = self.value(raw);
        self.state.give(value, thing);
        self.arguments.push(None);
        raw
    }
}
