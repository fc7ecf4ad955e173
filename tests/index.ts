/** What the tests of every package may use. Nothing but tests may import it; it is never compiled into any package's output. */
export { eventually } from './support/eventually.js';
export { FakeQueue } from './support/fake-queue.js';
export { refusal } from './support/refusal.js';
export { someMessage } from './support/some-message.js';
export { openTestDatabase, storedText } from './support/test-database.js';
