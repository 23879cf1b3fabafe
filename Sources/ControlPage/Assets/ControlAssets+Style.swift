extension ControlAssets {
  static let style = #"""
    :root {
      --back: #fff; --text: #1b1b1b; --soft: #595959; --line: #767676; --faint: #d5d5d5; --card: #f6f6f6;
      --bad: #a3161b; --good: #146c2e; --accent: #0b57d0;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #121212; --text: #ececec; --soft: #b4b4b4; --line: #8a8a8a; --faint: #3a3a3a; --card: #1e1e1e;
        --bad: #ff9c94; --good: #7ddc8f; --accent: #a8c7fa;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-padding-bottom: 6rem; }
    body {
      margin: 0 auto; max-width: 75rem; padding: 1rem 1rem 6rem; background: var(--back); color: var(--text);
      font: 1rem/1.4 system-ui, sans-serif; overflow-wrap: anywhere;
    }
    header { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; justify-content: space-between; }
    header p { margin: 0; }
    #message { position: fixed; bottom: 1rem; left: 1rem; right: 1rem; max-width: 40rem; margin: 0 auto; z-index: 1; }
    #message:not(:empty) {
      padding: .6rem .9rem; background: var(--back); border: 1px solid var(--line); border-radius: .4rem;
      box-shadow: 0 2px 8px #0004;
    }
    #message.bad { border-color: var(--bad); }
    h1 { font-size: 1.3rem; margin: 0; }
    h2 { font-size: 1.15rem; margin: 1.4rem 0 .6rem; }
    h3 { font-size: 1rem; margin: 0; }
    h4 { font-size: .95rem; margin: .9rem 0 .2rem; }
    .screens {
      display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); margin-top: .8rem;
      align-items: start;
    }
    article { background: var(--card); border: 1px solid var(--faint); border-radius: .6rem; padding: 1rem; }
    article.dark { border: 2px solid var(--bad); padding: calc(1rem - 1px); }
    .head { display: flex; flex-wrap: wrap; gap: .2rem .8rem; justify-content: space-between; align-items: baseline; }
    .now { font-size: 1.1rem; font-weight: 600; margin: .4rem 0; }
    img {
      display: block; width: 100%; height: 10rem; object-fit: contain; background: var(--faint); border-radius: .4rem;
    }
    [hidden] { display: none; }
    .soft, small { color: var(--soft); }
    .bad { color: var(--bad); font-weight: 600; }
    .good { color: var(--good); }
    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .2rem .8rem; margin: .7rem 0; }
    dt { color: var(--soft); }
    dd { margin: 0; }
    button, select, input {
      font: inherit; min-height: 2.75rem; max-width: 100%; padding: .3rem .9rem; color: inherit; background: var(--back);
      border: 1px solid var(--line); border-radius: .4rem;
    }
    button { cursor: pointer; }
    button:active { background: var(--faint); }
    button.alarm { border-color: var(--bad); color: var(--bad); font-weight: 600; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    .actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: .6rem; }
    .actions select { flex: 1 1 8rem; min-width: 0; }
    summary { cursor: pointer; padding: .5rem 0; }
    ul, ol { padding: 0; margin: 0; list-style: none; }
    .problems li { padding: .3rem 0; border-top: 1px solid var(--faint); }
    .week li {
      display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 .8rem; padding: .35rem 0;
      border-top: 1px solid var(--faint);
    }
    .week .shown { grid-column: 2; }
    .week .on { background: var(--card); }
    footer { margin-top: 2rem; border-top: 1px solid var(--faint); padding-top: 1rem; }
    form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
    @media (max-width: 26rem) { .week li { grid-template-columns: minmax(0, 1fr); } .week .shown { grid-column: 1; } }

    """#
}
