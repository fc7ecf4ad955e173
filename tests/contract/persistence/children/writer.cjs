// Child process: inserts without end and prints the id of each insert that was answered. Killed by its test.
// Arguments: the database file.
const { openEmbeddedDatabase } = require('@latchkey/embedded');
const { Schema } = require('mongoose');

async function main() {
  const connection = await openEmbeddedDatabase({ file: process.argv[2] });
  const Entries = connection.model(
    'Entry',
    new Schema({ _id: String, lane: Number }, { versionKey: false }).index({ lane: 1 }),
  );
  await Entries.init();
  const write = async (lane) => {
    for (let at = 0; ; at++) {
      const id = `${lane}-${at}`;
      await Entries.create({ _id: id, lane });
      process.stdout.write(`${id}\n`);
    }
  };
  await Promise.all([0, 1, 2, 3].map(write));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
