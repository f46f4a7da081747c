# shellcheck shell=bash
# What byteclub needs from the machine, and how to get it. The other scripts source this file.
#
#   need_swift              ends with a sentence unless a new enough Swift is on PATH, and gets it what it needs itself
#   need_packages LIST...   installs what is missing of the named lists (below); silent when nothing is missing
#
# Both write to standard error only, so that a script's standard output stays its own.

# shellcheck disable=SC2034  # the lists are looked up by name
{
  # What Swift itself is documented to need, for a toolchain that was only unpacked (see need_swift).
  packages_swift=(g++ libcurl4-openssl-dev libxml2-dev libncurses-dev libsqlite3-dev tzdata)
  # To build: ncurses (screen), SQLite (drafts, catalogue), four picture libraries, OpenSSL's libcrypto (hashes), zlib (ZIP),
  # expat (XML); git and its certificates, with which Swift fetches the packages named in Package.swift. libcurl (network) is
  # loaded when the first request is made, so that a start without network costs nothing: its headers are not needed.
  packages_build=(libncurses-dev libsqlite3-dev libjpeg-dev libpng-dev libwebp-dev libgif-dev libssl-dev zlib1g-dev
    libexpat1-dev libcurl4 pkg-config git ca-certificates)
  # To test: a terminal emulator as a library, in which the end-to-end tests look at the real program; what writes down
  # system calls (tests that need it are skipped where it may not trace); openssl makes the certificates of TLS tests;
  # cmark-gfm carries the examples of its specification, and is compared with the parser of notes, as is md4c, a library
  # for which Debian has no program; ExifTool writes the facts that pictures' headers are tested with.
  # Vim is what the editor's vi keys are compared with. Python runs an S3 server and WsgiDAV (scripts/python.sh); Apache is
  # another server of WebDAV clubs. zbar reads the QR codes that libqrencode makes; littleCMS applies colour profiles;
  # libheif decodes HEIC and AVIF, and its programs make such pictures and decode them for comparison.
  packages_test=(libvterm-dev strace openssl cmark-gfm libmd4c-html0 libimage-exiftool-perl vim apache2-bin
    libqrencode4 zbar-tools liblcms2-2 libheif1 libheif-examples python3 python3-venv)
  # For scripts/check.
  packages_check=(git python3)
  # For scripts/bench: the programs that byteclub is measured against, and what measures them.
  packages_bench=(nnn mc strace python3 nginx-light apache2-bin rclone curl wrk openssl chafa timg libvips-tools python3-pil ripgrep
    libheif1 libheif-examples)
  # For scripts/conformance: certificates, the SDK's own environment, and a client.
  packages_conformance=(openssl python3 python3-venv rclone fuse3 curl)
  # For its part links: a browser.
  packages_links=(chromium fonts-dejavu-core openssl python3)
  # For its part proxies: the proxies that docs/server.md shows.
  packages_proxies=(nginx-light apache2-bin caddy curl)
  # For its part s3: a Ceph on loopback.
  packages_ceph=(ceph-mon ceph-osd radosgw ceph-common)
  # For its part copy: Apache, and Python's environment of scripts/python.sh.
  packages_copy=(apache2-bin python3 python3-venv)
  # For its part webdav: four servers of WebDAV.
  packages_webdav=(nginx-light libnginx-mod-http-dav-ext lighttpd lighttpd-mod-webdav rclone php-cli php-xml php-mbstring
    php-sabre-dav)
  # For scripts/package; and for its --check: lint, a fresh Debian, shells that load completions, the unit's confinement.
  packages_package=(debhelper dpkg-dev binutils xz-utils)
  packages_package_check=(lintian desktop-file-utils appstream systemd debootstrap man-db zsh fish bubblewrap procps
    python3 python3-seccomp buildah curl)
  # For scripts/club, which makes a club to try things on; the second list is for its --photos.
  packages_club=(python3)
  packages_photos=(plasma-workspace-wallpapers libjpeg-turbo-progs)
}

say() { printf '%s\n' "$*" >&2; }

stop() {
  say "$@"
  exit 1
}

# The oldest Swift that Package.swift accepts.
swift_major=6
swift_minor=2

# Whether Swift lacks a library to run with, or the system's C and C++ libraries to link with.
swift_is_bare() {
  local tools
  tools=$(dirname "$(readlink -f "$(command -v swift)")")
  ! compgen -G '/usr/lib/gcc/*/*/libstdc++.so' >/dev/null || [[ ! -e /usr/include/stdio.h ]] ||
    ldd "$tools"/{swift-build,swift-frontend,lld} 2>/dev/null | grep -q 'not found'
}

