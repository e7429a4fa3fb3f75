import { expect, test } from 'vitest';
import { createMemoryHost } from '../host/memory/index.ts';
import { configHome, stateHome, userHome } from './home.ts';

function homes(env: Record<string, string>): string[] {
  const host = createMemoryHost({ home: '/home/u', cwd: '/w', env });
  return [userHome, configHome, stateHome].map((home) => home(host.env));
}

test('the XDG defaults lie in the user’s home', () => {
  expect(homes({})).toEqual(['/home/u', '/home/u/.config', '/home/u/.local/state']);
});

test('REIN_HOME moves the home and the defaults; relative, it starts where the program was started', () => {
  expect([homes({ REIN_HOME: '/h/' }), homes({ REIN_HOME: 'h' })]).toEqual([
    ['/h', '/h/.config', '/h/.local/state'],
    ['/w/h', '/w/h/.config', '/w/h/.local/state'],
  ]);
});

test('the XDG variables win, but for relative and empty ones', () => {
  const env = { REIN_HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: 'relative' };
  expect(homes(env)).toEqual(['/h', '/c', '/h/.local/state']);
  expect(homes({ ...env, XDG_CONFIG_HOME: '' })).toEqual(['/h', '/h/.config', '/h/.local/state']);
});
