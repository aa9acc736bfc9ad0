// blades.geo - two strips side by side, clamped at one end, as lines for beams. Metres.
length = 0.3;
apart  = 0.05;
cells  = 12; // of each strip

For blade In {0 : 1}
  Point(2 * blade + 1) = {0, blade * apart, 0};
  Point(2 * blade + 2) = {length, blade * apart, 0};
  Line(blade + 1) = {2 * blade + 1, 2 * blade + 2};
  Transfinite Curve {blade + 1} = cells + 1;
EndFor

Physical Point("roots") = {1, 3};
Physical Point("tips") = {2, 4};
Physical Curve("blades") = {1, 2};
