// `npm run latchkey -- <command>`: installs and compiles what is not current, then runs the operator's command.
import { prepare } from './prepare.mjs';

prepare();
await import('../services/standalone/dist/command.main.js');
