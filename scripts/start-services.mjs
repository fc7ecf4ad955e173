// `npm run start:services`: installs and compiles what is not current, then runs the six services as processes, with MONGODB_URI and AMQP_URL.
import { prepare } from './prepare.mjs';

prepare();
await import('../services/standalone/dist/supervisor.main.js');
