# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Distribution packages: what is missing is found by what is needed of it, not by its package's name, so
# that a compiler or a library from elsewhere does as well.

# at_least VERSION MINIMUM
at_least() {
  [[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" == "$2" ]]
}

has_command() {
  command -v "$1" >/dev/null
}

has_cxx() {
  has_command "${CXX:-c++}"
}

# has_cmake_package NAME: whether find_package(NAME) will find a config file.
has_cmake_package() {
  local name=$1 prefix prefixes=() multiarch
  local -n root="${name}_ROOT" dir="${name}_DIR"
  [[ -n "${dir:-}" && -d "${dir}" ]] && return 0
  IFS=: read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-}:${root:-}"
  multiarch=$("${CXX:-c++}" -print-multiarch 2>/dev/null || true)
  for prefix in "${prefixes[@]}" /usr/local /usr; do
    [[ -n "${prefix}" ]] || continue
    compgen -G "${prefix}/lib*/cmake/${name}/*onfig.cmake" >/dev/null && return 0
    [[ -n "${multiarch}" ]] || continue
    compgen -G "${prefix}/lib/${multiarch}/cmake/${name}/*onfig.cmake" >/dev/null && return 0
  done
  return 1
}

# require_packages PACKAGE...: installs these Debian or Ubuntu packages, having said so; gives up, with
# the command to run, where it may not. Without arguments it does nothing and touches no network.
require_packages() {
  (($# > 0)) || return 0
  local command="apt-get install --no-install-recommends $*"
  has_command apt-get || give_up "missing: $* (by their names in Debian and Ubuntu); install them and run this again"

  local as_root=()
  if ((EUID != 0)); then
    has_command sudo || give_up "missing: $*; as root, run: ${command}"
    # Nobody can type a password where there is no terminal.
    as_root=(sudo)
    [[ -t 0 ]] || as_root=(sudo -n)
  fi
  say "missing: $*"
  say "installing with: ${as_root[*]:+${as_root[*]} }${command}"
  local quiet=(env DEBIAN_FRONTEND=noninteractive)
  if ! { "${as_root[@]}" "${quiet[@]}" apt-get update -q &&
    "${as_root[@]}" "${quiet[@]}" apt-get install -q -y --no-install-recommends "$@"; } >&2 </dev/null; then
    give_up "could not install: $*; see the messages above, then run as root: ${command}"
  fi
}
