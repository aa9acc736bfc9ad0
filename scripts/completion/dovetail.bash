# dovetail.bash - completion of bash: commands and options as the help has them, cases, results, and what the help can tell of.
_dovetail() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-} topic=${COMP_WORDS[2]-} words=
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    words=$(dovetail help 2>/dev/null | sed -n 's/^  dovetail \([a-z][a-z]*\) .*/\1/p' | sort -u)' --help --version'
  elif [[ $word == -* ]]; then
    words=$(dovetail help 2>/dev/null | grep -oE -- '(^|[ ,[|])--[a-z]+' | grep -oE -- '--[a-z]+' | sort -u)
  elif [[ $command == help && $COMP_CWORD -eq 2 ]]; then
    words=$(dovetail help 2>/dev/null | sed -n 's/^  dovetail help \([a-z][a-z]*\) .*/\1/p')
  elif [[ $command == help && $COMP_CWORD -eq 3 ]]; then
    words=$(dovetail help "$topic" 2>/dev/null | sed -n 's/^ *\([a-z][a-z0-9_]*\)  *[^ ].*/\1/p')
  else
    local ending=yaml
    case $command in run | check) ;; *) ending=h5 ;; esac
    compopt -o filenames 2>/dev/null # outside of a completion there are none
    mapfile -t COMPREPLY < <(compgen -f -X "!*.$ending" -- "$word"; compgen -d -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _dovetail dovetail
