/* place.c - motions of a structure that are looked at: places of the System, layers of joints, coordinates of modes. */
#include "harmonic/structure.h"
#include "rows.h"

PetscErrorCode HarmonicStructureAddGiven(const HarmonicStructure *s, PetscInt place, PetscReal share, PetscReal residual[], HarmonicSine *given)
{
  const PetscInt here = -SINE_LEAST_POWER;
  PetscReal     *by_place;

  PetscFunctionBegin;
  HarmonicSupportsMove(s->supports, place, share, given);
  if (!s->num_places) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(s->num_places, &by_place));
  PetscCall(ComplianceRow(s->system->residual->compliance, place, s->num_places, by_place));
  for (PetscInt r = 0; r < s->m; r++) residual[r] += share * by_place[r];
  for (PetscInt p = 0; p < s->num_places; p++) {
    given->c[here] += share * by_place[p] * s->place_c[p];
    given->s[here] += share * by_place[p] * s->place_s[p];
  }
  PetscCall(PetscFree(by_place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Create(const HarmonicStructure *s, const PetscReal on_unknowns[], HarmonicPlace *row)
{
  PetscFunctionBegin;
  *row = (HarmonicPlace){.modes = NULL};
  PetscCall(PetscMalloc1(s->n, &row->modes));
  RowsTimes(s->n, s->system->num_unknowns, s->modes->shape, on_unknowns, row->modes);
  if (s->num_places) PetscCall(PetscCalloc1(s->m, &row->residual));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicPlaceCreate(const HarmonicStructure *s, PetscInt place, HarmonicPlace *row)
{
  PetscReal *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscCalloc1(s->system->num_unknowns, &on_unknowns));
  PetscCall(SystemAddPlace(s->system, place, 1.0, on_unknowns));
  PetscCall(Create(s, on_unknowns, row));
  PetscCall(HarmonicStructureAddGiven(s, place, 1.0, row->residual, &row->given));
  PetscCall(PetscFree(on_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicPlaceCreateLayer(const HarmonicStructure *s, PetscInt first, PetscInt size, HarmonicPlace *row)
{
  PetscReal *on_unknowns;

  PetscFunctionBegin;
  PetscCall(PetscMalloc1(s->system->num_unknowns, &on_unknowns));
  PetscCall(SystemLayerRow(s->system, first, size, on_unknowns));
  PetscCall(Create(s, on_unknowns, row));
  for (PetscInt r = first; r < first + size; r++) PetscCall(HarmonicStructureAddGiven(s, r, s->system->rows[r].share, row->residual, &row->given));
  PetscCall(PetscFree(on_unknowns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HarmonicPlaceCreateCoordinate(const HarmonicStructure *s, PetscInt mode, HarmonicPlace *row)
{
  const HarmonicSupports *const supports = s->supports;

  PetscFunctionBegin;
  *row = (HarmonicPlace){.modes = NULL};
  PetscCall(PetscCalloc1(s->n, &row->modes));
  row->modes[mode] = 1.0;
  for (PetscInt i = 0; supports && i < supports->count; i++)
    HarmonicSineAddTimes(&row->given, 0, -supports->follows[i * s->n + mode], &supports->motion[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* P - Z Psi u_s. */
HarmonicSine HarmonicStructureDrive(const HarmonicStructure *s, PetscInt mode)
{
  const HarmonicSupports *const supports = s->supports;
  HarmonicSine                  drive    = s->load[mode];

  for (PetscInt i = 0; supports && i < supports->count; i++) {
    const PetscReal *const follows = supports->follows + i * s->n;
    const PetscReal        damping = s->coupled ? RowsTimesOne(s->n, s->coupled + mode * s->n, follows) : s->damping[mode] * follows[mode];

    HarmonicSineAddTimes(&drive, 0, -s->eigenvalue[mode] * follows[mode], &supports->motion[i]);
    HarmonicSineAddTimes(&drive, 1, -damping, &supports->motion[i]);
    HarmonicSineAddTimes(&drive, 2, -follows[mode], &supports->motion[i]);
  }
  return drive;
}

PetscErrorCode HarmonicPlaceDestroy(HarmonicPlace *row)
{
  PetscFunctionBegin;
  PetscCall(PetscFree(row->modes));
  PetscCall(PetscFree(row->residual));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void HarmonicPlaceMotion(const HarmonicStructure *s, const HarmonicPlace *row, PetscInt k, PetscReal frequency, PetscReal level,
                         const PetscReal q_c[], const PetscReal q_s[], const PetscReal remainder_c[], const PetscReal remainder_s[], PetscReal *c,
                         PetscReal *sine)
{
  PetscReal given[2] = {0.0, 0.0};

  if (k == 1) HarmonicSineAt(&row->given, frequency, given, NULL);
  *c    = RowsTimesOne(s->n, row->modes, q_c) + level * given[0];
  *sine = RowsTimesOne(s->n, row->modes, q_s) + level * given[1];
  for (PetscInt r = 0; row->residual && r < s->m; r++) {
    *c -= row->residual[r] * remainder_c[r];
    *sine -= row->residual[r] * remainder_s[r];
  }
}
