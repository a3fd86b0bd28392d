/* A second copy of Terrace in the process, the plugin at argv[1]: after the library, or with a second argument before it. */

#include "terrace-c/Register.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  uint32_t api;
  const char *name, *version;
  void (*registerPasses)(void);
} Plugin;

int main(int argc, char **argv) {
  if (argc == 2 && mlirLogicalResultIsFailure(terraceRegisterPasses()))
    return 2;
  /* A second time is harmless. */
  if (argc == 2 && mlirLogicalResultIsFailure(terraceRegisterPipelines()))
    return 2;
  void *plugin = dlopen(argv[1], RTLD_NOW);
  if (!plugin) {
    fprintf(stderr, "%s\n", dlerror());
    return 3;
  }
  Plugin (*get)(void) = (Plugin(*)(void))dlsym(plugin, "mlirGetPassPluginInfo");
  get().registerPasses();
  if (mlirLogicalResultIsFailure(terraceRegisterPasses()))
    return 1;
  puts("both are in");
  return 0;
}
