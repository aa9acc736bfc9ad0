/* bouc_wen.c - the Bouc-Wen law: every step is a part of one curve, that of saturation.h. */
#include "laws.h"
#include "engine/rate_lanes.h"
#include "engine/saturation_lanes.h"
#include "engine/slip.h"

enum { K_L, K_H, GROWTH, B, C, EXPONENT };
enum { MOST = EXPONENT + 1, PER_MOST, PER_TIME, CURVE, NUM_CONSTANTS = CURVE + SATURATION_NUM_CONSTANTS };

static const JointParameter parameters[] = {
  {.name = "k_l", .fallback = 0, .most = PETSC_INFINITY, .unit = "N/m", .help = "elastic spring"},
  {.name = "k_h", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "N/m", .help = "hysteretic spring"},
  {.name = "A", .fallback = 1, .most = PETSC_INFINITY, .above = PETSC_TRUE, .help = "growth of z at rest"},
  {.name = "B", .fallback = JOINT_REQUIRED, .most = PETSC_INFINITY, .above = PETSC_TRUE, .unit = "1/m^N", .help = "limits z in either direction"},
  {.name = "C", .fallback = 0, .unit = "1/m^N", .help = "limits z when loading more than when unloading"},
  {.name = "N", .fallback = 1, .least = 1, .most = 100, .help = "sharpness of the passage into slip"},
  {0},
};

static const JointSample samples[] = {
  {.what = "exponential", .parameters = {[K_L] = 0.1, [K_H] = 1, [GROWTH] = 1.1, [B] = 1.5, [C] = 0.4, [EXPONENT] = 1}},
  {.what = "unloads along its tangent at rest", .parameters = {[K_H] = 1, [GROWTH] = 1, [B] = 1, [C] = 1, [EXPONENT] = 1}},
  {.what = "unloads on a curve, sharper", .parameters = {[K_L] = 0.1, [K_H] = 1, [GROWTH] = 1.1, [B] = 1.5, [C] = -0.4, [EXPONENT] = 2}},
  {.what = "an exponent between", .parameters = {[K_H] = 0.8, [GROWTH] = 1, [B] = 1, [C] = 0.3, [EXPONENT] = 1.7}},
  {0},
};

static PetscReal Limiting(const PetscReal p[])
{
  return PetscPowReal(p[GROWTH] / (p[B] + p[C]), 1 / p[EXPONENT]);
}

/* It gives back no more than it took when -B <= C <= B [Erlicher, Point 2004]; without B + C > 0 nothing limits z. */
static const char *Refuse(const PetscReal p[])
{
  if (p[C] > p[B]) return "C must not be above B: unloading would create energy";
  if (p[C] <= -p[B]) return "C must be above -B: the force would have no limit";
  return SlipRefuse(p[K_H] * Limiting(p), p[K_H] * p[GROWTH]);
}

/* z = MOST w and d = PER_TIME^-1 t make of the law the curve dw/dt = 1 - w^N with u = (B - C) / (B + C). */
static void Prepare(const PetscReal p[], PetscReal constants[])
{
  for (PetscInt i = 0; i <= EXPONENT; i++) constants[i] = p[i];
  constants[MOST]     = Limiting(p);
  constants[PER_MOST] = 1 / constants[MOST];
  constants[PER_TIME] = p[GROWTH] / constants[MOST];
  SaturationPrepare(p[EXPONENT], (p[B] - p[C]) / (p[B] + p[C]), constants + CURVE);
}

/* The hysteretic part where a step begins, in its direction. Without a motion that is the way that builds z up. */
typedef struct {
  PetscReal  sense, way;
  Saturation start;
} Departure;

/* w of a force. */
static inline PetscReal Reached(const PetscReal c[], PetscReal sense, PetscReal force, PetscReal motion)
{
  return sense * ((force - c[K_L] * motion) / c[K_H]) * c[PER_MOST];
}

static inline Departure Depart(const PetscReal c[], const RatePath *path)
{
  const PetscReal way = path->end - path->start, sense = PetscCopysignReal(1, way == 0 ? path->force - c[K_L] * path->start : way);

  return (Departure){sense, PetscAbsReal(way), SaturationFrom(c + CURVE, Reached(c, sense, path->force, path->start))};
}

static inline RatePoint Step(const PetscReal c[], const RatePath *path)
{
  const Departure  from  = Depart(c, path);
  const Saturation end   = from.way == 0 ? from.start : SaturationAt(c + CURVE, from.start.time + from.way * c[PER_TIME]);
  const PetscReal  slope = RowsRoundedOne(c[K_H] * c[GROWTH] * end.rate), memory = end.rate / from.start.rate;

  return (RatePoint){
    .force       = RowsRoundedOne(c[K_L] * path->end) + c[K_H] * c[MOST] * from.sense * end.w,
    .slope       = c[K_L] + slope,
    .start_slope = -slope - c[K_L] * memory,
    .memory      = memory,
  };
}

