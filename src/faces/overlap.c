/* overlap.c - two triangles clipped in the plane of the first: I. E. Sutherland, G. W. Hodgman, Comm. ACM 17 (1974), 32-42. */
#include "overlap.h"

/* Normals that are closer to each other than this have no common area: half the area would be a shadow. */
static const PetscReal opposed = -0.5;

/* Less than this part of the slave's area is round-off of edges that lie on each other. */
static const PetscReal no_area = 1e-12;

typedef struct {
  PetscInt num;
  Spot     spots[MOST_SIDES];
} Polygon;

/* Twice the area of the triangle, positive when counterclockwise. */
static PetscReal Turn(Spot a, Spot b, Spot c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Coordinates in the plane, and heights above it. */
static void Flatten(const Plane *plane, const Triangle *triangle, Spot spots[3], PetscReal height[3])
{
  PetscReal arm[SPACE];

  for (PetscInt k = 0; k < 3; k++) {
    Subtract(triangle->corner[k], plane->triangle->corner[0], arm);
    spots[k]  = (Spot){Dot(arm, plane->along), Dot(arm, plane->across)};
    height[k] = Dot(arm, plane->triangle->normal);
  }
}

void PlaneOf(const Triangle *triangle, Plane *plane)
{
  PetscReal level[3];

  plane->triangle = triangle;
  Subtract(triangle->corner[1], triangle->corner[0], plane->along);
  Normalise(plane->along);
  Cross(triangle->normal, plane->along, plane->across);
  Flatten(plane, triangle, plane->spots, level);
}

/* Most pairs of near triangles do not overlap, and this says so at once. */
static PetscBool AreApart(const Spot a[3], const Spot b[3])
{
  return (PetscBool)(PetscMax(PetscMax(a[0].x, a[1].x), a[2].x) <= PetscMin(PetscMin(b[0].x, b[1].x), b[2].x) ||
                     PetscMax(PetscMax(b[0].x, b[1].x), b[2].x) <= PetscMin(PetscMin(a[0].x, a[1].x), a[2].x) ||
                     PetscMax(PetscMax(a[0].y, a[1].y), a[2].y) <= PetscMin(PetscMin(b[0].y, b[1].y), b[2].y) ||
                     PetscMax(PetscMax(b[0].y, b[1].y), b[2].y) <= PetscMin(PetscMin(a[0].y, a[1].y), a[2].y));
}

/* Keeps what is to the left of the line from a to b. */
static void ClipBy(Spot a, Spot b, Polygon *polygon)
{
  Polygon kept = {0};

  for (PetscInt i = 0; i < polygon->num; i++) {
    const Spot      from = polygon->spots[i], to = polygon->spots[(i + 1) % polygon->num];
    const PetscReal before = Turn(a, b, from), after = Turn(a, b, to), part = before / (before - after);

    if (before >= 0.0) kept.spots[kept.num++] = from;
    if ((before < 0.0) != (after < 0.0)) kept.spots[kept.num++] = (Spot){from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
  }
  *polygon = kept;
}

/* Area coordinates of p: its shares of the corners. */
static void Locate(const Spot corner[3], Spot p, PetscReal shares[3])
{
  const PetscReal whole = Turn(corner[0], corner[1], corner[2]);

  for (PetscInt c = 0; c < 3; c++) shares[c] = Turn(p, corner[(c + 1) % 3], corner[(c + 2) % 3]) / whole;
}

/* Points of a triangle; the weight of each is twice the area, divided by `divisor`. */
typedef struct {
  PetscInt  num;
  PetscReal points[6][3], divisor[6];
} Rule;

/* The middles of the sides: degree 2. */
static const Rule coarse_rule = {.num = 3, .points = {{0.5, 0.5, 0.0}, {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}}, .divisor = {6.0, 6.0, 6.0}};

/* Degree 4: D. A. Dunavant, Int. J. Numer. Methods Eng. 21 (1985), 1129-1148. */
#define A 0.44594849091596488632
#define B 0.09157621350977074346
#define P (2.0 / 0.22338158967801146570)
#define Q (2.0 / 0.10995174365532186764)
static const Rule fine_rule = {
  .num = 6,
  .points =
    {{A, A, 1.0 - 2.0 * A}, {1.0 - 2.0 * A, A, A}, {A, 1.0 - 2.0 * A, A}, {B, B, 1.0 - 2.0 * B}, {1.0 - 2.0 * B, B, B}, {B, 1.0 - 2.0 * B, B}},
  .divisor = {P, P, P, Q, Q, Q}};
#undef A
#undef B
#undef P
#undef Q

/* The points of the rule in each triangle of a fan. */
static void Sample(const Polygon *polygon, const Spot slave[3], const Spot master[3], const Rule *rule, Overlap *overlap)
{
  for (PetscInt t = 1; t + 1 < polygon->num; t++) {
    const Spot      a = polygon->spots[0], b = polygon->spots[t], c = polygon->spots[t + 1];
    const PetscReal twice = Turn(a, b, c);

    for (PetscInt k = 0; k < rule->num; k++, overlap->num++) {
      const PetscReal *const share = rule->points[k];
      const Spot             p     = {share[0] * a.x + share[1] * b.x + share[2] * c.x, share[0] * a.y + share[1] * b.y + share[2] * c.y};

      overlap->weight[overlap->num] = twice / rule->divisor[k];
      Locate(slave, p, overlap->slave[overlap->num]);
      Locate(master, p, overlap->master[overlap->num]);
    }
  }
}

static PetscReal PolygonArea(const Polygon *polygon)
{
  PetscReal area = 0.0;

  for (PetscInt t = 1; t + 1 < polygon->num; t++) area += 0.5 * Turn(polygon->spots[0], polygon->spots[t], polygon->spots[t + 1]);
  return area;
}

/* Height of the master over the middle of the polygon's corners. */
static PetscReal Distance(const Polygon *polygon, const Spot master[3], const PetscReal height[3])
{
  PetscReal shares[3];
  Spot      middle = {0.0, 0.0};

  for (PetscInt i = 0; i < polygon->num; i++) {
    middle.x += polygon->spots[i].x / (PetscReal)polygon->num;
    middle.y += polygon->spots[i].y / (PetscReal)polygon->num;
  }
  Locate(master, middle, shares);
  return PetscAbsReal(Dot(shares, height));
}

void OverlapFind(const Plane *slave, const Triangle *master, PetscReal reach, PetscBool fine, Overlap *overlap)
{
  Spot      spots[3];
  PetscReal height[3];
  Polygon   polygon = {.num = 3};

  overlap->num = 0;
  if (Dot(slave->triangle->normal, master->normal) > opposed) return;
  Flatten(slave, master, spots, height);
  if (AreApart(slave->spots, spots)) return;
  for (PetscInt k = 0; k < 3; k++) polygon.spots[k] = slave->spots[k];
  for (PetscInt k = 0; k < 3 && polygon.num; k++) ClipBy(spots[(k + 1) % 3], spots[k], &polygon); /* seen from behind: clockwise */
  if (PolygonArea(&polygon) <= no_area * slave->triangle->area) return;
  overlap->distance = Distance(&polygon, spots, height);
  if (overlap->distance > reach) return;
  Sample(&polygon, slave->spots, spots, fine ? &fine_rule : &coarse_rule, overlap);
}
