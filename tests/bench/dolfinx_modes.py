"""dolfinx_modes.py - natural frequencies as a user of dolfinx finds them: dolfinx_modes.py BAR.npz COUNT [PETSC OPTIONS].

Hexahedra of first order, integrated fully; SLEPc's Krylov-Schur with shift and invert at 0, MUMPS's Cholesky factorisation.
BAR.npz holds places, elements (in Gmsh's order), clamped and the material. Prints the frequencies [Hz]; writes the shapes to BAR.npz.shapes.
"""
import sys

import numpy as np
import petsc4py

petsc4py.init(sys.argv)
from mpi4py import MPI
from petsc4py import PETSc
from slepc4py import SLEPc
import dolfinx
import ufl
from dolfinx import fem

TO_DOLFINX = [0, 1, 3, 2, 4, 5, 7, 6]  # corners of a hexahedron: Gmsh goes around, dolfinx counts x, y, z


def read_mesh(bar, comm):
    """Every rank gives a slice of the nodes and elements; dolfinx spreads them anew."""
    nodes, elements = (np.array_split(bar[key], comm.size)[comm.rank] for key in ("places", "elements"))
    element = ufl.VectorElement("Lagrange", ufl.Cell("hexahedron", geometric_dimension=3), 1)
    return dolfinx.mesh.create_mesh(comm, elements[:, TO_DOLFINX].astype(np.int64), nodes, ufl.Mesh(element))


def assemble(mesh, young, poisson, density):
    """Stiffness and mass; what is clamped becomes modes of infinite frequency."""
    space = fem.VectorFunctionSpace(mesh, ("Lagrange", 1))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    mu, lam = young / 2 / (1 + poisson), young * poisson / (1 + poisson) / (1 - 2 * poisson)
    strain = lambda w: ufl.sym(ufl.grad(w))
    stress = 2 * mu * strain(u) + lam * ufl.tr(strain(u)) * ufl.Identity(3)
    clamped = fem.dirichletbc(np.zeros(3), fem.locate_dofs_geometrical(space, lambda x: np.isclose(x[0], 0)), space)
    matrices = []
    dx = ufl.dx(metadata={"quadrature_degree": 3})  # two points each way, as everybody has them; left alone it takes many more
    for form, diagonal in ((ufl.inner(stress, strain(v)) * dx, 1.0), (density * ufl.inner(u, v) * dx, 0.0)):
        matrix = fem.petsc.assemble_matrix(fem.form(form), bcs=[clamped], diagonal=diagonal)
        matrix.assemble()
        matrix.setOption(PETSc.Mat.Option.SYMMETRIC, True)
        matrices.append(matrix)
    matrices[0].setOption(PETSc.Mat.Option.SPD, True)
    return matrices


def solve(K, M, count, comm):
    eps = SLEPc.EPS().create(comm)
    eps.setOperators(K, M)
    eps.setProblemType(SLEPc.EPS.ProblemType.GHEP)
    eps.setWhichEigenpairs(SLEPc.EPS.Which.TARGET_MAGNITUDE)
    eps.setTarget(0.0)
    eps.setDimensions(count)
    st = eps.getST()
    st.setType(SLEPc.ST.Type.SINVERT)
    ksp = st.getKSP()
    ksp.setType(PETSc.KSP.Type.PREONLY)
    ksp.getPC().setType(PETSc.PC.Type.CHOLESKY)
    ksp.getPC().setFactorSolverType("mumps")
    eps.setFromOptions()
    eps.solve()
    return eps


def main():
    comm, path, count = MPI.COMM_WORLD, sys.argv[1], int(sys.argv[2])
    bar = np.load(path)
    K, M = assemble(read_mesh(bar, comm), *(float(bar[key]) for key in ("young", "poisson", "density")))
    eps = solve(K, M, count, comm)
    if eps.getConverged() < count:
        sys.exit("dolfinx_modes: not converged")
    shape, viewer = K.createVecRight(), PETSc.Viewer().createBinary(path + ".shapes", "w", comm)
    for i in range(count):
        value = eps.getEigenpair(i, shape)
        viewer.view(shape)
        if comm.rank == 0:
            print(f"frequency: {np.sqrt(value.real) / 2 / np.pi:.12g}")
    viewer.destroy()


main()
