"""bolted.py - two plates on each other with two bolts through them: a small mesh, and cases on it.

The shanks touch the plates nowhere but at the outermost layers, where they are one with them. All is made of bricks.
"""
COUNT = (7, 3)  # bricks of the plates in x and y
CELL = (0.01, 0.01, 0.005)
LAYERS, MIDDLE = 6, 3  # bricks in z; the level at which the plates touch
BOLTS = {"b1": (1, 1), "b2": (5, 1)}
CORNER = (0.07, 0.03, 0.03)

CASE = """mesh: bolted.msh
materials: {{ steel: {{ young: 210e9, poisson: 0.3, density: 7850 }} }}
parts: {{ lower: steel, upper: steel, shanks: steel }}
supports: [ {{ group: bottom }} ]
points: {{ top: {{ average: top }}, corner: {{ at: [0.07, 0.03, 0.03] }} }}
reduction: {{ modes: {{ count: {modes} }} }}
joints:
  face: {{ faces: [low_face, up_face], contact: {{ law: rough_contact, friction: 0.2, normal_stiffness: 1e14, tangential_stiffness: 5e13 }} }}
bolts:
  b1: {{ cut: cut_b1, preload: 4e3 }}
  b2: {{ cut: cut_b2, preload: 5e3 }}
patterns: {{ pull: {{ pressure: top }} }}
studies:
{studies}
"""


class Draft:
    """Nodes are told apart by their place and by the body that they belong to."""

    def __init__(self):
        self.nodes, self.elements = {}, []

    def node(self, place, body):
        return self.nodes.setdefault((place, body), len(self.nodes) + 1)

    def brick(self, i, j, k, part, body):
        corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
        self.elements.append((5, part, [self.node((i + a, j + b, k + c), body(k + c)) for c in (0, 1) for a, b in corners]))

    def face(self, i, j, level, group, body):
        self.elements.append((3, group, [self.node((i + a, j + b, level), body) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]))


def shank(level):
    return "lower" if level <= 1 else "upper" if level >= LAYERS - 1 else "shank"


def draft():
    made = Draft()
    for i in range(COUNT[0]):
        for j in range(COUNT[1]):
            name = next((bolt for bolt, place in BOLTS.items() if place == (i, j)), None)
            for k in range(LAYERS):
                side = "lower" if k < MIDDLE else "upper"
                inner = name and 0 < k < LAYERS - 1
                made.brick(i, j, k, "shanks" if inner else side, shank if inner else lambda level, side=side: side)
            made.face(i, j, 0, "bottom", "lower")
            made.face(i, j, LAYERS, "top", "upper")
            for group, body in ((f"cut_{name}", "shank"),) if name else (("low_face", "lower"), ("up_face", "upper")):
                made.face(i, j, MIDDLE, group, body)
    return made


def write_mesh(path="bolted.msh", gap=0.0):
    """A gap between the faces is cut off the upper plate."""
    made = draft()
    groups = [(3, name) for name in ("lower", "upper", "shanks")] + [(2, name) for name in ("bottom", "top", "low_face", "up_face", "cut_b1", "cut_b2")]
    number = {name: i + 1 for i, (_, name) in enumerate(groups)}
    with open(path, "w", encoding="utf-8") as file:
        print(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{len(groups)}", file=file)
        for dim, name in groups:
            print(f'{dim} {number[name]} "{name}"', file=file)
        print(f"$EndPhysicalNames\n$Nodes\n{len(made.nodes)}", file=file)
        for (place, body), tag in made.nodes.items():
            x, y, z = (n * size for n, size in zip(place, CELL))
            print(tag, repr(x), repr(y), repr(z + gap * (body == "upper" and place[2] == MIDDLE)), file=file)
        print(f"$EndNodes\n$Elements\n{len(made.elements)}", file=file)
        for i, (kind, group, nodes) in enumerate(made.elements):
            print(i + 1, kind, 2, number[group], number[group], *nodes, file=file)
        print("$EndElements", file=file)


def write_case(path, studies, modes=12):
    with open(path, "w", encoding="utf-8") as file:
        file.write(CASE.format(modes=modes, studies="\n".join(f"  - {study}" for study in studies)))
