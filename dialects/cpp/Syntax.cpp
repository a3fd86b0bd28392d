//===- Syntax.cpp - parsing and printing of Syntax.h ------------------------------------------------------------===//
#include "Dialects.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace terrace {
// (%i = 64, %j = %n), the indices appended to `indices`.
static ParseResult parseDomain(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &indices, Operands &dynamic,
                               SmallVectorImpl<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument &index = indices.emplace_back();
    if (parser.parseArgument(index) || parser.parseEqual())
      return failure();
    index.type = parser.getBuilder().getIndexType();
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult found = parser.parseOptionalOperand(operand);
    if (found.has_value()) {
      dynamic.push_back(operand);
      sizes.push_back(ShapedType::kDynamic);
      return *found;
    }
    int64_t size;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseInteger(size))
      return failure();
    if (size < 0)
      return parser.emitError(loc, "expected a size that is not negative");
    sizes.push_back(size);
    return success();
  });
}

static void printDomain(OpAsmPrinter &printer, ValueRange indices, ArrayRef<int64_t> sizes, OperandRange dynamic,
                        unsigned &next) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(indices, sizes), printer, [&](auto pair) {
    auto [index, size] = pair;
    printer << index << " = ";
    if (ShapedType::isDynamic(size) && next < dynamic.size())
      printer << dynamic[next++];
    else
      printer << size;
  });
  printer << ')';
}

static ParseResult parseBody(OpAsmParser &parser, Region &body, ArrayRef<OpAsmParser::Argument> indices,
                             MaybeOperand &init) {
  if (succeeded(parser.parseOptionalKeyword("into")) && parser.parseOperand(init.emplace()))
    return failure();
  return parser.parseRegion(body, indices);
}

