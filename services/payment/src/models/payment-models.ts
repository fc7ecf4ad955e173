import { type Throttle, throttleModel } from '@latchkey/persistence';
import type { Connection, Model, Schema } from 'mongoose';
import { type CatalogueDocument, catalogueSchema } from './catalogue.js';
import { type CheckoutDocument, checkoutSchema } from './checkout.js';
import { type CustomerDocument, customerSchema } from './customer.js';
import { type EventCursorDocument, eventCursorSchema } from './event-cursor.js';
import { type SubscriptionDocument, subscriptionSchema } from './subscription.js';
import { type WebhookEventDocument, webhookEventSchema } from './webhook-event.js';

export interface PaymentModels {
  readonly checkouts: Model<CheckoutDocument>;
  readonly customers: Model<CustomerDocument>;
  readonly webhookEvents: Model<WebhookEventDocument>;
  readonly catalogues: Model<CatalogueDocument>;
  readonly subscriptions: Model<SubscriptionDocument>;
  readonly throttles: Model<Throttle>;
  readonly eventCursors: Model<EventCursorDocument>;
}

/** The models of one connection. The API and the processor may share a connection, and then share them. */
export function paymentModels(connection: Connection): PaymentModels {
  function model<D>(name: string, schema: Schema<D>, collection: string): Model<D> {
    const existing = connection.models[name] as Model<D> | undefined;
    return existing ?? connection.model<D>(name, schema, collection);
  }
  return {
    checkouts: model('Checkout', checkoutSchema, 'checkouts'),
    customers: model('Customer', customerSchema, 'customers'),
    webhookEvents: model('WebhookEvent', webhookEventSchema, 'webhook_events'),
    catalogues: model('Catalogue', catalogueSchema, 'catalogues'),
    subscriptions: model('Subscription', subscriptionSchema, 'subscriptions'),
    throttles: throttleModel(connection),
    eventCursors: model('EventCursor', eventCursorSchema, 'event_cursors'),
  };
}

/** Builds every index before anything is served (P16). */
export async function initPaymentModels(models: PaymentModels): Promise<void> {
  for (const model of Object.values(models) as Model<unknown>[]) await model.init();
}
