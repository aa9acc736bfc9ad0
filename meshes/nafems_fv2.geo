// nafems_fv2.geo - the pin-ended double cross of NAFEMS FV2: eight arms of 5 m from one place, as lines for beams. Metres.
length = 5;
cells  = 8; // of each arm

Point(1) = {0, 0, 0};
For arm In {0 : 7}
  Point(2 + arm) = {length * Cos(arm * Pi / 4), length * Sin(arm * Pi / 4), 0};
  Line(1 + arm) = {1, 2 + arm};
EndFor
Transfinite Curve {1 : 8} = cells + 1;

Physical Point("pins") = {2 : 9};
Physical Curve("arms") = {1 : 8};
