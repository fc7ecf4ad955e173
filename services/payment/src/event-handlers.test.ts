import { handlerFor } from './event-handlers.js';

test('a type of event finds its own handler, else that of its group, else none', () => {
  const own = async () => undefined;
  const group = async () => undefined;
  const handlers = { 'a.b.done': own, 'a.b.*': group };
  expect(handlerFor(handlers, 'a.b.done')).toBe(own);
  expect(handlerFor(handlers, 'a.b.begun')).toBe(group);
  expect(handlerFor(handlers, 'a.b.deep.down')).toBe(group);
  for (const type of ['a.b', 'a.c', 'a', '', 'toString', '__proto__', 'constructor.name'])
    expect(handlerFor(handlers, type)).toBeUndefined();
});
