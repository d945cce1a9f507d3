import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { openFolder } from '../../../../server/files/store.ts'
import { named } from '../../../../server/resource/sql.ts'
import { fileRoutes } from '../../../system/files/server/routes.ts'
import { filesService } from '../../../system/files/server/service.ts'

type Stored = { FilePath: string; FileName: string }
type Bill = { Id: number; Files: Stored[] | null; BillLines: unknown[] }
const base = '/Energy/Bill'
const pdf = '%PDF-1.7\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n'

const folder = mkdtempSync(join(tmpdir(), 'penstock-bills-'))
let kit: Kit
let circuit: number
beforeAll(async () => {
  kit = await startKit({
    areas: (database, sessions) => {
      const files = filesService(database, openFolder(folder), randomBytes(32), Date.now)
      return [(api) => fileRoutes(api, files, sessions)]
    },
  })
  circuit = (await maker(kit).create(named('energyInfo'))).Id
})
afterAll(async () => {
  await kit?.close()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
const add = (more: object = {}) =>
  kit.call<Bill>('owner', 'POST', base, {
    ...{ BillNo: `2026-${++count}`, EnergyInfoId: circuit, StartDate: '2026-01-01', EndDate: '2026-01-31' },
    BillLines: [{ Kind: 1, Level: 2, Quantity: 1200.5, Amount: 240.1 }],
    ...more,
  })
const send = (name: string, content: string) => kit.upload<Stored>('owner', '/System/File/Upload?Purpose=bill', content, name)

it('keeps an invoice with its lines, and refuses days and lines that cannot be', async () => {
  expect((await add()).Data.BillLines).toEqual([{ Kind: 1, Level: 2, Quantity: 1200.5, Amount: 240.1 }])
  for (const [field, more] of [
    ['EndDate', { EndDate: '2025-12-31' }],
    ['EndDate', { EndDate: '2028-01-01' }],
    ['StartDate', { StartDate: '2026-02-30' }],
    ['BillLines.0.Quantity', { BillLines: [{ Kind: 1, Amount: 5 }] }],
    ['BillNo', { BillNo: '2026-1' }],
  ] as const)
    expect((await add(more)).Details?.Fields, field).toHaveProperty([field])
  expect(await add({ BillLines: [{ Kind: 9, Amount: 5 }] })).toMatchObject({ StatusCode: 400 })
})

it('takes a pdf by its bytes, serves it as a download to whoever sees invoices, and to nobody else', async () => {
  for (const [name, content] of [
    ['bill.txt', 'just words'],
    ['bill.pdf', 'just words'],
    ['bill.png', pdf],
  ] as const)
    expect(await send(name, content)).toMatchObject({ StatusCode: 400 })
  expect(await send('bill.pdf', pdf + ' '.repeat(10 * 2 ** 20))).toMatchObject({ StatusCode: 413 })
  const { FilePath, FileName } = (await send('bill.pdf', pdf)).Data
  const { Data } = await add({ Files: [{ FilePath, FileName }] })
  expect(Data.Files).toEqual([{ FilePath, FileName: 'bill.pdf' }])
  const read = await kit.request('owner', 'GET', `/${FilePath}`)
  expect([read.body, read.headers['content-disposition']]).toEqual([pdf, expect.stringMatching(/^attachment/)])
  for (const who of ['viewer', 'stranger']) expect((await kit.request(who, 'GET', `/${FilePath}`)).body, who).not.toContain('PDF')
  expect(await kit.call('viewer', 'GET', `${base}/List`)).toMatchObject({ StatusCode: 403 })
  expect(await kit.call('stranger', 'GET', `${base}?Id=${Data.Id}`)).toMatchObject({ StatusCode: 404 })
})
