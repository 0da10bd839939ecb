# Every tests/unit/FOLDER/.../test_FOLDER_TOPIC.c is a cmocka program with its own main() and one CTest test. All of a
# top folder are linked into one program, unit_FOLDER, with that folder's library and those below it, so that a test
# of the core needs no window or sound. It runs the test by whose name it is called: build/.../tests/test_FOLDER_TOPIC
# is a link to it, and the target of that name builds it.
#
# These are programs by themselves, since functions of theirs take the place of some of the libraries'.
set(unit_alone test_app_clock test_app_operator test_app_player test_app_sound)

# Unit test programs see the project's headers, their data and the sources. Where these lie is not said on the command
# line, for most files do not ask: what a cache has of them serves in another folder too.
set(unit_places ${CMAKE_CURRENT_BINARY_DIR}/unit/places.h)
file(CONFIGURE OUTPUT ${unit_places} CONTENT [[
#define TEST_DATA "@CMAKE_CURRENT_SOURCE_DIR@/data"
#define TEST_SOURCE "@CMAKE_SOURCE_DIR@"
]] @ONLY)
function(froth_unit_program name folder)
    target_link_libraries(${name} PRIVATE froth_${folder} PkgConfig::CMOCKA m)
    target_compile_options(${name} PRIVATE -include ${unit_places})
endfunction()

file(GLOB_RECURSE unit_sources CONFIGURE_DEPENDS unit/test_*.c)
set(unit_tests)
set(unit_programs)
foreach(source IN LISTS unit_sources)
    get_filename_component(name ${source} NAME_WE)
    if(NOT source MATCHES "/unit/([a-z]+)/.*test_([a-z]+)_" OR NOT CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
        message(FATAL_ERROR "${source}: a unit test lies in tests/unit/FOLDER and is named test_FOLDER_TOPIC.c")
    endif()
    set(folder ${CMAKE_MATCH_1})
    list(APPEND unit_tests ${name})
    if(name IN_LIST unit_alone)
        add_executable(${name} EXCLUDE_FROM_ALL ${source})
        froth_unit_program(${name} ${folder})
        list(APPEND unit_programs ${name})
    else()
        list(APPEND unit_of_${folder} ${source})
        list(APPEND unit_folders ${folder})
    endif()
    add_test(NAME ${name} COMMAND ${CMAKE_CURRENT_BINARY_DIR}/${name})
endforeach()
# It has its own window, sound, painter and clock.
target_link_options(test_app_player PRIVATE -Wl,-z,muldefs)

list(REMOVE_DUPLICATES unit_folders)
foreach(folder IN LISTS unit_folders)
    set(table)
    add_executable(unit_${folder} EXCLUDE_FROM_ALL unit/run.c ${unit_of_${folder}})
    froth_unit_program(unit_${folder} ${folder})
    foreach(source IN LISTS unit_of_${folder})
        get_filename_component(name ${source} NAME_WE)
        set_property(SOURCE ${source} PROPERTY COMPILE_DEFINITIONS main=${name}_main)
        string(APPEND table "TEST(${name})\n")
        file(CREATE_LINK unit_${folder} ${CMAKE_CURRENT_BINARY_DIR}/${name} SYMBOLIC)
        add_custom_target(${name} DEPENDS unit_${folder})
    endforeach()
    set(table_folder ${CMAKE_CURRENT_BINARY_DIR}/unit/${folder})
    file(CONFIGURE OUTPUT ${table_folder}/unit_tests.def CONTENT "${table}" @ONLY)
    target_include_directories(unit_${folder} PRIVATE ${table_folder})
    list(APPEND unit_programs unit_${folder})
endforeach()
add_custom_target(units DEPENDS ${unit_programs})
add_dependencies(tests units)
add_dependencies(sanitized units)
