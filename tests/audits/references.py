# SPDX-License-Identifier: Apache-2.0
"""The reference pages that the program writes about itself are those that are checked in.

usage: references.py PROGRAM [--update]
"""
import subprocess
import sys

import project

# Page -> arguments of the program that prints it.
PAGES = {
    "docs/config-reference.md": ["configs", "reference"],
    "docs/statistics-reference.md": ["configs", "reference", "--stats"],
}


def main():
    program = sys.argv[1]
    root = project.project_root()
    complaints = []
    for page, arguments in PAGES.items():
        done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0 or not done.stdout:
            complaints.append(f"{page}: `teslasim {' '.join(arguments)}` ended with {done.returncode}")
            continue
        if "--update" in sys.argv:
            (root / page).write_bytes(done.stdout)
        elif not (root / page).is_file() or (root / page).read_bytes() != done.stdout:
            complaints.append(f"{page} is stale; run: python3 tests/audits/references.py {program} --update")
    project.finish("reference audit", complaints)


if __name__ == "__main__":
    main()
