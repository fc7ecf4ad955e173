import { ConfigError, loadConfig } from './load-config.js';
import { loadTogether } from './load-together.js';
import { needed, optional, required } from './setting.js';
import { port, text } from './values.js';

const details = { description: 'test' };
const one = { name: 'ONE', ...required(port, details) };
const two = { name: 'TWO', ...optional(text, { ...details, whenEmpty: 'nothing' }) };

test('what every loader gave, under its name', () => {
  const loaded = loadTogether(
    { first: (given) => loadConfig({ one }, given), second: (given) => loadConfig({ two }, given) },
    { ONE: '1', TWO: 'two' },
  );
  expect(loaded).toEqual({ first: { one: 1 }, second: { two: 'two' } });
});

test('the faults of all, each once; who needs an optional setting says so', () => {
  const load = () =>
    loadTogether(
      {
        first: (given) => loadConfig({ one, two }, given),
        second: (given) => loadConfig({ one, two: needed(two) }, given),
      },
      { ONE: 'x' },
    );
  const faults = [
    { setting: 'ONE', message: 'must be a whole number from 0 to 65535, not "x"' },
    { setting: 'TWO', message: 'is required' },
  ];
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(expect.objectContaining({ faults }));
});

test('other errors pass', () => {
  const broken = () => {
    throw new TypeError('broken');
  };
  expect(() => loadTogether({ broken }, {})).toThrow(TypeError);
});
