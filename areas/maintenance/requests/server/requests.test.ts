// A fault reported by a machine's label makes one waiting order, whatever is sent and however often.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { permissions } from '../../../../contract/menus.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { openFolder } from '../../../../server/files/store.ts'
import { named } from '../../../../server/resource/sql.ts'
import { filesService } from '../../../system/files/server/service.ts'
import { mostReports } from '../contract.ts'
import { requestRoutes } from './start.ts'

type Label = { Path: string; Takes: 0 | 1 }
type Order = { Id: number; Title: string; Status: number; Source: number; FaultDesc: string; EnterpriseId: number }
const folder = mkdtempSync(join(tmpdir(), 'penstock-requests-'))
let kit: Kit
let machine: number
let label: string
let steady = 0
let number = 0
beforeAll(async () => {
  kit = await startKit({
    areas: (database) => {
      const files = filesService(database, openFolder(folder), randomBytes(32), Date.now)
      return [(api) => requestRoutes(api, { database, files, key: randomBytes(32), clock: Date.now, steady: () => steady })]
    },
  })
  await kit.person('planner', kit.enterprises.ours, { menus: permissions })
  await kit.data('planner', 'PUT', '/Maintenance/OrderClocks', { PublicReports: 1, Respond1: 30 })
})
beforeEach(async () => {
  // Each in a separate hour, on a separate machine.
  steady += 36e5
  await kit.db.rows(sql`delete from mtn_report`)
  const ProjectId = (await maker(kit).create(named('project'))).Id
  const draft = { EquipmentName: `Boiler ${++number}`, ProjectId }
  machine = (await kit.data<{ Id: number }>('planner', 'POST', '/Maintenance/MtnEquipment', draft)).Id
  label = await labelOf()
})
afterAll(async () => {
  await kit?.close()
  rmSync(folder, { recursive: true, force: true })
})

const labelOf = async () => (await kit.data<Label>('planner', 'GET', `/Maintenance/MtnEquipment/Label?Id=${machine}`)).Path.split('#')[1]!
const post = <T = { Token: string }>(name: string, body: object) => kit.call<T>(undefined as never, 'POST', `/Share/${name}`, body)
const report = (more: object = {}) => post('ReportFault', { Label: label, Desc: 'It hums', ...more })
const orders = () =>
  kit.db.rows<Order>(sql`
    select distinct o."Id", o."Title", o."Status", o."Source", o."FaultDesc", o."EnterpriseId" from mtn_maintenance_order o join mtn_report r on r."OrderId" = o."Id" order by 1`)

it('becomes an order that waits; further reports attach to it, and the sender sees its state alone', async () => {
  expect(await post('ReportMachine', { Label: label })).toMatchObject({ Data: { MachineName: `Boiler ${number}` } })
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#f00' } })
    .withExif({ IFD0: { Copyright: 'me' } })
    .jpeg()
    .toBuffer()
  const script = '<script>alert(1)</script> =cmd()'
  const first = await report({ Desc: script, Contact: 'Ana 600', Photos: [photo.toString('base64')] })
  expect(first).toMatchObject({ Succeeded: true })
  const [one, two] = await Promise.all([report({ Desc: 'Still' }), report({ Desc: 'Louder' })])
  expect([one!.Succeeded, two!.Succeeded]).toEqual([true, true])
  const [order, ...more] = await orders()
  expect(more).toEqual([])
  expect(order).toMatchObject({
    Title: `Boiler ${number}`,
    Status: 0,
    Source: 5,
    FaultDesc: `${script}\nAna 600`,
    EnterpriseId: kit.enterprises.ours,
  })
  const [clock] = await kit.db.rows<{ minutes: number }>(
    sql`select extract(epoch from "RespondDue" - "ReportTime")::float8 / 60 as minutes from mtn_maintenance_order where "Id" = ${order!.Id}`,
  )
  expect(clock!.minutes).toBeCloseTo(30, 3)
  const steps = await kit.db.rows<{ Step: string; Files: { FilePath: string }[] }>(
    sql`select "Step", "Files" from mtn_order_history where "OrderId" = ${order!.Id} order by "Id"`,
  )
  expect(steps.map(({ Step }) => Step)).toEqual(['open', 'report', 'report'])
  const [file] = await kit.db.rows<{ ContentType: string; RecordId: number }>(
    sql`select "ContentType", "RecordId" from stored_file where 'files/' || "Key" = ${steps[0]!.Files[0]!.FilePath}`,
  )
  expect(file).toMatchObject({ ContentType: 'image/webp', RecordId: order!.Id })
  const state = () => post('ReportState', { Token: first.Data.Token })
  expect((await state()).Data).toEqual({ Status: 0 })
  await kit.db.rows(sql`update mtn_maintenance_order set "Status" = 5, "UpdateTime" = now() - interval '29 days' where "Id" = ${order!.Id}`)
  expect((await state()).Data).toEqual({ Status: 5 })
  await kit.db.rows(sql`update mtn_maintenance_order set "UpdateTime" = now() - interval '31 days' where "Id" = ${order!.Id}`)
  expect(await state()).toMatchObject({ StatusCode: 404 })
  // Later changes to a checked order do not extend its link.
  await kit.db.rows(
    sql`update mtn_maintenance_order set "UpdateTime" = now(), "CheckTime" = now() - interval '31 days' where "Id" = ${order!.Id}`,
  )
  expect(await state()).toMatchObject({ StatusCode: 404 })
  // Work has begun, so a new report opens another order.
  expect(await report({ Desc: 'Again' })).toMatchObject({ Succeeded: true })
  expect(await orders()).toHaveLength(2)
})

