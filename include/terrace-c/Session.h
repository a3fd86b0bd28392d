//===- terrace-c/Session.h - Programs as they are written, called with tensors ----------------------------------===//
//
// A session compiles functions of a module for the calls that come: once for all calls alike. examples/compilers/cpp
// is a program that does so.
//
//   TerraceSession session;
//   TerraceError error = terraceSessionCreate(context, (TerraceSessionOptions){0}, &session);
//   TerraceProgram program;
//   error = terraceProgramCreate(session, module, &program);
//   TerraceStorage storage = terraceStorageLend(numbers, sizeof numbers, NULL, NULL);
//   TerraceTensor x;
//   error = terraceTensorCreate(storage, TerraceF32, 2, (int64_t[]){2, 3}, NULL, 0, &x);
//   TerraceValue argument = terraceValueOfTensor(x), result;
//   error = terraceProgramCall(program, name, 1, &argument, 1, &result);
//
// Each function that can fail returns an error, which is null where it did not; outputs are written then only. What was created is
// destroyed by its function, a session after its programs or before them.
//
// Threads: a program may be called from several at once. A storage and the tensors on it are one thread's at a time.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_C_SESSION_H
#define TERRACE_C_SESSION_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TERRACE_HANDLE(name) typedef struct name { void *ptr; } name
TERRACE_HANDLE(TerraceError);
TERRACE_HANDLE(TerraceStorage);
TERRACE_HANDLE(TerraceTensor);
TERRACE_HANDLE(TerraceSession);
TERRACE_HANDLE(TerraceProgram);
#undef TERRACE_HANDLE

//===------------------------------------------------------------------------------------------------------------===//
// Errors
//===------------------------------------------------------------------------------------------------------------===//

typedef enum TerraceErrorKind {
  // What the caller brings does not fit: an argument, a name, an option.
  TerraceErrorArgument = 0,
  // The program has what Terrace does not compile; the message has its location and what would be right.
  TerraceErrorRefused = 1,
  // What the program computes is an error, such as an index out of range.
  TerraceErrorRuntime = 2,
  // Code could not be generated, linked or loaded here, or memory could not be had.
  TerraceErrorResource = 3,
  // A mistake of Terrace's: please report it.
  TerraceErrorInternal = 4,
} TerraceErrorKind;

// Whether nothing went wrong.
static inline bool terraceErrorIsNull(TerraceError error) { return !error.ptr; }

// What went wrong. The error must not be null.
TerraceErrorKind terraceErrorGetKind(TerraceError error);

// The same in words; the text lives as long as the error, which must not be null. A zero stands behind it.
MlirStringRef terraceErrorGetMessage(TerraceError error);

// Destroys an error; null is fine.
void terraceErrorDestroy(TerraceError error);

//===------------------------------------------------------------------------------------------------------------===//
// Storages and tensors: as PyTorch's. Tensors on one storage are views of each other.
//===------------------------------------------------------------------------------------------------------------===//

typedef enum TerraceDtype {
  TerraceBool = 0,
  TerraceU8 = 1,
  TerraceI8 = 2,
  TerraceI16 = 3,
  TerraceI32 = 4,
  TerraceI64 = 5,
  TerraceF16 = 6,
  TerraceBF16 = 7,
  TerraceF32 = 8,
  TerraceF64 = 9,
  // Two f32, the real part first.
  TerraceC64 = 10,
  // Two f64.
  TerraceC128 = 11,
} TerraceDtype;

// New memory, all 0.
TerraceError terraceStorageCreate(size_t bytes, TerraceStorage *storage);

// Memory of the caller's. `release(user)` is called when neither the storage nor a tensor on it needs it any longer; NULL if nobody wants to
// know. Until then nobody else writes it while a program runs.
TerraceStorage terraceStorageLend(void *data, size_t bytes, void (*release)(void *user), void *user);

// The address of the first byte: valid as long as the storage or a tensor on it, unless a program makes the storage larger.
void *terraceStorageGetData(TerraceStorage storage);

// The size in bytes.
size_t terraceStorageGetBytes(TerraceStorage storage);

// Whether two handles stand for the same memory.
bool terraceStorageEqual(TerraceStorage a, TerraceStorage b);

// Destroys a handle; the memory lives as long as a tensor needs it. Null is fine.
void terraceStorageDestroy(TerraceStorage storage);

// A tensor on a storage. Sizes, strides and offset count elements; without strides (NULL) it is row-major.
// An error if an element would lie outside of the storage.
TerraceError terraceTensorCreate(TerraceStorage storage, TerraceDtype dtype, intptr_t rank, const int64_t *sizes,
                                 const int64_t *strides, int64_t offset, TerraceTensor *tensor);

