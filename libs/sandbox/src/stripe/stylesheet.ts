/** The payment page's looks, light and dark. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --page: #eef1f6; --card: #fff; --line: #dde2ea; --ink: #1b2430; --soft: #5a6576; --accent: #4338ca; --on-accent: #fff; --warn: #8a4b00; --warn-page: #fff4e0;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #111318; --card: #1d2027; --line: #343a46; --ink: #e8eaee; --soft: #a9b1bd; --accent: #a5b4fc; --on-accent: #14161a; --warn: #ffd08a; --warn-page: #33270f; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; min-height: 100vh; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 1.75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); box-shadow: 0 8px 30px rgb(0 0 0 / .06); }
.note { margin: 0 0 1.25rem; padding: .4rem .75rem; border-radius: .5rem; background: var(--warn-page); color: var(--warn); font-size: .875rem; text-align: center; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.2; }
.soft, small, .hints { color: var(--soft); }
.soft { display: block; font-size: 1rem; font-weight: 400; }
.items { margin: 0 0 1.5rem; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.items li { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line); }
small { display: block; font-size: .875rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: inherit; font: inherit; }
.buttons { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; margin-top: 1.25rem; }
button { padding: .65rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button:hover { border-color: var(--accent); }
.primary { grid-column: 1 / -1; border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=alert] { padding: .6rem .75rem; border-radius: .5rem; background: var(--warn-page); color: var(--warn); }
.hints { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .75rem; margin: 1.5rem 0 0; font-size: .875rem; }
dt { font-weight: 600; } dd { margin: 0; }
a { color: var(--accent); }
`;
