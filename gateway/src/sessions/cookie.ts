/** How the session cookie is called and whether it is `Secure` (whenever PUBLIC_URL is https, or its name's prefix demands it). */
export interface CookieSettings {
  readonly name: string;
  readonly secure: boolean;
}

/** The longest cookie that browsers must keep: name and value together (S30, RFC 6265bis §5.6). */
const maxLength = 4096;
/** A browser sends one, two after cookie tossing; more is junk, and each one could cost a signature check. */
const maxCandidates = 4;

/** `Set-Cookie` of a login: a browser session cookie, so no Max-Age or Expires (S27). */
export function sessionCookie(settings: CookieSettings, token: string): string {
  return `${settings.name}=${token}; ${attributes(settings)}`;
}

/** `Set-Cookie` that deletes it: the same name, path and attributes, else browsers keep the old one (S40). */
export function deletedSessionCookie(settings: CookieSettings): string {
  return `${settings.name}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes(settings)}`;
}

/**
 * The values under the cookie's name, in the order sent, quotes taken off; never throws. Several of the same name may arrive (another path or a parent
 * domain, possibly planted by a neighbouring host): the caller takes the first that is a standing session. A `__Host-` name rules planting out.
 */
export function presentedTokens(settings: CookieSettings, header: string | undefined): string[] {
  if (header === undefined) return [];
  const found = new Set<string>();
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== settings.name) continue;
    const value = unquote(pair.slice(equals + 1).trim());
    if (value !== '' && settings.name.length + value.length <= maxLength) found.add(value);
    if (found.size === maxCandidates) break;
  }
  return [...found];
}

function attributes({ secure }: CookieSettings): string {
  return `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
