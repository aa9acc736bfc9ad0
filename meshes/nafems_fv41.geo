// nafems_fv41.geo - 5 degrees of the free cylinder of NAFEMS FV41, between two planes through its axis z. Metres; quadratic bricks.
length = 10;
radius = 2; // of the middle of the wall
thick  = 0.4;
angle  = 5 * Pi / 180;

Point(1) = {radius - thick / 2, 0, 0};
Point(2) = {radius + thick / 2, 0, 0};
Point(3) = {radius + thick / 2, 0, length};
Point(4) = {radius - thick / 2, 0, length};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 4;
Transfinite Curve {2, 4} = 17;
Transfinite Surface {1};
Recombine Surface {1};
made[] = Extrude { {0, 0, 1}, {0, 0, 0}, angle } { Surface{1}; Layers{1}; Recombine; };

Physical Surface("begin") = {1};
Physical Surface("end") = {made[0]};
Physical Volume("wall") = {made[1]};
Mesh.ElementOrder = 2;
Mesh.SecondOrderIncomplete = 1;
