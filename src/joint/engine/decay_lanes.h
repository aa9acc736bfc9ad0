/* decay_lanes.h - exp(-y) less its first terms on all lanes at once, as by decay.h. */
#pragma once
#include "decay.h"
#include "exponential_lanes.h"

/* DecayBend in each lane. */
static inline Wide DecayWideBend(Wide y)
{
  const Wide series =
    y * y / 2.0 *
    (1.0 - y * (1.0 / 3) *
             (1.0 - y * (1.0 / 4) * (1.0 - y * (1.0 / 5) * (1.0 - y * (1.0 / 6) * (1.0 - y * (1.0 / 7) * (1.0 - y * (1.0 / 8) * (1.0 - y / 9.0)))))));

  return WideSelect(y > DECAY_FAR, ExponentialWideLessOne(-y) + y, series);
}
