// nafems_fv52.geo - the solid square plate of NAFEMS FV52, 4 x 4 x 1 quadratic bricks, the mesh of the publication. Metres.
length = 10;
thick  = 1;
cells  = 4;

Point(1) = {0, 0, -thick / 2};
Point(2) = {length, 0, -thick / 2};
Point(3) = {length, length, -thick / 2};
Point(4) = {0, length, -thick / 2};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = cells + 1;
Transfinite Surface {1};
Recombine Surface {1};
made[] = Extrude {0, 0, thick} { Surface{1}; Layers{1}; Recombine; };

Physical Curve("edges") = {1 : 4};
Physical Volume("plate") = {made[1]};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
