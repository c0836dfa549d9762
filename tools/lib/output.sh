# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The file that a run is to write. It appears by being renamed: nothing is there before, or an older one.

# can_create FILE: whether a file can be made beside FILE. Trying is what tells: root may write to all
# that has permissions, but not to a read-only disk.
can_create() {
  local probe
  probe=$(mktemp -- "$1.XXXXXX" 2>/dev/null) && rm -f -- "${probe}"
}

# require_writable FILE: gives up, naming --out, where a run could not write FILE in the end.
require_writable() {
  local file=$1 folder
  folder=$(dirname -- "${file}")
  [[ -d ${folder} ]] || give_up "--out=${file}: there is no folder ${folder}"
  [[ ! -d ${file} && ${file} != */ ]] || give_up "--out=${file}: is a folder; a file is needed"
  if [[ -e ${file} ]]; then
    [[ -w ${file} ]] || give_up "--out=${file}: cannot be written to"
    # A device or a pipe is written to as it is.
    [[ -f ${file} ]] || return 0
    # What a link points to is replaced, not the link.
    file=$(readlink -f -- "${file}")
  fi
  can_create "${file}" || give_up "--out=$1: no file can be made there"
}

# identity FILE: prints what differs between a file and the one that replaces it; nothing without one.
identity() {
  stat -L -c %d:%i -- "$1" 2>/dev/null || true
}

# remove_if_empty [FOLDER...]: a run that wrote nothing leaves no folders behind.
remove_if_empty() {
  (($# == 0)) || rmdir --ignore-fail-on-non-empty -- "$@" 2>/dev/null || true
}
