import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { pointColumns } from '../../../../contract/point-fields.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { writeSheet } from '../../../../server/files/xlsx.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../contract.ts'
import { pointRoutes } from './routes.ts'

let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit({ areas: () => [pointRoutes] })
  make = maker(kit)
})
afterAll(() => kit.close())

const newDevice = async () => (await make.create(device)).Id
const addPoint = (DeviceId: number, more: object) => make.create(point, { DeviceId, ...more })
const rowsOf = async (id: number) =>
  (await kit.data<Page<Record<string, unknown>>>('owner', 'GET', `/V2/Project/DevPara/List?DeviceIds=${id}&PageSize=1000`)).Items
const output = async (id: number, language = 'en') =>
  (await kit.request('owner', 'GET', `/Project/DevPara/Output?DeviceId=${id}`, undefined, { 'accept-language': language })).rawPayload

const upload = (as: string, id: number, file: Buffer, more = '') =>
  kit.upload<{ Added: number; Changed: number; Unchanged: number }>(
    as,
    `/Project/DevPara/Import?DeviceId=${id}${more}`,
    file,
    'points.xlsx',
  )

it.each(['en', 'zh', 'es', 'ja'])('a point table goes out and comes in again unchanged (%s)', async (language) => {
  const from = await newDevice()
  await addPoint(from, {
    ParaName: "=cmd|' /C calc'!A0",
    Address: '100.3',
    SampleLow: 0,
    SampleHigh: 27_648,
    ProjectHigh: 12.5,
    IsStore: 1,
    ParaDataType: 36,
    ParaUnitName: 'm³/h',
  })
  await addPoint(from, { ParaName: "'quoted", AlarmLow: -2.25, ParaUnitName: null })
  const to = await newDevice()
  const file = await output(from, language)
  expect((await readSheet(file))[0]).toHaveLength(27)
  expect((await upload('owner', to, file)).Data).toMatchObject({ Added: 2, Changed: 0, Unchanged: 0 })
  const plain = (rows: Record<string, unknown>[]) => rows.map((r) => Object.fromEntries(pointColumns.map((k) => [k, r[k]])))
  expect(plain(await rowsOf(to))).toEqual(plain(await rowsOf(from)))
  expect((await upload('owner', to, file)).Data).toMatchObject({ Added: 0, Changed: 0, Unchanged: 2 })
})

it('a point table of a type that the channel of its device does not have is refused by name', async () => {
  const id = (await make.create(device, { CommType: 0 })).Id
  await addPoint(id, { ParaName: 'Flow' })
  const asked = (type: number) => kit.request('owner', 'GET', `/Project/DevPara/Output?DeviceId=${id}&PointTableType=${type}`)
  const run = (await asked(1)).rawPayload
  expect(await readSheet((await asked(3)).rawPayload)).toEqual(await readSheet(run))
  expect((await asked(4)).json()).toMatchObject({ StatusCode: 400, Details: { Fields: { PointTableType: [expect.any(String)] } } })
  expect((await asked(2)).json()).toMatchObject({ StatusCode: 400 })
})

it('texts of states are in no sheet, and are read from one that has them', async () => {
  const id = await newDevice()
  await addPoint(id, { ParaName: 'Door', ParaDataType: 0, RegisterType: 1, ZeroText: 'Closed', OneText: 'Open' })
  const [header, row] = (await readSheet(await output(id))) as [string[], unknown[]]
  expect(row).not.toContain('Open')
  expect((await upload('owner', id, await writeSheet(header, [row] as never))).Data).toMatchObject({ Unchanged: 1 })
  expect((await upload('owner', id, await writeSheet([...header, 'OneText'], [[...row, 'Ajar']] as never))).Data).toMatchObject({
    Changed: 1,
  })
  expect((await rowsOf(id))[0]).toMatchObject({ ZeroText: 'Closed', OneText: 'Ajar' })
})

it('a unit left empty is no change', async () => {
  const id = await newDevice()
  await addPoint(id, { ParaUnitName: '' })
  expect((await upload('owner', id, await output(id))).Data).toMatchObject({ Added: 0, Changed: 0, Unchanged: 1 })
})

it('rows of the same name are changed and keep their Ids', async () => {
  const id = await newDevice()
  const kept = await addPoint(id, { ParaName: 'Flow', AlarmHigh: 10 })
  const cells = await readSheet(await output(id))
  cells[1]![pointColumns.indexOf('AlarmHigh')] = 12
  cells.push(cells[1]!.map((c, i) => (i === 0 ? 'Pressure' : pointColumns[i] === 'Address' ? '7' : c)))
  expect((await upload('owner', id, await writeSheet(cells[0] as string[], cells.slice(1)))).Data).toMatchObject({
    Added: 1,
    Changed: 1,
    Unchanged: 0,
  })
  expect((await rowsOf(id)).find((r) => r.ParaName === 'Flow')).toMatchObject({ Id: kept.Id, AlarmHigh: 12 })
})

