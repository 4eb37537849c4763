# SPDX-License-Identifier: Apache-2.0
# Vega, Vega-Lite and Vega-Embed for report.html: npm packages of fixed versions, checked by SHA-512, made part of the
# program. They are downloaded once, while configuring, into <build>/charts; packages that lie in TESLASIM_CHARTS_CACHE
# are taken from there. Without network the build goes on: reports then show tables where charts would be.
# docs/decisions/0060-charts-in-the-report.md says why.
option(TESLASIM_CHARTS "Download the chart libraries of report.html and make them part of the program" ON)
set(TESLASIM_CHARTS_CACHE "$ENV{TESLASIM_CHARTS_CACHE}" CACHE PATH "Folder with the npm packages of the charts")

set(teslasim_chart_packages vega-5.33.1 vega-lite-5.23.0 vega-embed-6.29.0)
set(teslasim_chart_hash_vega-5.33.1
    d5f02b7d50d4a956dbe73f27fbf9d541bf95341cf1f2cbd8e82aecc932b85239b8cab77d2356aea0ac4100f5cb09abd8d4b72b6c752c9106c650ff205cecf243)
set(teslasim_chart_hash_vega-lite-5.23.0
    97827af80584dc3223be8bc4a079762ddb425247e6e33b3c5f1c7b20dc19100bfe5d56fa911eaf20dd60b77b7680dda0b3fcb80d84ecfd13e84de600b8483a98)
set(teslasim_chart_hash_vega-embed-6.29.0
    3e696c8532ed2c52e05ad17f6f6dd3d4ec17e7702e809f51677a8f136734d551406e0b77fc648d23f7adcc0fc6cddae471e5c599af850c7357529a4ab8cd14e9)
# Puts the package into `folder`, from the cache or from the registry; empty `result` when that is not possible.
function(fetch_chart_package package folder result)
  string(REGEX REPLACE "-[0-9.]+$" "" name "${package}")
  set(archive "${folder}/${package}.tgz")
  set(${result} "" PARENT_SCOPE)
  if(TESLASIM_CHARTS_CACHE AND EXISTS "${TESLASIM_CHARTS_CACHE}/${package}.tgz" AND NOT EXISTS "${archive}")
    file(COPY "${TESLASIM_CHARTS_CACHE}/${package}.tgz" DESTINATION "${folder}")
  endif()
  if(NOT EXISTS "${archive}")
    message(STATUS "Downloading ${package} for the charts of report.html")
    file(DOWNLOAD "https://registry.npmjs.org/${name}/-/${package}.tgz" "${archive}.part" STATUS state INACTIVITY_TIMEOUT 20
         TIMEOUT 120)
    list(GET state 0 code)
    if(NOT code EQUAL 0)
      file(REMOVE "${archive}.part")
      return()
    endif()
    file(RENAME "${archive}.part" "${archive}")
  endif()
  file(SHA512 "${archive}" hash)
  if(NOT hash STREQUAL "${teslasim_chart_hash_${package}}")
    file(REMOVE "${archive}")
    message(WARNING "${package}.tgz is not the package that was expected (SHA-512 ${hash}); it was removed")
    return()
  endif()
  set(${result} "${archive}" PARENT_SCOPE)
endfunction()

# The scripts in the order in which they need each other as one compressed file, without the references to maps for
# debuggers at their ends: a report holds it as text and unpacks it when it draws.
function(pack_chart_scripts output)
  set(all "")
  foreach(script IN LISTS ARGN)
    file(READ "${script}" text)
    string(REGEX REPLACE "//# sourceMappingURL=[^\n]*" "" text "${text}")
    string(APPEND all "${text}\n")
  endforeach()
  string(REGEX REPLACE "[.]gz$" "" plain "${output}")
  file(WRITE "${plain}" "${all}")
  # Without name and time, so that builds of one source are the same.
  execute_process(COMMAND gzip -9 -n -c "${plain}" OUTPUT_FILE "${output}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# chart_library_files(FILES): the packed scripts and the licences, or nothing.
function(chart_library_files files)
  set(folder "${CMAKE_BINARY_DIR}/charts")
  set(found "")
  set(scripts "")
  if(TESLASIM_CHARTS)
    foreach(package IN LISTS teslasim_chart_packages)
      string(REGEX REPLACE "-[0-9.]+$" "" name "${package}")
      fetch_chart_package(${package} "${folder}" archive)
      if(NOT archive)
        message(WARNING "The chart library ${package} is not available: report.html will show tables instead of charts. "
                        "Configure again with network, or put ${package}.tgz into TESLASIM_CHARTS_CACHE.")
        set(found "")
        set(scripts "")
        break()
      endif()
      if(NOT EXISTS "${folder}/${package}/package/build/${name}.min.js")
        file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${folder}/${package}")
      endif()
      set(licence "${folder}/${package}/package/LICENSE")
      if(NOT EXISTS "${licence}")
        set(licence "${CMAKE_SOURCE_DIR}/sim/report/html/licences/${name}.LICENSE")  # the package names it only
      endif()
      list(APPEND scripts "${folder}/${package}/package/build/${name}.min.js")
      list(APPEND found "${licence}")
    endforeach()
    if(scripts)
      pack_chart_scripts("${folder}/scripts.js.gz" ${scripts})
      list(PREPEND found "${folder}/scripts.js.gz")
    endif()
  endif()
  set(${files} "${found}" PARENT_SCOPE)
endfunction()
