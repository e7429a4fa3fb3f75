import { createNodeHost } from '../../src/host/node/index.ts';
import { deliveryFold } from '../../src/instructions/index.ts';
import { createSessionStore, SESSION_FOLDS, SessionError } from '../../src/session/index.ts';

// A process of its own: node session-process.mjs DIRECTORY ID NAME TIMES [hold]. Opens the session, says that it has
// it, adds NAME-start and NAME-end, TIMES over, and says how each ended; with `hold` it stays until it is killed.
const [directory = '', id = '', name = '', times = '1', hold] = process.argv.slice(2);
const host = createNodeHost();
const store = createSessionStore({ host, directory, folds: { ...SESSION_FOLDS, delivery: deliveryFold } });

for (let count = 0; count < Number(times); count += 1) {
  try {
    const log = await store.open(id);
    log.append({ type: 'prompt', text: `${name}-start`, from: 'user' });
    if (hold === 'hold') {
      process.stdout.write('held\n');
      await new Promise(() => setInterval(() => {}, 1000));
    }
    await host.clock.sleep(3);
    log.append({ type: 'prompt', text: `${name}-end`, from: 'user' });
    await log.close();
    process.stdout.write('added\n');
  } catch (error) {
    process.stdout.write(`${error instanceof SessionError ? error.code : String(error)}\n`);
    await host.clock.sleep(2);
  }
}
