# Parts of froth that outside libraries bring.
#   froth_part(NAME "what it brings" PACKAGE MODULES...)
# looks for modules of pkg-config: NAME_FOUND and PkgConfig::NAME. A part whose library is missing is left out, and
# told by froth_tell_parts; PACKAGE is that of Debian which brings its headers.
#   froth_late(NAME...)
# behind froth_room: files of the room call what name.late lists, the library is loaded when they want it
# (base/os/late.h), and they see FROTH_NAME where it was found.

function(froth_part name what package)
    pkg_check_modules(${name} IMPORTED_TARGET ${ARGN})
    list(GET ARGN 0 library)
    set(version ${${name}_VERSION})
    if(NOT version)
        set(version ${${name}_${library}_VERSION})
    endif()
    froth_add_part(${name} "${what}" ${package} ${library} "${version}")
endfunction()

# The same, once NAME_FOUND is known by other means.
function(froth_add_part name what package library version)
    set_property(GLOBAL APPEND PROPERTY FROTH_PARTS ${name})
    if(${name}_FOUND)
        set_property(GLOBAL PROPERTY FROTH_PART_${name} "\"${what}\", \"${library}\", \"${version}\", \"\"")
    else()
        set_property(GLOBAL PROPERTY FROTH_PART_${name} "\"${what}\", \"${library}\", \"\", \"${package}\"")
        set_property(GLOBAL APPEND PROPERTY FROTH_PARTS_MISSING "${what} (apt install ${package})")
    endif()
endfunction()

# One line of what is left out, if anything is; the table of app/parts.c; and for packages the names of those that
# bring the libraries which are loaded late, each behind its part.
function(froth_tell_parts)
    get_property(names GLOBAL PROPERTY FROTH_PARTS)
    get_property(late GLOBAL PROPERTY FROTH_LATE)
    get_property(packages GLOBAL PROPERTY FROTH_LATE_PACKAGES)
    get_property(missing GLOBAL PROPERTY FROTH_PARTS_MISSING)
    set(rows)
    foreach(name IN LISTS names)
        get_property(row GLOBAL PROPERTY FROTH_PART_${name})
        if(name IN_LIST late)
            string(TOLOWER ${name} object)
            string(APPEND rows "APP_PART_LATE(${row}, late_${object})\n")
        else()
            string(APPEND rows "APP_PART(${row})\n")
        endif()
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/late/late/parts.def CONTENT "${rows}" @ONLY)
    list(JOIN packages "\n" packages)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/late/packages CONTENT "${packages}\n" @ONLY)
    if(missing)
        list(JOIN missing ", " missing)
        message(NOTICE "froth is built without ${missing}")
    endif()
endfunction()

# How the system's loader knows a part's library, and the package of Debian that brings it there.
function(froth_find_library name soname package)
    get_target_property(libraries PkgConfig::${name} INTERFACE_LINK_LIBRARIES)
    list(GET libraries 0 library)
    execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE section ERROR_QUIET)
    if(NOT section MATCHES "SONAME[^\n]*\\[([^]\n]+)\\]")
        message(FATAL_ERROR "${library} is no shared library: it cannot be loaded late")
    endif()
    set(${soname} ${CMAKE_MATCH_1} PARENT_SCOPE)
    file(REAL_PATH ${library} real)
    get_filename_component(real ${real} NAME)
    execute_process(COMMAND dpkg-query -S "*/${real}" OUTPUT_VARIABLE owner ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND owner MATCHES "^([a-z0-9.+-]+)")
        set(${package} ${CMAKE_MATCH_1} PARENT_SCOPE)
    else()
        set(${package} "" PARENT_SCOPE)
    endif()
endfunction()

function(froth_late)
    file(RELATIVE_PATH folder ${FROTH_ROOT} ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" room ${folder})
    foreach(name IN LISTS ARGN)
        if(NOT ${name}_FOUND)
            continue()
        endif()
        string(TOLOWER ${name} late)
        set(list ${CMAKE_CURRENT_SOURCE_DIR}/${late}.late)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
        froth_find_library(${name} library package)
        set_property(GLOBAL APPEND PROPERTY FROTH_LATE ${name})
        set_property(GLOBAL APPEND PROPERTY FROTH_LATE_PACKAGES "${name} ${package}")
        file(STRINGS ${list} includes REGEX "^<")
        file(STRINGS ${list} calls REGEX "^[A-Za-z_]")
        list(TRANSFORM includes PREPEND "#include ")
        list(JOIN includes "\n" includes)
        set(pointers)
        set(names)
        set(rows)
        set(definitions)
        foreach(call IN LISTS calls)
            string(APPEND pointers "extern __typeof__(${call}) *late_${late}_${call};\n")
            string(APPEND names "#define ${call} late_${late}_${call}\n")
            string(APPEND definitions
                   "__typeof__(${call}) *late_${late}_${call} = (__typeof__(${call}) *)base_late_unloaded;\n")
            string(APPEND rows "    {\"${call}\", &late_${late}_${call}},\n")
        endforeach()
        string(TOUPPER ${late} guard)
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/late/late/${late}.h @ONLY CONTENT
"/* Made of ${late}.late. */
#ifndef LATE_${guard}_H
#define LATE_${guard}_H

${includes}

#include \"base/os/late.h\"

extern struct base_late late_${late};
${pointers}
#ifndef LATE_NAMES_ARE_THEIRS
${names}#endif

#endif
")
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/late/late_${late}.c @ONLY CONTENT
"/* Made of ${late}.late. */
#define LATE_NAMES_ARE_THEIRS
#include \"late/${late}.h\"

${definitions}
static const struct base_late_call calls[] = {
${rows}};

struct base_late late_${late} = {\"${library}\", \"${package}\", calls, sizeof calls / sizeof *calls, false};
")
        # What the library wants of those that compile, without the library itself.
        add_library(late_${name} INTERFACE)
        target_include_directories(late_${name} SYSTEM INTERFACE
            $<TARGET_PROPERTY:PkgConfig::${name},INTERFACE_INCLUDE_DIRECTORIES>)
        target_include_directories(late_${name} INTERFACE ${CMAKE_BINARY_DIR}/late)
        target_compile_options(late_${name} INTERFACE
            $<TARGET_PROPERTY:PkgConfig::${name},INTERFACE_COMPILE_OPTIONS>)
        target_sources(room_${room} PRIVATE ${CMAKE_BINARY_DIR}/late/late_${late}.c)
        target_compile_definitions(room_${room} PRIVATE FROTH_${name})
        target_link_libraries(room_${room} PRIVATE late_${name})
        set_property(TARGET room_${room} APPEND PROPERTY FROTH_LIBRARIES late_${name})
    endforeach()
endfunction()
