import { defineConfig } from 'vitest/config'

const exclude = ['**/node_modules/**', '**/dist/**', 'data/**']

export default defineConfig({
  test: {
    // Two processes suit two cores, and processes of their own keep DuckDB and argon2 apart.
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'plain', include: ['{contract,edge,plant,console}/**/*.test.{ts,tsx}', '*.test.ts'], exclude, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'tests/*.test.ts', 'tests/faults/*.test.ts'],
          exclude,
          globalSetup: ['server/testing/postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      // By itself only, with npm run test:soak.
      {
        extends: true,
        test: { name: 'soak', include: ['tests/soak/*.test.ts'], exclude, hookTimeout: 240_000 },
      },
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['tests/journeys/**/*.test.ts'],
          exclude,
          globalSetup: ['server/testing/postgres.ts'],
          // Each has a whole server and a browser; two at a time save a quarter of the time and fail where a machine is slow.
          fileParallelism: false,
          // Walks through all screens in several languages or as several people look at two at a time.
          maxConcurrency: 2,
          // A busy machine is late; a condition that never comes true is still an error.
          expect: { poll: { timeout: 20_000, interval: 100 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
