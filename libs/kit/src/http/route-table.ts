import type { Route } from '../route.js';

export type RouteMatch =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Record<string, string> }
  /** The path is known, the method is not: `allow` is the Allow header. */
  | { readonly kind: 'other-methods'; readonly allow: string };

interface Pattern {
  readonly segments: readonly string[];
  readonly methods: Map<string, Route>;
}

/** Finds routes by path and method: fixed paths by one look-up, those with parameters by their number of segments. */
export class RouteTable {
  readonly #fixed = new Map<string, Pattern>();
  readonly #parametric = new Map<number, Pattern[]>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  #add(route: Route): void {
    const { method, path } = route.endpoint;
    const pattern = path.includes('/:') ? this.#parametricPattern(path) : this.#fixedPattern(path);
    if (pattern.methods.has(method)) throw new Error(`Two routes for ${method} ${path}`);
    pattern.methods.set(method, route);
    // RFC 9110 §9.3.2 has HEAD do what GET does, and a crawler that only looks must not log anybody out.
    if (method === 'GET' && !route.endpoint.changesState) pattern.methods.set('HEAD', route);
  }

  #fixedPattern(path: string): Pattern {
    const pattern = this.#fixed.get(path) ?? { segments: [], methods: new Map() };
    this.#fixed.set(path, pattern);
    return pattern;
  }

  #parametricPattern(path: string): Pattern {
    const segments = path.split('/');
    const same = this.#parametric.get(segments.length) ?? [];
    this.#parametric.set(segments.length, same);
    let pattern = same.find((candidate) => candidate.segments.join('/') === path);
    if (pattern === undefined) {
      pattern = { segments, methods: new Map() };
      same.push(pattern);
    }
    return pattern;
  }

  /** `path`: as received, still percent-encoded, without the query. HEAD is answered by a GET that changes nothing. `undefined`: no such path. */
  find(method: string, path: string): RouteMatch | undefined {
    const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    const fixed = this.#fixed.get(bare);
    const exact = fixed?.methods.get(method);
    if (exact !== undefined) return { kind: 'route', route: exact, params: {} };

    const allowed = new Set(fixed?.methods.keys());
    const segments = bare.split('/');
    for (const pattern of this.#parametric.get(segments.length) ?? []) {
      const params = matchSegments(pattern.segments, segments);
      if (params === undefined) continue;
      const route = pattern.methods.get(method);
      if (route !== undefined) return { kind: 'route', route, params };
      for (const other of pattern.methods.keys()) allowed.add(other);
    }
    return allowed.size === 0 ? undefined : { kind: 'other-methods', allow: [...allowed].join(', ') };
  }
}

/** The decoded parameters, or `undefined` when the path is another one; a segment that cannot be decoded matches nothing. */
function matchSegments(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] as string;
    if (!expected.startsWith(':')) {
      if (expected !== actual) return undefined;
      continue;
    }
    const value = decode(actual);
    if (value === undefined) return undefined;
    params[expected.slice(1)] = value;
  }
  return params;
}

function decode(segment: string): string | undefined {
  if (segment === '') return undefined;
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
