// Child process: says it is ready, waits for a line, then claims every job at once and prints those it won as JSON.
// Arguments: the database file, its own name, the number of jobs.
const { once } = require('node:events');
const { openEmbeddedDatabase } = require('@latchkey/embedded');
const { Schema } = require('mongoose');

async function main() {
  const [file, owner, jobs] = process.argv.slice(2);
  const connection = await openEmbeddedDatabase({ file });
  const Jobs = connection.model(
    'Job',
    new Schema({ _id: String, owner: String, claims: Number }, { versionKey: false }),
  );
  await Jobs.init();
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  process.stdin.pause();
  const claims = await Promise.all(
    Array.from({ length: Number(jobs) }, (_, at) =>
      Jobs.findOneAndUpdate(
        { _id: `job${at}`, owner: null },
        { $set: { owner }, $inc: { claims: 1 } },
        { returnDocument: 'after' },
      ).lean(),
    ),
  );
  const won = claims.filter((job) => job !== null).map((job) => job._id);
  await Promise.all(claims.map(() => Jobs.updateOne({ _id: 'counter' }, { $inc: { claims: 1 } }, { upsert: true })));
  await connection.close();
  process.stdout.write(`${JSON.stringify(won)}\n`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
