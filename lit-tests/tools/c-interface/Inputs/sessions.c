/* What terrace-c/Session.h promises: kinds of errors, views, lent memory, threads, contexts, orders of destruction. */

#include "terrace-c/Session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S(text) mlirStringRefCreateFromCString(text)

static const char *text =
    "func.func @add_(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {\n"
    "  %0 = graph.add_ %x, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>\n"
    "  return %0 : !graph.tensor<?xf32>\n"
    "}\n"
    "func.func @take(%x: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64>) -> !graph.tensor<2xf32> {\n"
    "  %0 = graph.index_select %x, %i {dim = 0 : i64} : !graph.tensor<4xf32>, !graph.tensor<2xi64>\n"
    "  return %0 : !graph.tensor<2xf32>\n"
    "}\n"
    "func.func @scaled(%x: memref<4xf32>, %k: f32) -> i64 {\n"
    "  %c = arith.constant 7 : i64\n"
    "  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} outs(%x : memref<4xf32>) {\n"
    "  ^bb0(%a: f32):\n"
    "    %m = arith.mulf %a, %k : f32\n"
    "    linalg.yield %m : f32\n"
    "  }\n"
    "  return %c : i64\n"
    "}\n";

static void say(const char *what, TerraceError error) {
  static const char *kinds[] = {"argument", "refused", "runtime", "resource", "internal"};
  if (terraceErrorIsNull(error)) {
    printf("%s: ok\n", what);
    return;
  }
  printf("%s: %s: %s\n", what, kinds[terraceErrorGetKind(error)], terraceErrorGetMessage(error).data);
  terraceErrorDestroy(error);
}

static void check(TerraceError error) {
  if (!terraceErrorIsNull(error)) {
    say("unexpected", error);
    exit(1);
  }
}

static void released(void *user) { printf("released %s\n", (const char *)user); }

static TerraceTensor vector(TerraceStorage storage, TerraceDtype dtype, int64_t size, int64_t stride, int64_t offset) {
  TerraceTensor made;
  check(terraceTensorCreate(storage, dtype, 1, &size, &stride, offset, &made));
  return made;
}

static TerraceProgram compiled(MlirContext context, TerraceSession *session, TerraceSessionOptions options) {
  check(terraceSessionCreate(context, options, session));
  MlirModule module = mlirModuleCreateParse(context, S(text));
  TerraceProgram program;
  check(terraceProgramCreate(*session, module, &program));
  mlirModuleDestroy(module);
  return program;
}

/* Adds to its own vector again and again. */
static void *adds(void *out) {
  TerraceProgram program = *(TerraceProgram *)out;
  for (int round = 0; round < 50; ++round) {
    int64_t size = 3 + round % 2;
    float x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 1, 1};
    TerraceStorage a = terraceStorageLend(x, sizeof x, NULL, NULL), b = terraceStorageLend(y, sizeof y, NULL, NULL);
    TerraceValue arguments[2] = {terraceValueOfTensor(vector(a, TerraceF32, size, 1, 0)),
                                 terraceValueOfTensor(vector(b, TerraceF32, size, 1, 0))};
    TerraceValue result;
    check(terraceProgramCall(program, S("add_"), 2, arguments, 1, &result));
    if (x[0] != 2 || x[size - 1] != size + 1 || (size == 3 && x[3] != 4))
      printf("wrong: %g %g\n", x[0], x[3]);
    terraceTensorDestroy(result.tensor);
    for (int i = 0; i < 2; ++i)
      terraceTensorDestroy(arguments[i].tensor);
    terraceStorageDestroy(a);
    terraceStorageDestroy(b);
  }
  return NULL;
}

/* A context, a session and a program of its own. */
static void *alone(void *unused) {
  MlirContext context = mlirContextCreate();
  TerraceSession session;
  TerraceSessionOptions options = {.threads = 2};
  TerraceProgram program = compiled(context, &session, options);
  terraceSessionDestroy(session); /* the program keeps it */
  adds(&program);
  terraceProgramDestroy(program);
  mlirContextDestroy(context);
  return unused;
}

