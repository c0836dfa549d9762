// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace copybench {

/// Is told of the parts of samples that are worth drawing.
class PartObserver {
 public:
  PartObserver() = default;
  virtual ~PartObserver() = default;
  PartObserver(const PartObserver&) = delete;
  PartObserver& operator=(const PartObserver&) = delete;
  PartObserver(PartObserver&&) = delete;
  PartObserver& operator=(PartObserver&&) = delete;

  virtual void begin_part() noexcept = 0;
  virtual void end_part() noexcept = 0;
};

/// Null unless a timeline is wanted, which is set before the first sample and costs the others a
/// comparison.
inline PartObserver* part_observer = nullptr;

/// The scope that a timeline of a sample shows, for samples that begin or end with something that
/// is not what the case is about. Others are drawn whole.
class DrawnPart {
 public:
  DrawnPart() noexcept {
    if (part_observer != nullptr) [[unlikely]] {
      part_observer->begin_part();
    }
  }
  ~DrawnPart() {
    if (part_observer != nullptr) [[unlikely]] {
      part_observer->end_part();
    }
  }
  DrawnPart(const DrawnPart&) = delete;
  DrawnPart& operator=(const DrawnPart&) = delete;
  DrawnPart(DrawnPart&&) = delete;
  DrawnPart& operator=(DrawnPart&&) = delete;
};

}  // namespace copybench
