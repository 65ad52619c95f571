/** The one style sheet of all pages: both colour schemes, narrow windows, and paper. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --bg: #fff; --fg: #1f2328; --dim: #59636e; --line: #d1d9e0; --soft: #f6f8fa;
  --red: #b3261e; --amber: #8a5a00; --green: #1a6e33; --blue: #0759b5;
  --used: #3f8f5b; --cool: #b6ddff; --held: #d3dae1; --leak: #b3261e; --lent: #ffd58a; --ink: #1f2328; --edge: #aab4be; }
@media (prefers-color-scheme: dark) { :root { --bg: #0d1117; --fg: #e6edf3; --dim: #9aa4af; --line: #30363d; --soft: #161b22;
  --red: #ff8f87; --amber: #e0ac3f; --green: #56c86c; --blue: #74b4ff;
  --used: #2f8f4e; --cool: #7fc0ff; --held: #8d98a5; --leak: #c9302a; --lent: #eebb55; --ink: #10151b; --edge: #4a535d; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 1rem; color: var(--fg); background: var(--bg); }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.25rem 0 .25rem; } h4 { font: 600 .9rem/1.4 ui-monospace, monospace; margin: 0; }
p { margin: .3rem 0; max-width: 60rem; } a { color: var(--blue); } body, td, h1, h3, h4 { overflow-wrap: anywhere; }
code { font: .9em ui-monospace, monospace; } .group, h2 { scroll-margin-top: 6rem; }
nav a { display: inline-block; margin-right: 1rem; } footer { margin-top: 2rem; color: var(--dim); font-size: .85rem; }
.verdict { border-left: .4rem solid; padding: .4rem .8rem; background: var(--soft); font-weight: 600; }
.problem { color: var(--red); } .warning { color: var(--amber); } .ok { color: var(--green); } .note { color: var(--blue); }
.muted { color: var(--dim); } .heading { font-weight: bold; }
.tiles { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0; padding: 0; list-style: none; }
.tiles li { border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .8rem; background: var(--soft); }
.tiles b { display: block; font-size: 1.2rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--soft); white-space: nowrap; } td.right { text-align: right; white-space: nowrap; }
.scroll table { width: max-content; } .scroll td { max-width: 32rem; }
svg.bar { display: block; width: 9rem; height: 1rem; border: 1px solid var(--edge); }
svg .u { fill: var(--used); } svg .c { fill: var(--cool); } svg .r { fill: var(--held); } svg .b { fill: var(--lent); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .5rem 0; padding: 0; list-style: none; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.blocks { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20.5rem), 1fr)); gap: .75rem; }
.block { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem; background: var(--soft); font-size: .85rem; break-inside: avoid; }
.block.wide { grid-column: 1 / -1; }
.cells { display: grid; grid-template-columns: 3rem repeat(16, 1rem); gap: 1px; margin-top: .3rem; overflow-x: auto; }
.wide .cells { grid-template-columns: 3.5rem repeat(64, 1rem); }
.cells s { font: .7rem/1rem ui-monospace, monospace; color: var(--dim); text-decoration: none; text-align: right; padding-right: .3rem; }
.cell, .cells i { width: 1rem; height: 1rem; border: 1px solid var(--edge); font: normal 700 .7rem/.9rem ui-monospace, monospace; text-align: center;
  color: var(--ink); display: inline-block; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
i.u { background: var(--used); border-color: var(--used); } i.c { background: var(--cool); } i.r { background: var(--held); }
i.b { background: var(--lent); } i.l { background: var(--leak); color: #fff; }
form.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; padding: .6rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--soft); position: sticky; top: 0; z-index: 1; }
form.filter[hidden] { display: none; } .filter label { display: block; font-size: .85rem; } .filter output { font-weight: 600; }
.filter input:not([type=checkbox]), .filter select { display: block; font: inherit; max-width: 100%; width: 13rem; color: inherit;
  background: var(--bg); border: 1px solid var(--edge); padding: .15rem .3rem; }
.group { content-visibility: auto; contain-intrinsic-size: auto 20rem; } .group[hidden], tr[hidden] { display: none !important; }
table.findings { width: 100%; table-layout: fixed; } .findings th:nth-child(1) { width: 22%; } .findings th:nth-child(2) { width: 16%; }
.findings th:nth-child(4) { width: 7.5rem; }
@media (max-width: 45rem) {
  .findings, .findings tbody, .findings tr, .findings td { display: block; } .findings thead { display: none; }
  .findings tr { border: 1px solid var(--line); margin-bottom: .5rem; } .findings td { border: 0; padding: .1rem .5rem; }
  .findings td:first-child { font-weight: 600; } .findings td:empty { display: none; } form.filter { position: static; }
}
@media print {
  form.filter, nav { display: none !important; } .group { content-visibility: visible; } .scroll { overflow: visible; }
  body { max-width: none; font-size: 11px; } tr { break-inside: avoid; }
}
`;
