# Toolchain of the Milkymist One board: cmake -DCMAKE_TOOLCHAIN_FILE=tools/lm32.cmake
# -DFROTH_LM32=$(tools/lm32)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR lm32)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FROTH_LM32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_COMPILER ${FROTH_LM32}/lm32-elf-gcc)
set(CMAKE_ASM_COMPILER ${FROTH_LM32}/lm32-elf-gcc)
set(CMAKE_OBJCOPY ${FROTH_LM32}/lm32-elf-objcopy)
# Also for linking: they choose what libgcc is asked for.
set(lm32_cpu "-mmultiply-enabled -mbarrel-shift-enabled -mdivide-enabled -msign-extend-enabled")
set(CMAKE_C_FLAGS_INIT "${lm32_cpu}")
set(CMAKE_ASM_FLAGS_INIT "${lm32_cpu}")
