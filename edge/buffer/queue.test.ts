import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { DiskBuffer } from './disk-buffer.ts'
import { openQueue, type Queue } from './queue.ts'

const folders: string[] = []
const closing: (() => unknown)[] = []
const file = () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-queue-'))
  folders.push(folder)
  return join(folder, 'readings.db')
}
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const append = (n: number, Live = false, Items = `{"n":${n}}`) => ({ do: 'append' as const, MsgId: `m${n}`, Items, Count: 1, Live })
const contents = (queue: Queue) => queue.chunk(0, 1e9).rows.map((r) => r.Items)

test('what is not acknowledged survives, oldest first, and what was live is history', () => {
  const path = file()
  const first = openQueue(path, 1e6)
  first.apply([append(1, true), append(2), append(3, true)])
  expect(contents(first)).toEqual(['{"n":2}'])
  first.apply([{ do: 'remove', MsgId: 'm3' }])
  first.close()
  const second = openQueue(path, 1e6)
  closing.push(() => second.close())
  expect(contents(second)).toEqual(['{"n":1}', '{"n":2}'])
  expect(second.stats()).toMatchObject({ readings: 2, dropped: 0 })
})

test('doing the same twice changes nothing', () => {
  const queue = openQueue(file(), 1e6)
  closing.push(() => queue.close())
  queue.apply([append(1), append(1)])
  expect(queue.stats().readings).toBe(1)
  queue.apply([{ do: 'remove', MsgId: 'm1' }])
  expect(queue.apply([{ do: 'remove', MsgId: 'm1' }])).toMatchObject({ readings: 0, bytes: 0 })
})

test('beyond its size the oldest are dropped and counted, also after a restart', () => {
  const path = file()
  const queue = openQueue(path, 10_000)
  for (let n = 0; n < 30; n++) queue.apply([append(n, false, `"${'x'.repeat(1000)}"`)])
  const { readings, dropped, bytes } = queue.stats()
  expect(readings + dropped).toBe(30)
  expect(bytes).toBeLessThanOrEqual(10_000)
  expect(queue.chunk(0, 1e9).rows.at(-1)!.Seq).toBe(30)
  queue.close()
  const again = openQueue(path, 10_000)
  closing.push(() => again.close())
  expect(again.stats()).toMatchObject({ readings, dropped })
})

test('a chunk ends at its size but holds one row at least', () => {
  const queue = openQueue(file(), 1e6)
  closing.push(() => queue.close())
  queue.apply([append(1, false, 'x'.repeat(500)), append(2), append(3)])
  expect(queue.chunk(0, 100)).toMatchObject({ rows: [{ Seq: 1 }], more: true })
  expect(queue.chunk(1, 100)).toMatchObject({ rows: [{ Seq: 2 }, { Seq: 3 }], more: false })
})

test('a command is known with its outcome, the last 200 of them', () => {
  const queue = openQueue(file(), 1e6)
  closing.push(() => queue.close())
  for (let n = 0; n < 210; n++) queue.apply([{ do: 'remember', MsgId: `c${n}`, Reply: null }])
  queue.apply([{ do: 'remember', MsgId: 'c209', Reply: '{"Code":0}' }])
  const commands = queue.commands()
  expect(commands.length).toBe(200)
  expect(commands.at(-1)).toEqual({ MsgId: 'c209', Reply: '{"Code":0}' })
  expect(commands[0]!.MsgId).toBe('c10')
})

test('a second process is refused', async () => {
  const path = file()
  const queue = openQueue(path, 1e6)
  closing.push(() => queue.close())
  queue.apply([append(1)])
  await expect(DiskBuffer.open(path, 1e6, () => {})).rejects.toThrow(/in use by another gateway/)
})

test('the buffer says when it begins to forget', async () => {
  const lost: number[] = []
  const buffer = await DiskBuffer.open(file(), 5000, (stats) => lost.push(stats.dropped))
  closing.push(() => buffer.close())
  for (let n = 0; n < 4; n++) await buffer.change(append(n, false, 'x'.repeat(2000)))
  expect(lost).toEqual([1, 2])
  expect(buffer.stats).toMatchObject({ readings: 2, dropped: 2 })
})

