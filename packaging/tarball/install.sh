#!/bin/sh
# Installs byteclub below a folder, or removes it from there:
#   ./install.sh                   into ~/.local (programs in ~/.local/bin)
#   ./install.sh /usr/local        into another folder
#   ./install.sh --remove [DIR]    removes the files that an installation of this version wrote
# The programs run from where they were unpacked, too: ./bin/byteclub demo
set -eu
here=$(cd "$(dirname "$0")" && pwd)
remove=no
case ${1:-} in
  -h | --help)
    sed -n '2,6s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  --remove)
    remove=yes
    shift
    ;;
  -*)
    echo "install.sh does not know the option \"$1\". See: $0 --help" >&2
    exit 2
    ;;
esac
if [ $# -eq 0 ] && [ -z "${HOME:-}" ]; then
  echo "Your home directory is unknown: HOME is not set. Name the folder: $0 DIR" >&2
  exit 2
fi
prefix=${1:-$HOME/.local}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac

cd "$here"
if [ "$remove" = yes ]; then
  find bin share -type f | while IFS= read -r file; do rm -f "$prefix/$file"; done
  rmdir "$prefix/share/byteclub" 2>/dev/null || true
  # Only folders that bear byteclub's name are removed, and only when they are empty.
  find share/doc/byteclub -depth -mindepth 1 -type d | while IFS= read -r folder; do
    rmdir "$prefix/$folder" 2>/dev/null || true
  done
  rmdir "$prefix/share/doc/byteclub" 2>/dev/null || [ ! -d "$prefix/share/doc/byteclub" ] ||
    echo "Left $prefix/share/doc/byteclub: it has other files." >&2
  echo "Removed byteclub from $prefix. Your notes, drafts and settings are still there."
  exit 0
fi
# The units name programs in double quotes, where systemd takes %% for %, and $$ for $ in what follows the first word.
# sed then puts these texts in the place of others. Systemd starts no program whose name has a quote or a backslash.
has_units=yes
case $prefix in *[\\\"\'[:cntrl:]]*) has_units=no ;; esac
escaped=$(printf '%s\n' "$prefix" | sed 's/%/%%/g; s/[\\&|]/\\&/g')
doubled=$(printf '%s\n' "$escaped" | sed 's/\$/$$/g')
find bin share -type f | while IFS= read -r file; do
  mode=644
  case $file in bin/*) mode=755 ;; esac
  case $has_units,$file in no,share/systemd/*) continue ;; esac
  mkdir -p "$prefix/$(dirname "$file")"
  # A program that runs cannot be written over; a new file takes its name.
  cp "$file" "$prefix/$file.new"
  case $file in
    # The units name the programs of a package.
    share/systemd/*)
      sed "s|/usr/bin/byteclub|\"$escaped/bin/byteclub\"|; s|/usr\\(/share/byteclub/[a-z_.]*\\)|'$doubled\\1'|" \
        "$file" >"$prefix/$file.new"
      ;;
  esac
  chmod "$mode" "$prefix/$file.new"
  mv -f "$prefix/$file.new" "$prefix/$file"
done
echo "Installed byteclub below $prefix."
[ "$has_units" = yes ] || echo "Left out the units: systemd starts no program in a folder with a quote or backslash in its name."
case :$PATH: in
  *":$prefix/bin:"*) echo "Try it: byteclub demo" ;;
  *) echo "$prefix/bin is not on your PATH. Try it: $prefix/bin/byteclub demo" ;;
esac
