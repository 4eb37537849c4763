# SPDX-License-Identifier: Apache-2.0
# What ./quickstart and ./check share: installing packages, named and timed steps. Sourced, never run.
# shellcheck shell=bash

script_name=$(basename "$0")
# shellcheck disable=SC2034  # used by the scripts that source this file
started_at=$SECONDS

# One core per job, and about 1 GiB of memory per compiler.
memory_gib=$(awk '/^MemTotal:/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || echo 2)
jobs=$(nproc 2>/dev/null || echo 1)
if [ "$memory_gib" -lt "$jobs" ]; then jobs=$((memory_gib > 1 ? memory_gib : 1)); fi

say() { printf '%s: %s\n' "$script_name" "$*"; }

fail() {
  printf '%s: error: %s\n' "$script_name" "$1" >&2
  shift
  if [ $# -gt 0 ]; then printf '  %s\n' "$@" >&2; fi
  exit 1
}

# step "what it does" command...: runs the command, says how long it took, stops the script when it fails.
step() {
  local what=$1 begin=$SECONDS status=0
  shift
  printf '\n== %s\n' "$what"
  "$@" || status=$?
  if [ "$status" -ne 0 ]; then
    printf '== FAILED (exit %d, %d s): %s\n' "$status" $((SECONDS - begin)) "$what" >&2
    printf '   the command was: %s\n' "$*" >&2
    exit 1
  fi
  printf '== ok (%d s): %s\n' $((SECONDS - begin)) "$what"
}

# packages_of group...: the package names of these groups in packages.txt.
packages_of() {
  local group
  for group in "$@"; do awk -v group="$group" '$1 == group { print $2 }' packages.txt; done
}

# missing_of package...: those that dpkg does not know as installed.
missing_of() {
  local package
  for package in "$@"; do
    # A virtual or multi-arch name may give several lines; one installed is enough.
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

# install_packages group...: with apt-get, only what is missing; as root, or through sudo.
install_packages() {
  local -a wanted missing become=()
  mapfile -t wanted < <(packages_of "$@")
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is not a Debian system; going on with what is installed. Needed: ${wanted[*]}"
    return 0
  fi
  mapfile -t missing < <(missing_of "${wanted[@]}")
  if [ ${#missing[@]} -eq 0 ]; then
    say "all ${#wanted[@]} packages are installed"
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "these Debian packages are missing, and you are neither root nor have sudo:" \
      "${missing[*]}" "ask an administrator to run: apt-get install ${missing[*]}"
    become=(sudo)
    # Without a terminal sudo must not wait for a password.
    if [ ! -t 0 ]; then become=(sudo -n); fi
  fi
  say "installing: ${missing[*]}"
  "${become[@]}" apt-get update -qq || say "apt-get update failed; trying with the package lists at hand"
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    </dev/null || fail "apt-get could not install the packages above" "needed: ${missing[*]}"
}

# configure preset [cmake options...]
configure() {
  local preset=$1
  shift
  local -a launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    # Clones in other folders may share what was compiled.
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  fi
  cmake --preset "$preset" "${launcher[@]}" "$@"
}

# build preset [targets...]
build() {
  local preset=$1
  shift
  local -a targets=()
  if [ $# -gt 0 ]; then targets=(--target "$@"); fi
  cmake --build --preset "$preset" --parallel "$jobs" "${targets[@]}"
}
