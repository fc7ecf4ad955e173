import { createHash, randomBytes } from 'node:crypto';
import { exchange } from '@latchkey/messaging';
import { keepOnce, makeAppSecret, randomSecret } from '../secrets.js';
import type { DatabaseUser } from './prepare-database.js';

/** A file of one volume. `shared`: read by another user than ours, who is alone with the volume. */
export interface CredentialFile {
  readonly volume: string;
  readonly name: string;
  readonly content: string;
  readonly shared: boolean;
}

export interface Credentials {
  readonly files: readonly CredentialFile[];
  /** Told to a person when they were made just now. */
  readonly logins: readonly { readonly what: string; readonly name: string; readonly password: string }[];
}

/** Services with a database and an account at the broker of their own. Payment's two processes share theirs. */
const owners = ['auth', 'user', 'payment', 'mailer'] as const;
type Owner = (typeof owners)[number];

const appSecrets: Record<Owner | 'gateway', readonly (keyof typeof makeAppSecret)[]> = {
  auth: ['JWT_PRIVATE_KEYS', 'PASSWORD_PEPPER', 'SEALING_KEY', 'SERVICE_SECRET'],
  user: ['SEALING_KEY', 'SERVICE_SECRET'],
  payment: ['SERVICE_SECRET'],
  mailer: ['SEALING_KEY', 'SERVICE_SECRET'],
  gateway: ['SERVICE_SECRET'],
};

const fileName = (setting: string) => setting.toLowerCase().replaceAll('_', '-');
export const trialAdmin = 'admin@latchkey.localhost';
const vhost = 'latchkey';

/**
 * Everything that the containers of `docker-compose.yml` authenticate with, made once and kept in `main`. In production only the accounts of the engines: the
 * secrets of the services, the first admin's password and the provider's secret are given by whoever runs it (S25, S44).
 */
export function makeCredentials(o: { main: string; production: boolean }): Credentials {
  const logins: Credentials['logins'][number][] = [];
  const keep = (name: string, make: () => string = randomSecret) => keepOnce(o.main, name, make);
  const told = (what: string, name: string, file: string) => {
    let fresh = false;
    const password = keep(file, () => {
      fresh = true;
      return randomBytes(15).toString('base64url');
    });
    if (fresh) logins.push({ what, name, password });
    return password;
  };
  const files: CredentialFile[] = [];
  const put = (volume: string, name: string, content: string, shared = false) =>
    files.push({ volume, name, content, shared });

  for (const owner of owners) {
    const database = keep(`mongodb-${owner}`);
    const broker = keep(`rabbitmq-${owner}`);
    put(
      owner,
      'mongodb-uri',
      `mongodb://${owner}:${database}@mongo:27017/?replicaSet=rs0&authSource=${databaseOf(owner)}`,
    );
    put(owner, 'amqp-url', `amqp://${owner}:${broker}@rabbitmq:5672/${vhost}`);
  }
  const rootPassword = keep('mongodb-root');
  put('mongo', 'root-password', rootPassword, true);
  // mongod wants base64, 6 to 1024 characters.
  put(
    'mongo',
    'keyfile',
    keep('mongodb-keyfile', () => randomBytes(512).toString('base64')),
    true,
  );
  put('mongo-init', 'mongodb-uri', `mongodb://root:${rootPassword}@mongo:27017/?directConnection=true`);
  const migration = keep('mongodb-migrate');
  put('migrate', 'mongodb-uri', `mongodb://migrate:${migration}@mongo:27017/?replicaSet=rs0&authSource=admin`);
  const users: DatabaseUser[] = [
    ...owners.map((user) => ({
      user,
      password: keep(`mongodb-${user}`),
      database: databaseOf(user),
      writes: [databaseOf(user)],
    })),
    // Builds the indexes of all of them.
    { user: 'migrate', password: migration, database: 'admin', writes: owners.map(databaseOf) },
  ];
  put('mongo-init', 'users.json', JSON.stringify(users));
  const operator = told('RabbitMQ management', 'operator', 'rabbitmq-operator');
  put(
    'rabbitmq',
    'definitions.json',
    keep('rabbitmq-definitions', () => definitions(keep, operator)),
    true,
  );

  if (!o.production) {
    for (const [service, names] of Object.entries(appSecrets))
      for (const name of names) put(service, fileName(name), keep(fileName(name), makeAppSecret[name]));
    put('user', 'admin-password', told('First admin', trialAdmin, 'admin-password'));
    const webhook = keep('stripe-webhook-secret');
    for (const volume of ['payment', 'simulator']) put(volume, 'stripe-webhook-secret', webhook);
  }
  return { files, logins };
}

const databaseOf = (owner: Owner) => `latchkey_${owner}`;

/** What RabbitMQ reads at its start: our accounts instead of guest, each reading its own queues and publishing its own events only (S74). */
function definitions(keep: (name: string) => string, operatorPassword: string): string {
  const user = (name: string, password: string, tags: string[]) => ({
    name,
    password_hash: passwordHash(password),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags,
  });
  return JSON.stringify({
    vhosts: [{ name: vhost }],
    users: [
      ...owners.map((owner) => user(owner, keep(`rabbitmq-${owner}`), [])),
      user('operator', operatorPassword, ['administrator']),
    ],
    permissions: [
      // Every process asserts the whole topology, so that none depends on another's start.
      ...owners.map((owner) => ({
        user: owner,
        vhost,
        configure: '.*',
        write: '.*',
        read: `^(latchkey\\..+|${owner}\\..+)$`,
      })),
      { user: 'operator', vhost, configure: '.*', write: '.*', read: '.*' },
    ],
    // An event's name begins with its owner's. To bind, everybody may read all of them.
    topic_permissions: owners.map((owner) => ({ user: owner, vhost, exchange, write: `^${owner}\\.`, read: '.*' })),
  });
}

/** RabbitMQ's form: base64 of a salt of four bytes and SHA-256 of salt and password. */
function passwordHash(password: string): string {
  const salt = randomBytes(4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString('base64');
}
