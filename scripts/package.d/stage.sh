# shellcheck shell=bash
# shellcheck disable=SC2016,SC2154  # scripts/package sets the variables; quoted scripts are for other shells.
# How scripts/package makes the packages: links the programs, gathers their files in a folder, and packs that.

shared_programs=.build/packages/shared

# link_shared PRODUCT: links the compiled release once more, with the system's shared libraries, into $shared_programs.
# It runs the build's own last command with another target, so the release that scripts/run starts is never touched.
link_shared() {
  local product=$1 made=$PWD/$shared_programs/$1 steps=${release_folder%/*}/release.yaml words=() command=() index
  [[ $made -nt $release_folder/$product ]] && return
  say "Linking $product with the shared libraries of this Debian ..."
  mapfile -t words < <(
    sed -n "/^  \"C\.$product-$(uname -m)-.*-release\.exe\":/,/^\$/s/^    args: \[\"\(.*\)\"\]\$/\1/p" "$steps" |
      sed 's/","/\n/g'
  )
  for ((index = 0; index < ${#words[@]}; index++)); do
    case ${words[index]} in
      -o) command+=(-o "$made.new") && ((++index)) ;;
      # Without the archives' folder the linker finds the shared libraries.
      "$archives") unset 'command[-1]' ;;
      -l:lib*.a) command+=("$(sed 's/^-l:lib\(.*\)\.a$/-l\1/' <<<"${words[index]}")") ;;
      *) command+=("${words[index]}") ;;
    esac
  done
  [[ " ${command[*]} " == *" -o $made.new "* ]] || stop "$steps does not say how $product is linked."
  mkdir -p "$shared_programs"
  "${command[@]}" && mv "$made.new" "$made"
}

# The names of the Swift packages that a program has parts of: linked_packages PRODUCT
linked_packages() {
  local module folder
  grep -oE '[A-Za-z0-9_]+\.build/' "$release_folder/$1.product/Objects.LinkFileList" | sort -u |
    while IFS= read -r module; do
      for folder in .build/checkouts/*/Sources/"${module%.build/}"; do
        if [[ -d $folder ]]; then basename "${folder%/Sources/*}"; fi
      done
    done | sort -u
}

# notices PRODUCT: the notices that come with the licences of these packages (Apache-2.0, section 4d).
notices() {
  local package
  printf '%s\n' "$1 contains parts of the following packages. Their licences are in the file copyright."
  while IFS= read -r package; do
    printf '\n%s\n%s\n\n' "$package" "${package//?/=}"
    if [[ -e .build/checkouts/$package/NOTICE.txt ]]; then
      cat ".build/checkouts/$package/NOTICE.txt"
    else
      printf '%s\n' "Its licence is Apache-2.0; it has no notice."
    fi
  done < <(linked_packages "$1")
}

# Every package inside of a program is named in the licences.
check_licences() {
  local package product
  for product in byteclub byteclub-serve; do
    while IFS= read -r package; do
      grep -qw -- "$package" packaging/debian/copyright ||
        stop "packaging/debian/copyright does not name $package, which is part of $product."
    done < <(linked_packages "$product")
  done
}

# stage FOLDER PROGRAMS: all files below bin/ and share/, as they are installed. The programs print their own manuals.
stage() {
  local to=$1 programs=$2 program share=$1/share
  check_licences
  mkdir -p "$to/bin" "$share"/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d} \
    "$share"/{applications,icons/hicolor/scalable/apps,metainfo,doc/byteclub/docs,doc/byteclub-serve} \
    "$share"/{byteclub,systemd/user}
  for program in byteclub byteclub-serve; do
    strip --strip-unneeded -o "$to/bin/$program" "$programs/$program" &&
      "$to/bin/$program" manual >"$share/man/man1/$program.1" &&
      notices "$program" >"$share/doc/$program/NOTICE" || return
  done
  # A completion is read by the shell that wants it, so it names no program in its first line.
  "$to/bin/byteclub" completion bash | sed '1{/^#!/d}' >"$share/bash-completion/completions/byteclub" &&
    "$to/bin/byteclub" completion zsh >"$share/zsh/site-functions/_byteclub" &&
    "$to/bin/byteclub" completion fish >"$share/fish/vendor_completions.d/byteclub.fish" || return
  cp packaging/desktop/byteclub.desktop "$share/applications/"
  cp packaging/desktop/byteclub.svg "$share/icons/hicolor/scalable/apps/"
  filled packaging/desktop/metainfo.xml >"$share/metainfo/byteclub.metainfo.xml"
  cp packaging/user/*.service packaging/user/*.timer "$share/systemd/user/"
  cp packaging/user/tell_desktop.py "$share/byteclub/"
  cp README.md CHANGELOG.md config.example.json "$share/doc/byteclub/"
  cp -r docs/*.md docs/images "$share/doc/byteclub/docs/"
}

# The file with version, date and maintainer put in.
filled() {
  sed "s/@VERSION@/$version/g; s/@DATE@/$(date -d "@$SOURCE_DATE_EPOCH" +%F)/g; s/@MAINTAINER@/$maintainer/g" "$1"
}

# make_debs TO: from a source folder of Debian's form, in a scratch folder of its own.
make_debs() {
  local to=$1 source=$work/deb/byteclub-$version log=$PWD/.build/scripts/deb.log
  mkdir -p "$source"
  stage "$source/stage" "$shared_programs" || return
  cp -r packaging/debian "$source/debian"
  cp "packaging/systemd/byteclub-serve@.service" packaging/fail2ban/byteclub-serve.conf "$source/debian/"
  filled packaging/debian/control >"$source/debian/control"
  {
    printf 'byteclub (%s) unstable; urgency=medium\n\n' "$version"
    printf '  * Release %s. All changes: /usr/share/doc/byteclub/CHANGELOG.md\n\n' "$version"
    printf ' -- %s  %s\n' "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")"
  } >"$source/debian/changelog"
  rm -f "$to"/*.deb
  if ! (cd "$source" && dpkg-buildpackage --build=binary --unsigned-changes --no-check-builddeps) >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    say "The .deb packages could not be made (above); all of it is in $log."
    return 1
  fi
  cp "$work"/deb/*.deb "$to/"
}

# make_tarball TO: the release with Debian's archives inside, the licences of these, and an installer.
make_tarball() {
  local to=$1 folder=$work/tar/$tarball name
  mkdir -p "$folder"
  stage "$folder" "$release_folder" || return
  cp README.md LICENSE packaging/tarball/install.sh "$folder/"
  cp "packaging/systemd/byteclub-serve@.service" packaging/fail2ban/byteclub-serve.conf "$folder/share/doc/byteclub-serve/"
  mkdir -p "$folder/share/doc/byteclub/licences"
  cp packaging/debian/copyright "$folder/share/doc/byteclub/licences/byteclub"
  cp .build/checkouts/swift-argument-parser/LICENSE.txt "$folder/share/doc/byteclub/licences/Apache-2.0"
  for name in libncurses-dev libsqlite3-dev libjpeg62-turbo-dev libpng-dev libwebp-dev libgif-dev zlib1g-dev \
    libexpat1-dev libssl-dev libstdc++6; do
    cp -L "/usr/share/doc/$name/copyright" "$folder/share/doc/byteclub/licences/$name" ||
      { say "The licence of $name is missing."; return 1; }
  done
  chmod -R u=rwX,go=rX "$folder"
  rm -f "$to"/*.tar.xz
  tar --create --directory "$work/tar" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --format=gnu "$tarball" | xz --threads=2 --block-size=16MiB -3 >"$to/$tarball.tar.xz"
}
