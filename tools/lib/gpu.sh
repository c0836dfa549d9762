# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Whether there is a GPU, and what it is called.

has_gpu() {
  if has_command nvidia-smi; then
    nvidia-smi -L 2>/dev/null | grep -q '^GPU '
  else
    [[ -e /dev/nvidia0 ]]
  fi
}

# Prints why has_gpu says no.
why_no_gpu() {
  if has_command nvidia-smi; then
    echo "nvidia-smi lists no GPU"
  else
    echo "there is no GPU here"
  fi
}

# Prints the name of the GPU that CUDA's device 0 is, or nothing.
gpu_name() {
  local first=${CUDA_VISIBLE_DEVICES:-0} file
  first=${first%%,*}
  if has_command nvidia-smi; then
    nvidia-smi -i "${first}" --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1
    return 0
  fi
  for file in /proc/driver/nvidia/gpus/*/information; do
    [[ -r "${file}" ]] && sed -n 's/^Model:[[:space:]]*//p' "${file}" && return 0
  done
  return 0
}

# Prints a name fit for a folder: "NVIDIA H200" becomes nvidia-h200.
slug() {
  local text=${1,,}
  text=${text//[^a-z0-9]/-}
  text=$(tr -s - <<<"${text}")
  text=${text#-}
  echo "${text%-}"
}
