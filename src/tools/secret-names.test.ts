import { expect, test } from 'vitest';
import { isSecretName } from './secret-names.ts';

test('names of keys and passwords, and names that only look like them', () => {
  const secret = [
    '/w/.env',
    '/w/.env.local',
    '/w/.ENV',
    '/home/ada/.ssh/id_rsa',
    '/w/id_ed25519',
    '/w/id_ecdsa',
    '/w/credentials',
    '/home/ada/.aws/credentials.bak',
    '/home/ada/.gcp/credentials/key.json',
  ];
  const harmless = [
    '/w/.env.example',
    '/w/.env.sample',
    '/w/.env.template',
    '/w/env',
    '/w/.environment',
    '/w/id_rsa.pub',
    '/w/credentials.ts',
    '/w/.aws/config',
  ];
  expect([secret.filter((path) => !isSecretName(path)), harmless.filter(isSecretName)]).toEqual([[], []]);
});
