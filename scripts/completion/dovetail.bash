# dovetail.bash - completion of bash: commands and options as the help has them, cases, results and what is in them, and what the help can tell of.
_dovetail_names() { # of a topic of the help
  case $1 in
    results) set -- studies ;; # its kinds are those of studies
    case) return ;;
  esac
  dovetail help "$1" 2>/dev/null | sed -n -e '/^kind  /d' -e 's/^ \{0,2\}\([a-z][a-z0-9_]*\)  *[^ ].*/\1/p'
}

_dovetail_paths() { # of a result, down to the next slash behind what is there
  dovetail info "$1" 2>/dev/null | sed -n 's|^  /\([^ ]*\).*|\1|p' |
    awk -v word="$2" 'index($0, word) == 1 { rest = substr($0, length(word) + 1); sub(/\/.*/, "", rest); print word rest }' | sort -u
}

_dovetail() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]-} command=${COMP_WORDS[1]-} topic=${COMP_WORDS[2]-} words= ending=yaml
  COMPREPLY=()
  if [[ $before == -o || $before == --output ]]; then
    compopt -o filenames 2>/dev/null # outside of a completion there are none
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  elif [[ $COMP_CWORD -eq 1 ]]; then
    words=$(dovetail help 2>/dev/null | sed -n 's/^  dovetail \([a-z][a-z]*\) .*/\1/p' | sort -u)' --help --version'
  elif [[ $word == -* ]]; then
    words=$(dovetail help 2>/dev/null | grep -oE -- '(^|[ ,[|])--[a-z]+(-[a-z]+)*' | grep -oE -- '--[a-z-]+' | sort -u)
  elif [[ $command == help && $COMP_CWORD -eq 2 ]]; then
    words=$(dovetail help 2>/dev/null | sed -n 's/^  dovetail help \([a-z][a-z]*\) .*/\1/p')
  elif [[ $command == help ]]; then
    [[ $COMP_CWORD -eq 3 ]] && words=$(_dovetail_names "$topic")
  elif [[ $command == export && $topic == *.h5 && $COMP_CWORD -gt 2 ]]; then
    compopt -o nospace 2>/dev/null # more of the path may follow
    words=$(_dovetail_paths "$topic" "$word")
  else
    [[ $command == run || $command == check ]] || ending=h5
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -X "!*.$ending" -- "$word"; compgen -d -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _dovetail dovetail
