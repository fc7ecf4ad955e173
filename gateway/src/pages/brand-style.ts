/** Grounds of the pages, as gateway/web/src/styles/tokens.css has them. */
export const grounds = { light: '#f5f6f8', dark: '#0e1116' };
/** The least favourable surface that text in the accent colour stands on, for each scheme. */
const accentGrounds = { light: '#e9ebf0', dark: '#1f242d' };

/**
 * The style that a brand's colour stands for: the colour itself, black or white on it, whichever reads better, and an accent for links and focus rings, moved towards black
 * or white until it has the contrast that text needs (WCAG 2.2, 1.4.3: 4.5). `brandColor`: `#rrggbb`.
 */
export function brandStyle(brandColor: string): string {
  const onBrand = contrast(brandColor, '#ffffff') >= contrast(brandColor, '#000000') ? '#ffffff' : '#000000';
  const accent = (ground: string, towards: string) => readableOn(brandColor, ground, towards);
  return (
    `:root{--brand:${brandColor};--on-brand:${onBrand};--accent:${accent(accentGrounds.light, '#000000')}}` +
    `@media (prefers-color-scheme:dark){:root{--accent:${accent(accentGrounds.dark, '#ffffff')}}}`
  );
}

/** The first mix of `color` with `towards` that has a contrast of 4.5 on `ground`. */
function readableOn(color: string, ground: string, towards: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, towards, share);
    if (contrast(mixed, ground) >= 4.5) return mixed;
  }
  return towards;
}

/** From 1 (none) to 21 (black on white), by WCAG's definition. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, towards: string, share: number): string {
  const target = channels(towards);
  const mixed = channels(color).map((channel, at) => Math.round(channel + ((target[at] ?? 0) - channel) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
