import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'

const base = '/Drug/InfoData'
type Cell = { DrugInfoId: number; Time: string; Value: number; WaterValue: number | null }
type Row = { Row: number; Field: string }

let kit: Kit
let project: number
let chemical: number
beforeAll(async () => {
  kit = await startKit()
  project = (await maker(kit).create(named('project'))).Id
  chemical = await add('CO1', { DoseLow: 10, DoseHigh: 40 })
})
afterAll(() => kit?.close())

const add = async (DrugCode: string, more: object = {}, as = 'owner', ProjectId = project) =>
  (await kit.data<{ Id: number }>(as, 'POST', '/Drug/Info', { DrugName: `=cmd ${DrugCode}`, DrugCode, ProjectId, ...more })).Id
const save = (cells: object[], as = 'owner') =>
  kit.call<{ Changed: number; Warnings: { Time: string; Message: string }[] }>(as, 'POST', `${base}/Ledger`, {
    Cells: cells.map((cell) => ({ DrugInfoId: chemical, ...cell })),
  })
const ledger = (Of: string) => kit.data<{ Cells: Cell[] }>('owner', 'GET', `${base}/Ledger?ProjectId=${project}&Of=${Of}`)
const csv = (...lines: string[]) => ['Date,Code,Dosed,Water,Remark', ...lines].join('\r\n')
const send = (text: string, more = '') =>
  kit.upload<{ Added: number; Changed: number }>('owner', `${base}/Import${more}`, text, 'entries.csv')

it('[suppress-drug-data] says what is wrong with an entry, and that a dose is outside its limits, before it is stored', async () => {
  const check = (Value: number, WaterValue: number | null, DataTime = '2026-03-04') =>
    kit.data<{ Valid: boolean; Errors: string[]; Warnings: string[] }>('owner', 'POST', `${base}/CheckData`, {
      ...{ DrugInfoId: chemical, DataTime, Value, WaterValue },
    })
  // 20 kg into 1,000 m³ are 20 mg/L.
  expect(await check(20, 1000)).toEqual({ Valid: true, Errors: [], Warnings: [] })
  expect(await check(5, 1000)).toMatchObject({ Valid: true, Warnings: [expect.stringContaining('5 mg/L')] })
  expect(await check(50, 1000)).toMatchObject({ Valid: true, Warnings: [expect.stringContaining('40 mg/L')] })
  for (const water of [0, null]) expect(await check(50, water)).toEqual({ Valid: true, Errors: [], Warnings: [] })
  expect(await check(-1, 1000)).toMatchObject({ Valid: false, Errors: [expect.anything()] })
  expect(await check(1, -1000)).toMatchObject({ Valid: false })
  expect(await check(20, 1000, '2099-01-01')).toMatchObject({ Valid: false })
  expect((await ledger('2026-03')).Cells).toEqual([])
})

it('a ledger saves amounts and their water apart, all cells or none', async () => {
  expect(
    await save([
      { Time: '2026-03-01', Value: 118 },
      { Time: '2026-03-02', Value: 120, WaterValue: 6000 },
    ]),
  ).toMatchObject({ Data: { Changed: 2 } })
  expect(await save([{ Time: '2026-03-01', WaterValue: 5900 }])).toMatchObject({ Data: { Changed: 1 } })
  expect((await ledger('2026-03')).Cells).toEqual([
    { DrugInfoId: chemical, Time: '2026-03-01', Value: 118, WaterValue: 5900 },
    { DrugInfoId: chemical, Time: '2026-03-02', Value: 120, WaterValue: 6000 },
  ])
  expect(await save([{ Time: '2026-03-03', WaterValue: 5900 }])).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'Cells.0.Time': [expect.stringContaining('first')] } },
  })
  expect(
    await save([
      { Time: '2026-03-04', Value: 1 },
      { Time: '2099-03-04', Value: 1 },
    ]),
  ).toMatchObject({
    Details: { Fields: { 'Cells.1.Time': [expect.anything()] } },
  })
  expect(await save([{ Time: '2026-03-02', Value: 900 }])).toMatchObject({
    Data: { Changed: 1, Warnings: [{ Message: expect.stringContaining('150') }] },
  })
  expect(await save([{ Time: '2026-03-02', Value: null }])).toMatchObject({ Data: { Changed: 1 } })
  expect((await ledger('2026-03')).Cells).toHaveLength(1)
  expect(await save([{ Time: '2026-03-05', Value: 1 }], 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await save([{ Time: '2026-03-05', Value: 1 }], 'stranger')).toMatchObject({
    Details: { Fields: { 'Cells.0.DrugInfoId': [expect.anything()] } },
  })
})

it('a sheet of dates, codes, amounts, water and remarks is taken whole or refused by row and column', async () => {
  const elsewhere = (await maker(kit, 'stranger').create(named('project'))).Id
  await add('FOREIGN', {}, 'stranger', elsewhere)
  await add('AUTO', { Source: 1 })
  const refused = await send(csv('2026-05-01,FOREIGN,1,1,', '31.5.2026,CO1,1,1,', '2026-05-03,__proto__,1,1,'))
  expect((refused.Details!.Rows as Row[]).map(({ Row, Field }) => [Row, Field])).toEqual([
    [2, 'DrugCode'],
    [3, 'DataTime'],
    [4, 'DrugCode'],
  ])
  expect((await send(csv('2099-01-01,CO1,1,1,', '2026-05-01,AUTO,1,1,'))).Details!.Rows).toMatchObject([
    { Row: 2, Field: 'DataTime' },
    { Row: 3, Field: 'DrugCode' },
  ])
  expect((await ledger('2026-05')).Cells).toEqual([])
  const good = csv('2026-05-01,CO1,12.5,600,=cmd', '2026/5/2,CO1,13,,')
  expect(await send(good, '?Preview=1')).toMatchObject({ Data: { Added: 2 } })
  expect((await ledger('2026-05')).Cells).toEqual([])
  expect(await send(good)).toMatchObject({ Data: { Added: 2, Changed: 0 } })
  expect(await send(good)).toMatchObject({ Data: { Added: 0, Changed: 0, Unchanged: 2 } })
  const out = (await kit.request('owner', 'GET', `${base}/Output?Format=csv&DrugInfoId=${chemical}&OrderColumn=Id`)).body
  expect(out).toContain("2026-05-01,CO1,12.5,600,'=cmd")
  expect((await kit.request('owner', 'GET', `${base}/Template?Format=csv`)).body).toContain('CO01')
})
