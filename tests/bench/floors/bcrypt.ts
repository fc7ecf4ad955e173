// Raw bcrypt, as many jobs at once as clients of the row; UV_THREADPOOL_SIZE says on how many threads.
import { compare, hash } from 'bcrypt';
import { answerParent } from '../answer-parent.js';
import { percentile } from '../measure/percentile.js';

interface Work {
  readonly kind: 'compare' | 'hash';
  readonly seconds: number;
  readonly cost: number;
  readonly clients: number;
}

answerParent({
  async run({ kind, seconds, cost, clients }: Work) {
    const known = await hash('correct horse', cost);
    const times: number[] = [];
    const began = performance.now();
    let last = began;
    const client = async () => {
      while (performance.now() - began < seconds * 1000) {
        const started = performance.now();
        await (kind === 'hash' ? hash('correct horse', cost) : compare('correct horse', known));
        last = performance.now();
        times.push(last - started);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return {
      count: times.length,
      rate: (times.length * 1000) / (last - began),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
    };
  },
});
