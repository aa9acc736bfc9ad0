// nafems_fv32.geo - the tapered membrane of NAFEMS FV32: half of its thickness, above its middle plane. Metres; quadratic bricks.
length = 10;
root   = 5;
tip    = 1;
thick  = 0.05;

Point(1) = {0, -root / 2, 0};
Point(2) = {length, -tip / 2, 0};
Point(3) = {length, tip / 2, 0};
Point(4) = {0, root / 2, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 17;
Transfinite Curve {2, 4} = 9;
Transfinite Surface {1};
Recombine Surface {1};
made[] = Extrude {0, 0, thick / 2} { Surface{1}; Layers{1}; Recombine; };

Physical Surface("middle") = {1};
Physical Surface("root") = {made[5]};
Physical Volume("membrane") = {made[1]};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
