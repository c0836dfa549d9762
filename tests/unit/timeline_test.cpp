// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/timeline.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/timeline/decimal.hpp"
#include "common/timeline/kernel_name.hpp"
#include "common/timeline/svg_element.hpp"
#include "common/timeline/svg_layout.hpp"
#include "common/timeline/timeline_svg.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""us;

constexpr std::uint64_t caller = 100;

Activity call(const std::string& name, Nanoseconds begin, Nanoseconds end,
              std::uint64_t correlation = 0, std::uint64_t thread = caller) {
  return {ActivityKind::call, name, thread, begin, end, correlation, 0};
}

Activity kernel(Nanoseconds begin, Nanoseconds end, std::uint64_t correlation,
                std::uint64_t stream = 7) {
  return {ActivityKind::kernel, "grow", stream, begin, end, correlation, 0};
}

Timeline timeline_of(std::vector<Activity> activities) {
  return make_timeline("case", false, {std::move(activities), 1000us, 2000us, caller});
}

std::vector<std::string> lane_names(const Timeline& timeline) {
  std::vector<std::string> names;
  for (const Lane& lane : timeline.lanes) {
    names.push_back(lane.name);
  }
  return names;
}

TEST(Timeline, WithoutActivitiesHasTheCallingThread) {
  const Timeline timeline = timeline_of({});
  EXPECT_EQ(lane_names(timeline), std::vector<std::string>{"calling thread"});
  EXPECT_EQ(timeline.span, 1000us);
  EXPECT_TRUE(timeline.lanes[0].activities.empty());
}

TEST(Timeline, LeavesOutWhatDoesNotReachIntoTheSampleAndCutsWhatDoes) {
  const Timeline timeline =
      timeline_of({call("before", 0us, 1000us), call("into", 900us, 1100us),
                   call("over", 1900us, 2500us), call("after", 2000us, 2100us)});
  ASSERT_EQ(timeline.lanes.size(), 1U);
  const std::vector<Activity>& kept = timeline.lanes[0].activities;
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].name, "into");
  EXPECT_EQ(kept[0].begin, 0us);
  EXPECT_EQ(kept[0].end, 100us);
  EXPECT_EQ(kept[1].begin, 900us);
  EXPECT_EQ(kept[1].end, 1000us);
}

TEST(Timeline, LanesAreTheCallerThenWorkersThenStreams) {
  // A thread and a stream with one number are two lanes.
  const Timeline timeline =
      timeline_of({kernel(1001us, 1002us, 0, caller),
                   call("a", 1003us, 1004us, 0, 9),
                   call("b", 1002us, 1003us, 0, 8),
                   call("c", 1500us, 1501us),
                   {ActivityKind::copy, "copy", 3, 1000us, 1001us, 0, 4},
                   {ActivityKind::host_function, "host function", 3, 1001us, 1002us, 0, 0}});
  EXPECT_EQ(lane_names(timeline),
            (std::vector<std::string>{"calling thread", "worker thread 1", "worker thread 2",
                                      "stream 1: copies, host functions", "stream 2: kernels"}));
  EXPECT_EQ(timeline.lanes[1].activities.at(0).name, "b");
}

TEST(Timeline, CallsThatWaitSynchroniseOrLastForATenth) {
  const Timeline timeline = timeline_of({});
  const auto waits = [&](const Activity& activity) { return is_waiting(activity, timeline); };
  EXPECT_TRUE(waits(call("cudaStreamSynchronize", 0us, 1us)));
  EXPECT_TRUE(waits(call("cudaMemcpyAsync", 0us, 100us)));
  EXPECT_FALSE(waits(call("cudaMemcpyAsync", 0us, 99us)));
  EXPECT_FALSE(waits(kernel(0us, 900us, 1)));
}

TEST(Timeline, LaunchesAreInTheOrderOfTheirCalls) {
  const Timeline timeline = timeline_of({kernel(1400us, 1500us, 11), kernel(1300us, 1400us, 12, 8),
                                         call("cudaLaunchKernel", 1001us, 1002us, 11),
                                         call("cudaGraphLaunch", 1000us, 1001us, 12, 9),
                                         call("cudaMemcpyAsync", 1002us, 1003us, 13)});
  EXPECT_EQ(launches(timeline), (std::vector<std::uint64_t>{12, 11}));
}

TEST(TimelineLayout, WhatOverlapsInALaneStandsBelow) {
  const Timeline timeline = timeline_of(
      {kernel(1000us, 1500us, 1), kernel(1200us, 1400us, 2), kernel(1500us, 1600us, 3)});
  const TimelineLayout layout = lay_out(timeline, 100);
  const std::vector<Bar>& bars = layout.lanes.at(1).bars;
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_GE(bars[1].box.y, bars[0].box.y + bars[0].box.height);
  EXPECT_EQ(bars[2].box.y, bars[0].box.y);
  // Half of the sample is half of the room.
  const double room = TimelineLayout::width - TimelineLayout::left - TimelineLayout::right;
  EXPECT_NEAR(bars[0].box.width, room / 2, 1e-6);
  EXPECT_NEAR(bars[0].box.x, TimelineLayout::left, 1e-6);
  EXPECT_GE(layout.lanes[1].box.y, layout.lanes[0].box.y + layout.lanes[0].box.height);
}

