import mongoose from 'mongoose';

// What the tests of one file stored on the shared server goes with them.
afterAll(async () => {
  const connection = await new mongoose.Mongoose().createConnection(process.env.TEST_MONGODB_URI as string).asPromise();
  const { databases } = await connection.listDatabases();
  for (const { name } of databases) if (name.startsWith('test_')) await connection.useDb(name).dropDatabase();
  await connection.close();
});
