# A room is a folder with its CMakeLists.txt:
#   froth_room(SOURCES a.c ...      its C files
#              HEADERS a.h t.def    what other files may include of it, and what it includes itself
#              USES base pfpu/ir    the rooms whose headers its own files include
#              HOSTED file.c        C files that need an operating system: the board's firmware leaves them out
#              LIBRARIES yaml)      outside libraries, which the firmware does without
# makes the static library room_FOLDER. A room sees its own headers and those of the rooms that it uses, and of what
# these use: an include against the arrows does not compile. tools/arrows reads the same lines and is stricter.
# Files whose name ends in _four, _avx2 or _avx512 are compiled for that level of the processor (base/cpu.h).

set(FROTH_FOUR -msse4.1)
set(FROTH_AVX2 -mavx2)
set(FROTH_AVX512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mbmi2 -mprefer-vector-width=512)
# Under sanitizers each of them takes long to compile; what null would tell is seen as an access to address 0.
set(FROTH_LEVEL_SANITIZED $<$<CONFIG:Sanitize>:-fno-sanitize=null>)

function(froth_room)
    cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;USES;HOSTED;LIBRARIES" ${ARGN})
    file(RELATIVE_PATH folder ${FROTH_ROOT} ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" name ${folder})
    set(sources ${ARG_SOURCES})
    if(FROTH_FIRMWARE)
        set(ARG_LIBRARIES)
    else()
        list(APPEND sources ${ARG_HOSTED})
    endif()

    # What is included by "FOLDER/HEADER" is found below a folder that holds links to this room's headers alone.
    set(door ${CMAKE_BINARY_DIR}/arrows/${name})
    file(REMOVE_RECURSE ${door})
    file(MAKE_DIRECTORY ${door}/${folder})
    foreach(header IN LISTS ARG_HEADERS)
        file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${door}/${folder}/${header} SYMBOLIC)
    endforeach()

    if(sources)
        add_library(room_${name} STATIC ${sources})
        set(kind PUBLIC)
        target_link_libraries(room_${name} PRIVATE ${ARG_LIBRARIES})
    else()
        add_library(room_${name} INTERFACE)
        set(kind INTERFACE)
    endif()
    target_include_directories(room_${name} ${kind} ${door})
    foreach(used IN LISTS ARG_USES)
        string(REPLACE "/" "_" used ${used})
        target_link_libraries(room_${name} ${kind} room_${used})
    endforeach()
    set_property(TARGET room_${name} PROPERTY FROTH_HEADERS ${ARG_HEADERS})
    set_property(TARGET room_${name} PROPERTY FROTH_FOLDER ${folder})
    set_property(TARGET room_${name} PROPERTY FROTH_LIBRARIES "${ARG_LIBRARIES}")
    set_property(GLOBAL APPEND PROPERTY FROTH_ROOMS room_${name})

    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
        foreach(source IN LISTS sources)
            if(source MATCHES "_(four|avx2|avx512)\\.c$")
                string(TOUPPER ${CMAKE_MATCH_1} level)
                set_property(SOURCE ${source} PROPERTY COMPILE_OPTIONS ${FROTH_${level}} ${FROTH_LEVEL_SANITIZED})
            endif()
        endforeach()
    endif()
endfunction()

# Builds texts into the room of this folder: froth_embed(HEADER TYPE SYMBOL FILES...), see embed_text.cmake.
function(froth_embed header type symbol)
    file(RELATIVE_PATH folder ${FROTH_ROOT} ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" name ${folder})
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DINPUTS=${ARGN}" -DHEADER=${folder}/${header}
                -DTYPE=${type} -DSYMBOL=${symbol} -P ${FROTH_ROOT}/tools/embed_text.cmake
        DEPENDS ${ARGN} ${FROTH_ROOT}/tools/embed_text.cmake VERBATIM)
    target_sources(room_${name} PRIVATE ${output})
endfunction()

# froth_FOLDER: all rooms of a top folder, and those of the folders below it, which are named behind it.
function(froth_house folder)
    add_subdirectory(${FROTH_ROOT}/${folder} ${CMAKE_BINARY_DIR}/rooms/${folder})
    add_library(froth_${folder} INTERFACE)
    get_property(rooms GLOBAL PROPERTY FROTH_ROOMS)
    list(FILTER rooms INCLUDE REGEX "^room_${folder}(_|$)")
    list(TRANSFORM ARGN PREPEND froth_)
    target_link_libraries(froth_${folder} INTERFACE ${rooms} ${ARGN})
endfunction()