test('in its thread the buffer keeps the order of changes', async () => {
  const buffer = await DiskBuffer.open(file(), 1e6, () => {})
  closing.push(() => buffer.close())
  for (let n = 0; n < 100; n++) {
    void buffer.change(append(n))
    if (n % 2) void buffer.change({ do: 'remove', MsgId: `m${n}` })
  }
  await buffer.change(append(1000))
  expect(buffer.stats.readings).toBe(51)
  const { rows } = await buffer.chunk(0, 1e9)
  expect(rows.map((r) => JSON.parse(r.Items).n).slice(0, 3)).toEqual([0, 2, 4])
})

test('a file with a page of nonsense is put aside, what can be read of it is used, and it says how much', () => {
  const path = file()
  const first = openQueue(path, 1e6)
  first.apply([{ do: 'remember', MsgId: 'c1', Reply: '{"Code":0}' }])
  for (let n = 0; n < 200; n++) first.apply([append(n, false, `"${'x'.repeat(1000)}${n}"`)])
  first.close()
  const bytes = readFileSync(path)
  bytes.fill(0x5a, 30 * 4096, 32 * 4096)
  writeFileSync(path, bytes)
  const second = openQueue(path, 1e6)
  closing.push(() => second.close())
  const { readings, salvaged } = second.stats()
  expect(salvaged).toBe(readings)
  expect(readings).toBeGreaterThan(150)
  expect(readings).toBeLessThan(200)
  const left = contents(second).map((text) => Number(/\d+/.exec(text)![0]))
  expect(left).toEqual(left.toSorted((a, b) => a - b))
  expect([left[0], left.at(-1)]).toEqual([0, 199])
  expect(second.commands()).toEqual([{ MsgId: 'c1', Reply: '{"Code":0}' }])
  expect(readFileSync(`${path}.damaged`).equals(bytes)).toBe(true)
  second.apply([append(1000)])
  expect(second.stats().readings).toBe(readings + 1)
})

test('a file that was cut off, emptied or is something else does not keep the gateway from working', () => {
  const path = file()
  const first = openQueue(path, 1e6)
  for (let n = 0; n < 100; n++) first.apply([append(n, false, `"${'x'.repeat(1000)}"`)])
  first.close()
  const whole = readFileSync(path)
  for (const [bytes, least] of [
    [whole.subarray(0, whole.length / 2), 1],
    [whole.subarray(0, 10_000), 0],
    [whole.subarray(0, 1), 0],
    [Buffer.alloc(0), 0],
    [Buffer.alloc(50_000, 'not a database '), 0],
    [Buffer.alloc(50_000), 0],
  ] as const) {
    writeFileSync(path, bytes)
    const queue = openQueue(path, 1e6)
    expect(queue.stats().readings, `${bytes.length} bytes`).toBeGreaterThanOrEqual(least)
    queue.apply([append(1000)])
    expect(contents(queue).at(-1)).toBe('{"n":1000}')
    queue.close()
  }
})

/** A queue as a file: readings, of which some are of a version without checksums, and commands. */
const written = (path: string) => {
  const queue = openQueue(path, 1e6)
  queue.apply([
    { do: 'remember', MsgId: 'c1', Reply: '{"Code":0}' },
    { do: 'remember', MsgId: 'c2', Reply: null },
  ])
  for (let n = 0; n < 30; n++)
    queue.apply([append(n, n % 7 === 0, `{"n":${n}},${'{"D":31,"T":1763596860100,"V":{"501":21.5}},'.repeat(n === 20 ? 300 : n)}{}`)])
  queue.apply([{ do: 'removeRows', Seqs: [3, 4] }])
  const expected = { rows: contents(queue), commands: queue.commands() }
  queue.close()
  const again = openQueue(path, 1e6)
  expected.rows = contents(again)
  again.close()
  return { bytes: readFileSync(path), ...expected }
}

test('any flipped bit of the file is found out or harmless: what is sent is what was written, and what is missing is counted', () => {
  const path = file()
  const { bytes, rows, commands } = written(path)
  const known = new Set(rows)
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
      for (const suffix of ['', '-wal', '-shm', '.damaged']) rmSync(path + suffix, { force: true })
      const flipped = Buffer.from(bytes)
      flipped[at]! ^= 1 << bit
      writeFileSync(path, flipped)
      const queue = openQueue(path, 1e6)
      const sent = contents(queue)
      const { dropped, damaged, salvaged } = queue.stats()
      expect(sent.filter((text) => !known.has(text))).toEqual([])
      expect(new Set(sent).size).toBe(sent.length)
      const isNamed = damaged > 0 || salvaged !== undefined
      if (sent.length < rows.length || dropped > 0) expect(isNamed).toBe(true)
      if (!isNamed) expect(queue.commands()).toEqual(commands)
      for (const command of queue.commands()) expect(commands).toContainEqual(command)
      // It goes on working: what was there is taken out and something new put in.
      queue.apply([{ do: 'removeRows', Seqs: queue.chunk(0, 1e9).rows.map((r) => r.Seq) }, append(1000)])
      expect(contents(queue)).toEqual(['{"n":1000}'])
      queue.close()
    }),
    { numRuns: 100 },
  )
})