TerraceDtype terraceTensorGetDtype(TerraceTensor tensor);
intptr_t terraceTensorGetRank(TerraceTensor tensor);
// As many as the rank; valid as long as the tensor.
const int64_t *terraceTensorGetSizes(TerraceTensor tensor);
const int64_t *terraceTensorGetStrides(TerraceTensor tensor);
int64_t terraceTensorGetOffset(TerraceTensor tensor);
// Another handle of its storage, which the caller destroys.
TerraceStorage terraceTensorGetStorage(TerraceTensor tensor);
// The address of its first element.
void *terraceTensorGetData(TerraceTensor tensor);
// Null is fine.
void terraceTensorDestroy(TerraceTensor tensor);

//===------------------------------------------------------------------------------------------------------------===//
// Arguments and results
//===------------------------------------------------------------------------------------------------------------===//

typedef enum TerraceValueKind {
  TerraceValueTensor = 0,
  TerraceValueBool = 1,
  TerraceValueInt = 2,
  TerraceValueFloat = 3,
  TerraceValueComplex = 4,
} TerraceValueKind;

// A tensor (for !graph.tensor, builtin tensors and memrefs alike) or a number.
typedef struct TerraceValue {
  TerraceValueKind kind;
  TerraceTensor tensor; // null if it is a number
  int64_t integer;      // 0 or 1 of a bool
  double real;
  double imaginary;
} TerraceValue;

static inline TerraceValue terraceValueOfTensor(TerraceTensor tensor) {
  TerraceValue value = {TerraceValueTensor, tensor, 0, 0.0, 0.0};
  return value;
}

static inline TerraceValue terraceValueOfInt(int64_t integer) {
  TerraceValue value = {TerraceValueInt, {NULL}, integer, 0.0, 0.0};
  return value;
}

static inline TerraceValue terraceValueOfFloat(double real) {
  TerraceValue value = {TerraceValueFloat, {NULL}, 0, real, 0.0};
  return value;
}

//===------------------------------------------------------------------------------------------------------------===//
// Sessions and programs
//===------------------------------------------------------------------------------------------------------------===//

// All zeros are the defaults.
typedef struct TerraceSessionOptions {
  // What code is generated for: `host`, which nothing stands for too, or a level such as `x86-64-v3`.
  MlirStringRef cpu;
  // The threads of a call, the caller's among them; 0: what the environment says in TERRACE_THREADS, or as many as there are processors.
  intptr_t threads;
  // A function that Terrace does not compile is an error of the call. Else the reference runs it, slowly, with one warning that says why.
  bool refuse;
  // Optimizations to leave out, with commas between them: `loop-fuse,loop-collapse`.
  MlirStringRef without;
} TerraceSessionOptions;

// A session in a context, which outlives it. Registers Terrace's dialects and upstream's in the context, and the passes of both.
TerraceError terraceSessionCreate(MlirContext context, TerraceSessionOptions options, TerraceSession *session);

// Starts the generator anew that programs draw random numbers from.
void terraceSessionSeed(TerraceSession session, uint64_t seed);

// Destroys a handle; programs of the session keep what they need. Null is fine.
void terraceSessionDestroy(TerraceSession session);

// A program of a module, which is copied: in graph, functional, linalg, tosa, affine, ..., mixed.
TerraceError terraceProgramCreate(TerraceSession session, MlirModule module, TerraceProgram *program);

// How many results a function has; an error if there is no such function.
TerraceError terraceProgramGetNumResults(TerraceProgram program, MlirStringRef function, intptr_t *count);

// Compiles a function for calls with such arguments, and runs nothing.
TerraceError terraceProgramCompile(TerraceProgram program, MlirStringRef function, intptr_t nArguments, const TerraceValue *arguments);

// Calls a function. Tensors among the arguments are written in place where the program does so. `nResults` is how many it has; the
// caller destroys the tensors among them. Those that are views of arguments are on the storages of these.
TerraceError terraceProgramCall(TerraceProgram program, MlirStringRef function, intptr_t nArguments,
                                const TerraceValue *arguments, intptr_t nResults, TerraceValue *results);

// The same with the results put into tensors of the caller's, of their dtypes and sizes.
TerraceError terraceProgramCallInto(TerraceProgram program, MlirStringRef function, intptr_t nArguments,
                                    const TerraceValue *arguments, intptr_t nResults, const TerraceTensor *into);

// Null is fine.
void terraceProgramDestroy(TerraceProgram program);

#ifdef __cplusplus
}
#endif

#endif // TERRACE_C_SESSION_H
