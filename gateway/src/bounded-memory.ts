import { LRUCache } from 'lru-cache';

/**
 * A memory of at most `max` entries; the one not used for longest is forgotten first. It is made when it is first needed, since lru-cache makes room for all its entries at once:
 * 8 ms for 50,000, which no start has to wait for.
 */
export function boundedMemory<Key extends {}, Value extends {}>(max: number): () => LRUCache<Key, Value> {
  let memory: LRUCache<Key, Value> | undefined;
  return () => {
    memory ??= new LRUCache({ max });
    return memory;
  };
}
