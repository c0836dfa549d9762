# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The project's own virtual environment, .venv: what the system's Python has or lacks does not matter.

venv=${COPYBENCH_VENV:-${root:?}/.venv}

# Prints a Python 3.10 or newer that can make a virtual environment. Debian's can only with python3-venv.
# The distribution's own comes first: a python3 on PATH may be a shim without a Python behind it.
find_python() {
  local candidate
  for candidate in ${PYTHON:+"${PYTHON}"} /usr/bin/python3 python3 python3.13 python3.12 python3.11 python3.10; do
    if "${candidate}" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      echo "${candidate}"
      return
    fi
  done
  return 1
}

# A copy of each installed list lies in the environment: an equal one needs no network.
has_requirements() {
  [[ -x "${venv}/bin/python" ]] && cmp -s "${root}/tools/requirements-$1.txt" "${venv}/requirements-$1.txt"
}

# install_requirements NAME: tools/requirements-NAME.txt into .venv. Returns 1, having said why, if that fails.
install_requirements() {
  local list="tools/requirements-$1.txt" python
  has_requirements "$1" && return
  if [[ ! -x "${venv}/bin/python" ]]; then
    python=$(find_python) || {
      say "no Python 3.10 or newer that can make a virtual environment"
      return 1
    }
    say "creating ${venv} with: ${python} -m venv ${venv}"
    "${python}" -m venv "${venv}" >&2 || {
      say "could not create ${venv}; COPYBENCH_VENV names another place"
      return 1
    }
  fi
  say "installing with: ${venv}/bin/pip install -r ${list}"
  "${venv}/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
    --requirement "${root}/${list}" </dev/null >&2 || {
    say "could not install ${list}"
    return 1
  }
  cp "${root}/${list}" "${venv}/requirements-$1.txt"
}

# require_python_with NAME: the same, for a tool whose status for anything missing is 3. Gives up where it cannot.
require_python_with() {
  has_requirements "$1" && return
  if [[ ! -x "${venv}/bin/python" ]] && ! find_python >/dev/null; then
    (require_packages python3 python3-venv) || exit 3
  fi
  install_requirements "$1" || exit 3
}