it('takes the photos that phones send', async () => {
  const noise = await sharp(randomBytes(500 * 400 * 3), { raw: { width: 500, height: 400, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
  const photo = noise.toString('base64')
  // More than a body of other calls takes.
  expect(photo.length).toBeGreaterThan(64 * 1024)
  expect(await report({ Photos: [photo, photo, photo] })).toMatchObject({ Succeeded: true })
})

it('a colleague without the page of the machine reports in his name, also where strangers may not', async () => {
  await kit.person(`clerk ${number}`, kit.enterprises.ours, { menus: ['m104'], projects: [999_999] })
  await kit.person(`fitter ${number}`, kit.enterprises.ours, { menus: ['m10601', 'm10620'] })
  const as = (who: string, name: string, body: object = { Label: label }) =>
    kit.call<{ Token: string; Id: number }>(who, 'POST', `/Maintenance/MtnEquipment/${name}`, body)
  const given = { Label: label, Desc: 'Smells of gas' }
  await kit.data('planner', 'PUT', '/Maintenance/OrderClocks', { PublicReports: 0 })
  expect(await as(`fitter ${number}`, 'OfLabel')).toMatchObject({ Data: { Id: machine, MayOpen: 1 } })
  expect(await as(`clerk ${number}`, 'OfLabel')).toMatchObject({ Data: { MachineName: `Boiler ${number}`, MayOpen: 0 } })
  for (const name of ['OfLabel', 'ReportByLabel'])
    expect(await as('stranger', name, name === 'OfLabel' ? undefined : given)).toMatchObject({ StatusCode: 404 })
  const { Data } = await as(`clerk ${number}`, 'ReportByLabel', given)
  expect((await post('ReportState', { Token: Data.Token })).Data).toEqual({ Status: 0 })
  const [order] = await kit.db.rows(sql`
    select o."FaultDesc", o."Source", u."UserNO" from mtn_maintenance_order o join mtn_report r on r."OrderId" = o."Id" left join "user" u on u."Id" = o."ReportUserId"`)
  expect(order).toEqual({ FaultDesc: 'Smells of gas', Source: 5, UserNO: `clerk ${number}` })
  await kit.data('planner', 'PUT', '/Maintenance/OrderClocks', { PublicReports: 1 })
  // People of other companies count as people without an account.
  expect((await as('stranger', 'ReportByLabel', { ...given, Desc: 'Still' })).Succeeded).toBe(true)
  for (let i = 0; i < mostReports.perHour; i++) await as(`clerk ${number}`, 'ReportByLabel', given)
  expect(await as(`clerk ${number}`, 'ReportByLabel', given)).toMatchObject({ Details: { Fault: 'reportsTooMany' } })
})

it('a label opens its own machine only, until it is renewed or reports are turned off', async () => {
  const [id, secret] = label.split('.') as [string, string]
  for (const other of [`${Number(id) + 1}.${secret}`, `${id}.${'A'.repeat(32)}`, `9${id}.${secret}`])
    expect(await post('ReportMachine', { Label: other })).toMatchObject({ StatusCode: 404 })
  for (const bad of ['', 'x', `${id}.short`, `${id}.${secret}x`, `__proto__.${secret}`])
    expect(await post('ReportMachine', { Label: bad })).toMatchObject({ StatusCode: 400 })
  await kit.data('planner', 'POST', '/Maintenance/MtnEquipment/RenewLabel', { Id: machine })
  expect(await report()).toMatchObject({ StatusCode: 404 })
  label = await labelOf()
  expect(await report()).toMatchObject({ Succeeded: true })
  await kit.data('planner', 'PUT', '/Maintenance/OrderClocks', { PublicReports: 0 })
  expect(await report()).toMatchObject({ StatusCode: 404 })
  await kit.data('planner', 'PUT', '/Maintenance/OrderClocks', { PublicReports: 1 })
  expect(await kit.call('stranger', 'GET', `/Maintenance/MtnEquipment/Label?Id=${machine}`)).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('stranger', 'POST', '/Maintenance/MtnEquipment/RenewLabel', { Id: machine })).toMatchObject({ StatusCode: 404 })
})

it('refuses what is no report, with nothing left behind', async () => {
  for (const bad of [
    { Desc: '' },
    { Desc: 'x'.repeat(501) },
    { Photos: Array(4).fill('AAAA') },
    { Photos: ['<svg>'] },
    { Contact: 'x'.repeat(101) },
  ])
    expect(await report(bad)).toMatchObject({ StatusCode: 400 })
  expect(await report({ Desc: '   ' })).toMatchObject({ StatusCode: 400, Details: { Fields: { Desc: [expect.any(String)] } } })
  expect(await report({ Photos: [Buffer.from('no picture').toString('base64')] })).toMatchObject({ Succeeded: false })
  expect(await orders()).toEqual([])
})

it('a thousand reports are as many orders as machines, within the limits of address, machine and company', async () => {
  const results = []
  for (let i = 0; i < 1000; i++) results.push(await report())
  const taken = results.filter(({ Succeeded }) => Succeeded).length
  expect(taken).toBe(mostReports.perHour)
  expect(results.at(-1)).toMatchObject({ StatusCode: 429, Details: { Fault: 'reportsTooMany' }, Errors: expect.stringContaining('Wait') })
  expect(await orders()).toHaveLength(1)
  // From many addresses: first the machine's daily limit is reached, then the company's.
  const [order] = await orders()
  const fill = (count: number) =>
    kit.db.rows(sql`
      insert into mtn_report ("EnterpriseId", "EquipmentId", "OrderId", "TokenHash")
      select ${kit.enterprises.ours}, ${machine}, ${order!.Id}, ${randomBytes(8).toString('hex')} || n from generate_series(1, ${count}) n`)
  await fill(mostReports.perMachine - taken)
  steady += 36e5
  expect(await report()).toMatchObject({ StatusCode: 429, Details: { Fault: 'reportsFull' } })
  await fill(mostReports.perCompany - mostReports.perMachine)
  const { ProjectId } = await kit.data<{ ProjectId: number }>('planner', 'GET', `/Maintenance/MtnEquipment?Id=${machine}`)
  machine = (await kit.data<{ Id: number }>('planner', 'POST', '/Maintenance/MtnEquipment', { EquipmentName: 'Other', ProjectId })).Id
  label = await labelOf()
  expect(await report()).toMatchObject({ StatusCode: 429, Details: { Fault: 'reportsFull' } })
  await kit.db.rows(sql`update mtn_report set "CreateTime" = now() - interval '25 hours'`)
  expect(await report()).toMatchObject({ Succeeded: true })
})

it('labels of many machines have the secret of each, in one recorded call, for who sees them all', async () => {
  const ProjectId = (await maker(kit).create(named('project'))).Id
  const other = await kit.data<{ Id: number }>('planner', 'POST', '/Maintenance/MtnEquipment', { EquipmentName: 'Roof', ProjectId })
  const ask = (Ids: number[], as = 'planner') =>
    kit.call<{ Items: { Id: number; Path: string }[]; Takes: number }>(as, 'POST', '/Maintenance/MtnEquipment/Labels', { Ids })
  const { Data } = await ask([other.Id, machine])
  expect(Data).toMatchObject({ Takes: 1, Items: [{ Id: other.Id }, { Id: machine, Path: `/report#${label}` }] })
  const [entry] = await kit.db.rows<{ Verb: string; After: { Rows: number } }>(
    sql`select "Verb", "After" from change where "Resource" = 'mtnEquipment' order by "Id" desc limit 1`,
  )
  expect(entry).toMatchObject({ Verb: 'export', After: { Rows: 2 } })
  expect((await ask(Array.from({ length: 241 }, (_, i) => i + 1))).StatusCode).toBe(400)
  expect((await ask([machine], 'stranger')).StatusCode).toBe(404)
  expect((await ask([machine], 'nobody')).StatusCode).toBe(403)
})

it('whoever works here has the page of a machine and reports a fault there, also without the right to open orders', async () => {
  await kit.person(`tech ${number}`, kit.enterprises.ours, { menus: ['m10601', 'm10601.work', 'm10620'] })
  await kit.person(`away ${number}`, kit.enterprises.ours, { menus: ['m10601', 'm10601.work', 'm10620'], projects: [999_999] })
  const page = (as: string) => kit.call<{ EquipmentName: string }>(as, 'GET', `/Maintenance/MtnEquipment/Machine?Id=${machine}`)
  const report = (as: string, Desc: string) =>
    kit.call<{ Id: number; OrderNo: string }>(as, 'POST', '/Maintenance/MtnEquipment/ReportFault', { Id: machine, Desc, Stopped: 1 })
  expect((await page(`tech ${number}`)).Data.EquipmentName).toBe(`Boiler ${number}`)
  const { Data } = await report(`tech ${number}`, 'Hisses')
  const [order] = await kit.db.rows(sql`select * from mtn_maintenance_order where "Id" = ${Data.Id}`)
  expect(order).toMatchObject({ OrderNo: Data.OrderNo, Title: `Boiler ${number}`, FaultDesc: 'Hisses', Stopped: 1, Status: 0 })
  expect((await report(`tech ${number}`, ' ')).Details?.Fields).toHaveProperty('Desc')
  for (const as of [`away ${number}`, 'stranger']) {
    expect((await page(as)).StatusCode).toBe(404)
    expect((await report(as, 'Hisses')).StatusCode).toBe(404)
  }
  expect((await report('nobody', 'Hisses')).StatusCode).toBe(403)
})
