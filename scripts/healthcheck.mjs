// `node scripts/healthcheck.mjs <url>`: ends with 0 when the url answers 2xx within 3 s. For containers, whose image has no curl.
const url = process.argv[2] ?? 'http://127.0.0.1:3000/readyz';
const well = await fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
  (answer) => answer.ok,
  () => false,
);
process.exit(well ? 0 : 1);
