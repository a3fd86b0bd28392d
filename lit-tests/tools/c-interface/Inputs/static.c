/* A program with an MLIR of its own opens libterrace_c.so, at argv[1], which brings another. */

#include "terrace-c/Register.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MlirContext context = mlirContextCreate();
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 0;
  }
  MlirLogicalResult (*add)(MlirContext) = (MlirLogicalResult(*)(MlirContext))dlsym(library, "terraceRegisterDialectsInContext");
  return mlirLogicalResultIsFailure(add(context));
}
