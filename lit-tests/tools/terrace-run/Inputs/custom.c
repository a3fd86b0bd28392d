// What MLIR's C interface passes for a tensor of one and of two dimensions, and for a number that is a result.
#include <stdint.h>
typedef struct { void *allocated; float *data; int64_t offset, size, stride; } vector;
typedef struct { void *allocated; float *data; int64_t offset, sizes[2], strides[2]; } matrix;
typedef struct { void *allocated; int64_t *data; int64_t offset; } number;

void _mlir_ciface_mine_scale_(vector *x, double k, int8_t on) {
  for (int64_t i = 0; on && i < x->size; i++) x->data[x->offset + i * x->stride] *= (float)k;
}

void _mlir_ciface_mine_doubled(matrix *x, matrix *result, number *count) {
  for (int64_t i = 0; i < x->sizes[0]; i++)
    for (int64_t j = 0; j < x->sizes[1]; j++)
      result->data[result->offset + i * result->strides[0] + j * result->strides[1]] =
          2 * x->data[x->offset + i * x->strides[0] + j * x->strides[1]];
  count->data[count->offset] = x->sizes[0] * x->sizes[1];
}
