import './small-heap.js';
import { readEnvironment, runProcess } from '@latchkey/kit';
import { createStandalone } from './standalone.js';

runProcess('standalone', async () => {
  const standalone = await createStandalone(readEnvironment(), {
    // Behind the log lines of the start, so that it is what a person sees last.
    announce: (text) => standalone.logger.flush(() => process.stdout.write(text)),
  });
  return { lifecycle: standalone, logger: standalone.logger };
});
