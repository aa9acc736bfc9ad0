# architecture.cmake - finds DOVETAIL_ARCH: the vector instructions that both the compiler and this machine know.
include(CheckCCompilerFlag)
include(CheckCSourceRuns)
set(found "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT DEFINED DOVETAIL_ARCH)
  check_c_compiler_flag(-march=x86-64-v3 DOVETAIL_COMPILER_KNOWS_V3)
  check_c_source_runs("int main(void) {
    __builtin_cpu_init();
    return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\"));
  }" DOVETAIL_MACHINE_KNOWS_V3)
  if(DOVETAIL_COMPILER_KNOWS_V3 AND DOVETAIL_MACHINE_KNOWS_V3)
    set(found x86-64-v3)
  endif()
endif()
set(DOVETAIL_ARCH "${found}" CACHE STRING "Processor of release builds, as for -march; empty for a portable program")
