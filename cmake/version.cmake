# version.cmake - writes version.h anew when the version or the commit has changed.
# The commit is that of the source folder itself, not of a repository it happens to lie in.
cmake_path(GET source PARENT_PATH above)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${above} git --no-optional-locks describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${source} OUTPUT_VARIABLE commit RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT status EQUAL 0 OR commit STREQUAL "")
  set(commit unknown)
endif()
set(text "/* version.h - the version and the commit this was built from. */
#pragma once
#define DOVETAIL_VERSION \"${version}\"
#define DOVETAIL_COMMIT \"${commit}\"
")
set(old "")
if(EXISTS ${header})
  file(READ ${header} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${header} "${text}")
endif()
