// jest's global setup of the project `real-services`: one MongoDB-wire server for all its tests.
require('../support/ts-hook.cjs');
const { MongodbWire } = require('../support/mongodb-wire.ts');

module.exports = async () => {
  const server = await MongodbWire.create();
  await server.start();
  process.env.TEST_MONGODB_URI = server.uri;
  process.env.TEST_MONGODB_CLOCK = server.clockFile;
  globalThis.mongodbWireOfServices = server;
};