need_swift() {
  local found
  command -v swift >/dev/null || stop "byteclub is built with Swift $swift_major.$swift_minor or newer, and there is no" \
    "'swift' on PATH. Get it from https://www.swift.org/install/linux/ and run this again."
  if swift_is_bare; then need_packages swift; fi
  found=$(swift --version 2>/dev/null)
  if [[ ! $found =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]]; then
    stop "'$(command -v swift) --version' does not work. Reinstall Swift from https://www.swift.org/install/linux/."
  fi
  if ((BASH_REMATCH[1] < swift_major || (BASH_REMATCH[1] == swift_major && BASH_REMATCH[2] < swift_minor))); then
    stop "byteclub needs Swift $swift_major.$swift_minor or newer, and $(command -v swift) is" \
      "${BASH_REMATCH[1]}.${BASH_REMATCH[2]}. Get a newer one from https://www.swift.org/install/linux/."
  fi
}

# Prints those of the packages that dpkg does not have installed.
missing_packages() {
  local installed package
  installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
  for package in "$@"; do
    grep -qx "$package installed" <<<"$installed" || printf '%s\n' "$package"
  done
}

# BYTECLUB_SKIP_PACKAGES=1 leaves everything to the caller: for systems where the libraries come from elsewhere.
need_packages() {
  local list missing wanted=()
  [[ ${BYTECLUB_SKIP_PACKAGES:-} == 1 ]] && return
  for list in "$@"; do
    local -n members="packages_$list"
    wanted+=("${members[@]}")
  done
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    need_libraries_without_apt "${wanted[@]}"
    return
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

install_packages() {
  local as_root=() answer log
  say "Missing Debian packages: $*"
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      stop "Installing them needs root, and there is no sudo. As root, run: apt-get install $*"
    as_root=(sudo)
    if [[ ${CI:-} == true ]]; then
      as_root=(sudo -n)
    elif [[ -t 0 && -t 2 ]]; then
      read -r -p "Install them with sudo apt-get? [Y/n] " answer >&2
      [[ $answer =~ ^([Yy]|[Yy]es|)$ ]] || stop "Nothing was installed. To do it yourself: sudo apt-get install $*"
    else
      stop "There is no terminal to ask on before using sudo. Run: sudo apt-get install $*  (or set CI=true)"
    fi
  fi
  say "Installing them with apt-get ..."
  log=$(mktemp)
  # A mirror that cannot be reached may still be served from apt's cache, so the second command decides.
  "${as_root[@]}" apt-get -q update >"$log" 2>&1 </dev/null
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends "$@" >>"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    rm -f "$log"
    stop "The packages could not be installed (apt-get's words are above). Is there a network, and are these packages" \
      "known to this system (they are named as in Debian 12)? To try by hand: apt-get update && apt-get install $*"
  fi
  rm -f "$log"
}

# On a system without apt nothing is installed; a library that pkg-config does not know is named and that is all.
need_libraries_without_apt() {
  local package missing=()
  local -A proof=([libncurses-dev]=ncursesw [libsqlite3-dev]=sqlite3 [libjpeg-dev]=libjpeg
    [libpng-dev]=libpng [libwebp-dev]=libwebp [libexpat1-dev]=expat [zlib1g-dev]=zlib [libssl-dev]=libcrypto [libvterm-dev]=vterm
    [pkg-config]=pkg-config [git]=git [python3]=python3 [nnn]=nnn [mc]=mc [strace]=strace
    [openssl]=openssl [python3-venv]=python3 [rclone]=rclone [fuse3]=fusermount3
    [libjpeg-turbo-progs]=jpegtran [plasma-workspace-wallpapers]=/usr/share/wallpapers
    [ca-certificates]=/etc/ssl/certs [g++]=g++ [libcurl4]=curl
    [libcurl4-openssl-dev]=libcurl [libxml2-dev]=libxml-2.0 [tzdata]=/usr/share/zoneinfo
    [openssl]=openssl [libimage-exiftool-perl]=exiftool [apache2-bin]=/usr/sbin/apache2 [cmark-gfm]=cmark-gfm [libmd4c-html0]=md2html
    [vim]=vim [zbar-tools]=zbarimg [libqrencode4]=qrencode [liblcms2-2]=lcms2 [libgif-dev]=/usr/include/gif_lib.h
    [libheif1]=libheif [libheif-examples]=heif-enc)
  for package in "$@"; do
    case $package in
      # giflib has no description for pkg-config.
      libgif-dev) [[ -e ${proof[$package]} ]] || missing+=(giflib) ;;
      lib*-dev | zlib1g-dev | liblcms2-2 | libheif1) pkg-config --exists "${proof[$package]}" 2>/dev/null || missing+=("${proof[$package]}") ;;
      *) [[ -e ${proof[$package]} ]] || command -v "${proof[$package]}" >/dev/null || missing+=("${proof[$package]}") ;;
    esac
  done
  ((${#missing[@]} == 0)) && return
  stop "This is not a Debian system (no apt-get), so nothing can be installed for you. Not found here: ${missing[*]}." \
    "Install these with their headers; if they are here and only pkg-config does not know them," \
    "run this again with BYTECLUB_SKIP_PACKAGES=1."
}
