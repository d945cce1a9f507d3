import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { writeSheet } from '../../../../server/files/xlsx.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { gatewaySn } from '../contract.ts'

let kit: Kit
let create: ReturnType<typeof maker>['create']
beforeAll(async () => {
  kit = await startKit()
  create = maker(kit).create
})
afterAll(() => kit.close())

let count = 0
const newSN = () => `STK${String(++count).padStart(8, '0')}`
type Item = { SN: string; Code?: string }
type Made = { Added: number; Codes: { SN: string; Code: string }[] }
type Entry = { Id: number; SN: string; Status: number } & Record<string, unknown>
const add = (Items: Item[], as = 'owner', more: object = {}) => kit.data<Made>(as, 'POST', `${gatewaySn.path}/BatchAdd`, { Items, ...more })
const entry = async (SN: string, as = 'owner') => (await kit.data<Page<Entry>>(as, 'GET', `${gatewaySn.path}/List?SN=${SN}`)).Items[0]!
const lines = async (SN: string) => {
  const { Id } = await entry(SN)
  return kit.data<{ OpType: number; UserName: string | null }[]>('owner', 'GET', `${gatewaySn.path}/Life?Id=${Id}`)
}

it('numbers are added together or not at all; codes that were made are answered once and stored as hashes', async () => {
  const [a, b] = [newSN(), newSN()]
  const made = await add([{ SN: ` ${a.toLowerCase()} ` }, { SN: b, Code: 'abcd2345' }], 'owner', { Batch: 'B1', ProduceDate: '2026-11-01' })
  expect(made).toEqual({ Added: 2, Codes: [{ SN: a, Code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{8}$/) }] })
  const row = await entry(a)
  expect(row).toMatchObject({ SN: a, Status: 1, Batch: 'B1', ProduceDate: '2026-11-01' })
  expect(JSON.stringify(row)).not.toContain('argon2')
  const stored = await kit.db.rows<{ CodeHash: string }>(sql`select "CodeHash" from gateway_sn where "SN" = ${a}`)
  expect(stored[0]!.CodeHash).toMatch(/^\$argon2id\$/)
  const logged = await kit.db.rows(sql`select 1 from change where "After"::text like ${`%${made.Codes[0]!.Code}%`}`)
  expect(logged).toEqual([])
  const c = newSN()
  const refused = await kit.call('owner', 'POST', `${gatewaySn.path}/BatchAdd`, { Items: [{ SN: c }, { SN: 'short' }, { SN: c }] })
  expect(refused).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'Items.1.SN': [expect.any(String)], 'Items.2.SN': [expect.any(String)] } },
  })
  expect(await kit.call('owner', 'POST', `${gatewaySn.path}/BatchAdd`, { Items: [{ SN: c }, { SN: a }] })).toMatchObject({
    Details: { Fields: { 'Items.1.SN': [expect.any(String)] } },
  })
  expect(await entry(c)).toBeUndefined()
})

it('a number is in one stock of the installation, and one that is a gateway of another company in none', async () => {
  const SN = newSN()
  await add([{ SN }])
  expect(await kit.call('stranger', 'POST', `${gatewaySn.path}/BatchAdd`, { Items: [{ SN }] })).toMatchObject({
    Details: { Fields: { 'Items.0.SN': [expect.any(String)] } },
  })
  const { SN: used } = await create(gateway)
  expect(await kit.call('stranger', 'POST', `${gatewaySn.path}/BatchAdd`, { Items: [{ SN: used }] })).toMatchObject({
    Details: { Fields: { 'Items.0.SN': [expect.any(String)] } },
  })
  await add([{ SN: String(used) }])
  expect(await entry(String(used))).toMatchObject({ Status: 3 })
})

it('a gateway of the company’s own stock is added by its number as ever, and returns to the stock with its removal', async () => {
  const SN = newSN()
  await add([{ SN }])
  const made = await create(gateway, { SN })
  expect(await entry(SN)).toMatchObject({ Status: 3, BoundTime: expect.any(String) })
  await kit.data('owner', 'DELETE', `${gateway.path}?Id=${made.Id}`)
  expect(await entry(SN)).toMatchObject({ Status: 4, BoundTime: null })
  expect((await lines(SN)).map(({ OpType, UserName }) => [OpType, UserName])).toEqual([
    [9, 'owner'],
    [8, 'owner'],
  ])
})

it('a number in the stock of another company, or scrapped, is not available without its code', async () => {
  const SN = newSN()
  await add([{ SN }], 'stranger')
  const draft = await maker(kit).draft(gateway, { SN })
  expect(await kit.call('owner', 'POST', gateway.path, draft)).toMatchObject({
    StatusCode: 409,
    Details: { Fields: { SN: [expect.any(String)] } },
  })
  const own = newSN()
  await add([{ SN: own }])
  await kit.data('owner', 'PUT', gatewaySn.path, { Id: (await entry(own)).Id, Status: 5 })
  expect(await kit.call('owner', 'POST', gateway.path, { ...draft, SN: own })).toMatchObject({ StatusCode: 409 })
})

