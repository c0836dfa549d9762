# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program such that a signal to the tool ends the program, and the tool after it.

# run_foreground COMMAND...: returns the status of the command, also when a signal comes: the command
# decides what to do about it, and the tool goes on once it has ended.
run_foreground() {
  local child status
  # Bash would act on a signal only after the command; waiting for it in the background can be interrupted.
  "$@" <&0 &
  child=$!
  # A terminal sends SIGINT to both of us; a second one from here would count as impatience.
  trap ':' INT
  trap 'kill -TERM "${child}" 2>/dev/null' TERM
  status=0
  wait "${child}" || status=$?
  while kill -0 "${child}" 2>/dev/null; do
    status=0
    wait "${child}" || status=$?
  done
  trap - INT TERM
  return "${status}"
}
