/**
 * Does this Accept header prefer `text/html` to `application/json`? A browser that navigates does; a client that takes anything, one that asks for JSON, or one that says nothing does not. At equal quality the one named first wins.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/html/i.test(accept)) return false;
  const ranges = accept.slice(0, 1_000).split(',').map(parseRange);
  const html = ranges.findIndex(({ type }) => type === 'text/html');
  const htmlQuality = ranges[html]?.quality ?? 0;
  const json = ['application/json', 'application/*', '*/*']
    .map((type) => ranges.findIndex((range) => range.type === type))
    .find((index) => index >= 0);
  const jsonRange = json === undefined ? undefined : ranges[json];
  if (jsonRange === undefined) return htmlQuality > 0;
  if (htmlQuality !== jsonRange.quality) return htmlQuality > jsonRange.quality;
  return htmlQuality > 0 && (jsonRange.type !== 'application/json' || html < (json as number));
}

function parseRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = q === undefined ? 1 : Number(q);
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
