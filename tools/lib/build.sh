# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Configure and build through the presets, having made sure of what they need. The tool has called choose_cuda.

# ensure_build_packages [PACKAGE...]: these, and what every build needs, the headers of CUDA among it.
ensure_build_packages() {
  local missing=("$@") version
  has_cxx || missing+=(g++)
  has_command cmake || missing+=(cmake)
  has_command ninja || missing+=(ninja-build)
  has_cmake_package benchmark || missing+=(libbenchmark-dev)
  if needs_header_package && ! find_python >/dev/null && [[ " ${missing[*]} " != *" python3 "* ]]; then
    missing+=(python3 python3-venv)
  fi
  require_packages "${missing[@]}"

  version=$(cmake --version 2>/dev/null | sed -n '1s/[^0-9]*//p') || give_up "$(command -v cmake) --version fails"
  at_least "${version:-0}" 3.25 || give_up "cmake is ${version:-of no known version}; 3.25 or newer is needed"
  provide_cuda_headers
}

# Presets are looked for in the current folder, hence the subshell.
configure() {
  local preset=$1 tests=$2
  (cd "${root:?}" && cmake --preset "${preset}" -DCOPYBENCH_BUILD_TESTS="${tests}" "${cuda_arguments[@]:?}" \
    --log-level=NOTICE) >&2
}

# build PRESET TESTS [TARGET...]: TESTS is ON or OFF. Ends the tool with status 2 when the build fails.
build() {
  local preset=$1 tests=$2 targets=("${@:3}")
  ((${#targets[@]} == 0)) || targets=(--target "${targets[@]}")
  say "building with: cmake --preset ${preset} ${cuda_arguments[*]};" \
    "cmake --build --preset ${preset}${targets[*]:+ ${targets[*]}}"
  configure "${preset}" "${tests}" || give_up "configuring failed; see the messages above"
  (cd "${root}" && cmake --build --preset "${preset}" "${targets[@]}") >&2 ||
    give_up "the build failed; see the messages above"
}
