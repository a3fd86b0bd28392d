//! How parameters of types and attributes cross from C++: the Rust half of cpp/Parameters.h.

use super::strings::text;
use melior::ir::{AffineMap, Attribute, AttributeLike, Type, TypeLike};
use mlir_sys::*;
use std::{ffi::c_void, ptr::null};

/// A parameter: what C sees in its place, and both directions.
pub trait Parameter: Sized {
    /// What C sees.
    type Wire: Copy;

    /// The parameter out of its C form.
    ///
    /// # Safety
    /// The C form must come from a type or an attribute whose context outlives the lifetime of `Self`.
    unsafe fn take(wire: Self::Wire) -> Self;

    /// The C form.
    fn give(self) -> Self::Wire;
}

/// The elements of an array.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Span<T> {
    data: *const T,
    size: isize,
}

impl<T: Copy> Parameter for &[T] {
    type Wire = Span<T>;
    unsafe fn take(wire: Span<T>) -> Self {
        // An empty array may have no address.
        if wire.size == 0 {
            &[]
        } else {
            // SAFETY: C++ gives an array of so many elements, and the caller promises that it lives.
            unsafe { std::slice::from_raw_parts(wire.data, wire.size as usize) }
        }
    }
    fn give(self) -> Span<T> {
        Span { data: self.as_ptr(), size: self.len() as isize }
    }
}

impl Parameter for &str {
    type Wire = MlirStringRef;
    unsafe fn take(wire: MlirStringRef) -> Self {
        // SAFETY: C++ gives a string, and the caller promises that it lives.
        unsafe { text(wire) }
    }
    fn give(self) -> MlirStringRef {
        crate::ir::strings::string_ref(self)
    }
}

macro_rules! plain {
    ($($ty:ty)*) => {$(
        impl Parameter for $ty {
            type Wire = $ty;
            unsafe fn take(wire: $ty) -> Self {
                wire
            }
            fn give(self) -> $ty {
                self
            }
        }
    )*};
}
plain!(bool i32 u32 i64 u64 f64);

macro_rules! wrapped {
    ($($ty:ident $raw:ident)*) => {$(
        impl Parameter for $ty<'_> {
            type Wire = $raw;
            unsafe fn take(wire: $raw) -> Self {
                // SAFETY: the caller promises that its context lives.
                unsafe { $ty::from_raw(wire) }
            }
            fn give(self) -> $raw {
                self.to_raw()
            }
        }
    )*};
}
wrapped!(Type MlirType Attribute MlirAttribute AffineMap MlirAffineMap);

/// A C form that has a null for what is not there.
pub trait Nullable: Copy {
    /// The null.
    const NULL: Self;
    /// Whether it is the null.
    fn is_null(self) -> bool;
}

macro_rules! nullable {
    ($($raw:ident { $pointer:ident $($rest:tt)* })*) => {$(
        impl Nullable for $raw {
            const NULL: Self = $raw { $pointer: null() $($rest)* };
            fn is_null(self) -> bool {
                self.$pointer.is_null()
            }
        }
    )*};
}
nullable!(MlirType { ptr } MlirAttribute { ptr } MlirStringRef { data, length: 0 });

impl<P: Parameter<Wire: Nullable>> Parameter for Option<P> {
    type Wire = P::Wire;
    unsafe fn take(wire: P::Wire) -> Self {
        // SAFETY: it is not the null, and the caller promises the rest.
        if wire.is_null() { None } else { Some(unsafe { P::take(wire) }) }
    }
    fn give(self) -> P::Wire {
        self.map_or(P::Wire::NULL, P::give)
    }
}

/// The parameters of a type or attribute that a verifier is asked about.
#[derive(Clone, Copy)]
pub struct Wires(pub(crate) *const *const c_void);

impl Wires {
    /// Parameter `index`.
    ///
    /// # Safety
    /// It must be of this type.
    pub unsafe fn take<P: Parameter>(self, index: usize) -> P {
        // SAFETY: C++ gives pointers to the C forms of all parameters; the caller promises this one's type.
        unsafe { P::take(*(*self.0.add(index)).cast::<P::Wire>()) }
    }
}
