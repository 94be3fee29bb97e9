# The tasks of development. They need a clean clone, Python 3.11 or later, and make.
#
#   make demo        train an agent on Hare and Hounds, and write a page that shows how it learned
#   make test        run style checks, type checks, and all tests that are neither slow nor heavy
#   make slow        run the tests marked `lanes` in two further modes, and then the tests marked `slow`
#   make style       run only the style checks and type checks
#   make kernels     compile in advance the code that most tests need
#   make plain       run the tests marked `lanes` without compilation
#   make checked     run the tests marked `lanes` with checks of array bounds
#   make packaging   build the site and a wheel, install the wheel in an empty environment, and use it as a new user would
#   make browser     test the web page in a browser; installs Chromium, playwright and axe if necessary
#   make screenshots take the screenshots of the web page in README.md and docs/ again
#   make heavy       run the tests marked `heavy`: fuzzing, killed processes, and long comparisons
#   make bench       measure the speed of this machine
#   make agents      train the agents of the package again
#   make levels      choose the players of the levels of each game again, and measure them
#   make thresholds  measure again by how much moves change the evaluations
#   make site        build the documentation site in site/
#   make docs        update the output that README.md and docs/ show
#   make clean       remove the results of these commands (runs/ stays)

PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
READY := .venv/ready
TOOLS := .venv/tools
BROWSER := .venv/browser
# uv is used where it is at hand; it is faster and does the same. Bytecode is made and kept when a module is first
# imported, which most are not: to make all of it took half of the time.
export PYTHONDONTWRITEBYTECODE :=
UV := $(shell command -v uv)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
INSTALL := $(if $(UV),uv pip install --quiet --python $(BIN)/python,$(PIP))

.PHONY: demo test slow style kernels plain checked browser screenshots heavy packaging bench agents levels thresholds docs site clean

demo: $(READY)
	$(BIN)/petteia report hare-and-hounds --scale quick

# Two processes at a time. One cache of kernels for all steps, which is also that of the test suite. What the steps of one
# process say is shown step by step where make can do so.
test slow browser: export PETTEIA_CACHE ?= $(CURDIR)/.pytest_cache/kernels
BOTH := $(MAKE) --no-print-directory --jobs 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync)

# The kernels need no tools, so they are compiled while these are installed.
test:
	$(BOTH) kernels style
	$(BIN)/pytest -n 2 --dist worksteal

slow: $(TOOLS)
	$(BOTH) checked plain
	$(BIN)/pytest -n 2 --dist worksteal -m slow

style: $(TOOLS)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

kernels: $(READY)
	$(BIN)/petteia warmup kalah hare-and-hounds british-square

plain: $(TOOLS)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -q -m lanes

checked: $(TOOLS)
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -q -m lanes

browser: $(BROWSER)
	tests/fresh/chromium .venv/apt.log
	$(BIN)/pytest -n 2 -m 'browser and not heavy' tests/web tests/package/test_site.py

screenshots: $(BROWSER)
	PETTEIA_SCREENSHOTS=docs $(BIN)/pytest -q -m browser tests/web -k 'sowing or on_the_board'

heavy: $(BROWSER)
	tests/fresh/chromium .venv/apt.log
	$(BIN)/pytest -m heavy

packaging: $(TOOLS)
	tests/fresh/packaging $(abspath $(BIN)/python)

bench: $(READY)
	$(BIN)/petteia bench

agents: $(READY)
	$(BIN)/python -m petteia.experiments.agents

levels: $(READY)
	$(BIN)/python -m petteia.experiments.levels

thresholds: $(READY)
	$(BIN)/python -m petteia.experiments.thresholds

docs: $(TOOLS)
	$(BIN)/python tests/fresh/documents.py

site: $(TOOLS)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf .venv build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# What the program needs, and what its development needs besides. The second does not install petteia again, as it may
# be running.
$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "petteia needs Python 3.11 or later; say where it is: make PYTHON=/path/to/python"; exit 1; }
	$(if $(UV),uv venv --quiet --allow-existing --python "$(PYTHON)" .venv,"$(PYTHON)" -m venv .venv)
	$(INSTALL) -e '.[plot]'
	touch $(READY)

$(TOOLS): $(READY)
	$(INSTALL) 'petteia[dev]'
	touch $(TOOLS)

$(BROWSER): $(TOOLS)
	$(INSTALL) 'playwright>=1.65' 'axe-playwright-python>=0.1.8'
	touch $(BROWSER)
