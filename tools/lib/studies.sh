# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The studies of tools/studies.tsv: parts of the full profile, each with as many repetitions as its question needs.

studies=${root:?}/tools/studies.tsv

list_studies() {
  local name repetitions what
  while IFS=$'\t' read -r name repetitions _ what; do
    [[ ${name} == '#'* ]] || printf '%-16s %2sx  %s\n' "${name}" "${repetitions}" "${what}"
  done <"${studies}"
}

# find_study NAME: sets study_repetitions and study_filter. Gives up where there is no such study.
find_study() {
  local name
  # shellcheck disable=SC2034 # tools/bench reads them
  while IFS=$'\t' read -r name study_repetitions study_filter _; do
    [[ ${name} != "$1" || ${name} == '#'* ]] || return 0
  done <"${studies}"
  give_up "--study=$1: there is none of this name; --list-studies has their names"
}
