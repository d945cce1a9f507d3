import { sql } from 'kysely'
import { readSheet as readPlainly } from 'read-excel-file/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { readSheet } from '../../../../server/files/sheetReader.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { type Listing, readListing } from '../../../../server/resource/list.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { parts } from './service.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
  const { create } = maker(kit)
  for (const [ProjectName, Remark] of [
    ['Alpha, "north"', '=HYPERLINK("http://a")'],
    ['Beta', '-1+1'],
    ['Gamma', 'line\nbreak'],
  ])
    await create(project, { ProjectName, Remark, Longitude: 2.5 })
  const [{ Id }] = (await kit.data<{ Items: [{ Id: number }] }>('owner', 'GET', '/Project/Project/List?ProjectName=Beta')).Items as [
    { Id: number },
  ]
  await create(gateway, { GatewayName: 'Gate', ProjectId: Id })
})
afterAll(() => kit?.close())

const take = (as: string, path: string) => kit.request(as, 'GET', path)
const lines = (body: string) => body.replace('\uFEFF', '').trimEnd().split('\r\n')

it('a list leaves as csv, filtered and in its order, with the columns asked for', async () => {
  const all = await take('owner', '/Project/Project/Output?Format=csv&Fields=ProjectName,Longitude&OrderColumn=ProjectName&OrderType=desc')
  expect(all.headers['content-type']).toMatch('text/csv')
  expect(all.headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''projects-\d{8}-\d{4}\.csv$/)
  expect(lines(all.body)).toEqual(['Project name,Longitude', 'Gamma,2.5', 'Beta,2.5', '"Alpha, ""north""",2.5'])
  expect(lines((await take('owner', '/V3/Project/Project/Output?Format=csv&Fields=ProjectName&Search=bet')).body)).toEqual([
    'Project name',
    'Beta',
  ])
})

it('a text that a spreadsheet would run is guarded, in csv and in xlsx', async () => {
  const csv = await take('owner', '/Project/Project/Output?Format=csv&Fields=Remark&OrderColumn=ProjectName')
  expect(csv.body).toContain(`"'=HYPERLINK(""http://a"")"`)
  expect(csv.body).toContain("\r\n'-1+1\r\n")
  const xlsx = await take('owner', '/Project/Project/Output?Fields=Remark&OrderColumn=ProjectName')
  expect((await readPlainly(xlsx.rawPayload)).flat()).toContain(`'=HYPERLINK("http://a")`)
})

it('references leave as titles, choices as words of the caller’s language', async () => {
  const [header, row] = await readSheet(
    (await take('owner', '/Project/Gateway/Output?Fields=GatewayName,ProjectId,OnlineStatus')).rawPayload,
  )
  expect(header).toHaveLength(3)
  expect(row!.slice(0, 2)).toEqual(['Gate', 'Beta'])
  expect(typeof row![2]).toBe('string')
})

it('a file is named by its list, the records and choices it is narrowed to, and the minute of its reader', async () => {
  const [beta] = await kit.db.rows<{ Id: number }>(sql`select "Id" from project where "ProjectName" = 'Beta'`)
  const minute = async (zone: string, path: string) => {
    const answer = await kit.request('owner', 'GET', path, undefined, { 'x-time-zone': zone })
    return decodeURIComponent(String(answer.headers['content-disposition']).split("''")[1]!)
  }
  const asked = `/Project/Gateway/Output?ProjectId=${beta!.Id}&OnlineStatus=2&Format=csv`
  const [name, inTokyo] = [await minute('UTC', asked), await minute('Asia/Tokyo', asked)]
  expect(name).toMatch(/^gateways-beta-[a-z-]+-\d{8}-\d{4}\.csv$/)
  expect(inTokyo.slice(-8, -6)).not.toBe(name.slice(-8, -6))
  // Another's record is not named.
  expect(await minute('UTC', '/Project/Gateway/Output?ProjectId=987654&Format=csv')).toMatch(/^gateways-\d{8}-\d{4}\.csv$/)
})

it('more than one page leaves whole', async () => {
  await kit.db.rows(
    sql`insert into project ("EnterpriseId", "ProjectName") select ${kit.enterprises.ours}, 'Mass ' || n from generate_series(1, 2345) n`,
  )
  const asked = '/Project/Project/Output?Fields=ProjectName&ProjectName=Mass&OrderColumn=Id'
  const whole = ['Project name', ...Array.from({ length: 2345 }, (_, i) => `Mass ${i + 1}`)]
  expect(lines((await take('owner', `${asked}&Format=csv`)).body)).toEqual(whole)
  expect((await readSheet((await take('owner', asked)).rawPayload)).flat()).toEqual(whole)
})

it('many who export at once have their files, each in turn', async () => {
  const all = await Promise.all(
    Array.from({ length: 16 }, (_, i) => take('owner', `/Project/Project/Output?Format=${i % 4 ? 'csv' : 'xlsx'}&ProjectName=Gamma`)),
  )
  expect(all.map((a) => a.statusCode)).toEqual(all.map(() => 200))
})

it('long spreadsheets of one person hold up no file of another company', async () => {
  const ended: string[] = []
  const ask = async (as: string, format: string, query = '') =>
    void ended.push(`${(await take(as, `/Project/Project/Output?Format=${format}${query}`)).statusCode} ${as} ${format}`)
  const long = Array.from({ length: 6 }, () => ask('owner', 'xlsx', '&ProjectName=Mass'))
  await Promise.all([ask('stranger', 'csv'), ask('stranger', 'xlsx')])
  expect(ended.sort()).toEqual(['200 stranger csv', '200 stranger xlsx'])
  await Promise.all(long)
})

it('the titles of records that a list refers to are read one resource at a time, and only if it has rows', async () => {
  const actor = (await kit.sessions.actorOf(kit.people.get('owner')!.id, '')) as Actor
  const db = kit.database.as(actor)
  let [running, most, asked] = [0, 0, 0]
  const counting: typeof db = {
    ...db,
    rows: async (query) => {
      asked++
      most = Math.max(most, ++running)
      return db.rows(query).finally(() => running--)
    },
  }
  const read = async (listing: Listing) => {
    for await (const _ of parts(counting, actor, gateway, { names: Object.keys(gateway.fields), listing, language: 'en' }, 100));
    return asked
  }
  const without = await read(readListing({ GatewayName: 'none' }))
  expect((await read(readListing({}))) - without).toBeGreaterThan(without)
  expect(most).toBe(1)
})

it('only what the caller sees leaves, and only for who may read the list', async () => {
  expect(lines((await take('stranger', '/Project/Project/Output?Format=csv')).body)).toHaveLength(1)
  expect((await take('nobody', '/Project/Project/Output?Format=csv')).json()).toMatchObject({ StatusCode: 403 })
  expect((await take('owner', '/Project/Project/Output?Format=csv&Nonsense=1')).json()).toMatchObject({
    Details: { Fault: 'unknownFilter' },
  })
  expect((await take('owner', '/Project/Project/Output?Fields=ProjectName,EnterpriseId')).json()).toMatchObject({
    Details: { Fault: 'unknownFilter' },
  })
})
