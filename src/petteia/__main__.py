"""`python -m petteia` is the command `petteia`."""

import sys

if not sys.flags.safe_path:  # files in the working folder must not stand in the way of Python's own modules
    sys.path.append(sys.path.pop(0))

from petteia.cli import main  # only now it is known where modules are

if __name__ == "__main__":
    sys.exit(main())
