"""`python -m petteia` is the command `petteia`."""

import sys

from petteia.cli import main

if __name__ == "__main__":
    sys.exit(main())
