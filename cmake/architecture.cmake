# architecture.cmake - finds DOVETAIL_ARCH: the widest vector instructions that both the compiler and this machine know.
include(CheckCCompilerFlag)
include(CheckCSourceRuns)

# Whether programs for x86-64-LEVEL can be compiled and run, that is, whether the machine has these FEATURES.
function(find_level level variable)
  set(supported "")
  foreach(feature ${ARGN})
    string(APPEND supported " && __builtin_cpu_supports(\"${feature}\")")
  endforeach()
  check_c_compiler_flag(-march=x86-64-${level} DOVETAIL_COMPILER_KNOWS_${level})
  check_c_source_runs("int main(void) {
    __builtin_cpu_init();
    return !(1${supported});
  }" DOVETAIL_MACHINE_KNOWS_${level})
  if(DOVETAIL_COMPILER_KNOWS_${level} AND DOVETAIL_MACHINE_KNOWS_${level})
    set(${variable} x86-64-${level} PARENT_SCOPE)
  endif()
endfunction()

set(found "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT DEFINED DOVETAIL_ARCH)
  find_level(v3 found avx2 fma bmi2)
  find_level(v4 found avx2 fma bmi2 avx512f avx512bw avx512cd avx512dq avx512vl)
endif()
set(DOVETAIL_ARCH "${found}" CACHE STRING "Processor of release builds, as for -march; empty for a portable program")
