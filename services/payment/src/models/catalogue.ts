import type { Product } from '@latchkey/contracts';
import mongoose from 'mongoose';

/**
 * The products as they were last fetched; one document a provider (`_id`), shared by replicas and kept over restarts. `tickets` counts the fetches begun,
 * `applied` is the ticket of the fetch stored: one that began earlier never overwrites one that began later.
 */
export interface CatalogueDocument {
  _id: string;
  tickets: number;
  applied: number;
  products?: Product[];
  fetchedAt?: Date;
}

export const catalogueSchema = new mongoose.Schema<CatalogueDocument>(
  {
    _id: { type: String, required: true },
    tickets: { type: Number, default: 0 },
    applied: { type: Number, default: 0 },
    products: mongoose.Schema.Types.Mixed,
    fetchedAt: Date,
  },
  { versionKey: false, minimize: false },
);
