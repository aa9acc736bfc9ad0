// jalali_beam.geo - a cantilever of two halves that end at one place, as lines for beams. Metres.
length = 0.4;
cells  = 12; // of each half

Point(1) = {0, 0, 0};
Point(2) = {length / 2, 0, 0};
Point(3) = {length / 2, 0, 0};
Point(4) = {length, 0, 0};
Line(1) = {1, 2};
Line(2) = {3, 4};
Transfinite Curve {1, 2} = cells + 1;

Physical Point("root") = {1};
Physical Point("flanges") = {2, 3};
Physical Curve("inner") = {1};
Physical Curve("outer") = {2};
