# shellcheck shell=bash
# shellcheck disable=SC2016,SC2154  # scripts/package sets the variables; quoted scripts are for other shells.
# The checks of scripts/package --check. Each prints one line (scripts/checks.sh); what cannot run here is counted.

said=$PWD/.build/scripts/package-check.log

# Notes in $out/lost if a program that scripts/run starts is missing or another one, until $watcher is ended.
watch_release() {
  local before now
  mkdir -p "$out"
  : >"$out/lost"
  before=$(stat -c '%n %i %Y' "$release_folder"/byteclub{,-serve})
  while kill -0 $$ 2>/dev/null && sleep 0.1; do
    now=$(stat -c '%n %i %Y' "$release_folder"/byteclub{,-serve} 2>&1)
    [[ $now == "$before" ]] || printf '%s\n' "$now" >>"$out/lost"
  done &
  watcher=$!
}

# systemd's own measure of a confined service: 0 is best, 10 worst.
exposure_is_low() {
  local found
  found=$(systemd-analyze security --offline=true --no-pager "packaging/systemd/byteclub-serve@.service") || return
  found=$(grep -oE 'exposure level for [^:]*: [0-9.]+' <<<"$found") || return
  printf '%s\n' "$found"
  exposure=${found##* }
  awk -v found="$exposure" 'BEGIN { exit !(found <= 1.5) }'
}

# systemd takes the members' units; the programs that they start are those of the release.
user_units_are_valid() {
  local folder=$work/user-units unit
  rm -rf "$folder"
  mkdir -p "$folder" || return
  for unit in "$1"/systemd/user/*; do
    sed "s|/usr/bin/byteclub|$PWD/$release_folder/byteclub|" "$unit" >"$folder/${unit##*/}" || return
  done
  XDG_RUNTIME_DIR=$PWD/$folder systemd-analyze --user verify --man=no "$folder"/*.service "$folder"/*.timer
}

# The installer of the tarball writes units that systemd takes and that name the files of their folder. Where systemd would
# start no program it writes none.
installed_units_are_valid() {
  local folder="$PWD/$work/a b%c\$d&e|f" units
  rm -rf "$folder" && "$1/install.sh" "$folder" || return
  units=$folder/share/systemd/user
  grep -qxF "ExecStart=\"$PWD/$work/a b%%c\$d&e|f/bin/byteclub\" sync now" "$units/byteclub-sync.service" &&
    grep -qF -- "-B '$PWD/$work/a b%%c\$\$d&e|f/share/byteclub/tell_desktop.py'\"" "$units/byteclub-news.service" &&
    XDG_RUNTIME_DIR=$PWD/$work systemd-analyze --user verify --man=no "$units"/*.service "$units"/*.timer &&
    "$1/install.sh" --remove "$folder" && "$1/install.sh" "$folder/it's" &&
    [[ -x $folder/it\'s/bin/byteclub && ! -e $folder/it\'s/share/systemd ]] && "$1/install.sh" --remove "$folder/it's"
}

# The program that tells the desktop takes names for text: no option, no markup, nothing for a shell.
desktop_is_told() {
  local folder=$work/tell-desktop said
  mkdir -p "$folder" || return
  printf '%s\n' '#!/bin/sh' 'for word; do printf "<%s>\n" "$word"; done' >"$folder/notify-send"
  chmod +x "$folder/notify-send"
  said=$(printf '%s\n' '{"club":"--help","from":null,"to":null,"items":[{"member":"<b>&$(x)","action":"added",'\
'"path":"a\u001b[31m`x`\nb","time":"now"},{"member":null,"action":"remark","path":"p\\074b\\076","time":"now"}]}' |
    PATH=$folder:$PATH /usr/bin/python3 -I -B "$1/byteclub/tell_desktop.py") || return
  diff - <(printf '%s\n' "$said") <<'SAID'
<--app-name=byteclub>
<--icon=byteclub>
<-->
<--help>
<&lt;b&gt;&amp;$(x) added a [31m`x` b
somebody said something on p\\074b\\076>
SAID
}

# A second packing of the same programs gives the same bytes.
packing_repeats() {
  local again=$out/again file
  rm -rf "$again" "${work:?}"
  mkdir -p "$again" "$work"
  make_debs "$again" && make_tarball "$again" || return
  for file in "$again"/*; do cmp "$file" "$out/${file##*/}" || return; done
  rm -rf "$again"
}

# The hardening that lintian does not look at: all of each program's table of functions is read-only after the start.
is_hardened() {
  local program=$1
  readelf --wide --file-header "$program" | grep -q 'Type:.*DYN' &&
    readelf --wide --dynamic "$program" | grep -q 'FLAGS.*NOW' &&
    readelf --wide --program-headers "$program" | grep -q GNU_RELRO &&
    ! readelf --wide --program-headers "$program" | grep -E 'GNU_STACK.*RWE'
}

