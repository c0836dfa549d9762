# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Runs a program such that a signal to the tool ends the program, and the tool after it.

# run_foreground COMMAND...: returns the status of the command, also when a signal comes: the command
# decides what to do about it, and the tool goes on once it has ended.
run_foreground() {
  local child status interrupted=0
  # A terminal sends these to both of us; a second one from here would count as impatience.
  trap '' INT QUIT
  # Bash would act on a signal only after the command; waiting for it in the background can be interrupted.
  # There Bash ignores what a terminal sends, and so would the command: it is given back what the tool had.
  (
    trap - INT QUIT
    exec "$@"
  ) <&0 &
  child=$!
  trap 'kill -TERM "${child}" 2>/dev/null' TERM
  trap 'kill -HUP "${child}" 2>/dev/null' HUP
  wait "${child}" || interrupted=$?
  while kill -0 "${child}" 2>/dev/null; do
    wait "${child}" || true
  done
  # A signal ends a wait with a status of its own; this one is the command's. Bash has lost it, and says -1,
  # when the command ended at the very moment of the signal.
  status=0
  wait "${child}" || status=$?
  ((status >= 0)) || status=${interrupted}
  trap - INT QUIT TERM HUP
  return "${status}"
}
