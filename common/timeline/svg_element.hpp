// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace copybench {

/// `text` with the letters escaped that mean something in XML. Must hold no control characters.
[[nodiscard]] std::string xml_text(std::string_view text);

// Elements of a picture, coordinates in pixels. `style` is the name of a class of the style sheet;
// `hint`, where there is one, is what a browser shows of it under the pointer. Texts are escaped.

struct SvgBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

[[nodiscard]] std::string svg_box(const SvgBox& box, std::string_view style,
                                  std::string_view hint = "");
[[nodiscard]] std::string svg_line(double from_x, double from_y, double to_x, double to_y,
                                   std::string_view style);
/// `anchor` is start, middle or end, and y the base line.
[[nodiscard]] std::string svg_text(double x, double y, std::string_view text,
                                   std::string_view style, std::string_view anchor = "start");

}  // namespace copybench
