import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What this release writes and the newest that it reads. */
export const FORMAT = 1;

/** What an archive says of itself. It holds no secret. `backup`: a data folder as it is; `export`: the same for other engines, documents as Extended JSON. */
export const manifestSchema = z.object({
  product: z.literal('latchkey'),
  kind: z.enum(['backup', 'export']),
  /** Tells this one from every other. */
  id: z.string(),
  format: z.int().min(1),
  created_at: z.iso.datetime(),
  /** Secrets that the environment gave: they are not in it and must be given again. */
  secrets_elsewhere: z.array(z.string()).default([]),
  files: z.array(z.object({ path: z.string(), size: z.int(), sha256: z.string() })),
});
export type Manifest = z.output<typeof manifestSchema>;

/** Every file under `folder`, by its path from there with `/`, in order. */
export function filesUnder(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .flatMap((entry) => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(folder, path) : [path];
    })
    .sort();
}

export async function describeFile(folder: string, path: string): Promise<Manifest['files'][number]> {
  const file = join(folder, path);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return { path, size: statSync(file).size, sha256: hash.digest('hex') };
}
