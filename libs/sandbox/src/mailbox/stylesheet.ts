/** The mailbox's looks, light and dark. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --page: #f3f5f8; --card: #fff; --line: #e1e5eb; --ink: #1b2430; --soft: #5d6878; --accent: #3454d1;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #14161a; --card: #1f2329; --line: #333a44; --ink: #e7eaee; --soft: #aab2bd; --accent: #93a7ff; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: 1.5rem; }
header p { margin: 0; color: var(--soft); font-size: .9rem; }
a { color: var(--accent); }
.brand { font-size: 1.25rem; font-weight: 700; color: var(--ink); text-decoration: none; }
.mark { display: inline-block; width: .75rem; height: .75rem; margin-right: .5rem; border-radius: .2rem; background: var(--accent); }
h1 { margin: 0 0 .75rem; font-size: 1.25rem; overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: 1rem; }
.bar { display: flex; justify-content: space-between; align-items: baseline; }
button {
  padding: .35rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; cursor: pointer;
}
a:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.mails { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .8rem 1rem; color: inherit; text-decoration: none; }
.mails a:hover { background: var(--page); }
.subject { font-weight: 600; overflow-wrap: anywhere; }
.to { text-align: right; overflow-wrap: anywhere; }
.from, time { color: var(--soft); font-size: .875rem; }
.mails time { text-align: right; }
.empty, .links, pre, iframe, details { border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
.empty { margin: 0; padding: 3rem 1rem; text-align: center; color: var(--soft); }
.links, details { margin: 1rem 0; padding: .8rem 1rem; }
.links ul { margin: 0; padding-left: 1.2rem; }
.links a { overflow-wrap: anywhere; }
pre { margin: 1rem 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 70vh; margin: 1rem 0; background: #fff; }
summary { cursor: pointer; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.headers { margin-top: .75rem; font-size: .875rem; }
@media (max-width: 40rem) {
  .mails a { grid-template-columns: 1fr; }
  .to, .mails time { text-align: left; }
}
`;
