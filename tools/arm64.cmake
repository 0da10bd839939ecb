# Toolchain of arm64 on Debian (gcc-aarch64-linux-gnu): cmake -DCMAKE_TOOLCHAIN_FILE=tools/arm64.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
