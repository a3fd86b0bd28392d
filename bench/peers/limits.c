// What this machine can do at most, as one line of JSON: bytes a second of streams over arrays of a size, and f32 operations a
// second in registers.
//
//     gcc -O3 -march=native -fopenmp limits.c -o limits && OMP_NUM_THREADS=2 ./limits 1048576
//
// Streams are those of McCalpin's STREAM (triad: a = b + k * c), with plain and non-temporal stores, and reading alone. Vectors have
// the width that the processor has. Figures are the best of the repetitions: a limit is what was reached once.

#define _GNU_SOURCE
#include <immintrin.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __AVX512F__
enum { LANES = 16 };
#define STREAM(p, v) _mm512_stream_ps(p, (__m512)(v))
#elif defined(__AVX__)
enum { LANES = 8 };
#define STREAM(p, v) _mm256_stream_ps(p, (__m256)(v))
#else
enum { LANES = 4 };
#define STREAM(p, v) _mm_stream_ps(p, (__m128)(v))
#endif
typedef float Vector __attribute__((vector_size(LANES * sizeof(float))));

enum { REPETITIONS = 15, CHAINS = 12 };
static const size_t STEPS = 10000000;

// The least time that a run of `WORK` took, in seconds: `rounds` of them are one measurement.
#define BEST(into, rounds, WORK)                                                                                                 \
  double into = 1e30;                                                                                                            \
  for (int repetition = 0; repetition < REPETITIONS; repetition++) {                                                             \
    double start = omp_get_wtime();                                                                                              \
    for (size_t round = 0; round < (rounds); round++) {                                                                          \
      WORK                                                                                                                       \
    }                                                                                                                            \
    double time = (omp_get_wtime() - start) / (rounds);                                                                          \
    if (time < into) into = time;                                                                                                \
  }

static Vector *array(size_t bytes) {
  void *memory;
  if (posix_memalign(&memory, 2 << 20, bytes)) exit(1);
  return memory;
}

// The same operation in independent chains, so that its latency is hidden. Each is a variable: gcc keeps no array in registers here.
#define EACH_CHAIN(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

static float chains(void) {
  Vector factor = {0}, term = {0};
  factor += 0.999f, term += 0.001f;
#define START(c) Vector x##c = term;
#define STEP(c)                                                                                                                  \
  x##c = x##c * factor + term;                                                                                                   \
  asm volatile("" : "+x"(x##c));
#define TOTAL(c) +x##c[0]
  EACH_CHAIN(START)
  for (size_t step = 0; step < STEPS; step++) {
    EACH_CHAIN(STEP)
  }
  return 0 EACH_CHAIN(TOTAL);
}

int main(int count, char **arguments) {
  size_t elements = count > 1 ? strtoul(arguments[1], 0, 10) : 32u << 20;
  size_t bytes = elements * sizeof(float), vectors = elements / LANES;
  size_t rounds = (64u << 20) / elements ? (64u << 20) / elements : 1;
  Vector *a = array(bytes), *b = array(bytes), *c = array(bytes), k = {0};
  k += 0.42f;
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < vectors; i++) a[i] = b[i] = c[i] = k;
  volatile float sink = 0;

  BEST(triad, rounds, {
    _Pragma("omp parallel for schedule(static)") for (size_t i = 0; i < vectors; i++) a[i] = b[i] + k * c[i];
  })
  BEST(streamed, rounds, {
    _Pragma("omp parallel for schedule(static)") for (size_t i = 0; i < vectors; i++) STREAM((float *)(a + i), b[i] + k * c[i]);
    _mm_sfence();
  })
  BEST(read, rounds, {
    float sum = 0;
    _Pragma("omp parallel reduction(+ : sum)") {
      Vector parts[8] = {0};
      _Pragma("omp for schedule(static) nowait") for (size_t i = 0; i < vectors / 8; i++) {
        for (int part = 0; part < 8; part++) parts[part] += b[8 * i + part];
      }
      for (int part = 0; part < 8; part++) sum += parts[part][0];
    }
    sink += sum;
  })
  BEST(multiply_add, 1, {
    float sum = 0;
    _Pragma("omp parallel reduction(+ : sum)") sum += chains();
    sink += sum;
  })
  int threads = omp_get_max_threads();
  printf("{\"threads\": %d, \"elements\": %zu, \"triad\": %.4g, \"streamed\": %.4g, \"read\": %.4g, \"flops\": %.4g}\n", threads,
         elements, 3 * bytes / triad, 3 * bytes / streamed, bytes / read,
         2.0 * LANES * CHAINS * STEPS * threads / multiply_add);
}
