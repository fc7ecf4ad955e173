import { optional, setting } from './setting.js';
import { byteSize, days, matching, oneOf, positiveNumber, seconds, text, webUrl } from './values.js';

/** Limits, billing, retention, looks and logging. */
export const operationSettings = {
  BILLING_ON_DELETE: setting(oneOf('cancel-now', 'cancel-at-period-end', 'refuse'), 'cancel-now', {
    description: 'What becomes of the open billing of a user who is deleted',
  }),
  RECONCILE_INTERVAL: setting(seconds(), '300', { description: 'Seconds between two rounds of asking the provider' }),
  PRODUCTS_CACHE_TTL: setting(seconds(0), '60', { description: 'Seconds the product list is cached' }),
  RETENTION_DAYS: setting(days, '30', { description: 'Days that sent mails, events and dead letters are kept' }),
  RATE_LIMIT_SCALE: setting(positiveNumber, '1', { description: 'Multiplies every rate limit, for tests and benches' }),
  BODY_LIMIT: setting(byteSize, '100 kB', { description: 'Largest JSON body (S71)' }),
  BRAND_NAME: setting(matching('one line of at most 60 characters', /^[^\p{Cc}<>]{1,60}$/u), 'Latchkey', {
    description: 'Product name on pages and in mails',
  }),
  BRAND_COLOR: setting(matching('a colour such as #3454d1', /^#[0-9a-fA-F]{6}$/), '#3454d1', {
    description: 'Main colour of pages and mails',
  }),
  BRAND_LOGO: optional(webUrl, { description: 'Address of a logo', whenEmpty: 'the name as text' }),
  MAIL_LANGUAGE: optional(matching('a language such as en', /^[a-z]{2}(-[A-Za-z0-9]{2,8})?$/), {
    description: 'Language of every mail',
    whenEmpty: "by the requester's Accept-Language",
  }),
  MAIL_TEXTS: optional(text, {
    description: 'Folder with texts of mails: <language>.json replaces ours, or brings a language',
    whenEmpty: 'ours, in English and German',
  }),
  LOG_LEVEL: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', {
    description: 'Least level that is logged',
  }),
};
