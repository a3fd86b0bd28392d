//===- Parameters.h - how parameters of types and attributes cross to Rust --------------------------------------===//
//
// `Parameter<T>` says for the C++ type of a parameter what C sees in its place (`Wire`), and both directions. The
// generated C functions of types and attributes (TerraceData.cpp.inc) are made of it.
//
//===------------------------------------------------------------------------------------------------------------===//
#pragma once

#include "Bridge.h"
#include "mlir-c/AffineMap.h"
#include "mlir/CAPI/AffineMap.h"
#include "mlir/IR/AffineMap.h"
#include <array>

namespace terrace {
/// The elements of an array, which the context owns.
template <typename T> struct Span {
  const T *data;
  intptr_t size;
};

/// Numbers and bools as they are, enumerations as their numbers.
template <typename T, typename = void> struct Parameter {
  using Wire = T;
  static Wire give(T value) { return value; }
  static T take(::mlir::MLIRContext *, Wire wire) { return wire; }
};
template <typename T> struct Parameter<T, std::enable_if_t<std::is_enum_v<T>>> {
  using Wire = uint32_t;
  static Wire give(T value) { return static_cast<Wire>(value); }
  static T take(::mlir::MLIRContext *, Wire wire) { return static_cast<T>(wire); }
};
template <typename T> struct Parameter<T, std::enable_if_t<std::is_base_of_v<::mlir::Type, T>>> {
  using Wire = MlirType;
  static Wire give(T value) { return wrap(::mlir::Type(value)); }
  static T take(::mlir::MLIRContext *, Wire wire) { return ::llvm::cast_or_null<T>(unwrap(wire)); }
};
template <typename T> struct Parameter<T, std::enable_if_t<std::is_base_of_v<::mlir::Attribute, T>>> {
  using Wire = MlirAttribute;
  static Wire give(T value) { return wrap(::mlir::Attribute(value)); }
  static T take(::mlir::MLIRContext *, Wire wire) { return ::llvm::cast_or_null<T>(unwrap(wire)); }
};
template <> struct Parameter<::mlir::AffineMap> {
  using Wire = MlirAffineMap;
  static Wire give(::mlir::AffineMap value) { return wrap(value); }
  static ::mlir::AffineMap take(::mlir::MLIRContext *, Wire wire) { return unwrap(wire); }
};
template <> struct Parameter<::llvm::StringRef> {
  using Wire = MlirStringRef;
  // No pointer means no string: an empty one has some pointer.
  static Wire give(::llvm::StringRef value) { return value.empty() ? Wire{"", 0} : wrap(value); }
  static ::llvm::StringRef take(::mlir::MLIRContext *, Wire wire) { return unwrap(wire); }
};
template <> struct Parameter<::mlir::StringAttr> {
  using Wire = MlirStringRef;
  static Wire give(::mlir::StringAttr value) {
    return value ? Parameter<::llvm::StringRef>::give(value.getValue()) : Wire{nullptr, 0};
  }
  static ::mlir::StringAttr take(::mlir::MLIRContext *context, Wire wire) {
    return wire.data ? ::mlir::StringAttr::get(context, unwrap(wire)) : ::mlir::StringAttr();
  }
};
template <typename T> struct Parameter<::llvm::ArrayRef<T>> {
  using Wire = Span<T>;
  static Wire give(::llvm::ArrayRef<T> value) { return {value.data(), static_cast<intptr_t>(value.size())}; }
  static ::llvm::ArrayRef<T> take(::mlir::MLIRContext *, Wire wire) {
    return ::llvm::ArrayRef<T>(wire.data, static_cast<size_t>(wire.size));
  }
};

/// Asks the Rust verifier of this number whether a type or an attribute may have these parameters.
template <typename... Wires>
::llvm::LogicalResult verifyData(unsigned verifier, ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
                                 Wires... wires) {
  std::array<const void *, sizeof...(Wires)> all = {&wires...};
  auto refuse = [](MlirStringRef message, void *emitError) {
    (*static_cast<::llvm::function_ref<::mlir::InFlightDiagnostic()> *>(emitError))() << unwrap(message);
  };
  return ::llvm::success(hooks().verifyData(verifier, all.data(), refuse, &emitError));
}
} // namespace terrace
