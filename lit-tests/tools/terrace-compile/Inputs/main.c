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
  terrace_rt_context *context = terrace_rt_context_create();
  terrace_rt_context_set_threads(context, 2);
  double wrong = terrace_rows(context, &r, &x, 0.5) != TERRACE_RT_DONE;
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
  wrong += terrace_anyhow(context, &two, &t) != TERRACE_RT_DONE;
  wrong += two.strides[0] != 4 || two.strides[1] != 1;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 37; j++)
      wrong += two.aligned[two.offset + j * two.strides[0] + i * two.strides[1]] != 2 * data[i * 37 + j];
  terrace_rt_free(context, two.allocated);
  /* A row that is not there: the call's error, and where it was found. */
  int64_t place = 7;
  terrace_memref_1d_i64 index = {&place, &place, 0, {1}, {1}};
  terrace_memref_2d_f32 row = {0};
  int32_t status = terrace_row(context, &row, &x, &index);
  printf("status %d, %s: %s, %s\n", status, terrace_rt_context_place(context), terrace_rt_context_error(context),
         row.aligned ? "a result" : "no result");
  place = 1;
  status = terrace_row(context, &row, &x, &index);
  wrong += row.aligned[row.offset + 36] != data[37 + 36];
  printf("status %d, %s, %g wrong\n", status, terrace_rt_context_error(context) ? "an error" : "no error", wrong);
  terrace_rt_free(context, row.allocated);
  terrace_rt_free(context, r.r0.allocated);
  terrace_rt_free(context, r.r1.allocated);
  terrace_rt_context_destroy(context);
}
