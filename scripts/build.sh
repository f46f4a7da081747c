# shellcheck shell=bash
# How byteclub is built: the flags, in one place, and a quiet build with one line of progress. The other scripts source
# this file. A build with other flags would rebuild everything, so no script calls `swift build` in its own way.

# A target may import only what its dependencies line in Package.swift names.
build_flags=(--explicit-target-dependency-import-check error)
# shellcheck disable=SC2034  # used by scripts/test
# Lines for backtraces, without the descriptions of variables and types: a tenth of the build's time.
debug_flags=("${build_flags[@]}" -Xswiftc -gline-tables-only -Xcc -g1)
# With the standard library inside, the program starts in half the time and runs where no Swift is installed. Across
# modules the compiler may look into functions: a key then runs through a fifth less code, which is cold when it comes.
release_flags=("${build_flags[@]}" -c release --static-swift-stdlib -Xswiftc -cross-module-optimization)
# 90,000 addresses are put right at each start. In relr's form they take 17 KB instead of 2.1 MB, all of which is read.
# The C library understands it from 2.36 on; gold, which is Swift's linker otherwise, cannot write it.
read -r _ libc_version < <(getconf GNU_LIBC_VERSION 2>/dev/null)
if [[ $(printf '%s\n' 2.36 "${libc_version:-0}" | sort -V | head -n 1) == 2.36 ]]; then
  release_flags+=(-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
fi

# Archives that Debian's -dev packages bring go into the program: a start then finds, maps and relocates two libraries
# instead of twelve: `byteclub --version` took 5.3 ms, not 7.4. Nothing outside asks for the program's own symbols.
archives=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.build/scripts/archives
release_flags+=(-Xswiftc -L -Xswiftc "$archives" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
release_flags+=(-Xlinker --no-export-dynamic)
# Libraries are looked for in the system's folders alone, not beside the program.
release_flags+=(--disable-local-rpath)
# All functions of libraries are resolved at the start, and their table is read-only from then on.
release_flags+=(-Xlinker -z -Xlinker now)

# Links to the archives there are. A library without one is loaded at each start, as it would be otherwise.
gather_archives() {
  local name file
  mkdir -p "$archives"
  for name in stdc++ ncursesw tinfo sqlite3 jpeg png webp gif z; do
    file=$(c++ -print-file-name="lib$name.a")
    if [[ -e $file ]]; then ln -sf "$file" "$archives/lib$name.a"; fi
  done
}

# build LABEL FLAGS...: `swift build` with the output kept in .build/scripts/LABEL.log. After three seconds it says
# what it is doing: on a terminal in one line that is overwritten, otherwise every half minute. The log is shown when
# the build fails.
build() {
  local label=$1 log=.build/scripts/$1.log
  shift
  mkdir -p .build/scripts
  swift build "$@" 2>&1 </dev/null | show_progress "$label" "$log"
  if ((PIPESTATUS[0] != 0)); then
    printf '%s\n' "The $label build failed. Its errors, and the end of what it said:" >&2
    grep -E '^([^ ].*)?error:' "$log" | sort -u | head -n 40 >&2
    printf '%s\n' ... >&2
    tail -n 25 "$log" >&2
    printf '%s\n' "All of it is in $log." >&2
    return 1
  fi
}

# Copies its input to the log; tells, now and then, how far it is.
show_progress() {
  local label=$1 log=$2 line='' part='' newest='' next_at=3 painted=0
  local begin=$SECONDS
  : >"$log"
  while true; do
    if IFS= read -r -t 1 part; then
      line+=$part
      printf '%s\n' "$line" >>"$log"
      newest=$line line=''
    elif (($? > 128)); then
      line+=$part
    else
      printf '%s' "$line$part" >>"$log"
      break
    fi
    ((SECONDS - begin < next_at)) && continue
    if [[ -t 2 ]]; then
      printf '\r\e[K%.*s' $((${COLUMNS:-80} - 1)) "Building ($label), $((SECONDS - begin)) s: $newest" >&2
      next_at=$((SECONDS - begin + 1)) painted=1
    else
      printf '%s\n' "Building ($label), $((SECONDS - begin)) s so far: $newest" >&2
      next_at=$((SECONDS - begin + 30))
    fi
  done
  ((painted)) && printf '\r\e[K' >&2
  return 0
}

release_folder=.build/release
# shellcheck disable=SC2034  # used by scripts/run and scripts/bench
release_binary=$release_folder/byteclub
# shellcheck disable=SC2034  # used by scripts/test and scripts/bench
debug_binary=.build/debug/byteclub

# build_release [PRODUCT]: makes the program of that name (byteclub without one) in $release_folder. Nothing at all is
# started when no source has changed since it was last made; the stamp is dated at the start of that build, so that a
# source saved during it counts as newer.
build_release() {
  local product=${1:-byteclub}
  local stamp=.build/scripts/release-$product.stamp
  if [[ -x $release_folder/$product && -e $stamp && $(<"$stamp") == "${release_flags[*]}" ]] &&
    [[ -z $(find -L Package.swift Sources Tests/*/*Probe -newer "$stamp" -print -quit) ]]; then
    return
  fi
  need_swift
  need_packages build
  mkdir -p .build/scripts
  gather_archives
  printf '%s\n' "${release_flags[*]}" >"$stamp.new"
  build release "${release_flags[@]}" --product "$product" || return
  mv "$stamp.new" "$stamp"
}
