# How every room (folder under src/), its tests, its fuzz targets and its benchmarks are built.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG -fomit-frame-pointer")
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
else()
  set(CMAKE_CXX_FLAGS_DEBUG "-O0")  # it must build; nobody runs it
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # A precompiled header is cached only when its time stamps do not count.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()
find_program(MOLD mold)

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

add_library(periplus_options INTERFACE)
target_compile_options(periplus_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  -Werror $<$<CONFIG:Debug>:-fno-omit-frame-pointer>)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(periplus_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
else()
  # g++ 12 reports false positives of these in inlined library code.
  target_compile_options(periplus_options INTERFACE -fpch-preprocess -Wno-maybe-uninitialized
    -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-dangling-pointer)
endif()
if(PERIPLUS_SANITIZE)
  target_compile_options(periplus_options INTERFACE -fsanitize=${PERIPLUS_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(periplus_options INTERFACE -fsanitize=${PERIPLUS_SANITIZE})
endif()
if(PERIPLUS_FUZZ)
  target_compile_options(periplus_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(periplus_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(MOLD)
  target_link_options(periplus_options INTERFACE -fuse-ld=mold)
endif()
# The crawl costs about 3 % less CPU when the rooms are optimised together. It takes clang's plugin for
# the linker (llvm-19-linker-tools); without it the build is the same but for that.
if(MOLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-flto=thin")
  set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=mold)
  check_cxx_source_compiles("int main() { return 0; }" PERIPLUS_THIN_LTO)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(PERIPLUS_THIN_LTO)
    target_compile_options(periplus_options INTERFACE -flto=thin)
    target_link_options(periplus_options INTERFACE -flto=thin -O3)
  endif()
endif()
target_compile_definitions(periplus_options INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
  # Boost 1.81 does not know that clang has standard coroutines with libstdc++.
  BOOST_ASIO_HAS_CO_AWAIT=1 BOOST_ASIO_HAS_STD_COROUTINE=1)
target_include_directories(periplus_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(periplus_options INTERFACE Threads::Threads)

# One precompiled header of the standard library for all of src/ (not Asio: its image is too large).
file(WRITE ${CMAKE_BINARY_DIR}/empty.cpp "")
add_library(periplus_pch OBJECT ${CMAKE_BINARY_DIR}/empty.cpp)
target_link_libraries(periplus_pch PUBLIC periplus_options)
target_precompile_headers(periplus_pch PRIVATE
  <algorithm> <array> <chrono> <cstdint> <cstring> <expected> <functional> <map> <memory> <optional>
  <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

# periplus_room(NAME name [DEPS room…] [PKGS pkg-config-module…] [LIBS library…])
# A static library of every .cpp in the current folder (and its sub-folders).
function(periplus_room)
  cmake_parse_arguments(R "" "NAME" "DEPS;PKGS;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(library periplus_${R_NAME})
  if(NOT sources)
    add_library(${library} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(${library} STATIC ${sources})
    set(scope PUBLIC)
    target_precompile_headers(${library} REUSE_FROM periplus_pch)
  endif()
  target_link_libraries(${library} ${scope} periplus_options ${R_LIBS})
  foreach(dep ${R_DEPS})
    target_link_libraries(${library} ${scope} periplus_${dep})
  endforeach()
  foreach(pkg ${R_PKGS})
    string(MAKE_C_IDENTIFIER "pkg_${pkg}" id)
    pkg_check_modules(${id} REQUIRED IMPORTED_TARGET GLOBAL ${pkg})
    target_link_libraries(${library} ${scope} PkgConfig::${id})
  endforeach()
endfunction()

# periplus_test(room [extra rooms…]): one GoogleTest program of every *_test.cpp in the current folder.
function(periplus_test ROOM)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${ROOM}_test ${sources})
  target_include_directories(${ROOM}_test PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${ROOM}_test PRIVATE periplus_${ROOM} GTest::gmock_main GTest::gtest)
  foreach(extra ${ARGN})
    target_link_libraries(${ROOM}_test PRIVATE periplus_${extra})
  endforeach()
  target_precompile_headers(${ROOM}_test PRIVATE <gtest/gtest.h> <string> <string_view> <vector> <expected>)
  target_compile_definitions(${ROOM}_test PRIVATE PERIPLUS_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${ROOM} COMMAND ${ROOM}_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

# periplus_fuzz(name room…): fuzz/<name>_fuzz.cpp as a libFuzzer program; seeds in fuzz/corpus/<name>/.
function(periplus_fuzz NAME)
  add_executable(${NAME}_fuzz ${NAME}_fuzz.cpp)
  target_link_options(${NAME}_fuzz PRIVATE -fsanitize=fuzzer)
  foreach(room ${ARGN})
    target_link_libraries(${NAME}_fuzz PRIVATE periplus_${room})
  endforeach()
endfunction()
