// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <string_view>

#include "common/measurement/clock.hpp"

namespace copybench {

/// Makes writing to a closed pipe or past a limit an error of the write instead of the end.
void ignore_write_signals();

/// Puts something that cannot be written to in the place of a standard stream that is closed. The
/// next file to be opened would take its number, and with it what is printed there.
void occupy_closed_streams();

/// Keeps SIGINT, SIGTERM and SIGHUP away from the calling thread and every thread that it starts
/// later, so that one thread can wait for them; a signal that the process was started to ignore
/// (nohup) stays ignored. Call it before the first thread is started. Returns the signals to wait
/// for.
[[nodiscard]] sigset_t hold_back_signals();

/// Lets them end the process again, with a line on standard error, for the last steps that may
/// hang. Drops those that came before.
void release_signals(const sigset_t& signals);

/// Unless the process ends by itself within this time, ends it with exit_failed, and with a line on
/// standard error. For the very last step, when no thread watches any more.
void end_after(Nanoseconds time);

/// "SIGINT"
[[nodiscard]] std::string_view signal_name(int signal);

}  // namespace copybench
