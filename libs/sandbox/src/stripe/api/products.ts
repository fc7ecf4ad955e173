import { invalid, missing } from '../api-error.js';
import { type Form, flag, list, metadata, needed, section, text, whole } from '../form-body.js';
import { listPage } from '../list-page.js';
import type { Price, Product } from '../objects.js';
import { emit, fresh, seconds, type World } from '../world.js';
import type { Operation } from './operation.js';

export function productOperations(world: World): Operation[] {
  const { store } = world;
  const find = (id: string) => {
    const product = store.get('product', id);
    if (product === undefined) throw missing('product', id);
    return product;
  };
  return [
    ['GET', '/v1/products', ({ form }) => listPage(activeOnly(store.all('product'), form), form, '/v1/products')],
    ['GET', '/v1/products/:id', ({ id }) => find(id)],
    ['POST', '/v1/products', ({ form }) => createProduct(world, form)],
    [
      'POST',
      '/v1/products/:id',
      ({ id, form }) => {
        const before = find(id);
        const product: Product = {
          ...before,
          active: flag(form, 'active') ?? before.active,
          name: text(form, 'name') ?? before.name,
          description: text(form, 'description') ?? before.description,
          metadata: metadata(form, before.metadata),
          updated: seconds(world),
        };
        emit(world, 'product.updated', product);
        return store.put('product', product);
      },
    ],
    ['GET', '/v1/prices', ({ form }) => listPage(pricesOf(world, form), form, '/v1/prices')],
    ['GET', '/v1/prices/:id', ({ id }) => findPrice(world, id)],
    ['POST', '/v1/prices', ({ form }) => createPrice(world, form)],
    [
      'POST',
      '/v1/prices/:id',
      ({ id, form }) => {
        const before = findPrice(world, id);
        const price = {
          ...before,
          active: flag(form, 'active') ?? before.active,
          metadata: metadata(form, before.metadata),
        };
        emit(world, 'price.updated', price);
        return store.put('price', price);
      },
    ],
  ];
}

export function createProduct(world: World, form: Form): Product {
  const product: Product = {
    ...fresh(world, 'prod', 'product'),
    active: flag(form, 'active') ?? true,
    name: needed(form, 'name'),
    description: text(form, 'description') ?? null,
    images: list(form, 'images').map(String),
    default_price: null,
    metadata: metadata(form),
    type: 'service',
    updated: seconds(world),
  };
  emit(world, 'product.created', product);
  return world.store.put('product', product);
}

export function createPrice(world: World, form: Form): Price {
  const product = needed(form, 'product');
  if (world.store.get('product', product) === undefined) throw missing('product', product, 'product', 400);
  const unitAmount = whole(form, 'unit_amount');
  if (unitAmount === undefined || unitAmount < 0) throw invalid('unit_amount', 'unit_amount is needed');
  const interval = text(section(form, 'recurring'), 'interval');
  const price: Price = {
    ...fresh(world, 'price', 'price'),
    active: flag(form, 'active') ?? true,
    billing_scheme: 'per_unit',
    currency: needed(form, 'currency').toLowerCase(),
    nickname: text(form, 'nickname') ?? null,
    product,
    recurring:
      interval === undefined
        ? null
        : {
            interval,
            interval_count: whole(section(form, 'recurring'), 'interval_count') ?? 1,
            usage_type: 'licensed',
            meter: null,
          },
    type: interval === undefined ? 'one_time' : 'recurring',
    unit_amount: unitAmount,
    unit_amount_decimal: String(unitAmount),
    metadata: metadata(form),
  };
  emit(world, 'price.created', price);
  return world.store.put('price', price);
}

function findPrice(world: World, id: string): Price {
  const price = world.store.get('price', id);
  if (price === undefined) throw missing('price', id);
  return price;
}

function pricesOf(world: World, form: Form): Price[] {
  const product = text(form, 'product');
  return activeOnly(world.store.all('price'), form).filter(
    (price) => product === undefined || price.product === product,
  );
}

function activeOnly<T extends { active: boolean }>(items: T[], form: Form): T[] {
  const active = flag(form, 'active');
  return active === undefined ? items : items.filter((item) => item.active === active);
}
