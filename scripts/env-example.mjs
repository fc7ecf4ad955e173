// `npm run env-example`: writes .env.example from the settings catalogue.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';

prepare();
const { renderEnvExample } = await import('../libs/kit/dist/index.js');
writeFileSync(fileURLToPath(new URL('../.env.example', import.meta.url)), renderEnvExample());
