import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import type { Cell } from '../../../../contract/cell.ts'
import { csvLine } from '../../../../contract/csv.ts'
import { isImported } from '../../../../contract/exports.ts'
import { languages } from '../../../../contract/languages.ts'
import { joined, type Resource } from '../../../../contract/resource.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import { writeSheet } from '../../../../server/files/xlsx.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { point } from '../../../configuration/points/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { resources } from '../../../index.ts'
import { post } from '../../../people/posts/contract.ts'
import { templateFields } from './read.ts'
import { resolveRefs } from './references.ts'

type Row = { Id: number } & Record<string, unknown>
type Answer = Wrapper<{ Added: number; Changed: number; Unchanged: number; Preview: { Row: number; Verb: string; Title: string }[] }>
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
})
afterAll(() => kit?.close())

const upload = (as: string, path: string, file: Buffer | string, headers: Record<string, string> = {}): Promise<Answer> => {
  const head = '--sheet\r\nContent-Disposition: form-data; name="file"; filename="list"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), Buffer.from(file as string), Buffer.from('\r\n--sheet--\r\n')])
  return kit.call(as, 'POST', path, body, { 'content-type': 'multipart/form-data; boundary=sheet', ...headers }) as Promise<Answer>
}
const rowsOf = async (r: Resource) => (await kit.data<Page<Row>>('owner', 'GET', `${r.path}/List?PageSize=1000&OrderColumn=Id`)).Items
const errors = (answer: Answer) => answer.Details?.Rows?.map((e) => [e.Row, e.Field])

describe.each(resources.filter(isImported))('$name', (r) => {
  it('goes out and comes in again unchanged, as a sheet and as text, and a change comes in as one', async () => {
    for (let i = 0; i < 3; i++) await make.create(r)
    const before = await rowsOf(r)
    const titles = new Map(joined(r).map(([as, field]) => [field, as]))
    const word = await kit.request('owner', 'GET', `${r.path}/Template?Format=csv`)
    const header = (await readSheet(word.rawPayload))[0]!
    expect(header).toHaveLength(templateFields(r).length)
    const cells = before.map((row) => templateFields(r).map((name) => row[titles.get(name) ?? name] as Cell))
    const text = csvLine(header) + cells.map(csvLine).join('')
    for (const file of [await writeSheet(header as string[], cells), text])
      expect((await upload('owner', `${r.path}/Import`, file)).Data).toMatchObject({ Added: 0, Changed: 0, Unchanged: before.length })
    expect(await rowsOf(r)).toEqual(before)
    const at = header.length - 1
    const last = templateFields(r)[at]!
    if (r.fields[last]!.kind !== 'long') return
    const changed = cells.map((row, i) => (i ? row : row.with(at, 'written in the sheet')))
    expect((await upload('owner', `${r.path}/Import`, csvLine(header) + changed.map(csvLine).join(''))).Data).toMatchObject({ Changed: 1 })
    expect((await rowsOf(r))[0]).toMatchObject({ Id: before[0]!.Id, [last]: 'written in the sheet' })
  })
})

it('the row of a gateway that was released finds it by project and name, and never adds one', async () => {
  const site = await make.create(project)
  const given = { ProjectId: site.Id, Remark: 'by hand' }
  const [kept, other] = [await make.create(gateway, given), await make.create(gateway, given)]
  const release = (id: number) => kit.db.rows(sql`update gateway set "SN" = null, "FormerSN" = "SN" where "Id" = ${id}`)
  await release(kept.Id)
  const before = await rowsOf(gateway)
  const sheet = (...rows: string[]) => upload('owner', `${gateway.path}/Import`, `SN,GatewayName,ProjectId,Remark\n${rows.join('\n')}\n`)
  const line = (row: Row, remark: string) => `${row.SN ?? ''},${row.GatewayName},${site.ProjectName},${remark}`
  const [released] = before.filter(({ Id }) => Id === kept.Id)
  expect((await sheet(line({ ...kept, SN: null }, 'by hand'), line(other, 'by hand'))).Data).toMatchObject({
    Added: 0,
    Changed: 0,
    Unchanged: 2,
  })
  expect((await sheet(line({ ...kept, SN: null }, 'in the store'))).Data).toMatchObject({ Changed: 1 })
  const after = (await rowsOf(gateway)).find(({ Id }) => Id === kept.Id)
  expect(after).toMatchObject({ ...released, Remark: 'in the store', UpdateTime: expect.anything(), UpdateStamp: expect.anything() })
  expect(errors(await sheet(`,Nowhere,${site.ProjectName},`))).toEqual([[2, 'SN']])
  expect(errors(await sheet(line({ ...kept, SN: null }, ''), line({ ...kept, SN: null }, 'again')))).toEqual([[3, 'SN']])
  await release(other.Id)
  await kit.db.rows(sql`update gateway set "GatewayName" = ${kept.GatewayName} where "Id" = ${other.Id}`)
  expect(errors(await sheet(line({ ...kept, SN: null }, '')))).toEqual([[2, 'GatewayName']])
  await kit.db.rows(sql`delete from gateway where "Id" in (${kept.Id}, ${other.Id})`)
})

