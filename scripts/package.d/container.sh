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

# words_of SERVICE HOST: the service's command in compose.yaml, one word a line.
words_of() { /usr/bin/python3 -B scripts/package.d/compose.py --words "$@"; }

# answered ARGUMENT...: sets $answer to what curl gets. A look that hangs is made again.
# shellcheck disable=SC2317  # called by wait_for
answered() { answer=$(curl --silent --fail --max-time 60 "$@"); }

# The services of compose.yaml by their commands, users and volumes, while a member is invited: stack_serves [CADDY]. The
# program CADDY stands for its image; it is its own authority for names that end with .localhost. Without it the server is
# asked at its socket.
stack_serves() {
  # The name tells these programs from others of the machine, which may have the same commands.
  local host=club-$$.localhost folder=$PWD/$work/stack club proxy words server front='' answer='' line='' ask
  mkdir -p "$folder"/{files,state,socket,certificates} && chown 10001:10001 "$folder"/{files,state,socket}
  local volumes=(--volume "$folder/files:/club" --volume "$folder/state:/state" --volume "$folder/socket:/run/byteclub")
  club=$(in_store from --pull-never localhost/byteclub-serve) && mapfile -t words < <(words_of club "$host") || return
  in_store run --isolation chroot --user club "${volumes[@]}" "$club" -- byteclub-serve "${words[@]}" &
  server=$!
  ask=(--unix-socket "$folder/socket/club.sock" "http://$host/healthz")
  if [[ -n ${1:-} ]]; then
    proxy=$(in_store from --pull-never localhost/debian) && in_store copy --quiet "$proxy" "$1" /usr/bin/caddy &&
      mapfile -t words < <(words_of caddy "$host") || return
    in_store run --isolation chroot --env XDG_DATA_HOME=/data --volume "$folder/socket:/run/byteclub" \
      --volume "$folder/certificates:/data" "$proxy" -- "${words[@]}" &
    front=$!
    ask=(--cacert "$folder/certificates/caddy/pki/authorities/local/root.crt" --resolve "$host:443:127.0.0.1"
      "https://$host/healthz")
  fi
  wait_for "answer of the services" "$server $front" answered "${ask[@]}" || answer=''
  line=$(in_store run --isolation chroot --user club "${volumes[@]}" "$club" -- \
    byteclub-serve invite ray --root /club --state /state)
  # Of its end only the server's matters.
  if [[ -n $front ]]; then pkill --signal TERM --full "caddy reverse-proxy --from $host " && wait "$front"; fi
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
  try "the container is built from the package" container_is_built "$root"
  if ! /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
    skip "the services in it: Python has no module yaml (python3-yaml)"
    return
  fi
  if ! command -v caddy >/dev/null; then
    skip "Caddy in front of it: there is no caddy here"
  elif (: </dev/tcp/127.0.0.1/80) 2>/dev/null || (: </dev/tcp/127.0.0.1/443) 2>/dev/null; then
    skip "Caddy in front of it: another program has port 80 or 443"
  else
    try "Caddy in front of the server in it answers by https, and a member is invited" stack_serves "$(command -v caddy)"
    return
  fi
  try "the server in it answers at its socket, and invites a member" stack_serves
}