static void printBody(OpAsmPrinter &printer, Region &body, Value init, StringRef before = " ") {
  if (init)
    printer << " into " << init;
  printer << before;
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

// A body whose block lacks the indices is printed as far as it goes: the verifier refuses it.
static ValueRange indicesOf(Region &body, size_t first, size_t count) {
  if (body.empty())
    return {};
  ValueRange all = body.front().getArguments();
  return all.drop_front(std::min(first, all.size())).take_front(std::min(count, all.size() - std::min(first, all.size())));
}

ParseResult parseNest(OpAsmParser &parser, Region &body, Operands &dynamic, DenseI64ArrayAttr &sizes,
                      MaybeOperand &init) {
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<int64_t> values;
  if (parseDomain(parser, indices, dynamic, values) || parseBody(parser, body, indices, init))
    return failure();
  sizes = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

void printNest(OpAsmPrinter &printer, Operation *, Region &body, OperandRange dynamic, DenseI64ArrayAttr sizes,
               Value init) {
  unsigned next = 0;
  printDomain(printer, indicesOf(body, 0, sizes.size()), sizes, dynamic, next);
  printBody(printer, body, init);
}

ParseResult parseScatterNest(OpAsmParser &parser, Region &body, Operands &dynamic, DenseI64ArrayAttr &sizes,
                             OpAsmParser::UnresolvedOperand &init) {
  MaybeOperand found;
  SMLoc loc = parser.getCurrentLocation();
  if (parseNest(parser, body, dynamic, sizes, found))
    return failure();
  if (!found)
    return parser.emitError(loc, "expected a destination: 'into'");
  init = *found;
  return success();
}

void printScatterNest(OpAsmPrinter &printer, Operation *op, Region &body, OperandRange dynamic, DenseI64ArrayAttr sizes,
                      Value init) {
  printNest(printer, op, body, dynamic, sizes, init);
}

ParseResult parseReductionNest(OpAsmParser &parser, Region &body, Operands &dynamic, DenseI64ArrayAttr &sizes,
                               IntegerAttr &reduced, MaybeOperand &init) {
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<int64_t> values;
  if (failed(parser.parseOptionalKeyword("over")) &&
      (parseDomain(parser, indices, dynamic, values) || parser.parseKeyword("over")))
    return failure();
  size_t outer = values.size();
  if (parseDomain(parser, indices, dynamic, values) || parseBody(parser, body, indices, init))
    return failure();
  sizes = parser.getBuilder().getDenseI64ArrayAttr(values);
  reduced = parser.getBuilder().getI64IntegerAttr(values.size() - outer);
  return success();
}

void printReductionNest(OpAsmPrinter &printer, Operation *, Region &body, OperandRange dynamic, DenseI64ArrayAttr sizes,
                        IntegerAttr reduced, Value init) {
  size_t inner = std::min<size_t>(std::max<int64_t>(reduced.getInt(), 0), sizes.size());
  size_t outer = sizes.size() - inner;
  unsigned next = 0;
  if (outer != 0) {
    printDomain(printer, indicesOf(body, 0, outer), sizes.asArrayRef().take_front(outer), dynamic, next);
    printer << ' ';
  }
  printer << "over ";
  printDomain(printer, indicesOf(body, outer, inner), sizes.asArrayRef().drop_front(outer), dynamic, next);
  printBody(printer, body, init);
}

ParseResult parseScanNest(OpAsmParser &parser, Region &body, Operands &dynamic, DenseI64ArrayAttr &sizes,
                          IntegerAttr &dim, MaybeOperand &init) {
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<int64_t> values;
  OpAsmParser::UnresolvedOperand along;
  if (parseDomain(parser, indices, dynamic, values) || parser.parseKeyword("along") || parser.parseOperand(along))
    return failure();
  auto *found = llvm::find_if(indices, [&](auto &index) {
    return index.ssaName.name == along.name && index.ssaName.number == along.number;
  });
  if (found == indices.end())
    return parser.emitError(along.location, "expected an index of the domain");
  sizes = parser.getBuilder().getDenseI64ArrayAttr(values);
  dim = parser.getBuilder().getI64IntegerAttr(found - indices.begin());
  return parseBody(parser, body, indices, init);
}

void printScanNest(OpAsmPrinter &printer, Operation *, Region &body, OperandRange dynamic, DenseI64ArrayAttr sizes,
                   IntegerAttr dim, Value init) {
  unsigned next = 0;
  ValueRange indices = indicesOf(body, 0, sizes.size());
  printDomain(printer, indices, sizes, dynamic, next);
  printer << " along ";
  if (dim.getInt() >= 0 && dim.getInt() < (int64_t)indices.size())
    printer << indices[dim.getInt()];
  printBody(printer, body, init);
}

ParseResult parseNestType(OpAsmParser &parser, Type &init, Type &result) {
  if (parser.parseType(init))
    return failure();
  if (isa<RankedTensorType>(init))
    result = init;
  return success();
}

void printNestType(OpAsmPrinter &printer, Operation *, Type init, Type) { printer << init; }

ParseResult parseMemberType(OpAsmParser &parser, MaybeOperand operand, Type &init, Type &result) {
  return operand ? parseNestType(parser, init, result) : parser.parseType(result);
}

void printMemberType(OpAsmPrinter &printer, Operation *, Value operand, Type init, Type result) {
  printer << (operand ? init : result);
}

ParseResult parseDestinationTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types, SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(types))
    return failure();
  llvm::copy_if(types, std::back_inserter(results), llvm::IsaPred<RankedTensorType>);
  return success();
}

void printDestinationTypes(OpAsmPrinter &printer, Operation *, TypeRange types, TypeRange) { printer << types; }

ParseResult parseGroup(OpAsmParser &parser, Region &body, Operands &dynamic, DenseI64ArrayAttr &sizes, Operands &inits,
                       SmallVectorImpl<Type> &types, SmallVectorImpl<Type> &results) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<int64_t> values;
  auto parseDestination = [&]() -> ParseResult {
    OpAsmParser::Argument &name = arguments.emplace_back();
    if (parser.parseOperand(inits.emplace_back()) || parser.parseKeyword("as") || parser.parseArgument(name) ||
        parser.parseColonType(name.type))
      return failure();
    types.push_back(name.type);
    if (isa<RankedTensorType>(name.type))
      results.push_back(name.type);
    return success();
  };
  if (parseDomain(parser, arguments, dynamic, values) || parser.parseKeyword("into") ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseDestination) ||
      parser.parseRegion(body, arguments))
    return failure();
  sizes = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