it('a sheet of an earlier version, with the titles and choices of its time, comes in as one of today', async () => {
  const { Id } = await make.create(device)
  const path = `${point.path}/Import?DeviceId=${Id}`
  const text = 'Parameter name,Address,Register,Data type,In charts,Stored\nFlow,100,4x holding register,Float ABCD,Preselected,Yes\n'
  expect((await upload('owner', path, text)).Data).toMatchObject({ Added: 1 })
  const [row] = (await rowsOf(point)).filter((p) => p.DeviceId === Id)
  expect(row).toMatchObject({ ParaName: 'Flow', IsChartShow: 2, IsStore: 0 })
})

it('offers a template in every language, which can be imported in any', async () => {
  for (const language of languages) {
    const template = await kit.request('owner', 'GET', '/Project/Project/Template', undefined, { 'accept-language': language })
    expect((await readSheet(template.rawPayload))[0]).toHaveLength(templateFields(project).length)
    expect(await upload('owner', '/Project/Project/Import?Preview=1', template.rawPayload, { 'accept-language': 'en' })).toMatchObject({
      Data: { Added: 1 },
    })
  }
})

it.each(['alarmCode', 'alarmPlan'])(
  '[import-templates] %s has a template, as a sheet and as text, that can be filled and imported',
  async (name) => {
    const r = resources.find((r) => r.name === name)! as Resource
    for (const Format of ['xlsx', 'csv']) {
      const template = await kit.request('owner', 'GET', `${r.path}/Template?Format=${Format}`)
      expect(template.statusCode).toBe(200)
      expect((await upload('owner', `${r.path}/Import?Preview=1`, template.rawPayload)).Data).toMatchObject({ Added: 1, Changed: 0 })
    }
    expect((await kit.request('stranger', 'GET', `${r.path}/Template`)).rawPayload.length).toBeGreaterThan(0)
  },
)

it('a preview says what would happen, and nothing does', async () => {
  await make.create(project, { ProjectName: 'Held', Remark: 'old' })
  const before = await rowsOf(project)
  const text = 'Project name,Remark\nHeld,new\nFresh,\n'
  const preview = await upload('owner', '/Project/Project/Import?Preview=1', text)
  expect(preview.Data).toMatchObject({
    Added: 1,
    Changed: 1,
    Unchanged: 0,
    Preview: [
      { Row: 2, Verb: 'update', Title: 'Held', Fields: [{ Field: 'Remark', Before: 'old', After: 'new' }] },
      { Row: 3, Verb: 'create', Title: 'Fresh' },
    ],
  })
  expect(await rowsOf(project)).toEqual(before)
  expect((await upload('owner', '/Project/Project/Import', text)).Data).toMatchObject({ Added: 1, Changed: 1 })
  const after = await rowsOf(project)
  expect(after.find((row) => row.ProjectName === 'Held')).toMatchObject({
    Id: before.find((row) => row.ProjectName === 'Held')!.Id,
    Remark: 'new',
  })
  // Columns that the sheet has not stay as they were.
  expect(after.find((row) => row.ProjectName === 'Held')!.Address).toBe(before.find((row) => row.ProjectName === 'Held')!.Address)
})

it('text comes with commas, semicolons or tabs, quotes and line ends inside, and a mark or none', async () => {
  for (const [i, mark] of [',', ';', '\t'].entries()) {
    const text = `\uFEFFProject name${mark}Remark\r\n"Site ${mark}${i}"${mark}"a ""b""\nc"\r\n`
    expect((await upload('owner', '/Project/Project/Import', text)).Data).toMatchObject({ Added: 1 })
    expect((await rowsOf(project)).at(-1)).toMatchObject({ ProjectName: `Site ${mark}${i}`, Remark: 'a "b"\nc' })
  }
})

