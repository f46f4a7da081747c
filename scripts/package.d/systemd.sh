# shellcheck shell=bash
# shellcheck disable=SC2154  # scripts/package sets the variables.
# The unit under a real systemd, the first process of namespaces of its own, in the fresh Debian: check_unit ROOT.
# scripts/package.d/check.sh reads this file.

# The control groups that systemd makes are below these folders, which end with the check.
unit_groups=()

# Makes a control group for systemd in the hierarchies where it keeps its units, and sets $unit_groups.
make_groups() {
  local hierarchy
  for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
    [[ -w $hierarchy/cgroup.procs ]] || continue
    mkdir "$hierarchy/byteclub-unit.$$" || return
    unit_groups+=("$hierarchy/byteclub-unit.$$")
  done
  ((${#unit_groups[@]}))
}

# Boots the root, and sets $booted to systemd's process and $keeper to the one that ends it.
boot() {
  # shellcheck disable=SC2016  # for the other shell
  unshare --pid --fork --kill-child --mount --propagation private --uts --ipc -- bash -c '
    root=$1
    shift
    for group; do echo 0 >"$group/cgroup.procs" || exit; done
    mount --bind "$root" "$root" && mount -t tmpfs -o mode=755 dev "$root/dev" && mkdir "$root"/dev/{pts,shm} || exit
    for name in null zero full random urandom tty; do
      : >"$root/dev/$name" && mount --bind "/dev/$name" "$root/dev/$name" || exit
    done
    # systemd gives a unit with PrivateDevices= the same terminals.
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" && ln -s pts/ptmx "$root/dev/ptmx" || exit
    mount -t proc proc "$root/proc" && mount -t tmpfs run "$root/run" && mount -t tmpfs tmp "$root/tmp" &&
      mount -t sysfs -o ro sysfs "$root/sys" && mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup" || exit
    cd "$root" && pivot_root . . && umount --lazy . || exit
    exec chroot . env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      /lib/systemd/systemd --system --unit=basic.target --log-target=journal --show-status=0' \
    -- "$1" "${unit_groups[@]}" >.build/scripts/systemd.log 2>&1 </dev/null &
  keeper=$!
  wait_for "systemd that runs" "$keeper" has_booted
}

# shellcheck disable=SC2317  # called by wait_for
has_booted() {
  booted=$(pgrep --parent "$keeper")
  [[ -n $booted && $(booted systemctl is-system-running 2>/dev/null) == @(running|degraded) ]]
}

# booted COMMAND...: as root on the booted system.
booted() {
  nsenter --target "$booted" --mount --pid --uts --ipc --root --wdns=/ -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    LC_ALL=C.UTF-8 "$@"
}

# shellcheck disable=SC2317  # called by wait_for
is_empty() { [[ -z $(find "$1" -name cgroup.procs -exec cat {} +) ]]; }

# Ends systemd with all its processes and control groups.
shut_down() {
  local hierarchy
  kill -KILL "$keeper" "$booted" 2>/dev/null
  wait "$keeper" 2>/dev/null
  # The kernel ends the other processes of the namespace with its first one.
  for hierarchy in "${unit_groups[@]}"; do
    wait_for "end of the processes in $hierarchy" '' is_empty "$hierarchy" || fail "all processes of the unit end"
  done
  # Its units have a group in every hierarchy, not only in those that it counts them in.
  for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/*/; do
    [[ ! -d $hierarchy/byteclub-unit.$$ ]] || find "$hierarchy/byteclub-unit.$$" -depth -type d -exec rmdir {} +
  done
}

# of_unit NAME: a property of the instance.
of_unit() { booted systemctl show --value --property "$1" "$instance"; }

# is_active BEFORE: true if the instance is active as another process than before.
# shellcheck disable=SC2317  # called by wait_for
is_active() { [[ $(of_unit ActiveState) == active && $(of_unit MainPID) != @(0|"$1") ]]; }

# Type=notify: the start ends when the server says that it answers.
unit_starts() {
  booted systemctl start "$instance" && [[ $(of_unit ActiveState) == active ]] ||
    { booted journalctl --no-pager --unit "$instance" && false; }
}

# as_server COMMAND...: as the guide to installing says it.
as_server() {
  booted setpriv --reuid _byteclub --regid _byteclub --clear-groups \
    env HOME=/ "$@"
}

unit_serves() {
  local token
  token=$(as_server byteclub-serve member add ray --root /var/lib/byteclub/garage/club) || return
  /usr/bin/python3 -B scripts/package.d/try_server.py http://127.0.0.1:8443 "$token" \
    "$(pgrep --parent "$booted" --full byteclub-serve)"
}

# says WORDS: true if the journal of the instance has them. It is written later than what it tells of.
# shellcheck disable=SC2317  # called by wait_for
says() { booted journalctl --no-pager --unit "$instance" | grep "$1"; }

unit_reloads() {
  local before
  before=$(of_unit MainPID)
  booted systemctl reload "$instance" && [[ $(of_unit ActiveState) == active && $(of_unit MainPID) == "$before" ]] &&
    wait_for "word of the reload" '' says 'There is nothing to read again'
}

unit_is_backed_up() {
  booted install -d -o _byteclub /var/backups/garage &&
    as_server byteclub-serve backup /var/backups/garage/today --root /var/lib/byteclub/garage/club &&
    booted sh -c 'find /var/backups/garage/today -type f | grep -q .'
}

unit_restarts() {
  local before
  before=$(of_unit MainPID)
  booted systemctl kill --signal KILL --kill-who main "$instance" &&
    { wait_for "other process of the unit" '' is_active "$before" || { booted systemctl status --no-pager "$instance" && false; }; }
}

# systemd forgets the state of a unit that has ended, but its journal has it.
unit_stops() {
  booted systemctl stop "$instance" && [[ $(of_unit ActiveState) == inactive ]] &&
    wait_for "word of the end" '' says 'Deactivated successfully' ||
    { booted systemctl status --no-pager "$instance" && false; }
}

# The server's lines, and those of systemd about it, are the expected ones. A systemd in a container may not be able to
# give LimitNICE= (EACCES, 13).
unit_says_little() {
  ! booted journalctl --no-pager --output cat --unit "$instance" |
    grep -vE '^(Serving\.|\{ "store"|This club has no members yet\.|Start|Stopp|Reload)|^byteclub-serve@| (info|notice) serve: |^Failed to set thread priority .* errno=13$'
}

check_unit() {
  local root=$1 instance=byteclub-serve@garage booted='' keeper=''
  in_root sh -c 'apt-get -q install -y --no-install-recommends systemd /root/byteclub-serve_*.deb' \
    >>.build/scripts/root-apt.log 2>&1 </dev/null
  if make_groups 2>/dev/null && boot "$root"; then
    try "systemd starts the unit, which says when it answers" unit_starts
    try "the unit takes a picture and gives a small one, made by a confined worker" unit_serves
    try "the unit reloads and stays the same process" unit_reloads
    try "the club is backed up while the unit serves it" unit_is_backed_up
    try "systemd starts a killed server again" unit_restarts
    try "the unit stops by itself when asked" unit_stops
    try "the server's journal has its usual lines alone" unit_says_little
  elif [[ -n $keeper ]] && kill -0 "$keeper" 2>/dev/null; then
    fail "systemd is a first process" .build/scripts/systemd.log
  else
    skip "the unit itself: no systemd can be a first process here ($(tail -n 1 .build/scripts/systemd.log 2>/dev/null))"
  fi
  shut_down
}
