import ipaddr from 'ipaddr.js';
import type { z } from 'zod';
import { parsed } from './setting.js';

export const text = parsed('text', (value) => value);

export const matching = (expected: string, pattern: RegExp) =>
  parsed(expected, (value) => (pattern.test(value) ? value : undefined));

export const integer = (min: number, max: number) =>
  parsed(`a whole number from ${min} to ${max}`, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  });

export const port = integer(0, 65_535);

/** A duration in seconds, at most ten years unless `max` says less. */
export const seconds = (min = 1, max = 315_360_000) => integer(min, max);

export const days = integer(1, 3650);

export const positiveNumber = parsed('a number above 0', (value) => {
  const number = /^\d{1,9}(\.\d{1,9})?$/.test(value) ? Number(value) : 0;
  return number > 0 ? number : undefined;
});

/** A number from 0 to 1. */
export const share = parsed('a number from 0 to 1', (value) => {
  const number = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : 2;
  return number <= 1 ? number : undefined;
});

/** `name=value` pairs, comma-separated, values percent-encoded (OpenTelemetry's form of headers). */
export const headerPairs = parsed<Readonly<Record<string, string>>>('name=value pairs, comma-separated', (value) => {
  const pairs = value.split(',').map((pair) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => [(pair as RegExpExecArray)[1], decodeURIComponent((pair as RegExpExecArray)[2] as string)]),
    );
  } catch {
    return undefined;
  }
});

export const oneOf = <const V extends string>(...values: readonly V[]): z.ZodType<V, string> =>
  parsed(`one of ${values.join(', ')}`, (value) => values.find((candidate) => candidate === value));

export const onOff = parsed('on or off', (value) => (value === 'on' ? true : value === 'off' ? false : undefined));

/** An absolute URL with one of the schemes, without a trailing slash on a bare origin. */
export const url = (...schemes: readonly string[]) =>
  parsed(`a URL with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`, (value) => {
    const address = URL.canParse(value) ? new URL(value) : undefined;
    return address && schemes.includes(address.protocol.slice(0, -1)) ? value.replace(/\/+$/, '') : undefined;
  });

export const webUrl = url('http', 'https');

/** Comma-separated; blanks around an item do not count. */
export const list = (expected: string, accepts: (item: string) => boolean, separator: RegExp = /,/) =>
  parsed<readonly string[]>(expected, (value) => {
    const items = value
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== '');
    return items.length > 0 && items.every(accepts) ? items : undefined;
  });

/** One or several http addresses, comma-separated, each without a trailing slash. */
export const webUrls = parsed<readonly string[]>(
  'one or several http:// or https:// URLs, comma-separated',
  (value) => {
    const addresses = value.split(',').map((item) => webUrl.safeParse(item.trim()).data);
    return addresses.every((address) => address !== undefined) ? addresses : undefined;
  },
);

/** A size: `100 kB`, `2MB` or a number of bytes. A kB has 1024 bytes. */
export const byteSize = parsed('a size such as 100 kB', (value) => {
  const [, number, unit] = /^(\d{1,9}) ?(b|kb|mb)?$/i.exec(value) ?? [];
  const factor = { b: 1, kb: 1024, mb: 1024 * 1024 }[(unit ?? 'b').toLowerCase()];
  return number === undefined || factor === undefined || Number(number) === 0 ? undefined : Number(number) * factor;
});

const isAddressRange = (item: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(item) || ipaddr.isValid(item) || ipaddr.isValidCIDR(item);

/** Which proxies to believe, in express's terms: a number of hops, or addresses and ranges. */
export const trustedProxies = parsed<number | readonly string[]>(
  'none, a number of proxies, or addresses and ranges (10.0.0.0/8, loopback)',
  (value) => {
    if (value === 'none') return [];
    if (/^[1-9]\d?$/.test(value)) return Number(value);
    const items = value.split(',').map((item) => item.trim());
    return items.every(isAddressRange) ? items : undefined;
  },
);

/** An email address, or one with a name before it: `Latchkey <no-reply@example.org>`. One line only (S61). */
export const mailAddress = matching(
  'an address such as Name <name@example.org>',
  /^(?:[^<>\r\n]{0,100}<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
);
