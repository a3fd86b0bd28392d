//===- Operations.cpp - one part of a dialect's operations ------------------------------------------------------===//
//
// Compiled once per part, with the generated declarations and definitions as macros: hundreds of operations in one unit
// would take minutes and gigabytes, and would all be compiled again for a change of one.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "Dialects.h"

#define GET_OP_CLASSES
#include DECLARATIONS
#define GET_OP_CLASSES
#include DEFINITIONS

namespace terrace::DIALECT {
template <typename... Operations> static void registerAll(DIALECT_CLASS *dialect) {
  (mlir::RegisteredOperationName::insert<Operations>(*dialect), ...);
}
void REGISTER(DIALECT_CLASS *dialect) {
  registerAll<
#define GET_OP_LIST
#include DEFINITIONS
      >(dialect);
}
} // namespace terrace::DIALECT
