// jest's global setup of the project `real-e2e`: one RabbitMQ and one MongoDB-wire server for all its tests.
require('../support/ts-hook.cjs');
const { shareEngines, startRealEngines } = require('../support/real-engines.ts');

module.exports = async () => {
  globalThis.enginesOfEndToEndTests = await startRealEngines();
  shareEngines(globalThis.enginesOfEndToEndTests);
};
