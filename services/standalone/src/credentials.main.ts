// The one-shot of docker-compose.yml that makes what the containers authenticate with. `node credentials.main.js <folder with a folder for each volume>`
import { join } from 'node:path';
import { readEnvironment } from '@latchkey/kit';
import { makeCredentials } from './containers/credentials.js';
import { writeCredentials } from './containers/write-credentials.js';

const root = process.argv[2] ?? '/secrets';
const production = readEnvironment().NODE_ENV === 'production';
const { files, logins } = makeCredentials({ main: join(root, 'main'), production });
writeCredentials(root, files);
for (const { what, name, password } of logins)
  process.stdout.write(`${what}: ${name}, password ${password} (shown this once)\n`);