void printGroup(OpAsmPrinter &printer, Operation *, Region &body, OperandRange dynamic, DenseI64ArrayAttr sizes,
                OperandRange inits, TypeRange types, TypeRange) {
  unsigned next = 0;
  printDomain(printer, indicesOf(body, 0, sizes.size()), sizes, dynamic, next);
  printer << " into (";
  llvm::interleaveComma(llvm::zip(inits, indicesOf(body, sizes.size(), inits.size()), types), printer, [&](auto item) {
    printer << std::get<0>(item) << " as " << std::get<1>(item) << " : " << std::get<2>(item);
  });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

// One affine expression over new operands, which are appended to `indices`.
static ParseResult parseExpr(OpAsmParser &parser, Operands &indices, AffineExpr &expr) {
  SmallVector<OpAsmParser::UnresolvedOperand> dims, symbols;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAffineExprOfSSAIds(dims, symbols, expr))
    return failure();
  if (!symbols.empty())
    return parser.emitError(loc, "expected indices without 'symbol'");
  expr = expr.shiftDims(dims.size(), indices.size());
  indices.append(dims.begin(), dims.end());
  return success();
}

static AffineMapAttr mapOf(OpAsmParser &parser, size_t dims, ArrayRef<AffineExpr> exprs) {
  return AffineMapAttr::get(AffineMap::get(dims, 0, exprs, parser.getContext()));
}

static void printExpr(OpAsmPrinter &printer, AffineExpr expr, ValueRange indices) {
  printer.printAffineExprOfSSAIds(expr, indices, {});
}

ParseResult parseAccess(OpAsmParser &parser, Operands &indices, AffineMapAttr &map) {
  SmallVector<AffineExpr> exprs;
  // A 0-dim access has no index at all; the bracket that closes it is the format's.
  SMLoc start = parser.getCurrentLocation();
  if (*start.getPointer() != ']')
    if (parser.parseCommaSeparatedList([&] { return parseExpr(parser, indices, exprs.emplace_back()); }))
      return failure();
  map = mapOf(parser, indices.size(), exprs);
  return success();
}

void printAccess(OpAsmPrinter &printer, Operation *, OperandRange indices, AffineMapAttr map) {
  llvm::interleaveComma(map.getValue().getResults(), printer, [&](AffineExpr e) { printExpr(printer, e, indices); });
}

ParseResult parseSlots(OpAsmParser &parser, Operands &indices, AffineMapAttr &map, DenseBoolArrayAttr &whole) {
  SmallVector<AffineExpr> exprs;
  SmallVector<bool> all;
  SMLoc start = parser.getCurrentLocation();
  if (*start.getPointer() != ']')
    if (parser.parseCommaSeparatedList([&]() -> ParseResult {
          all.push_back(succeeded(parser.parseOptionalColon()));
          return all.back() ? success() : parseExpr(parser, indices, exprs.emplace_back());
        }))
      return failure();
  map = mapOf(parser, indices.size(), exprs);
  whole = parser.getBuilder().getDenseBoolArrayAttr(all);
  return success();
}

void printSlots(OpAsmPrinter &printer, Operation *, OperandRange indices, AffineMapAttr map, DenseBoolArrayAttr whole) {
  unsigned next = 0;
  llvm::interleaveComma(whole.asArrayRef(), printer, [&](bool all) {
    if (all || next >= map.getValue().getNumResults())
      printer << ':';
    else
      printExpr(printer, map.getValue().getResult(next++), indices);
  });
}

ParseResult parsePlace(OpAsmParser &parser, Operands &indices, AffineMapAttr &map) {
  if (failed(parser.parseOptionalKeyword("at")))
    return success();
  return failure(parser.parseLSquare() || parseAccess(parser, indices, map) || parser.parseRSquare());
}

void printPlace(OpAsmPrinter &printer, Operation *op, OperandRange indices, AffineMapAttr map) {
  if (!map)
    return;
  printer << " at [";
  printAccess(printer, op, indices, map);
  printer << ']';
}

