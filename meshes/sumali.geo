// sumali.geo - the Sumali beam of Lacayo, Deaner and Allen (2017), section 3.2: two steel beams that overlap, and the patches of
// their four bolts. `make` beside this file turns it into sumali.msh. Metres; z = 0 is where the beams touch.

length    = 0.508;   // of each beam
width     = 0.0508;
thickness = 0.00635;
overlap   = 0.3556;
pitch     = 0.0762;  // of the bolts, which lie on the middle axis, centred in the overlap
patch     = 0.0254;  // side of the square around a bolt
brick     = 0.00635; // side of the bricks: 80 x 8 x 1 in each beam
If (!Exists(refine))
  refine = 1;        // each brick becomes refine^3
EndIf
If (!Exists(bricks))
  bricks = 1;        // 0: six tetrahedra in place of each
EndIf

offset = length - overlap; // of the upper beam
y() = {-width / 2, -patch / 2, patch / 2, width / 2};

For beam In {0 : 1}
  // Both ends of the beam and of the patches, from its own left end.
  x() = {0};
  For bolt In {0 : 3}
    centre = overlap / 2 + (bolt - 1.5) * pitch + (beam == 0 ? offset : 0);
    x() += {centre - patch / 2, centre + patch / 2};
  EndFor
  x() += {length};
  left = beam == 0 ? 0 : offset;
  far  = beam == 0 ? -thickness : thickness; // the face away from the other beam
  b    = 1000 * beam;

  // Tags: points 1 + i + 10 j + 40 k, and likewise below; k = 0 is the face that touches the other beam.
  For k In {0 : 1}
    For j In {0 : 3}
      For i In {0 : 9}
        Point(b + 1 + i + 10 * j + 40 * k) = {left + x(i), y(j), k * far};
      EndFor
    EndFor
  EndFor
  For k In {0 : 1}
    For j In {0 : 3}
      For i In {0 : 8}
        Line(b + 1 + i + 9 * j + 36 * k) = {b + 1 + i + 10 * j + 40 * k, b + 2 + i + 10 * j + 40 * k};
        Transfinite Curve(b + 1 + i + 9 * j + 36 * k) = Round((x(i + 1) - x(i)) / brick) * refine + 1;
      EndFor
    EndFor
    For j In {0 : 2}
      For i In {0 : 9}
        Line(b + 101 + i + 10 * j + 30 * k) = {b + 1 + i + 10 * j + 40 * k, b + 11 + i + 10 * j + 40 * k};
        Transfinite Curve(b + 101 + i + 10 * j + 30 * k) = Round((y(j + 1) - y(j)) / brick) * refine + 1;
      EndFor
    EndFor
  EndFor
  For j In {0 : 3}
    For i In {0 : 9}
      Line(b + 201 + i + 10 * j) = {b + 1 + i + 10 * j, b + 41 + i + 10 * j};
      Transfinite Curve(b + 201 + i + 10 * j) = Round(thickness / brick) * refine + 1;
    EndFor
  EndFor

  // Faces across z, y and x, then boxes.
  For k In {0 : 1}
    For j In {0 : 2}
      For i In {0 : 8}
        s = b + 1 + i + 9 * j + 27 * k;
        Curve Loop(s) = {b + 1 + i + 9 * j + 36 * k, b + 102 + i + 10 * j + 30 * k, -(b + 10 + i + 9 * j + 36 * k), -(b + 101 + i + 10 * j + 30 * k)};
        Plane Surface(s) = {s};
      EndFor
    EndFor
  EndFor
  For j In {0 : 3}
    For i In {0 : 8}
      s = b + 101 + i + 9 * j;
      Curve Loop(s) = {b + 1 + i + 9 * j, b + 202 + i + 10 * j, -(b + 37 + i + 9 * j), -(b + 201 + i + 10 * j)};
      Plane Surface(s) = {s};
    EndFor
  EndFor
  For j In {0 : 2}
    For i In {0 : 9}
      s = b + 201 + i + 10 * j;
      Curve Loop(s) = {b + 101 + i + 10 * j, b + 211 + i + 10 * j, -(b + 131 + i + 10 * j), -(b + 201 + i + 10 * j)};
      Plane Surface(s) = {s};
    EndFor
  EndFor
  For j In {0 : 2}
    For i In {0 : 8}
      v = b + 1 + i + 9 * j;
      Surface Loop(v) = {v, v + 27, b + 101 + i + 9 * j, b + 110 + i + 9 * j, b + 201 + i + 10 * j, b + 202 + i + 10 * j};
      Volume(v) = {v};
    EndFor
  EndFor
EndFor

Transfinite Surface "*";
If (bricks)
  Recombine Surface "*";
EndIf
Transfinite Volume "*";

Physical Volume("lower", 1) = {1 : 27};
Physical Volume("upper", 2) = {1001 : 1027};
For bolt In {0 : 3}
  Physical Surface(Sprintf("bolt%g_lower", bolt + 1), 11 + bolt) = {11 + 2 * bolt};
  Physical Surface(Sprintf("bolt%g_upper", bolt + 1), 21 + bolt) = {1011 + 2 * bolt};
EndFor
