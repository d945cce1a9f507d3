import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { packSheet } from './sheetPacker.ts'

const header = Array.from({ length: 20 }, (_, i) => `Column ${i}`)
const pageOf = (rows: number) => Array.from({ length: rows }, (_, row) => header.map((_, i) => `${row} ${i} ${Math.sin(row * i)}`))
const [one, colleague, other] = [
  { EnterpriseId: 1, UserId: 1 },
  { EnterpriseId: 1, UserId: 2 },
  { EnterpriseId: 2, UserId: 3 },
]

test('many small sheets at once leave most of the main loop to others', async () => {
  const page = pageOf(20)
  const first = await packSheet(header, [page], one)
  const before = performance.eventLoopUtilization()
  const files = await Promise.all(Array.from({ length: 24 }, () => packSheet(header, [page], one)))
  const { utilization } = performance.eventLoopUtilization(before)
  for (const file of files) expect(file.length).toBe(first.length)
  expect(utilization).toBeLessThan(0.6)
})

test('short sheets of colleagues and of other companies do not wait for the long and the many ones of a person', async () => {
  const pages = { tiny: [pageOf(2)], short: [pageOf(200)], long: Array.from({ length: 15 }, () => pageOf(500)) }
  const ended: string[] = []
  const pack = (kind: keyof typeof pages, who: string, person: typeof one) =>
    packSheet(header, pages[kind], person).then(() => void ended.push(`${kind} of ${who}`))
  const all = (['long', 'short', 'tiny'] as const).flatMap((kind) => Array.from({ length: 3 }, () => pack(kind, 'one', one)))
  for (const kind of ['short', 'tiny'] as const) all.push(pack(kind, 'a colleague', colleague), pack(kind, 'another', other))
  await Promise.all(all)
  for (const kind of ['short', 'tiny'])
    for (const who of ['a colleague', 'another'])
      for (const many of [kind, 'long'])
        expect(ended.indexOf(`${kind} of ${who}`), `${kind} of ${who}, ${many}`).toBeLessThan(ended.lastIndexOf(`${many} of one`))
})