ParseResult parseTileAccess(OpAsmParser &parser, Operands &indices, AffineMapAttr &map, DenseI64ArrayAttr &ranges,
                            DenseI64ArrayAttr &steps) {
  SmallVector<AffineExpr> exprs;
  SmallVector<int64_t> sizes, strides;
  SMLoc start = parser.getCurrentLocation();
  if (*start.getPointer() != ']')
    if (parser.parseCommaSeparatedList([&]() -> ParseResult {
          if (parseExpr(parser, indices, exprs.emplace_back()))
            return failure();
          int64_t range = 0, step = 1;
          if (succeeded(parser.parseOptionalColon())) {
            SMLoc loc = parser.getCurrentLocation();
            if (parser.parseInteger(range) || (succeeded(parser.parseOptionalColon()) && parser.parseInteger(step)))
              return failure();
            if (range <= 0)
              return parser.emitError(loc, "expected a range of 1 or more");
          }
          sizes.push_back(range);
          strides.push_back(step);
          return success();
        }))
      return failure();
  map = mapOf(parser, indices.size(), exprs);
  ranges = parser.getBuilder().getDenseI64ArrayAttr(sizes);
  steps = parser.getBuilder().getDenseI64ArrayAttr(strides);
  return success();
}

void printTileAccess(OpAsmPrinter &printer, Operation *, OperandRange indices, AffineMapAttr map,
                     DenseI64ArrayAttr ranges, DenseI64ArrayAttr steps) {
  llvm::interleaveComma(llvm::enumerate(map.getValue().getResults()), printer, [&](auto item) {
    printExpr(printer, item.value(), indices);
    size_t i = item.index();
    if (i < (size_t)ranges.size() && ranges[i] != 0)
      printer << " : " << ranges[i];
    if (i < (size_t)steps.size() && steps[i] != 1)
      printer << " : " << steps[i];
  });
}

ParseResult parseKernelFunction(OpAsmParser &parser, StringAttr &name, TypeAttr &type, DenseI64ArrayAttr &grid,
                                Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true))
    return failure();
  SmallVector<Type> types;
  for (auto &argument : arguments)
    types.push_back(argument.type);
  SmallVector<int64_t> sizes;
  auto parsePoint = [&]() -> ParseResult {
    OpAsmParser::Argument &index = arguments.emplace_back();
    int64_t size = ShapedType::kDynamic;
    if (parser.parseArgument(index) || parser.parseKeyword("in") ||
        (failed(parser.parseOptionalQuestion()) && parser.parseInteger(size)))
      return failure();
    index.type = parser.getBuilder().getIndexType();
    sizes.push_back(size);
    return success();
  };
  if (parser.parseKeyword("grid") || parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parsePoint) ||
      parser.parseRegion(body, arguments))
    return failure();
  type = TypeAttr::get(parser.getBuilder().getFunctionType(types, {}));
  grid = parser.getBuilder().getDenseI64ArrayAttr(sizes);
  return success();
}

