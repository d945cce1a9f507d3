import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../telemetry.fixture.ts'
import { openDuckDbStore } from './duckdbStore.ts'

const child = fileURLToPath(new URL('./crash.child.ts', import.meta.url))

/** Lets a process append from a number on, kills it without warning, answers the last number it acknowledged. */
const runAndKill = async (folder: string, from: number, afterMs: number) => {
  const process_ = spawn(process.execPath, [child, folder, String(from)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let acknowledged = from
  const problems: string[] = []
  createInterface({ input: process_.stderr }).on('line', (line) => problems.push(line))
  const lines = createInterface({ input: process_.stdout })
  lines.on('line', (line) => {
    if (line === 'open') setTimeout(() => process_.kill('SIGKILL'), afterMs)
    else acknowledged = Number(line)
  })
  const [[code, signal]] = await Promise.all([once(process_, 'exit'), once(lines, 'close')])
  expect({ code, signal, problems }).toEqual({ code: null, signal: 'SIGKILL', problems: [] })
  return acknowledged
}

test('every acknowledged reading is there exactly once after kills at any moment, also while files are written', async () => {
  const { folder, remove } = await temporaryFolder('crash')
  const expected: number[] = []
  let next = 0
  for (let round = 0; round < 6; round++) {
    const from = next
    const acknowledged = await runAndKill(folder, from, 50 + Math.random() * 500)
    for (let i = from; i < acknowledged; i++) expected.push(i)
    // What was under way may have been committed or not; the next process leaves it out.
    next = acknowledged + 1000
  }
  const store = await openDuckDbStore({
    folder,
    clock: () => Date.UTC(2046, 0, 1),
    log: (problem, error) => expect([problem, error]).toBe(''),
  })
  for (const settled of [false, true]) {
    if (settled) await store.settle('now')
    const values = (await store.read([1, 2, 3, 4, 5], 0, Date.UTC(2100, 0, 1), 10_000_000)).map((row) => row.value!)
    const found = new Set(values)
    expect(found.size).toBe(values.length)
    expect(expected.filter((i) => !found.has(i))).toEqual([])
    const buckets = await store.buckets([1, 2, 3, 4, 5], 0, Date.UTC(2100, 0, 1), { ms: 86_400_000, origin: 0 })
    const rolled = buckets.flatMap((b) => b.rows).reduce((sum, rows) => sum + rows, 0)
    expect(rolled).toBe(values.length)
  }
  expect(expected.length).toBeGreaterThan(0)
  await store.close()
  await remove()
}, 400_000)
