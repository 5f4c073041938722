# Emscripten's own toolchain file, wherever Emscripten is: HEADWISE_EMSCRIPTEN, the folder of the emcc on PATH, or Debian's.
# (Not emcmake: that of 3.1.6 runs tests with a Node flag that Node 20 refuses.)
foreach(root "$ENV{HEADWISE_EMSCRIPTEN}" "$ENV{EMSDK}/upstream/emscripten" /usr/share/emscripten)
  if(EXISTS "${root}/cmake/Modules/Platform/Emscripten.cmake")
    set(headwise_emscripten "${root}")
    break()
  endif()
endforeach()
if(NOT headwise_emscripten)
  message(FATAL_ERROR "Emscripten not found. Install Debian's package `emscripten`, or set HEADWISE_EMSCRIPTEN to the folder that holds emcc and cmake/.")
endif()

# Eigen is header-only and lives with the native packages, outside Emscripten's own root.
list(APPEND CMAKE_FIND_ROOT_PATH /usr)
include("${headwise_emscripten}/cmake/Modules/Platform/Emscripten.cmake")
