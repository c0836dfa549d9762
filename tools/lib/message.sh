# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What the tools say, all of it on stderr: stdout belongs to the program they run.

say() {
  printf '%s: %s\n' "${tool:?}" "$*" >&2
}

# Ends the tool with the status of bad usage, or of something missing that the user has to supply.
give_up() {
  say "$@"
  exit 2
}

# Prints the header comment of the tool, up to the first line that is none, as its help.
print_help() {
  awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "${BASH_SOURCE[-1]}"
}

# require_value FLAG [VALUE...]: for a flag that takes a value, with all the arguments that are left.
require_value() {
  [[ -n ${2:-} ]] || give_up "$1 needs a value; see --help"
}
