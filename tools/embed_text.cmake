# Writes a C file with texts built in: cmake -DOUTPUT=... -DINPUTS="a;b" -P embed_text.cmake
# Each text is called like its file without folder and ending.
set(rows)
foreach(input IN LISTS INPUTS)
    get_filename_component(name ${input} NAME_WE)
    file(READ ${input} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "?" "\\?" text "${text}") # no trigraphs
    string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
    string(APPEND rows "    {\"${name}\",\n     \"${text}\"},\n")
endforeach()
list(LENGTH INPUTS count)
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nconst struct ${TYPE} ${SYMBOL}[] = {\n${rows}};\n"
                     "const size_t ${SYMBOL}_count = ${count};\n")