it('every wrong cell is named by row and column in the caller’s language, and nothing is imported', async () => {
  const before = await rowsOf(project)
  const text = `Project name,Longitude\nGood,1\n,2\nFar,${'9'.repeat(4)}\nGood,3\nOdd,east\n`
  const answer = await upload('owner', '/Project/Project/Import', text)
  expect(answer).toMatchObject({ StatusCode: 400, Details: { Fault: 'sheetRows' } })
  expect(errors(answer)).toEqual([
    [3, 'ProjectName'],
    [4, 'Longitude'],
    [5, 'ProjectName'],
    [6, 'Longitude'],
  ])
  const said = new Set<string>()
  for (const language of languages)
    said.add((await upload('owner', '/Project/Project/Import', text, { 'accept-language': language })).Details!.Rows![0]!.Message)
  expect(said.size).toBe(languages.length)
  expect(await rowsOf(project)).toEqual(before)
})

it('what only the database knows to be wrong is named by its row too, and undone', async () => {
  const theirs = maker(kit, 'stranger')
  const taken = await theirs.create(gateway)
  const { ProjectName } = await make.create(project)
  const before = await rowsOf(gateway)
  const rows = [`Free,SNFREE000001,${ProjectName}`, `Other,${taken.SN},${ProjectName}`]
  const text = `Gateway name,SN,Project\n${rows.join('\n')}`
  const answer = await upload('owner', '/Project/Gateway/Import', text)
  expect(errors(answer)).toEqual([[3, 'SN']])
  expect(JSON.stringify(answer)).not.toMatch(/exist|tenant/i)
  expect(await rowsOf(gateway)).toEqual(before)
})

it('references are found by title, where several share it by number, and only what the caller sees', async () => {
  const [a, b] = [await make.create(project, { ProjectName: 'Plant A' }), await make.create(project, { ProjectName: 'Plant B' })]
  const organs = resources.find((r) => r.name === 'organ')!
  await make.create(organs, { OrganName: 'Works' })
  const gatewayOf = (name: string, project: unknown) => `Gateway name,SN,Project\n${name},SN${name.toUpperCase()}000,${project}\n`
  expect((await upload('owner', '/Project/Gateway/Import', gatewayOf('titled', 'Plant A'))).Data).toMatchObject({ Added: 1 })
  expect((await upload('owner', '/Project/Gateway/Import', gatewayOf('numbered', `#${b.Id}`))).Data).toMatchObject({ Added: 1 })
  const made = (await rowsOf(gateway)).slice(-2)
  expect(made.map((row) => row.ProjectId)).toEqual([a.Id, b.Id])
  expect(errors(await upload('owner', '/Project/Gateway/Import', gatewayOf('unknown', 'Nowhere')))).toEqual([[2, 'ProjectId']])
  for (const text of ['Plant A', `#${a.Id}`])
    expect(errors(await upload('stranger', '/Project/Gateway/Import', gatewayOf('foreign', text)))).toEqual([[2, 'ProjectId']])
  // Two gateways with the same name: a device must identify its own.
  const twins = [await make.create(gateway, { GatewayName: 'Twin' }), await make.create(gateway, { GatewayName: 'Twin' })]
  const channel = (text: string) => `ProtocolName,GatewayId,Ip\nLine,${text},10.0.0.1\n`
  const net = resources.find((r) => r.name === 'netProtocol')!
  const shared = await upload('owner', `${net.path}/Import`, channel('Twin'))
  expect(errors(shared)).toEqual([[2, 'GatewayId']])
  expect((await upload('owner', `${net.path}/Import`, channel(`Twin #${twins[1]!.Id}`))).Data).toMatchObject({ Added: 1 })
})

it('a sheet adds and changes only for who may do both, and never in another tenant', async () => {
  const before = await rowsOf(post)
  await kit.person('adder', kit.enterprises.ours, { menus: ['m10413', 'm10413.add'] })
  const organ = await make.create(resources.find((r) => r.name === 'organ')!, { OrganName: 'Office' })
  const text = 'Post,Organisation\nFitter,Office\n'
  for (const as of ['viewer', 'adder', 'nobody']) expect(await upload(as, '/System/Post/Import', text)).toMatchObject({ StatusCode: 403 })
  expect(await upload('stranger', `/System/Post/Import?BelongOrganId=${organ.Id}`, text)).toMatchObject({ StatusCode: 404 })
  expect(await rowsOf(post)).toEqual(before)
})