/* The work on z less what k_h z^2 / (2 A) stores more. */
static inline PetscReal Loss(const PetscReal c[], const RatePath *path, PetscReal force)
{
  const Departure from = Depart(c, path);
  Saturation      end  = SaturationWithin(c + CURVE, Reached(c, from.sense, force, path->end));

  end.time = from.start.time + from.way * c[PER_TIME];
  return c[K_H] * c[MOST] / c[PER_TIME] * (SaturationLoss(c + CURVE, &end) - SaturationLoss(c + CURVE, &from.start));
}

/* The same in all lanes, with the point that it is of: it is the same for all steps from there in one direction. */
typedef struct {
  Wide           motion, force;
  Wide           sense;
  SaturationWide start;
} WideDeparture;

enum { NUM_KNOWN = sizeof(WideDeparture) / sizeof(Wide) };

static inline Wide WideReached(const Wide c[], Wide sense, Wide force, Wide motion)
{
  return sense * ((force - c[K_L] * motion) / c[K_H]) * c[PER_MOST];
}

static inline const WideDeparture *WideDepart(const JointLanes *lanes, const RateWidePath *path, Wide way)
{
  const SaturationLanes curve = SaturationLanesOf(lanes, CURVE);
  const Wide *const     c     = lanes->constants;
  const Wide            sense = WideCopySign(WideOf(1), WideSelect(way == 0.0, path->force - c[K_L] * path->start, way));
  WideDeparture *const  from  = (WideDeparture *)path->known;
  const WideMask        other = (from->sense != sense) | (from->motion != path->start) | (from->force != path->force);

  if (WideBits(lanes->busy & other))
    *from = (WideDeparture){path->start, path->force, sense, SaturationWideFrom(&curve, WideReached(c, sense, path->force, path->start))};
  return from;
}

static inline RateWidePoint WideStep(const JointLanes *lanes, const RateWidePath *path)
{
  const SaturationLanes      curve = SaturationLanesOf(lanes, CURVE);
  const Wide *const          c     = lanes->constants;
  const Wide                 way   = path->end - path->start;
  const WideDeparture *const from  = WideDepart(lanes, path, way);
  const SaturationWide       end   = SaturationWideAt(&curve, from->start.time + WideAbs(way) * c[PER_TIME]);
  const Wide                 w = WideSelect(way == 0.0, from->start.w, end.w), rate = WideSelect(way == 0.0, from->start.rate, end.rate);

  return (RateWidePoint){
    .force = WideRounded(c[K_L] * path->end) + c[K_H] * c[MOST] * from->sense * w,
    .slope = c[K_L] + WideRounded(c[K_H] * c[GROWTH] * rate),
  };
}

static inline Wide WideLoss(const JointLanes *lanes, const RateWidePath *path, Wide force)
{
  const SaturationLanes      curve = SaturationLanesOf(lanes, CURVE);
  const Wide *const          c     = lanes->constants;
  const Wide                 way   = path->end - path->start;
  const WideDeparture *const from  = WideDepart(lanes, path, way);
  SaturationWide             end   = SaturationWideWithin(&curve, WideReached(c, from->sense, force, path->end));

  end.time = from->start.time + WideAbs(way) * c[PER_TIME];
  return c[K_H] * c[MOST] / c[PER_TIME] * (SaturationWideLoss(&curve, &end) - SaturationWideLoss(&curve, &from->start));
}

static const JointDerived derived[] = {
  {"z_max", "m", "limit of z, (A / (B + C))^(1/N)"},
  {"limit_force", "N", "force of the hysteretic part in full slip, k_h z_max"},
  {"stuck_stiffness", "N/m", "tangent at rest, k_l + k_h A"},
  {"length", "m", "motion over which z builds up, z_max / A"},
  {0},
};

static void Derive(const PetscReal p[], PetscReal values[])
{
  values[0] = Limiting(p);
  values[1] = p[K_H] * values[0];
  values[2] = p[K_L] + p[K_H] * p[GROWTH];
  values[3] = values[0] / p[GROWTH];
}

static void Limit(const JointBlock *block, JointState state, PetscReal stiffness[])
{
  const PetscReal *p = block->parameters;

  stiffness[0] = state == JOINT_SLIPPING ? p[K_L] : p[K_L] + p[K_H] * p[GROWTH];
}

RATE_FUNCTIONS(Step, Loss)
RATE_LANES(WideStep, WideLoss, NULL, CURVE + SATURATION_TABLES, NUM_KNOWN)

const JointLaw joint_law_bouc_wen = {
  .name          = "bouc_wen",
  .summary       = "Bouc-Wen law",
  .equation      = "f = k_l d + k_h z\n"
                   "dz/dd = A - (B sgn(d' z) + C) |z|^N",
  .source        = "Jamshidi, Koochakinejad 2021, eq. 44; Ismail et al. 2009",
  .parameters    = parameters,
  .samples       = samples,
  .num_states    = RATE_NUM_STATES,
  .refuse        = Refuse,
  .num_constants = NUM_CONSTANTS,
  .prepare       = Prepare,
  .derived       = derived,
  .derive        = Derive,
  .limit         = Limit,
  .lanes         = &lane_law,
  RATE_LAW,
};
