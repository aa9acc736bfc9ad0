// nafems_beam.geo - a straight beam of 10 m along x, as NAFEMS FV4, FV5 and R0016 test 5 have it. Metres.
length = 10;
cells  = 20;

Point(1) = {0, 0, 0};
Point(2) = {length, 0, 0};
Line(1) = {1, 2};
Transfinite Curve {1} = cells + 1;

Physical Point("A") = {1};
Physical Point("B") = {2};
Physical Curve("beam") = {1};
