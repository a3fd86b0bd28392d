//===- Dialects.h - the dialects, types and attributes that tblgen declares, and what operations are made of ----===//
//
// The operations themselves are declared in Operations.cpp, each part of them alone: no other C++ names them.
//
//===------------------------------------------------------------------------------------------------------------===//
#pragma once

#include "Bridge.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "Registration.h"

#include "Syntax.h"
#include "TerraceEnums.h.inc"

namespace terrace {
// What random operations draw from.
struct GeneratorResource : mlir::SideEffects::Resource::Base<GeneratorResource> {
  llvm::StringRef getName() final { return "Generator"; }
};
} // namespace terrace

#include "GraphDialect.h.inc"
#include "FunctionalDialect.h.inc"
#include "KernelDialect.h.inc"
#include "LoopDialect.h.inc"

namespace terrace::loop {
/// Lets upstream's passes tile operations on tensors.
void attachTiling(mlir::MLIRContext &context);
} // namespace terrace::loop

#define GET_TYPEDEF_CLASSES
#include "GraphTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "KernelAttributes.h.inc"
