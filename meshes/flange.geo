// flange.geo - two plates that stand on each other, each ending in an L-shaped flange, and three bolts M8 with washers, heads and nuts, after the
// flange of Jalali et al. (2022), section 4.1. `make` beside this file turns it into flange.msh: bricks. Metres; z runs along the plates,
// the flanges touch at z = 0, x runs through the plates, in the direction in which the flanges slide, y along the flanges. The paper gives the
// sizes of plates and bolts only in a picture: those below are ours. Plates, and each bolt with its washers, are bodies that share no nodes.
// Its kernel leaves bodies apart that touch; the built-in one would weld them.
SetFactory("OpenCASCADE");
mm     = 1e-3;
length = 200 * mm; // of each plate, from the contact to its end
width  = 100 * mm;
plate  = 7 * mm;   // thickness
If (!Exists(thick))
  thick = 10 * mm; // of a flange
EndIf
If (!Exists(height))
  height = 48 * mm; // of a flange, from the outer side of its plate
EndIf
If (!Exists(away))
  away = 26 * mm;  // of the bolts, from there
EndIf
If (!Exists(pitch))
  pitch = 30 * mm; // between the bolts; the middle one is in the middle
EndIf
shank  = 4 * mm;   // radii
hole   = 4.5 * mm; // in flanges and washers
head   = 6.5 * mm; // across flats; nuts alike
washer = 8 * mm;
high   = 6.5 * mm; // head and nut
deep   = 1.6 * mm; // a washer
edge   = 4 * mm;   // strip of the flange beside the contact on which the loads act

If (!Exists(refine))
  refine = 1;        // each brick becomes refine^3
EndIf
If (!Exists(cells))
  cells = 4 * refine;  // on a quarter of a circle
EndIf
If (!Exists(rim))
  rim = 2 * refine;    // from the washers to the sides of the flange
EndIf
If (!Exists(sheets))
  sheets = refine;     // in the strip beside the contact
EndIf
Include "rings.macro";

// The section of a flange at z = 0: seat[] under the washers, flat[] the rest, foot[] what goes on as the plate.
Macro MakeSection
  across[] = {0, plate, height};
  column[] = {0, width / 2 - 1.5 * pitch, width / 2 - 0.5 * pitch, width / 2 + 0.5 * pitch, width / 2 + 1.5 * pitch, width};
  number[] = {refine, cells, cells, cells, refine}; // along y
  corner[] = {};
  level[]  = {}; // lines along x and along y
  upright[] = {};
  For j In {0 : 5}
    For i In {0 : 2}
      p = newp; Point(p) = {across[i], column[j], 0};
      corner[] += {p};
    EndFor
    For i In {0 : 1}
      l = newl; Line(l) = {corner[3 * j + i], corner[3 * j + i + 1]};
      Transfinite Curve {l} = (i == 0 ? 2 * refine : cells) + 1;
      level[] += {l};
    EndFor
  EndFor
  For j In {0 : 4}
    For i In {0 : 2}
      l = newl; Line(l) = {corner[3 * j + i], corner[3 * j + 3 + i]};
      Transfinite Curve {l} = number[j] + 1;
      upright[] += {l};
    EndFor
  EndFor
  seat[] = {};
  flat[] = {};
  foot[] = {};
  For j In {0 : 4}
    For i In {0 : 1}
      If (i == 0 || j == 0 || j == 4)
        l = newll; Curve Loop(l) = {level[2 * j + i], upright[3 * j + i + 1], -level[2 * j + 2 + i], -upright[3 * j + i]};
        s = news; Plane Surface(s) = {l};
        Transfinite Surface {s};
        Recombine Surface {s};
        If (i == 0)
          foot[] += {s};
        Else
          flat[] += {s};
        EndIf
      Else
        x = away; y = width / 2 + (j - 2) * pitch; z = 0; straight = 0;
        radius = hole;
        Call Corners;
        inner[] = outer[]; inner_line[] = outer_line[];
        radius = head;
        layers = refine;
        Call Corners;
        Call MakeRing;
        seat[] += ring[];
        radius = washer;
        Call Corners;
        Call MakeRing;
        seat[] += ring[];
        outer[] = {corner[3 * j + 5], corner[3 * j + 4], corner[3 * j + 1], corner[3 * j + 2]};
        outer_line[] = {-level[2 * j + 3], -upright[3 * j + 1], level[2 * j + 1], upright[3 * j + 2]};
        layers = rim;
        Call MakeRing;
        flat[] += ring[];
      EndIf
    EndFor
  EndFor
