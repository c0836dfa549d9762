# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)

install(TARGETS copybench_sim RUNTIME)
if(COPYBENCH_HAS_CUDA)
  install(TARGETS copybench RUNTIME)
endif()
# Only the tools that work on results: bench, test and lint need the source tree.
install(
  PROGRAMS tools/compare_py tools/cupti_agreement tools/nvbandwidth_compare tools/peers.py
  DESTINATION "${CMAKE_INSTALL_DATADIR}/copybench/tools"
)
install(FILES tools/requirements-compare.txt DESTINATION "${CMAKE_INSTALL_DATADIR}/copybench/tools")
install(DIRECTORY tools/lib DESTINATION "${CMAKE_INSTALL_DATADIR}/copybench/tools")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