it('names every bad cell by row and column, and imports nothing', async () => {
  const id = await newDevice()
  await addPoint(id, { ParaName: 'Held', Address: '1' })
  const [header, row] = (await readSheet(await output(id))) as [string[], unknown[]]
  const bad = (changes: Record<string, unknown>) =>
    row.map((c, i) => (pointColumns[i]! in changes ? changes[pointColumns[i]!] : c)) as never
  const sheet = [
    bad({ ParaName: 'A', Address: '65536' }),
    bad({ ParaName: 'B', ParaDataType: 'Quaternion' }),
    bad({ ParaName: '', DecimalDigits: 9 }),
    bad({ ParaName: 'C', Address: '5' }),
    bad({ ParaName: 'C', Address: '6', CollectPeriod: 'soon' }),
  ]
  const answer = await upload('owner', id, await writeSheet(header, sheet))
  expect(answer).toMatchObject({ Succeeded: false, StatusCode: 400, Details: { Fault: 'sheetRows' } })
  expect(answer.Details!.Rows!.map((e) => [e.Row, e.Field])).toEqual(
    expect.arrayContaining([
      [2, 'Address'],
      [3, 'ParaDataType'],
      [4, 'ParaName'],
      [4, 'DecimalDigits'],
      [6, 'CollectPeriod'],
      [6, 'ParaName'],
    ]),
  )
  expect(answer.Details!.Rows!.every((e) => e.Message && !e.Message.startsWith('fault.'))).toBe(true)
  expect(await rowsOf(id)).toHaveLength(1)
})

it('two rows that read the same place are a duplicate address', async () => {
  const id = await newDevice()
  await addPoint(id, { ParaName: 'One', Address: '9' })
  const [header, row] = (await readSheet(await output(id))) as [string[], unknown[]]
  const twin = row.map((c, i) => (i === 0 ? 'Two' : c))
  expect((await upload('owner', id, await writeSheet(header, [row, twin] as never))).Details!.Rows).toEqual([
    { Row: 3, Field: 'Address', Message: expect.any(String), Cell: expect.stringMatching(/^[A-Z]3$/) },
  ])
})

it('rows with the same address conflict, however the address is written and whatever their data type', async () => {
  const id = await newDevice()
  await addPoint(id, { ParaName: 'One', Address: '9' })
  const [header, row] = (await readSheet(await output(id))) as [string[], unknown[]]
  const change = (values: Record<string, unknown>) => row.map((c, i) => values[pointColumns[i]!] ?? c)
  const twin = change({ ParaName: 'Two', Address: '009', ParaDataType: 'UInt16 AB' })
  expect((await upload('owner', id, await writeSheet(header, [row, twin] as never))).Details!.Rows).toMatchObject([
    { Row: 3, Field: 'Address' },
  ])
  const other = change({ ParaName: 'Two', RegisterType: '3x input register' })
  expect((await upload('owner', id, await writeSheet(header, [row, other] as never))).Data).toMatchObject({ Added: 1 })
})

const crossed = { Fields: { AlarmHigh: ['The low limit must be below the high limit.'] } }
it('rules between columns apply to single rows, cells, batches and sheets', async () => {
  const id = await newDevice()
  const path = '/Project/DevPara'
  const draft = await make.draft(point, { DeviceId: id, ParaName: 'Crossed', AlarmLow: 9, AlarmHigh: 3 })
  expect(await kit.call('owner', 'POST', path, draft)).toMatchObject({ StatusCode: 400, Details: crossed })
  const { DeviceId: _, ...item } = draft
  expect(await kit.call('owner', 'POST', `${path}/BatchAdd`, { DeviceId: id, Items: [item] })).toMatchObject({
    Details: { Fields: { 'Items.0.AlarmHigh': crossed.Fields.AlarmHigh } },
  })
  const one = await addPoint(id, { ParaName: 'One', AlarmLow: 1, AlarmHigh: 3 })
  expect(await kit.call('owner', 'PUT', path, { Id: one.Id, AlarmHigh: 1 })).toMatchObject({ Details: crossed })
  expect(await kit.call('owner', 'PUT', path, { Id: one.Id, AlarmLow: 3 })).toMatchObject({
    Details: { Fields: { AlarmLow: crossed.Fields.AlarmHigh } },
  })
  const [header, row] = (await readSheet(await output(id))) as [string[], unknown[]]
  const sheet = (values: Record<string, unknown>) => writeSheet(header, [row.map((c, i) => values[pointColumns[i]!] ?? c)] as never)
  for (const ParaName of ['One', 'Another'])
    expect((await upload('owner', id, await sheet({ ParaName, AlarmHigh: 0 }))).Details!.Rows).toMatchObject([
      { Row: 2, Field: 'AlarmHigh', Message: crossed.Fields.AlarmHigh[0] },
    ])
  expect(await rowsOf(id)).toMatchObject([{ ParaName: 'One', AlarmLow: 1, AlarmHigh: 3 }])
})

