#!/usr/bin/env bash
# Starts a Ceph with one monitor, one object store in memory and a gateway that speaks S3, all on loopback, without
# services and without root's folders:  ceph.sh FOLDER. The store takes CEPH_BYTES bytes at most (2 GiB). Prints
# "http://127.0.0.1:PORT ID SECRET" when it answers, and ends with its standard input.
set -u
# shellcheck source=scripts/checks.sh
source "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
folder=$1
mkdir -p "$folder"/{mon,osd,rgw,run}
processes=()
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  for process in "${processes[@]}"; do kill "$process" 2>/dev/null; done
  wait 2>/dev/null
}
trap clean_up EXIT
read -r monitor gateway < <(python3 -B -m ports 2)
fsid=$(cat /proc/sys/kernel/random/uuid)
disk=$(cat /proc/sys/kernel/random/uuid)
cat >"$folder/ceph.conf" <<CONFIG
[global]
fsid = $fsid
mon host = [v1:127.0.0.1:$monitor]
auth cluster required = none
auth service required = none
auth client required = none
ms bind ipv6 = false
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
run dir = $folder/run
admin socket = $folder/run/\$name.sock
pid file = $folder/run/\$name.pid
log file = $folder/\$name.log
[mon.a]
mon data = $folder/mon
[osd.0]
osd data = $folder/osd
osd objectstore = memstore
memstore device bytes = ${CEPH_BYTES:-2147483648}
[client.rgw]
rgw data = $folder/rgw
rgw frontends = beast endpoint=127.0.0.1:$gateway
rgw relaxed s3 bucket names = true
rgw gc obj min wait = 1
rgw gc processor period = 1
rgw gc processor max time = 1
CONFIG
ceph=(--conf "$folder/ceph.conf")
user=(--setuser "$(id -un)" --setgroup "$(id -gn)")
{
  monmaptool --create --fsid "$fsid" --addv a "[v1:127.0.0.1:$monitor]" "$folder/monmap" &&
    ceph-mon "${ceph[@]}" --mkfs -i a --monmap "$folder/monmap" "${user[@]}"
} >"$folder/made" 2>&1 || { cat "$folder/made" >&2; exit 1; }
ceph-mon "${ceph[@]}" -f -i a "${user[@]}" >"$folder/mon.out" 2>&1 &
processes+=($!)
# patiently COMMAND...: Ceph's library may speak before the monitor has sent it the map, which it does not wait for, and is
# then refused ("wrong fsid", EPERM): one of some 70 calls, of any monitor. So what may be said twice is said up to ten times.
patiently() {
  local _
  for _ in {1..10}; do "$@" && return; done
  false
}
{
  patiently limited ceph "${ceph[@]}" osd new "$disk" 0 &&
    ceph-osd "${ceph[@]}" -i 0 --mkfs --osd-uuid "$disk" "${user[@]}"
} >>"$folder/made" 2>&1 || { cat "$folder/made" >&2; exit 1; }
# start NAME PROGRAM...: one that is refused so ends, and is started again, up to ten times; then the wait for it ends with
# the monitor.
declare -A running=() starts=()
start() {
  local name=$1
  shift
  ((++starts[$name] <= 10)) || { kill "${processes[0]}" 2>/dev/null; return; }
  "$@" "${ceph[@]}" -f "${user[@]}" >"$folder/$name.out" 2>&1 &
  running[$name]=$!
  processes+=($!)
}
# shellcheck disable=SC2317  # called by wait_for
gateway_answers() {
  kill -0 "${running[osd]-}" 2>/dev/null || start osd ceph-osd -i 0
  kill -0 "${running[rgw]-}" 2>/dev/null || start rgw radosgw -n client.rgw
  (exec 3<>"/dev/tcp/127.0.0.1/$gateway") 2>/dev/null
}
wait_for "answer of Ceph's gateway" "${processes[0]}" gateway_answers || { tail -n 5 "$folder"/{osd,rgw}.out >&2; exit 1; }
make_member() {
  local admin=(limited radosgw-admin "${ceph[@]}" -n client.rgw user)
  "${admin[@]}" create --uid club --display-name Club --access-key AKIACLUB --secret-key secretsecret ||
    "${admin[@]}" info --uid club
}
patiently make_member >>"$folder/made" 2>&1 || { tail -n 5 "$folder/made" >&2; exit 1; }
echo "http://127.0.0.1:$gateway AKIACLUB secretsecret"
cat >/dev/null
