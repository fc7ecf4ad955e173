import { type Connection, type Model, Schema } from 'mongoose';

/** An address from which somebody logged in to an account within 30 days. `_id`: account key and network. */
export interface KnownAddress {
  _id: string;
  expiresAt: Date;
}

const schema = new Schema<KnownAddress>(
  { _id: String, expiresAt: { type: Date, required: true } },
  { versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function knownAddressModel(connection: Connection): Model<KnownAddress> {
  return connection.model<KnownAddress>('KnownAddress', schema, 'known_addresses');
}
