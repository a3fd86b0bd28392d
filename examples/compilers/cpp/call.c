/* Compiles a function that adds a bias to the rows of its argument, in place, as PyTorch would; and calls it. */

#include "terrace-c/Register.h"
#include "terrace-c/Session.h"

#include <stdio.h>
#include <stdlib.h>

static const char *text = "func.func @add_bias(%x: !graph.tensor<?x?xf32>, %bias: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {\n"
                          "  %0 = graph.add_ %x, %bias : !graph.tensor<?x?xf32>, !graph.tensor<?xf32>\n"
                          "  %1 = graph.sum %0 {dim = array<i64: 1>} : !graph.tensor<?x?xf32>\n"
                          "  return %1 : !graph.tensor<?xf32>\n"
                          "}\n";

static void check(TerraceError error) {
  if (terraceErrorIsNull(error))
    return;
  fprintf(stderr, "%s\n", terraceErrorGetMessage(error).data);
  terraceErrorDestroy(error);
  exit(1);
}

/* A row-major tensor of the caller's numbers. */
static TerraceTensor tensor(float *numbers, intptr_t rank, const int64_t *sizes) {
  size_t bytes = sizeof(float);
  for (intptr_t d = 0; d < rank; ++d)
    bytes *= sizes[d];
  TerraceStorage storage = terraceStorageLend(numbers, bytes, NULL, NULL);
  TerraceTensor made;
  check(terraceTensorCreate(storage, TerraceF32, rank, sizes, NULL, 0, &made));
  terraceStorageDestroy(storage);
  return made;
}

int main(void) {
  MlirContext context = mlirContextCreate();
  TerraceSession session;
  TerraceSessionOptions options = {.threads = 1};
  check(terraceSessionCreate(context, options, &session));
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  TerraceProgram program;
  check(terraceProgramCreate(session, module, &program));
  mlirModuleDestroy(module);

  float x[2][3] = {{1, 2, 3}, {4, 5, 6}}, bias[3] = {10, 20, 30};
  TerraceValue arguments[2] = {terraceValueOfTensor(tensor(&x[0][0], 2, (int64_t[]){2, 3})),
                               terraceValueOfTensor(tensor(bias, 1, (int64_t[]){3}))};
  TerraceValue sums;
  check(terraceProgramCall(program, mlirStringRefCreateFromCString("add_bias"), 2, arguments, 1, &sums));

  const float *s = terraceTensorGetData(sums.tensor);
  printf("x = %g %g %g %g %g %g\n", x[0][0], x[0][1], x[0][2], x[1][0], x[1][1], x[1][2]);
  printf("sums = %g %g\n", s[0], s[1]);

  terraceTensorDestroy(sums.tensor);
  for (int i = 0; i < 2; ++i)
    terraceTensorDestroy(arguments[i].tensor);
  terraceProgramDestroy(program);
  terraceSessionDestroy(session);
  mlirContextDestroy(context);
  return 0;
}
