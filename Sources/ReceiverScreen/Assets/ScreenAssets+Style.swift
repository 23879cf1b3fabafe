extension ScreenAssets {
  /// Sizes go by the smaller side of the screen: it is read from the other end of a room.
  static let style = #"""
    :root {
      --back: #0a0c11; --text: #f1f3f7; --soft: #b3bac7; --line: #ffffff24; --accent: #8fb0ff; --bad: #ffb4a8;
      --unit: clamp(4px, 1.15vmin, 14px);
    }
    * { box-sizing: border-box; margin: 0; }
    [hidden] { display: none !important; }
    html { height: 100%; background: var(--back); color: var(--text); font: 400 16px/1.3 system-ui, "Noto Sans", sans-serif; }
    html:has(.screen) { overflow: hidden; }
    .screen { height: 100%; overflow: hidden; position: relative; background: radial-gradient(120% 90% at 20% 10%, #1b2233, var(--back) 70%); }
    .screen > * { position: absolute; }
    #backdrop { inset: -8vmin; background-size: cover; background-position: center; filter: blur(6vmin) brightness(.35) saturate(1.2); }
    #stage { inset: 0; }
    #stage > * { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; background: #000; visibility: hidden; }
    #stage > audio { background: none; }
    #stage > .on { visibility: visible; }
    #card {
      inset: 0; padding: calc(7 * var(--unit)) calc(8 * var(--unit)); display: flex; align-items: center; gap: calc(6 * var(--unit));
    }
    #card > div { min-width: 0; max-width: 60rem; flex: 1 1 0; }
    #artwork {
      flex: none; width: min(46vmin, 40vw); max-height: 60vh; object-fit: contain; border-radius: calc(1.4 * var(--unit));
      box-shadow: 0 calc(2 * var(--unit)) calc(6 * var(--unit)) #000a;
    }
    #over { color: var(--accent); font-size: calc(2.6 * var(--unit)); letter-spacing: .02em; }
    #title { font-size: calc(6.4 * var(--unit)); font-weight: 600; line-height: 1.12; margin: calc(.8 * var(--unit)) 0; overflow-wrap: anywhere; }
    #subtitle { color: var(--soft); font-size: calc(3.2 * var(--unit)); overflow-wrap: anywhere; }
    #title, #subtitle { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
    .fault #title { color: var(--bad); font-size: calc(4.4 * var(--unit)); }
    .covered #card, .covered #device, .covered #clock { visibility: hidden; }
    #clock { top: calc(4 * var(--unit)); right: calc(6 * var(--unit)); font-size: calc(4.4 * var(--unit)); font-weight: 300; color: var(--soft); font-variant-numeric: tabular-nums; }
    #device { top: calc(4.6 * var(--unit)); left: calc(8 * var(--unit)); right: 30vmin; font-size: calc(2.6 * var(--unit)); color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    #bar { left: 0; right: 0; bottom: 0; padding: calc(9 * var(--unit)) calc(8 * var(--unit)) calc(4.5 * var(--unit)); background: linear-gradient(#0000, #000c); }
    #bar p { display: flex; justify-content: space-between; font-size: calc(2.6 * var(--unit)); font-variant-numeric: tabular-nums; text-shadow: 0 1px 3px #000; }
    #place { font-weight: 600; }
    #track { height: calc(.8 * var(--unit)); margin: calc(1.2 * var(--unit)) 0; border-radius: 1rem; background: #ffffff40; overflow: hidden; }
    #done { height: 100%; width: 0; background: var(--accent); border-radius: 1rem; }
    #captions { left: 8%; right: 8%; bottom: 9%; text-align: center; --scale: 1; }
    #bar:not([hidden]) ~ #captions, .screen:has(#bar:not([hidden])) #captions { bottom: calc(22 * var(--unit)); }
    #captions p { display: inline-block; padding: .15em .4em; font-size: calc(4.6 * var(--unit) * var(--scale)); line-height: 1.3; }
    #captions span { display: table; margin: 0 auto; padding: 0 .3em; white-space: pre-wrap; }
    #break { right: calc(6 * var(--unit)); bottom: calc(6 * var(--unit)); max-width: 80vw; padding: calc(2 * var(--unit)) calc(3 * var(--unit)); border-radius: calc(1.2 * var(--unit)); background: #0a0c11d9; border: 1px solid var(--line); text-align: right; font-size: calc(3 * var(--unit)); }
    #countdown { margin-left: calc(1.6 * var(--unit)); font-weight: 600; font-variant-numeric: tabular-nums; color: var(--accent); }
    #skip { color: var(--soft); font-size: calc(2.6 * var(--unit)); }
    #skip:empty { display: none; }
    #wait { left: 50%; top: 50%; width: calc(9 * var(--unit)); height: calc(9 * var(--unit)); margin: calc(-4.5 * var(--unit)); border-radius: 50%; border: calc(.9 * var(--unit)) solid #ffffff33; border-top-color: var(--text); animation: turn 1s linear infinite; }
    @keyframes turn { to { transform: rotate(1turn); } }
    @media (prefers-reduced-motion: reduce) { #wait { animation-duration: 4s; } }
    #volume { top: calc(5 * var(--unit)); left: 50%; transform: translateX(-50%); display: flex; align-items: center; gap: calc(1.8 * var(--unit)); padding: calc(1.6 * var(--unit)) calc(3 * var(--unit)); border-radius: 10rem; background: #0a0c11e6; border: 1px solid var(--line); font-size: calc(2.6 * var(--unit)); }
    #volume svg { width: calc(4 * var(--unit)); fill: var(--text); stroke: none; }
    #waves { fill: none; stroke: var(--text); stroke-width: 1.8; stroke-linecap: round; }
    #volume.muted #waves { display: none; }
    #volume > div { width: calc(26 * var(--unit)); height: calc(.9 * var(--unit)); border-radius: 1rem; background: #ffffff33; overflow: hidden; }
    #level { height: 100%; background: var(--text); border-radius: 1rem; }
    #volume.muted #level { background: #ffffff55; }
    #percent { min-width: 3.4em; text-align: right; font-variant-numeric: tabular-nums; }
    .screen #notice { left: calc(4 * var(--unit)); bottom: calc(2 * var(--unit)); max-width: 60vw; color: var(--bad); font-size: max(13px, calc(1.9 * var(--unit))); text-shadow: 0 1px 3px #000; overflow-wrap: anywhere; }
    .screen #notice.big {
      left: 50%; bottom: calc(26 * var(--unit)); max-width: 84vw; transform: translateX(-50%); text-align: center;
      padding: calc(1.8 * var(--unit)) calc(3.4 * var(--unit)); border-radius: calc(1.2 * var(--unit));
      background: #0a0c11e6; border: 1px solid var(--line); font-size: calc(3 * var(--unit)); width: max-content;
    }
    #dark { inset: 0; background: #000; display: grid; place-items: center; color: #ffffff59; font-size: calc(3 * var(--unit)); }
    @media (max-aspect-ratio: 1/1) {
      :root { --unit: clamp(4px, 1.5vmin, 14px); }
      #card { flex-direction: column; align-items: flex-start; justify-content: center; gap: calc(4 * var(--unit)); }
      #card > div { flex: none; max-width: 100%; }
      #artwork { width: min(70vw, 60vmin); }
      #volume { top: calc(10 * var(--unit)); }
    }
    .list { max-width: 80rem; margin: 0 auto; padding: 2rem 1.5rem; }
    .list header { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: baseline; margin-bottom: 1.4rem; }
    .list h1 { font-size: 1.8rem; font-weight: 600; }
    .list #notice { color: var(--soft); }
    #screens { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); }
    #screens a { display: block; min-height: 8rem; padding: 1.1rem 1.2rem; border-radius: .8rem; border: 1px solid var(--line); background: linear-gradient(160deg, #1b2233, #10131b); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
    #screens a:hover { border-color: var(--accent); }
    #screens a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    #screens h2 { font-size: 1.15rem; font-weight: 600; margin-bottom: .5rem; }
    #screens p { color: var(--soft); }
    #screens [data-phase="playing"] p { color: var(--accent); }
    #screens small { color: var(--soft); }

    """#
}
