import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const exclude = ['**/node_modules/**', '**/dist/**', 'data/**']
const areas = ['areas/*/*/server/**/*.test.ts', 'server/{resource,channels}/**/*.test.ts']
const onPostgres = { globalSetup: ['main/testing/postgres.ts'], testTimeout: 240_000, hookTimeout: 300_000 }

export default defineConfig({
  test: {
    // Two processes suit two cores, and processes of their own keep DuckDB and argon2 apart.
    pool: 'forks',
    maxWorkers: 2,
    // Fewer collections of what lives for one call: a tenth of the processor time of most files.
    execArgv: ['--max-semi-space-size=64'],
    // Servers that tests start load in two thirds of the time: Node keeps what it has compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/penstock-compiled') },
    setupFiles: ['main/testing/patience.ts'],
    // A busy machine is late; a condition that never comes true is still an error.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: [
            '{contract,edge,plant,sandbox,console}/**/*.test.{ts,tsx}',
            'areas/*/*/{*.test.ts,console/**/*.test.{ts,tsx}}',
            '*.test.ts',
          ],
          exclude,
          testTimeout: 240_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,main}/**/*.test.ts', 'tests/*.test.ts'],
          exclude: [...exclude, ...areas],
          ...onPostgres,
          // As for areas. A file that stubs a global or registers hooks for others undoes it at its end.
          isolate: false,
        },
      },
      // Replays what outsiders found (docs/security.md): one file a class of attack.
      {
        extends: true,
        // Not isolated: to load the server again would cost each file more than a second of a processor.
        test: { name: 'security', include: ['tests/security/*.test.ts'], exclude, ...onPostgres, isolate: false },
      },
      // Run alone, because they kill, flood and fill shared resources.
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/*.test.ts'],
          exclude,
          ...onPostgres,
          globalSetup: [...onPostgres.globalSetup, 'main/testing/serverBundle.ts'],
          // What is killed is a process of its own; the modules of this one stay.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'areas',
          include: areas,
          exclude,
          ...onPostgres,
          // The application is loaded once, not for each file: modules keep nothing that a request leaves behind.
          isolate: false,
        },
      },
      // By itself only, with npm run test:soak.
      {
        extends: true,
        test: { name: 'soak', include: ['tests/soak/*.test.ts'], exclude, hookTimeout: 240_000 },
      },
      // By itself only, with npm run test:image: needs podman or docker, and the image that npm run image builds.
      {
        extends: true,
        test: { name: 'image', include: ['tests/image/*.test.ts'], exclude, testTimeout: 180_000, hookTimeout: 180_000 },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          exclude,
          globalSetup: [...onPostgres.globalSetup, 'main/testing/serverBundle.ts'],
          setupFiles: ['tests/journeys/setup.ts'],
          // One browser and one copy of the modules for many files.
          isolate: false,
          // Walks through all screens in several languages or as several people look at two at a time.
          maxConcurrency: 2,
          expect: { poll: { timeout: 60_000, interval: 100 } },
          testTimeout: 300_000,
          // Of two files at a time one walks; the other one's set-up ends when it has its turn (tests/journeys/turn.ts).
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
