//===- Terrace.td - all operations, attributes and types of Terrace ---------------------------------------------===//
include "Operators.td"
include "operators/Pointwise.td"
include "operators/Views.td"
include "operators/Creation.td"
include "operators/Reductions.td"
include "operators/Products.td"
include "operators/Normalization.td"
include "operators/Indexing.td"
