//===- Dialects.cpp - the dialect classes, types and attributes -------------------------------------------------===//
#include "Dialects.h"
#include "Parameters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// An attribute of ours at an operation, or at an argument or a result of a function.
static LogicalResult verifyAttribute(Operation *op, int place, unsigned region, intptr_t number, NamedAttribute attr) {
  if (region != 0)
    return op->emitOpError() << attr.getName() << " stands at an argument of a function";
  return success(terrace::hooks().verifyAttribute(wrap(op), place, number, wrap(attr.getName().getValue()),
                                                  wrap(attr.getValue())));
}

// Loops are bufferized as writes of their destinations.
#define GET_OP_CLASSES
#include "LoopOperations0.h.inc"

#define GET_TYPEDEF_CLASSES
#include "GraphTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "KernelAttributes.cpp.inc"
#include "TerraceData.cpp.inc"
#include "TerraceEnums.cpp.inc"

#include "GraphDialect.cpp.inc"
#include "FunctionalDialect.cpp.inc"
#include "KernelDialect.cpp.inc"
#include "LoopDialect.cpp.inc"

namespace terrace::graph {
TERRACE_DIALECT(GraphDialect)
void GraphDialect::initialize() {
  registerOperations(this);
  addInterfaces<Inliner>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "GraphTypes.cpp.inc"
      >();
  getContext()->loadDialect<arith::ArithDialect>();
}

LogicalResult GraphDialect::verifyRegionArgAttribute(Operation *op, unsigned region, unsigned argument,
                                                     NamedAttribute attr) {
  return verifyAttribute(op, 1, region, argument, attr);
}

LogicalResult GraphDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  return verifyAttribute(op, 0, 0, 0, attr);
}

// !graph.tensor<4x?xf32> or !graph.tensor<4x?xf32, "cuda:0">
Type TensorType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  std::string device;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(element))
    return {};
  StringAttr deviceAttr;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseString(&device))
      return {};
    deviceAttr = StringAttr::get(parser.getContext(), device);
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorType>(loc, parser.getContext(), ArrayRef<int64_t>(shape), element, deviceAttr);
}

void TensorType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    (ShapedType::isDynamic(size) ? printer << '?' : printer << size) << 'x';
  printer << getElementType();
  if (getDevice())
    printer << ", " << getDevice();
  printer << '>';
}

ShapedType TensorType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type element) const {
  return get(getContext(), shape ? *shape : getShape(), element, getDevice());
}
bool TensorType::hasRank() const { return true; }
} // namespace terrace::graph

namespace terrace::functional {
TERRACE_DIALECT(FunctionalDialect)
void FunctionalDialect::initialize() {
  registerOperations(this);
  addInterfaces<Inliner>();
  getContext()->loadDialect<arith::ArithDialect>();
}

LogicalResult FunctionalDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  return verifyAttribute(op, 0, 0, 0, attr);
}
LogicalResult FunctionalDialect::verifyRegionArgAttribute(Operation *op, unsigned region, unsigned argument,
                                                          NamedAttribute attr) {
  return verifyAttribute(op, 1, region, argument, attr);
}
LogicalResult FunctionalDialect::verifyRegionResultAttribute(Operation *op, unsigned region, unsigned result,
                                                             NamedAttribute attr) {
  return verifyAttribute(op, 2, region, result, attr);
}
} // namespace terrace::functional

namespace terrace::loop {
TERRACE_DIALECT(LoopDialect)
void LoopDialect::initialize() {
  registerOperations(this);
  addInterfaces<Inliner>();
  getContext()->loadDialect<arith::ArithDialect>();
  PointwiseOp::attachInterface<DestinationBufferizable<PointwiseOp>>(*getContext());
  ReductionOp::attachInterface<DestinationBufferizable<ReductionOp>>(*getContext());
  ScanOp::attachInterface<DestinationBufferizable<ScanOp>>(*getContext());
  ScatterOp::attachInterface<DestinationBufferizable<ScatterOp>>(*getContext());
  LoadOp::attachInterface<DestinationBufferizable<LoadOp>>(*getContext());
  GroupOp::attachInterface<DestinationBufferizable<GroupOp>>(*getContext());
  InsertOp::attachInterface<DestinationBufferizable<InsertOp>>(*getContext());
  SortOp::attachInterface<DestinationBufferizable<SortOp>>(*getContext());
  HistogramOp::attachInterface<DestinationBufferizable<HistogramOp>>(*getContext());
  FftOp::attachInterface<DestinationBufferizable<FftOp>>(*getContext());
  attachTiling(*getContext());
}
} // namespace terrace::loop

namespace terrace::kernel {
TERRACE_DIALECT(KernelDialect)
void KernelDialect::initialize() {
  registerOperations(this);
  addInterfaces<Inliner>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "KernelAttributes.cpp.inc"
      >();
  getContext()->loadDialect<arith::ArithDialect>();
}

// <threads = [4, 64], vector = [1, 4], order = [0, 1], without = [1]>, the last two optional.
Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> lists[4];
  auto parseList = [&]() -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    const StringRef names[] = {"threads", "vector", "order", "without"};
    const StringRef *found = llvm::find(names, name);
    if (found == std::end(names))
      return parser.emitError(at, "expected threads, vector, order or without");
    auto &list = lists[found - names];
    if (!list.empty())
      return parser.emitError(at, "expected ") << name << " once";
    return failure(parser.parseEqual() || parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
      return parser.parseInteger(list.emplace_back());
    }));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::LessGreater, parseList))
    return {};
  auto &[threads, vector, order, without] = lists;
  if (order.empty())
    for (size_t d = threads.size(); d > 0; --d)
      order.push_back(d - 1);
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), threads, vector, order, without);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  auto print = [&](StringRef name, ArrayRef<int64_t> list) {
    printer << name << " = [";
    llvm::interleaveComma(list, printer);
    printer << ']';
  };
  printer << '<';
  print("threads", getThreads());
  print(", vector", getVector());
  if (!llvm::is_sorted(llvm::reverse(getOrder())))
    print(", order", getOrder());
  if (!getWithout().empty())
    print(", without", getWithout());
  printer << '>';
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  auto refuse = [](MlirStringRef message, void *emitError) {
    (*static_cast<function_ref<InFlightDiagnostic()> *>(emitError))() << unwrap(message);
  };
  return success(hooks().verifyEncoding(wrap(Attribute(*this)), shape.size(), shape.data(), refuse, &emitError));
}
} // namespace terrace::kernel

extern "C" {
void terrace_register_dialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<terrace::graph::GraphDialect, terrace::functional::FunctionalDialect,
                             terrace::loop::LoopDialect, terrace::kernel::KernelDialect>();
}
}
