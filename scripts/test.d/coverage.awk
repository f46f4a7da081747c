# Sums the lines of `llvm-cov report` by room: a Markdown table.
$1 ~ /\.(swift|c|h)$/ && $8 ~ /^[0-9]+$/ {
  room = $1
  # llvm-cov leaves out what all paths begin with.
  sub(/^.*Sources\//, "", room)
  sub(/^(App|Club|Pictures|Stores|Server|Ground|C)\//, "", room)
  sub(/\/.*/, "", room)
  lines[room] += $8
  missed[room] += $9
}
END {
  print "| room | lines | run by tests |"
  print "|---|---|---|"
  for (room in lines) {
    printf "| %s | %d | %.1f %% |\n", room, lines[room], 100 * (lines[room] - missed[room]) / lines[room] | "sort"
    all += lines[room]
    gone += missed[room]
  }
  close("sort")
  if (all) printf "| all | %d | %.1f %% |\n", all, 100 * (all - gone) / all
}