void printKernelFunction(OpAsmPrinter &printer, Operation *, StringAttr name, TypeAttr type, DenseI64ArrayAttr grid,
                         Region &body) {
  auto function = cast<FunctionType>(type.getValue());
  printer.printSymbolName(name);
  printer << '(';
  llvm::interleaveComma(indicesOf(body, 0, function.getNumInputs()), printer,
                        [&](Value v) { printer << v << ": " << v.getType(); });
  printer << ") grid(";
  llvm::interleaveComma(llvm::zip(indicesOf(body, function.getNumInputs(), grid.size()), grid.asArrayRef()), printer,
                        [&](auto pair) {
                          auto [index, size] = pair;
                          printer << index << " in ";
                          if (ShapedType::isDynamic(size))
                            printer << '?';
                          else
                            printer << size;
                        });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

namespace {
/// Whether a value is defined below a region, which belongs to no operation yet.
bool isBelow(Value value, Region &region) {
  Region *around = value.getParentRegion();
  while (around && around != &region) {
    Operation *parent = around->getParentOp();
    around = parent ? parent->getParentRegion() : nullptr;
  }
  return around != nullptr;
}

/// Whether an operation below a region uses what another region defines.
bool usesOf(Region &user, Region &other) {
  return user
      .walk([&](Operation *op) {
        bool uses = llvm::any_of(op->getOperands(), [&](Value value) { return isBelow(value, other); });
        return uses ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}
} // namespace

// Of a text that is refused the regions go one after the other, each with what it defines: nothing in the others may use that then.
ParseResult parseMatmul(OpAsmParser &parser, Operands &dynamic, DenseI64ArrayAttr &sizes, IntegerAttr &reduced,
                        OpAsmParser::UnresolvedOperand &init, Region &lhs, Region &rhs, Region &epilogue) {
  Region *regions[] = {&lhs, &rhs, &epilogue};
  auto apart = llvm::make_scope_exit([&] { llvm::for_each(regions, [](Region *region) { region->dropAllReferences(); }); });
  SmallVector<OpAsmParser::Argument> indices;
  SmallVector<int64_t> values;
  SMLoc loc = parser.getCurrentLocation();
  if (parseDomain(parser, indices, dynamic, values) || parser.parseKeyword("over"))
    return failure();
  size_t outer = values.size();
  if (parseDomain(parser, indices, dynamic, values))
    return failure();
  if (outer < 2 || values.size() == outer)
    return parser.emitError(loc, "expected sizes of rows and columns, over one inner dimension or more");
  if (parser.parseKeyword("into") || parser.parseOperand(init) || parser.parseKeyword("lhs") ||
      parser.parseRegion(lhs, indices) || parser.parseKeyword("rhs") || parser.parseRegion(rhs, indices))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("epilogue"))) {
    // The sum stands in the place of the inner indices.
    indices.resize(outer + 1);
    OpAsmParser::Argument &sum = indices.back() = OpAsmParser::Argument();
    if (parser.parseLParen() || parser.parseArgument(sum, /*allowType=*/true) || parser.parseRParen() ||
        parser.parseRegion(epilogue, indices))
      return failure();
  }
  for (Region *user : regions)
    for (Region *other : regions)
      if (user != other && usesOf(*user, *other))
        return parser.emitError(loc, "expected regions that do not use values of each other");
  apart.release();
  sizes = parser.getBuilder().getDenseI64ArrayAttr(values);
  reduced = parser.getBuilder().getI64IntegerAttr(values.size() - outer);
  return success();
}

void printMatmul(OpAsmPrinter &printer, Operation *, OperandRange dynamic, DenseI64ArrayAttr sizes, IntegerAttr reduced,
                 Value init, Region &lhs, Region &rhs, Region &epilogue) {
  size_t inner = std::min<size_t>(std::max<int64_t>(reduced.getInt(), 0), sizes.size());
  size_t outer = sizes.size() - inner;
  ArrayRef<int64_t> values = sizes;
  unsigned next = 0;
  printDomain(printer, indicesOf(lhs, 0, outer), values.take_front(outer), dynamic, next);
  printer << " over ";
  printDomain(printer, indicesOf(lhs, outer, inner), values.drop_front(outer), dynamic, next);
  printBody(printer, lhs, init, " lhs ");
  printer << " rhs ";
  printer.printRegion(rhs, /*printEntryBlockArgs=*/false);
  if (epilogue.empty())
    return;
  printer << " epilogue(";
  llvm::interleaveComma(indicesOf(epilogue, outer, 1), printer,
                        [&](Value v) { printer << v << ": " << v.getType(); });
  printer << ") ";
  printer.printRegion(epilogue, /*printEntryBlockArgs=*/false);
}

void nameMatmulIndices(Region &region, size_t sizes, size_t reduced, function_ref<void(Value, StringRef)> setName) {
  for (BlockArgument index : region.getArguments()) {
    size_t fromLast = sizes - std::min<size_t>(index.getArgNumber() + 1, sizes);
    bool isIndex = index.getType().isIndex();
    StringRef outer = fromLast == reduced ? "n" : fromLast == reduced + 1 ? "m" : "b";
    setName(index, !isIndex ? "sum" : fromLast < reduced ? "k" : outer);
  }
}
} // namespace terrace
