# make run: the app. make check: what needs neither a browser nor a server. make test: everything a newcomer needs to see pass. Written for Debian and macOS; tried on Debian only.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
AXE := $(VENV)/axe-core/axe.min.js

.PHONY: run check test lint bench soak pictures clean

run: $(VENV)/.installed
	$(VENV)/bin/streamlit run app.py

test: $(VENV)/.installed-dev $(AXE) lint
	PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -m "not soak" -n 3 --dist loadgroup --no-loadscope-reorder --max-worker-restart=1

# Neither a browser nor a server, no other process, no torch; a dozen examples of a property.
check: $(VENV)/.installed-dev lint
	PYTHONDONTWRITEBYTECODE= $(PY) -m pytest -m "not (soak or browser or served or meaning)" --hypothesis-profile=quick -n 3 --dist loadgroup --no-loadscope-reorder

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy core components pages app.py

soak: $(VENV)/.installed-dev
	$(PY) -m pytest -m soak -o faulthandler_timeout=0

# The guide's and the README's, of the screens as they are; needs a browser.
pictures: $(VENV)/.installed-dev
	$(PY) -m tests.support.pictures

bench: $(VENV)/.installed-dev
	$(PY) -m tests.bench

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; choose one with make PYTHON=python3.12 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.txt | $(VENV)/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.installed-dev: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $(VENV)/.installed $@

# Apart from the rest, and no failure: without a network everything but the test of accessibility still runs, and the next time tries again.
$(AXE): tests/support/axe.py | $(VENV)/.installed-dev
	-$(PY) -m tests.support.axe

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
