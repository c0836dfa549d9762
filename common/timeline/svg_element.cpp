// SPDX-License-Identifier: Apache-2.0
#include "common/timeline/svg_element.hpp"

#include "common/timeline/decimal.hpp"

namespace copybench {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml_text(value) + "\"";
}

std::string pixels(std::string_view name, double value) {
  return attribute(name, decimal(value, 2));
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string svg_box(const SvgBox& box, std::string_view style, std::string_view hint) {
  const std::string start = "<rect" + attribute("class", style) + pixels("x", box.x) +
                            pixels("y", box.y) + pixels("width", box.width) +
                            pixels("height", box.height);
  return hint.empty() ? start + "/>\n" : start + "><title>" + xml_text(hint) + "</title></rect>\n";
}

std::string svg_line(double from_x, double from_y, double to_x, double to_y,
                     std::string_view style) {
  return "<line" + attribute("class", style) + pixels("x1", from_x) + pixels("y1", from_y) +
         pixels("x2", to_x) + pixels("y2", to_y) + "/>\n";
}

std::string svg_text(double x, double y, std::string_view text, std::string_view style,
                     std::string_view anchor) {
  return "<text" + attribute("class", style) + attribute("text-anchor", anchor) + pixels("x", x) +
         pixels("y", y) + ">" + xml_text(text) + "</text>\n";
}

}  // namespace copybench
