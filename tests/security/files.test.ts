// What lies on the disk is for the server's own account to read (F12).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newPlace } from '../restorable.ts'

it.skipIf(process.platform === 'win32')(
  'readings, exports and all else of the data folder are closed, also those an earlier version left open',
  async () => {
    const { folder, env, fresh } = await newPlace()
    const old = join(folder, 'exports', '1.csv')
    mkdirSync(join(folder, 'exports'))
    writeFileSync(old, 'an export')
    chmodSync(join(folder, 'exports'), 0o755)
    chmodSync(old, 0o644)
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../main/server.ts')], {
      env: { ...process.env, ...env, PENSTOCK_LOG: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // The cache of compiled code is still being written.
    const open = (path: string) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0
    try {
      expect(statSync(join(folder, 'exports')).mode & 0o777).toBe(0o755)
      let said = ''
      for await (const chunk of child.stdout) {
        said += chunk
        if (said.includes('Penstock is ready')) break
      }
      const names = readdirSync(folder, { recursive: true }) as string[]
      expect(names).toEqual(
        expect.arrayContaining(['vault.key', 'keys/log.pem', 'telemetry/rejected/rejected.db', 'telemetry/store/telemetry.duckdb']),
      )
      expect(names.filter((name) => open(join(folder, name)))).toEqual([])
    } finally {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await fresh.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
