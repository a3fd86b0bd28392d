//===- Shard.cpp - one part of a dialect's generated definitions ------------------------------------------------===//
//
// Compiled once per shard, with the dialect's generated file and the shard's number as macros: hundreds of operations
// in one unit would take minutes and gigabytes.
//
//===------------------------------------------------------------------------------------------------------------===//
#include "Dialects.h"

#include TERRACE_OPS
