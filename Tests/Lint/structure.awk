# Reads the names of Swift files and checks their folders, mentions and comments; Tests/Lint/structure says how.
# It needs the committed format: a top-level declaration begins its line, and a nested one is indented further.

{ read_file($0) }

END {
  check_sizes()
  for (target in targets) check_target(target)
  if (errors) exit 1
  gsub(/^ +| +$/, "", known)
  print "structure: " files " files checked" (known == "" ? "" : "; known to break a rule: " known)
}

# Reports a finding in a target, unless the target is known to have some of this kind.
function fail(kind, target, message) {
  sub(/^(Sources|Tests)\//, "", target)
  if (index(known, " " kind ":" target " ")) return
  print "error: " message > "/dev/stderr"
  errors++
}

# --- Reading a file

function read_file(path,    parts, line, number) {
  files++
  split(path, parts, "/")
  target_of[path] = parts[1] "/" parts[2] (parts[2] == "Bench" ? "/" parts[3] : "")
  folder_of[path] = path
  sub(/\/[^\/]*$/, "", folder_of[path])
  targets[target_of[path]] = targets[target_of[path]] path "\n"
  sizes[folder_of[path]]++
  home[folder_of[path]] = target_of[path]
  depth = 0      # strings that are open, one inside the interpolation of the other
  comments = 0   # block comments that are open
  level = 0      # declarations that enclose the current line
  while ((getline line < path) > 0) read_line(path, ++number, line)
  close(path)
}

function read_line(path, number, line,    code) {
  if (depth == 0 && comments == 0 && line ~ /^ *\/\//) {
    check_comment(path, number, line, 1)
    return
  }
  code = code_of(path, number, line)
  find_declaration(path, code)
  find_mentions(path, code)
}

# The line without comments and strings; what is interpolated into a string is code.
function code_of(path, number, line,    code, token, at) {
  code = ""
  while (length(line) > 0) {
    if (comments > 0) {
      at = index(line, "*/")
      if (at == 0) return code
      line = substr(line, at + 2)
      comments--
    } else if (depth > 0 && parens[depth] == 0) {
      if (!match(line, /\\|"/)) { line = ""; break }
      token = substr(line, RSTART)
      if (substr(token, 1, length(quote[depth])) == quote[depth]) {
        line = substr(token, length(quote[depth]) + 1)
        depth--
        code = code " "
      } else if (substr(token, 1, length(escape[depth]) + 1) == escape[depth] "(") {
        line = substr(token, length(escape[depth]) + 2)
        parens[depth] = 1
        code = code " "
      } else {
        # An escaped character is skipped with its backslash.
        line = substr(token, substr(token, 1, length(escape[depth])) == escape[depth] ? length(escape[depth]) + 2 : 2)
      }
    } else {
      if (!match(line, /\/\/|\/\*|#*"|[()]/)) return code line
      token = substr(line, RSTART, RLENGTH)
      code = code substr(line, 1, RSTART - 1)
      line = substr(line, RSTART + RLENGTH)
      if (token == "//") {
        check_comment(path, number, "//" line, 0)
        return code
      } else if (token == "/*") {
        comments++
      } else if (token == "(" || token == ")") {
        if (depth > 0) parens[depth] += token == "(" ? 1 : -1
        code = code (depth > 0 && parens[depth] == 0 ? " " : token)
      } else {
        line = open_string(token, line)
      }
    }
  }
  # A string that began and did not end on its line is one of several lines.
  while (depth > 0 && parens[depth] == 0 && quote[depth] !~ /^"""/) depth--
  return code
}

function open_string(token, line,    hashes) {
  hashes = substr(token, 1, length(token) - 1)
  depth++
  parens[depth] = 0
  escape[depth] = "\\" hashes
  quote[depth] = "\"" hashes
  if (substr(line, 1, 2) == "\"\"") {
    quote[depth] = "\"\"\"" hashes
    return substr(line, 3)
  }
  return line
}

# --- Declarations and mentions

function find_declaration(path, code,    indent, rest, kind, name, mine) {
  if (code !~ /^ *(@[A-Za-z]+(\([^)]*\))? +|[a-z]+(\([a-z]+\))? +)*(struct|class|enum|actor|protocol|extension|typealias|func|init|deinit|subscript|var|let)([ ?(<{]|$)/) return
  match(code, /^ */)
  indent = RLENGTH
  rest = " " substr(code, indent + 1)
  match(rest, / (struct|class|enum|actor|protocol|extension|typealias|func|init|deinit|subscript|var|let)([ ?(<{]|$)/)
  kind = substr(rest, RSTART + 1, RLENGTH - 1)
  sub(/[ ?(<{]$/, "", kind)
  mine = substr(rest, 1, RSTART)
  rest = substr(rest, RSTART + RLENGTH)
  # `class func` and `class var` declare a function and a variable.
  if (kind == "class" && match(rest, /^(func|var|let) /)) {
    kind = substr(rest, 1, RLENGTH - 1)
    rest = substr(rest, RLENGTH + 1)
  }
  name = match(rest, /^`?[A-Za-z_][A-Za-z0-9_]*/) ? substr(rest, 1, RLENGTH) : kind
  sub(/^`/, "", name)
  while (level > 0 && indents[level] >= indent) level--
  if (level > 0 && is_code(kinds[level])) return
  level++
  indents[level] = indent
  kinds[level] = kind
  own[path, kind == "func" ? name "()" : name] = 1
  if (kind == "func") own[path, name] = 1
  if (mine ~ / (private|fileprivate) /) return
  if (indent == 0 && kind ~ /^(struct|class|enum|actor|protocol|typealias)$/) declare(path, name)
  if (kind == "func" && name ~ /[a-z][A-Z]/ && name != "withLock") declare(path, name "()")
}

function is_code(kind) { return kind ~ /^(func|init|deinit|subscript|var)$/ }

function declare(path, name,    key) {
  key = target_of[path] SUBSEP name
  if (!(key in owner)) owner[key] = path
  else if (owner[key] != path) owner[key] = "several"
}

function find_mentions(path, code,    name, after) {
  while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
    name = substr(code, RSTART, RLENGTH)
    after = substr(code, RSTART + RLENGTH, 2)
    code = substr(code, RSTART + RLENGTH)
    if (name ~ /^[A-Z]/) mention(path, name)
    else if (name ~ /[a-z][A-Z]/ && after ~ /^ ?[({]/) mention(path, name "()")
  }
}

function mention(path, name) {
  if ((path, name) in mentioned) return
  mentioned[path, name] = 1
  mentions[path] = mentions[path] name "\n"
}

# --- Checks

function check_sizes(    folder) {
  for (folder in sizes)
    if (sizes[folder] > 20 && folder !~ /^Tests\/[A-Za-z]*Tests(\/|$)/)
      fail("size", home[folder], folder " holds " sizes[folder] " files; more than 20 are several subjects")
}

function check_comment(path, number, text, is_whole) {
  if (text ~ /(^|[^A-Za-z`])([Ww]ho|[Ww]hoever|[Ss]omebody|[Nn]obody|[Aa]nybody|[Ee]verybody)([^A-Za-z`-]|$)/)
    fail("comment", target_of[path], path ":" number ": a comment names the technical subject, not somebody: " text)
  if (is_whole && text ~ /^ *\/\/\/? *(- )?What[^A-Za-z]/)
    fail("comment", target_of[path], path ":" number ": a comment begins with its subject, not with \"What\": " text)
}

# Folders on a circle are those that reach each other: arrows are followed until no folder learns of another.
function check_target(target,    paths, count, i, names, n, j, path, other, from, to, arrow, reach, changed, key, pair, circle) {
  count = split(targets[target], paths, "\n") - 1
  for (i = 1; i <= count; i++) {
    path = paths[i]
    if (index(registries, " " path " ")) continue
    n = split(mentions[path], names, "\n") - 1
    for (j = 1; j <= n; j++) {
      if ((path, names[j]) in own) continue
      key = target SUBSEP names[j]
      if (!(key in owner)) continue
      other = owner[key]
      if (other == "several" || folder_of[other] == folder_of[path] || index(registries, " " other " ")) continue
      from = folder_of[path]
      to = folder_of[other]
      if (++times[from, to] <= 5) arrow[from, to] = arrow[from, to] "\n    " path " -> " other ": " names[j]
      reach[from, to] = 1
    }
  }
  do {
    changed = 0
    for (key in reach) {
      split(key, pair, SUBSEP)
      for (i = 1; i <= count; i++) {
        to = folder_of[paths[i]]
        if (((pair[2], to) in reach) && !((pair[1], to) in reach)) {
          added[pair[1], to] = 1
          changed = 1
        }
      }
    }
    for (key in added) { reach[key] = 1; delete added[key] }
  } while (changed)
  circle = ""
  for (key in arrow) {
    split(key, pair, SUBSEP)
    if ((pair[2], pair[1]) in reach) circle = circle "\n  " pair[1] " -> " pair[2] ", " times[key] " mentions" arrow[key]
  }
  if (circle != "") fail("circle", target, "folders of " target " form a circle; the arrows of one direction are wrong:" circle)
}