test('a file whose first page is nonsense gives back every reading', () => {
  const path = file()
  const { bytes, rows, commands } = written(path)
  for (const [from, to] of [
    [0, 16],
    [100, 120],
    [3000, 4096],
    [0, 4096],
  ] as const) {
    for (const suffix of ['-wal', '-shm', '.damaged', '.damaged.first']) rmSync(path + suffix, { force: true })
    writeFileSync(path, Buffer.from(bytes).fill(0x5a, from, to))
    const queue = openQueue(path, 1e6)
    expect(contents(queue), `${from} to ${to}`).toEqual(rows)
    expect([queue.commands(), queue.stats()]).toMatchObject([commands, { salvaged: rows.length, damaged: 0 }])
    queue.close()
  }
})

test('a number that is another one now is not sent, is counted, put aside and reported once', async () => {
  const path = file()
  const first = openQueue(path, 1e6)
  for (let n = 0; n < 5; n++) first.apply([append(n, false, `{"V":{"501":21.${n}}}`)])
  first.close()
  const bytes = readFileSync(path)
  bytes[bytes.indexOf('21.3') + 1]! ^= 1
  writeFileSync(path, bytes)
  const lost: number[] = []
  const buffer = await DiskBuffer.open(
    path,
    1e6,
    () => {},
    ({ damaged }) => lost.push(damaged),
  )
  const { rows } = await buffer.chunk(0, 1e9)
  expect(rows.map((r) => r.Items)).toEqual([0, 1, 2, 4].map((n) => `{"V":{"501":21.${n}}}`))
  await buffer.chunk(0, 1e9)
  expect(lost).toEqual([1])
  expect(buffer.stats).toMatchObject({ readings: 4, dropped: 1, damaged: 1 })
  await buffer.close()
  const db = new DatabaseSync(path)
  expect(db.prepare('SELECT Items FROM damaged').all()).toEqual([{ Items: '{"V":{"501":20.3}}' }])
  db.close()
})

test('the file of a gateway without checksums is read on, and one with them by a gateway without', () => {
  const path = file()
  const old = new DatabaseSync(path)
  // As the version before wrote it.
  old.exec(`
  PRAGMA auto_vacuum = INCREMENTAL;
  CREATE TABLE IF NOT EXISTS reading (
    Seq INTEGER PRIMARY KEY AUTOINCREMENT, MsgId TEXT NOT NULL UNIQUE, Items TEXT NOT NULL, Count INTEGER NOT NULL, Live INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS command (Seq INTEGER PRIMARY KEY AUTOINCREMENT, MsgId TEXT NOT NULL UNIQUE, Reply TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS counter (Name TEXT PRIMARY KEY, Value INTEGER NOT NULL) STRICT;
  INSERT INTO counter VALUES ('dropped', 7);
  INSERT INTO command (MsgId, Reply) VALUES ('c1', '{"Code":0}');
  INSERT INTO reading (MsgId, Items, Count, Live) VALUES ('a', '{"n":1}', 1, 0), ('b', '{"n":2}', 1, 1)`)
  old.close()
  const queue = openQueue(path, 1e6)
  expect(queue.stats()).toMatchObject({ readings: 2, dropped: 7, damaged: 0 })
  expect(queue.stats().salvaged).toBeUndefined()
  queue.apply([append(3)])
  expect([contents(queue), queue.commands()]).toEqual([['{"n":1}', '{"n":2}', '{"n":3}'], [{ MsgId: 'c1', Reply: '{"Code":0}' }]])
  queue.close()
  const back = new DatabaseSync(path)
  back.exec(`INSERT OR IGNORE INTO reading (MsgId, Items, Count, Live) VALUES ('d', '{"n":4}', 1, 0)`)
  back.close()
  const again = openQueue(path, 1e6)
  closing.push(() => again.close())
  expect([again.stats().salvaged, contents(again)]).toEqual([undefined, [1, 2, 3, 4].map((n) => `{"n":${n}}`)])
})
