// SPDX-License-Identifier: Apache-2.0
#include "simulator/device.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "simulator/call.hpp"
#include "simulator/model.hpp"
#include "simulator/report.hpp"

namespace copybench::simulator {
namespace {

bool is_blocking(const Stream& stream) { return (stream.flags() & cudaStreamNonBlocking) == 0; }

std::unique_lock<std::mutex> lock_progress() { return std::unique_lock(Progress::get().mutex); }

}  // namespace

Device::Device(int ordinal)
    : ordinal_(ordinal), legacy_(std::make_unique<Stream>(ordinal, cudaStreamDefault)) {}

Stream* Device::create_stream(unsigned flags) {
  auto stream = std::make_unique<Stream>(ordinal_, flags);
  std::vector<std::unique_ptr<Stream>> finished;
  const auto lock = lock_progress();
  finished = take_finished();
  count_holding(Holding::stream, 1);
  return streams_.emplace_back(std::move(stream)).get();
}

void Device::destroy_stream(Stream* stream) {
  std::vector<std::unique_ptr<Stream>> finished;
  const auto lock = lock_progress();
  const auto found = std::ranges::find(streams_, stream, &std::unique_ptr<Stream>::get);
  require(found != streams_.end(), cudaErrorInvalidResourceHandle);
  stream->close();
  retired_.push_back(std::move(*found));
  streams_.erase(found);
  count_holding(Holding::stream, -1);
  finished = take_finished();
}

std::vector<std::unique_ptr<Stream>> Device::take_finished() {
  const auto busy = std::ranges::partition(
      retired_, [](const std::unique_ptr<Stream>& stream) { return !stream->is_idle(); });
  std::vector<std::unique_ptr<Stream>> finished(std::make_move_iterator(busy.begin()),
                                                std::make_move_iterator(busy.end()));
  retired_.erase(busy.begin(), busy.end());
  return finished;
}

bool Device::owns(const Stream* stream) const {
  const auto lock = lock_progress();
  return std::ranges::find(streams_, stream, &std::unique_ptr<Stream>::get) != streams_.end();
}

Stream& Device::per_thread() {
  const auto lock = lock_progress();
  const auto found = per_thread_.find(std::this_thread::get_id());
  if (found != per_thread_.end()) {
    return *found->second;
  }
  auto stream = std::make_unique<Stream>(ordinal_, cudaStreamDefault);
  return *per_thread_.emplace(std::this_thread::get_id(), std::move(stream)).first->second;
}

// Contract: work in the legacy stream waits for all earlier work in blocking streams, and theirs
// for the legacy stream's. The default streams of threads are blocking ones.
std::vector<Ticket> Device::ordered_before(const Stream& stream) const {
  if (&stream != legacy_.get()) {
    return is_blocking(stream) ? std::vector{legacy_->tail()} : std::vector<Ticket>{};
  }
  std::vector<Ticket> tails;
  for (const Stream* other : all_streams()) {
    if (is_blocking(*other)) {
      tails.push_back(other->tail());
    }
  }
  return tails;
}

std::vector<const Stream*> Device::all_streams() const {
  std::vector<const Stream*> all{legacy_.get()};
  for (const auto* const streams : {&streams_, &retired_}) {
    std::ranges::transform(*streams, std::back_inserter(all), &std::unique_ptr<Stream>::get);
  }
  for (const auto& [thread, stream] : per_thread_) {
    all.push_back(stream.get());
  }
  return all;
}

Ticket Device::submit(Stream& stream, Operation operation) {
  auto lock = lock_progress();
  Progress& progress = Progress::get();
  progress.changed.wait(lock, [&] {
    return progress.lost != cudaSuccess || !operation.takes_a_place || !stream.is_full();
  });
  if (progress.lost != cudaSuccess) {
    lock.unlock();
    require_context();
  }
  for (Ticket& ticket : ordered_before(stream)) {
    if (!is_done(ticket)) {
      operation.after.push_back(std::move(ticket));
    }
  }
  return stream.push(std::move(operation));
}

std::vector<Ticket> Device::pending(const Stream& stream) const {
  const auto lock = lock_progress();
  std::vector<Ticket> tickets =
      &stream == legacy_.get() ? ordered_before(stream) : std::vector<Ticket>{};
  tickets.push_back(stream.tail());
  std::erase_if(tickets, is_done);
  return tickets;
}

std::vector<Ticket> Device::pending() const {
  const auto lock = lock_progress();
  std::vector<Ticket> tickets;
  for (const Stream* stream : all_streams()) {
    tickets.push_back(stream->tail());
  }
  std::erase_if(tickets, is_done);
  return tickets;
}

std::mutex& Device::link(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return to_device_;
    case cudaMemcpyDeviceToHost:
      return to_host_;
    default:
      return inside_;
  }
}

}  // namespace copybench::simulator
