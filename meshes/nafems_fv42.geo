// nafems_fv42.geo - a pyramid without its top from the thick hollow sphere of NAFEMS FV42, about x, between four planes through the centre.
// Metres; quadratic bricks.
inner  = 1.8;
outer  = 6;
slope  = Tan(1 * Pi / 180); // of the planes
layers = 10;

For end In {0 : 1}
  radius = (end == 0) ? inner : outer;
  x = radius / Sqrt(1 + 2 * slope^2);
  Point(4 * end + 1) = {x, -slope * x, -slope * x};
  Point(4 * end + 2) = {x, slope * x, -slope * x};
  Point(4 * end + 3) = {x, slope * x, slope * x};
  Point(4 * end + 4) = {x, -slope * x, slope * x};
EndFor
Point(9) = {0, 0, 0};
For side In {0 : 3}
  next = (side + 1) % 4;
  Circle(1 + side) = {1 + side, 9, 1 + next};
  Circle(5 + side) = {5 + side, 9, 5 + next};
  Line(9 + side) = {1 + side, 5 + side};
EndFor
For side In {0 : 3}
  next = (side + 1) % 4;
  Curve Loop(1 + side) = {1 + side, 9 + next, -(5 + side), -(9 + side)};
  Plane Surface(1 + side) = {1 + side};
EndFor
Curve Loop(5) = {1 : 4};
Surface(5) = {5};
Curve Loop(6) = {5 : 8};
Surface(6) = {6};
Surface Loop(1) = {1 : 6};
Volume(1) = {1};
Transfinite Curve {1 : 8} = 2;
Transfinite Curve {9 : 12} = layers + 1;
Transfinite Surface {1 : 6};
Recombine Surface {1 : 6};
Transfinite Volume {1};

Physical Surface("below") = {1};
Physical Surface("right") = {2};
Physical Surface("above") = {3};
Physical Surface("left") = {4};
Physical Volume("wall") = {1};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