TEST(TimelineLayout, PollsThatWouldBeOneSpotAreOneBar) {
  std::vector<Activity> polls;
  for (int i = 0; i < 1000; ++i) {
    polls.push_back(call("cudaEventQuery", 1000us + i * 1us, 1000us + i * 1us + 500ns));
  }
  polls.push_back(call("cudaEventRecord", 2000us - 1ns, 2000us));
  const std::vector<Bar> bars = lay_out(timeline_of(polls), 0).lanes.at(0).bars;
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_EQ(bars[0].hint, "cudaEventQuery: 1000 of them");
}

TEST(TimelineLayout, NumbersOfLaunchesDoNotStandOnEachOther) {
  const Timeline timeline = timeline_of({call("cudaLaunchKernel", 1000us, 1001us, 1),
                                         call("cudaLaunchKernel", 1001us, 1002us, 2),
                                         kernel(1100us, 1200us, 1), kernel(1200us, 1300us, 2)});
  const TimelineLayout layout = lay_out(timeline, 0);
  const std::vector<LaunchMark>& marks = layout.lanes.at(0).marks;
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_LT(marks[1].x - marks[0].x, 2);
  EXPECT_GT(marks[1].text_x - marks[0].text_x, 10);
  EXPECT_EQ(layout.lanes.at(1).bars.at(1).label, "2 grow");
}

TEST(TimelineLayout, VeryManyLaunchesHaveNoNumbers) {
  std::vector<Activity> many;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    many.push_back(call("cudaLaunchKernel", 1000us + i * 1us, 1000us + i * 1us + 500ns, i));
    many.push_back(kernel(1200us + i * 1us, 1201us + i * 1us, i));
  }
  const TimelineLayout layout = lay_out(timeline_of(many), 0);
  EXPECT_TRUE(layout.lanes.at(0).marks.empty());
  EXPECT_EQ(layout.lanes.at(0).bars.size(), 1U);
  EXPECT_EQ(layout.lanes.at(1).bars.size(), 1U);
}

TEST(TimelineLayout, TicksAreRoundAndFew) {
  for (const Nanoseconds span : {1ns, 999ns, 1000ns, 12345ns, 6134us + 0ns, 123456us + 0ns}) {
    const TimelineLayout layout = lay_out(make_timeline("case", false, {{}, 0ns, span, caller}), 0);
    EXPECT_GE(layout.ticks.size(), 2U) << span.count();
    EXPECT_LE(layout.ticks.size(), 11U) << span.count();
    EXPECT_EQ(layout.ticks[0], 0) << span.count();
  }
}

TEST(TimelineLayout, AShortenedLabelIsStillText) {
  std::vector<Activity> one{kernel(1000us, 1100us, 1)};
  one[0].name = "ääääääääääääääääääääääääääää";
  const std::string label = lay_out(timeline_of(one), 0).lanes.at(1).bars.at(0).label;
  EXPECT_TRUE(label.ends_with("…"));
  // Letters of two bytes each, and what says that there were more, of three.
  EXPECT_EQ((label.size() - 3) % 2, 0U);
}

TEST(TimelineSvg, SaysWhenKernelsWereLaunchedAndHowLongTheCallerWaited) {
  const std::string picture = timeline_svg(
      timeline_of({call("cudaLaunchKernel", 1000us, 1002us, 1), kernel(1010us, 1500us, 1),
                   call("cudaStreamSynchronize", 1002us, 1502us, 2),
                   call("cudaLaunchKernel", 1503us, 1505us, 3), kernel(1510us, 1900us, 3)}));
  EXPECT_NE(picture.find("3 calls; those that wait take 500 µs"), std::string::npos);
  EXPECT_NE(picture.find("Kernels launched at: 1) 0.0, 2) 503 µs"), std::string::npos);
}

TEST(SvgElement, EscapesWhatMeansSomething) {
  EXPECT_EQ(xml_text("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c'");
  EXPECT_EQ(svg_text(1, 2, "<", "x\"y"),
            "<text class=\"x&quot;y\" text-anchor=\"start\" x=\"1.00\" y=\"2.00\">&lt;</text>\n");
}

TEST(Decimal, NumbersForPeopleAndForPrograms) {
  EXPECT_EQ(decimal(0.125, 2), "0.12");
  EXPECT_EQ(decimal_microseconds(1234567ns, 3), "1234.567");
  EXPECT_EQ(readable_microseconds(12345ns), "12.3");
  EXPECT_EQ(readable_microseconds(999999ns), "1,000");
  EXPECT_EQ(readable_microseconds(123us + 0ns), "123");
  EXPECT_EQ(readable_microseconds(1234567us + 0ns), "1,234,567");
  EXPECT_EQ(readable_microseconds(Nanoseconds{0}), "0.0");
}

TEST(KernelName, IsTheFunctionsOwn) {
  EXPECT_EQ(short_kernel_name("_ZN9copybench12_GLOBAL__N_14growEPdmiiPim"), "grow");
  EXPECT_EQ(short_kernel_name("_Z4growPd"), "grow");
  EXPECT_EQ(short_kernel_name("_ZN9copybench4coldILi3EEEvv"), "cold");
  EXPECT_EQ(short_kernel_name("grow"), "grow");
  EXPECT_EQ(short_kernel_name(nullptr), "kernel");
}

}  // namespace
}  // namespace copybench
