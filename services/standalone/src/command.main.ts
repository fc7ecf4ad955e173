// `npm run latchkey -- <command>`
import { processTerminal } from './command/process-terminal.js';
import { runCommand } from './command/run-command.js';

runCommand(process.argv.slice(2), processTerminal()).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    process.stderr.write(`${error.stack ?? error}\n`);
    process.exitCode = 1;
  },
);
