import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'

const base = '/Energy/InfoData'
type Ledger = {
  CycleType: number
  Circuits: { Id: number; EnergyCode: string }[]
  Cells: { EnergyInfoId: number; Time: string; Value: number }[]
}
type Row = { Row: number; Field: string; Cell?: string; Message: string }

let kit: Kit
let make: ReturnType<typeof maker>
let project: number
let circuit: number
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
  project = (await make.create(named('project'))).Id
  circuit = await add('L1')
})
afterAll(() => kit?.close())

const add = async (EnergyCode: string, more: object = {}, as = 'owner') =>
  (
    await kit.data<{ Id: number }>(as, 'POST', '/Energy/Info', {
      EnergyName: `=cmd ${EnergyCode}`,
      EnergyCode,
      ProjectId: project,
      Source: 2,
      ...more,
    })
  ).Id
const enter = (more: object) =>
  kit.call('owner', 'POST', base, { EnergyInfoId: circuit, DataTime: '2026-01-05 00:00:00', Value: 10, ...more })
const save = (cells: [string, number | null][], more: object = {}, as = 'owner') =>
  kit.call<{ Changed: number; Warnings: { Time: string; Message: string }[] }>(as, 'POST', `${base}/Ledger`, {
    Cells: cells.map(([Time, Value]) => ({ EnergyInfoId: circuit, Time, Value })),
    ...more,
  })
const ledger = (Of: string, as = 'owner') => kit.data<Ledger>(as, 'GET', `${base}/Ledger?ProjectId=${project}&Of=${Of}`)
const csv = (...lines: string[]) => ['Code,Date,Value,Meter reading', ...lines].join('\r\n')
const send = (text: string, more = '') =>
  kit.upload<{ Added: number; Changed: number }>('owner', `${base}/Import${more}`, text, 'entries.csv')

it('amounts begin with their period; a date twice, the future, negative ones and circuits with a meter are refused by field', async () => {
  expect(await enter({ DataTime: '2026-01-05 12:34:56' })).toMatchObject({ Data: { DataTime: '2026-01-05 00:00:00', Source: 1 } })
  expect(await enter({ DataTime: '2026-01-05 18:00:00' })).toMatchObject({
    StatusCode: 409,
    Details: { Fields: { DataTime: [expect.anything()] } },
  })
  expect(await enter({ DataTime: '2026-01-05 12:34:56', CycleType: 1, IsReading: 1 })).toMatchObject({
    Data: { DataTime: '2026-01-05 12:34:56' },
  })
  expect(await enter({ DataTime: '2099-01-01 00:00:00' })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { DataTime: [expect.stringContaining('future')] } },
  })
  expect(await enter({ DataTime: '2026-02-30 00:00:00' })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { DataTime: [expect.anything()] } },
  })
  expect(await enter({ DataTime: '2026-01-06 00:00:00', Value: -1 })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Value: [expect.anything()] } },
  })
  const metered = await add('L9', { Source: 1 })
  expect(await enter({ EnergyInfoId: metered })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { EnergyInfoId: [expect.anything()] } },
  })
})

it('a ledger saves cells all or none, takes them back, and says what is unusual', async () => {
  const values: [string, number][] = [
    ['2026-03-01', 100],
    ['2026-03-02', 110],
    ['2026-03-03', 90],
  ]
  expect(await save(values)).toMatchObject({ Data: { Changed: 3, Warnings: [] } })
  expect(await save([['2026-03-04', 151]])).toMatchObject({
    Data: { Changed: 1, Warnings: [{ Time: '2026-03-04', Message: expect.stringContaining('100') }] },
  })
  expect(
    await save([
      ['2026-03-05', 5],
      ['2099-03-05', 6],
    ]),
  ).toMatchObject({ StatusCode: 400, Details: { Fields: { 'Cells.1.Time': [expect.anything()] } } })
  expect(
    await save([
      ['2026-03-05', 5],
      ['2026-03-05', 6],
    ]),
  ).toMatchObject({ StatusCode: 400 })
  expect(await save([['2026-03-04', null]])).toMatchObject({ Data: { Changed: 1 } })
  expect((await ledger('2026-03')).Cells).toEqual(values.map(([Time, Value]) => ({ EnergyInfoId: circuit, Time, Value })))
  expect(
    await save([
      ['2026-03', 3000],
      ['2026-04', 3100],
    ]),
  ).toMatchObject({ Succeeded: true })
  expect((await ledger('2026')).Cells.map(({ Time }) => Time)).toEqual(['2026-03', '2026-04'])
  expect(await save([['2026-05', 1]], {}, 'viewer')).toMatchObject({ StatusCode: 403 })
  expect(await save([['2026-05', 1]], {}, 'stranger')).toMatchObject({
    Details: { Fields: { 'Cells.0.EnergyInfoId': [expect.anything()] } },
  })
  const days = await kit.db.rows<{ Value: number }>(sql`
    select "Value"::float8 as "Value" from energy_info_data where "EnergyInfoId" = ${circuit} and "CycleType" = 2
      and "DataTime" between '2026-02-28T12:00:00Z' and '2026-03-04T00:00:00Z' order by "DataTime"`)
  expect(days.map(({ Value }) => Value)).toEqual([100, 110, 90])
})

