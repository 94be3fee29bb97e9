"""Entry point of `python -m petteia`, which is equivalent to the command `petteia`."""

import sys

if not sys.flags.safe_path:  # files in the working directory must not replace modules of Python
    sys.path.append(sys.path.pop(0))

from petteia.cli import main  # after the change of the path

if __name__ == "__main__":
    sys.exit(main())
