// `npm start`: installs and compiles what is not current, then runs the whole system in this process.
import { prepare } from './prepare.mjs';

prepare();
await import('../services/standalone/dist/bundled.main.js');
