// lap_joint.geo - two plates, the end of one on that of the other, with two holes, and a bolt with head and nut in the first hole; the second is
// for a bolt that is a beam. `make` beside this file turns it into lap_joint.msh: bricks, three bodies that share no nodes. Metres; the plates
// touch at z = 0.
SetFactory("OpenCASCADE");
mm     = 1e-3;
length = 80 * mm; // of each plate, along x
lap    = 40 * mm; // of it lies on the other
pitch  = 30 * mm; // between the bolts, along y; the plates are twice as wide
thick  = 8 * mm;
height = 4 * mm; // of head and nut
shank  = 3 * mm; // radii
hole   = 3.5 * mm;
head   = 5.5 * mm;
If (!Exists(cells))
  cells = 4; // on a quarter of a circle
EndIf
Include "rings.macro";

// A plate from z upwards: rings round the holes, squares round these, and the rest of its length towards `side`.
Macro MakePlate
  corner[] = {};
  across[] = {};
  along[] = {};
  For j In {0 : 2}
    For i In {0 : 1}
      p = newp; Point(p) = {(i - 0.5) * lap, (j - 1) * pitch, z};
      corner[] += {p};
    EndFor
  EndFor
  For j In {0 : 2}
    l = newl; Line(l) = {corner[2 * j + 1], corner[2 * j]}; // towards -x
    Transfinite Curve {l} = cells + 1;
    across[] += {l};
  EndFor
  For j In {0 : 1}
    For i In {0 : 1}
      l = newl; Line(l) = {corner[2 * j + i], corner[2 * j + 2 + i]}; // towards +y
      Transfinite Curve {l} = cells + 1;
      along[] += {l};
    EndFor
  EndFor
  flat[] = {};
  seat[] = {};
  For j In {0 : 1}
    x = 0; y = (j - 0.5) * pitch; straight = 0;
    radius = hole;
    Call Corners;
    inner[] = outer[]; inner_line[] = outer_line[];
    radius = head;
    Call Corners;
    layers = 2;
    Call MakeRing;
    seat[] += ring[];
    outer[] = {corner[2 * j + 3], corner[2 * j + 2], corner[2 * j], corner[2 * j + 1]};
    outer_line[] = {across[j + 1], -along[2 * j], -across[j], along[2 * j + 1]};
    layers = 3;
    Call MakeRing;
    flat[] += ring[];
  EndFor
  far[] = {};
  out[] = {};
  rest[] = {};
  For j In {0 : 2}
    p = newp; Point(p) = {side * (length - 0.5 * lap), (j - 1) * pitch, z};
    far[] += {p};
    l = newl; Line(l) = {corner[2 * j + (side > 0)], p};
    Transfinite Curve {l} = 2 * cells + 1;
    out[] += {l};
  EndFor
  For j In {0 : 1}
    l = newl; Line(l) = {far[j], far[j + 1]};
    Transfinite Curve {l} = cells + 1;
    m = newll; Curve Loop(m) = {out[j], l, -out[j + 1], -along[2 * j + (side > 0)]};
    s = news; Plane Surface(s) = {m};
    Transfinite Surface {s};
    Recombine Surface {s};
    rest[] += {s};
  EndFor
  made[] = Extrude {0, 0, thick} { Surface{seat[], flat[], rest[]}; Layers{2}; Recombine; };
  volumes[] = {};
  upper[] = {};
  For k In {0 : 17}
    upper[] += made[6 * k];
    volumes[] += made[6 * k + 1];
  EndFor
Return

z = -thick; side = -1;
Call MakePlate;
Physical Volume("lower") = volumes[];
Physical Surface("lower_face") = upper[{0 : 15}];
Physical Surface("nut_seat_1") = seat[{0 : 3}];
Physical Surface("nut_seat_2") = seat[{4 : 7}];
z = 0; side = 1;
Call MakePlate;
Physical Volume("upper") = volumes[];
Physical Surface("upper_face") = {seat[], flat[]};
Physical Surface("head_seat_1") = upper[{0 : 3}];
Physical Surface("head_seat_2") = upper[{4 : 7}];
end = length - 0.5 * lap;
Physical Surface("clamped") = Surface In BoundingBox {-end - mm, -1, -1, -end + mm, 1, 1};
Physical Surface("tip_face") = Surface In BoundingBox {end - mm, -1, -1, end + mm, 1, 1};

// The bolt: a disc through all heights, of which what surrounds the shank in the plates is not saved.
x = 0; y = -0.5 * pitch; z = -thick - height;
straight = 1; radius = 0.5 * shank;
Call Corners;
s = news; Curve Loop(s) = outer_line[]; Plane Surface(s) = {s};
Transfinite Surface {s};
Recombine Surface {s};
disc[] = {s};
inner[] = outer[]; inner_line[] = outer_line[];
straight = 0; layers = 1;
radius = shank;
Call Corners;
Call MakeRing;
disc[] += ring[];
radius = hole;
Call Corners;
Call MakeRing;
disc[] += ring[];
layers = 2;
radius = head;
Call Corners;
Call MakeRing;
disc[] += ring[];
deep[]   = {height, thick, thick, height};
number[] = {2, 3, 3, 2};
bolt[]   = {};
For h In {0 : 3}
  made[] = Extrude {0, 0, deep[h]} { Surface{disc[]}; Layers{number[h]}; Recombine; };
  For k In {0 : 12}
    disc[k] = made[6 * k];
    If (k < 5 || h == 0 || h == 3)
      bolt[] += made[6 * k + 1];
    EndIf
  EndFor
  If (h == 0)
    Physical Surface("nut_face") = disc[{9 : 12}];
  EndIf
  If (h == 1)
    Physical Surface("cut") = disc[{0 : 4}];
  EndIf
  If (h == 2)
    Physical Surface("head_face") = disc[{9 : 12}];
  EndIf
EndFor
Physical Volume("bolt") = bolt[];