it('an existing violation is reported only if a change touches its fields', async () => {
  const id = await newDevice()
  const { Id } = await addPoint(id, { ParaName: 'Old', AlarmLow: 1, AlarmHigh: 3 })
  await kit.db.rows(sql`update point set "AlarmLow" = 5 where "Id" = ${Id}`)
  expect(await kit.data('owner', 'PUT', '/Project/DevPara', { Id, ParaName: 'Older', AlarmHigh: 3 })).toMatchObject({ AlarmLow: 5 })
  expect((await upload('owner', id, await output(id))).Data).toMatchObject({ Unchanged: 1 })
  expect(await kit.call('owner', 'PUT', '/Project/DevPara', { Id, AlarmHigh: 4 })).toMatchObject({ Details: crossed })
  expect(await kit.data('owner', 'PUT', '/Project/DevPara', { Id, AlarmLow: null })).toMatchObject({ AlarmLow: null, AlarmHigh: 3 })
})

it('takes addresses that count from one, and full-width digits', async () => {
  const id = await newDevice()
  await addPoint(id, { ParaName: 'One', Address: '9' })
  const [header, row] = (await readSheet(await output(id))) as [string[], unknown[]]
  const place = pointColumns.indexOf('CollectPeriod')
  const changed = row.map((c, i) => (i === place ? '５００' : c))
  expect((await upload('owner', id, await writeSheet(header, [changed] as never), '&OffsetOne=1')).Data).toMatchObject({ Changed: 1 })
  expect((await rowsOf(id))[0]).toMatchObject({ Address: '8', CollectPeriod: 500 })
})

it('refuses what is no sheet, a foreign header, and an empty sheet, and says which', async () => {
  const id = await newDevice()
  for (const [file, fault] of [
    [Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'sheetUnreadable'],
    [Buffer.from('not a sheet'), 'sheetColumn'],
    [Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(200)]), 'sheetUnreadable'],
    [await writeSheet(['Something', 'else'], [['a', 'b']]), 'sheetColumn'],
    [await writeSheet(['Address'], [['1']]), 'sheetMissing'],
    [await writeSheet((await readSheet(await output(id)))[0] as string[], []), 'sheetEmpty'],
  ] as const)
    expect(await upload('owner', id, file)).toMatchObject({ Succeeded: false, Details: { Fault: fault } })
})

it('offers a template that can be imported as it is', async () => {
  const id = await newDevice()
  const template = (await kit.request('owner', 'GET', '/Project/DevPara/Template')).rawPayload
  expect((await upload('owner', id, template)).Data).toMatchObject({ Added: 1 })
})

it('adds in batches all or nothing, and sets slave numbers of many', async () => {
  const id = await newDevice()
  const draft = async (more: object) => {
    const { DeviceId, ...rest } = await make.draft(point, { DeviceId: id, ...more })
    return rest
  }
  const good = [await draft({ ParaName: 'A' }), await draft({ ParaName: 'B' })]
  expect(await kit.call('owner', 'POST', '/Project/DevPara/BatchAdd', { DeviceId: id, Items: [...good, good[0]] })).toMatchObject({
    StatusCode: 409,
  })
  expect(await rowsOf(id)).toEqual([])
  expect(await kit.data('owner', 'POST', '/Project/DevPara/BatchAdd', { DeviceId: id, Items: good })).toEqual({ Added: 2 })
  const Ids = (await rowsOf(id)).map((r) => r.Id)
  expect(await kit.data('owner', 'POST', '/Project/DevPara/SlaveNumberBatchUpdate', { Ids, SlaveNumber: 17 })).toEqual({ Changed: 2 })
  expect((await rowsOf(id)).map((r) => r.SlaveNumber)).toEqual([17, 17])
  expect(await kit.data('owner', 'POST', '/Project/DevPara/CheckDevPara', { DeviceId: id, ParaName: 'A' })).toEqual({ Valid: false })
})

it('a foreign device does not exist for any of these calls', async () => {
  const id = await newDevice()
  const file = await output(id)
  const p = await addPoint(id, {})
  expect(await upload('stranger', id, file)).toMatchObject({ StatusCode: 404 })
  for (const [method, path, body] of [
    ['GET', `/Project/DevPara/Output?DeviceId=${id}`],
    ['POST', '/Project/DevPara/SlaveNumberBatchUpdate', { Ids: [p.Id], SlaveNumber: 2 }],
    ['POST', '/Project/DevPara/CheckDevPara', { DeviceId: id, ParaName: 'x' }],
  ] as const)
    expect(await kit.call('stranger', method, path, body)).toMatchObject({ StatusCode: 404 })
  expect((await kit.data<Page<unknown>>('stranger', 'GET', `/V2/Project/DevPara/List?DeviceIds=${id}`)).Items).toEqual([])
})

it('remembers whose a removed point was, also when it went with its device', async () => {
  const id = await newDevice()
  const [alone, along] = [await addPoint(id, {}), await addPoint(id, {})]
  await kit.data('owner', 'DELETE', '/Project/DevPara', { Id: alone.Id })
  await kit.data('owner', 'DELETE', '/Project/Device', { Id: id })
  const rows = await kit.db.rows<{ Id: number; EnterpriseId: number }>(
    sql`select "Id", "EnterpriseId" from point_removed where "Id" = any(${[alone.Id, along.Id]}::bigint[]) order by "Id"`,
  )
  expect(rows).toEqual([alone, along].map(({ Id }) => ({ Id, EnterpriseId: kit.enterprises.ours })))
})
