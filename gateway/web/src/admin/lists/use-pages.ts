import { useState } from 'preact/hooks';
import { type Action, useAction } from '../../api/use-action.js';
import { type Resource, useResource } from '../../api/use-resource.js';

export interface PageOf<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface Pages<T> {
  readonly first: Resource<PageOf<T>>;
  /** Of all pages so far. */
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly more: Action<[]>;
}

/** A list that grows page by page. It begins anew when one of `dependencies` changes or `first.reload` is called. */
export function usePages<T>(
  load: (after: string | undefined) => Promise<PageOf<T>>,
  dependencies: readonly unknown[] = [],
): Pages<T> {
  const first = useResource(() => load(undefined), dependencies);
  const [later, setLater] = useState<PageOf<T> & { of: unknown }>();
  // Pages that followed another first page are none of this one's.
  const following = later?.of === first.value ? later : undefined;
  const next = following === undefined ? (first.value?.next ?? null) : following.next;
  const more = useAction(async () => {
    if (next === null) return;
    const page = await load(next);
    setLater({ of: first.value, items: [...(following?.items ?? []), ...page.items], next: page.next });
  });
  const items = [...(first.value?.items ?? []), ...(following?.items ?? [])];
  return { first, items, hasMore: next !== null, more };
}