it('a number in use keeps its state, its code and its place; others change by their states', async () => {
  const SN = newSN()
  await add([{ SN }])
  const { Id } = await entry(SN)
  const renewed = await kit.data<{ Code: string }>('owner', 'POST', `${gatewaySn.path}/NewCode`, { Id })
  expect(renewed.Code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/)
  expect(await kit.call('owner', 'PUT', gatewaySn.path, { Id, Status: 3 })).toMatchObject({ Details: { Fault: 'wrongState' } })
  await create(gateway, { SN })
  for (const [method, path, body] of [
    ['PUT', '', { Id, Status: 5 }],
    ['POST', '/NewCode', { Id }],
    ['DELETE', '', { Id }],
  ] as const)
    expect(await kit.call('owner', method, gatewaySn.path + path, body), path).toMatchObject({ Details: { Fault: 'wrongState' } })
})

it('shipments move what is in stock', async () => {
  const SN = newSN()
  await add([{ SN }])
  const agent = await kit.data<{ Id: number }>('owner', 'POST', '/V3/System/CrossRegionSale/Agent', { AgentName: 'Li' })
  await kit.data('owner', 'POST', '/V3/System/CrossRegionSale/SN_Agent_Region', { SNs: [SN], AgentId: agent.Id })
  expect(await entry(SN)).toMatchObject({ Status: 2 })
  await kit.data('owner', 'DELETE', '/V3/System/CrossRegionSale/SN_Agent_Region', { SN, AgentId: agent.Id })
  expect(await entry(SN)).toMatchObject({ Status: 4 })
  expect((await lines(SN)).map(({ OpType }) => OpType)).toEqual([2, 1])
})

it('a sheet of another program is read into the form: numbers, and the codes beside them', async () => {
  const sheet = await writeSheet(
    ['Serial number', 'Code', 'Remark'],
    [
      ['yc5300000001', 'ab23cd45', 'first'],
      ['YC5300000002', 'no code yet', ''],
      ['', '', 'nothing'],
    ],
  )
  const read = (file: Buffer, as = 'owner') => {
    const form = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`
    const body = Buffer.concat([Buffer.from(form), file, Buffer.from('\r\n--x--\r\n')])
    return kit.call(as, 'POST', `${gatewaySn.path}/ReadSheet`, body, { 'content-type': 'multipart/form-data; boundary=x' })
  }
  const Items = [{ SN: 'YC5300000001', Code: 'ab23cd45' }, { SN: 'YC5300000002' }]
  expect(await read(sheet)).toMatchObject({ Data: { Items } })
  expect(await read(Buffer.from('SN;Code\nYC5300000001;ab23cd45\nYC5300000002;\n'))).toMatchObject({ Data: { Items } })
  expect(await read(Buffer.from('SN;Code\n'))).toMatchObject({ Details: { Fault: 'sheetEmpty' } })
  const many = Array.from({ length: 1001 }, () => newSN()).join('\n')
  expect(await read(Buffer.from(many))).toMatchObject({ Details: { Fault: 'tooManySerials' } })
  expect(await read(sheet, 'viewer')).toMatchObject({ StatusCode: 403 })
})

it('nobody counts through the numbers of others: a long list says only a few times an hour which are taken', async () => {
  const Items = Array.from({ length: 60 }, () => ({ SN: newSN() }))
  await add(Items)
  const faults = []
  for (let i = 0; i < 4; i++) faults.push((await kit.call('stranger', 'POST', `${gatewaySn.path}/BatchAdd`, { Items })).Details?.Fault)
  expect(faults).toEqual(['taken', 'taken', 'taken', 'tooManyTaken'])
})

it('another company sees nothing of a stock, and a viewer changes nothing', async () => {
  const SN = newSN()
  await add([{ SN }])
  const { Id } = await entry(SN)
  expect(await entry(SN, 'stranger')).toBeUndefined()
  for (const [method, path, body] of [
    ['PUT', '', { Id, Batch: 'x' }],
    ['POST', '/NewCode', { Id }],
    ['DELETE', '', { Id }],
  ] as const) {
    expect(await kit.call('stranger', method, gatewaySn.path + path, body)).toMatchObject({ StatusCode: 404 })
    expect(await kit.call('viewer', method, gatewaySn.path + path, body)).toMatchObject({ StatusCode: 403 })
  }
  expect(await kit.call('stranger', 'GET', `${gatewaySn.path}/Life?Id=${Id}`)).toMatchObject({ StatusCode: 404 })
})
