import { expect, test } from 'vitest';
import { childEnvironment, providerKeys } from './index.ts';

const ENV = {
  PATH: '/bin',
  HOME: '/home/user',
  REIN_HOME: '/elsewhere',
  REIN_API_KEY: 'custom-key-1',
  OPENAI_API_KEY: 'sk-openai-key',
  anthropic_api_key: 'lower-case-key',
  MY_COPY: 'before sk-openai-key after',
  STRIPE_API_KEY: 'the-users-own',
  GROQ_API_KEY: 'x',
  FLAG: 'x',
};

test('children get everything but the keys of model providers, by name and by value', () => {
  expect(childEnvironment(ENV)).toEqual({
    PATH: '/bin',
    HOME: '/home/user',
    REIN_HOME: '/elsewhere',
    STRIPE_API_KEY: 'the-users-own',
    FLAG: 'x',
  });
});

test('children do not get what else is named as a secret', () => {
  expect(
    childEnvironment({ A: '1', B: 'has hunter2222 in it', C: '3' }, { names: ['c'], values: ['hunter2222', '1'] }),
  ).toEqual({ A: '1' });
});

test('the keys of the environment are known for masking', () => {
  expect(providerKeys({ ...ENV, MOONSHOT_API_KEY: ' padded \n', XAI_API_KEY: '' })).toEqual([
    'custom-key-1',
    'sk-openai-key',
    'padded',
    'x',
  ]);
});
