// SPDX-License-Identifier: Apache-2.0
// The tables of cases, without running one: names are what people filter by and compare.
#include <algorithm>
#include <iterator>
#include <map>
#include <ostream>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "benchmarks/beside_operations.hpp"
#include "benchmarks/families.hpp"

namespace copybench {

// Found by GoogleTest through the type; without it the names of the tests hold addresses.
void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

namespace {

using Words = std::set<std::string, std::less<>>;

// Written down here a second time, so that a word cannot enter a name by accident.
const std::map<std::string, Words, std::less<>> vocabulary{
    {"api",
     {"memcpy", "memcpy_async", "memcpy_2d", "memcpy_2d_async", "memcpy_3d_async",
      "memcpy_to_symbol_async", "memcpy_batch_stream", "memcpy_batch_during_call",
      "memcpy_batch_any", "graph_launch", "event_create", "memset", "memset_async",
      "prefetch_async", "host_alloc", "host_register"}},
    {"dir", {"h2d", "d2h", "d2d", "h2h", "p2p"}},
    {"mem",
     {"pageable", "pageable_thp", "pageable_file", "pageable_stack", "pinned", "pinned_interior",
      "pinned_write_combined", "pinned_mapped", "registered", "managed", "device"}},
    {"stream", {"legacy", "per_thread", "blocking", "nonblocking"}},
    {"queue", {"idle", "busy", "busy_elsewhere"}},
    {"alloc", {"none", "malloc", "malloc_async", "pooled", "fresh"}},
    {"op",
     {"copy_pinned_h2d",
      "copy_pinned_d2h",
      "copy_pageable_h2d",
      "launch",
      "event_record",
      "event_query",
      "stream_query",
      "event_create",
      "host_func",
      "malloc",
      "free",
      "malloc_async",
      "free_async",
      "free_of_async",
      "host_alloc",
      "free_host",
      "register",
      "unregister",
      "malloc_managed",
      "stream_create",
      "first_launch",
      "pinned_copy_beside",
      "copy_h2d",
      "copy_d2h",
      "copy_pageable_h2d_64kib",
      "kernel"}},
    {"beside", {"nothing", "gate", "blocked_copy", "staging_copy"}},
    {"hazard", {"overwrite_source", "read_destination", "other_stream", "other_stream_after_sync"}},
    {"poller", {"none", "event_query"}},
    {"strategy",
     {"driver_pageable",
      "driver_pageable_sync",
      "driver_pinned",
      "pin_copy",
      "register_in_place",
      "staged_single",
      "staged_double_buffered",
      "staged_parallel",
      "mapped_kernel",
      "managed_prefetch",
      "auto",
      "stale_arguments",
      "callback_illegal",
      "stream_sync",
      "host_func_worker",
      "copy_capacity",
      "known_size",
      "event_sync_spin",
      "event_sync_blocking",
      "host_func_atomic_wait",
      "host_func_spin",
      "event_poll_worker",
      "write_value_worker",
      "mapped_size_worker",
      "mapped_size_shared",
      "event_poll_spin",
      "write_value_spin",
      "mapped_size_spin",
      "speculative_top_up",
      "offloaded_sync",
      "offloaded_speculative",
      "device_copy_kernel",
      "graph_switch",
      "graph_while_tiles",
      "graph_update",
      "graph_device_update"}},
    {"sizes", {"fixed", "uniform", "mostly_small"}},
    {"producer", {"short", "long"}},
    {"operation", {"nothing", "last_error", "stream_query"}},
    {"call",
     {"stream_sync", "event_sync", "device_sync", "event_query_poll_0us", "event_query_poll_10us",
      "event_query_poll_100us"}},
    {"event", {"spin", "block"}},
    {"device", {"auto", "spin", "yield", "block"}},
    {"loading", {"lazy", "eager"}},
    {"connections", {"default", "one", "eight"}},
    {"before", {"nothing", "same_stream", "other_stream"}},
    {"metric",
     {"blocked", "completion", "residual", "host_blocked", "end_to_end", "copy_in", "launch",
      "copy_out", "synchronize", "synchronize_alone", "to_device", "synchronize_after", "total",
      "next_launch_delay", "cpu_time"}},
    {"way",
     {"register", "host_alloc", "host_alloc_in_place", "loop", "batch", "pack", "mapped_gather"}},
    {"store", {"none", "cached", "demoted", "streamed"}},
    {"half", {"link", "host", "link_beside_host", "link_after_host"}},
    {"pair", {"h2d_alone", "d2h_alone", "both"}},
    {"waiter",
     {"host_function", "worker_sleeping", "worker_spinning", "mapped_flag", "event_poll",
      "event_sync_spin", "event_sync_block", "stream_sync"}},
    {"cores", {"idle", "busy"}},
};

const Words numeric_keys{"bytes",   "elements",      "kernels", "wait_us", "threads",
                         "streams", "before_bytes",  "chunk",   "chunks",  "count",
                         "gpus",    "touch_threads", "chains",  "links",   "piece"};
// Whose cases copy nothing.
const Words families_without_memory{"harness_floor"};
// They wait for kernels alone, which the host sees end, or never get to copying.
const Words families_without_device_memory{"wake_up", "callback_latency", "pinning"};
// Each of their cases starts a process, or is a whole search.
const Words families_without_quick_cases{"dependent_copy_load", "lazy_loading",   "queue_depth",
                                         "staged_parallel",     "staging_limits", "staging_pool"};

std::vector<AxisValues> cases_of(const Family& family, Profile profile) {
  std::vector<AxisValues> cases;
  for (const Sweep& sweep : family.sweeps) {
    const std::vector<AxisValues> more = expand(family.name, sweep, profile, {});
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

std::set<std::string> names_of(const Family& family, Profile profile) {
  std::set<std::string> names;
  for (const AxisValues& values : cases_of(family, profile)) {
    names.insert(values.name());
  }
  return names;
}

std::set<std::string> all_names(Profile profile) {
  std::set<std::string> names;
  for (const Family& family : all_families()) {
    names.merge(names_of(family, profile));
  }
  return names;
}

std::vector<std::string> keys_of(const Sweep& sweep) {
  std::vector<std::string> keys;
  keys.reserve(sweep.axes.size());
  for (const Axis& axis : sweep.axes) {
    keys.push_back(axis.key);
  }
  return keys;
}

bool works_on_one_side(const Family& family, const AxisValues& values) {
  return family.name == "memory_call" ||
         (family.name == "host_blocking" &&
          (values.at("dir") == "d2d" || values.at("dir") == "h2h" || values.at("dir") == "p2p"));
}

class CaseTable : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Every, CaseTable, testing::ValuesIn(all_families()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(CaseTable, SweepsHaveTheSameAxesInTheSameOrder) {
  ASSERT_FALSE(GetParam().sweeps.empty());
  for (const Sweep& sweep : GetParam().sweeps) {
    EXPECT_EQ(keys_of(sweep), keys_of(GetParam().sweeps.front())) << sweep.question;
  }
}

TEST_P(CaseTable, SweepsSayWhichQuestionTheyAnswer) {
  for (const Sweep& sweep : GetParam().sweeps) {
    EXPECT_EQ(sweep.question.find('?'), sweep.question.size() - 1) << sweep.question;
  }
}

TEST_P(CaseTable, NoAxisIsEmptyOrRepeatsAValue) {
  for (const Sweep& sweep : GetParam().sweeps) {
    for (const Axis& axis : sweep.axes) {
      EXPECT_FALSE(axis.values.empty()) << axis.key;
      EXPECT_EQ(Words(axis.values.begin(), axis.values.end()).size(), axis.values.size())
          << axis.key;
    }
  }
}

TEST_P(CaseTable, QuickValuesAreAmongTheValues) {
  for (const Sweep& sweep : GetParam().sweeps) {
    for (const Axis& axis : sweep.axes) {
      for (const std::string& value : axis.quick_values) {
        EXPECT_NE(std::ranges::find(axis.values, value), axis.values.end())
            << axis.key << ":" << value;
      }
    }
  }
}

TEST_P(CaseTable, ClosedAxesHoldWordsOfTheVocabulary) {
  for (const Sweep& sweep : GetParam().sweeps) {
    for (const Axis& axis : sweep.axes) {
      if (numeric_keys.contains(axis.key)) {
        EXPECT_TRUE(is_numeric(axis)) << axis.key;
        continue;
      }
      const auto words = vocabulary.find(axis.key);
      ASSERT_NE(words, vocabulary.end()) << "unknown axis " << axis.key;
      for (const std::string& value : axis.values) {
        EXPECT_TRUE(words->second.contains(value)) << axis.key << ":" << value;
      }
    }
  }
}

TEST_P(CaseTable, NumbersStandInRisingOrderWithoutLeadingZeros) {
  for (const Sweep& sweep : GetParam().sweeps) {
    for (const Axis& axis : sweep.axes) {
      if (!numeric_keys.contains(axis.key)) {
        continue;
      }
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        EXPECT_EQ(std::to_string(std::stoull(axis.values[i])), axis.values[i]);
        if (i > 0) {
          EXPECT_LT(std::stoull(axis.values[i - 1]), std::stoull(axis.values[i]));
        }
      }
    }
  }
}

TEST_P(CaseTable, NamesAreWellFormed) {
  const std::regex form("^[a-z_0-9]+(/[a-z_]+:[a-z_0-9]+)+$");
  for (const Profile profile : {Profile::quick, Profile::full}) {
    const std::set<std::string> names = names_of(GetParam(), profile);
    EXPECT_EQ(names.empty(),
              profile == Profile::quick && families_without_quick_cases.contains(GetParam().name));
    for (const std::string& name : names) {
      EXPECT_TRUE(std::regex_match(name, form)) << name;
      EXPECT_EQ(name.substr(0, name.find('/')), GetParam().name);
    }
  }
}

TEST_P(CaseTable, QuickCasesAreFullCases) {
  const std::set<std::string> full = names_of(GetParam(), Profile::full);
  for (const std::string& name : names_of(GetParam(), Profile::quick)) {
    EXPECT_TRUE(full.contains(name)) << name;
  }
}

TEST_P(CaseTable, EveryCaseNamesTheMemoryThatItNeeds) {
  for (const AxisValues& values : cases_of(GetParam(), Profile::full)) {
    MemoryNeeds needs;
    ASSERT_NO_THROW(needs = GetParam().memory_needs(values)) << values.name();
    if (families_without_memory.contains(GetParam().name)) {
      EXPECT_TRUE(needs.empty()) << values.name();
      continue;
    }
    const auto needs_some = [&](const auto& is_kind) {
      return std::ranges::any_of(needs, [&](const auto& need) { return is_kind(need.first); });
    };
    // What copies from one side to the other needs both.
    const bool crosses = !works_on_one_side(GetParam(), values) &&
                         !families_without_device_memory.contains(GetParam().name);
    EXPECT_EQ(needs_some([](MemoryKind kind) { return !is_host_accessible(kind); }) &&
                  needs_some(is_host_accessible),
              crosses)
        << values.name();
    EXPECT_TRUE(std::ranges::any_of(needs, [](const auto& need) { return need.second > 0; }) ||
                values.number("bytes") == 0)
        << values.name();
  }
}

TEST(CaseTables, FamiliesHaveDifferentNames) {
  std::set<std::string> names;
  for (const Family& family : all_families()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
  }
  EXPECT_EQ(names, (std::set<std::string>{"bare_loop",
                                          "beside",
                                          "both_directions",
                                          "callback_latency",
                                          "dependent_copy",
                                          "dependent_copy_load",
                                          "enqueue_threads",
                                          "harness_floor",
                                          "host_blocking",
                                          "lazy_loading",
                                          "lifetime",
                                          "memory_call",
                                          "pin_break_even",
                                          "pinning",
                                          "queue_depth",
                                          "scenario_copy_scale_copy",
                                          "scenario_ping_pong",
                                          "scenario_to_device",
                                          "small_arrays",
                                          "staged_parallel",
                                          "staging_limits",
                                          "staging_pool",
                                          "to_device",
                                          "to_device_queued",
                                          "to_host",
                                          "wake_up"}));
}

// Published names must not change.
TEST(CaseTables, FullHasTheKeyCases) {
  const std::set<std::string> names = all_names(Profile::full);
  for (const char* const name : {
           "bare_loop/metric:blocked/dir:h2d/mem:pinned/bytes:1048576",
           "bare_loop/metric:completion/dir:d2h/mem:pinned/bytes:268435456",
           "harness_floor/operation:last_error/queue:busy",
           "queue_depth/op:host_func/streams:2/connections:default",
           "queue_depth/op:kernel/streams:1/connections:one",
           "staging_pool/mem:pageable/before:nothing/before_bytes:0",
           "host_blocking/api:memcpy_async/dir:h2d/mem:pageable/stream:nonblocking/queue:busy/"
           "bytes:1048576",
           "host_blocking/api:memcpy_async/dir:d2h/mem:managed/stream:nonblocking/queue:idle/"
           "bytes:4",
           "host_blocking/api:memcpy_async/dir:d2h/mem:registered/stream:nonblocking/queue:busy/"
           "bytes:268435456",
           "host_blocking/api:memcpy_async/dir:h2d/mem:pageable/stream:nonblocking/queue:busy/"
           "bytes:65537",
           "host_blocking/api:memcpy_async/dir:d2h/mem:pinned/stream:nonblocking/queue:idle/"
           "bytes:0",
           "host_blocking/api:memcpy_async/dir:h2d/mem:pageable/stream:nonblocking/queue:idle/"
           "bytes:1073741824",
           "host_blocking/api:memcpy_async/dir:h2d/mem:pageable_stack/stream:nonblocking/"
           "queue:busy/bytes:1048576",
           "host_blocking/api:memcpy_async/dir:d2h/mem:pinned_interior/stream:nonblocking/"
           "queue:busy/bytes:65536",
           "host_blocking/api:memcpy/dir:h2d/mem:pageable/stream:legacy/queue:busy/bytes:66560",
           "host_blocking/api:memcpy_2d_async/dir:d2h/mem:pinned/stream:nonblocking/queue:busy/"
           "bytes:4194304",
           "host_blocking/api:memcpy_3d_async/dir:h2d/mem:pageable/stream:nonblocking/queue:idle/"
           "bytes:4096",
           "host_blocking/api:memcpy_batch_during_call/dir:h2d/mem:pageable/stream:nonblocking/"
           "queue:busy/bytes:1048576",
           "host_blocking/api:graph_launch/dir:h2d/mem:pageable/stream:nonblocking/queue:busy/"
           "bytes:65536",
           "host_blocking/api:memcpy_to_symbol_async/dir:h2d/mem:pageable/stream:nonblocking/"
           "queue:busy/bytes:65536",
           "host_blocking/api:memcpy_2d/dir:h2d/mem:pinned/stream:legacy/queue:busy/bytes:65536",
           "host_blocking/api:memcpy_async/dir:h2d/mem:pageable/stream:legacy/"
           "queue:busy_elsewhere/bytes:65536",
           "host_blocking/api:memcpy_async/dir:d2d/mem:device/stream:nonblocking/queue:busy/"
           "bytes:268435456",
           "host_blocking/api:memcpy/dir:d2d/mem:device/stream:legacy/queue:busy/bytes:268435456",
           "host_blocking/api:memcpy_async/dir:h2h/mem:pageable/stream:nonblocking/queue:busy/"
           "bytes:16777216",
           "memory_call/api:memset/mem:pinned/stream:legacy/queue:busy/bytes:268435456",
           "memory_call/api:memset/mem:managed/stream:legacy/queue:busy_elsewhere/bytes:16777216",
           "memory_call/api:memset_async/mem:device/stream:nonblocking/queue:idle/bytes:4096",
           "memory_call/api:prefetch_async/mem:managed/stream:nonblocking/queue:busy/"
           "bytes:1048576",
           "to_device/strategy:driver_pageable/mem:pageable/alloc:none/stream:nonblocking/"
           "metric:completion/bytes:800000000",
           "to_device/strategy:driver_pinned/mem:pinned/alloc:malloc/stream:legacy/"
           "metric:residual/bytes:800000000",
           "to_device/strategy:staged_double_buffered/mem:pageable/alloc:none/stream:nonblocking/"
           "metric:blocked/bytes:800000000",
           "to_device_queued/strategy:driver_pageable/mem:pageable/stream:blocking/kernels:50/"
           "metric:blocked/bytes:1048576",
           "dependent_copy/strategy:host_func_worker/metric:end_to_end/elements:100000",
           "dependent_copy/strategy:stale_arguments/metric:host_blocked/elements:0",
           "dependent_copy/strategy:callback_illegal/metric:end_to_end/elements:16",
           "dependent_copy/strategy:stream_sync/metric:host_blocked/elements:4194304",
           "dependent_copy/strategy:copy_capacity/metric:end_to_end/elements:1000",
           "dependent_copy/strategy:known_size/metric:end_to_end/elements:4194304",
           "dependent_copy/strategy:offloaded_speculative/metric:host_blocked/elements:16",
           "dependent_copy/strategy:event_sync_blocking/metric:next_launch_delay/elements:1048576",
           "dependent_copy_load/strategy:speculative_top_up/sizes:mostly_small/chains:1/links:1/"
           "producer:long/cores:idle/metric:end_to_end/elements:100000",
           "dependent_copy_load/strategy:host_func_worker/sizes:fixed/chains:8/links:1/"
           "producer:long/cores:idle/metric:end_to_end/elements:1000",
           "dependent_copy_load/strategy:offloaded_sync/sizes:fixed/chains:1/links:3/"
           "producer:long/cores:idle/metric:end_to_end/elements:1000",
           "dependent_copy_load/strategy:mapped_size_worker/sizes:fixed/chains:1/links:1/"
           "producer:short/cores:idle/metric:cpu_time/elements:16",
           "dependent_copy_load/strategy:event_poll_worker/sizes:fixed/chains:1/links:1/"
           "producer:long/cores:busy/metric:end_to_end/elements:16",
           "scenario_ping_pong/strategy:mapped_size_spin/metric:host_blocked/elements:262144",
           "scenario_copy_scale_copy/mem:pageable/metric:blocked/elements:268435456",
           "scenario_to_device/stream:legacy/metric:synchronize_after/bytes:800000000",
           "scenario_ping_pong/strategy:host_func_worker/metric:total/elements:262144",
           "beside/op:free/beside:nothing",
           "beside/op:malloc/beside:blocked_copy",
           "beside/op:launch/beside:staging_copy",
           "lifetime/hazard:overwrite_source/api:memcpy_batch_during_call/mem:pageable/"
           "bytes:1048576",
           "lifetime/hazard:read_destination/api:memcpy_async/mem:pinned/bytes:4194304",
           "lifetime/hazard:other_stream/api:memcpy/mem:pageable/bytes:16777216",
           "enqueue_threads/threads:16/api:event_create/poller:event_query",
           "to_device/strategy:auto/mem:pageable/alloc:none/stream:nonblocking/metric:completion/"
           "bytes:1073741824",
           "to_host/strategy:register_in_place/mem:pageable/alloc:none/stream:nonblocking/"
           "metric:blocked/bytes:16777216",
           "staged_parallel/dir:d2h/mem:pageable_thp/threads:16/chunk:8388608/chunks:4/"
           "piece:262144/"
           "bytes:800000000",
       }) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(CaseTables, QuickHasTheKeyCases) {
  const std::set<std::string> names = all_names(Profile::quick);
  for (const char* const name : {
           "bare_loop/metric:completion/dir:h2d/mem:pinned/bytes:268435456",
           "harness_floor/operation:nothing/queue:idle",
           "harness_floor/operation:stream_query/queue:idle",
           "host_blocking/api:memcpy_async/dir:d2h/mem:pinned/stream:nonblocking/queue:idle/"
           "bytes:268435456",
           "host_blocking/api:memcpy_async/dir:h2d/mem:pinned/stream:nonblocking/queue:busy/"
           "bytes:1048576",
           "to_device/strategy:driver_pageable/mem:pageable/alloc:none/stream:nonblocking/"
           "metric:completion/bytes:800000000",
           "to_device/strategy:staged_parallel/mem:pageable/alloc:none/stream:nonblocking/"
           "metric:completion/bytes:800000000",
           "to_host/strategy:driver_pageable/mem:pageable/alloc:none/stream:nonblocking/"
           "metric:completion/bytes:67108864",
           "dependent_copy/strategy:stale_arguments/metric:end_to_end/elements:100000",
           "scenario_copy_scale_copy/mem:pinned/metric:blocked/elements:16777216",
           "scenario_to_device/stream:nonblocking/metric:to_device/bytes:80000000",
           "scenario_ping_pong/strategy:callback_illegal/metric:total/elements:262144",
           "beside/op:free/beside:gate",
           "lifetime/hazard:overwrite_source/api:memcpy_async/mem:pageable/bytes:65536",
           "lifetime/hazard:other_stream/api:memcpy/mem:pageable/bytes:65536",
           "enqueue_threads/threads:1/api:memcpy_async/poller:none",
       }) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

std::set<std::string> cases_in(const std::set<std::string>& names, const std::string& family) {
  std::set<std::string> found;
  std::ranges::copy_if(names, std::inserter(found, found.end()),
                       [&](const std::string& name) { return name.starts_with(family + "/"); });
  return found;
}

TEST(CaseTables, FewOfTheNewFamiliesAreQuick) {
  const std::set<std::string> names = all_names(Profile::quick);
  EXPECT_EQ(cases_in(names, "beside").size(), 6U);
  EXPECT_EQ(cases_in(names, "lifetime").size(), 4U);
  EXPECT_EQ(cases_in(names, "enqueue_threads").size(), 1U);
  EXPECT_EQ(cases_in(names, "pinning").size(), 2U);
  EXPECT_EQ(cases_in(names, "pin_break_even").size(), 2U);
  EXPECT_EQ(cases_in(names, "small_arrays").size(), 3U);
  EXPECT_EQ(cases_in(names, "both_directions").size(), 1U);
  EXPECT_EQ(cases_in(names, "dependent_copy").size(), 27U);
  EXPECT_EQ(cases_in(names, "scenario_ping_pong").size(), 14U);
  EXPECT_EQ(cases_in(names, "callback_latency").size(), 3U);
}

// What host functions cost is judged by what else there is, in the same run.
TEST(CaseTables, EveryWaiterIsMeasuredWithIdleAndWithBusyCores) {
  const std::set<std::string> names = names_of(callback_latency_family(), Profile::full);
  for (const char* const cores : {"idle", "busy"}) {
    for (const std::string& waiter : vocabulary.at("waiter")) {
      EXPECT_TRUE(
          names.contains("callback_latency/waiter:" + waiter + "/cores:" + cores + "/wait_us:200"))
          << waiter;
    }
  }
}

TEST(CaseTables, SmallArraysAndBothDirectionsHaveTheirKeyCases) {
  std::set<std::string> names = names_of(small_arrays_family(), Profile::full);
  names.merge(names_of(both_directions_family(), Profile::full));
  const auto has = [&names](const std::string& name) { return names.contains(name); };
  EXPECT_TRUE(
      has("small_arrays/way:loop/dir:h2d/mem:pinned/metric:completion/bytes:16384/count:4096"));
  EXPECT_TRUE(
      has("small_arrays/way:batch/dir:d2h/mem:pageable/metric:completion/bytes:262144/count:256"));
  EXPECT_TRUE(
      has("small_arrays/way:mapped_gather/dir:d2h/mem:pinned_mapped/metric:completion/bytes:64/"
          "count:4096"));
  EXPECT_TRUE(has("small_arrays/way:pack/dir:h2d/mem:pinned/metric:blocked/bytes:1024/count:4096"));
  EXPECT_TRUE(
      has("both_directions/pair:both/gpus:1/mem:pageable/threads:2/metric:completion/"
          "bytes:268435456"));
  EXPECT_TRUE(
      has("both_directions/pair:h2d_alone/gpus:2/mem:pinned/threads:1/metric:completion/"
          "bytes:67108864"));
  const std::set<std::string> quick = all_names(Profile::quick);
  EXPECT_TRUE(quick.contains(
      "small_arrays/way:batch/dir:h2d/mem:pinned/metric:completion/bytes:1024/count:256"));
  EXPECT_TRUE(quick.contains(
      "both_directions/pair:both/gpus:1/mem:pinned/threads:1/metric:completion/bytes:67108864"));
}

TEST(CaseTables, SmallArraysTakeHalfAGibibyteAtMost) {
  for (const AxisValues& values : cases_of(small_arrays_family(), Profile::full)) {
    EXPECT_LE(values.number("bytes") * values.number("count"), std::size_t{512} << 20U)
        << values.name();
  }
}

AxisValues arrays(const std::string& way, const std::string& mem, const std::string& bytes,
                  const std::string& count) {
  return {"small_arrays",
          {{"way", way},
           {"dir", "h2d"},
           {"mem", mem},
           {"metric", "completion"},
           {"bytes", bytes},
           {"count", count}}};
}

TEST(CaseTables, SmallArraysNeedMemoryForTheGapsAndForPacking) {
  EXPECT_EQ(small_arrays_family().memory_needs(arrays("loop", "pinned", "64", "16")),
            (MemoryNeeds{{MemoryKind::pinned, 4096}, {MemoryKind::device, 4096}}));
  EXPECT_EQ(
      small_arrays_family().memory_needs(arrays("pack", "pageable", "256", "2")),
      (MemoryNeeds{
          {MemoryKind::pageable, 1024}, {MemoryKind::device, 1024}, {MemoryKind::pinned, 1024}}));
}

TEST(CaseTables, SmallArraysOfNothingAndTooManyAreRefused) {
  const auto refused = [](const char* bytes, const char* count) {
    return small_arrays_family().refuse(arrays("loop", "pinned", bytes, count)).value_or("");
  };
  EXPECT_EQ(refused("1", "1048576"), "");
  EXPECT_TRUE(refused("0", "1").starts_with("bytes: "));
  EXPECT_TRUE(refused("1", "1048577").starts_with("count: "));
}

TEST(CaseTables, ABatchOfSmallArraysLacksADriverThatHasIt) {
  const auto lacks = [](const char* way, int driver_version) {
    Device device{};
    device.driver_version = driver_version;
    return small_arrays_family().lacks(arrays(way, "pinned", "64", "16"), device).has_value();
  };
  EXPECT_TRUE(lacks("batch", 12040));
  EXPECT_EQ(lacks("batch", 13000), CUDART_VERSION < 12080);
  EXPECT_FALSE(lacks("loop", 12040));
}

AxisValues directions(const std::string& pair, const std::string& gpus, const std::string& threads,
                      const std::string& bytes = "4096") {
  return {"both_directions",
          {{"pair", pair},
           {"gpus", gpus},
           {"mem", "pinned"},
           {"threads", threads},
           {"metric", "completion"},
           {"bytes", bytes}}};
}

TEST(CaseTables, BothDirectionsRefuseWhatHasNoMeaning) {
  const auto refused = [](const AxisValues& values) {
    return both_directions_family().refuse(values).value_or("");
  };
  for (const AxisValues& good : {directions("both", "1", "2"), directions("h2d_alone", "2", "2"),
                                 directions("d2h_alone", "1", "1")}) {
    EXPECT_EQ(refused(good), "") << good.name();
  }
  EXPECT_TRUE(refused(directions("both", "1", "3")).starts_with("threads: "));
  EXPECT_TRUE(refused(directions("h2d_alone", "1", "2")).starts_with("threads: "));
  EXPECT_TRUE(refused(directions("both", "2", "1")).starts_with("gpus: "));
  EXPECT_TRUE(refused(directions("h2d_alone", "3", "1")).starts_with("gpus: "));
  EXPECT_TRUE(refused(directions("both", "1", "1", "0")).starts_with("bytes: "));
}

TEST(CaseTables, CopiesToTwoDevicesNeedTwoAndAProcessOfTheirOwn) {
  const Family family = both_directions_family();
  Device device{};
  EXPECT_EQ(family.lacks(directions("h2d_alone", "2", "1"), device), "needs a second GPU");
  EXPECT_FALSE(family.lacks(directions("h2d_alone", "1", "1"), device));
  device.count = 2;
  EXPECT_FALSE(family.lacks(directions("h2d_alone", "2", "1"), device));
  EXPECT_TRUE(family.process(directions("h2d_alone", "2", "1")).wants_own_process());
  EXPECT_FALSE(family.process(directions("h2d_alone", "1", "1")).wants_own_process());
}

TEST(CaseTables, EveryOperationHasASoloBaseline) {
  const std::set<std::string> names = all_names(Profile::full);
  for (const std::string_view op : operation_names) {
    for (const std::string& beside : vocabulary.at("beside")) {
      const AxisValues values("beside", {{"op", std::string(op)}, {"beside", beside}});
      EXPECT_TRUE(names.contains(values.name())) << values.name();
    }
  }
}

TEST(CaseTables, NoLifetimeOfNothing) {
  const auto values = [](const char* bytes) {
    return AxisValues("lifetime", {{"hazard", "overwrite_source"},
                                   {"api", "memcpy_async"},
                                   {"mem", "pinned"},
                                   {"bytes", bytes}});
  };
  EXPECT_TRUE(lifetime_family().refuse(values("0")));
  EXPECT_FALSE(lifetime_family().refuse(values("1")));
}

TEST(CaseTables, ThreadsThatTheMachineHasNoProcessorsForAreLeftOut) {
  const auto lacks = [](const char* threads, const char* poller) {
    const AxisValues values("enqueue_threads",
                            {{"threads", threads}, {"api", "memcpy_async"}, {"poller", poller}});
    return enqueue_threads_family().lacks(values, Device{0, 0});
  };
  EXPECT_FALSE(lacks("1", "none"));
  // The poller has one of its own, the thread that opens the gate has not.
  EXPECT_EQ(lacks("100000", "none"), "needs 100000 processors");
  EXPECT_EQ(lacks("100000", "event_query"), "needs 100001 processors");
}

TEST(CaseTables, TheCostsOfPinningHaveTheirKeyCases) {
  const std::set<std::string> full = all_names(Profile::full);
  for (const char* const name :
       {"pinning/api:host_alloc/mem:pinned/touch_threads:0/bytes:800000000",
        "pinning/api:host_register/mem:pageable/touch_threads:0/bytes:4096",
        "pinning/api:host_register/mem:pageable_thp/touch_threads:16/bytes:800000000",
        "pin_break_even/dir:d2h/way:host_alloc_in_place/bytes:268435456"}) {
    EXPECT_TRUE(full.contains(name)) << name;
  }
  const std::set<std::string> quick = all_names(Profile::quick);
  for (const char* const name :
       {"pinning/api:host_alloc/mem:pinned/touch_threads:0/bytes:16777216",
        "pinning/api:host_register/mem:pageable/touch_threads:1/bytes:16777216",
        "pin_break_even/dir:h2d/way:register/bytes:1048576",
        "pin_break_even/dir:h2d/way:register/bytes:16777216"}) {
    EXPECT_TRUE(quick.contains(name)) << name;
  }
}

AxisValues pinned_by(const char* api, const char* touch_threads, const char* bytes) {
  return {"pinning",
          {{"api", api}, {"mem", "pageable"}, {"touch_threads", touch_threads}, {"bytes", bytes}}};
}

TEST(CaseTables, ThreadsThatTouchNeedProcessors) {
  const auto lacks = [](const char* threads) {
    return pinning_family().lacks(pinned_by("host_register", threads, "4096"), Device{0, 0});
  };
  EXPECT_FALSE(lacks("0"));
  EXPECT_FALSE(lacks("1"));
  EXPECT_EQ(lacks("1000"), "needs 1000 processors");
}

TEST(CaseTables, WhatCannotBePinnedIsRefused) {
  const auto refused = [](const char* api, const char* threads, const char* bytes) {
    return pinning_family().refuse(pinned_by(api, threads, bytes)).value_or("");
  };
  EXPECT_EQ(refused("host_register", "1024", "1"), "");
  EXPECT_TRUE(refused("host_register", "1025", "1").starts_with("touch_threads: "));
  EXPECT_TRUE(refused("host_register", "0", "0").starts_with("bytes: "));
  EXPECT_EQ(refused("host_alloc", "0", "1"), "");
  EXPECT_TRUE(refused("host_alloc", "1", "1").starts_with("touch_threads: "));
  EXPECT_TRUE(pin_break_even_family().refuse({"pin_break_even", {{"bytes", "0"}}}));
  EXPECT_FALSE(pin_break_even_family().refuse({"pin_break_even", {{"bytes", "1"}}}));
}

TEST(CaseTables, HostBlockingCoversEveryMemoryKindOfTheQuestion) {
  const std::set<std::string> names = all_names(Profile::full);
  for (const char* const dir : {"h2d", "d2h"}) {
    for (const char* const mem : {"pageable", "pinned", "registered", "managed"}) {
      for (const char* const queue : {"idle", "busy"}) {
        for (const char* const bytes : {"4", "268435456"}) {
          const AxisValues values("host_blocking", {{"api", "memcpy_async"},
                                                    {"dir", dir},
                                                    {"mem", mem},
                                                    {"stream", "nonblocking"},
                                                    {"queue", queue},
                                                    {"bytes", bytes}});
          EXPECT_TRUE(names.contains(values.name())) << values.name();
        }
      }
    }
  }
}

AxisValues copy_by(const std::string& api, const std::string& bytes) {
  return {"host_blocking",
          {{"api", api},
           {"dir", "h2d"},
           {"mem", "pinned"},
           {"stream", "nonblocking"},
           {"queue", "idle"},
           {"bytes", bytes}}};
}

TEST(CaseTables, CopiesWithGapsNeedMemoryForThem) {
  EXPECT_EQ(host_blocking_family().memory_needs(copy_by("memcpy_2d_async", "4096")),
            (MemoryNeeds{{MemoryKind::pinned, 8192}, {MemoryKind::device, 8192}}));
  EXPECT_EQ(host_blocking_family().memory_needs(copy_by("graph_launch", "4096")),
            (MemoryNeeds{{MemoryKind::pinned, 4096}, {MemoryKind::device, 4096}}));
}

TEST(CaseTables, BytesThatACallHasNoRoomForAreRefused) {
  const auto refused = [](const std::string& api, const std::string& bytes) {
    return host_blocking_family().refuse(copy_by(api, bytes)).value_or("");
  };
  EXPECT_EQ(refused("memcpy_to_symbol_async", "65536"), "");
  EXPECT_TRUE(refused("memcpy_to_symbol_async", "65537").starts_with("bytes: "));
  EXPECT_EQ(refused("memcpy_async", "0"), "");
  EXPECT_TRUE(refused("memcpy_2d_async", "0").starts_with("bytes: "));
  EXPECT_TRUE(memory_call_family().refuse({"memory_call", {{"bytes", "0"}}}));
  EXPECT_FALSE(memory_call_family().refuse({"memory_call", {{"bytes", "1"}}}));
}

TEST(CaseTables, BatchCopiesLackADriverThatHasThem) {
  const auto lacks = [](const std::string& api, int driver_version) {
    Device device{};
    device.driver_version = driver_version;
    return host_blocking_family().lacks(copy_by(api, "4096"), device).has_value();
  };
  EXPECT_TRUE(lacks("memcpy_batch_any", 12040));
  EXPECT_EQ(lacks("memcpy_batch_any", 13000), CUDART_VERSION < 12080);
  EXPECT_FALSE(lacks("memcpy_async", 12040));
}

TEST(CaseTables, ManagedMemoryLacksADeviceThatSharesIt) {
  const AxisValues prefetch("memory_call", {{"api", "prefetch_async"},
                                            {"mem", "managed"},
                                            {"stream", "nonblocking"},
                                            {"queue", "busy"},
                                            {"bytes", "4096"}});
  const AxisValues overwrite("lifetime", {{"hazard", "overwrite_source"},
                                          {"api", "memcpy_async"},
                                          {"mem", "managed"},
                                          {"bytes", "4096"}});
  Device device{};
  EXPECT_TRUE(memory_call_family().lacks(prefetch, device));
  EXPECT_TRUE(lifetime_family().lacks(overwrite, device));
  device.concurrent_managed_access = true;
  EXPECT_FALSE(memory_call_family().lacks(prefetch, device));
  EXPECT_FALSE(lifetime_family().lacks(overwrite, device));
}

TEST(CaseTables, MemoryNeedsAreThoseOfTheCase) {
  const AxisValues copied("host_blocking", {{"api", "memcpy_async"},
                                            {"dir", "d2h"},
                                            {"mem", "registered"},
                                            {"stream", "nonblocking"},
                                            {"queue", "idle"},
                                            {"bytes", "4194304"}});
  EXPECT_EQ(host_blocking_family().memory_needs(copied),
            (MemoryNeeds{{MemoryKind::device, 4194304}, {MemoryKind::registered, 4194304}}));

  const AxisValues scaled("scenario_copy_scale_copy",
                          {{"mem", "pinned"}, {"metric", "total"}, {"elements", "1000"}});
  EXPECT_EQ(scenario_copy_scale_copy_family().memory_needs(scaled),
            (MemoryNeeds{{MemoryKind::pinned, 4000}, {MemoryKind::device, 4000}}));
}

AxisValues with_elements(const std::string& family, const std::string& elements) {
  return {family, {{"elements", elements}}};
}

// The axis belongs to three families, so the user can put on it what only one of them has room for.
TEST(CaseTables, ElementsThatAFamilyHasNoRoomForAreRefused) {
  EXPECT_FALSE(dependent_copy_family().refuse(with_elements("dependent_copy", "4194304")));
  EXPECT_TRUE(dependent_copy_family().refuse(with_elements("dependent_copy", "4194305")));
  // The question's program uses sizes up to 7 and looks at 16 elements.
  EXPECT_FALSE(scenario_ping_pong_family().refuse(with_elements("scenario_ping_pong", "16")));
  EXPECT_TRUE(scenario_ping_pong_family().refuse(with_elements("scenario_ping_pong", "15")));
  EXPECT_TRUE(scenario_ping_pong_family().refuse(with_elements("scenario_ping_pong", "0")));
  EXPECT_FALSE(scenario_copy_scale_copy_family().refuse(with_elements("copy", "1")));
  EXPECT_TRUE(scenario_copy_scale_copy_family().refuse(with_elements("copy", "0")));
}

TEST(CaseTables, NumbersOfChainsAndLinksThatMakeNoSenseAreRefused) {
  const auto refuses = [](const char* chains, const char* links, const char* elements) {
    return dependent_copy_load_family()
        .refuse(
            {"dependent_copy_load", {{"chains", chains}, {"links", links}, {"elements", elements}}})
        .has_value();
  };
  EXPECT_FALSE(refuses("1", "1", "0"));
  EXPECT_FALSE(refuses("64", "16", "1048576"));
  EXPECT_TRUE(refuses("0", "1", "16"));
  EXPECT_TRUE(refuses("65", "1", "16"));
  EXPECT_TRUE(refuses("1", "0", "16"));
  EXPECT_TRUE(refuses("1", "17", "16"));
  EXPECT_TRUE(refuses("1", "1", "1048577"));
}

TEST(CaseTables, OnlyAFlagOfTheDeviceWantsAProcessOfItsOwn) {
  const Family family = wake_up_family();
  for (const AxisValues& values : cases_of(family, Profile::full)) {
    const ProcessSettings settings = family.process(values);
    EXPECT_EQ(settings.wants_own_process(), values.at("device") != "auto") << values.name();
    EXPECT_TRUE(settings.environment.empty()) << values.name();
  }
  for (const AxisValues& values : cases_of(family, Profile::quick)) {
    EXPECT_FALSE(family.process(values).wants_own_process()) << values.name();
  }
}

TEST(CaseTables, CopiesToAnotherDeviceWantAProcessOfTheirOwn) {
  const Family family = host_blocking_family();
  std::size_t with_own_process = 0;
  for (const AxisValues& values : cases_of(family, Profile::full)) {
    const bool wants_one = family.process(values).wants_own_process();
    EXPECT_EQ(wants_one, values.at("dir") == "p2p") << values.name();
    with_own_process += wants_one ? 1U : 0U;
  }
  EXPECT_GT(with_own_process, 0U);
}

TEST(CaseTables, BothFlagsOfAnEventAndOfTheDeviceMeet) {
  const std::set<std::string> names = names_of(wake_up_family(), Profile::full);
  for (const char* const event : {"spin", "block"}) {
    for (const char* const device : {"auto", "spin", "block"}) {
      const AxisValues values(
          "wake_up",
          {{"call", "event_sync"}, {"event", event}, {"device", device}, {"wait_us", "1000"}});
      EXPECT_TRUE(names.contains(values.name())) << values.name();
    }
  }
}

TEST(CaseTables, LazyLoadingAlwaysSaysHowKernelsAreLoaded) {
  const Family family = lazy_loading_family();
  for (const AxisValues& values : cases_of(family, Profile::full)) {
    const std::string mode = family.process(values).environment.at("CUDA_MODULE_LOADING");
    EXPECT_EQ(mode, values.at("loading") == "lazy" ? "LAZY" : "EAGER") << values.name();
  }
}

TEST(CaseTables, AWordThatIsNotInTheVocabularyIsRefused) {
  const AxisValues unknown("host_blocking", {{"api", "memcpy_async"},
                                             {"dir", "sideways"},
                                             {"mem", "pinned"},
                                             {"stream", "nonblocking"},
                                             {"queue", "idle"},
                                             {"bytes", "4"}});
  EXPECT_THROW((void)host_blocking_family().memory_needs(unknown), std::out_of_range);
}

}  // namespace
}  // namespace copybench
