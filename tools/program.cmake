# The program, and what is installed with it.
froth_house(ui engine board)
froth_house(app ui)
add_executable(froth app/main.c)
target_link_libraries(froth PRIVATE froth_app)
# What is installed beside the program is printed by it whenever it is linked, so that each build of it can be
# installed, whatever else was built: the manual page, a configuration, the bindings with the keys that stand in
# commands.def, and what makes shells complete its command line.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bindings ${CMAKE_BINARY_DIR}/completion ${CMAKE_BINARY_DIR}/man)
set(man_pages)
file(STRINGS app/options/commands.def commands REGEX "^APP_COMMAND")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS app/options/commands.def)
foreach(row ${commands})
    if(row MATCHES "^APP_COMMAND.\"([a-z]+)\"")
        set(command ${CMAKE_MATCH_1})
        if(NOT command MATCHES "^(help|version)$")
            list(APPEND man_pages COMMAND froth help ${command} --man > ${CMAKE_BINARY_DIR}/man/froth-${command}.1)
        endif()
    endif()
endforeach()
add_custom_command(TARGET froth POST_BUILD
                   COMMAND froth help --man > ${CMAKE_BINARY_DIR}/man/froth.1
                   ${man_pages}
                   COMMAND froth help --config > ${CMAKE_BINARY_DIR}/config.yaml
                   COMMAND froth help --bindings milkdrop > ${CMAKE_BINARY_DIR}/bindings/milkdrop.yaml
                   COMMAND froth help --bindings projectm > ${CMAKE_BINARY_DIR}/bindings/projectm.yaml
                   COMMAND froth help --completion bash > ${CMAKE_BINARY_DIR}/completion/froth
                   COMMAND froth help --completion zsh > ${CMAKE_BINARY_DIR}/completion/_froth
                   COMMAND froth help --completion fish > ${CMAKE_BINARY_DIR}/completion/froth.fish
                   VERBATIM)
install(TARGETS froth)
install(FILES ${CMAKE_BINARY_DIR}/config.yaml DESTINATION share/froth)
install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION share/man/man1)
install(DIRECTORY ${CMAKE_BINARY_DIR}/bindings DESTINATION share/froth)
install(FILES README.md DESTINATION share/doc/froth)
install(DIRECTORY docs DESTINATION share/doc/froth)
install(DIRECTORY presets/originals/ DESTINATION share/froth/presets)
install(FILES ${CMAKE_BINARY_DIR}/completion/froth DESTINATION share/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/completion/_froth DESTINATION share/zsh/site-functions)
install(FILES ${CMAKE_BINARY_DIR}/completion/froth.fish DESTINATION share/fish/vendor_completions.d)
add_subdirectory(desktop)
