# shellcheck shell=bash
# shellcheck disable=SC2016,SC2154  # scripts/package sets the variables; quoted scripts are for other shells.
# What members and administrators do with the packages, in a fresh Debian: check_root ROOT. scripts/package.d/check.sh
# reads this file.

# in_root COMMAND...: as root there. The mounts end with the command.
in_root() {
  unshare --mount --propagation private -- bash -c '
    root=$1
    shift
    mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/tmp" || exit
    exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive "$@"' -- "$root" "$@"
}

# as_ray COMMAND...: as an ordinary member there.
as_ray() {
  in_root setpriv --reuid ray --regid ray --init-groups env HOME=/home/ray TERM=xterm-256color LC_ALL=C.UTF-8 "$@"
}

# on_screen WORDS... -- COMMAND...: as first-screen.py, as a member there.
on_screen() {
  local words=()
  while [[ $1 != -- ]]; do
    words+=("$1")
    shift
  done
  shift
  # Functions are not programs, so this shell is started anew.
  /usr/bin/python3 -B scripts/parts.d/first-screen.py "${words[@]}" -- \
    bash -c "$(declare -f in_root as_ray); root=\$1; shift; as_ray \"\$@\"" -- "$root" "$@"
}

# Everything in the root but what the package manager keeps about itself.
files_of_root() {
  find "$root" -xdev \( -path "$root/proc" -o -path "$root/dev" -o -path "$root/var/cache" -o -path "$root/var/log" \
    -o -path "$root/var/lib/apt" -o -path "$root/var/lib/dpkg" -o -path "$root/home" \) -prune -o -printf '%P\n' |
    LC_ALL=C sort
}

notes_work() {
  local program=$1
  as_ray sh -c 'echo "Low tide is at 06:12." | "$1" note put tide && "$1" note ls && "$1" note cat tide' -- "$program" |
    tee /dev/stderr | grep -q 'Low tide'
}

names_the_package() {
  local said
  said=$(as_ray byteclub serve --root /home/ray 2>&1)
  printf '%s\n' "$said"
  grep -q 'Install the package byteclub-serve' <<<"$said"
}

doctor_names_no_sources() {
  local said
  said=$(as_ray byteclub doctor 2>&1)
  printf '%s\n' "$said"
  grep -q "$version" <<<"$said" && ! grep -qE '\.build|scripts/' <<<"$said"
}

completion_loads() {
  as_ray bash -c '
    source /usr/share/bash-completion/bash_completion && _completion_loader byteclub
    complete -p byteclub && COMP_WORDS=(byteclub no) COMP_CWORD=1 COMP_LINE="byteclub no" COMP_POINT=11 &&
      "$(complete -p byteclub | sed "s/.*-F \([^ ]*\).*/\1/")" byteclub no byteclub && printf "%s\n" "${COMPREPLY[@]}" |
      grep -x "note *"'
}

user_units_are_off() {
  in_root sh -c '
    for unit in byteclub-news.service byteclub-sync.service byteclub-sync.timer; do
      test -f "/usr/lib/systemd/user/$unit" || exit
    done
    test -f /usr/share/byteclub/tell_desktop.py && test -z "$(find /etc/systemd/user -name "byteclub*" 2>/dev/null)"'
}

# An administrator adds a member as the server's user, who then cannot be distinguished from the unit's instance.
unit_is_ready() {
  in_root sh -c '
    getent passwd _byteclub && test -f /lib/systemd/system/byteclub-serve@.service &&
      install -d -o _byteclub -g _byteclub -m 700 /var/lib/byteclub /var/lib/byteclub/garage /var/lib/byteclub/garage/club &&
      setpriv --reuid _byteclub --regid _byteclub --clear-groups env XDG_DATA_HOME=/var/lib/byteclub/garage/data \
        byteclub-serve member add ray --root /var/lib/byteclub/garage/club && rm -r /var/lib/byteclub'
}

# The installer of the tarball: what it writes, it removes.
installer_cleans_up() {
  local folder=$1
  as_ray sh -c '
    "$1/install.sh" && ~/.local/bin/byteclub --version && "$1/install.sh" --remove &&
      test -z "$(find ~/.local/bin ~/.local/share -type f ! -path "*/share/byteclub/*" -print)"' -- "$folder"
}

nothing_is_left() { diff "$work/before" "$work/after"; }

check_root() {
  local root=$1 folder=/opt/$tarball
  in_root sh -c "useradd --create-home ray && tar -C /opt -xf /root/$tarball.tar.xz" || return
  try "tarball: the program starts without any package" as_ray "$folder/bin/byteclub" --version
  try "tarball: a note is put, listed and read" notes_work "$folder/bin/byteclub"
  try "tarball: the installer writes below ~/.local and removes all of it" installer_cleans_up "$folder"
  in_root sh -c 'apt-get -q update && apt-get -q install -y --no-install-recommends libcurl4' \
    >.build/scripts/root-apt.log 2>&1 </dev/null
  try "tarball: with libcurl4 the demo opens and leaves" on_screen demo Welcome.md --keys q -- "$folder/bin/byteclub" demo
  in_root rm -rf "$folder"
  # Packages of Debian that ours depend on stay.
  in_root sh -c 'for deb in /root/byteclub*.deb; do
    apt-get -q satisfy -y --no-install-recommends "$(dpkg-deb -f "$deb" Depends)"; done' \
    >>.build/scripts/root-apt.log 2>&1 </dev/null
  files_of_root >"$work/before"
  try "byteclub is installed" in_root sh -c 'apt-get -q install -y --no-install-recommends /root/byteclub_*.deb'
  try "its version is $version" bash -c 'test "$1" = "$2"' -- "$(as_ray byteclub --version)" "$version"
  try "serve without the other package names it" names_the_package
  try "so does the demo" on_screen --status 1 'Install the package byteclub-serve' -- byteclub demo
  try "byteclub-serve is installed" in_root sh -c \
    'apt-get -q install -y --no-install-recommends /root/byteclub-serve_*.deb'
  try "a note is put, listed and read" notes_work byteclub
  try "the demo opens and leaves" on_screen demo Welcome.md --keys q -- byteclub demo
  try "doctor names no file of the sources" doctor_names_no_sources
  try "man finds both pages" as_ray sh -c 'man byteclub | grep -q "note put" && man byteclub-serve | grep -q "member add"'
  try "bash completes byteclub" completion_loads
  try "the members' units are there, and not enabled" user_units_are_off
  try "the server's user can add members where the unit serves" unit_is_ready
  try "both are purged" in_root apt-get -q purge -y byteclub byteclub-serve
  files_of_root >"$work/after"
  try "nothing is left of them" nothing_is_left
}