links_shared() {
  local library
  for library in ncursesw sqlite3 jpeg png16 webp gif z expat crypto stdc++; do
    [[ $1 == *-serve && $library == @(ncursesw|expat) ]] && continue
    readelf --dynamic "$1" | grep -q "NEEDED.*lib$library" || {
      printf '%s\n' "$1 does not link lib$library."
      return 1
    }
  done
}

# The tarball needs the C library alone.
links_little() {
  readelf --dynamic "$1" | grep NEEDED | grep -vE '\[(libc|libm|libdl|libpthread|librt|ld-linux[^]]*)\.so' && return 1
  return 0
}

check_packages() {
  local begin=$SECONDS share=$work/tar/$tarball/share program exposure=''
  kill "$watcher"
  say "Checks of the packages:"
  try "what scripts/run built stays in its place meanwhile" test ! -s "$out/lost"
  # The root user may run lintian here; it reads only what was built just now.
  try "lintian finds no error and no warning" lintian --allow-root --fail-on error,warning "$out"/*.deb
  try "the desktop file is valid" desktop-file-validate "$share/applications/byteclub.desktop"
  # The project has no domain of its own, whose reversed name could be the id.
  try "the AppStream metainfo is valid" appstreamcli validate --no-net --override cid-desktopapp-is-not-rdns=info \
    "$share/metainfo/byteclub.metainfo.xml"
  try "the completions are scripts of bash, zsh and fish" bash -c '
    bash -n "$1/bash-completion/completions/byteclub" && zsh -n "$1/zsh/site-functions/_byteclub" &&
      fish --no-execute "$1/fish/vendor_completions.d/byteclub.fish"' -- "$share"
  for program in byteclub byteclub-serve; do
    try "the page $program.1 has no faults" bash -c 'test -z "$(man --warnings -l "$1" 2>&1 >/dev/null)"' -- \
      "$share/man/man1/$program.1"
    try "$program is position-independent, bound at once, and its stack is data" is_hardened "$shared_programs/$program"
    try "$program of the package links Debian's libraries" links_shared "$shared_programs/$program"
    try "$program of the tarball links the C library alone" links_little "$release_folder/$program"
  done
  try "the members' units are valid" user_units_are_valid "$share"
  try "so are those of the tarball's installer in a folder with any name" installed_units_are_valid "$work/tar/$tarball"
  try "the desktop is told of news, whatever the names are" desktop_is_told "$share"
  if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    try "the compose file and the image's file agree with each other and with the server" \
      /usr/bin/python3 -B scripts/package.d/compose.py "$shared_programs/byteclub-serve"
  else
    skip "the compose file: Python has no module yaml (python3-yaml)"
  fi
  try "the unit's exposure is 1.5 or less" exposure_is_low
  say "          (systemd-analyze security: ${exposure:-unknown})"
  if bwrap --ro-bind / / --unshare-user true 2>/dev/null; then
    try "the server and its picture workers run as the unit confines them" \
      /usr/bin/python3 -B scripts/package.d/under-unit.py "packaging/systemd/byteclub-serve@.service" \
      "$shared_programs/byteclub-serve"
  else
    skip "the server as the unit confines it: bubblewrap may not make namespaces here"
  fi
  try "a second packing gives the same bytes" packing_repeats
  check_in_root
  say "scripts/package --check: $passed passed, $failed failed, $skipped skipped, $((SECONDS - begin)) s."
  ((failed == 0))
}

# Installs the packages in a fresh Debian, which is removed afterwards.
check_in_root() {
  local root=$PWD/$work/root suite mirror log=.build/scripts/debootstrap.log
  if ((EUID != 0)) || ! unshare --mount true 2>/dev/null; then
    skip "all in a fresh Debian: debootstrap and chroot need root"
    return
  fi
  suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' | awk -v suite="$suite" \
    '$2 == suite { print $1; exit }')
  if ! debootstrap --variant=minbase --include=ca-certificates,man-db,bash-completion,systemd-standalone-sysusers,xz-utils \
    "$suite" "$root" "${mirror:-http://deb.debian.org/debian}" >"$log" 2>&1; then
    # Mostly for want of a network; it tells nothing about the packages.
    skip "all in a fresh Debian: debootstrap could not make one ($(tail -n 1 "$log"))"
    rm -rf "$root"
    return
  fi
  apt-config dump | grep -E '^Acquire::https?::' >"$root/etc/apt/apt.conf.d/90mirror"
  cp "$out"/*.deb "$out/$tarball.tar.xz" "$root/root/"
  # shellcheck source=scripts/package.d/container.sh
  source scripts/package.d/container.sh
  check_container "$root"
  # shellcheck source=scripts/package.d/root.sh
  source scripts/package.d/root.sh
  check_root "$root"
  # shellcheck source=scripts/package.d/systemd.sh
  source scripts/package.d/systemd.sh
  check_unit "$root"
  rm -rf "$root"
}
