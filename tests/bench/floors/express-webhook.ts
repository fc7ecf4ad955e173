// The least that a webhook's receiver must do: check the signature over the bytes, store the event durably, answer.
import type { AddressInfo } from 'node:net';
import express from 'express';
import Database from 'libsql';
import mongoose from 'mongoose';
import Stripe from 'stripe';
import { answerParent } from '../answer-parent.js';

export type Store =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'mongodb'; readonly uri: string };

type Insert = (event: { id: string; type: string }) => unknown;

async function open(store: Store): Promise<Insert> {
  if (store.kind === 'sqlite') {
    const database = new Database(store.file);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec('CREATE TABLE events (id TEXT PRIMARY KEY, type TEXT, received_at TEXT)');
    const statement = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
    return ({ id, type }) => statement.run(id, type, new Date().toISOString());
  }
  const client = await new mongoose.mongo.MongoClient(store.uri, {
    writeConcern: { w: 'majority', journal: true },
  }).connect();
  const events = client.db('floor').collection<{ _id: string; type: string; receivedAt: Date }>('events');
  return ({ id, type }) => events.insertOne({ _id: id, type, receivedAt: new Date() });
}

answerParent({
  async listen({ secret, store }: { secret: string; store: Store }) {
    const insert = await open(store);
    const stripe = new Stripe('sk_test_floor');
    const app = express();
    app.post('/webhook/stripe', express.raw({ type: '*/*' }), async (request, response) => {
      const event = stripe.webhooks.constructEvent(request.body, String(request.headers['stripe-signature']), secret);
      await insert(event);
      response.json({ received: true });
    });
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  },
});
