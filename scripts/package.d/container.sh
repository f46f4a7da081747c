# shellcheck shell=bash
# shellcheck disable=SC2154  # scripts/package sets the variables.
# The container of packaging/container, built over the fresh Debian that the other checks use: check_container ROOT.
# scripts/package.d/check.sh reads this file.

# in_store COMMAND...: buildah, with its images below the folder of this run.
in_store() {
  local command=$1
  shift
  buildah --root "$PWD/$work/images" --runroot "$PWD/$work/images-run" --storage-driver vfs "$command" "$@"
}

# The fresh Debian stands for the image that the file begins with, which would have to be fetched.
container_is_built() {
  local root=$1 context=$work/container base
  mkdir -p "$context"
  cp packaging/container/Containerfile "$out"/byteclub-serve_*.deb "$context/"
  base=$(in_store from scratch) && in_store copy --quiet "$base" "$root" / &&
    in_store commit --quiet "$base" localhost/debian &&
    in_store bud --pull-never --isolation chroot --network host --build-arg DEBIAN=localhost/debian \
      --tag localhost/byteclub-serve "$context"
}

# The command of compose.yaml, by the user of the image: a member is invited while it answers at its socket.
container_serves() {
  # The name tells this server from others of the machine, which may have the same command.
  local container socket=$PWD/$work/socket host=club-$$.example server answer='' line=''
  container=$(in_store from --pull-never localhost/byteclub-serve) || return
  mkdir -p "$socket" && chown 10001:10001 "$socket"
  in_store run --isolation chroot --user club --volume "$socket:/run/byteclub" "$container" -- byteclub-serve run \
    --root /club --state /state --listen unix:/run/byteclub/club.sock --behind-proxy unix \
    --address "https://$host" --shared-links --drop-pages &
  server=$!
  for _ in $(seq 100); do
    if answer=$(curl --silent --unix-socket "$socket/club.sock" "http://$host/healthz"); then break; fi
    sleep 0.2
  done
  line=$(in_store run --isolation chroot --user club "$container" -- byteclub-serve invite ray --root /club --state /state)
  pkill --signal TERM --full "byteclub-serve run --root /club --state /state .*--address https://$host " && wait "$server"
  printf '%s\n' "$answer" "$line"
  [[ $answer == ok && $line == "https://$host/join#"* ]]
}

check_container() {
  local root=$1
  if ! command -v buildah >/dev/null; then
    skip "the container: there is no buildah here"
    return
  fi
  if ! in_store from scratch >/dev/null 2>&1; then
    skip "the container: buildah may make none here"
    return
  fi
  check "the container is built from the package" container_is_built "$root"
  check "the server in it answers at its socket, and invites a member" container_serves
}