it('what is no table, has a column of nothing or too many rows is refused whole', async () => {
  const many = `Project name\n${Array.from({ length: 50_001 }, (_, i) => `P${i}`).join('\n')}`
  for (const [file, fault] of [
    [Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'sheetUnreadable'],
    ['"never closed', 'sheetUnreadable'],
    ['Project name\n', 'sheetEmpty'],
    ['Remark\nx\n', 'sheetMissing'],
    ['Project name,Nonsense\na,b\n', 'sheetColumn'],
    ['Project name,Project name\na,b\n', 'sheetTwice'],
    [many, 'sheetTooLong'],
  ] as const)
    expect(await upload('owner', '/Project/Project/Import', file as Buffer), fault).toMatchObject({ Details: { Fault: fault } })
  expect(await kit.call('owner', 'POST', '/Project/Project/Import', {})).toMatchObject({ Succeeded: false })
})

it('each row is in the record of changes once, with who did it', async () => {
  await upload('owner', '/Project/Project/Import', 'Project name\nRecorded\n')
  const { Id } = (await rowsOf(project)).find((row) => row.ProjectName === 'Recorded')!
  const entries = await kit.db.rows(sql`select "Verb", "UserId" from change where "Resource" = 'project' and "RecordId" = ${Id}`)
  expect(entries).toEqual([{ Verb: 'create', UserId: kit.people.get('owner')!.id }])
})

it('platform imports belong to the named company and can only refer to its records', async () => {
  const { ours, theirs } = kit.enterprises
  const upTo = (as: string, path: string, text: string, enterprise?: number) =>
    upload(as, `${path}/Import${enterprise ? `?EnterpriseId=${enterprise}` : ''}`, text)
  const all = async (path: string, name: string) =>
    (await kit.data<Page<Row & { EnterpriseId: number }>>('platform', 'GET', `${path}/List?PageSize=1000&Search=${name}`)).Items
  for (const enterprise of [ours, theirs])
    expect((await upTo('platform', '/Project/Project', 'Project name\nTwin works\n', enterprise)).Data).toMatchObject({ Added: 1 })
  const sites = await all('/Project/Project', 'Twin')
  expect(sites.map((site) => site.EnterpriseId).toSorted()).toEqual([ours, theirs].toSorted())

  // Two companies have a project with this name: the call identifies the company.
  const gateways = 'Gateway name,SN,Project\nTwin,TWIN00000001,Twin works\n'
  expect(errors(await upTo('platform', '/Project/Gateway', gateways))).toEqual([[2, 'ProjectId']])
  expect((await upTo('platform', '/Project/Gateway', gateways, theirs)).Data).toMatchObject({ Added: 1 })
  expect((await all('/Project/Gateway', 'TWIN00000001')).map((g) => g.EnterpriseId)).toEqual([theirs])

  // Everybody else imports into their own company.
  expect(await upTo('owner', '/Project/Project', 'Project name\nStolen\n', theirs)).toMatchObject({ StatusCode: 404 })
  expect((await upTo('owner', '/Project/Project', 'Project name\nMine\n', ours)).Data).toMatchObject({ Added: 1 })
  expect(await upTo('platform', '/Project/Project', 'Project name\nNowhere\n', 999_999)).toMatchObject({ StatusCode: 404 })
  expect(await all('/Project/Project', 'Stolen')).toEqual([])
})

it('the references of a long sheet are resolved in parts, so that other calls run in between', async () => {
  const actor = (await kit.sessions.actorOf(kit.people.get('owner')!.id, '')) as Actor
  const db = kit.database.as(actor)
  let asked = 0
  const counting: typeof db = {
    ...db,
    rows: (query) => {
      asked++
      return db.rows(query)
    },
  }
  const rows = Array.from({ length: 6000 }, (_, row) => ({ row, values: { ProjectId: `nowhere ${row}` } }))
  expect((await resolveRefs(counting, actor, gateway, rows)).map(({ row }) => row)).toEqual(rows.map(({ row }) => row))
  expect(asked).toBe(3)
})
