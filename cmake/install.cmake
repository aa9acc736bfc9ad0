# install.cmake - what a user uses: the program, what draws and reports its results, papers to reproduce, man pages, completion.
# The scripts stay together, with the cases and meshes of the papers; the programs dovetail-* are links to them.

set(shared ${CMAKE_INSTALL_DATADIR}/dovetail)
set(looks models plot plot-modes report reproduce)

install(TARGETS dovetail RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(name ${looks})
  install(PROGRAMS scripts/${name} DESTINATION ${shared}/scripts)
endforeach()
install(DIRECTORY scripts/plots scripts/papers DESTINATION ${shared}/scripts FILES_MATCHING PATTERN *.py)
install(DIRECTORY cases meshes DESTINATION ${shared} FILES_MATCHING PATTERN *.yaml PATTERN *.py PATTERN *.md PATTERN *.msh PATTERN *.geo
  PATTERN *_pictures EXCLUDE PATTERN *_modes EXCLUDE)
install(FILES scripts/completion/dovetail.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME dovetail)
install(FILES scripts/completion/_dovetail DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

# The man pages are made of the help, by the program that has just been built.
install(CODE "
  set(root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  foreach(section 1 5)
    file(MAKE_DIRECTORY \"\${root}/${CMAKE_INSTALL_MANDIR}/man\${section}\")
  endforeach()
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/manual $<TARGET_FILE:dovetail> ${CMAKE_BINARY_DIR}/manual COMMAND_ERROR_IS_FATAL ANY)
  file(RELATIVE_PATH scripts \"/${CMAKE_INSTALL_BINDIR}\" \"/${shared}/scripts\")
  foreach(name ${looks})
    file(CREATE_LINK \"\${scripts}/\${name}\" \"\${root}/${CMAKE_INSTALL_BINDIR}/dovetail-\${name}\" SYMBOLIC)
    message(STATUS \"Installing: \${root}/${CMAKE_INSTALL_BINDIR}/dovetail-\${name}\")
  endforeach()")
install(FILES ${CMAKE_BINARY_DIR}/manual/dovetail.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/manual/dovetail.5 DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
