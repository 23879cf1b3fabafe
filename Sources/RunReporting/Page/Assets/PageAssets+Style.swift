extension PageAssets {
  static let style = #"""
    :root {
      --back: #fff; --text: #1b1b1b; --soft: #595959; --line: #767676; --faint: #d5d5d5; --card: #f6f6f6;
      --bad: #a3161b; --good: #146c2e; --warn: #7a4b00; --accent: #0b57d0;
      --bad-back: #fbdad7; --good-back: #d3ecd8; --warn-back: #fbe6bd; --blue-back: #d3e3fd; --violet-back: #e8dcfb;
      --grey-back: #e6e6e6;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --back: #121212; --text: #ececec; --soft: #b4b4b4; --line: #8a8a8a; --faint: #3a3a3a; --card: #1e1e1e;
        --bad: #ff9c94; --good: #7ddc8f; --warn: #f2c063; --accent: #a8c7fa;
        --bad-back: #5a1f1d; --good-back: #1c4427; --warn-back: #543c10; --blue-back: #1d3d6b; --violet-back: #41306b;
        --grey-back: #3a3a3a;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
    main, footer { max-width: 110rem; margin: 0 auto; padding: 1rem clamp(.8rem, 2vw, 2rem); }
    h1 { font-size: 1.4rem; margin: .2rem 0 1rem; }
    h2 { font-size: 1.2rem; margin: 0 0 .6rem; }
    h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; }
    h4 { font-size: .95rem; margin: 1rem 0 .3rem; color: var(--soft); }
    p { margin: .4rem 0; }
    a { color: var(--accent); }
    code, pre, .source { font-family: ui-monospace, "Noto Sans Mono", monospace; font-size: .88em; }
    pre { white-space: pre-wrap; margin: .3rem 0; }
    h1, h2, h3, th, td, code, dd, summary, .name { unicode-bidi: isolate; }
    .soft, .left, small, dt, .time, .who, .place { color: var(--soft); }
    .bad { color: var(--bad); }
    .hash { font-size: .8em; }
    .tag { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; font-size: .8rem; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    .badge { display: inline-block; padding: 0 .6rem; border-radius: 1rem; font-size: .85em; font-weight: 600; background: var(--grey-back); color: var(--text); }
    .badge.r-passed, .r-passed > h2 .badge { background: var(--good-back); }
    .badge.r-flaky, .r-flaky > h2 .badge, .badge.r-unfinished, .r-unfinished > h2 .badge { background: var(--warn-back); }
    .badge.r-failed, .badge.r-error, .r-failed > h2 .badge, .r-error > h2 .badge { background: var(--bad-back); }
    .run > header { background: var(--card); border: 1px solid var(--faint); border-left: .4rem solid var(--line); border-radius: .6rem; padding: 1rem; }
    .run > header.r-passed { border-left-color: var(--good); }
    .run > header.r-flaky, .run > header.r-unfinished { border-left-color: var(--warn); }
    .run > header.r-failed, .run > header.r-error { border-left-color: var(--bad); }
    .run + .run { margin-top: 3rem; }
    .facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; }
    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; margin: .5rem 0; }
    dd { margin: 0; }
    .wide { overflow-x: auto; }
    .wide th, .wide td { overflow-wrap: break-word; max-width: 40rem; }
    table { border-collapse: collapse; margin: .6rem 0; min-width: min(100%, 30rem); }
    th, td { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--faint); vertical-align: top; font-weight: 400; }
    thead th { color: var(--soft); font-size: .9rem; }
    tbody th { font-weight: 600; }
    .off th, .off td { color: var(--bad); font-weight: 600; }
    .notice { border: 2px solid var(--warn); background: var(--warn-back); border-radius: .5rem; padding: .6rem .9rem; margin: 1rem 0; }
    .total { font-weight: 600; }
    .contents { list-style: none; padding: 0; }
    .contents li { padding: .2rem 0; }
    ul.left { padding-left: 1.2rem; font-size: .9rem; }

    .timeline { margin: 1.4rem 0; }
    .plot { display: grid; grid-template-columns: max-content minmax(0, 1fr); border: 1px solid var(--faint); border-radius: .5rem; overflow: hidden; background: var(--card); }
    .names { border-right: 1px solid var(--faint); padding: 0 .6rem; font-size: 12px; color: var(--soft); max-width: 11rem; }
    .names div { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; margin-bottom: 3px; height: 20px; line-height: 20px; }
    .names .axis { margin: 0; }
    .names .dev { height: 22px; line-height: 24px; margin: 0; font-weight: 600; color: var(--text); }
    .names .mid { height: 24px; line-height: 24px; }
    .names .tall { height: 44px; line-height: 44px; }
    .view { overflow-x: auto; overflow-y: hidden; }
    .view:focus-visible { outline-offset: -3px; }
    .draw { display: block; font-size: 12px; }
    .draw text { fill: var(--text); font-family: system-ui, sans-serif; font-size: 12px; pointer-events: none; }
    .draw .axis text, .draw .scale { fill: var(--soft); font-size: 11px; }
    .draw .axis line { stroke: var(--faint); }
    .t1 { display: none; }
    .close .t1 { display: inline; }
    .cursor { stroke: var(--accent); stroke-width: 2; visibility: hidden; }
    .on .cursor { visibility: visible; }
    .bed { fill: var(--back); }
    .draw svg > rect { fill: var(--grey-back); stroke: var(--card); stroke-width: 1; }
    .draw .app > rect, .draw .rate > rect { fill: var(--grey-back); }
    .draw .p-playing > rect, .draw .rate.other > rect { fill: var(--blue-back); }
    .draw .p-buffering > rect, .draw .p-loading > rect { fill: var(--warn-back); }
    .draw .p-buffering > rect { stroke: var(--warn); stroke-dasharray: 3 2; }
    .draw .p-idle > rect { fill: var(--card); stroke: var(--faint); }
    .draw .break > rect { fill: var(--violet-back); }
    .draw .bad > rect, .draw .broken > rect, .draw .r-failed > rect, .draw .r-error > rect { fill: var(--bad-back); stroke: var(--bad); }
    .draw .held > rect, .draw .r-passed > rect { fill: var(--good-back); }
    .draw .r-flaky > rect, .draw .r-unfinished > rect { fill: var(--warn-back); stroke: var(--warn); }
    .draw .r-skipped > rect, .draw .r-not_run > rect { fill: none; stroke: var(--line); stroke-dasharray: 3 2; }
    .draw .allowed { fill: none; stroke: var(--line); stroke-dasharray: 2 3; }
    .draw .curve path { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
    .m-sent, .m-received { fill: var(--accent); }
    .m-note { fill: var(--warn); }
    .m-bad { fill: var(--bad); }
    .zoom { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .5rem 0; font-size: .9rem; }
    .zoom button { font: inherit; min-width: 2.75rem; min-height: 2.75rem; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
    .now { border: 1px solid var(--faint); border-radius: .5rem; padding: .5rem .9rem; margin: .5rem 0; background: var(--card); min-height: 9.5rem; max-height: 22rem; overflow-y: auto; }
    .now[hidden] { display: none; }
    .now h4 { margin: .5rem 0 .1rem; }
    .now ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; font-size: .92rem; }
    .now b { font-weight: 600; }

    details { margin: .3rem 0; }
    summary { cursor: pointer; padding: .25rem 0; }
    .log ol, .diffs ol, .wire ol, .pages ul { list-style: none; padding: 0; margin: .3rem 0; font-size: .85rem; }
    .log ol { max-height: 30rem; overflow-y: auto; }
    .log li { content-visibility: auto; contain-intrinsic-size: auto 1.3rem; }
    .log li, .diffs li, .wire li { border-top: 1px solid var(--faint); padding: .1rem 0; }
    .log b, .diffs b, .wire b { font-variant-numeric: tabular-nums; font-weight: 600; }
    i { font-style: normal; margin-right: .5rem; }
    s { color: var(--soft); margin-right: .5rem; }
    .item { border: 1px solid var(--faint); border-left: .3rem solid var(--line); border-radius: .4rem; padding: .1rem .8rem; margin: .35rem 0; background: var(--back); }
    .item.r-passed { border-left-color: var(--good); }
    .item.r-flaky, .item.r-unfinished { border-left-color: var(--warn); }
    .item.r-failed, .item.r-error { border-left-color: var(--bad); }
    .item > summary { display: flex; flex-wrap: wrap; gap: 0 .7rem; align-items: baseline; }
    .item > summary::before { content: "▸"; color: var(--soft); }
    .item[open] > summary::before { content: "▾"; }
    .item .name { font-weight: 600; }
    .item .time { margin-left: auto; font-variant-numeric: tabular-nums; }
    .item .why { flex-basis: 100%; color: var(--soft); padding-left: 1.6rem; }
    .r-passed .sign { color: var(--good); }
    .r-failed .sign, .r-error .sign { color: var(--bad); }
    .r-flaky .sign, .r-unfinished .sign { color: var(--warn); }
    .r-skipped .name, .r-not_run .name { color: var(--soft); font-weight: 400; }
    .body { padding: .2rem 0 .6rem; }
    .reason { color: var(--bad); white-space: pre-line; }
    .source { background: var(--card); border-radius: .4rem; margin: .3rem 0; padding: .4rem .6rem .4rem 3.2rem; white-space: pre-wrap; }
    .source li::marker { color: var(--soft); }
    .source .near { color: var(--soft); }
    mark { background: none; color: inherit; text-decoration: underline wavy var(--accent) 1.5px; text-underline-offset: 3px; }
    .r-failed mark, .r-error mark, .d-error mark { text-decoration-color: var(--bad); }
    .place { margin-bottom: 0; }
    .meter { display: block; max-width: 30rem; margin: .4rem 0; border-radius: 3px; }
    .meter .bed { fill: var(--faint); }
    .meter .used { fill: var(--accent); }
    .r-failed > .body > .meter .used, .r-error > .body > .meter .used { fill: var(--bad); }
    .json { color: var(--soft); }
    .inner { border-left: 2px solid var(--faint); padding-left: .7rem; }
    figure { margin: .5rem 0; }
    figure img { max-width: 100%; max-height: 24rem; border: 1px solid var(--faint); }
    .trend { margin-top: 2rem; }
    .bars { display: block; }
    .bars .cap { stroke: var(--bad); stroke-dasharray: 3 2; }
    footer { border-top: 1px solid var(--faint); }
    @media (max-width: 40rem) {
      .names { max-width: 5.6rem; padding: 0 .3rem; }
      .last text { display: none; }
      dl, .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
      dd { margin-bottom: .35rem; }
      .source { padding-left: 2.6rem; }
      .item .time { margin-left: 0; }
    }
    @media print {
      :root {
        --back: #fff; --text: #000; --soft: #444; --line: #666; --faint: #bbb; --card: #fff; --bad: #a3161b; --good: #146c2e;
        --warn: #7a4b00; --accent: #0b57d0; --bad-back: #fbdad7; --good-back: #d3ecd8; --warn-back: #fbe6bd;
        --blue-back: #d3e3fd; --violet-back: #e8dcfb; --grey-back: #e6e6e6;
      }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      body { font-size: 10pt; }
      .zoom, .now, .cursor { display: none; }
      .draw { width: 100% !important; }
      .view { overflow: hidden; }
      .item, .timeline, tr { break-inside: avoid-page; }
      .log ol { max-height: none; }
      .scenario { break-inside: auto; }
    }

    """#
}
