import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderEnvExample, settings } from '@latchkey/kit';

test('.env.example is current (npm run env-example) and holds every setting once', () => {
  const text = readFileSync(resolve(__dirname, '../../.env.example'), 'utf8');
  expect(text).toBe(renderEnvExample());
  expect([...text.matchAll(/^#([A-Z_]+)=$/gm)].map((match) => match[1]).sort()).toEqual(Object.keys(settings).sort());
});