int main(void) {
  MlirContext context = mlirContextCreate();
  TerraceSession session;

  TerraceSessionOptions wrong = {.without = S("loop-fuse,loop-fudge")};
  say("without", terraceSessionCreate(context, wrong, &session));
  TerraceSessionOptions other = {.cpu = S("z80")};
  say("cpu", terraceSessionCreate(context, other, &session));
  TerraceSessionOptions options = {.refuse = true};
  TerraceProgram program = compiled(context, &session, options);

  /* Views of memory that is lent: even elements and odd ones. What the function gives back is the first. */
  float numbers[6] = {1, 2, 3, 4, 5, 6};
  TerraceStorage lent = terraceStorageLend(numbers, sizeof numbers, released, "numbers");
  TerraceTensor even = vector(lent, TerraceF32, 3, 2, 0), odd = vector(lent, TerraceF32, 3, 2, 1);
  TerraceValue arguments[2] = {terraceValueOfTensor(even), terraceValueOfTensor(odd)}, result;
  check(terraceProgramCompile(program, S("add_"), 2, arguments));
  say("views", terraceProgramCall(program, S("add_"), 2, arguments, 1, &result));
  printf("%g %g %g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
  TerraceStorage again = terraceTensorGetStorage(result.tensor);
  printf("same storage: %d, rank %d, size %d, stride %d\n", terraceStorageEqual(again, lent),
         (int)terraceTensorGetRank(result.tensor), (int)terraceTensorGetSizes(result.tensor)[0],
         (int)terraceTensorGetStrides(result.tensor)[0]);
  terraceStorageDestroy(again);
  terraceTensorDestroy(result.tensor);

  /* Errors. */
  TerraceTensor beyond;
  int64_t seven = 7;
  say("beyond", terraceTensorCreate(lent, TerraceF32, 1, &seven, NULL, 0, &beyond));
  say("name", terraceProgramCall(program, S("sub_"), 2, arguments, 1, &result));
  say("count", terraceProgramCall(program, S("add_"), 1, arguments, 1, &result));
  say("results", terraceProgramCall(program, S("add_"), 2, arguments, 2, &result));
  TerraceTensor last = vector(lent, TerraceF32, 3, 1, 3);
  TerraceValue overlap[2] = {terraceValueOfTensor(even), terraceValueOfTensor(last)};
  say("overlap", terraceProgramCall(program, S("add_"), 2, overlap, 1, &result));
  terraceTensorDestroy(last);
  TerraceTensor wide = vector(lent, TerraceF64, 3, 1, 0);
  TerraceValue doubles[2] = {terraceValueOfTensor(wide), terraceValueOfTensor(wide)};
  say("dtype", terraceProgramCall(program, S("add_"), 2, doubles, 1, &result));
  terraceTensorDestroy(wide);
  say("null", terraceProgramCall((TerraceProgram){NULL}, S("add_"), 2, arguments, 1, &result));

  TerraceStorage indices;
  check(terraceStorageCreate(2 * sizeof(int64_t), &indices));
  int64_t *index = terraceStorageGetData(indices);
  TerraceTensor four = vector(lent, TerraceF32, 4, 1, 0), two = vector(indices, TerraceI64, 2, 1, 0);
  TerraceValue take[2] = {terraceValueOfTensor(four), terraceValueOfTensor(two)};
  index[1] = 9;
  say("index", terraceProgramCall(program, S("take"), 2, take, 1, &result));
  index[1] = 3;
  TerraceTensor into = vector(lent, TerraceF32, 2, 1, 0);
  say("into", terraceProgramCallInto(program, S("take"), 2, take, 1, &into));
  printf("%g %g\n", numbers[0], numbers[1]);
  terraceTensorDestroy(into);
  terraceTensorDestroy(two);
  terraceStorageDestroy(indices);

  /* Numbers go in and out, and linalg on memrefs is a program like others. */
  TerraceValue scaled[2] = {terraceValueOfTensor(four), terraceValueOfFloat(10)};
  intptr_t count;
  check(terraceProgramGetNumResults(program, S("scaled"), &count));
  say("scaled", terraceProgramCall(program, S("scaled"), 2, scaled, count, &result));
  printf("%d, %g\n", (int)result.integer, numbers[3]);
  terraceTensorDestroy(four);

  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, adds, &program);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  printf("threads are done\n");
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, alone, NULL);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  printf("contexts are done\n");

  terraceTensorDestroy(even);
  terraceStorageDestroy(lent);
  printf("a view is left\n");
  terraceTensorDestroy(odd);
  terraceProgramDestroy(program);
  terraceSessionDestroy(session);
  mlirContextDestroy(context);
  return 0;
}
