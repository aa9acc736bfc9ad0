"""bar.py - a clamped bar of hexahedra whose nodes are moved at random: the structure on which programs are compared."""
import numpy as np

from bricks import Grid, quadrangles

SIDES = (10.0, 1.2, 0.3)  # [m]
STEEL = {"young": 210e9, "poisson": 0.3, "density": 7850}
SHAKE = 0.2               # inner nodes move by up to so much of the spacing
SEED = 20261118


class Bar:
    """Places of the nodes, the nodes of each element in Gmsh's order, the nodes and faces at x = 0, which are clamped."""

    def __init__(self, cells, shake=SHAKE):
        grid = Grid(cells, SIDES)
        inner = np.all((grid.index > 0) & (grid.index < cells), axis=1)
        move = np.random.default_rng(SEED).uniform(-shake, shake, grid.index.shape) * inner[:, None]
        self.places = grid.places + move * (np.array(SIDES) / cells)
        self.elements = grid.hexahedra()
        self.clamped = grid.number[0].ravel()
        self.clamped_faces = quadrangles(grid.number[0])

    def unknowns(self):
        return 3 * (len(self.places) - len(self.clamped))
