import { missing } from '../api-error.js';
import { flag, list, text } from '../form-body.js';
import { listPage, withinCreated } from '../list-page.js';
import type { World } from '../world.js';
import type { Operation } from './operation.js';

export function eventOperations({ store }: World): Operation[] {
  return [
    [
      'GET',
      '/v1/events',
      ({ form }) => {
        const created = withinCreated(form);
        const type = text(form, 'type');
        const types = [...(type === undefined ? [] : [type]), ...list(form, 'types').map(String)];
        const delivered = flag(form, 'delivery_success');
        const found = store.all('event').filter((event) => {
          const arrived = store.get('delivery', event.id)?.state === 'delivered';
          return (
            created(event.created) &&
            (types.length === 0 || types.some((wanted) => matches(event.type, wanted))) &&
            (delivered === undefined || delivered === arrived)
          );
        });
        return listPage(found, form, '/v1/events');
      },
    ],
    [
      'GET',
      '/v1/events/:id',
      ({ id }) => {
        const event = store.get('event', id);
        if (event === undefined) throw missing('event', id);
        return event;
      },
    ],
  ];
}

function matches(type: string, wanted: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
