//===- Syntax.h - what the declarative assembly format can't say ------------------------------------------------===//
//
// Domains with their indices, accesses at affine expressions, kernel signatures: the custom directives of Loop.td,
// LoopLibrary.td, Kernel.td and KernelTemplates.td.
//
//===------------------------------------------------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/OpImplementation.h"

namespace terrace {
using ::mlir::OpAsmParser;
using ::mlir::OpAsmPrinter;
using Operands = ::llvm::SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

using MaybeOperand = std::optional<OpAsmParser::UnresolvedOperand>;

// (%i = 64, %j = %n) into %init { ... }
::mlir::ParseResult parseScatterNest(OpAsmParser &, ::mlir::Region &body, Operands &dynamic,
                                     ::mlir::DenseI64ArrayAttr &sizes, OpAsmParser::UnresolvedOperand &init);
void printScatterNest(OpAsmPrinter &, ::mlir::Operation *, ::mlir::Region &body, ::mlir::OperandRange dynamic,
                      ::mlir::DenseI64ArrayAttr sizes, ::mlir::Value init);

// The same, `into` being optional.
::mlir::ParseResult parseNest(OpAsmParser &, ::mlir::Region &body, Operands &dynamic, ::mlir::DenseI64ArrayAttr &sizes,
                              MaybeOperand &init);
void printNest(OpAsmPrinter &, ::mlir::Operation *, ::mlir::Region &body, ::mlir::OperandRange dynamic,
               ::mlir::DenseI64ArrayAttr sizes, ::mlir::Value init);

// (%i = 64) over (%j = 1024) into %init { ... }; an empty outer domain and `into` are optional
::mlir::ParseResult parseReductionNest(OpAsmParser &, ::mlir::Region &body, Operands &dynamic,
                                       ::mlir::DenseI64ArrayAttr &sizes, ::mlir::IntegerAttr &reduced,
                                       MaybeOperand &init);
void printReductionNest(OpAsmPrinter &, ::mlir::Operation *, ::mlir::Region &body, ::mlir::OperandRange dynamic,
                        ::mlir::DenseI64ArrayAttr sizes, ::mlir::IntegerAttr reduced, ::mlir::Value init);

// (%i = 64, %j = 1024) along %j into %init { ... }
::mlir::ParseResult parseScanNest(OpAsmParser &, ::mlir::Region &body, Operands &dynamic, ::mlir::DenseI64ArrayAttr &sizes,
                                  ::mlir::IntegerAttr &dim, MaybeOperand &init);
void printScanNest(OpAsmPrinter &, ::mlir::Operation *, ::mlir::Region &body, ::mlir::OperandRange dynamic,
                   ::mlir::DenseI64ArrayAttr sizes, ::mlir::IntegerAttr dim, ::mlir::Value init);

// One type for the destination, and for the result where it is a tensor.
::mlir::ParseResult parseNestType(OpAsmParser &, ::mlir::Type &init, ::mlir::Type &result);
void printNestType(OpAsmPrinter &, ::mlir::Operation *, ::mlir::Type init, ::mlir::Type result);

// One type: for the destination and a result, or where there is no destination for the result.
::mlir::ParseResult parseMemberType(OpAsmParser &, MaybeOperand operand, ::mlir::Type &init, ::mlir::Type &result);
void printMemberType(OpAsmPrinter &, ::mlir::Operation *, ::mlir::Value operand, ::mlir::Type init,
                     ::mlir::Type result);

// The types of destinations, and of the results for those that are tensors.
::mlir::ParseResult parseDestinationTypes(OpAsmParser &, ::llvm::SmallVectorImpl<::mlir::Type> &types,
                                          ::llvm::SmallVectorImpl<::mlir::Type> &results);
void printDestinationTypes(OpAsmPrinter &, ::mlir::Operation *, ::mlir::TypeRange types, ::mlir::TypeRange results);

// (%i = 64) into (%a as %p : tensor<64xf32>, ...) { ... }
::mlir::ParseResult parseGroup(OpAsmParser &, ::mlir::Region &body, Operands &dynamic, ::mlir::DenseI64ArrayAttr &sizes,
                               Operands &inits, ::llvm::SmallVectorImpl<::mlir::Type> &types,
                               ::llvm::SmallVectorImpl<::mlir::Type> &results);
void printGroup(OpAsmPrinter &, ::mlir::Operation *, ::mlir::Region &body, ::mlir::OperandRange dynamic,
                ::mlir::DenseI64ArrayAttr sizes, ::mlir::OperandRange inits, ::mlir::TypeRange types,
                ::mlir::TypeRange results);

// %i, :, %j * 2 + 1
::mlir::ParseResult parseSlots(OpAsmParser &, Operands &indices, ::mlir::AffineMapAttr &map,
                               ::mlir::DenseBoolArrayAttr &whole);
void printSlots(OpAsmPrinter &, ::mlir::Operation *, ::mlir::OperandRange indices, ::mlir::AffineMapAttr map,
                ::mlir::DenseBoolArrayAttr whole);

// %i, %j * 2 + 1
::mlir::ParseResult parseAccess(OpAsmParser &, Operands &indices, ::mlir::AffineMapAttr &map);
void printAccess(OpAsmPrinter &, ::mlir::Operation *, ::mlir::OperandRange indices, ::mlir::AffineMapAttr map);

// at [%i, %j * 2 + 1], or nothing
::mlir::ParseResult parsePlace(OpAsmParser &, Operands &indices, ::mlir::AffineMapAttr &map);
void printPlace(OpAsmPrinter &, ::mlir::Operation *, ::mlir::OperandRange indices, ::mlir::AffineMapAttr map);

// %row, %j : 256, %k : 16 : 2
::mlir::ParseResult parseTileAccess(OpAsmParser &, Operands &indices, ::mlir::AffineMapAttr &map,
                                    ::mlir::DenseI64ArrayAttr &ranges, ::mlir::DenseI64ArrayAttr &steps);
void printTileAccess(OpAsmPrinter &, ::mlir::Operation *, ::mlir::OperandRange indices, ::mlir::AffineMapAttr map,
                     ::mlir::DenseI64ArrayAttr ranges, ::mlir::DenseI64ArrayAttr steps);

// @name(%x: memref<4xf32>, %k: f32) grid(%i in 64, %j in ?) { ... }
::mlir::ParseResult parseKernelFunction(OpAsmParser &, ::mlir::StringAttr &name, ::mlir::TypeAttr &type,
                                        ::mlir::DenseI64ArrayAttr &grid, ::mlir::Region &body);
void printKernelFunction(OpAsmPrinter &, ::mlir::Operation *, ::mlir::StringAttr name, ::mlir::TypeAttr type,
                         ::mlir::DenseI64ArrayAttr grid, ::mlir::Region &body);

// (%b = 8, %m = 128, %n = 1024) over (%k = 256) into %y lhs { ... } rhs { ... } epilogue(%sum: f32) { ... }
::mlir::ParseResult parseMatmul(OpAsmParser &, Operands &dynamic, ::mlir::DenseI64ArrayAttr &sizes, ::mlir::IntegerAttr &reduced,
                                OpAsmParser::UnresolvedOperand &init, ::mlir::Region &lhs, ::mlir::Region &rhs, ::mlir::Region &epilogue);
void printMatmul(OpAsmPrinter &, ::mlir::Operation *, ::mlir::OperandRange dynamic, ::mlir::DenseI64ArrayAttr sizes, ::mlir::IntegerAttr reduced,
                 ::mlir::Value init, ::mlir::Region &lhs, ::mlir::Region &rhs, ::mlir::Region &epilogue);
// Names the arguments of a body %b, %m, %n and %k, or %sum in the epilogue.
void nameMatmulIndices(::mlir::Region &, size_t sizes, size_t reduced,
                       ::llvm::function_ref<void(::mlir::Value, ::llvm::StringRef)> setName);
} // namespace terrace

// Directives are looked up in the dialect's namespace.
namespace terrace::loop {
using namespace ::terrace;
}
namespace terrace::kernel {
using namespace ::terrace;
}
