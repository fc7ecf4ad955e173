import { accountSettings } from './account-settings.js';
import { addressSettings } from './address-settings.js';
import { engineSettings } from './engine-settings.js';
import { operationSettings } from './operation-settings.js';
import type { Setting } from './setting.js';

/** Each setting learns its name, so that a faulty one can be named whatever key a service gives it. */
function named<C extends Record<string, Setting>>(catalogue: C): C {
  return Object.fromEntries(Object.entries(catalogue).map(([name, entry]) => [name, { ...entry, name }])) as C;
}

/** Every setting there is, each exactly once. A service picks the ones it needs and gives them to `loadConfig`. */
export const settings = named({ ...addressSettings, ...engineSettings, ...accountSettings, ...operationSettings });