Return

// `layer` onto the faces of end[], which it becomes.
Macro Raise
  made[] = Extrude {0, 0, side * layer} { Surface{end[]}; Layers{pieces}; Recombine; };
  For k In {0 : #end[] - 1}
    end[k] = made[6 * k];
    volumes[] += {made[6 * k + 1]};
  EndFor
Return

// A flange and its plate, towards `side` of z; bricks are thinner towards the contact and, in the plate, towards the flange.
Macro MakeHalf
  Call MakeSection;
  volumes[] = {};
  end[] = {seat[], flat[], foot[]};
  pieces = sheets;
  layer = edge;
  Call Raise;
  layer = thick - edge;
  Call Raise;
  top[] = end[{0 : #seat[] - 1}];
  end[] = end[{#end[] - #foot[] : #end[] - 1}];
  pieces = 5 * refine;
  layer = 0.2 * (length - thick);
  Call Raise;
  pieces = 10 * refine;
  layer = 0.8 * (length - thick);
  Call Raise;
Return

side = -1;
Call MakeHalf;
Physical Volume("lower") = volumes[];
Physical Surface("lower_face") = {seat[], flat[], foot[]};
Physical Surface("lower_seats") = top[];
side = 1;
Call MakeHalf;
Physical Volume("upper") = volumes[];
Physical Surface("upper_face") = {seat[], flat[], foot[]};
Physical Surface("upper_seats") = top[];
small = 0.1 * mm;
Physical Surface("clamped") = Surface In BoundingBox {-small, -small, -length - small, plate + small, width + small, -length + small};
Physical Surface("tip") = Surface In BoundingBox {-small, -small, length - small, plate + small, width + small, length + small};
Physical Surface("lower_load") = Surface In BoundingBox {height - small, -small, -edge - small, height + small, width + small, small};
Physical Surface("upper_load") = Surface In BoundingBox {height - small, -small, -small, height + small, width + small, edge + small};

// Bolts: a disc through all heights, of which what no body fills is not saved. From below: nut, washer, shank in both flanges, washer, head.
up[]    = {high, deep, thick, thick, deep, high};
count[] = {2 * refine, refine, 2 * refine, 2 * refine, refine, 2 * refine};
washers[] = {};
lower_washers[] = {};
upper_washers[] = {};
For b In {1 : 3}
  x = away; y = width / 2 + (b - 2) * pitch; z = -thick - deep - high;
  straight = 1; radius = 0.5 * shank;
  Call Corners;
  s = newll; Curve Loop(s) = outer_line[];
  l = news; Plane Surface(l) = {s};
  Transfinite Surface {l};
  Recombine Surface {l};
  disc[] = {l};
  inner[] = outer[]; inner_line[] = outer_line[];
  straight = 0; layers = refine;
  size[] = {shank, hole, head, washer};
  For r In {0 : 3}
    radius = size[r];
    Call Corners;
    Call MakeRing;
    disc[] += ring[]; // 0 to 4 the shank, to 8 its clearance, to 12 below the head, to 16 the rest of the washer
  EndFor
  bolt[] = {};
  For h In {0 : 5}
    made[] = Extrude {0, 0, up[h]} { Surface{disc[]}; Layers{count[h]}; Recombine; };
    For k In {0 : 16}
      disc[k] = made[6 * k];
      If (k < 5 || ((h == 0 || h == 5) && k < 13))
        bolt[] += made[6 * k + 1];
      EndIf
      If ((h == 1 || h == 4) && k > 8)
        washers[] += made[6 * k + 1];
      EndIf
    EndFor
    If (h == 1)
      lower_washers[] += disc[{9 : 16}];
    EndIf
    If (h == 2)
      Physical Surface(Sprintf("cut_%g", b)) = disc[{0 : 4}];
    EndIf
    If (h == 3)
      upper_washers[] += disc[{9 : 16}];
    EndIf
  EndFor
  Physical Volume(Sprintf("bolt_%g", b)) = bolt[];
EndFor
Physical Volume("washers") = washers[];
Physical Surface("lower_washers") = lower_washers[];
Physical Surface("upper_washers") = upper_washers[];
