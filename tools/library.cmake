# libfroth: the interface in C (engine/embed) with all of froth that it stands on, as a shared library of which nothing
# but names that begin with froth_ can be seen; how it is found, and what is installed of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(libfroth SHARED $<TARGET_OBJECTS:room_engine_embed>)
target_link_libraries(libfroth PRIVATE froth_engine)
set_target_properties(libfroth PROPERTIES OUTPUT_NAME froth EXPORT_NAME froth VERSION ${PROJECT_VERSION} SOVERSION 0
                                          LINKER_LANGUAGE C
                                          LINK_DEPENDS ${CMAKE_SOURCE_DIR}/engine/embed/libfroth.map)
target_include_directories(libfroth INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/engine/embed>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_options(libfroth PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/engine/embed/libfroth.map)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/froth)
# From froth.pc to the prefix, which may be moved.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up ${up})
configure_file(engine/embed/froth.pc.in froth.pc @ONLY)
configure_package_config_file(engine/embed/froth-config.cmake.in froth-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(froth-config-version.cmake COMPATIBILITY SameMajorVersion)
install(TARGETS libfroth EXPORT froth-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT froth-targets NAMESPACE froth:: DESTINATION ${package})
install(FILES ${CMAKE_BINARY_DIR}/froth-config.cmake ${CMAKE_BINARY_DIR}/froth-config-version.cmake
        DESTINATION ${package})
install(FILES ${CMAKE_BINARY_DIR}/froth.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES engine/embed/froth.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
