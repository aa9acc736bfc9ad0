/* lane.h - several elements at once: a Lane holds one number of each of LANES elements, and arithmetic acts on all of them. */
#pragma once

/* As many as fit into a vector register of the processor we compile for (fe-speed: wider ones spill). */
#ifdef __AVX__
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif

typedef double Lane __attribute__((vector_size(LANES * sizeof(double))));
