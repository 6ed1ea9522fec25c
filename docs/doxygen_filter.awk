# SPDX-License-Identifier: GPL-3.0-or-later
# Shows our plain comments to doxygen: a comment that stands alone belongs to what follows it, one behind code
# to that code. Signs that are commands to doxygen are escaped.

function escaped(text) {
    gsub(/[\\@<>#%&$]/, "\\\\&", text)
    return text
}

BEGIN { in_head = 1 }

/^\/\/ SPDX-/ { next }

# Headings between parts: "// ---- name" and the dashes below it.
/^\/\/ -+/ { print ""; next }

/^[ \t]*\/\// {
    match($0, /^[ \t]*/)
    indent = substr($0, 1, RLENGTH)
    text = $0
    sub(/^[ \t]*\/\/ ?/, "", text)
    if (in_head && !head_begun) {
        print "/// @file"
        head_begun = 1
    }
    # Lines indented behind an empty one are code.
    if (!in_code && was_empty && text ~ /^    /) {
        print indent "/// @code"
        in_code = 1
    } else if (in_code && text !~ /^    / && text != "") {
        print indent "/// @endcode"
        in_code = 0
    }
    was_empty = text == ""
    if (in_code)
        print indent "/// " text
    else
        print indent "///" (behind_code ? "< " : " ") escaped(text)
    next
}

{
    if (in_code)
        print "/// @endcode"
    in_code = 0
    was_empty = 0
    if (head_begun)
        in_head = 0
    behind_code = 0
    at = index($0, " // ")
    if (at > 0 && $0 !~ /^#/ && substr($0, 1, at) !~ /"[^"]*$/) {
        print substr($0, 1, at) "///< " escaped(substr($0, at + 4))
        behind_code = 1
        next
    }
    print
}
