# Builds what runs on the Milkymist One board, in a build folder of its own:
#   cmake -DSOURCE=... -DBUILD=... -DGENERATOR=... -DVERSION=... -P board.cmake
execute_process(COMMAND ${SOURCE}/tools/lm32 --where OUTPUT_VARIABLE tools RESULT_VARIABLE missing
                ERROR_VARIABLE reason OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
if(missing)
    message(FATAL_ERROR "${reason}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/board/firmware -B ${BUILD}
                        -DCMAKE_TOOLCHAIN_FILE=${SOURCE}/tools/lm32.cmake -DFROTH_LM32=${tools}
                        -DFROTH_VERSION=${VERSION} -DCMAKE_BUILD_TYPE=Release
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
