import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closeFolder } from './privacy.ts'

it.skipIf(process.platform === 'win32')(
  'closes what an earlier version left open, but not PostgreSQL’s folder and nothing behind a link',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'penstock-open-'))
    const [data, elsewhere] = [join(folder, 'data'), join(folder, 'elsewhere')]
    for (const path of [elsewhere, join(data, 'telemetry', 'store', 'files'), join(data, 'postgres', 'cluster')])
      mkdirSync(path, { recursive: true })
    const files = [join(data, 'telemetry', 'rejected.db'), join(data, 'telemetry', 'store', 'files', 'a.parquet'), join(data, 'vault.key')]
    for (const file of [...files, join(elsewhere, 'a.txt'), join(data, 'postgres', 'cluster', 'b')]) {
      writeFileSync(file, 'x')
      chmodSync(file, 0o644)
    }
    for (const path of [data, elsewhere, join(data, 'telemetry'), join(data, 'postgres')]) chmodSync(path, 0o755)
    symlinkSync(elsewhere, join(data, 'backups'))
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
    expect(closeFolder(data)).toBeUndefined()
    expect(files.map(mode)).toEqual(['600', '600', '600'])
    expect(mode(join(data, 'telemetry'))).toBe('700')
    expect([data, elsewhere, join(elsewhere, 'a.txt'), join(data, 'postgres'), join(data, 'postgres', 'cluster', 'b')].map(mode)).toEqual([
      '755',
      '755',
      '644',
      '755',
      '644',
    ])
    rmSync(folder, { recursive: true, force: true })
  },
)
