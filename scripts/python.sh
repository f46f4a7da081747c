# shellcheck shell=bash
# Packages of PyPI that tests use, in a virtual environment of their own. The other scripts source this file.
#
#   need_python   sets test_python to its Python; to nothing where the packages cannot be fetched, which it says

# shellcheck disable=SC2034  # used by scripts/test
test_python=''
# moto is the S3 server of the tests; botocore, which it brings, signs requests as Amazon's own tools do.
python_packages=('moto[server]==5.2.5')

need_python() {
  local folder=.build/scripts/python stamp
  stamp=$folder/packages
  if [[ -e $stamp && $(<"$stamp") == "${python_packages[*]}" ]]; then
    test_python=$PWD/$folder/bin/python
    return
  fi
  rm -rf "$folder"
  mkdir -p .build/scripts
  if { python3 -m venv "$folder" && "$folder/bin/pip" -q install "${python_packages[@]}"; } \
    >.build/scripts/python.log 2>&1; then
    printf '%s' "${python_packages[*]}" >"$stamp"
    test_python=$PWD/$folder/bin/python
  else
    rm -rf "$folder"
    say "Tests of S3 are skipped: ${python_packages[*]} cannot be fetched from PyPI (.build/scripts/python.log)."
  fi
}
