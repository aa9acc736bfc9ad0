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

/* Values at p of what is linear over the triangle and has rows `values` at its corners. */
static void Interpolate(const Spot corner[3], Spot p, const PetscReal values[3][MOST_CORNERS], PetscReal result[MOST_CORNERS])
{
  const PetscReal whole = Turn(corner[0], corner[1], corner[2]);

  for (PetscInt k = 0; k < MOST_CORNERS; k++) result[k] = 0.0;
  for (PetscInt c = 0; c < 3; c++) {
    const PetscReal share = Turn(p, corner[(c + 1) % 3], corner[(c + 2) % 3]) / whole;

    for (PetscInt k = 0; k < MOST_CORNERS; k++) result[k] += share * values[c][k];
  }
}

/* The middles of the three sides of each triangle of a fan. */
static void Sample(const Polygon *polygon, const Plane *slave, const Spot master_spots[3], const Triangle *master, Overlap *overlap)
{
  for (PetscInt t = 1; t + 1 < polygon->num; t++) {
    const Spot      corner[3] = {polygon->spots[0], polygon->spots[t], polygon->spots[t + 1]};
    const PetscReal weight    = Turn(corner[0], corner[1], corner[2]) / 6.0;

    for (PetscInt k = 0; k < 3; k++) {
      const Spot a = corner[k], b = corner[(k + 1) % 3], middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};

      overlap->weight[overlap->num] = weight;
      Interpolate(slave->spots, middle, slave->triangle->hat, overlap->slave[overlap->num]);
      Interpolate(master_spots, middle, master->hat, overlap->master[overlap->num]);
      overlap->num++;
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
  const PetscReal heights[3][MOST_CORNERS] = {{height[0]}, {height[1]}, {height[2]}};
  PetscReal       distance[MOST_CORNERS];
  Spot            middle = {0.0, 0.0};

  for (PetscInt i = 0; i < polygon->num; i++) {
    middle.x += polygon->spots[i].x / (PetscReal)polygon->num;
    middle.y += polygon->spots[i].y / (PetscReal)polygon->num;
  }
  Interpolate(master, middle, heights, distance);
  return PetscAbsReal(distance[0]);
}

void OverlapFind(const Plane *slave, const Triangle *master, PetscReal reach, Overlap *overlap)
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
  if (PolygonArea(&polygon) <= no_area * slave->triangle->area || Distance(&polygon, spots, height) > reach) return;
  Sample(&polygon, slave, spots, master, overlap);
}
