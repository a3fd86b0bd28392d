/* Calls @rows on a buffer and @anyhow on its transpose, and prints what can be computed by hand. */
#include "program.h"
#include <math.h>
#include <stdio.h>

int main(void) {
  static float data[4 * 37];
  for (int i = 0; i < 4 * 37; i++)
    data[i] = (float)(i % 5);
  terrace_memref_2d_f32 x = {data, data, 0, {4, 37}, {37, 1}};
  terrace_rows_results r;
  terrace_rt_set_threads(2);
  terrace_rows(&r, &x, 0.5);
  double wrong = 0;
  for (int i = 0; i < 4; i++) {
    double sum = 0, all = 0;
    for (int j = 0; j < 37; j++) {
      wrong += data[i * 37 + j] != 0.5f * (float)((i * 37 + j) % 5);
      sum += data[i * 37 + j];
      all += exp(data[i * 37 + j]);
    }
    wrong += fabs(r.r1.aligned[r.r1.offset + i * r.r1.strides[0]] - sum) > 1e-4;
    for (int j = 0; j < 37; j++) {
      float p = r.r0.aligned[r.r0.offset + i * r.r0.strides[0] + j * r.r0.strides[1]];
      wrong += fabs(p - exp(data[i * 37 + j]) / all) > 1e-7;
    }
  }
  terrace_memref_2d_f32 t = {data, data, 0, {37, 4}, {1, 37}};
  terrace_memref_2d_f32 two;
  terrace_anyhow(&two, &t);
  wrong += two.strides[0] != 1 || two.strides[1] != 37;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 37; j++)
      wrong += two.aligned[two.offset + j * two.strides[0] + i * two.strides[1]] != 2 * data[i * 37 + j];
  terrace_rt_free(two.allocated);
  const char *error = terrace_rt_take_error();
  printf("%g wrong, %s\n", wrong, error ? error : "no error");
  terrace_rt_free(r.r0.allocated);
  terrace_rt_free(r.r1.allocated);
}
