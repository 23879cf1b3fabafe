/// The shells that completions exist for.
package enum ShellKind: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// What the shell reads. The program itself decides what may follow, so that a script never falls behind it; names come
  /// from the network, so no shell ever expands or runs what it is told.
  package var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = """
    # bash completion for showcaller: eval "$(showcaller completions bash)"
    _showcaller() {
      local mode= candidate
      COMPREPLY=()
      while IFS= read -r candidate; do
        if [[ -z $mode ]]; then mode=$candidate; else COMPREPLY+=("$candidate"); fi
      done < <("$1" ---complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      [[ $mode != part ]] || compopt -o nospace
    }
    complete -F _showcaller showcaller

    """

  private static let zshScript = """
    #compdef showcaller
    # zsh completion for showcaller: showcaller completions zsh > a folder of $fpath/_showcaller
    _showcaller() {
      local line mode before text description
      local -a texts parts shown shown_parts
      local -a found=("${(@f)$("${(Q)words[1]}" ---complete zsh "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      mode=${found[1]} before=${found[2]}
      if [[ -n $before ]]; then
        IPREFIX+=$before
        PREFIX=${PREFIX#$before}
      fi
      case $mode in
        folders) _files -/; return ;;
        files) _files; return ;;
        yaml) _files -g '*.(yaml|yml)(-.)'; return ;;
      esac
      for line in "${(@)found[3,-1]}"; do
        text=${line%%$'\\t'*} description=${line#*$'\\t'}
        if [[ $text == *= && $mode == part ]]; then
          parts+=("$text") shown_parts+=("$text")
        elif [[ -n $description ]]; then
          texts+=("$text") shown+=("$text  -- $description")
        else
          texts+=("$text") shown+=("$text")
        fi
      done
      local -i status_=1
      (( $#texts )) && compadd -l -d shown -a texts && status_=0
      (( $#parts )) && compadd -S '' -d shown_parts -a parts && status_=0
      return status_
    }
    if [[ $funcstack[1] == _showcaller ]]; then _showcaller "$@"; else compdef _showcaller showcaller; fi

    """

  private static let fishScript = """
    # fish completion for showcaller: showcaller completions fish > ~/.config/fish/completions/showcaller.fish
    function __showcaller_complete
        set -l words (commandline -opc)
        set -l token (commandline -ct)
        set -l word (string unescape -- $token)
        if test -z "$word"
            # A quote that is still open.
            set word (string replace -r -- '^[\\'"]' '' $token)
        end
        command $words[1] ---complete fish $words "$word" 2>/dev/null
    end
    complete -c showcaller -f -a '(__showcaller_complete)'

    """
}