it('[suppress-energy-data] says what is wrong with a value and what is unusual, before it is stored', async () => {
  const check = (Value: number, DataTime = '2026-03-04', more: object = {}) =>
    kit.data<{ Valid: boolean; Errors: string[]; Warnings: string[] }>('owner', 'POST', `${base}/CheckData`, {
      EnergyInfoId: circuit,
      DataTime,
      Value,
      ...more,
    })
  expect(await check(149)).toEqual({ Valid: true, Errors: [], Warnings: [] })
  expect(await check(49)).toMatchObject({ Valid: true, Warnings: [expect.stringContaining('100')] })
  expect(await check(-1)).toMatchObject({ Valid: false, Errors: [expect.anything()] })
  expect(await check(100, '2099-01-01')).toMatchObject({ Valid: false })
  await enter({ DataTime: '2026-02-01 08:00:00', IsReading: 1, Value: 500 })
  expect(await check(400, '2026-02-02 08:00:00', { IsReading: 1 })).toMatchObject({
    Valid: true,
    Warnings: [expect.stringContaining('500')],
  })
})

it('a sheet adds and changes entries all or nothing, and names what is wrong by row and column', async () => {
  await add('FOREIGN', { ProjectId: (await maker(kit, 'stranger').create(named('project'))).Id }, 'stranger')
  const refused = await send(
    csv(
      'L1,2026-05-01,12.5,0',
      'L1,2026-05-01,13,0',
      'L1,2099-01-01,1,0',
      'L1,2026-05-03,-4,0',
      'L1,2026-05-04,"12,5",0',
      'FOREIGN,2026-05-05,1,0',
      'L1,31.5.2026,1,0',
    ),
  )
  expect(refused).toMatchObject({ StatusCode: 400 })
  const rows = (refused.Details!.Rows as Row[]).map(({ Row, Field }) => [Row, Field])
  expect(rows).toEqual(
    expect.arrayContaining([
      [3, 'DataTime'],
      [5, 'Value'],
      [6, 'Value'],
    ]),
  )
  const second = await send(csv('FOREIGN,2026-05-05,1,0', 'L1,31.5.2026,1,0', 'L9,2026-05-01,1,0'))
  expect((second.Details!.Rows as Row[]).map(({ Row, Field }) => [Row, Field])).toEqual([
    [2, 'EnergyCode'],
    [3, 'DataTime'],
  ])
  expect((await send(csv('L1,2099-01-01,1,0', 'L9,2026-05-01,1,0'))).Details!.Rows).toMatchObject([
    { Row: 2, Field: 'DataTime' },
    { Row: 3, Field: 'EnergyCode' },
  ])
  expect((await ledger('2026-05')).Cells).toEqual([])
  const good = csv('L1,2026-05-01,12.5,0', 'L1,2026/5/2,13,no', 'L1,2026-06,400,')
  expect(await send(good, '?Preview=1')).toMatchObject({ Data: { Added: 3 } })
  expect((await ledger('2026-05')).Cells).toEqual([])
  expect(await send(good)).toMatchObject({ Data: { Added: 3, Changed: 0 } })
  expect(await send(good)).toMatchObject({ Data: { Added: 0, Changed: 0, Unchanged: 3 } })
  const out = (await kit.request('owner', 'GET', `${base}/Output?Format=csv&EnergyInfoId=${circuit}&OrderColumn=Id`)).body
  expect(out).toContain('L1,2026-05-02,13')
  expect(await kit.call('stranger', 'GET', `${base}/Ledger?ProjectId=${project}&Of=2026-05`)).toMatchObject({ StatusCode: 404 })
  expect((await kit.request('owner', 'GET', `${base}/Template?Format=csv`)).body).toContain('E01')
  const names = (await kit.request('owner', 'GET', '/Energy/Info/Output?Format=csv&Fields=EnergyName,EnergyCode')).body
  expect(names).toContain("'=cmd L1")
})

it('an amount and a reading of the same time do not take each other’s place, nor take each other back', async () => {
  await save([['2026-01-20', 7]])
  const other = { StatusCode: 400, Details: { Fields: { 'Cells.0.Time': [expect.stringContaining('other kind')] } } }
  expect(await save([['2026-01-20', 900]], { IsReading: 1 })).toMatchObject(other)
  expect(await save([['2026-01-20', null]], { IsReading: 1 })).toMatchObject(other)
  expect((await send(csv('L1,2026-01-20,900,yes'))).Details!.Rows).toMatchObject([{ Row: 2, Field: 'DataTime' }])
  expect((await ledger('2026-01')).Cells).toContainEqual({ EnergyInfoId: circuit, Time: '2026-01-20', Value: 7 })
})

it('nothing is entered for before 2000, nor for an hour that the clocks skip', async () => {
  const said = (text: string) => ({ StatusCode: 400, Details: { Fields: { 'Cells.0.Time': [expect.stringContaining(text)] } } })
  expect(await save([['1999-12-31', 1]], { IsReading: 1 })).toMatchObject(said('2000'))
  expect(await enter({ DataTime: '1970-01-01 00:00:00', IsReading: 1 })).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { DataTime: [expect.stringContaining('2000')] } },
  })
  expect(await kit.call('owner', 'GET', `${base}/Ledger?ProjectId=${project}&Of=0000`)).toMatchObject({ StatusCode: 400 })
  await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'Europe/Berlin' where "Id" = ${kit.enterprises.ours}`)
  expect(await save([['2026-03-29 02:00', 1]])).toMatchObject(said('skip'))
  expect(await save([['2026-03-29 03:00', 1]])).toMatchObject({ Succeeded: true })
})

it('of two people who add the same amount at once, the one without the right to change it does not', async () => {
  await kit.person('adds', kit.enterprises.ours, { menus: ['m10704', 'm10704.add'] })
  const done = await Promise.all([1, 2, 3, 4].map((value) => save([['2026-01-25', value]], {}, 'adds')))
  expect(done.map(({ StatusCode }) => StatusCode).sort()).toEqual([200, 403, 403, 403])
})
