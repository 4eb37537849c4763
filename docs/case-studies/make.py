# SPDX-License-Identifier: Apache-2.0
"""Makes the generated parts and the plots of the case studies anew.

usage: make.py PROGRAM [STUDY...]

Without names all studies are made; the three of Zhang & Owens simulate a hundred million warp instructions and take minutes.
"""
import sys

from common import Program
from other_studies import givens_qr, launch_overhead, lecture, sor_and_sgemm
from zhang_owens import cyclic_reduction, matrix_multiply, sparse_matrix

STUDIES = {function.__name__: function for function in (launch_overhead, lecture, givens_qr, sor_and_sgemm, cyclic_reduction, sparse_matrix,
                                                        matrix_multiply)}


def main():
    wanted = sys.argv[2:] or list(STUDIES)
    unknown = [name for name in wanted if name not in STUDIES]
    if len(sys.argv) < 2 or unknown:
        raise SystemExit(f"{__doc__}\nstudies: {', '.join(STUDIES)}\n" + "".join(f"unknown: {name}\n" for name in unknown))
    program = Program(sys.argv[1])
    for name in wanted:
        print(name, flush=True)
        STUDIES[name](program)


if __name__ == "__main__":
    main()
