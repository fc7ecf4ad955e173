import { lifetimeInWords, momentInWords } from '../domain/time-in-words.js';
import type { LinkFacts, Texts } from '../texts/texts.js';
import type { Brand } from './template.js';

/** When a link was asked for and how long it works, in words. */
export function linkFacts(data: { requestedAt: string; expiresAt: string }, texts: Texts, brand: Brand): LinkFacts {
  const lifetime = (Date.parse(data.expiresAt) - Date.parse(data.requestedAt)) / 1000;
  return {
    brand: brand.name,
    asked: momentInWords(data.requestedAt, texts.language),
    lifetime: lifetimeInWords(lifetime, texts.language),
    until: momentInWords(data.expiresAt, texts.language),
  };
}
