% textbook.m - the rival of textbook.c as an analyst would write it in Octave or MATLAB: the same method, vectorised over sliders.
%
% octave-cli -q textbook.m SYSTEM [STEPS] [SLIDERS]; SYSTEM: three_mass or chain
1;

% Sec. 3.1 of lacayo2017, and a chain of 49 masses with four Iwan elements; the same as in textbook.c.
function s = describe(name)
  switch name
    case 'three_mass'
      s = struct('n', 3, 'mass', 10, 'spring', 9, 'joints', [2 3], 'slip_force', 10, 'stiffness', 1, 'chi', -0.5, 'beta', 5, ...
                 'time_step', 0.02, 'amplitude', 500, 'duration', 0, 'loaded', 2);
    case 'chain'
      s = struct('n', 49, 'mass', 1, 'spring', 1e6, 'joints', [10 11; 20 21; 30 31; 40 41], 'slip_force', 30, 'stiffness', 5e5, ...
                 'chi', -0.3, 'beta', 0.5, 'time_step', 5e-5, 'amplitude', 200, 'duration', 2e-3, 'loaded', 25);
    otherwise
      error('no such system: %s', name);
  end
end

% Iwan element in bins of equal width with their own mean strength, and one slider for the Dirac term [App. A].
function [k, reach] = iwan(s, sliders)
  share = s.beta + (s.chi + 1) / (s.chi + 2);
  phi   = s.slip_force * (1 + s.beta) / (s.stiffness * share);
  R     = s.slip_force * (s.chi + 1) / (phi^(s.chi + 2) * share);
  edge  = phi * (0:sliders)' / sliders;
  k     = R * diff(edge.^(s.chi + 1)) / (s.chi + 1);
  reach = R * diff(edge.^(s.chi + 2)) / (s.chi + 2) ./ k;
  k     = [k; s.slip_force / phi * s.beta / share];
  reach = [reach; phi];
end

% Matrices; B has a row for each joint. C by eq. 25 with 1e-4 in every stuck mode.
function [s, M, C, K, B] = assemble(s)
  M = s.mass * eye(s.n);
  K = s.spring * (2 * eye(s.n) - diag(ones(s.n - 1, 1), 1) - diag(ones(s.n - 1, 1), -1));
  K(s.n, s.n) = s.spring;
  B = zeros(rows(s.joints), s.n);
  for j = 1:rows(s.joints)
    B(j, s.joints(j, :)) = [-1 1];
  end
  [shapes, squares] = eig(K + s.stiffness * (B' * B), M);
  omega  = sqrt(diag(squares));
  shapes = shapes ./ sqrt(diag(shapes' * M * shapes))';
  C = M * shapes * diag(2e-4 * omega) * shapes' * M;
  C = (C + C') / 2;
  if s.duration == 0
    s.duration = pi / max(omega);
  end
end

function p = load_at(s, time)
  p = 0;
  if time < s.duration
    p = s.amplitude * sin(pi * time / s.duration);
  end
end

function integrate(name, steps, sliders)
  [s, M, C, K, B] = assemble(describe(name));
  [k, reach] = iwan(s, sliders);
  h = s.time_step;
  linear = 4 / h^2 * M + 2 / h * C + K;
  position = zeros(sliders + 1, rows(B));
  [u, v, a, push] = deal(zeros(s.n, 1));
  push(s.loaded) = 1;
  scale = 0; iterations = 0; peak = 0;
  start = tic;
  for step = 1:steps
    driving = push * load_at(s, step * h) - K * u;
    scale = max(scale, norm(driving));
    driving += C * v + M * (4 / h * v + a);
    du = zeros(s.n, 1);
    for iteration = 1:51
      d = B * (u + du);
      stretch = d' - position;
      slips = abs(stretch) > reach;
      f = (k' * (stretch .* ~slips + sign(stretch) .* slips .* reach))';
      residual = driving - linear * du - B' * f;
      if norm(residual) <= 1e-10 * scale
        break;
      end
      if iteration > 50
        error('Newton does not converge');
      end
      tangent = linear + B' * diag(k' * ~slips) * B;
      du += tangent \ residual;
      iterations++;
    end
    u += du;
    a = 4 / h^2 * du - 4 / h * v - a;
    v = 2 / h * du - v;
    position = min(max(position, d' - reach), d' + reach);
    peak = max([peak; abs(f)]);
  end
  seconds = toc(start);
  printf('system: %s\nsliders: %d\nsteps: %d\nseconds: %.6f\nsteps_per_second: %.1f\n', name, sliders, steps, seconds, steps / seconds);
  printf('iterations_per_step: %.4f\ndisplacement: %.17g\npeak_force: %.17g\n', iterations / steps, u(s.loaded), peak);
end

arguments = [argv()(:)', {'', '', ''}](1:3);
counts = [2000 200];
for i = 1:2
  if ~isempty(arguments{i + 1})
    counts(i) = str2double(arguments{i + 1});
  end
end
integrate(arguments{1}, counts(1), counts(2));
