# Draws lines of terminal output as an SVG. "␛" stands for the escape character. Read byte by byte, in the C locale: awk
# knows no UTF-8 everywhere. Each run of text gets the width of its cells, so that columns align in every font. Behind lines
# of "=== frame" stand pictures that are shown one after the other.

BEGIN {
  for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i
  cell = 8.4
  line_height = 19
  margin = 18
  columns = 80
  split("bold 1 dim 2 reverse 7 red 31 green 32 yellow 33 cyan 36", words, " ")
  for (i = 1; i in words; i += 2) names[words[i + 1]] = words[i]
}

/^=== frame$/ { frames++; rows = 0; next }
{ lines[frames + 0, ++rows] = $0; if (rows > height) height = rows }

END {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-size=\"14\"\n", \
    columns * cell + 2 * margin, height * line_height + 2 * margin
  print "  font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\">"
  print "<title>" title "</title>"
  print "<style>text { fill: #d8dee9; white-space: pre } .bold { font-weight: bold; fill: #fff } .dim { fill: #7b8496 }"
  print ".green { fill: #a3be8c } .cyan { fill: #88c0d0 } .yellow { fill: #ebcb8b } .red { fill: #bf616a }"
  print "text.reverse { fill: #1f2430 } rect.reverse { fill: #d8dee9 }"
  if (frames) {
    printf ".frame { visibility: hidden; animation: show %gs step-end infinite }\n", frames * seconds
    printf "@keyframes show { 0%% { visibility: visible } %g%% { visibility: hidden } }\n", 100 / frames
  }
  print "</style>"
  print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1f2430\"/>"
  for (frame = frames ? 1 : 0; frame <= frames; frame++) draw_frame(frame)
  print "</svg>"
}

function draw_frame(frame) {
  if (frame) printf "<g class=\"frame\" style=\"%sanimation-delay:%gs\">\n", frame == 1 ? "visibility:visible;" : "", (frame - 1) * seconds
  for (row = 1; (frame, row) in lines; row++) draw(lines[frame, row])
  if (frame) print "</g>"
}

function draw(line,    at, character, width) {
  column = 0
  start_run()
  style = ""
  for (at = 1; at <= length(line); at += length(character)) {
    character = character_at(line, at)
    if (character == "␛") {
      match(substr(line, at), /m/)
      character = substr(line, at, RSTART)
      end_run()
      style = style_of(character)
      continue
    }
    # Two spaces end a run: the next begins at its own column.
    if (style !~ /reverse/ && character == " " && substr(line, at + 1, 1) == " ") end_run()
    width = width_of(character)
    if (style !~ /reverse/ && run == "" && character == " ") run_column = column + 1
    else run = run escaped(character)
    column += width
  }
  end_run()
}

function start_run() {
  run = ""
  run_column = column
}

function end_run() {
  if (style ~ /reverse/ && run != "")
    printf "<rect class=\"reverse\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n", margin + run_column * cell, \
      margin + (row - 1) * line_height, (column - run_column) * cell, line_height
  else sub(/ +$/, "", run)
  if (run != "")
    printf "<text x=\"%g\" y=\"%g\" textLength=\"%g\" lengthAdjust=\"spacingAndGlyphs\"%s>%s</text>\n", \
      margin + run_column * cell, margin + row * line_height - 5, (column - run_column) * cell, \
      style == "" ? "" : " class=\"" style "\"", run
  start_run()
}

function style_of(escape,    codes, count, i, class) {
  sub(/.*\[/, "", escape)
  sub(/m$/, "", escape)
  count = split(escape, codes, ";")
  for (i = 1; i <= count; i++) if (codes[i] in names) class = class (class == "" ? "" : " ") names[codes[i]]
  return class
}

function character_at(line, at,    lead) {
  lead = code[substr(line, at, 1)]
  return substr(line, at, lead < 192 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4)
}

# The terminal's cells: two for CJK and emoji; none for combining accents, variation selectors, joiners and the character
# after a joiner.
function width_of(character,    lead, width) {
  lead = code[substr(character, 1, 1)]
  width = lead >= 227 && lead <= 237 || lead >= 240 || character ~ /^\357[\274\275]/ ? 2 : 1
  if (joined || character == "‍" || character ~ /^\357\270[\200-\217]/ || character ~ /^(\314|\315[\200-\257])/) width = 0
  joined = character == "‍"
  return width
}

function escaped(character) {
  if (character == "&") return "&amp;"
  if (character == "<") return "&lt;"
  return character == ">" ? "&gt;" : character
}
